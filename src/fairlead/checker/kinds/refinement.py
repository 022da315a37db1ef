"""Refinement: the process does only what a specification allows, in traces, failures or divergences."""

from __future__ import annotations

from fairlead.certify.meanings import as_system
from fairlead.checker.kinds.kind import (
    Display,
    FairnessRole,
    Kind,
    Reductions,
    Tick,
    might_change,
    needs_all_steps,
)
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.model.assertion import Refines
from fairlead.outcome.finding import Finding, Verdict
from fairlead.search.target import Target


def _find(query: Query[Refines], target: Target) -> Finding:
    from fairlead.search.refine import check_refinement

    beside = query.context.beside(query.question, target)
    return check_refinement(target, beside, query.question.refinement)


def _claim(query: Query[Refines], details: EvidenceDetails, tick: Tick) -> Claim:
    from fairlead.evidence.refinement import BreaksRefinement

    question = query.question
    specification = as_system(query.context.specification(question))
    return BreaksRefinement(specification, question.specification, question.refinement, tick)


KIND = Kind(
    type=Refines,
    name="refinement",
    display=Display(
        asks="The process does only what its specification allows",
        violation="The counterexample is a shortest run that the specification does not allow.",
        ends_in={Verdict.VIOLATED: "what the specification does not allow"},
    ),
    fairness=FairnessRole(),
    find=_find,
    claim=_claim,
    certificate="pairs",
    reductions=Reductions(
        partial_order=needs_all_steps("refinement depends on every event"),
        symmetry=might_change(
            "refinement depends on all events, and so on the processes that take part in them"
        ),
        sees_all_events=True,
    ),
)
