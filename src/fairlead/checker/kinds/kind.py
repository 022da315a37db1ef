"""What a kind of question is: one value that says everything about it.

No other code switches on the kind. To learn something about a question, ask `kind_of(question)` and
reads a field. What most kinds have in common is the default of a field; what a kind has to decide for itself
has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fairlead.base.records import dataclass
from fairlead.checker.context import Context
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.annotation import Annotation
from fairlead.model.assertion import Meaning, Objective
from fairlead.model.expression import Expression
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.system import Proposition, State, System
from fairlead.outcome.demonstration import Demonstration
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import Vacuity, VacuityCheck
from fairlead.search.ltl import LtlQuestion
from fairlead.search.target import Target

if TYPE_CHECKING:
    from fairlead.reduce.counters.concrete_judge import Judge
    from fairlead.search.ctl.branching import StateSet
    from fairlead.search.further import Further
    from fairlead.search.reduced import Sight

Q = TypeVar("Q")
#: called now and then while evidence is judged
Tick = Callable[[], None]


@dataclass(frozen=True)
class Written:
    """A formula that is kept as it was written, with whether finite paths end."""

    formula: str
    finite_paths: bool


@dataclass(frozen=True)
class Display(Generic[Q]):
    """How a kind is shown.

    `asks` is what it asks, as a sentence without its full stop; `violation` says what a violation means.
    `ends_in` names the last state of a finite run, by the verdict that the run shows. `property_name` is the
    name that a question has in the model, `written` the formula where it must be kept as it was written, and
    `objective` the quantity whose best value is asked for.
    """

    asks: str
    violation: str
    ends_in: Mapping[Verdict, str] = field(default_factory=dict)
    property_name: Callable[[Q], str | None] = lambda question: None
    written: Callable[[Q], Written | None] = lambda question: None
    objective: Callable[[Q], str | None] = lambda question: None


@dataclass(frozen=True)
class FairnessRole:
    """What fairness has to do with a kind.

    `default` is the notion under which it is answered unless another is asked for; None is the notion of the
    model's language. If it is not `chosen`, the default is the only one, and fairness formulas do not count.
    `depends_on_subjects` says that the answer may depend on who is treated fairly.
    """

    default: Fairness | None = Fairness.NONE
    chosen: bool = False
    depends_on_subjects: bool = False


@dataclass(frozen=True)
class FormulaRole(Generic[Q]):
    """What kinds with a formula, and those that can be said as one, have besides.

    `read` raises `InputError` if the formula is wrong, and gives the meanings of its atoms. `ltl` is what a
    question says in LTL, if it can be said so: then fairness can help, and advice is given. `finite` says
    whether finite runs decide it, in a system with these kinds of annotations. `trivial_reason` looks for a
    reason why it holds vacuously. `demonstration` finds the runs of stored evidence again. `states` finds the
    states where the formula holds; for the sake of that, and of the next question of the same kind, the
    labels of states are kept.
    """

    read: Callable[[Q, Context], Sequence[Meaning]] = lambda question, context: ()
    ltl: Callable[[Q, Context], LtlQuestion] | None = None
    finite: Callable[[Query[Q], frozenset[Annotation]], bool] = lambda query, annotations: False
    trivial_reason: Callable[[Query[Q], Target, Finding, VacuityCheck, Clock], Vacuity | None] | None = None
    demonstration: Callable[[Query[Q], System, Mapping[str, Any], State], Demonstration | str] | None = None
    states: Callable[[Query[Q], Target], StateSet] | None = None


@dataclass(frozen=True)
class Sampling(Generic[Q]):
    """How a run of very many processes is judged by looking at some of them.

    `possible` says whether it can be; `problem` is what is wrong with a run that was replayed.
    """

    possible: Callable[[Query[Q]], bool]
    problem: Callable[[Query[Q], Run, Judge, System], str | None]


@dataclass(frozen=True)
class Reductions(Generic[Q]):
    """What a reduction may do to a kind. Each reason is proved in docs/explanation/.

    - `partial_order`: what of the steps the question can distinguish, or why it needs all of them;
    - `symmetry`, `counters`: why exchanging or counting processes might change the answer, or None; counting
      is also told whether there are unboundedly many processes;
    - `compositional`: the labels that must stay visible when parts are minimised; None if nothing is known;
    - `variables`: why leaving out values that are never read again might change the answer, or None;
    - `conditions`: the conditions on states that the question looks at besides the atoms of its formula;
    - `quantities`: what else it reads in a state;
    - `best_at`: the goal and the quantity whose best value there is asked for, if one is;
    - `sees_all_events`: it can tell every event from every other.
    """

    partial_order: Callable[[Query[Q], Network], Sight | str]
    symmetry: Callable[[Query[Q]], str | None] = lambda query: None
    counters: Callable[[Query[Q], bool], str | None] = lambda query, unbounded: None
    compositional: Callable[[Query[Q]], frozenset[str] | None] = lambda query: None
    variables: Callable[[Query[Q]], str | None] = lambda query: None
    conditions: Callable[[Q], Iterable[Expression]] = lambda question: ()
    quantities: Callable[[Q], Iterable[Expression]] = lambda question: ()
    best_at: Callable[[Q], tuple[Proposition, Objective] | None] = lambda question: None
    sees_all_events: bool = False
    sampling: Sampling[Q] | None = None


@dataclass(frozen=True)
class Kind(Generic[Q]):
    """A kind of question.

    `type` are its questions (`model/assertion.py`), `name` is its name in JSON. `find` searches for the
    answer, `claim` says what a run must show to be evidence for it and how that is judged; `shown_by_run` is
    the verdict that a run shows. `excludable` says whether fairness could have excluded the run. `further`
    looks for up to so many runs that differ in substance, if the kind can tell. `certificate` is what a
    certificate says of the verdicts that are `certified`: one of the `WRITERS` in `certificates/entries.py`.
    """

    type: type[Q]
    name: str
    display: Display[Q]
    fairness: FairnessRole
    find: Callable[[Query[Q], Target], Finding]
    claim: Callable[[Query[Q], EvidenceDetails, Tick], Claim]
    reductions: Reductions[Q]
    formula: FormulaRole[Q] = field(default_factory=FormulaRole)
    shown_by_run: Verdict = Verdict.VIOLATED
    excludable: bool = False
    further: Callable[[Query[Q], Target, Finding, int, Clock], Further] | None = None
    certificate: str | None = None
    certified: frozenset[Verdict] = frozenset({Verdict.HOLDS})


def needs_all_steps(reason: str) -> Callable[[Query[Any], Network], str]:
    """For `Reductions.partial_order`: a question for which no step may be left out, and why."""
    return lambda query, network: reason


def might_change(reason: str) -> Callable[[Query[Any]], str]:
    """For `Reductions.symmetry` and `variables`: that the reduction might change the answer, and why."""
    return lambda query: reason


def might_change_counts(reason: str) -> Callable[[Query[Any], bool], str]:
    """For `Reductions.counters`: that counting processes might change the answer, and why."""
    return lambda query, unbounded: reason
