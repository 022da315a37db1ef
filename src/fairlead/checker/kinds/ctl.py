"""CTL and CTL*: the formula holds in every initial state, with path quantifiers over fair executions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairlead.checker.context import Context
from fairlead.checker.kinds.kind import (
    Display,
    FairnessRole,
    FormulaRole,
    Kind,
    Reductions,
    Tick,
    Written,
    might_change,
    needs_all_steps,
)
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.logic.branching import is_ctl, negation
from fairlead.logic.ltl import Always, ForAll, Formula, in_letters
from fairlead.model.assertion import Meaning, SatisfiesBranching
from fairlead.model.system import State, System
from fairlead.outcome.demonstration import Demonstration
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import Vacuity, VacuityCheck
from fairlead.search.target import Target

if TYPE_CHECKING:
    from fairlead.search.ctl.branching import StateSet


def _read(question: SatisfiesBranching, context: Context) -> Sequence[Meaning]:
    return tuple(context.branching(question).meanings.values())


def _find(query: Query[SatisfiesBranching], target: Target) -> Finding:
    from fairlead.search.ctl.branching import check_branching

    return check_branching(target, query.context.branching(query.question), query.asked)


def _claim(query: Query[SatisfiesBranching], details: EvidenceDetails, tick: Tick) -> Claim:
    from fairlead.evidence.branching import ShowsFormula
    from fairlead.evidence.paths import FairPaths

    assert details.demonstration is not None
    finite = query.question.finite_paths
    paths = FairPaths(query.asked.notion, details.annotations, details.conjuncts, finite)
    meanings = query.context.branching(query.question).meanings
    return ShowsFormula(details.demonstration, meanings, paths, tick)


def _states(query: Query[SatisfiesBranching], target: Target) -> StateSet:
    from fairlead.search.ctl.branching import states_where

    return states_where(target, query.context.branching(query.question), query.asked)


def _demonstration(
    query: Query[SatisfiesBranching], system: System, stored: Mapping[str, Any], start: State
) -> Demonstration | str:
    """The runs of stored evidence, for the formula or, if it is violated, its negation."""
    from fairlead.evidence.stored import find_demonstration

    checked = query.context.branching(query.question).checked
    shown = checked if stored.get("verdict") == Verdict.HOLDS.value else negation(checked)
    return find_demonstration(system, dict(stored["evidence"]), start, shown)


def _trivial_reason(
    query: Query[SatisfiesBranching], target: Target, finding: Finding, how: VacuityCheck, clock: Clock
) -> Vacuity | None:
    from fairlead.logic.automata.validity import is_valid_branching
    from fairlead.search.ctl.branching import holds_when_labelled
    from fairlead.search.vacuity.triviality import Examined, find_triviality, only_fair_count

    branching = query.context.branching(query.question)

    def holds(formula: Formula) -> bool:
        return holds_when_labelled(target, branching, query.asked, formula, clock)

    def always(formula: Formula) -> Formula:
        return ForAll(Always(formula))

    only_fair = only_fair_count(query.asked, finding)
    examined = Examined(
        branching.formula, branching.meanings, holds, is_valid_branching, always, in_letters, only_fair
    )
    return find_triviality(target, examined, how, clock)


def _symmetry(query: Query[SatisfiesBranching]) -> str | None:
    if query.asked.notion.is_global and not is_ctl(query.context.branching(query.question).checked):
        return "under strong global fairness, formulas that are CTL* but not CTL are not preserved"
    return None


def _counters(query: Query[SatisfiesBranching], unbounded: bool) -> str | None:
    from fairlead.reduce.counters.exactness import is_universal

    problem = _symmetry(query)
    if problem is None and unbounded and not is_universal(query.context.branching(query.question).checked):
        return "for unboundedly many processes, only formulas about all paths can be proved"
    return problem


KIND = Kind(
    type=SatisfiesBranching,
    name="ctl",
    display=Display(
        asks="The formula of CTL or CTL* holds at the start",
        violation="Each run shows a part of the negated formula.",
        written=lambda question: Written(question.formula.text, question.finite_paths),
    ),
    fairness=FairnessRole(default=None, chosen=True, depends_on_subjects=True),
    find=_find,
    claim=_claim,
    formula=FormulaRole(
        read=_read,
        trivial_reason=_trivial_reason,
        demonstration=_demonstration,
        states=_states,
    ),
    reductions=Reductions(
        partial_order=needs_all_steps("a formula of branching time depends on where choices are made"),
        symmetry=_symmetry,
        counters=_counters,
        variables=might_change("the answer counts the states where the formula holds"),
    ),
)
