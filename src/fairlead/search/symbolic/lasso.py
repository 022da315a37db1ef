"""From a fair hull to a lasso of the system: its steps are those of the reference semantics."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.records import dataclass
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.system import State, Step, infinite_steps
from fairlead.outcome.events import Phase
from fairlead.search.symbolic.fair import Demands
from fairlead.search.symbolic.product import Move, Nodes, Product


@dataclass(frozen=True)
class Node:
    """A state with a state of the automaton."""

    state: State
    automaton: int


class LassoBuilder:
    """Builds the lasso of a product that leads into a fair hull and satisfies what is demanded there."""

    def __init__(self, whole: Product, initial: Nodes, demands: Demands, hull: Nodes) -> None:
        self._whole = whole
        self._initial = initial
        self._demands = demands
        self._product = demands.product
        self._hull = hull
        self._target = whole.target

    def build(self) -> Run:
        """A stem on a shortest way into the hull, and on to a terminal component of it; a loop in that."""
        self._target.enter(Phase.LASSO)
        start, stem = self._into_hull()
        node = self._end_of(start, stem)
        way, component = self._into_terminal(node)
        stem += way
        node = self._end_of(start, stem)
        loop = self._tour(node, component)
        return Run(start.state, tuple(step for step, _ in stem), tuple(step for step, _ in loop))

    def prefix(self) -> Run:
        """A shortest way into the hull."""
        self._target.enter(Phase.LASSO)
        start, stem = self._into_hull()
        return Run(start.state, tuple(step for step, _ in stem))

    # ------------------------------------------------------------ ways

    def _into_hull(self) -> tuple[Node, list[tuple[Step, Node]]]:
        """A shortest way from the start into the hull."""
        rings: list[Nodes] = [self._initial]
        met = self._initial
        while not self._whole.intersect(rings[-1], self._hull):
            after = self._whole.subtract(self._whole.after(rings[-1]), met)
            met = self._whole.unite(met, after)
            rings.append(after)
        ways = [self._whole.intersect(rings.pop(), self._hull)]
        while rings:
            ways.append(self._whole.intersect(rings.pop(), self._whole.before(ways[-1])))
        ways.reverse()
        start = self._first(ways[0])
        found: list[tuple[Step, Node]] = []
        for nodes in ways[1:]:
            found.append(self._step(self._whole.moves, self._end_of(start, found), nodes))
        return start, found

    def _into_terminal(self, node: Node) -> tuple[list[tuple[Step, Node]], Nodes]:
        """A way to a component of the hull that no step leaves within it, and the component."""
        product = self._product
        first, reached = node, product.reached_from(self._single(node), self._hull)
        while True:
            back = product.leading_to(self._single(node), reached)
            others = product.subtract(reached, back)
            if not others:
                return self._way(product.moves, first, self._single(node), self._hull), reached
            node = self._first(others)
            reached = product.reached_from(self._single(node), reached)

    def _way(self, moves: Sequence[Move], node: Node, goal: Nodes, within: Nodes) -> list[tuple[Step, Node]]:
        """A shortest way from a node to a goal by some moves."""
        here = self._single(node)
        rings = [goal]
        met = goal
        while not self._product.intersect(here, rings[-1]):
            before = self._product.intersect(self._product.before(rings[-1], moves), within)
            rings.append(self._product.subtract(before, met))
            met = self._product.unite(met, before)
        found: list[tuple[Step, Node]] = []
        for nodes in reversed(rings[:-1]):
            found.append(self._step(moves, node, nodes))
            node = found[-1][1]
        return found

    # ------------------------------------------------------------ the loop

    def _tour(self, start: Node, component: Nodes) -> list[tuple[Step, Node]]:
        """A cycle in a component that takes a move of each set that it has to."""
        product = self._product
        pending = [*self._demands.often]
        for bad, moves in self._demands.pairs:
            if product.intersect(component, dict.fromkeys(component, bad)):
                pending.append(moves)
        loop: list[tuple[Step, Node]] = []
        inner = product.moves
        while pending:
            here = self._end_of(start, loop)
            moves = pending.pop()
            sources = product.intersect(component, product.before(component, moves))
            way = self._way(inner, here, sources, component)
            way.append(self._step(moves, way[-1][1] if way else here, component))
            pending = [others for others in pending if not self._takes(here, way, others)]
            loop += way
        if not loop:
            loop.append(self._step(inner, start, component))
        here = self._end_of(start, loop)
        return loop + self._way(inner, here, self._single(start), component)

    def _takes(self, node: Node, way: Sequence[tuple[Step, Node]], moves: Sequence[Move]) -> bool:
        """Whether one of some moves is taken on a way."""
        for step, after in way:
            if any(self._is_by(move, node, step, after) for move in moves):
                return True
            node = after
        return False

    # ------------------------------------------------------------ single nodes

    def _step(self, moves: Sequence[Move], node: Node, nodes: Nodes) -> tuple[Step, Node]:
        """A step by one of some moves into a set; there is one, if both step relations agree."""
        self._target.clock.check()
        for step in infinite_steps(self._target.system, node.state):
            for move in moves:
                after = Node(step.target, move.target)
                if move.target not in nodes or not self._is_by(move, node, step, after):
                    continue
                if self._target.contains(nodes[move.target], step.target):
                    return step, after
        raise AssertionError("the step relations differ")

    def _is_by(self, move: Move, node: Node, step: Step, after: Node) -> bool:
        if move.source != node.automaton or move.target != after.automaton:
            return False
        is_allowed = (
            move.steps.idles if step.event == IDLE else (step.event, step.processes) in move.steps.actions
        )
        return is_allowed and self._target.contains(move.steps.states, step.target)

    def _single(self, node: Node) -> Nodes:
        return {node.automaton: self._target.single(node.state)}

    def _first(self, nodes: Nodes) -> Node:
        automaton, states = next(iter(nodes.items()))
        return Node(self._target.first(states), automaton)

    @staticmethod
    def _end_of(start: Node, way: Sequence[tuple[Step, Node]]) -> Node:
        return way[-1][1] if way else start
