"""Python files with types and functions for models. They are run only if the user names them."""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.files import read_utf8
from fairlead.base.records import dataclass

_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class PythonFile:
    """A file that was run: its own classes and functions whose names do not begin with `_`."""

    path: Path
    classes: tuple[type, ...]
    functions: tuple[Callable[..., Any], ...]


def load_python(paths: Sequence[Path]) -> tuple[PythonFile, ...]:
    """Runs the files; two of them must not define the same name."""
    files: list[PythonFile] = []
    defined: dict[str, Path] = {}
    for path in dict.fromkeys(path.resolve() for path in paths):
        file = _run(path)
        for name in (item.__name__ for group in (file.classes, file.functions) for item in group):
            if name in defined:
                message = f"'{name}' is defined in '{defined[name]}' and in '{path}'"
                raise input_error(Code.NAME_CLASH, message)
            defined[name] = path
        files.append(file)
    return tuple(files)


def _run(path: Path) -> PythonFile:
    text = read_utf8(path)
    # dataclasses and type hints look their module up by its name
    name = f"fairlead_python_{next(_NUMBERS)}_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    try:
        exec(compile(text, str(path), "exec", dont_inherit=True), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise input_error(Code.LIBRARY, f"'{path}' cannot be loaded: {_describe(error, path)}") from None
    own = [
        item
        for known_as, item in vars(module).items()
        if getattr(item, "__module__", None) == name
        and getattr(item, "__name__", None) == known_as
        and not known_as.startswith("_")
    ]
    return PythonFile(
        path,
        tuple(item for item in own if inspect.isclass(item)),
        tuple(item for item in own if inspect.isfunction(item)),
    )


def _describe(error: BaseException, path: Path) -> str:
    line = error.lineno if isinstance(error, SyntaxError) else None
    import traceback  # rarely needed

    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(path):
            line = frame.lineno
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" + (f" (line {line})" if line else "")
