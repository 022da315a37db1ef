"""Sizes that ask for a missing concept: long files, and functions with many parameters."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_FILE = 500
MOST_PARAMETERS = 8
SOURCES = [
    *sorted((ROOT / "src").rglob("*.py")),
    *sorted((ROOT / "bench").rglob("*.py")),
    *sorted((ROOT / "native").rglob("*.[ch]pp")),
]


def test_there_are_sources() -> None:
    assert {path.suffix for path in SOURCES} == {".py", ".cpp", ".hpp"}


def test_no_source_file_is_too_long() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_bytes().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def parameter_count(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> int:
    """How many parameters a call may give: without `self` and `cls`, `**options` counts as one."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    count = sum(argument.arg not in ("self", "cls") for argument in named)
    return count + (arguments.vararg is not None) + (arguments.kwarg is not None)


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("click.command" in ast.unparse(decorator) for decorator in function.decorator_list)


@pytest.mark.parametrize("folder", ["src", "bench"])
def test_no_function_has_too_many_parameters(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {parameter_count(node)}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and parameter_count(node) > MOST_PARAMETERS
        and not is_command(node)
    ]
    assert wrong == []


def test_commands_take_their_options_in_groups() -> None:
    """A command may have more parameters, but those of the model and the limits come together."""
    commands = {
        node.name: {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]}
        for path in sorted((ROOT / "src/fairlead/cli").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and is_command(node)
    }
    assert "check" in commands and len(commands["check"]) <= MOST_PARAMETERS
    for name, parameters in commands.items():
        assert not parameters & {"max_memory", "max_states", "timeout", "threads"}, name
