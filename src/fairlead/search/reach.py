"""Reachability: deadlocks and states with a property, with a shortest way to one."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.engine import _native
from fairlead.model.run import Run
from fairlead.model.system import Proposition, State, Step, is_stuck
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.dives import Dives, Found, Sought, whole_system
from fairlead.search.target import Goal, NetworkTarget, Target

METHOD = "breadth-first exploration"


def check_deadlock(target: Target) -> Finding:
    """Violated with a shortest way to a state that is stuck without having terminated."""
    return _as_safety(search(target, Goal.DEADLOCK, None))


def check_nonterminating(target: Target) -> Finding:
    """Violated with a shortest way to a state without steps, be it stuck or terminated."""
    return _as_safety(search(target, Goal.STOP, None))


def check_safety(target: Target) -> Finding:
    """Violated with a shortest way to a state that is stuck or an error; of equally near ones, to an error.

    The last state of the run tells which it is.
    """
    return _as_safety(search(target, Goal.UNSAFE, None))


def check_reaches(target: Target, goal: Proposition) -> Finding:
    """Holds, with a shortest witness, if some reachable state satisfies the goal."""
    return search(target, Goal.CONDITION, goal)


def check_invariant(target: Target, broken: Proposition) -> Finding:
    """Violated with a shortest way to a state where the proposition `broken` is true."""
    return _as_safety(search(target, Goal.CONDITION, broken))


def _as_safety(finding: Finding) -> Finding:
    """Reaching the goal is a violation."""
    opposite = {
        Verdict.HOLDS: Verdict.VIOLATED,
        Verdict.VIOLATED: Verdict.HOLDS,
        Verdict.UNKNOWN: Verdict.UNKNOWN,
    }
    return replace(finding, verdict=opposite[finding.verdict])


def search(target: Target, goal: Goal, condition: Proposition | None) -> Finding:
    """Holds with a shortest run to the goal, or is violated after everything was examined."""
    if isinstance(target, NetworkTarget):
        return _search_network(target, goal, condition)
    return _search_explicit(target, goal, condition)


def _search_network(target: NetworkTarget, goal: Goal, condition: Proposition | None) -> Finding:
    clock = Clock(target.limits)
    graph = target.plain_graph()
    code = _native.NO_CODE if condition is None else target.proposition(condition)
    try:
        guide = None if condition is None else condition.meaning
        found = _explore(target, Sought(whole_system, goal, code, guide), clock)
        if isinstance(found, int):
            with target.working(Phase.EXPLORING, clock, graph):
                path = graph.path_to(found)
    except Stopped as stop:
        statistics = target.statistics(graph, clock, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, METHOD)
    statistics = target.statistics(graph, clock, complete=graph.complete)
    if found is None:
        return Finding(Verdict.VIOLATED, None, statistics, None, METHOD)
    if isinstance(found, Found):
        # whatever is nearer than the level that is being explored was examined
        known = not target.is_reduced and len(found.run.stem) < graph.level_count
        return found.finding(Verdict.HOLDS, statistics, is_shortest=known)
    run = target.run(graph, path[0][1], path[1:], [])
    # beyond the limit a known ERROR is reported, even if there may be a nearer deadlock
    unsure = goal is Goal.UNSAFE and graph.state_count > target.most_states
    shortest = None if target.is_reduced or unsure else True
    return Finding(Verdict.HOLDS, run, statistics, None, METHOD, is_shortest=shortest)


def _explore(target: NetworkTarget, sought: Sought, clock: Clock) -> int | Found | None:
    """The nearest state that is searched for, or a run to one that a dive found; None if there is none."""
    graph = target.plain_graph()
    dives = Dives.beside(target, sought, clock)
    most, code = target.most_states, sought.condition
    with target.working(Phase.EXPLORING, clock, graph):
        state = graph.find(sought.goal, code)
    while state is None and not graph.complete:
        limit = most if dives is None else dives.next_turn(graph.state_count)
        with target.working(Phase.EXPLORING, clock, graph):
            state = graph.explore(sought.goal, code, limit)
            if state is not None and sought.goal is Goal.UNSAFE and graph.find(Goal.UNSAFE, code) is None:
                # an ERROR that was met before the pause: what may be nearer comes first
                state = graph.explore(Goal.UNSAFE, code, most)
            if state is None and not graph.complete and graph.state_count > most:
                raise Stopped(LimitKind.STATES)
        if state is None and not graph.complete and dives is not None:
            found = dives.turn(graph.state_count)
            if found is not None:
                return found
    return state


def _search_explicit(target: Target, goal: Goal, condition: Proposition | None) -> Finding:
    clock = Clock(target.limits)
    system = target.system
    came_from: dict[State, tuple[State, Step] | None] = dict.fromkeys(system.initial_states())
    statistics = target.statistics(target.graph(), clock)

    def is_goal(state: State) -> bool:
        if condition is not None:
            return system.holds(condition, state)
        if goal is Goal.UNSAFE and system.failed_process(state) is not None:
            return True
        return not system.steps(state) and (goal is Goal.STOP or is_stuck(system, state))

    level = list(came_from)  # all states at one distance
    while level:
        found = [state for state in level if is_goal(state)]
        if found:
            if goal is Goal.UNSAFE:  # errors first
                found.sort(key=lambda state: system.failed_process(state) is None)
            run = _path(came_from, found[0])
            return Finding(Verdict.HOLDS, run, statistics, None, METHOD, is_shortest=True)
        following: list[State] = []
        for state in level:
            for step in system.steps(state):
                if step.target not in came_from:
                    came_from[step.target] = (state, step)
                    following.append(step.target)
        level = following
    return Finding(Verdict.VIOLATED, None, statistics, None, METHOD)


def _path(came_from: dict[State, tuple[State, Step] | None], state: State) -> Run:
    steps: list[Step] = []
    entry = came_from[state]
    while entry is not None:
        state, step = entry
        steps.append(step)
        entry = came_from[state]
    return Run(state, tuple(reversed(steps)))
