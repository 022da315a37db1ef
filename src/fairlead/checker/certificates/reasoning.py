"""Finds the labels of a certificate: a rank for every node, and for every class a reason.

Classes are strongly connected, or several of them with one reason. Who finds no reason has found a fair
execution that violates the formula: then the search has made a mistake.
"""

from __future__ import annotations

from typing import Any

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.base.records import dataclass
from fairlead.certify.reasons import Label, Path, Reason, Why, can_be_true, leaves_of
from fairlead.checker.certificates.demands import Demands, Edge, Named
from fairlead.checker.certificates.product import ProductGraph, Step
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, Condition, OneOf
from fairlead.model.components import strong_components

#: which steps of each node are examined
Steps = dict[int, list[Step]]


@dataclass(frozen=True)
class Assumed:
    """A condition that is assumed of executions, or the part of one that was chosen."""

    named: Named
    path: Path
    condition: Condition


@dataclass(frozen=True)
class Explained:
    """The reason of a class, and what it says of each node besides."""

    reason: int
    more: dict[int, Label]


class Reasoning:
    """The labels of one product."""

    def __init__(self, product: ProductGraph, demands: Demands, exits: bool) -> None:
        self._product = product
        self._demands = demands
        self._exits = exits
        self._reasons: dict[Reason, int] = {}
        #: the leaves that no step may satisfy, of those reasons that say nothing else
        self._simple: dict[int, tuple[Assumed | int, frozenset[int]]] = {}
        steps = dict(enumerate(product.steps))
        self.labels = self._labels(
            steps, self._all_of([Assumed(one, (), one.condition) for one in demands.others])
        )

    def data(self) -> dict[str, Any]:
        """The reasons and conditions, as a certificate has them."""
        reasons = [
            {
                "why": one.why.value,
                **({"condition": list(one.condition)} if one.condition else {}),
                **({"never": sorted(one.never)} if one.never else {}),
                **({"keep": sorted(one.keep)} if one.keep else {}),
            }
            for one in self._reasons
        ]
        return {"conditions": [list(name) for name in self._demands.used], "reasons": reasons}

    def _reason(self, reason: Reason) -> int:
        return self._reasons.setdefault(reason, len(self._reasons))

    # ------------------------------------------------------------ ranks

    def _labels(self, steps: Steps, assumed: list[Assumed]) -> dict[int, Label]:
        """A label for each node, so that no execution along these steps alone satisfies what is assumed."""
        order = list(steps)
        place = {node: number for number, node in enumerate(order)}
        targets = [[place[step.target] for step in steps[node]] for node in order]
        found: dict[int, Label] = {}
        last_exit = -1
        components = strong_components(len(order), targets.__getitem__)
        component_of = [0] * len(order)
        for number, members in enumerate(components):
            for member in members:
                component_of[member] = number
        for number, members in enumerate(components):
            tick()
            nodes = [order[member] for member in members]
            inner = [
                (node, step)
                for node in nodes
                for step in steps[node]
                if component_of[place[step.target]] == number
            ]
            leaving = [
                (node, step)
                for node in nodes
                for step in steps[node]
                if component_of[place[step.target]] != number
            ]
            rank, reason = self._below(leaving, found)
            if inner:
                explained = self._explained(nodes, inner, assumed)
                simple = self._simple.get(explained.reason)
                if leaving and (simple is None or not self._may_join(explained.reason, leaving, rank, found)):
                    rank += 1
                if simple is None and self._exits:  # what a state says of its way out is for one class alone
                    rank = last_exit = max(rank, last_exit + 1)
                for node in nodes:
                    found[node] = (rank, explained.reason, *explained.more.get(node, ()))
                continue
            if reason is not None and self._may_join(reason, leaving, rank, found):
                found[nodes[0]] = (rank, reason)
                continue
            number_of = self._reason(Reason(Why.NO_STEPS))
            found[nodes[0]] = (rank + 1 if leaving else rank, number_of)
        return found

    def _below(self, leaving: list[Edge], found: dict[int, Label]) -> tuple[int, int | None]:
        """The highest rank that is reached, and one of the reasons there that say little."""
        rank = max((found[step.target][0] for _, step in leaving), default=0)
        for _, step in leaving:
            label = found[step.target]
            if label[0] == rank and label[1] in self._simple:
                return rank, label[1]
        return rank, None

    def _may_join(self, reason: int, leaving: list[Edge], rank: int, found: dict[int, Label]) -> bool:
        """Whether steps to nodes of this rank may be steps inside their class."""
        if reason not in self._simple:
            return False
        reached = [(node, step) for node, step in leaving if found[step.target][0] == rank]
        if any(found[step.target][1] != reason for _, step in reached):
            return False
        condition, never = self._simple[reason]
        if isinstance(condition, int):
            return not any(step.marks >> condition & 1 for _, step in reached)
        leaves = leaves_of(condition.condition)
        meanings = condition.named.meanings
        return not any(
            self._demands.holds(leaves[leaf].predicate, meanings, step)
            for _, step in reached
            for leaf in never
        )

    # ------------------------------------------------------------ reasons

    def _explained(self, nodes: list[int], inner: list[Edge], assumed: list[Assumed]) -> Explained:
        """Why no execution stays among nodes that are strongly connected."""
        marks = 0
        for _, step in inner:
            marks |= step.marks
        for mark in range(self._demands.marks):
            if not marks >> mark & 1:
                number = self._demands.use(("mark", mark))
                reason = self._reason(Reason(Why.FAILS, (number,), frozenset({0})))
                self._simple[reason] = mark, frozenset({0})
                return Explained(reason, {})
        always, sometimes = self._demands.unfairly_treated(inner)
        is_strong = self._demands.is_strong
        if not is_strong and always:
            return self._fails(self._subject(min(always)), frozenset({0, 1}))
        nevers = [self._demands.never(one.condition, one.named.meanings, inner) for one in assumed]
        for one, never in zip(assumed, nevers, strict=True):
            if not can_be_true(one.condition, never):
                return self._fails(one, never)
        if self._exits:
            ways = self._ways_out(nodes, inner)
            if ways is not None:
                return Explained(self._reason(Reason(Why.EXIT)), ways)
        if is_strong and sometimes:
            return self._pruned(self._subject(min(sometimes)), frozenset({1}), 0, nodes, inner, assumed)
        for one, never in zip(assumed, nevers, strict=True):
            for place, leaf in enumerate(leaves_of(one.condition)):
                is_forced = isinstance(leaf, AlmostAlways) and not can_be_true(one.condition, never | {place})
                if is_forced and not self._all_satisfy(one, place, inner):
                    return self._pruned(one, never, place, nodes, inner, assumed)
        for one in assumed:
            if isinstance(one.condition, OneOf) and not self._demands.is_met(
                one.condition, one.named.meanings, inner
            ):
                return self._branched(one, nodes, inner, assumed)
        problem = "the search says that the assertion holds, and there is a fair execution that violates it"
        raise InternalError((Diagnostic(Code.INTERNAL, f"no certificate: {problem}"),))

    def _subject(self, name: str) -> Assumed:
        named = self._demands.subject(name)
        return Assumed(named, (), named.condition)

    def _path(self, one: Assumed) -> Path:
        return (self._demands.use(one.named.name), *one.path)

    def _fails(self, one: Assumed, never: frozenset[int]) -> Explained:
        for leaf in sorted(never):  # those that are not needed would only keep classes apart
            if not can_be_true(one.condition, never - {leaf}):
                never -= {leaf}
        reason = self._reason(Reason(Why.FAILS, self._path(one), never))
        self._simple[reason] = one, never
        return Explained(reason, {})

    def _all_satisfy(self, one: Assumed, place: int, inner: list[Edge]) -> bool:
        predicate = leaves_of(one.condition)[place].predicate
        return all(self._demands.holds(predicate, one.named.meanings, step) for _, step in inner)

    def _pruned(
        self,
        one: Assumed,
        never: frozenset[int],
        keep: int,
        nodes: list[int],
        inner: list[Edge],
        assumed: list[Assumed],
    ) -> Explained:
        predicate = leaves_of(one.condition)[keep].predicate
        kept: Steps = {node: [] for node in nodes}
        for node, step in inner:
            if self._demands.holds(predicate, one.named.meanings, step):
                kept[node].append(step)
        reason = self._reason(Reason(Why.PRUNE, self._path(one), never, frozenset({keep})))
        below = self._labels(kept, assumed)
        return Explained(reason, {node: (below[node],) for node in nodes})

    def _branched(
        self, one: Assumed, nodes: list[int], inner: list[Edge], assumed: list[Assumed]
    ) -> Explained:
        assert isinstance(one.condition, OneOf)
        reason = self._reason(Reason(Why.BRANCH, self._path(one)))
        steps: Steps = {node: [] for node in nodes}
        for node, step in inner:
            steps[node].append(step)
        others = [other for other in assumed if other is not one]
        below = [
            self._labels(steps, [*others, *self._all_of([Assumed(one.named, (*one.path, place), part)])])
            for place, part in enumerate(one.condition.parts)
        ]
        return Explained(reason, {node: tuple(labels[node] for labels in below) for node in nodes})

    def _all_of(self, assumed: list[Assumed]) -> list[Assumed]:
        """The parts of conditions that are all assumed."""
        found: list[Assumed] = []
        pending = list(reversed(assumed))
        while pending:
            one = pending.pop()
            if not isinstance(one.condition, AllOf):
                found.append(one)
                continue
            pending += [
                Assumed(one.named, (*one.path, place), part)
                for place, part in reversed(list(enumerate(one.condition.parts)))
            ]
        return found

    # ------------------------------------------------------------ strong global fairness

    def _ways_out(self, nodes: list[int], inner: list[Edge]) -> dict[int, Label] | None:
        """For each node a distance and a step, if some step of the system leads out; None if none does."""
        explored = self._product.explored
        state_of = [node[0] for node in self._product.nodes]
        covered = {(state_of[node], step.edge) for node, step in inner}
        ways: dict[int, Label] = {}
        into: dict[int, list[tuple[int, int]]] = {}
        for state in sorted({state_of[node] for node in nodes}):
            for edge, (_, target) in enumerate(explored.rows[state]):
                if (state, edge) not in covered:
                    ways.setdefault(state, (0, explored.place(state, edge)))
                else:
                    into.setdefault(target, []).append((state, edge))
        for state in (order := list(ways)):
            tick()
            for source, edge in into.get(state, ()):
                if source not in ways:
                    ways[source] = ways[state][0] + 1, explored.place(source, edge)
                    order.append(source)
        return {node: ways[state_of[node]] for node in nodes} if ways else None
