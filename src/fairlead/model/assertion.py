"""What can be asked about a process, whatever language the question was written in."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairlead.lang.source import Source, Span
from fairlead.model.system import Proposition


@dataclass(frozen=True)
class FormulaText:
    """A formula as a part of a text; `logic` parses it."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters of the formula."""
        return self.source.text[self.start : self.end]


@dataclass(frozen=True)
class DeadlockFree:
    """No reachable state is stuck, unless it has terminated."""

    process: str
    text: str


@dataclass(frozen=True)
class Reaches:
    """Some reachable state satisfies the goal."""

    process: str
    text: str
    goal: Proposition


@dataclass(frozen=True)
class Satisfies:
    """Every fair execution satisfies the formula."""

    process: str
    text: str
    formula: FormulaText


Assertion = DeadlockFree | Reaches | Satisfies


@dataclass(frozen=True)
class EventAtom:
    """An atom of a formula that is true when the step into the state was this event."""

    label: str


@dataclass(frozen=True)
class AtomText:
    """An atom as a formula has it, for a model to say what it means."""

    text: str
    is_quoted: bool
    is_comparison: bool
    span: Span | None = field(default=None, compare=False, repr=False)


Meaning = Proposition | EventAtom
