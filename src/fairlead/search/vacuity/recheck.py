"""Checks other formulas in a system that has been explored: the verdict alone, without a run."""

from __future__ import annotations

from fairlead.engine import _native
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Clock
from fairlead.search.assumptions import FairnessAsked, assumptions_of, fairness_on_the_fly
from fairlead.search.fair_search import ALL_STEPS
from fairlead.search.ltl import (
    LtlQuestion,
    depends_on_the_whole,
    is_decided_by_prefix,
    prefix_search,
    product_of,
)
from fairlead.search.target import Goal, Target


def holds_when_explored(target: Target, question: LtlQuestion, asked: FairnessAsked, clock: Clock) -> bool:
    """Whether every fair execution of a system that has been explored satisfies a formula.

    As `check_ltl`, without a run; raises `Stopped` at a limit.
    """
    by_prefix = is_decided_by_prefix(target, question, asked)
    known, broken = target.explored(), question.broken_invariant
    if by_prefix and isinstance(known, _native.NetworkGraph) and broken is not None:
        with target.working(Phase.TRIVIALITY, clock, known):
            return known.find(Goal.CONDITION, target.proposition(broken)) is None
    graph = target.explore_all(clock)
    product = product_of(target, graph, question)
    with target.working(Phase.TRIVIALITY, clock, graph):
        if by_prefix:
            return prefix_search(product, question).run(target.most_states) is _native.SearchStatus.NONE
    if depends_on_the_whole(target, asked):
        fairness = assumptions_of(target, clock).fairness(asked)
    else:
        fairness = fairness_on_the_fly(target, graph, asked)
    with target.working(Phase.TRIVIALITY, clock, graph):
        search = _native.ComponentSearch(product, fairness, False, True)
        return search.run(ALL_STEPS) is _native.SearchStatus.NONE
