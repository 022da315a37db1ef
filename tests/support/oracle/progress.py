"""Terminal sets of small graphs and what they violate, straight from the definitions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tests.support.oracle.behaviour import TAU, distances
from tests.support.oracle.graphs import Graph, Step

EVENTS = ("a", "b", "c", "d")


@dataclass(frozen=True)
class TerminalStates:
    states: frozenset[int]
    actions: frozenset[str]


def random_terminal_graph(rng: Random, max_states: int = 8) -> Graph:
    """A small graph; where transitions mostly lead forward it has several terminal sets."""
    states = rng.randint(1, max_states)
    forward = rng.choice([0.0, 0.5, 0.8, 0.95])
    internal = rng.choice([0.0, 0.2, 0.7])
    dead = rng.choice([0.0, 0.15, 0.4])
    names = EVENTS[: rng.randint(1, 4)]
    initial = 0 if forward else rng.randrange(states)
    steps = []
    for source in range(states):
        if rng.random() < dead:
            continue
        for _ in range(rng.choice([1, 1, 2, 2, 3])):
            target = rng.randrange(source, states) if rng.random() < forward else rng.randrange(states)
            event = TAU if rng.random() < internal else rng.choice(names)
            steps.append(Step(source, event, target, frozenset(rng.sample("PQ", rng.choice([1, 1, 2])))))
    order = list(range(states))  # numbers tell nothing about distances
    rng.shuffle(order)
    renamed = [Step(order[s.source], s.event, order[s.target], s.processes) for s in dict.fromkeys(steps)]
    return Graph(states, order[initial], tuple(renamed), {})


def reachable_pairs(graph: Graph) -> list[set[int]]:
    """For each state those that can be reached from it, with itself: by closing the relation."""
    found = [{state} | {step.target for step in graph.outgoing(state)} for state in range(graph.states)]
    for middle in range(graph.states):
        for state in range(graph.states):
            if middle in found[state]:
                found[state] |= found[middle]
    return found


def terminal_sets(graph: Graph) -> list[TerminalStates]:
    """C is terminal iff for each of its states just the states of C are reachable from it."""
    reach = reachable_pairs(graph)
    candidates = {frozenset(reach[state]) for state in reach[graph.initial]}
    return [
        TerminalStates(
            states,
            frozenset(
                step.event
                for state in states
                for step in graph.outgoing(state)
                if step.event is not None and step.event != TAU
            ),
        )
        for states in candidates
        if all(reach[state] == states for state in states)
    ]


def nearest_distance(graph: Graph, sets: Iterable[TerminalStates]) -> int:
    far = distances(graph)
    return min(far[state] for terminal in sets for state in terminal.states)


def cycle_length(graph: Graph, state: int) -> int:
    """Of a shortest cycle through a state (1 for idling)."""
    if not graph.outgoing(state):
        return 1
    level, length = {step.target for step in graph.outgoing(state)}, 1
    while state not in level:
        level = {step.target for other in level for step in graph.outgoing(other)}
        length += 1
    return length
