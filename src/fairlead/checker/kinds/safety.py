"""Safety as LTSA has it: no deadlock, and no process ever goes to ERROR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim, ReachesUnsafe
from fairlead.model.assertion import Safe
from fairlead.model.network import Network
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.search.reach import check_safety
from fairlead.search.target import Target

if TYPE_CHECKING:
    from fairlead.search.further import Further
    from fairlead.search.reduced import Sight


def _claim(query: Query[Safe], details: EvidenceDetails, tick: object) -> Claim:
    return ReachesUnsafe()


def _partial_order(query: Query[Safe], network: Network) -> Sight:
    from fairlead.search.reduced import Proviso, Sight

    return Sight(Proviso.REACHED)


def _further(query: Query[Safe], target: Target, finding: Finding, most: int, clock: Clock) -> Further:
    from fairlead.search.further import further_stops, is_unsafe

    assert finding.run is not None
    return further_stops(target, is_unsafe, finding.run, most, clock)


KIND = Kind(
    type=Safe,
    name="safety",
    display=Display(
        asks="Nothing bad ever happens",
        violation="The counterexample is a short run into a deadlock, or to a step that a process or "
        "property does not allow.",
    ),
    fairness=FairnessRole(),
    find=lambda query, target: check_safety(target),
    claim=_claim,
    further=_further,
    certificate="states",
    reductions=Reductions(
        partial_order=_partial_order,
        compositional=lambda query: frozenset(),
    ),
)
