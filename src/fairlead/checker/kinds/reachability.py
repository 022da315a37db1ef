"""Reachability: some reachable state satisfies the goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions, Sampling
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim, ReachesGoal
from fairlead.model.assertion import Reaches
from fairlead.model.network import Network
from fairlead.outcome.finding import Verdict
from fairlead.search.reach import check_reaches

if TYPE_CHECKING:
    from fairlead.search.reduced import Sight


def _claim(query: Query[Reaches], details: EvidenceDetails, tick: object) -> Claim:
    return ReachesGoal(query.question.goal)


def _partial_order(query: Query[Reaches], network: Network) -> Sight:
    from fairlead.search.reduced import Proviso, Sight

    return Sight(Proviso.REACHED, (query.question.goal,))


KIND = Kind(
    type=Reaches,
    name="reachability",
    display=Display(
        asks="The goal is reachable",
        violation="There is no counterexample: the goal is false in every reachable state.",
        ends_in={Verdict.HOLDS: "a state in which the goal is true"},
    ),
    fairness=FairnessRole(),
    find=lambda query, target: check_reaches(target, query.question.goal),
    claim=_claim,
    shown_by_run=Verdict.HOLDS,
    certificate="goal",
    certified=frozenset({Verdict.HOLDS, Verdict.VIOLATED}),
    reductions=Reductions(
        partial_order=_partial_order,
        conditions=lambda question: (question.goal.meaning,),
        sampling=Sampling(
            possible=lambda query: True,
            problem=lambda query, run, judge, system: ReachesGoal(query.question.goal).judge(system, run),
        ),
    ),
)
