"""Default progress: under fair choice every action occurs infinitely often in every execution."""

from __future__ import annotations

from fairlead.checker.kinds import progress
from fairlead.checker.kinds.kind import Display, FairnessRole, Kind, Reductions, Tick
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.model.assertion import AllProgress
from fairlead.outcome.finding import Finding
from fairlead.search.target import Target


def _find(query: Query[AllProgress], target: Target) -> Finding:
    from fairlead.search.progress import check_progress

    return check_progress(target, query.question)


def _claim(query: Query[AllProgress], details: EvidenceDetails, tick: Tick) -> Claim:
    from fairlead.evidence.terminal import EndsInTerminalSet

    return EndsInTerminalSet(query.question, details.terminal, tick)


_OF_ONE = progress.KIND

KIND = Kind(
    type=AllProgress,
    name=_OF_ONE.name,
    display=Display(
        asks=_OF_ONE.display.asks,
        violation=_OF_ONE.display.violation,
        property_name=lambda question: "default",
    ),
    fairness=FairnessRole(default=_OF_ONE.fairness.default),
    find=_find,
    claim=_claim,
    certificate="progress",
    reductions=Reductions(
        partial_order=_OF_ONE.reductions.partial_order,
        symmetry=_OF_ONE.reductions.symmetry,
        counters=_OF_ONE.reductions.counters,
        variables=_OF_ONE.reductions.variables,
        compositional=lambda query: query.question.alphabet,
    ),
)
