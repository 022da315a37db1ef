"""Which lines of the readers have been executed, by any input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import fairlead

PACKAGE = Path(fairlead.__file__).parent
#: the code that looks at what others wrote
PARTS = (
    "lang",
    "logic",
    "evidence/stored.py",
    "evidence/validate.py",
    "checker/stored.py",
    "cli/stored.py",
    "search/checkpoint.py",
    "engine/journal.py",
    "model/annotation.py",
    "base/source.py",
    "base/files.py",
    "base/json_text.py",
)

Line = tuple[str, int]


def is_traced(filename: str) -> bool:
    """Whether a file is among those whose lines count."""
    name = filename.removeprefix(f"{PACKAGE}/")
    return name != filename and name.startswith(PARTS)


def all_lines() -> set[Line]:
    """Every line of them that has code in a function; what runs when a module is loaded does not count."""
    found: set[Line] = set()
    for path in PACKAGE.rglob("*.py"):
        if is_traced(str(path)):
            stack = [compile(path.read_text(encoding="utf-8"), str(path), "exec")]
            while stack:
                code = stack.pop()
                nested = [const for const in code.co_consts if isinstance(const, CodeType)]
                stack += nested
                if code.co_flags & 0x2 and code.co_flags & 0x1:  # a function, not a class or a module
                    found |= _lines_of(code)
    return found


def _lines_of(code: CodeType) -> set[Line]:
    return {
        (code.co_filename, line) for _, _, line in code.co_lines() if line and line != code.co_firstlineno
    }


class Tracer:
    """Notices lines that are new; a function of which all lines are known is not traced any more."""

    def __init__(self, known: set[Line]) -> None:
        self.known = known
        self.fresh: set[Line] = set()
        self._missing: dict[CodeType, set[int] | None] = {}

    def run(self, work: Callable[[], Any]) -> Any:
        """Does some work, traced."""
        self.fresh = set()
        sys.settrace(self._call)
        try:
            return work()
        finally:
            sys.settrace(None)
            self.known |= self.fresh

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        try:
            missing = self._missing[code]
        except KeyError:
            missing = None
            if is_traced(code.co_filename):
                missing = {line for file, line in _lines_of(code) if (file, line) not in self.known} or None
            self._missing[code] = missing
        if missing is None:
            return None

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line" and frame.f_lineno in missing:
                missing.discard(frame.f_lineno)
                self.fresh.add((code.co_filename, frame.f_lineno))
                if not missing:
                    self._missing[code] = None
                    with suppress(AttributeError):
                        frame.f_trace = None
                    return None
            return line

        return line
