"""Determinism: no reachable state has two different successors under one label."""

from __future__ import annotations

from fairlead.checker.kinds.kind import (
    Display,
    FairnessRole,
    Kind,
    Reductions,
    might_change,
    might_change_counts,
    needs_all_steps,
)
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.model.assertion import Deterministic
from fairlead.outcome.finding import Finding, Verdict
from fairlead.search.target import Target

_MERGED = "the reduction merges steps of different processes, and choices disappear"


def _find(query: Query[Deterministic], target: Target) -> Finding:
    from fairlead.search.scan import check_deterministic

    return check_deterministic(target)


def _claim(query: Query[Deterministic], details: EvidenceDetails, tick: object) -> Claim:
    from fairlead.evidence.behaviour import BranchesUnderOneEvent

    return BranchesUnderOneEvent()


KIND = Kind(
    type=Deterministic,
    name="determinism",
    display=Display(
        asks="No event leads to two different states",
        violation="The counterexample is a shortest run to a state with two successors by one event.",
        ends_in={Verdict.VIOLATED: "a state from which one event leads to two different states"},
    ),
    fairness=FairnessRole(),
    find=_find,
    claim=_claim,
    certificate="states",
    reductions=Reductions(
        partial_order=needs_all_steps("determinism depends on every step of a state"),
        symmetry=might_change(_MERGED),
        counters=might_change_counts(_MERGED),
        variables=might_change("states that differ in unread values are different successors"),
    ),
)
