# Everything is set up in the tree: a virtual environment in .venv, the engine built into it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# a new package counts as well: the editable installation knows which modules are packages
SOURCES := CMakeLists.txt pyproject.toml $(wildcard native/*.cpp native/*.hpp) $(shell find src -name __init__.py)

.PHONY: demo test test-long test-sanitized lint bench bench-quick bench-docs install clean help

help:  ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# Editable, so that changes to Python files count at once; changes to the engine rebuild it.
$(STAMP): $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet cmake ninja "scikit-build-core>=0.10" "nanobind>=2.4"
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]"
	$(BIN)/python -m compileall -q src
	@touch $@

install: $(STAMP)  ## Build the engine and install fairlead into .venv

demo: $(STAMP)  ## Check leader election in a ring under every notion of fairness
	$(BIN)/fairlead check examples/leader_election/leader_election_ring.csp --fairness all || test $$? -eq 1
	$(BIN)/fairlead check examples/mutual_exclusion/peterson.csp "System() |= []<> cs.0" || test $$? -eq 1
	$(BIN)/fairlead check examples/readers_writers/readers_writers.lts --process RW_PROGRESS || test $$? -eq 1

test: $(STAMP)  ## Run the whole test suite
	$(BIN)/python -m pytest -n auto

test-long: $(STAMP)  ## Run the thousands of random cases as well
	$(BIN)/python -m pytest -n auto -m "long or not long"

test-sanitized:  ## Run the engine's tests with address and undefined-behaviour sanitizers
	bash tests/sanitized/run

lint: $(STAMP)  ## Style and types
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy

bench: $(STAMP)  ## Measure against SPIN (installs it if it is missing); about an hour
	$(BIN)/python -m bench

bench-quick: $(STAMP)  ## The same in a minute or two; fails if a ratio does not hold
	$(BIN)/python -m bench --quick

bench-docs: $(STAMP)  ## Write what the last `make bench` measured into docs/explanation/performance.md
	$(BIN)/python -m bench --from bench/results/results.json --docs

clean:  ## Remove everything that was built
	rm -rf $(VENV) build
