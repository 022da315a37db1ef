"""Deadlock: no reachable state is stuck, unless it has terminated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions, Sampling
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim, ReachesDeadlock
from fairlead.model.assertion import DeadlockFree
from fairlead.model.labels import NOTHING_POSSIBLE
from fairlead.model.network import Network
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.reach import check_deadlock
from fairlead.search.target import Target

if TYPE_CHECKING:
    from fairlead.search.further import Further
    from fairlead.search.reduced import Sight

#: how the last state of a run into a deadlock is called
STUCK = f"a deadlock: {NOTHING_POSSIBLE}, and the system has not terminated"


def _claim(query: Query[DeadlockFree], details: EvidenceDetails, tick: object) -> Claim:
    return ReachesDeadlock()


def sees_nothing(query: Query[Any], network: Network) -> Sight:
    """States without steps are reached by some order of independent steps if by any."""
    from fairlead.search.reduced import Proviso, Sight

    return Sight(Proviso.NONE)


def _further(
    query: Query[DeadlockFree], target: Target, finding: Finding, most: int, clock: Clock
) -> Further:
    from fairlead.search.further import further_stops, is_deadlock

    assert finding.run is not None
    return further_stops(target, is_deadlock, finding.run, most, clock)


KIND = Kind(
    type=DeadlockFree,
    name="deadlock",
    display=Display(
        asks="The system never deadlocks",
        violation="The counterexample is a short run to a state without steps in which the system has not "
        "terminated.",
        ends_in={Verdict.VIOLATED: STUCK},
    ),
    fairness=FairnessRole(),
    find=lambda query, target: check_deadlock(target),
    claim=_claim,
    further=_further,
    certificate="states",
    reductions=Reductions(
        partial_order=sees_nothing,
        compositional=lambda query: frozenset(),
        sampling=Sampling(
            possible=lambda query: True,
            problem=lambda query, run, judge, system: ReachesDeadlock().problem(system, run),
        ),
    ),
)
