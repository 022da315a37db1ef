"""The import contract: a room imports only rooms above it, wherever in a module the import stands.

Imports inside functions and under TYPE_CHECKING count like all others, and so do names of modules that are
given to `import_module`. There is no list of exceptions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "fairlead"
#: the floor plan, from the ground up
ROOMS = (
    "base",
    "model",
    "lang",
    "logic",
    "certify",
    "engine",
    "outcome",
    "search",
    "evidence",
    "reduce",
    "checker",
    "advice",
    "simulation",
    "api",
    "present",
    "papers",
    "service",
    "lsp",
    "mcp",
    "cli",
)
#: rooms that a room must not know although they are above it: judges share no code with searches
INDEPENDENT = {"evidence": {"engine", "search"}, "logic": {"lang"}, "simulation": {"engine", "search"}}
FILES = sorted(SOURCE.rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


@cache
def imports_of(path: Path) -> tuple[tuple[int, str], ...]:
    """The modules of ours that a file names in imports, with their lines."""
    return tuple(_imports(ast.parse(path.read_text(encoding="utf-8"))))


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found = [alias.name for alias in names]
            case ast.ImportFrom(level=0, module=str(module), names=names):
                found = [f"{module}.{alias.name}" for alias in names]
            case ast.ImportFrom(level=level) if level:
                found = [f"fairlead.relative_import_of_level_{level}"]
            case ast.Call(func=ast.Name("import_module") | ast.Attribute(attr="import_module"), args=args):
                found = [ast.unparse(argument).strip("f'\"") for argument in args[:1]]
            case _:
                continue
        yield from ((node.lineno, name) for name in found if name.split(".")[0] == "fairlead")


def loaded_by(path: Path) -> Iterator[str]:
    """The modules of ours that a file loads when it is loaded itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_once = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    yield from (name for _, name in _imports(ast.Module(list(at_once), [])))


def test_the_package_has_rooms_and_nothing_else() -> None:
    files = {path.name for path in SOURCE.iterdir() if path.is_file()}
    assert files == {"__init__.py", "__main__.py", "py.typed"}
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(ROOMS)


def test_all_imports_are_absolute() -> None:
    relative = [path for path in FILES for _, name in imports_of(path) if "relative_import" in name]
    assert relative == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_above_it(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1]) - INDEPENDENT.get(room, set())
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in sorted((SOURCE / room).rglob("*.py"))
        for line, name in imports_of(path)
        if room_of(name) not in allowed
    ]
    assert wrong == []


def test_only_the_command_line_knows_the_command_line() -> None:
    outside = [path for path in FILES if "cli" not in path.relative_to(SOURCE).parts]
    wrong = [path.name for path in outside if any(room_of(name) == "cli" for _, name in imports_of(path))]
    assert wrong == ["__main__.py"]


def test_click_is_for_the_command_line() -> None:
    wrong = [
        str(path.relative_to(SOURCE))
        for path in FILES
        if path.relative_to(SOURCE).parts[0] != "cli"
        and any(
            isinstance(node, ast.Import | ast.ImportFrom)
            and "click" in ast.unparse(node).split()[1].split(".")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    ]
    assert wrong == []


def test_loading_modules_goes_in_no_circle() -> None:
    """Within a room, a type may be named by the module that its own module loads; that loads nothing."""
    modules = {module_name(path): path for path in FILES}
    graph = {
        name: {_known(target, modules) for target in loaded_by(path)} - {None, name}
        for name, path in modules.items()
    }
    done: set[str] = set()
    for start in graph:
        circle = _circle(start, graph, done)
        assert circle is None, " → ".join(circle or ())


def _known(name: str, modules: dict[str, Path]) -> str | None:
    """The module that an import names: `a.b.c` may be module `a.b.c`, or `c` in module `a.b`."""
    if name in modules:
        return name
    parent = name.rpartition(".")[0]
    # a package itself is loaded with each of its modules, and imports none of them that matters here
    return parent if parent in modules and modules[parent].name != "__init__.py" else None


def _circle(start: str, graph: dict[str, set[str | None]], done: set[str]) -> list[str] | None:
    """A circle of imports that can be reached, if there is one."""
    path: list[str] = []
    pending: list[tuple[str, bool]] = [(start, False)]
    while pending:
        name, is_left = pending.pop()
        if is_left:
            path.pop()
            done.add(name)
        elif name in path:
            return [*path[path.index(name) :], name]
        elif name not in done:
            path.append(name)
            pending.append((name, True))
            pending += [(target, False) for target in sorted(filter(None, graph[name]))]
    return None
