"""The meaning of CTL* on small graphs, straight from its definition: the oracle of the tests of CTL*.

`E` is decided by the classical tableau: a graph of pairs (state, which path formulas are true from here),
with an edge where the expansion laws of the operators allow it, in which a path counts if it is fair and
fulfils what it promises. Shares nothing with the code under test.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass

from fairlead.logic import ltl
from fairlead.logic.ltl import Formula

_PATH_UNARY = (ltl.Next, ltl.Eventually, ltl.Always)
_PATH_BINARY = (ltl.Until, ltl.Release, ltl.WeakUntil)
_BOOLEAN = (ltl.And, ltl.Or, ltl.Implies, ltl.Iff)


@dataclass(frozen=True)
class Kripke:
    """States with successors (perhaps none) and true atoms; a fair path is in `fair` again and again."""

    successors: tuple[tuple[int, ...], ...]
    labels: tuple[frozenset[Formula], ...]
    fair: frozenset[int]

    @property
    def states(self) -> range:
        return range(len(self.successors))


def random_kripke(chance: random.Random, atoms: Sequence[ltl.Atom]) -> Kripke:
    """A graph of up to four states, drawn at random."""
    count = chance.randint(1, 4)
    successors = tuple(tuple(state for state in range(count) if chance.random() < 0.45) for _ in range(count))
    labels = tuple(frozenset(atom for atom in atoms if chance.random() < 0.5) for _ in range(count))
    fair = frozenset(state for state in range(count) if chance.random() < 0.7)
    return Kripke(successors, labels, fair)


def states_where(formula: Formula, graph: Kripke) -> frozenset[int]:
    """The states that satisfy a formula about states; a state without successors has no path."""
    match formula:
        case ltl.Constant(value):
            return frozenset(graph.states) if value else frozenset()
        case ltl.Atom():
            return frozenset(state for state in graph.states if formula in graph.labels[state])
        case ltl.Exists(path):
            return _some_path(path, graph)
        case ltl.ForAll(path):
            return frozenset(graph.states) - _some_path(ltl.Not(path), graph)
    parts = [states_where(child, graph) for child in ltl.children(formula)]
    return frozenset(
        state for state in graph.states if _connective(formula, [state in part for part in parts])
    )


def _connective(node: Formula, parts: Sequence[bool]) -> bool:
    match node:
        case ltl.Not():
            return not parts[0]
        case ltl.And():
            return parts[0] and parts[1]
        case ltl.Or():
            return parts[0] or parts[1]
        case ltl.Implies():
            return not parts[0] or parts[1]
        case ltl.Iff():
            return parts[0] == parts[1]
    raise TypeError(node)


def _some_path(path: Formula, graph: Kripke) -> frozenset[int]:
    """The states from which some fair path satisfies the path formula."""
    about_states = _maximal_state_formulas(path)
    facts = {node: states_where(node, graph) for node in about_states}
    order = _path_nodes(path)
    temporal = [node for node in order if isinstance(node, _PATH_UNARY + _PATH_BINARY)]
    # a vertex: a state, and which temporal formulas are true of the path from here
    vertices = []
    for state in graph.states:
        for guess in itertools.product((False, True), repeat=len(temporal)):
            truth = {node: state in where for node, where in facts.items()}
            truth |= dict(zip(temporal, guess, strict=True))
            for node in order:
                if node not in truth:
                    truth[node] = _connective(node, [truth[child] for child in ltl.children(node)])
            vertices.append((state, truth))
    edges = [
        [
            target
            for target, (successor, after) in enumerate(vertices)
            if successor in graph.successors[state] and all(_expands(n, truth, after) for n in temporal)
        ]
        for state, truth in vertices
    ]
    goals = [{place for place, (state, _) in enumerate(vertices) if state in graph.fair}]
    goals += [
        {place for place, (_, truth) in enumerate(vertices) if _is_settled(node, truth)} for node in temporal
    ]
    alive = _on_fair_paths(edges, goals)
    return frozenset(vertices[place][0] for place in alive if vertices[place][1][path])


def _maximal_state_formulas(path: Formula) -> list[Formula]:
    found: list[Formula] = []
    stack = [path]
    while stack:
        node = stack.pop()
        if isinstance(node, ltl.Constant | ltl.Atom | ltl.Exists | ltl.ForAll):
            found.append(node)
        else:
            stack += ltl.children(node)
    return found


def _path_nodes(path: Formula) -> list[Formula]:
    """The distinct parts of a path formula, operands first."""
    found: dict[Formula, None] = {}

    def visit(node: Formula) -> None:
        if not isinstance(node, ltl.Constant | ltl.Atom | ltl.Exists | ltl.ForAll):
            for child in ltl.children(node):
                visit(child)
        found.setdefault(node)

    visit(path)
    return list(found)


def _expands(node: Formula, now: dict[Formula, bool], after: dict[Formula, bool]) -> bool:
    """Whether the truth of a temporal formula now agrees with its truth at the next position."""
    parts = [now[child] for child in ltl.children(node)]
    match node:
        case ltl.Next(operand):
            return now[node] == after[operand]
        case ltl.Eventually():
            return now[node] == (parts[0] or after[node])
        case ltl.Always():
            return now[node] == (parts[0] and after[node])
        case ltl.Until() | ltl.WeakUntil():
            return now[node] == (parts[1] or (parts[0] and after[node]))
        case ltl.Release():
            return now[node] == (parts[1] and (parts[0] or after[node]))
    raise TypeError(node)


def _is_settled(node: Formula, truth: dict[Formula, bool]) -> bool:
    """What is true infinitely often where the expansion law is solved as the operator means it."""
    parts = [truth[child] for child in ltl.children(node)]
    match node:
        case ltl.Eventually():
            return not truth[node] or parts[0]
        case ltl.Until():
            return not truth[node] or parts[1]
        case ltl.Always():
            return truth[node] or not parts[0]
        case ltl.WeakUntil():
            return truth[node] or not parts[0]
        case ltl.Release():
            return truth[node] or not parts[1]
    return True


def _on_fair_paths(edges: list[list[int]], goals: list[set[int]]) -> set[int]:
    """The vertices from which some path meets every goal again and again (Emerson & Lei's fixpoint)."""
    alive = set(range(len(edges)))
    while True:
        before = len(alive)
        for goal in goals:
            reaching = alive & goal
            frontier = True
            while frontier:
                frontier = {v for v in alive - reaching if any(w in reaching for w in edges[v])}
                reaching |= frontier
            alive = {v for v in alive if any(w in reaching for w in edges[v])}
        if len(alive) == before:
            return alive


def random_state_formula(chance: random.Random, atoms: Sequence[ltl.Atom], size: int) -> Formula:
    """A formula about states with about `size` operators, drawn at random."""
    if size <= 0:
        return chance.choice((ltl.TRUE, ltl.FALSE)) if chance.random() < 0.05 else chance.choice(atoms)
    kind = chance.random()
    if kind < 0.6:
        quantifier = chance.choice((ltl.Exists, ltl.ForAll))
        return quantifier(random_path_formula(chance, atoms, size - 1))
    if kind < 0.7:
        return ltl.Not(random_state_formula(chance, atoms, size - 1))
    left = chance.randint(0, size - 1)
    return chance.choice(_BOOLEAN)(
        random_state_formula(chance, atoms, left), random_state_formula(chance, atoms, size - 1 - left)
    )


def random_path_formula(chance: random.Random, atoms: Sequence[ltl.Atom], size: int) -> Formula:
    """A formula about paths with about `size` operators, drawn at random."""
    if size <= 0 or chance.random() < 0.3:
        return random_state_formula(chance, atoms, size)
    if chance.random() < 0.5:
        return chance.choice((*_PATH_UNARY, ltl.Not))(random_path_formula(chance, atoms, size - 1))
    left = chance.randint(0, size - 1)
    return chance.choice(_PATH_BINARY + _BOOLEAN)(
        random_path_formula(chance, atoms, left), random_path_formula(chance, atoms, size - 1 - left)
    )
