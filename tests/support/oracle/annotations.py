"""Fairness to single events, word for word, and what follows from it, by brute force."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from random import Random
from typing import NamedTuple

from tests.support.oracle.fairness import is_fair
from tests.support.oracle.formulas import Formula, random_formula
from tests.support.oracle.graphs import Graph, Step, random_graph
from tests.support.oracle.verdict import (
    Component,
    Product,
    _states_enabling_the_unengaged,
    all_components,
    maximal_components,
)

KINDS = ("f", "wf", "sf", "wl", "sl")


class Note(NamedTuple):
    """An annotation: its kind, the event, and the states in which a step so annotated is ready."""

    kind: str
    event: str
    ready: frozenset[int]

    def __str__(self) -> str:
        return f"{self.kind}({self.event})"


def wanted(graph: Graph, note: Note, state: int) -> bool:
    """Whether the event is enabled in a state, or, for wl and sl, ready."""
    if note.kind in ("wl", "sl"):
        return state in note.ready
    return any(t.event == note.event for t in graph.outgoing(state))


def is_fair_to(graph: Graph, states: Set[int], steps: Set[Step], note: Note) -> bool:
    """Fairness to one event of an execution that does exactly this infinitely often."""
    if any(t.event == note.event for t in steps):
        return True
    match note.kind:
        case "f":
            return False
        case "wf" | "wl":
            return not all(wanted(graph, note, s) for s in states)
        case "sf" | "sl":
            return not any(wanted(graph, note, s) for s in states)
    raise ValueError(note.kind)


def reachable(graph: Graph) -> list[int]:
    """The states, nearest first."""
    found = {graph.initial: None}
    queue = list(found)
    for state in queue:
        for t in graph.outgoing(state):
            if t.target not in found:
                found[t.target] = None
                queue.append(t.target)
    return queue


def in_force(graph: Graph, notes: Iterable[Note]) -> list[Note]:
    """Those that are ready in some reachable state."""
    states = set(reachable(graph))
    return [note for note in notes if note.ready & states]


def is_fair_component(product: Product, component: Component, notion: str, notes: Sequence[Note]) -> bool:
    states = {e.source.state for e in component}
    steps = {e.step for e in component}
    return is_fair(product.graph, states, steps, notion) and all(
        is_fair_to(product.graph, states, steps, note) for note in notes
    )


def find_fair(product: Product, notion: str, notes: Sequence[Note]) -> Component | None:
    """A strongly connected set of edges that meets every eventuality and is fair to everybody, or None.

    What is fair and lies in a component avoids every state where a strong demand is made for something that
    the component never does; so those states go, and the components of the rest are searched.
    """
    graph = product.graph
    work = maximal_components(product.edges)
    while work:
        component = work.pop()
        if product.meets_eventualities(component) and is_fair_component(product, component, notion, notes):
            return component
        bad = _states_enabling_the_unengaged(graph, component, notion) if notion in ("esf", "psf") else set()
        engaged = {e.step.event for e in component}
        starving = [note for note in notes if note.kind in ("sf", "sl") and note.event not in engaged]
        bad |= {e.source.state for e in component if any(wanted(graph, n, e.source.state) for n in starving)}
        if bad:
            work += maximal_components(
                [e for e in component if e.source.state not in bad and e.target.state not in bad]
            )
    return None


def find_fair_by_enumeration(
    product: Product, notion: str, notes: Sequence[Note], max_edges: int
) -> bool | None:
    """Whether some set of edges is fair and violates the formula, trying all; None if that is too many."""
    components = all_components(product, max_edges)
    if components is None:
        return None
    return any(
        product.meets_eventualities(component) and is_fair_component(product, component, notion, notes)
        for component in components
    )


def unfair_states(graph: Graph, notion: str, notes: Sequence[Note]) -> set[int]:
    """The reachable states from which no execution is fair."""
    return {
        state
        for state in reachable(graph)
        if find_fair(Product(replace(graph, initial=state), ("false",)), notion, notes) is None
    }


def distance(graph: Graph, goals: Set[int]) -> int:
    """How many steps the nearest of the goals is away from the initial state."""
    layer, seen, steps = {graph.initial}, {graph.initial}, 0
    while not layer & goals:
        layer = {t.target for s in layer for t in graph.outgoing(s)} - seen
        seen |= layer
        steps += 1
    return steps


def to_json(graph: Graph, notes: Iterable[Note]) -> str:
    data = json.loads(graph.to_json())
    data["annotations"] = {str(note): sorted(note.ready) for note in notes}
    return json.dumps(data)


def random_notes(rng: Random, graph: Graph) -> list[Note]:
    """A few annotations; a step is mostly ready where the event is enabled, and sometimes elsewhere."""
    kinds = rng.choice([KINDS, KINDS, ("wf", "sf"), ("f", "sf"), ("wl", "sl")])
    notes: dict[tuple[str, str], Note] = {}
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        event = "z" if rng.random() < 0.03 or not graph.events() else rng.choice(graph.events())
        ready = {
            s
            for s in range(graph.states)
            if rng.random() < (0.85 if any(t.event == event for t in graph.outgoing(s)) else 0.2)
        }
        kind = rng.choice(kinds)
        notes[kind, event] = Note(kind, event, frozenset(ready or {rng.randrange(graph.states)}))
    return list(notes.values())


def random_annotated_case(seed: int, notions: Sequence[str]) -> tuple[Graph, list[Note], Formula, str]:
    """A graph, its annotations, a formula and a notion.

    Annotations rarely matter to a formula, so a share of the cases is picked where they do.
    """
    rng = Random(seed)
    telling = rng.random() < 0.5
    for _ in range(20):
        graph = random_graph(rng)
        notes = random_notes(rng, graph)
        formula = random_formula(rng, list(graph.props), graph.events())
        notion = rng.choice(notions)
        if not telling:
            break
        product = Product(graph, formula)
        without, all_of_them = ([], in_force(graph, notes))
        if (find_fair(product, notion, without) is None) != (find_fair(product, notion, all_of_them) is None):
            break
    return graph, notes, formula, notion
