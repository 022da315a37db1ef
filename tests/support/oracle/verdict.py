"""The exact verdict: the product of a graph with the tableau of a formula, searched for a fair violation.

A node of the product is (state, event into it, promises), where the promises guess which X g hold here and,
for each F G U R W subformula g, whether g holds at the next position. The letter and the promises decide the
truth of every subformula; an edge exists where the next node keeps the promises. The paths that do not put
off an eventuality forever are exactly the executions, each with the true values of all subformulas.

What a path does infinitely often is a strongly connected set C of edges, and every such C can be traversed
forever. So a fair violation exists iff some reachable C meets every eventuality and is fair.
`find_component` searches for it by cutting maximal components, `all_components` by trying every set of edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import product as cartesian
from random import Random
from typing import NamedTuple

from tests.support.oracle.fairness import NOTIONS, is_fair
from tests.support.oracle.formulas import TEMPORAL, Formula, random_formula, subformulas
from tests.support.oracle.graphs import Graph, Step, random_graph

Promises = tuple[bool, ...]
Values = dict[Formula, bool]


class Node(NamedTuple):
    state: int
    event: str | None
    promises: Promises


class Edge(NamedTuple):
    source: Node
    step: Step
    target: Node


Component = list[Edge]


def verdict(graph: Graph, formula: Formula, fairness: str) -> bool:
    """True iff every fair execution of the graph satisfies the formula."""
    return find_component(Product(graph, formula), fairness) is None


def verdicts(graph: Graph, formula: Formula) -> dict[str, bool]:
    """The verdict under each notion, from one product."""
    product = Product(graph, formula)
    return {notion: find_component(product, notion) is None for notion in NOTIONS}


def random_case(seed: int, *, with_props: bool = True) -> tuple[Graph, Formula, str]:
    """A graph, a formula over its propositions and events, and a notion; without props it survives `to_aut`.

    Most pairs have the same verdict under every notion, so a share of the cases is picked where they differ.
    """
    rng = Random(seed)
    telling = rng.random() < 0.35
    graph, formula = _random_pair(rng, with_props)
    for _ in range(20):
        if not telling or len(set(verdicts(graph, formula).values())) > 1:
            break
        graph, formula = _random_pair(rng, with_props)
    return graph, formula, rng.choice(NOTIONS)


def _random_pair(rng: Random, with_props: bool) -> tuple[Graph, Formula]:
    graph = random_graph(rng)
    while not with_props and not graph.transitions:
        graph = random_graph(rng)
    if not with_props:
        graph = Graph(graph.states, graph.initial, graph.transitions, {})
    return graph, random_formula(rng, list(graph.props), graph.events())


def witness(graph: Graph, formula: Formula, fairness: str) -> tuple[list[Step], list[Step]] | None:
    """A fair violating lasso (not a short one): reach the component, then take each of its edges in turn."""
    product = Product(graph, formula)
    component = find_component(product, fairness)
    if component is None:
        return None
    start = component[0].source
    stem = _path(product.edges, product.initial, start)
    loop: list[Edge] = []
    at = start
    for edge in component:
        loop += [*_path(component, [at], edge.source), edge]
        at = edge.target
    loop += _path(component, [at], start)
    return [e.step for e in stem], [e.step for e in loop]


# --- the product -------------------------------------------------------------------------------------------


class Product:
    """The reachable product of a graph and the tableau of the executions that violate a formula."""

    def __init__(self, graph: Graph, formula: Formula) -> None:
        self.graph = graph
        self.subformulas = subformulas(formula)
        self.temporal = [f for f in self.subformulas if f[0] in TEMPORAL]
        self._values: dict[tuple[frozenset[str], str | None], dict[Promises, Values]] = {}
        self._keepers: dict[tuple[frozenset[str], str | None], dict[Promises, list[Promises]]] = {}
        self._true_props = [
            frozenset(name for name, where in graph.props.items() if s in where) for s in range(graph.states)
        ]
        table = self._table(graph.initial, None)
        # No step leads into position 0, so no event is true there.
        self.initial = [
            Node(graph.initial, None, promises) for promises, values in table.items() if not values[formula]
        ]
        self.edges = self._explore()

    def values(self, node: Node) -> Values:
        return self._table(node.state, node.event)[node.promises]

    def _table(self, state: int, event: str | None) -> dict[Promises, Values]:
        """For each way to promise, the truth of every subformula at a position with this state and event."""
        letter = (self._true_props[state], event)
        if letter not in self._values:
            self._values[letter] = {
                promises: self._evaluate(letter, dict(zip(self.temporal, promises, strict=True)))
                for promises in cartesian([False, True], repeat=len(self.temporal))
            }
        return self._values[letter]

    def _evaluate(self, letter: tuple[frozenset[str], str | None], promise: Values) -> Values:
        """Truth of each subformula by the expansion laws, `promise[f]` standing for the next position."""
        true_props, event = letter
        v: Values = {}
        for f in self.subformulas:
            match f:
                case ("true",):
                    v[f] = True
                case ("false",):
                    v[f] = False
                case ("prop", name):
                    v[f] = name in true_props
                case ("event", name):
                    v[f] = name == event
                case ("not", g):
                    v[f] = not v[g]
                case ("and", g, h):
                    v[f] = v[g] and v[h]
                case ("or", g, h):
                    v[f] = v[g] or v[h]
                case ("implies", g, h):
                    v[f] = not v[g] or v[h]
                case ("iff", g, h):
                    v[f] = v[g] == v[h]
                case ("X", _):
                    v[f] = promise[f]
                case ("F", g):
                    v[f] = v[g] or promise[f]
                case ("G", g):
                    v[f] = v[g] and promise[f]
                case ("U", g, h) | ("W", g, h):
                    v[f] = v[h] or (v[g] and promise[f])
                case ("R", g, h):
                    v[f] = v[h] and (v[g] or promise[f])
                case _:
                    raise ValueError(f"not a formula: {f!r}")
        return v

    def _kept_by(self, state: int, event: str | None) -> dict[Promises, list[Promises]]:
        """Which promises of a node are kept by a next node with this state and event: promises -> its own."""
        letter = (self._true_props[state], event)
        if letter not in self._keepers:
            keepers: dict[Promises, list[Promises]] = {}
            for own, values in self._table(state, event).items():
                kept = tuple(values[f[1] if f[0] == "X" else f] for f in self.temporal)
                keepers.setdefault(kept, []).append(own)
            self._keepers[letter] = keepers
        return self._keepers[letter]

    def _explore(self) -> list[Edge]:
        steps = [self.graph.steps(s) for s in range(self.graph.states)]
        seen, stack, edges = set(self.initial), list(self.initial), []
        while stack:
            node = stack.pop()
            for step in steps[node.state]:
                for promises in self._kept_by(step.target, step.event).get(node.promises, ()):
                    target = Node(step.target, step.event, promises)
                    edges.append(Edge(node, step, target))
                    if target not in seen:
                        seen.add(target)
                        stack.append(target)
        return edges

    @cached_property
    def eventualities(self) -> list[Callable[[Values], bool]]:
        """Per temporal subformula, what must be true infinitely often so that none of its promises is empty.

        The expansion laws have two solutions; F and U are the least one, G, R and W the greatest. The other
        one differs only if from some point on F or U is always true unfulfilled, or G, R, W false unrefuted.
        """
        conditions: list[Callable[[Values], bool]] = []
        for f in self.temporal:
            match f:
                case ("F", g) | ("U", _, g):
                    conditions.append(lambda v, f=f, g=g: not v[f] or v[g])  # type: ignore[misc]
                case ("G", g) | ("W", g, _) | ("R", _, g):
                    conditions.append(lambda v, f=f, g=g: v[f] or not v[g])  # type: ignore[misc]
        return conditions

    def meets_eventualities(self, component: Iterable[Edge]) -> bool:
        nodes = {e.source for e in component}
        return all(any(met(self.values(n)) for n in nodes) for met in self.eventualities)

    def is_fair(self, component: Iterable[Edge], fairness: str) -> bool:
        component = list(component)
        return is_fair(self.graph, {e.source.state for e in component}, {e.step for e in component}, fairness)


# --- the search by cutting ---------------------------------------------------------------------------------


def find_component(product: Product, fairness: str) -> Component | None:
    """A strongly connected set of edges that meets every eventuality and is fair, or None.

    Eventualities, weak fairness and sgf pass from a set to every strongly connected set around it, so maximal
    components decide. (Weak: a node that does not enable x, or an edge that engages x, is still there. Sgf:
    a set with all system transitions of its states cannot be left, so the larger one has the same states.)
    Under strong fairness, no fair part visits a state that enables what the whole component never engages:
    those states go, and the components of the rest are searched.
    """
    work = maximal_components(product.edges)
    while work:
        component = work.pop()
        if not product.meets_eventualities(component):
            continue
        if product.is_fair(component, fairness):
            return component
        if fairness in ("esf", "psf"):
            bad = _states_enabling_the_unengaged(product.graph, component, fairness)
            work += maximal_components(
                [e for e in component if e.source.state not in bad and e.target.state not in bad]
            )
    return None


def _states_enabling_the_unengaged(graph: Graph, component: Component, fairness: str) -> set[int]:
    def subjects(step: Step) -> set[str]:
        if fairness == "psf":
            return set(step.processes)
        return set() if step.event is None else {step.event}

    engaged = {x for e in component for x in subjects(e.step)}
    return {
        s
        for s in {e.source.state for e in component}
        if any(x not in engaged for t in graph.outgoing(s) for x in subjects(t))
    }


def maximal_components(edges: Iterable[Edge]) -> list[Component]:
    """The edges inside each strongly connected component, where there are any (Kosaraju's two passes)."""
    edges = list(edges)
    forward: dict[Node, list[Node]] = {}
    backward: dict[Node, list[Node]] = {}
    for e in edges:
        forward.setdefault(e.source, []).append(e.target)
        backward.setdefault(e.target, []).append(e.source)
    finished: list[Node] = []
    seen: set[Node] = set()
    for root in forward:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(forward[root]))]
        while stack:
            node, successors = stack[-1]
            for successor in successors:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(forward.get(successor, ()))))
                    break
            else:
                finished.append(node)
                stack.pop()
    component_of: dict[Node, Node] = {}
    for root in reversed(finished):
        if root in component_of:
            continue
        component_of[root] = root
        todo = [root]
        while todo:
            for predecessor in backward.get(todo.pop(), ()):
                if predecessor not in component_of:
                    component_of[predecessor] = root
                    todo.append(predecessor)
    components: dict[Node, Component] = {}
    for e in edges:
        if component_of[e.source] == component_of[e.target]:
            components.setdefault(component_of[e.source], []).append(e)
    return list(components.values())


# --- the search by trying everything -----------------------------------------------------------------------


def all_components(product: Product, max_edges: int) -> Iterator[Component] | None:
    """Every strongly connected set of edges; None if a maximal component has more than `max_edges`."""
    maximal = maximal_components(product.edges)
    if any(len(component) > max_edges for component in maximal):
        return None
    return (
        chosen
        for component in maximal
        for mask in range(1, 1 << len(component))
        if strongly_connected(chosen := [e for i, e in enumerate(component) if mask >> i & 1])
    )


def strongly_connected(edges: Component) -> bool:
    """Whether each edge can be followed, sooner or later, by each edge of the set, itself included."""
    nodes = {n for e in edges for n in (e.source, e.target)}
    first = edges[0].source
    forth = _closure({first}, [(e.source, e.target) for e in edges])
    back = _closure({first}, [(e.target, e.source) for e in edges])
    return forth == nodes == back


def _closure(reached: set[Node], arcs: list[tuple[Node, Node]]) -> set[Node]:
    grown = True
    while grown:
        more = {b for a, b in arcs if a in reached} - reached
        reached = reached | more
        grown = bool(more)
    return reached


def verdicts_by_enumeration(graph: Graph, formula: Formula, max_edges: int = 14) -> dict[str, bool] | None:
    """The verdicts by trying every set of edges; None where that would be too many."""
    product = Product(graph, formula)
    components = all_components(product, max_edges)
    if components is None:
        return None
    result = dict.fromkeys(NOTIONS, True)
    for component in components:
        if product.meets_eventualities(component):
            for notion in NOTIONS:
                if result[notion] and product.is_fair(component, notion):
                    result[notion] = False
    return result


def _path(edges: Iterable[Edge], sources: Iterable[Node], goal: Node) -> list[Edge]:
    """A shortest path to the goal, which must be reachable; no edge at all if a source is the goal."""
    outgoing: dict[Node, list[Edge]] = {}
    for e in edges:
        outgoing.setdefault(e.source, []).append(e)
    came_by: dict[Node, Edge | None] = dict.fromkeys(sources)
    queue = deque(came_by)
    while goal not in came_by:
        for e in outgoing.get(queue.popleft(), ()):
            if e.target not in came_by:
                came_by[e.target] = e
                queue.append(e.target)
    path: list[Edge] = []
    while (edge := came_by[goal]) is not None:
        path.append(edge)
        goal = edge.source
    return path[::-1]
