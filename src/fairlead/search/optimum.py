"""Finds the least or greatest value of a quantity among the reachable states that satisfy a condition."""

from __future__ import annotations

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.engine import _native
from fairlead.model.assertion import Objective, Optimum
from fairlead.model.system import Proposition
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.target import Goal, NetworkTarget


def check_optimum(target: NetworkTarget, goal: Proposition, objective: Objective) -> Finding:
    """Holds, with the optimum and a shortest way to it, if some reachable state satisfies the goal."""
    clock = Clock(target.limits)
    graph = target.plain_graph()
    condition = target.proposition(goal)
    quantity = target.proposition(Proposition(objective.text, objective.value))
    method = "exhaustive exploration"
    try:
        with target.working(Phase.EXPLORING, clock, graph):
            if not graph.complete:
                graph.explore(Goal.NONE, _native.NO_CODE, target.most_states)
            if not graph.complete:
                raise Stopped(LimitKind.STATES)
            # states are numbered by their distance, and the first of the best is taken
            best = graph.optimum(condition, quantity, objective.optimum is Optimum.MAX)
            path = None if best is None else graph.path_to(best[0])
    except Stopped as stop:
        statistics = target.statistics(graph, clock, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, method)
    statistics = target.statistics(graph, clock)
    if best is None or path is None:
        return Finding(Verdict.VIOLATED, None, statistics, None, method)
    run = target.run(graph, path[0][1], path[1:], [])
    return Finding(Verdict.HOLDS, run, statistics, None, method, best[1])
