"""Reachability with decision diagrams: shortest runs from the distances of states (onion rings)."""

from __future__ import annotations

from fairlead.base.tuning import tuning
from fairlead.engine.symbolic import StateSet
from fairlead.model.run import Run
from fairlead.model.system import Proposition, State, Step
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.search.symbolic.space import SymbolicTarget

METHOD = "decision diagrams"


def check_deadlock(target: SymbolicTarget) -> Finding:
    """Violated with a shortest way to a state that is stuck without having terminated."""
    target.explore()
    return _as_safety(target, target.subtract(target.stopped, target.native.ended(target.stopped)))


def check_nonterminating(target: SymbolicTarget) -> Finding:
    """Violated with a shortest way to a state without steps, be it stuck or terminated."""
    target.explore()
    return _as_safety(target, target.stopped)


def check_invariant(target: SymbolicTarget, broken: Proposition) -> Finding:
    """Violated with a shortest way to a state where the proposition `broken` is true."""
    target.explore()
    return _as_safety(target, target.where(broken.meaning))


def check_reaches(target: SymbolicTarget, goal: Proposition) -> Finding:
    """Holds, with a shortest witness, if some reachable state satisfies the goal."""
    target.explore()
    return _finding(target, target.where(goal.meaning), Verdict.HOLDS, Verdict.VIOLATED)


def _as_safety(target: SymbolicTarget, bad: StateSet) -> Finding:
    return _finding(target, bad, Verdict.VIOLATED, Verdict.HOLDS)


def _finding(target: SymbolicTarget, goal: StateSet, reached: Verdict, otherwise: Verdict) -> Finding:
    found = run_to(target, goal)
    if found is None:
        return Finding(otherwise, None, target.statistics(), None, METHOD)
    run, is_shortest = found
    return Finding(reached, run, target.statistics(), None, METHOD, is_shortest=is_shortest)


def run_to(target: SymbolicTarget, goal: StateSet) -> tuple[Run, bool] | None:
    """A run to a set of reachable states, made of steps of the reference semantics, unless the set is empty.

    And whether it is a shortest one: where distances need too many nodes, each set in a chain has, besides
    what was there before, what one group of steps leads to.
    """
    if goal.is_empty:
        return None
    target.enter(Phase.LASSO)
    rings = _rings(target, goal)
    is_shortest = rings is not None
    if rings is None:
        rings = target.native.chain(target.initial, goal, target.all_steps)
    ways = [target.intersect(rings.pop(), goal)]
    while rings:
        nearer = rings.pop()
        if not is_shortest and not target.intersect(nearer, ways[-1]).is_empty:
            ways[-1] = target.intersect(nearer, ways[-1])
        else:
            ways.append(target.intersect(nearer, target.native.pre(ways[-1], target.all_steps)))
    ways.reverse()
    start = target.first(ways[0])
    return Run(start, tuple(steps_through(target, start, ways[1:]))), is_shortest


def _rings(target: SymbolicTarget, goal: StateSet) -> list[StateSet] | None:
    """The states at each distance from the start, up to the goal; None where they need too many nodes."""
    rings = [target.initial]
    met = target.initial
    most = target.native.node_count + tuning().ring_nodes
    while target.intersect(rings[-1], goal).is_empty:
        if target.native.node_count > most and not target.needs_shortest:
            return None
        after = target.subtract(target.native.post(rings[-1], target.all_steps), met)
        met = target.unite(met, after)
        rings.append(after)
    return rings


def steps_through(target: SymbolicTarget, state: State, sets: list[StateSet]) -> list[Step]:
    """Steps of the system from a state into each of the sets in turn."""
    found: list[Step] = []
    for states in sets:
        step = step_into(target, state, states)
        found.append(step)
        state = step.target
    return found


def step_into(target: SymbolicTarget, state: State, states: StateSet) -> Step:
    """A step of the reference semantics into a set; there is one, if both step relations agree."""
    target.clock.check()
    return next(step for step in target.system.steps(state) if target.contains(states, step.target))
