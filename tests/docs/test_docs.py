"""Runs every example of the pages below docs: what a page shows is what fairlead answers.

How a page is read:

* A fenced block after a line `<!-- file: name -->` is a file that the examples below it can use. After
  `<!-- wrong: name -->` it is a file with a mistake, which a console block of the page must show.
* `console` blocks hold commands and their output. `$ fairlead …` runs in this process, in a directory with
  the page's files and the repository's `examples`; `> name` at its end puts standard output into a file.
  `$ echo $?` shows the exit status of the command before. Both output streams are compared together.
* `python` blocks are doctests (with `>>>`) or scripts, in one namespace for each page.
* `csp` and `fsp` blocks without a file name must load too. `sh` and `text` blocks are not run.

Output is compared exactly, but for times and amounts of memory (`normalised`). Pictures in `images` are what
the commands of their page draw.

After a change that is meant, `python tests/docs/test_docs.py` writes the new output into the pages; read the
difference before you keep it.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

import fairlead
from fairlead.cli.main import cli, run

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
IMAGES = DOCS / "images"
PAGES = [*sorted(DOCS.rglob("*.md")), REPOSITORY / "README.md"]

#: languages of models, and how `loads` calls them
LANGUAGES = {"csp": "csp", "fsp": "lts"}

_FENCE = re.compile(
    r"(?:^<!-- (?P<role>file|wrong): (?P<name>\S+) -->\n+)?"
    r"^```(?P<language>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_IMAGE = re.compile(r"\]\(\.\./images/(\S+)\)")
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_ROW = re.compile(r"^((?:holds|violated|unknown) +[\w+]+ +[\d,]+ +[\d,]+ +)[\d.]+(  )", re.MULTILINE)
_JSON_NUMBER = re.compile(r'("(?:seconds|memory_bytes)": )[\d.e-]+')


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it starts on, and the file it defines, if any."""

    language: str
    body: str
    line: int
    start: int
    end: int
    role: str | None = None
    name: str | None = None


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start("body"))
        yield Block(
            match["language"], match["body"], line, match.start("body"), match.end("body"),
            match["role"], match["name"],
        )  # fmt: skip


def normalised(output: str) -> str:
    """Output with what differs from run to run made equal.

    In rows of results the column of seconds, padded to its width; in JSON `seconds` and `memory_bytes`.
    """
    rows = _ROW.sub(lambda row: f"{row[1].rstrip(' ')} {'0.000':>9}{row[2]}", output)
    return _JSON_NUMBER.sub(r"\g<1>0", rows)


@dataclass
class Shell:
    """Runs the commands of a page, one after the other."""

    status: int = 0
    shown: list[str] = field(default_factory=list)

    def output(self, body: str) -> str:
        """A console block as it ought to be: its commands, each with the output it has now."""
        self.shown = []
        for line in body.splitlines():
            if line.startswith("$ "):
                self.shown.append(f"{line}\n")
                self.shown.append(self._run(line.removeprefix("$ ")))
        return "".join(self.shown)

    def _run(self, command: str) -> str:
        if command == "echo $?":
            return f"{self.status}\n"
        program, *arguments = shlex.split(command)
        assert program == "fairlead", f"only fairlead can be run here: {command}"
        written = None
        if ">" in arguments:
            *arguments, _, written = arguments
        both = io.StringIO()
        errors = both if written is None else io.StringIO()
        with contextlib.redirect_stdout(both), contextlib.redirect_stderr(errors):
            self.status = int(run(arguments))
        if written is None:
            return both.getvalue()
        Path(written).write_text(both.getvalue(), encoding="utf-8")
        return errors.getvalue()


def prepare(directory: Path, text: str) -> None:
    """Puts the files of a page, and the examples, into a directory."""
    (directory / "examples").symlink_to(REPOSITORY / "examples")
    for block in blocks(text):
        if block.name is not None:
            (directory / block.name).write_text(block.body, encoding="utf-8")


def answered(text: str) -> str:
    """The page with the output that its commands have now. Runs in the directory of its files."""
    shell = Shell()
    parts: list[str] = []
    end = 0
    for block in blocks(text):
        if block.language == "console":
            parts += [text[end : block.start], shell.output(block.body)]
            end = block.end
    return "".join([*parts, text[end:]])


# ---------------------------------------------------------------- examples


@pytest.fixture(params=PAGES, ids=lambda page: page.name)
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
        name = str(page.relative_to(REPOSITORY))
        lines = difflib.unified_diff(
            shown.splitlines(), now.splitlines(), name, "what fairlead says", lineterm=""
        )
        pytest.fail("\n".join(lines), pytrace=False)
    for name in _IMAGE.findall(text):  # the commands have just drawn them
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
                with contextlib.suppress(fairlead.LimitReached):
                    model.graph(process, limits=fairlead.Limits(max_states=20_000))


# ---------------------------------------------------------------- completeness


def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in (match["target"] for match in _LINK.finditer(_FENCE.sub("", text))):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in _anchors(path.read_text(encoding="utf-8")), f"{page.name} links to {target}"


def _anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_index_names_every_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for path in DOCS.rglob("*.md"):
        name = path.relative_to(DOCS).as_posix()
        assert name == "index.md" or f"({name})" in index, name


def test_every_picture_is_shown() -> None:
    shown = {name for path in PAGES for name in _IMAGE.findall(path.read_text(encoding="utf-8"))}
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


# ---------------------------------------------------------------- keeping pages up to date


def main() -> None:
    """Writes into each page the output that its commands have now, where it differs."""
    home = Path.cwd()
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as directory:
            prepare(Path(directory), text)
            os.chdir(directory)
            try:
                now = answered(text)
                for name in _IMAGE.findall(text):
                    (IMAGES / name).write_text(Path(name).read_text(encoding="utf-8"), encoding="utf-8")
            finally:
                os.chdir(home)
        if normalised(now) != normalised(text):
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{path.name} has changed\n")


if __name__ == "__main__":
    main()
