"""Stopping, determinism and divergence of small graphs with internal steps, straight from the definitions."""

from __future__ import annotations

from random import Random

from tests.support.oracle.graphs import Graph, random_graph

TAU = "tau"


def random_internal_graph(rng: Random, max_states: int = 6) -> Graph:
    """A random graph in which some or most of the steps are internal."""
    graph = random_graph(rng, max_states)
    share = rng.choice([0.1, 0.3, 0.6])
    steps = [step._replace(event=TAU) if rng.random() < share else step for step in graph.transitions]
    return Graph(graph.states, graph.initial, tuple(dict.fromkeys(steps)), graph.props)


def distances(graph: Graph) -> dict[int, int]:
    """The reachable states with the number of steps to each."""
    found = {graph.initial: 0}
    for state in (queue := [graph.initial]):
        for step in graph.outgoing(state):
            if step.target not in found:
                found[step.target] = found[state] + 1
                queue.append(step.target)
    return found


def internal_targets(graph: Graph, state: int) -> set[int]:
    return {step.target for step in graph.outgoing(state) if step.event == TAU}


def on_internal_cycle(graph: Graph, state: int) -> bool:
    """Whether internal steps lead from a state back to it."""
    met: set[int] = set()
    pending = internal_targets(graph, state)
    while pending - met:
        met |= pending
        pending = set().union(*(internal_targets(graph, other) for other in met))
    return state in met


def has_two_successors(graph: Graph, state: int) -> bool:
    steps = graph.outgoing(state)
    return any(a.event == b.event and a.target != b.target for a in steps for b in steps)


def nearest(graph: Graph, kind: str) -> int | None:
    """The distance of the nearest state that violates an assertion, if there is one."""
    bad = {
        "nonterminating": lambda state: not graph.outgoing(state),
        "deterministic": lambda state: has_two_successors(graph, state),
        "divergencefree": lambda state: on_internal_cycle(graph, state),
    }[kind]
    return min((far for state, far in distances(graph).items() if bad(state)), default=None)
