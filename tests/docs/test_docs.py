"""Runs every example of the manual: what a page shows is what fairlead answers.

`docs/pages.py` says how a page is read.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import re
from pathlib import Path

import click
import pytest

import fairlead
from fairlead.cli.main import cli
from fairlead.model.counted_moves import UnboundedProcesses
from tests.support.docs.pages import (
    FENCE,
    IMAGE,
    IMAGES,
    PAGES,
    answered,
    blocks,
    normalised,
    prepare,
)
from tests.support.places import DOCS, ROOT

#: languages of models, and how `loads` calls them
LANGUAGES = {"csp": "csp", "fsp": "lts"}
#: languages of blocks that are not run; the workflow on the page about CI has a test of its own
SHOWN = {"sh", "text", "js", "promela", "yaml", "diff", "lua", "toml", "lisp"}

#: a file or folder, without placeholders; results of the benchmark are there after it has run
_PATH = re.compile(
    r"(?<![\w./-])(?:examples|tests|bench(?!/results)|native|src|docs)/[\w./-]*\w(?![\w*…{-]|\.\*)"
)
_MAKE = re.compile(r"(?:`|^)make ([a-z-]+)", re.MULTILINE)
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")


@pytest.fixture(params=PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def page(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each page, in a directory of its own that has its files."""
    path: Path = request.param
    prepare(tmp_path, path.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    return path


def test_commands_answer_as_shown(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown, now = normalised(text), normalised(answered(text))
    if shown != now:
        name = str(page.relative_to(ROOT))
        lines = difflib.unified_diff(
            shown.splitlines(), now.splitlines(), name, "what fairlead says", lineterm=""
        )
        pytest.fail("\n".join(lines), pytrace=False)
    for name in IMAGE.findall(text):  # the commands have just drawn them
        assert Path(name).read_text(encoding="utf-8") == (IMAGES / name).read_text(encoding="utf-8"), name


def test_python_runs(page: Path) -> None:
    names: dict[str, object] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.language != "python":
            continue
        if ">>>" in block.body:
            test = parser.get_doctest(block.body, names, page.name, str(page), block.line)
            runner.run(test, out=report.append, clear_globs=False)
            names = test.globs
        else:
            exec(compile(block.body, f"{page.name}:{block.line}", "exec"), names)
    assert not report, "\n".join(report)


def test_models_load(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    words = " ".join(block.body for block in blocks(text) if block.language == "console").split()
    for block in blocks(text):
        if block.role == "wrong":
            assert block.name in words, f"{block.name} is not shown"
        elif block.language in LANGUAGES:
            model = fairlead.loads(block.body, LANGUAGES[block.language])
            for process in {assertion.process for assertion in model.assertions}:
                with contextlib.suppress(fairlead.LimitReached, UnboundedProcesses):
                    model.graph(process, limits=fairlead.Limits(max_states=20_000))


# ---------------------------------------------------------------- completeness


def test_no_block_goes_unread(page: Path) -> None:
    """Each is run, loaded or read by a command, or is of a language that is only shown."""
    text = page.read_text(encoding="utf-8")
    words = " ".join(block.body for block in blocks(text) if block.language in ("console", "python")).split()
    for block in blocks(text):
        if block.language == "json":
            assert block.name in words, f"line {block.line}: no command reads this file"
        else:
            assert block.language in {"console", "python", *LANGUAGES, *SHOWN}, f"line {block.line}"
    fences = len(re.findall(r"^ *```", text, re.MULTILINE))
    assert fences == 2 * sum(1 for _ in blocks(text)), "a fence has no language"


def test_paths_lead_somewhere(page: Path) -> None:
    """Files of the repository that a page names, in commands or in the text."""
    text = page.read_text(encoding="utf-8")
    for name in _PATH.findall(text):
        assert (ROOT / name).exists(), name


def test_the_code_names_pages_that_exist() -> None:
    named = {
        (file.relative_to(ROOT).as_posix(), page)
        for folder in ("src", "native", "bench", "tests", "examples")
        for file in (ROOT / folder).rglob("*.*")
        if file.suffix in {".py", ".json", ".cpp", ".hpp", ".csp", ".lts", ".md"}
        for page in re.findall(r"\bdocs/[\w/-]+\.md", file.read_text(encoding="utf-8", errors="replace"))
    }
    assert named
    assert not {(file, page) for file, page in named if not (ROOT / page).is_file()}


def test_make_knows_its_targets(page: Path) -> None:
    known = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in _MAKE.findall(page.read_text(encoding="utf-8")):
        assert name in known, name


def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in (match["target"] for match in _LINK.finditer(FENCE.sub("", text))):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in _anchors(path.read_text(encoding="utf-8")), f"{page.name} links to {target}"


def _anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_index_names_every_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for path in DOCS.rglob("*.md"):
        name = path.relative_to(DOCS).as_posix()
        assert name == "index.md" or f"({name})" in index, name


def test_every_picture_is_shown() -> None:
    shown = {name for path in PAGES for name in IMAGE.findall(path.read_text(encoding="utf-8"))}
    assert shown == {path.name for path in IMAGES.iterdir()}


def test_every_option_is_described() -> None:
    text = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        assert f"## `fairlead {name}`" in text, name
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                for option in (*parameter.opts, *parameter.secondary_opts):
                    assert f"`{option}" in text, f"{name} {option}"


def test_every_code_is_described() -> None:
    text = (DOCS / "reference" / "diagnostics.md").read_text(encoding="utf-8")
    for code in fairlead.Code:
        assert f"\n## `{code.value}`\n" in text, code
