"""Resolves `#import`: built-in libraries, Python files only if the user names them, C# never."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from fairlead.base.diagnostics import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.channels import CHANNEL_FUNCTIONS
from fairlead.lang.csp.library.library import BUILT_IN_IMPORTS, Library
from fairlead.lang.csp.library.python_files import PythonFile
from fairlead.lang.csp.walk import nodes_of

_SUFFIXES = (".py", ".dll", ".cs")


def check_imports(
    specification: syntax.Specification, imports: Sequence[syntax.Import], files: Sequence[PythonFile]
) -> None:
    """Every import must be built in, or stand for one of the files the user allowed.

    Where the model uses nothing that is not built in, its imports do not matter.
    """
    if not imports or not _uses_more(specification):
        return
    given = {file.path.stem for file in files}
    for node in imports:
        name = _module_name(node.path)
        if node.path in BUILT_IN_IMPORTS or name in given or name.removeprefix("PAT.Lib.") in given:
            continue
        raise _refused(node, name.removeprefix("PAT.Lib."))


def _uses_more(specification: syntax.Specification) -> bool:
    """Whether the model calls a function or has a type that is neither its own nor built in."""
    library = Library()
    own = {item.name for item in specification.declarations if isinstance(item, syntax.Define)}
    functions = {*own, *CHANNEL_FUNCTIONS, *library.function_names()}
    for node in nodes_of(specification.declarations):
        match node:
            case syntax.Invocation(function=name) if name not in functions:
                return True
            case syntax.VariableDeclaration(type_name=str(name)) if name not in library.type_names():
                return True
            case syntax.NewObject(type_name=name) if name not in library.type_names():
                return True
    return False


def _module_name(path: str) -> str:
    """`lib` for `lib`, `lib.py`, `folder/lib.py` and `folder\\lib.dll`."""
    name = PurePosixPath(path.replace("\\", "/")).name
    for suffix in _SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def _refused(node: syntax.Import, name: str) -> Exception:
    file = f"{name}.py"
    beside = Path(node.span.source.name).parent / file
    if node.path.lower().endswith(".py") or beside.is_file():
        shown = beside if beside.is_file() else file
        return input_error(
            Code.LIBRARY,
            f"the model wants to run Python code from '{node.path}', which has not been allowed",
            node.span,
            f"if you trust that file, run it with --allow-python {shown}",
        )
    return input_error(
        Code.LIBRARY,
        f"the library '{node.path}' is not built in, and C# is not run",
        node.span,
        f"write what the model needs of it in Python and give it with --allow-python {file} "
        "(docs/reference/python-types.md); built in are Set, List, Queue, Stack, HashTable and PAT.Math",
    )
