"""Divergence: no reachable cycle consists of internal steps only."""

from __future__ import annotations

from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions, needs_all_steps
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.model.assertion import DivergenceFree
from fairlead.outcome.finding import Finding
from fairlead.search.target import Target


def _find(query: Query[DivergenceFree], target: Target) -> Finding:
    from fairlead.search.scan import check_divergence_free

    return check_divergence_free(target)


def _claim(query: Query[DivergenceFree], details: EvidenceDetails, tick: object) -> Claim:
    from fairlead.evidence.behaviour import LoopsInternally

    return LoopsInternally()


KIND = Kind(
    type=DivergenceFree,
    name="divergence",
    display=Display(
        asks="The system never takes internal steps forever",
        violation="The counterexample leads into a loop of internal steps.",
    ),
    fairness=FairnessRole(),
    find=_find,
    claim=_claim,
    certificate="divergence",
    reductions=Reductions(partial_order=needs_all_steps("divergence depends on every internal step")),
)
