"""Pages as tests read them: their fenced blocks, and the commands in them with the output that they have now.

How a page is read:

* A fenced block after a line `<!-- file: name -->` is a file that the examples below it can use. After
  `<!-- wrong: name -->` it is a file with a mistake, which a console block of the page must show.
* `console` blocks hold commands and their output. `$ fairlead …` runs in this process, in a directory with
  the page's files and the repository's `examples`; `> name` at its end puts standard output into a file.
  `$ echo $?` shows the exit status of the command before. Both output streams are compared together.
* `python` blocks are doctests (with `>>>`) or scripts, in one namespace for each page.
* `csp` and `fsp` blocks without a file name must load too. A `json` block has a file name, and a command
  reads it.
* `sh`, `text`, `diff`, `yaml` and `promela` blocks are not run here; other languages are not allowed.
  tests/house/test_contributing.py applies and runs those of the contributing guide.

Output is compared exactly, but for times and amounts of memory (`normalised`). Pictures in `images` are what
the commands of their page draw.

After a change that is meant, `make docs` writes the new output into the pages; read the difference before you
keep it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fairlead.cli.main import run
from tests.support.places import DOCS, ROOT

IMAGES = DOCS / "images"
#: all pages: the manual, and the others that a view of the repository shows
PAGES = [
    *sorted(DOCS.rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(ROOT / folder / "README.md" for folder in ("examples", "bench", "native", "tests")),
]

FENCE = re.compile(
    r"(?:^<!-- (?P<role>file|wrong): (?P<name>\S+) -->\n+)?"
    r"^```(?P<language>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
IMAGE = re.compile(r"\]\(\.\./images/(\S+)\)")
_ROW = re.compile(
    r"^((?:\S+ +)*(?:holds|violated|unknown|error) +[\w+,]+ +[\d,]+ +(?:[\d,]+|-) +)[\d.]+(  )", re.MULTILINE
)
#: a row of `fairlead papers`: seconds, states, and how the answer compares
_PAPERS_ROW = re.compile(r" +\d+\.\d{3}( +[\d,]+  (?:agrees|differs|not published|unknown))")
#: the last line of random walks
_WALKS = re.compile(r"\d+\.\d{3} seconds, [\d,]+ steps per second")
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
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("body"))
        yield Block(
            match["language"], match["body"], line, match.start("body"), match.end("body"),
            match["role"], match["name"],
        )  # fmt: skip


def normalised(output: str) -> str:
    """Output with what differs from run to run made equal.

    In rows of results and of papers the column of seconds, padded to its width; the time of random walks; in
    JSON `seconds` and `memory_bytes`.
    """
    rows = _ROW.sub(lambda row: f"{row[1].rstrip(' ')} {'0.000':>9}{row[2]}", output)
    rows = _PAPERS_ROW.sub(lambda row: f"{'0.000':>{row.start(1) - row.start()}}{row[1]}", rows)
    rows = _WALKS.sub("0.000 seconds, 0 steps per second", rows)
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
    """Puts the files of a page, the examples and the benchmark's models into a directory."""
    for folder in ("examples", "bench"):
        (directory / folder).symlink_to(ROOT / folder)
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
                for name in IMAGE.findall(text):
                    (IMAGES / name).write_text(Path(name).read_text(encoding="utf-8"), encoding="utf-8")
            finally:
                os.chdir(home)
        if normalised(now) != normalised(text):
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)} has changed\n")


if __name__ == "__main__":
    main()
