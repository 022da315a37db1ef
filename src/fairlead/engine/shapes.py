"""Shapes: the tree of a configuration without its local states, and how steps change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from fairlead.engine import _native
from fairlead.model.network import (
    SKIP,
    TERMINATED,
    Choice,
    Guarded,
    Leaf,
    LocalState,
    Network,
    Parallel,
    Sequel,
    Tree,
    parallel,
    tau_label,
)

#: as NodeKind in native/network.hpp
LEAF, PARALLEL, SEQUEL, CHOICE, GUARDED = range(5)
#: as MoveKind in native/network.hpp
EVENT, INTERNAL, TERMINATION = range(3)
NONE = 0xFFFFFFFF


@dataclass(frozen=True)
class Skeleton:
    """A tree with its local states taken out. In the tree, slot k is the local state at position -k - 1."""

    tree: Tree
    contents: tuple[LocalState, ...]


def slot_of(state: LocalState) -> int | None:
    """The slot a local state stands for, if it does."""
    return -state.position - 1 if state.position < 0 else None


def flatten(tree: Tree) -> Skeleton:
    """Takes the local states out of a tree: what remains is its shape."""
    contents: list[LocalState] = []

    def place(state: LocalState) -> LocalState:
        contents.append(state)
        return LocalState(-len(contents))

    def visit(node: Tree) -> Tree:
        match node:
            case Leaf(state, process):
                return Leaf(place(state), process)
            case Parallel(components, alphabets):
                return Parallel(tuple(visit(part) for part in components), alphabets)
            case Sequel(first, then, process, construct):
                inner = visit(first)
                return Sequel(inner, place(then), process, construct)
            case Choice(branches):
                return Choice(tuple(visit(branch) for branch in branches))
            case Guarded(guard, body):
                kept = place(guard)
                return Guarded(kept, visit(body))
            case _:
                assert_never(node)

    return Skeleton(visit(tree), tuple(contents))


def fill(tree: Tree, states: Sequence[LocalState]) -> Tree:
    """Puts local states back into a shape."""

    def visit(node: Tree) -> Tree:
        match node:
            case Leaf(state, process):
                return Leaf(states[-state.position - 1], process)
            case Parallel(components, alphabets):
                return Parallel(tuple(visit(part) for part in components), alphabets)
            case Sequel(first, then, process, construct):
                return Sequel(visit(first), states[-then.position - 1], process, construct)
            case Choice(branches):
                return Choice(tuple(visit(branch) for branch in branches))
            case Guarded(guard, body):
                return Guarded(states[-guard.position - 1], visit(body))
            case _:
                assert_never(node)

    return visit(tree)


class ShapeTable:
    """The shapes of one network, registered with the engine as they are met."""

    def __init__(self, native: _native.Network) -> None:
        self._native = native
        self._numbers: dict[Tree, int] = {}
        self.trees: list[Tree] = []

    def number(self, skeleton: Skeleton) -> int:
        """The number of a shape; a new one is described to the engine."""
        tree = skeleton.tree
        if tree not in self._numbers:
            nodes: list[tuple[int, int, int, bool, list[int], list[tuple[int, list[int]]]]] = []
            slots = [NONE] * len(skeleton.contents)
            self._describe(tree, nodes, slots)
            number = self._native.add_shape(nodes, slots)
            self._numbers[tree] = number
            self.trees.append(tree)
        return self._numbers[tree]

    def _describe(
        self,
        node: Tree,
        nodes: list[tuple[int, int, int, bool, list[int], list[tuple[int, list[int]]]]],
        slots: list[int],
    ) -> int:
        number = len(nodes)
        nodes.append((LEAF, NONE, NONE, False, [], []))  # the place is taken before the children's
        match node:
            case Leaf(state, process):
                owner = self._native.process(process)
                slots[-state.position - 1] = owner
                nodes[number] = (LEAF, -state.position - 1, owner, False, [], [])
            case Parallel(components, alphabets):
                children = [self._describe(part, nodes, slots) for part in components]
                partners = [] if alphabets is None else self._partners(alphabets)
                nodes[number] = (PARALLEL, NONE, NONE, alphabets is not None, children, partners)
            case Sequel(first, then, process, construct):
                owner = self._native.process(process)
                slots[-then.position - 1] = owner
                child = self._describe(first, nodes, slots)
                label = self._native.label(tau_label(construct, process))
                nodes[number] = (SEQUEL, -then.position - 1, label, False, [child], [])
            case Choice(branches):
                children = [self._describe(branch, nodes, slots) for branch in branches]
                nodes[number] = (CHOICE, NONE, NONE, False, children, [])
            case Guarded(guard, body):
                child = self._describe(body, nodes, slots)
                nodes[number] = (GUARDED, -guard.position - 1, NONE, False, [child], [])
            case _:
                assert_never(node)
        return number

    def _partners(self, alphabets: tuple[frozenset[str], ...]) -> list[tuple[int, list[int]]]:
        """For each event of several components, the components that must take part."""
        having: dict[str, list[int]] = {}
        for component, alphabet in enumerate(alphabets):
            for event in alphabet:
                having.setdefault(event, []).append(component)
        return [
            (self._native.label(event), components)
            for event, components in sorted(having.items())
            if len(components) > 1
        ]


def rewrite_tree(
    network: Network,
    shape: Tree,
    termination: bool,
    moved: dict[int, LocalState],
    state_in: Callable[[int], LocalState],
    values: Sequence[int],
) -> Tree:
    """The tree after a step in which the leaves in the slots of `moved` go to new local states.

    Local states that stay are returned as slots (negative positions), new ones as themselves.
    `state_in` gives the local state that now is in a slot, needed for those that begin to run.
    """
    behaviour = network.behaviour

    def enter(state: LocalState, process: str) -> Tree:
        if behaviour.edges(state.position) is None:
            return behaviour.compose(state, process, values)
        return Leaf(state, process)

    def touched(node: Tree) -> bool:
        match node:
            case Leaf(state):
                return -state.position - 1 in moved
            case Parallel(components):
                return any(touched(part) for part in components)
            case Sequel(first):
                return touched(first)
            case Choice(branches):
                return any(touched(branch) for branch in branches)
            case Guarded(_, body):
                return touched(body)
            case _:
                assert_never(node)

    def visit(node: Tree) -> Tree:
        if not touched(node):
            return node
        match node:
            case Leaf(state, process):
                return enter(moved[-state.position - 1], process)
            case Parallel(components, alphabets):
                after = tuple(visit(part) for part in components)
                if all(_has_ended(part) for part in after):
                    return Leaf(TERMINATED, network.name)
                return parallel(after, alphabets)
            case Sequel(first, then, process, construct):
                rest = visit(first)
                if isinstance(rest, Leaf) and rest.state in (SKIP, TERMINATED):
                    return enter(state_in(-then.position - 1), process)
                return Sequel(rest, then, process, construct)
            case Choice(branches):
                return next(visit(branch) for branch in branches if touched(branch))
            case Guarded(_, body):
                return visit(body)
            case _:
                assert_never(node)

    return Leaf(TERMINATED, network.name) if termination else visit(shape)


def _has_ended(tree: Tree) -> bool:
    return isinstance(tree, Leaf) and tree.state == TERMINATED
