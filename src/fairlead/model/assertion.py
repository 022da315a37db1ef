"""What can be asked about a process, whatever language the question was written in."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from fairlead.lang.source import Source, Span
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.expression import Expression
from fairlead.model.network import Network
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
class Safe:
    """No reachable state is stuck, unless it has terminated, and no process ever goes to ERROR."""

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


@dataclass(frozen=True)
class NonTerminating:
    """Every reachable state has a step: nothing deadlocks and nothing terminates."""

    process: str
    text: str


@dataclass(frozen=True)
class Deterministic:
    """No reachable state has two different successors under one label; all internal steps have one label."""

    process: str
    text: str


@dataclass(frozen=True)
class DivergenceFree:
    """No reachable cycle consists of internal steps only."""

    process: str
    text: str


class Optimum(Enum):
    """Which end of its values a quantity is asked for."""

    MIN = "min"
    MAX = "max"


@dataclass(frozen=True)
class Objective:
    """A quantity of states, and which end of its values is wanted."""

    optimum: Optimum
    text: str
    value: Expression

    def __str__(self) -> str:
        return f"{self.optimum.value}({self.text})"


@dataclass(frozen=True)
class ReachesOptimum:
    """Some reachable state satisfies the goal; which is the best of them?"""

    process: str
    text: str
    goal: Proposition
    objective: Objective


class Refinement(Enum):
    """What of a behaviour a refinement compares; the value is how it is written."""

    TRACES = "T"
    FAILURES = "F"
    FAILURES_DIVERGENCES = "FD"

    @property
    def word(self) -> str:
        """As it stands in an assertion."""
        return "refines" if self is Refinement.TRACES else f"refines<{self.value}>"


@dataclass(frozen=True)
class Refines:
    """Everything the process does, the specification may do.

    The model knows the specification by its name, unless its system is given.
    """

    process: str
    text: str
    refinement: Refinement
    specification: str
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)


Assertion = (
    DeadlockFree
    | Safe
    | Reaches
    | Satisfies
    | NonTerminating
    | Deterministic
    | DivergenceFree
    | ReachesOptimum
    | Refines
)


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
