"""The tests are where README.md says: a folder for each room, helpers in `support`, tests in `test_*.py`."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.support.places import ROOT, TESTS

ROOMS = sorted(path.parent.name for path in (ROOT / "src" / "fairlead").glob("*/__init__.py"))
#: modules outside of `support` that are no tests: what pytest loads by name
PLUGINS = {
    "conftest.py",
    "faults/conftest.py",
    "lsp/conftest.py",
    "mcp/conftest.py",
    "tiers.py",
    "sanitized/on_package.py",
}


def folders() -> list[Path]:
    """Every folder of the tests, but for what Python leaves behind."""
    inside = (path for path in TESTS.rglob("*") if path.is_dir() and path.name != "__pycache__")
    return [TESTS, *sorted(path for path in inside if any(path.rglob("*.*")))]


def modules() -> list[Path]:
    """Every module of the tests."""
    return sorted(path for path in TESTS.rglob("*.py") if path.name != "__init__.py")


def named_as_tests(tree: ast.Module) -> list[str]:
    """The functions that pytest would take for tests, if their file were named so."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [function.name for function in functions if function.name.startswith("test_")]


@cache
def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_every_folder_is_a_package_that_says_what_it_is_for() -> None:
    for folder in folders():
        init = folder / "__init__.py"
        assert init.is_file(), f"{folder.relative_to(ROOT)} has no __init__.py"
        assert ast.get_docstring(read(init)), f"{init.relative_to(ROOT)} has no docstring"


def test_every_room_has_a_folder_with_tests() -> None:
    assert len(ROOMS) > 10
    for room in ROOMS:
        assert any((TESTS / room).rglob("test_*.py")), f"there is no test in tests/{room}"


def test_helpers_are_in_support_and_tests_are_not() -> None:
    for path in modules():
        name = path.relative_to(TESTS).as_posix()
        found = named_as_tests(read(path))
        if name.startswith("support/"):
            assert not found, f"{name} has tests: {found}"
            assert not path.name.startswith("test_"), name
        elif name not in PLUGINS:
            assert path.name.startswith("test_"), f"{name} is neither a test nor in support"
            assert found, f"{name} has no tests"


def test_tests_import_no_tests() -> None:
    """What two test files share is in `support`."""
    for path in modules():
        for node in ast.walk(read(path)):
            if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
                assert not node.module.split(".")[-1].startswith("test_"), f"{path.name}: {node.module}"


def test_the_readme_names_every_folder() -> None:
    text = (TESTS / "README.md").read_text(encoding="utf-8")
    for folder in folders()[1:]:
        name = folder.relative_to(TESTS)
        shown = f"{name.name}/"
        assert shown in text, f"tests/README.md does not name {name.as_posix()}"
