"""CTL and CTL* over fair executions, slowly and by the definitions.

A formula is an atom of `conditions`, a boolean connective, or ("E", path) and ("A", path), where a path
formula is one of `formulas` (X F G U R W) over such formulas. A position is a state with the step into it
(None at the start).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from random import Random

from tests.support.oracle.conditions import (
    CONNECTIVES,
    Assumption,
    combine,
    cuts_of,
    holds_at,
    is_fair_loop,
    parts_by_cutting,
    parts_by_enumeration,
    predicate_text,
)
from tests.support.oracle.formulas import TEMPORAL, Formula
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.lassos import satisfies
from tests.support.oracle.verdict import Edge, Product

Position = tuple[int, Step | None]
ATOMS = ("true", "false", "prop", "event", "enabled", "executed")
QUANTIFIERS = ("E", "A")


class Branching:
    """Where formulas are true, in one graph under one assumption of fairness."""

    def __init__(
        self,
        graph: Graph,
        assumption: Assumption,
        *,
        finite_paths: bool = False,
        enumerates: bool = False,
        always_tableau: bool = False,
    ) -> None:
        self.graph = graph
        self.assumption = assumption
        self.finite_paths = finite_paths
        self.enumerates = enumerates
        self.always_tableau = always_tableau
        self.start: Position = (graph.initial, None)
        self.positions = self._reachable()
        self._cuts = cuts_of(graph, assumption)
        self._where: dict[Formula, frozenset[Position]] = {}
        self._regions: dict[frozenset[Position], frozenset[Position]] = {}

    def successors(self, position: Position) -> list[Position]:
        """The positions that may come next; a state without steps idles, unless paths may be finite."""
        state, _ = position
        steps = self.graph.outgoing(state) if self.finite_paths else self.graph.steps(state)
        return [(t.target, t) for t in steps]

    def _reachable(self) -> list[Position]:
        found = {self.start: None}
        queue = [self.start]
        for position in queue:
            for successor in self.successors(position):
                if successor not in found:
                    found[successor] = None
                    queue.append(successor)
        return queue

    # --- answers

    def verdict(self, f: Formula) -> bool:
        """Whether the formula is true at the start; of a quantifier, no other position is examined."""
        match f:
            case ("E", path) if not self._is_ctl(path):
                return self.start in self.exists_by_tableau(path, [self.start])
            case ("A", path) if not self._is_ctl(path):
                return self.start not in self.exists_by_tableau(("not", path), [self.start])
        return self.start in self.where(f)

    def states(self, f: Formula) -> tuple[set[int], set[int]]:
        """The states where the formula holds whatever the step into them, and those where that matters."""
        true = {state for state, _ in self.where(f)}
        false = {state for state, _ in set(self.positions) - self.where(f)}
        return true - false, true & false

    def where(self, f: Formula) -> frozenset[Position]:
        """The reachable positions at which the formula is true."""
        if f not in self._where:
            self._where[f] = frozenset(self._judge(f))
        return self._where[f]

    def _judge(self, f: Formula) -> Iterable[Position]:
        match f:
            case (word, *_) if word in ATOMS:
                return [p for p in self.positions if holds_at(self.graph, f, *p)]
            case ("E", path) if self._is_ctl(path):
                return self._exists(path)
            case ("A", path) if self._is_ctl(path):
                return set(self.positions) - self._violable(path)
            case ("E", path):
                return self.exists_by_tableau(path, self.positions)
            case ("A", path):
                return set(self.positions) - self.exists_by_tableau(("not", path), self.positions)
        values = [self.where(g) for g in f[1:]]
        return [p for p in self.positions if combine(f[0], [p in value for value in values])]

    def _is_ctl(self, path: Formula) -> bool:
        return not self.always_tableau and path[0] in TEMPORAL and not any(map(is_path_formula, path[1:]))

    # --- CTL

    def _exists(self, path: Formula) -> Set[Position]:
        """Where some fair execution satisfies the path formula."""
        operands = [self.where(g) for g in path[1:]]
        everywhere = frozenset(self.positions)
        match path[0], operands:
            case "X", [f]:
                return self._next(f)
            case "F", [f]:
                return self._until(everywhere, f)
            case "G", [f]:
                return self.fair_region(f)
            case "U", [f, g]:
                return self._until(f, g)
            case "W", [f, g]:
                return self._until(f, g) | self.fair_region(f)
            case "R", [f, g]:
                return self._until(g, f & g) | self.fair_region(g)
        raise ValueError(f"not an operator of CTL: {path!r}")

    def _violable(self, path: Formula) -> Set[Position]:
        """Where some fair execution violates the path formula."""
        everywhere = frozenset(self.positions)
        falsified = [everywhere - self.where(g) for g in path[1:]]
        match path[0], falsified:
            case "X", [not_f]:
                return self._next(not_f)
            case "F", [not_f]:
                return self.fair_region(not_f)
            case "G", [not_f]:
                return self._until(everywhere, not_f)
            case "U", [not_f, not_g]:
                return self._until(not_g, not_f & not_g) | self.fair_region(not_g)
            case "W", [not_f, not_g]:
                return self._until(not_g, not_f & not_g)
            case "R", [not_f, not_g]:
                return self._until(not_f, not_g)
        raise ValueError(f"not an operator of CTL: {path!r}")

    def _next(self, goals: Set[Position]) -> Set[Position]:
        """Where a fair execution is at a goal after one step; whether it is fair, the rest of it decides."""
        fair_goals = goals & self.fair_region(frozenset(self.positions))
        return {p for p in self.positions if any(q in fair_goals for q in self.successors(p))}

    def _until(self, through: Set[Position], goals: Set[Position]) -> Set[Position]:
        fair_goals = goals & self.fair_region(frozenset(self.positions))
        return self._backwards(fair_goals, through)

    def _backwards(self, goals: Set[Position], through: Set[Position]) -> frozenset[Position]:
        """The goals, and those positions of `through` that lead to them by others of `through`."""
        reached = set(goals)
        grown = True
        while grown:
            more = {p for p in through - reached if any(q in reached for q in self.successors(p))}
            reached |= more
            grown = bool(more)
        return frozenset(reached)

    def fair_region(self, inside: frozenset[Position]) -> frozenset[Position]:
        """Where a fair execution begins that never leaves these positions."""
        if inside not in self._regions:
            steps = [step for _, step in inside if step is not None]
            loops: set[Step] = set()
            for part in self._parts(steps, lambda t: t):
                if not loops.issuperset(part) and is_fair_loop(self.graph, part, self.assumption):
                    loops.update(part)
            self._regions[inside] = self._backwards({(t.target, t) for t in loops}, inside)
        return self._regions[inside]

    def _parts(self, edges: Iterable[object], step_of: Callable[..., Step]) -> Iterable[list[object]]:
        if self.enumerates:
            return parts_by_enumeration(edges)
        return parts_by_cutting(edges, [lambda e, kept=kept: step_of(e) in kept for kept in self._cuts])

    # --- CTL*

    def exists_by_tableau(self, path: Formula, among: Sequence[Position]) -> Set[Position]:
        """Where some fair execution satisfies any path formula, by the tableau of `verdict`."""
        unfolded, order, linear = self._unfolded(path)
        found = set()
        for number, position in enumerate(order):
            if position not in among:
                continue
            # the product has the executions that violate what it is given
            product = Product(replace(unfolded, initial=number), ("not", linear))
            if self._has_fair_part(product, order):
                found.add(position)
        return found

    def _has_fair_part(self, product: Product, order: Sequence[Position]) -> bool:
        def step_of(edge: Edge) -> Step:
            step = order[edge.step.target][1]
            assert step is not None
            return step

        return any(
            product.meets_eventualities(part)
            and is_fair_loop(self.graph, map(step_of, part), self.assumption)
            for part in self._parts(product.edges, step_of)
        )

    def _unfolded(self, path: Formula) -> tuple[Graph, list[Position], Formula]:
        """The positions on infinite paths as states of a graph, and the path formula about them."""
        kept = set(self.positions)
        while lost := {p for p in kept if not any(q in kept for q in self.successors(p))}:
            kept -= lost
        order = [p for p in self.positions if p in kept]
        numbers = {p: i for i, p in enumerate(order)}
        steps = tuple(
            Step(numbers[p], "step", numbers[q], frozenset())
            for p in order
            for q in self.successors(p)
            if q in kept
        )
        props: dict[str, frozenset[int]] = {}
        linear = self._abstracted(path, props, numbers)
        return Graph(len(order), 0, steps, props), order, linear

    def _abstracted(
        self, path: Formula, props: dict[str, frozenset[int]], numbers: dict[Position, int]
    ) -> Formula:
        if path[0] in ATOMS or path[0] in QUANTIFIERS:
            name = branching_text(path)
            props[name] = frozenset(numbers[p] for p in self.where(path) if p in numbers)
            return ("prop", name)
        return (path[0], *(self._abstracted(part, props, numbers) for part in path[1:]))

    def satisfies(self, stem: Sequence[Step], loop: Sequence[Step], path: Formula) -> bool:
        """Whether one execution satisfies a path formula; the loop is taken once before it is repeated."""
        unfolded, order, linear = self._unfolded(path)
        numbers = {p: i for i, p in enumerate(order)}
        places = [0, *(numbers[t.target, t] for t in [*stem, *loop, *loop])]
        steps = [Step(one, "step", other, frozenset()) for one, other in pairwise(places)]
        cut = len(stem) + len(loop)
        return satisfies(unfolded, steps[:cut], steps[cut:], linear)


def is_path_formula(f: Formula) -> bool:
    """Whether a temporal operator stands outside of all path quantifiers."""
    if f[0] in ATOMS or f[0] in QUANTIFIERS:
        return False
    return f[0] in TEMPORAL or any(map(is_path_formula, f[1:]))


# --- texts -------------------------------------------------------------------------------------------------


def branching_text(f: Formula, rng: Random | None = None) -> str:
    """The formula in the notation of CTL where it can be, fully parenthesised."""
    match f:
        case (word, *_) if word in ATOMS:
            return predicate_text(f)
        case ("E" | "A", (("X" | "F" | "G") as operator, g)):
            symbols = {"X": "X", "F": "<>", "G": "[]"}
            spelt = symbols[operator] if rng and rng.random() < 0.3 else operator
            return f"{f[0]}{spelt} {branching_text(g, rng)}"
        case ("E" | "A", (("U" | "R" | "W") as operator, g, h)):
            opening, closing = rng.choice(["()", "[]"]) if rng else "()"
            inner = f"{branching_text(g, rng)} {operator} {branching_text(h, rng)}"
            return f"{f[0]}{opening}{inner}{closing}"
        case ("E" | "A", path):
            return f"{f[0]}({branching_text(path, rng)})"
        case ("not", g):
            return f"!{branching_text(g, rng)}"
        case ("X" | "F" | "G", g):
            return f"{f[0]} {branching_text(g, rng)}"
        case (operator, g, h):
            spelt = CONNECTIVES.get(operator, operator)
            return f"({branching_text(g, rng)} {spelt} {branching_text(h, rng)})"
    raise ValueError(f"not a formula: {f!r}")
