"""What can be asked of one model: which executions count, which system is meant, what is found.

What differs from one kind of question to another is asked of the kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairlead.base.allowance import Stopped
from fairlead.checker.context import Context
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.annotation import Annotation
from fairlead.model.assertion import Assertion, Meaning
from fairlead.model.evaluation import Fault
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.expression import Expression
from fairlead.model.network import Network
from fairlead.model.system import Proposition
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import Vacuity, VacuityCheck, VacuityKind
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.target import Target


class Questions:
    """The questions about one model."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def notions(
        self, question: Assertion, asked: Sequence[Fairness] | None, by_formula: bool = False
    ) -> Sequence[Fairness]:
        """The notions of fairness under which a question is answered, if these (or none) are asked for.

        A fairness formula is asked for instead of the default of the kind.
        """
        role = kind_of(question).fairness
        if role.chosen and asked:
            return asked
        if role.chosen and by_formula:
            return (Fairness.NONE,)
        return (Fairness(self.context.loaded.default_fairness) if role.default is None else role.default,)

    def alike(
        self, question: Assertion, asked: Sequence[Fairness] | None, fair: str | None
    ) -> list[tuple[Fairness, ...]]:
        """The same notions; those are together under which the verdict must be the same.

        Where finite runs decide a question, and each of them is the beginning of a fair execution, it does
        not matter which executions are fair (docs/explanation/semantics.md). Raises `InputError` as `query`
        does.
        """
        notions = self.notions(question, asked, by_formula=fair is not None)
        if len(notions) < 2:
            return [tuple(notions)]
        is_finite = kind_of(question).formula.finite
        kinds: frozenset[Annotation] | None = None
        together: list[Fairness] = []
        groups: list[tuple[Fairness, ...]] = []
        for notion in notions:
            query = self.query(question, notion, fair)
            if is_finite(query, frozenset()):  # the system is examined only if it matters
                kinds = _annotation_kinds(system_of(query)) if kinds is None else kinds
                if is_finite(query, kinds):
                    together.append(notion)
                    continue
            groups.append((notion,))
        if together:
            groups.append(tuple(together))
        return sorted(groups, key=lambda group: notions.index(group[0]))

    def query(self, question: Assertion, notion: Fairness | None, fair: str | None) -> Query[Assertion]:
        """A question with the executions that count, if a notion and a formula, or none, are asked for.

        Raises `InputError` for a wrong formula, also for that of the question.
        """
        kind_of(question).formula.read(question, self.context)
        return self.query_under(question, self._meant(question, notion, fair), fair)

    def unread(self, question: Assertion, notion: Fairness | None, fair: str | None) -> Query[Assertion]:
        """A question whose formulas could not be read within the limits: to say so."""
        return Query(question, FairnessAsked(self._meant(question, notion, fair)), self.context)

    def _meant(self, question: Assertion, notion: Fairness | None, fair: str | None) -> Fairness:
        given = None if notion is None else (notion,)
        (meant,) = self.notions(question, given, by_formula=fair is not None)
        return meant

    def query_under(self, question: Assertion, notion: Fairness, fair: str | None) -> Query[Assertion]:
        """A question under just this notion; raises `InputError` if `fair` is wrong."""
        if fair is None or not kind_of(question).fairness.chosen:
            return Query(question, FairnessAsked(notion), self.context)
        return Query(question, self.context.fairness(question, notion, fair), self.context)


def system_of(query: Query[Assertion]) -> Network | ExplicitGraph:
    """The system that a question is about, in which the names of the question have a meaning."""
    if query.instead is not None:
        return query.instead
    question, loaded = query.question, query.context.loaded
    if query.asked.formula is not None:
        return loaded.vocabulary(question, [query.asked.formula.text]).system
    return question.own_system or loaded.system(question.process)


def _annotation_kinds(system: Network | ExplicitGraph) -> frozenset[Annotation]:
    return system.annotations if isinstance(system, Network) else system.annotation_kinds


def meanings_of(query: Query[Assertion]) -> list[Meaning]:
    """What the atoms of a question and of its fairness formula mean."""
    own = kind_of(query.question).formula.read(query.question, query.context)
    return [*query.asked.meanings.values(), *own]


def conditions_of(query: Query[Assertion]) -> Iterator[Expression]:
    """The conditions on states that a question looks at."""
    for meaning in meanings_of(query):
        if isinstance(meaning, Proposition):
            yield meaning.meaning
    yield from kind_of(query.question).reductions.conditions(query.question)


def is_decided_by_finite_runs(query: Query[Assertion], network: Network) -> bool:
    """Whether a question is about finite runs, each of which is the beginning of a fair one."""
    return kind_of(query.question).formula.finite(query, network.annotations)


def find(query: Query[Assertion], target: Target, vacuity: VacuityCheck = VacuityCheck.IF_CHEAP) -> Finding:
    """Searches for the answer, and if the assertion holds, for a trivial reason why."""
    kind = kind_of(query.question)
    if kind.formula.states is None:
        target.labelled = None  # its memory is needed
    finding = kind.find(query, target)
    target.note_tables()
    if finding.verdict is not Verdict.HOLDS:
        return finding
    if finding.nothing_is_fair:
        return replace(finding, vacuity=Vacuity(VacuityKind.NO_FAIR_EXECUTION))
    reason_for = kind.formula.trivial_reason
    if vacuity is VacuityCheck.NEVER or reason_for is None:
        return finding
    clock = Clock(target.limits)
    clock.started -= finding.statistics.seconds
    try:
        return replace(finding, vacuity=reason_for(query, target, finding, vacuity, clock))
    except (Stopped, Fault):  # the verdict stands: this is about what can be said besides
        return finding
