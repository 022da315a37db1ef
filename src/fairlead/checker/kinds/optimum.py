"""Optimal reachability: the best value that a quantity has in a reachable state with the goal."""

from __future__ import annotations

from fairlead.checker.kinds import reachability
from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions, needs_all_steps
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim, ReachesGoal
from fairlead.model.assertion import Objective, ReachesOptimum
from fairlead.model.expression import FALSE, Binary, Constant, Expression, Operator
from fairlead.model.folding import conjunction
from fairlead.model.system import Proposition
from fairlead.model.types import Type
from fairlead.outcome.finding import Finding, Verdict
from fairlead.search.target import NetworkTarget, Target


def _find(query: Query[ReachesOptimum], target: Target) -> Finding:
    from fairlead.search.optimum import check_optimum

    assert isinstance(target, NetworkTarget), "graphs have no quantities"
    return check_optimum(target, query.question.goal, query.question.objective)


def _claim(query: Query[ReachesOptimum], details: EvidenceDetails, tick: object) -> Claim:
    return ReachesGoal(_with_value(query.question.goal, query.question.objective, details.optimum))


def _with_value(goal: Proposition, objective: Objective, optimum: int | None) -> Proposition:
    """The goal, and that the quantity has the value found."""
    value = FALSE if optimum is None else _equal(objective.value, optimum)
    return Proposition(f"{goal.text} && {objective.text} == {optimum}", conjunction(goal.meaning, value))


def _equal(quantity: Expression, value: int) -> Expression:
    return Binary(Operator.EQUAL, quantity, Constant(value), Type.BOOL)


KIND = Kind(
    type=ReachesOptimum,
    name=reachability.KIND.name,
    display=Display(
        asks=reachability.KIND.display.asks,
        violation=reachability.KIND.display.violation,
        ends_in=reachability.KIND.display.ends_in,
        objective=lambda question: str(question.objective),
    ),
    fairness=FairnessRole(),
    find=_find,
    claim=_claim,
    certificate="best",
    certified=frozenset({Verdict.HOLDS, Verdict.VIOLATED}),
    reductions=Reductions(
        partial_order=needs_all_steps("the best value is searched for in every state"),
        counters=lambda query, unbounded: (
            "the best value depends on how many processes there are" if unbounded else None
        ),
        conditions=lambda question: (question.goal.meaning,),
        quantities=lambda question: (question.objective.value,),
        best_at=lambda question: (question.goal, question.objective),
    ),
)
