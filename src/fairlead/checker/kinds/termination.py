"""Non-termination: every reachable state has a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.checker.kinds.deadlock import sees_nothing
from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.model.assertion import NonTerminating
from fairlead.model.labels import NOTHING_POSSIBLE
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.reach import check_nonterminating
from fairlead.search.target import Target

if TYPE_CHECKING:
    from fairlead.search.further import Further


def _claim(query: Query[NonTerminating], details: EvidenceDetails, tick: object) -> Claim:
    from fairlead.evidence.behaviour import ReachesStop

    return ReachesStop()


def _further(
    query: Query[NonTerminating], target: Target, finding: Finding, most: int, clock: Clock
) -> Further:
    from fairlead.search.further import further_stops, is_end

    assert finding.run is not None
    return further_stops(target, is_end, finding.run, most, clock)


KIND = Kind(
    type=NonTerminating,
    name="termination",
    display=Display(
        asks="The system never terminates",
        violation="The counterexample is a short run to a state without steps.",
        ends_in={Verdict.VIOLATED: f"a state in which {NOTHING_POSSIBLE}"},
    ),
    fairness=FairnessRole(),
    find=lambda query, target: check_nonterminating(target),
    claim=_claim,
    further=_further,
    certificate="states",
    reductions=Reductions(partial_order=sees_nothing),
)
