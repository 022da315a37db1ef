"""`#import`: what is built in is there, Python files only if the user names them, C# never."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from fairlead.errors import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.library.library import BUILT_IN_IMPORTS
from fairlead.lang.csp.library.python_files import PythonFile

_SUFFIXES = (".py", ".dll", ".cs")


def check_imports(imports: Sequence[syntax.Import], files: Sequence[PythonFile]) -> None:
    """Every import must be built in, or stand for one of the files the user allowed."""
    given = {file.path.stem for file in files}
    for node in imports:
        name = _module_name(node.path)
        if node.path in BUILT_IN_IMPORTS or name in given or name.removeprefix("PAT.Lib.") in given:
            continue
        raise _refused(node, name.removeprefix("PAT.Lib."))


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
        "(docs/python-types.md); built in are Set, List, Queue, Stack, HashTable and PAT.Math",
    )
