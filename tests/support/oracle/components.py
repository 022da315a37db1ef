"""Components as evidence, by the definition: does a fair violation take just these transitions forever?"""

from __future__ import annotations

from collections.abc import Sequence, Set
from random import Random

from tests.support.oracle.fairness import is_fair
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.verdict import Edge, Product, maximal_components


def violating_tour(
    graph: Graph, formula: Formula, stem: Sequence[Step], steps: Set[Step]
) -> tuple[list[Step], list[Step]] | None:
    """A longer stem, and a loop after it, that take no other steps and violate the formula; or None.

    The loop takes all of the steps.
    """
    product = Product(graph, formula)
    outgoing: dict[object, list[Edge]] = {}
    for edge in product.edges:
        outgoing.setdefault(edge.source, []).append(edge)
    nodes = set(product.initial)
    for step in stem:
        nodes = {edge.target for node in nodes for edge in outgoing.get(node, ()) if edge.step == step}
    inside = [edge for edge in _reachable(outgoing, nodes) if edge.step in steps]
    reached = _closure(inside, nodes)
    for component in maximal_components([edge for edge in inside if edge.source in reached]):
        if {edge.step for edge in component} == steps and product.meets_eventualities(component):
            first = component[0].source
            way = min(
                (_way(inside, node, first) for node in nodes if first in _closure(inside, {node})), key=len
            )
            return [*stem, *(edge.step for edge in way)], _tour(component)
    return None


def _reachable(outgoing: dict[object, list[Edge]], nodes: Set[object]) -> list[Edge]:
    seen, found, pending = set(nodes), [], list(nodes)
    while pending:
        for edge in outgoing.get(pending.pop(), ()):
            found.append(edge)
            if edge.target not in seen:
                seen.add(edge.target)
                pending.append(edge.target)
    return found


def _closure(edges: Sequence[Edge], nodes: Set[object]) -> set[object]:
    outgoing: dict[object, list[Edge]] = {}
    for edge in edges:
        outgoing.setdefault(edge.source, []).append(edge)
    return {edge.target for edge in _reachable(outgoing, nodes)} | set(nodes)


def _tour(component: list[Edge]) -> list[Step]:
    """All edges of a component in turn, back to the source of the first one."""
    at = first = component[0].source
    loop: list[Edge] = []
    for edge in component:
        loop += [*_way(component, at, edge.source), edge]
        at = edge.target
    loop += _way(component, at, first)
    return [edge.step for edge in loop]


def _way(component: Sequence[Edge], start: object, goal: object) -> list[Edge]:
    came: dict[object, Edge | None] = {start: None}
    queue = [start]
    for node in queue:
        for edge in component:
            if edge.source == node and edge.target not in came:
                came[edge.target] = edge
                queue.append(edge.target)
    found: list[Edge] = []
    while (edge := came[goal]) is not None:
        found.append(edge)
        goal = edge.source
    return found[::-1]


def is_component(steps: Set[Step]) -> bool:
    """Whether there are steps, and each can be followed, sooner or later, by each."""
    arcs = {(step.source, step.target) for step in steps}
    states = {state for arc in arcs for state in arc}
    return bool(steps) and all(_reached(arcs, state) == states for state in states)


def _reached(arcs: Set[tuple[int, int]], start: int) -> set[int]:
    found = {start}
    while more := {b for a, b in arcs if a in found} - found:
        found |= more
    return found


def is_fair_component(graph: Graph, steps: Set[Step], notion: str) -> bool:
    """Whether executions that take just these steps forever are fair."""
    if notion == "sgf":  # the oracle of verdicts does not tell transitions apart by who takes part
        return all(
            step in steps for state in {step.source for step in steps} for step in graph.outgoing(state)
        )
    return is_fair(graph, {step.source for step in steps}, steps, notion)


def random_stem_and_component(rng: Random, graph: Graph) -> tuple[list[Step], frozenset[Step]] | None:
    """A random walk, and random strongly connected transitions through its last state, if there are any."""
    stem: list[Step] = []
    state = graph.initial
    for _ in range(rng.randrange(5)):
        stem.append(rng.choice(graph.steps(state)))
        state = stem[-1].target
    dropped = rng.choice([0.0, 0.0, 0.1, 0.3])
    steps = {step for s in range(graph.states) for step in graph.steps(s) if rng.random() >= dropped}
    arcs = {(step.source, step.target) for step in steps}
    here = {other for other in _reached(arcs, state) if state in _reached(arcs, other)}
    kept = frozenset(step for step in steps if step.source in here and step.target in here)
    return (stem, kept) if kept else None


def random_loop(rng: Random, steps: Set[Step], start: int) -> list[Step]:
    """A random walk among the steps from a state to itself."""
    loop: list[Step] = []
    state = start
    while not loop or state != start:
        choices = sorted((step for step in steps if step.source == state), key=repr)
        loop.append(rng.choice(choices))
        state = loop[-1].target
    return loop
