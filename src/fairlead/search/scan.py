"""Checks determinism and divergence, by the transitions of single states."""

from __future__ import annotations

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.target import Target


def check_deterministic(target: Target) -> Finding:
    """Violated with a shortest way to a state with two different successors under one label."""
    return _scan(target, _native.ScanGoal.NONDETERMINISTIC)


def check_divergence_free(target: Target) -> Finding:
    """Violated with a shortest way to a cycle of internal steps."""
    return _scan(target, _native.ScanGoal.DIVERGENT)


def _scan(target: Target, goal: _native.ScanGoal) -> Finding:
    clock = Clock(target.limits)
    graph = target.graph()
    method = "breadth-first scan"
    try:
        with target.working(Phase.SCANNING, clock, graph):
            scan = _native.Scan(graph, goal)
            while (status := scan.run(target.most_states)) is _native.SearchStatus.PAUSED:
                explore_further(target, graph)
            lasso = scan.found() if status is _native.SearchStatus.FOUND else None
    except Stopped as stop:
        statistics = target.statistics(graph, clock, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, method)
    statistics = target.statistics(graph, clock, complete=lasso is None)
    if lasso is None:
        return Finding(Verdict.HOLDS, None, statistics, None, method)
    return Finding(Verdict.VIOLATED, target.run(graph, *lasso), statistics, None, method)


def explore_further(target: Target, graph: _native.Graph) -> None:
    """Explores a batch for a search that met a state without known transitions."""
    limit = target.most_states
    if graph.state_count > limit:
        raise Stopped(LimitKind.STATES)
    batch = max(tuning().first_batch, tuning().batch_growth * graph.state_count)
    target.explore(min(limit, batch))
