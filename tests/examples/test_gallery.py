"""The gallery is for newcomers: every file says what it is for, is listed with its theme, and runs."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.cli.main import run
from tests.support.places import ROOT

EXAMPLES = ROOT / "examples"
THEMES = sorted(path for path in EXAMPLES.iterdir() if path.is_dir() and not path.name.startswith("__"))
FILES = sorted(
    path
    for theme in THEMES
    for path in theme.iterdir()
    if path.suffix in (".csp", ".lts", ".json", ".aut", ".py")
)
IMPORTED = {
    theme / name
    for theme in THEMES
    for path in theme.glob("*.csp")
    for name in re.findall(r'^#import "(\w+\.py)"', path.read_text(encoding="utf-8"), re.MULTILINE)
}
SCRIPTS = [path for path in FILES if path.suffix == ".py" and path not in IMPORTED]
#: files that have room for a header
MODELS = [path for path in FILES if path.suffix in (".csp", ".lts")]
PARTS = ("What to look at", "Which fairness it needs", "Run it: ")


def by_name(path: Path) -> str:
    return path.name


def header(path: Path) -> str:
    """The comment a model opens with, or the docstring of a script."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or ""
    lines = text.splitlines()
    end = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join(line.removeprefix("//").strip() for line in lines[:end])


def commands(path: Path) -> list[str]:
    """What a header or a README says can be run."""
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
        listed = re.findall(r"^    (fairlead .*|python .*)$", text, re.MULTILINE)
        return [*listed, *re.findall(r"`((?:fairlead|python) [^`]*)`", text.replace("\\|", "|"))]
    return re.findall(r"^Run it: (.*)$", header(path), re.MULTILINE)


@pytest.mark.parametrize("path", [*MODELS, *SCRIPTS], ids=by_name)
def test_every_model_and_script_has_a_header(path: Path) -> None:
    parts = header(path)
    assert [part for part in PARTS if part not in parts] == []
    assert all(str(path.relative_to(ROOT)) in command for command in commands(path))


def test_names_are_unique() -> None:
    names = [path.name for path in FILES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("theme", THEMES, ids=by_name)
def test_every_file_is_listed_with_its_theme(theme: Path) -> None:
    readme = (theme / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in FILES if path.parent == theme and f"`{path.name}`" not in readme] == []
    named = re.findall(r"`(\w+\.(?:csp|lts|json|aut|py))`", readme)
    assert [name for name in named if not (theme / name).exists()] == []


def test_the_themes_are_listed() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert [theme.name for theme in THEMES if f"({theme.name}/README.md)" not in readme] == []


def test_every_theme_has_something_in_csp() -> None:
    assert {theme.name for theme in THEMES if not list(theme.glob("*.csp"))} == {"explicit_graphs"}


COMMANDS = sorted(
    {
        command
        for path in (*MODELS, *(theme / "README.md" for theme in THEMES), EXAMPLES / "README.md")
        for command in commands(path)
    }
)


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.startswith("fairlead ")])
def test_commands_give_answers(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 0 and 1 say that everything holds, or that something is violated."""
    monkeypatch.chdir(ROOT)
    assert run(shlex.split(command)[1:]) in (0, 1)
    printed = capsys.readouterr()
    assert printed.out and not printed.err


def test_commands_in_python_are_those_of_scripts() -> None:
    names = {f"python {path.relative_to(ROOT)}" for path in SCRIPTS}
    assert {command for command in COMMANDS if not command.startswith("fairlead ")} == names
    assert {command for path in SCRIPTS for command in commands(path)} == names


@pytest.mark.parametrize("path", SCRIPTS, ids=by_name)
def test_scripts_run(path: Path) -> None:
    """Their own assertions are the test."""
    finished = subprocess.run(
        [sys.executable, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip()
    assert "assert " in path.read_text(encoding="utf-8")
