"""Reads the text between the parentheses of `enabled( )` and `executed( )`, and explains its errors."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import Enum

from fairlead.base.diagnostics import Code, Diagnostic, InputError, Severity, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Span

#: how many processes a message lists
_LISTED = 5
_SUBJECT = re.compile(r"\s*(?:(?P<kind>process|event)\s+)?(?P<name>.*?)\s*", re.DOTALL)
_BLANKS = re.compile(r"\s+")


class SubjectKind(Enum):
    """The declared kind of a subject; the value is the word in front of it."""

    PROCESS = "process"
    EVENT = "event"


@dataclass(frozen=True)
class SubjectText:
    """A name, whether it was written in quotes, and its declared kind, if any."""

    name: str
    is_quoted: bool
    kind: SubjectKind | None

    @property
    def may_be_process(self) -> bool:
        """Whether it is not said to be an event."""
        return self.kind is not SubjectKind.EVENT

    @property
    def may_be_event(self) -> bool:
        """Whether it is not said to be a process."""
        return self.kind is not SubjectKind.PROCESS


def read_subject(text: str) -> SubjectText:
    """A subject as it was written: `P(1)`, `eat.0`, `"c!1"`, `process P`, `event a`."""
    found = _SUBJECT.fullmatch(text)
    assert found is not None
    name, kind = found["name"], None if found["kind"] is None else SubjectKind(found["kind"])
    is_quoted = len(name) > 1 and name[0] == name[-1] == '"'
    return SubjectText(name[1:-1].strip() if is_quoted else name, is_quoted, kind)


def without_blanks(text: str) -> str:
    """A name as it can be compared however it was spaced."""
    return _BLANKS.sub("", text)


def same_but_blanks(name: str, known: Collection[str]) -> str | None:
    """The known name that is written like this one, except for blanks."""
    if name in known:
        return name
    bare = without_blanks(name)
    return next((other for other in known if without_blanks(other) == bare), None)


def no_process(name: str, owner: str, known: Collection[str], span: Span | None) -> InputError:
    """The error for a process that takes no step of a system."""
    problem = f"no process of {owner} is called '{name}'"
    return input_error(Code.UNKNOWN_NAME, problem, span, f"its processes are {_listed(known)}")


def no_subject(name: str, known: Collection[str], span: Span | None) -> InputError:
    """The error for a name that neither a process nor an event has."""
    problem = f"'{name}' is neither a process nor an event of the model"
    return input_error(Code.UNKNOWN_NAME, problem, span, nearest(name, known))


def several_copies(name: str, known: Collection[str], span: Span | None) -> Diagnostic | None:
    """The warning that a name is that of several processes, if it is: only the first bears it alone."""
    copies = [other for other in known if other.rpartition("#")[0] == name]
    if not copies:
        return None
    problem = f"{len(copies) + 1} processes are called '{name}': this is the first of them"
    hint = f"write '{name}#1' if it is meant; the others are {_listed(copies)}"
    return Diagnostic(Code.NAME_CLASH, problem, span, hint, severity=Severity.WARNING)


def process_and_event(name: str, span: Span | None) -> Diagnostic:
    """The warning that a name is that of a process and of an event."""
    problem = f"'{name}' is a process and an event: the process is meant"
    hint = f"write 'process {name}' or 'event {name}'"
    return Diagnostic(Code.NAME_CLASH, problem, span, hint, severity=Severity.WARNING)


def _listed(names: Collection[str]) -> str:
    shown = list(names)
    if len(shown) <= _LISTED + 1:
        return ", ".join(shown)
    return f"{', '.join(shown[:_LISTED])} and {len(shown) - _LISTED} more"
