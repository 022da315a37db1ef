"""Follows the worked examples of the contributing guide: patches a copy of the source and runs what it shows.

That also shows how many files a new notion, kind of question, output format or strategy touches.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairlead.engine import _native
from tests.support.docs.pages import Block, blocks, normalised
from tests.support.places import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: the tests that guard the house, run on each patched copy
GUARDS = (
    "tests/house/test_imports.py",
    "tests/house/test_sentences.py",
    "tests/house/test_sizes.py",
    "tests/checker/test_kinds.py",
    "tests/logic/test_notions.py",
)
#: without `site`, so that an editable installation does not put the real package before the copy
START = "import sys; sys.path[:0] = [{copy!r}, {source!r}]; sys.path += {others!r}; "
COMMAND = "from fairlead.cli.main import run; sys.exit(run(sys.argv[1:]))"
TESTS = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"


@dataclass(frozen=True)
class Example:
    """A section of the guide: its patches, files, and the commands with their output."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def patches(self) -> list[str]:
        """The patches, one for each file."""
        return [block.body for block in self.blocks if block.language == "diff"]

    @property
    def files(self) -> list[str]:
        """The files that are changed or added."""
        return [re.findall(r"^\+\+\+ b/(\S+)$", patch, re.MULTILINE)[0] for patch in self.patches]

    @property
    def added(self) -> list[str]:
        """Those that are new."""
        pairs = zip(self.files, self.patches, strict=True)
        return [name for name, patch in pairs if "new file" in patch]


def examples() -> Iterator[Example]:
    for title, body in re.findall(r"^## (Add .*?)$(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL):
        yield Example(title, tuple(blocks(body)))


EXAMPLES = {example.title: example for example in examples()}


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda title: title.replace(" ", "-"))
def patched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Example, Path]:
    """An example, and a copy of the source with its patches applied."""
    example = EXAMPLES[request.param]
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("src", "tests", "bench", "native"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copy(str(_native.__file__), copy / "src/fairlead/engine")
    for block in [block for other in EXAMPLES.values() for block in other.blocks if block.name is not None]:
        (copy / str(block.name)).write_text(block.body, encoding="utf-8")
    for patch in example.patches:
        applied = subprocess.run(
            ["git", "apply", "-"], cwd=copy, input=patch, capture_output=True, text=True, check=False
        )
        assert applied.returncode == 0, applied.stderr
    return example, copy


def run_in(copy: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    others = [path for path in sys.path if "site-packages" in path or "lib-dynload" in path]
    start = START.format(copy=str(copy), source=str(copy / "src"), others=others)
    return subprocess.run(
        [sys.executable, "-S", "-c", start + program, *arguments],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )


def test_there_are_the_examples_that_the_guide_promises() -> None:
    assert list(EXAMPLES) == [
        "Add a fairness notion",
        "Add a kind of question",
        "Add an output format",
        "Add a strategy",
    ]


@pytest.mark.parametrize(
    ("title", "most", "own"),
    [
        ("Add a fairness notion", 3, ()),
        ("Add a kind of question", 3, ()),
        ("Add an output format", 2, ()),
        ("Add a strategy", 3, ("src/fairlead/checker/strategies/first_states.py",)),
    ],
)
def test_how_many_files_are_touched(title: str, most: int, own: tuple[str, ...]) -> None:
    touched = [name for name in EXAMPLES[title].files if name not in own and not name.endswith(".md")]
    assert 1 <= len(touched) <= most
    assert set(own) <= set(EXAMPLES[title].added)


def test_the_commands_show_what_the_guide_shows(patched: tuple[Example, Path]) -> None:
    example, copy = patched
    shown = [block.body for block in example.blocks if block.language == "text"]
    assert shown
    for body in shown:
        command, _, expected = body.partition("\n")
        arguments = re.findall(r'"([^"]*)"|(\S+)', command.removeprefix("$ fairlead "))
        found = run_in(copy, COMMAND, *(quoted or plain for quoted, plain in arguments))
        assert normalised(found.stdout) == normalised(expected), found.stderr
        assert found.returncode in (0, 1), found.stderr


def test_the_house_stays_in_order(patched: tuple[Example, Path]) -> None:
    example, copy = patched
    found = run_in(copy, TESTS, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *GUARDS)
    assert found.returncode == 0, f"{example.title}\n{found.stdout}{found.stderr}"


@pytest.mark.parametrize("patched", ["Add a fairness notion"], indirect=True)
def test_what_a_notion_reaches_without_more(patched: tuple[Example, Path]) -> None:
    """Help, schemas, explanations and results know a new notion by its value."""
    _, copy = patched
    for arguments in (("check", "--help"), ("schema", "check"), ("explain", "euf")):
        assert "euf" in run_in(copy, COMMAND, *arguments).stdout, arguments
    advice = run_in(copy, COMMAND, "check", "rest.csp", "--fairness", "euf", "--json").stdout
    assert '"fairness": "euf"' in advice
