"""Refinement: does the implementation do only what the specification allows?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fairlead.base.allowance import Stopped
from fairlead.engine import _native
from fairlead.model.assertion import Refinement
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.scan import explore_further
from fairlead.search.target import Target

_MODELS = {
    Refinement.TRACES: _native.RefinementModel.TRACES,
    Refinement.FAILURES: _native.RefinementModel.FAILURES,
    Refinement.FAILURES_DIVERGENCES: _native.RefinementModel.FAILURES_DIVERGENCES,
}


def check_refinement(target: Target, specification: Target, refinement: Refinement) -> Finding:
    """Violated with a shortest run of the target that the specification does not allow.

    Pairs of a state and the set of states the specification may be in are searched breadth first, and
    both systems are explored as far as the pairs need it. The specification must be `beside` the target.
    """
    clock = Clock(target.limits)
    graph, against = target.graph(), specification.graph()
    method = "breadth-first search of pairs"
    pairs = 0
    search: _native.RefinementSearch | None = None

    def statistics(complete: bool) -> Statistics:
        own = target.statistics(graph, clock, pairs, complete)
        states, transitions = specification.counts(against)
        return replace(own, states=own.states + states, transitions=own.transitions + transitions)

    try:
        with (
            _discarding(specification),
            target.working(Phase.COMPARING, clock, graph, lambda: 0 if search is None else search.pair_count),
        ):
            search = _native.RefinementSearch(graph, against, _MODELS[refinement])
            with _faults_of(specification, search):
                try:
                    while (status := search.run(target.most_states)) is _native.SearchStatus.PAUSED:
                        explore_further(target, graph)
                finally:
                    pairs = search.pair_count
            lasso = search.found() if status is _native.SearchStatus.FOUND else None
    except Stopped as stop:
        return Finding(Verdict.UNKNOWN, None, statistics(complete=False), stop.kind.value, method)
    if lasso is None:
        return Finding(Verdict.HOLDS, None, statistics(complete=True), None, method)
    run = target.run(graph, *lasso)
    return Finding(Verdict.VIOLATED, run, statistics(complete=False), None, method)


@contextmanager
def _discarding(specification: Target) -> Iterator[None]:
    """If the work inside is stopped, what is known of the specification is not to be relied on."""
    try:
        yield
    except BaseException:
        specification.discard()
        raise


@contextmanager
def _faults_of(specification: Target, search: _native.RefinementSearch) -> Iterator[None]:
    """While inside, a run-time error is reported with the names of its system."""
    try:
        yield
    except _native.EngineFault as error:
        if search.specification_faulted:
            raise specification.fault(error) from None
        raise
