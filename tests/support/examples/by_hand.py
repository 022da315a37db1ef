"""Graphs of systems that are written by hand, as functions from a state to its steps, without fairlead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.support.oracle.graphs import Graph, Step

State = tuple[Any, ...]
Steps = Callable[[State], Iterable[tuple[str, State, frozenset[int]]]]


def changed(members: tuple[Any, ...], changes: Mapping[int, Any]) -> tuple[Any, ...]:
    """The members with some of them elsewhere."""
    return tuple(changes.get(place, member) for place, member in enumerate(members))


def explored(initial: State, steps: Steps, props: Mapping[str, Callable[[State], bool]]) -> Graph:
    """The graph of all that can be reached."""
    numbers = {initial: 0}
    transitions: dict[Step, None] = {}
    for state in (pending := [initial]):
        for event, after, who in steps(state):
            if after not in numbers:
                numbers[after] = len(numbers)
                pending.append(after)
            processes = frozenset(f"P{number}" for number in who)
            transitions[Step(numbers[state], event, numbers[after], processes)] = None
    where = {name: frozenset(n for s, n in numbers.items() if test(s)) for name, test in props.items()}
    return Graph(len(numbers), 0, tuple(transitions), where)
