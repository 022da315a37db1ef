"""The best sum of costs at a goal, by the reference semantics and an obvious algorithm (Bellman, Ford)."""

from __future__ import annotations

from dataclasses import dataclass

from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition
from fairlead.model.tree import Configuration


class TooLarge(Exception):
    """More states than are examined."""


@dataclass(frozen=True)
class Unbounded:
    """There is no best value."""


def best_cost(
    system: NetworkSystem, slot: int, goal: Proposition, *, maximise: bool, most: int
) -> int | Unbounded | None:
    """The least or greatest value of the variable in a slot at a goal; None if no goal is reached.

    A state is a configuration whose cost is 0; the cost of a step is what it adds to that.
    """
    sign = -1 if maximise else 1
    initial = [(_without(state, slot), sign * state.values[slot]) for state in system.initial_states()]
    steps: dict[Configuration, list[tuple[Configuration, int]]] = {}
    pending = [state for state, _ in initial]
    while pending:
        state = pending.pop()
        if state in steps:
            continue
        if len(steps) == most:
            raise TooLarge
        targets = [step.target for step in system.steps(state)]
        steps[state] = [
            (_without(target, slot), sign * target.values[slot])
            for target in targets
            if isinstance(target, Configuration)
        ]
        pending += [target for target, _ in steps[state]]
    return _bellman_ford(initial, steps, {state for state in steps if system.holds(goal, state)}, sign)


def _bellman_ford(
    initial: list[tuple[Configuration, int]],
    steps: dict[Configuration, list[tuple[Configuration, int]]],
    goals: set[Configuration],
    sign: int,
) -> int | Unbounded | None:
    leads = _leading_to(goals, steps)
    costs: dict[Configuration, int] = {}
    for state, cost in initial:
        costs[state] = min(cost, costs.get(state, cost))
    for _ in range(len(steps) + 1):
        changed = False
        for state, outgoing in steps.items():
            if state not in costs:
                continue
            for target, cost in outgoing:
                better = costs[state] + cost
                if target in leads and (target not in costs or better < costs[target]):
                    costs[target] = better
                    changed = True
        if not changed:
            found = [costs[goal] for goal in goals]
            return sign * min(found) if found else None
    return Unbounded()


def _leading_to(
    goals: set[Configuration], steps: dict[Configuration, list[tuple[Configuration, int]]]
) -> set[Configuration]:
    found = set(goals)
    while True:
        more = {state for state, outgoing in steps.items() if any(target in found for target, _ in outgoing)}
        if more <= found:
            return found
        found |= more


def _without(state: Configuration, slot: int) -> Configuration:
    return Configuration((*state.values[:slot], 0, *state.values[slot + 1 :]), state.tree)
