"""What can be asked about a process, whatever language the question was written in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from enum import Enum

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.model.annotation import Annotated
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
class Asked:
    """What every question has: where it stands in the text of the model, if it stands there.

    The place makes no difference to what is asked.
    """

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class DeadlockFree(Asked):
    """No reachable state is stuck, unless it has terminated."""

    process: str
    text: str


@dataclass(frozen=True)
class Safe(Asked):
    """No reachable state is stuck, unless it has terminated, and no process ever goes to ERROR."""

    process: str
    text: str


@dataclass(frozen=True)
class Reaches(Asked):
    """Some reachable state satisfies the goal."""

    process: str
    text: str
    goal: Proposition


@dataclass(frozen=True)
class Satisfies(Asked):
    """Every fair execution satisfies the formula.

    The model knows the system by the name of the process, and the meaning of atoms by their texts, unless
    they are given.
    """

    process: str
    text: str
    formula: FormulaText
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)
    meanings: Mapping[str, Meaning] | None = field(default=None, compare=False, repr=False)
    name: str | None = None


@dataclass(frozen=True)
class SatisfiesBranching(Asked):
    """Every initial state satisfies the formula of CTL*, whose path quantifiers range over fair executions.

    With `finite_paths` a state without steps is the end of a path that does not count, as in Emerson & Lei;
    otherwise it is left by idling for ever. The model knows the system and the meaning of atoms, unless they
    are given.
    """

    process: str
    text: str
    formula: FormulaText
    finite_paths: bool = False
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)
    meanings: Mapping[str, Meaning] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class NonTerminating(Asked):
    """Every reachable state has a step: nothing deadlocks and nothing terminates."""

    process: str
    text: str


@dataclass(frozen=True)
class Deterministic(Asked):
    """No reachable state has two different successors under one label; all internal steps have one label."""

    process: str
    text: str


@dataclass(frozen=True)
class DivergenceFree(Asked):
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
class ReachesOptimum(Asked):
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


def parse_refinement(text: str) -> Refinement:
    """`T`, `F` or `FD`."""
    try:
        return Refinement(text)
    except ValueError:
        names = ", ".join(kind.value for kind in Refinement)
        raise input_error(Code.USAGE, f"unknown refinement '{text}'; known are {names}") from None


@dataclass(frozen=True)
class Refines(Asked):
    """Everything the process does, the specification may do.

    The model knows the specification by its name, unless its system is given.
    """

    process: str
    text: str
    refinement: Refinement
    specification: str
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class ProgressTest:
    """In every terminal set of states one of the actions occurs.

    With a condition, just in those terminal sets in which one of the actions of the condition occurs.
    """

    name: str
    actions: frozenset[str]
    condition: frozenset[str] | None = None


@dataclass(frozen=True)
class Progresses(Asked):
    """Under fair choice every execution meets the test: one of its actions occurs again and again."""

    process: str
    text: str
    test: ProgressTest

    def is_violated_in(self, occurring: Set[str]) -> bool:
        """Whether a terminal set in which these actions occur violates the test."""
        condition = self.test.condition
        return self.test.actions.isdisjoint(occurring) and (
            condition is None or not condition.isdisjoint(occurring)
        )

    def may_be_violated_in(self, some: Set[str]) -> bool:
        """Whether a terminal set in which these actions occur, and maybe others, can violate the test."""
        return self.is_violated_in(some | ((self.test.condition or frozenset()) - self.test.actions))

    def missing_in(self, occurring: Set[str]) -> frozenset[str]:
        """The actions one of which should occur beside these, if the test is violated."""
        return self.test.actions


@dataclass(frozen=True)
class AllProgress(Asked):
    """Under fair choice every action of the alphabet occurs again and again in every execution."""

    process: str
    text: str
    alphabet: frozenset[str]

    def is_violated_in(self, occurring: Set[str]) -> bool:
        """Whether a terminal set in which these actions occur lacks one."""
        return not self.alphabet <= occurring

    def may_be_violated_in(self, some: Set[str]) -> bool:
        """Whether a terminal set in which these actions occur, and maybe others, can lack one."""
        return self.is_violated_in(some)

    def missing_in(self, occurring: Set[str]) -> frozenset[str]:
        """The actions that do not occur."""
        return self.alphabet - occurring


ProgressAssertion = Progresses | AllProgress

Assertion = (
    DeadlockFree
    | Safe
    | Reaches
    | Satisfies
    | SatisfiesBranching
    | NonTerminating
    | Deterministic
    | DivergenceFree
    | ReachesOptimum
    | Refines
    | Progresses
    | AllProgress
)


#: questions that need nothing but a process, by the word that asks them in every language
SIMPLE_QUESTIONS: Mapping[str, type[DeadlockFree | NonTerminating | Deterministic | DivergenceFree]] = {
    "deadlockfree": DeadlockFree,
    "nonterminating": NonTerminating,
    "deterministic": Deterministic,
    "divergencefree": DivergenceFree,
}


@dataclass(frozen=True)
class EventAtom:
    """An atom of a formula that is true when the step into the state was one of these events."""

    labels: frozenset[str]

    @classmethod
    def of(cls, label: str) -> EventAtom:
        """The atom of a single event."""
        return cls(frozenset({label}))


@dataclass(frozen=True)
class ProcessAtom:
    """An atom that is true when one of these processes took part in the step into the state."""

    processes: frozenset[str]


StepAtom = EventAtom | ProcessAtom


@dataclass(frozen=True)
class MemberMove:
    """An atom that is true when a counted process has left, or entered, where it has this name.

    Only the engine knows it, where there are unboundedly many processes.
    """

    process: str
    enters: bool


@dataclass(frozen=True)
class Enabled:
    """An atom that is true in a state with a step of which the step atom would be true."""

    subject: StepAtom


@dataclass(frozen=True)
class Ready:
    """An atom that is true in a state in which an annotated step is ready."""

    annotated: Annotated


@dataclass(frozen=True)
class AtomText:
    """An atom as a formula has it, for a model to say what it means."""

    text: str
    is_quoted: bool
    is_comparison: bool
    span: Span | None = field(default=None, compare=False, repr=False)


Meaning = Proposition | EventAtom | ProcessAtom | MemberMove | Enabled | Ready


def subject_of(meaning: Meaning) -> Meaning:
    """What an atom is about: a step, even if it only has to be enabled."""
    return meaning.subject if isinstance(meaning, Enabled) else meaning


def conditions_of(question: Assertion, meanings: Sequence[Meaning]) -> Iterator[Expression]:
    """The conditions on states that a question with such atoms looks at."""
    for meaning in meanings:
        if isinstance(meaning, Proposition):
            yield meaning.meaning
    if isinstance(question, Reaches | ReachesOptimum):
        yield question.goal.meaning
