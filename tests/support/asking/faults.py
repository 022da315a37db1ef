"""Run-time errors of models: results that are one, raised; and the nearest one, found by brute force."""

from __future__ import annotations

import fairlead
from fairlead.model.attempts import attempts
from fairlead.model.evaluation import Fault, Scope, evaluate
from fairlead.model.expression import Expression
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from fairlead.model.tree import Configuration


def without_fault(result: fairlead.Result) -> fairlead.Result:
    """The result, unless it is a run-time error, which is raised."""
    if result.fault is not None:
        raise Fault(result.fault.code, result.fault.message, result.fault.span)
    return result


def fails(system: NetworkSystem, state: State, asked: tuple[Expression, ...] = ()) -> bool:
    """Whether a step from a state fails, or what is asked about it."""
    assert isinstance(state, Configuration)
    if attempts(system, state).failures:
        return True
    for expression in asked:
        try:
            evaluate(expression, Scope(list(state.values)))
        except Fault:
            return True
    return False


def distance_of_nearest_fault(
    system: NetworkSystem, asked: tuple[Expression, ...] = (), most: int = 3_000
) -> int | None:
    """How many steps there are to the nearest state in which something fails; None if none does, or if more
    states are nearer than `most`."""
    level = list(dict.fromkeys(system.initial_states()))
    seen = set(level)
    distance = 0
    while level and len(seen) <= most:
        if any(fails(system, state, asked) for state in level):
            return distance
        following = (step.target for state in level for step in system.steps(state))
        level = [state for state in dict.fromkeys(following) if state not in seen]
        seen.update(level)
        distance += 1
    return None
