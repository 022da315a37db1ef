"""Infinite executions of a program, judged by the definitions: acceptance and non-progress, fair or not.

An execution that ends repeats its last state, which is a cycle for acceptance and formulas, not for progress.
Under weak fairness of processes, a process that is enabled in all states of a cycle takes part in one of its
steps. What happens infinitely often lies in one strongly connected component. If a part of a component is
weakly fair, so is the whole: the maximal ones decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from tests.support.promela.exploring import Edge, Explored
from tests.support.promela.interpreter import State


def at_label(state: State, prefix: str) -> bool:
    """Whether some process is at a label that begins so."""
    return any(label.startswith(prefix) for one in state.processes for label in one.location.labels)


def has_acceptance_cycle(explored: Explored, is_fair: bool) -> bool:
    """Whether an execution is at accept labels infinitely often, and weakly fair if that is asked."""
    accepting = {n for n, state in enumerate(explored.states) if at_label(state, "accept")}
    return any(
        accepting & states and (not is_fair or _is_weakly_fair(explored, states, inside))
        for states, inside in _components(explored, range(len(explored.states)))
    )


def has_non_progress_cycle(explored: Explored, is_fair: bool) -> bool:
    """Whether an execution with infinitely many steps is eventually never again at a progress label."""
    rest = [n for n, state in enumerate(explored.states) if not at_label(state, "progress")]
    return any(
        inside and (not is_fair or _is_weakly_fair(explored, states, inside))
        for states, inside in _components(explored, rest)
    )


def violates_eventually_always(explored: Explored, wanted: Callable[[State], bool], is_fair: bool) -> bool:
    """Whether an execution violates `<>[] wanted`."""
    return any(
        (not is_fair or _is_weakly_fair(explored, states, inside))
        and not all(wanted(explored.states[state]) for state in states)
        for states, inside in _components(explored, range(len(explored.states)))
    )


def violates_always_eventually(explored: Explored, wanted: Callable[[State], bool], is_fair: bool) -> bool:
    """Whether an execution violates `[]<> wanted`."""
    rest = [n for n, state in enumerate(explored.states) if not wanted(state)]
    return any(
        not is_fair or _is_weakly_fair(explored, states, inside)
        for states, inside in _components(explored, rest)
    )


def _is_weakly_fair(explored: Explored, states: Collection[int], inside: Iterable[Edge]) -> bool:
    """Whether the execution that takes all of a component is fair."""
    always = set.intersection(*(_enabled(explored, state) for state in states))
    return always <= {pid for edge in inside for pid in edge.processes}


def _enabled(explored: Explored, state: int) -> set[int]:
    """The processes that take part in a step from a state."""
    return {pid for edge in explored.edges if edge.source == state for pid in edge.processes}


def _components(explored: Explored, within: Iterable[int]) -> list[tuple[set[int], list[Edge]]]:
    """Maximal strongly connected components with a cycle, and their edges; a state without steps is one."""
    kept = set(within)
    after: dict[int, set[int]] = {state: set() for state in kept}
    before: dict[int, set[int]] = {state: set() for state in kept}
    for edge in explored.edges:
        if edge.source in kept and edge.target in kept:
            after[edge.source].add(edge.target)
            before[edge.target].add(edge.source)
    moving = {edge.source for edge in explored.edges}
    found: list[tuple[set[int], list[Edge]]] = []
    left = set(kept)
    while left:
        start = next(iter(left))
        states = _reached(start, after) & _reached(start, before)
        left -= states
        inside = [edge for edge in explored.edges if edge.source in states and edge.target in states]
        if inside or start not in moving:
            found.append((states, inside))
    return found


def _reached(start: int, after: dict[int, set[int]]) -> set[int]:
    found, pending = {start}, [start]
    while pending:
        fresh = after[pending.pop()] - found
        found |= fresh
        pending += fresh
    return found
