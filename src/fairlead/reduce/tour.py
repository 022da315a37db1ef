"""Builds a loop that takes every transition of the states it visits, as strong global fairness demands."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from fairlead.model.components import strong_components
from fairlead.model.system import State, Step, System


def tour(system: System, start: State, step_limit: int) -> tuple[list[Step], list[Step]] | None:
    """Steps to a set of states that is never left, and a loop there that takes all its transitions.

    None if there are more transitions to look at, or more steps to take, than the limit; or no transitions.
    """
    steps: dict[State, list[Step]] = {}
    pending = [start]
    looked_at = 0
    while pending:
        state = pending.pop()
        if state in steps:
            continue
        steps[state] = list(system.steps(state))
        looked_at += len(steps[state])
        if looked_at > step_limit:
            return None
        pending += [step.target for step in steps[state]]
    terminal = _terminal_component(steps)
    stem = _shortest(steps, start, terminal.__contains__)
    first = stem[-1].target if stem else start
    loop: list[Step] = []
    left = {state: list(steps[state]) for state in terminal}
    state = first
    remaining = sum(map(len, left.values()))
    while remaining:
        if not left[state]:
            loop += _shortest(steps, state, lambda found: bool(left[found]))
            state = loop[-1].target
        step = left[state].pop()
        remaining -= 1
        loop.append(step)
        state = step.target
        if len(stem) + len(loop) > step_limit:
            return None
    loop += _shortest(steps, state, lambda found: found == first)
    return (stem, loop) if loop else None


def _terminal_component(steps: dict[State, list[Step]]) -> set[State]:
    states = list(steps)
    numbers = {state: number for number, state in enumerate(states)}
    successors = [[numbers[step.target] for step in steps[state]] for state in states]
    # the first component comes after all that it can reach, so there is none
    first = strong_components(len(states), successors.__getitem__)[0]
    return {states[number] for number in first}


def _shortest(
    steps: dict[State, list[Step]], start: State, is_goal: Callable[[Hashable], bool]
) -> list[Step]:
    """The steps of a shortest path to a goal, which can be reached."""
    if is_goal(start):
        return []
    came_by: dict[State, tuple[State, Step]] = {}
    goal = _reached(steps, start, is_goal, came_by)
    path: list[Step] = []
    while goal != start or not path:
        goal, step = came_by[goal]
        path.append(step)
    return path[::-1]


def _reached(
    steps: dict[State, list[Step]],
    start: State,
    is_goal: Callable[[Hashable], bool],
    came_by: dict[State, tuple[State, Step]],
) -> State:
    queue: list[State] = [start]
    for state in queue:
        for step in steps[state]:
            if step.target not in came_by and step.target != start:
                came_by[step.target] = (state, step)
                if is_goal(step.target):
                    return step.target
                queue.append(step.target)
    raise AssertionError("a component is connected")
