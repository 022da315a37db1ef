"""What can be asked about a process, whatever language the question was written in."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import field
from enum import Enum
from typing import ClassVar

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
class Assertion:
    """A question about a process, as it is written; subclasses say which question.

    `kind` names the module in `checker/kinds/` that knows everything else about it. `span` is the place of
    the question in the text of the model, if it is there; it makes no difference to the question.
    """

    kind: ClassVar[str]
    process: str
    text: str
    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    @property
    def processes(self) -> tuple[str, ...]:
        """The processes of the model that the question is about."""
        return (self.process,)

    @property
    def own_system(self) -> Network | ExplicitGraph | None:
        """The system that the question brings along, if it is not the one of its process as it is."""
        return None

    @property
    def given_formula(self) -> str | None:
        """The formula of a question that was asked by a formula alone, as it was given."""
        return None


@dataclass(frozen=True)
class SimpleAssertion(Assertion):
    """A question that needs nothing but a process; every language asks it by the same word."""

    word: ClassVar[str]


@dataclass(frozen=True)
class DeadlockFree(SimpleAssertion):
    """No reachable state is stuck, unless it has terminated."""

    kind: ClassVar = "deadlock"
    word: ClassVar = "deadlockfree"


@dataclass(frozen=True)
class Safe(Assertion):
    """No reachable state is stuck, unless it has terminated, and no process ever goes to ERROR."""

    kind: ClassVar = "safety"


@dataclass(frozen=True)
class Reaches(Assertion):
    """Some reachable state satisfies the goal."""

    kind: ClassVar = "reachability"
    goal: Proposition


@dataclass(frozen=True)
class Satisfies(Assertion):
    """Every fair execution satisfies the formula.

    The model knows the system by the name of the process, and the meaning of atoms by their texts, unless
    they are given. In some languages a formula is about what comes after the first step: then it is `X (…)`,
    and is shown without that, and without the quotes around its atoms.
    """

    kind: ClassVar = "ltl"
    formula: FormulaText
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)
    meanings: Mapping[str, Meaning] | None = field(default=None, compare=False, repr=False)
    name: str | None = None
    begins_after_first_step: bool = False

    @property
    def own_system(self) -> Network | ExplicitGraph | None:
        """The system in which the formula has a meaning, if it is given."""
        return self.system

    @property
    def given_formula(self) -> str | None:
        """The text, unless the question stands in an assertion or in the model."""
        return self.formula.source.text if self.formula.source.name == "formula" else None


@dataclass(frozen=True)
class SatisfiesBranching(Assertion):
    """Every initial state satisfies the formula of CTL*, whose path quantifiers range over fair executions.

    With `finite_paths` a state without steps is the end of a path that does not count, as in Emerson & Lei;
    otherwise it is left by idling forever. The model knows the system and the meaning of atoms, unless they
    are given.
    """

    kind: ClassVar = "ctl"
    formula: FormulaText
    finite_paths: bool = False
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)
    meanings: Mapping[str, Meaning] | None = field(default=None, compare=False, repr=False)

    @property
    def own_system(self) -> Network | ExplicitGraph | None:
        """The system in which the formula has a meaning, if it is given."""
        return self.system


@dataclass(frozen=True)
class NonTerminating(SimpleAssertion):
    """Every reachable state has a step: nothing deadlocks and nothing terminates."""

    kind: ClassVar = "termination"
    word: ClassVar = "nonterminating"


@dataclass(frozen=True)
class DivergenceFree(SimpleAssertion):
    """No reachable cycle consists of internal steps only."""

    kind: ClassVar = "divergence"
    word: ClassVar = "divergencefree"


@dataclass(frozen=True)
class Deterministic(SimpleAssertion):
    """No reachable state has two different successors under one label; all internal steps have one label."""

    kind: ClassVar = "determinism"
    word: ClassVar = "deterministic"


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
class ReachesOptimum(Assertion):
    """Some reachable state satisfies the goal; which is the best of them?"""

    kind: ClassVar = "optimum"
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
class Refines(Assertion):
    """Everything the process does, the specification may do.

    The model knows the specification by its name, unless its system is given.
    """

    kind: ClassVar = "refinement"
    refinement: Refinement
    specification: str
    system: Network | ExplicitGraph | None = field(default=None, compare=False, repr=False)

    @property
    def processes(self) -> tuple[str, ...]:
        """The process, and the specification if it is one of the model."""
        return (self.process, self.specification) if self.system is None else (self.process,)


@dataclass(frozen=True)
class ProgressTest:
    """In every terminal set of states one of the actions occurs.

    With a condition, just in those terminal sets in which one of the actions of the condition occurs.
    """

    name: str
    actions: frozenset[str]
    condition: frozenset[str] | None = None


@dataclass(frozen=True)
class Progresses(Assertion):
    """Under fair choice every execution meets the test: one of its actions occurs infinitely often."""

    kind: ClassVar = "progress"
    needs_all: ClassVar = False
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
        """The actions of which one should occur in addition to these, if the test is violated."""
        return self.test.actions

    @property
    def demanded(self) -> frozenset[str]:
        """The actions one of which must occur."""
        return self.test.actions

    @property
    def condition(self) -> frozenset[str] | None:
        """The actions one of which must occur for anything to be demanded."""
        return self.test.condition

    @property
    def test_name(self) -> str | None:
        """The name of the test."""
        return self.test.name


@dataclass(frozen=True)
class AllProgress(Assertion):
    """Under fair choice every action of the alphabet occurs infinitely often in every execution."""

    kind: ClassVar = "default_progress"
    needs_all: ClassVar = True
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

    @property
    def demanded(self) -> frozenset[str]:
        """The actions all of which must occur."""
        return self.alphabet

    @property
    def condition(self) -> None:
        """They are demanded in any case."""
        return None

    @property
    def test_name(self) -> None:
        """It is a test without a name."""
        return None


ProgressAssertion = Progresses | AllProgress

#: the questions that need nothing but a process, by the word that asks them
SIMPLE_QUESTIONS: Mapping[str, type[SimpleAssertion]] = {
    asked.word: asked for asked in SimpleAssertion.__subclasses__()
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
