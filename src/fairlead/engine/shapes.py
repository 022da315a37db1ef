"""Shapes: the tree of a configuration without its local states, and how steps change it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import assert_never

from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.model.counted_moves import unbounded_processes
from fairlead.model.labels import tau_label
from fairlead.model.network import Network
from fairlead.model.tree import (
    SKIP,
    TERMINATED,
    Atomic,
    Choice,
    Counted,
    ExternalChoice,
    Guarded,
    Hidden,
    Interrupt,
    Leaf,
    LocalState,
    Parallel,
    Prioritised,
    Sequel,
    Tree,
    Unbounded,
    atomic,
    has_ended,
    hidden,
    interrupt,
    leaves,
    parallel,
    subtrees,
    with_errors_collapsed,
    with_subtrees,
)

_KINDS: dict[type[Tree], _native.NodeKind] = {
    Leaf: _native.NodeKind.LEAF,
    Parallel: _native.NodeKind.PARALLEL,
    Sequel: _native.NodeKind.SEQUEL,
    Choice: _native.NodeKind.CHOICE,
    Guarded: _native.NodeKind.GUARDED,
    ExternalChoice: _native.NodeKind.EXTERNAL,
    Interrupt: _native.NodeKind.INTERRUPT,
    Hidden: _native.NodeKind.HIDDEN,
    Atomic: _native.NodeKind.ATOMIC,
    Prioritised: _native.NodeKind.HIGH,
}
#: a node whose children are not known yet
_PLACE = _native.ShapeNode(_native.NodeKind.LEAF, ())


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

    return Skeleton(_with_states(tree, place), tuple(contents))


def fill(tree: Tree, states: Sequence[LocalState]) -> Tree:
    """Puts local states back into a shape."""
    return _with_states(tree, lambda state: states[-state.position - 1])


def _with_states(tree: Tree, change: Callable[[LocalState], LocalState]) -> Tree:
    """The tree with every local state in it changed, in a fixed order."""
    match tree:
        case Leaf(state, process):
            return Leaf(change(state), process)
        case Guarded(guard, body):
            return Guarded(change(guard), _with_states(body, change))
    changed = with_subtrees(tree, tuple(_with_states(part, change) for part in subtrees(tree)))
    if isinstance(changed, Sequel):
        return replace(changed, then=change(changed.then))
    return changed


def nodes_numbered(shape: Tree, numbers: Collection[int]) -> frozenset[int]:
    """The identities of the nodes of a shape that have the given numbers, as the engine counts them."""
    if not numbers:
        return frozenset()
    found = []
    pending = [shape]
    count = 0
    while pending:
        node = pending.pop()
        if count in numbers:
            found.append(id(node))
        count += 1
        pending += reversed(subtrees(node))
    return frozenset(found)


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
            nodes: list[_native.ShapeNode] = []
            slots = [_native.NONE] * len(skeleton.contents)
            self._describe(tree, nodes, slots)
            number = self._native.add_shape(nodes, slots)
            self._numbers[tree] = number
            self.trees.append(tree)
        return self._numbers[tree]

    def _describe(self, tree: Tree, nodes: list[_native.ShapeNode], slots: list[int]) -> int:
        if isinstance(tree, Unbounded):
            raise unbounded_processes(tree.name)
        number = len(nodes)
        nodes.append(_PLACE)  # before its children
        children = [self._describe(part, nodes, slots) for part in subtrees(tree)]
        kind = _KINDS[type(tree)]
        match tree:
            case Leaf(state, process):
                slot, owner = -state.position - 1, self._native.process(process)
                slots[slot] = owner
                node = _native.ShapeNode(kind, children, slot, owner)
            case Sequel(_, then, process, construct):
                slot = -then.position - 1
                slots[slot] = self._native.process(process)
                ending = self._native.label(tau_label(construct, process))
                node = _native.ShapeNode(kind, children, slot, ending=ending)
            case Guarded(guard):
                node = _native.ShapeNode(kind, children, -guard.position - 1)
            case Parallel(_, alphabets, ends):
                node = _native.ShapeNode(
                    kind,
                    children,
                    synchronises=alphabets is not None,
                    events=() if alphabets is None else self._partners(alphabets),
                    ends=None if ends is None else sorted(ends),
                )
            case Hidden(_, labels):
                node = _native.ShapeNode(kind, children, events=self._labels(labels))
            case Prioritised(_, labels, is_high):
                kind = kind if is_high else _native.NodeKind.LOW
                node = _native.ShapeNode(kind, children, events=self._labels(labels))
            case _:
                node = _native.ShapeNode(kind, children)
        nodes[number] = node
        return number

    def _labels(self, labels: frozenset[str]) -> list[tuple[int, list[int]]]:
        return [(self._native.label(label), []) for label in sorted(labels)]

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


@dataclass(frozen=True)
class StepInShape:
    """A step as it changes a shape: the leaves in the slots of `moved` go to new local states.

    External choices and interrupts whose identities are `undecided` see only an internal step. `state_in`
    gives the local state that is in a slot, needed for those that begin to run.
    """

    moved: dict[int, LocalState]
    undecided: frozenset[int]
    state_in: Callable[[int], LocalState]
    values: Sequence[int]

    def touches(self, tree: Tree) -> bool:
        """Whether a leaf of the tree moves."""
        return any(-leaf.state.position - 1 in self.moved for leaf in leaves(tree))


def rewrite_tree(network: Network, shape: Tree, termination: bool, step: StepInShape) -> Tree:
    """The tree after a step.

    Local states that stay are returned as slots (negative positions), new ones as themselves.
    """
    behaviour = network.behaviour

    def enter(state: LocalState, process: str) -> Tree:
        if state.position == _native.COUNTED_POSITION:  # counted processes are one leaf
            return Leaf(state, process)
        if behaviour.edges(state.position) is None:
            return behaviour.compose(state, process, step.values)
        return Leaf(state, process)

    def visit(node: Tree) -> Tree:
        if not step.touches(node):
            return node
        match node:
            case Leaf(state, process):
                return enter(step.moved[-state.position - 1], process)
            case Parallel(components, alphabets, ends):
                after = tuple(visit(part) for part in components)
                if ends is None and all(has_ended(part) for part in after):
                    return Leaf(TERMINATED, network.name)
                return parallel(after, alphabets, ends)
            case Sequel(first, then, process, construct):
                rest = visit(first)
                if isinstance(rest, Leaf) and rest.state in (SKIP, TERMINATED):
                    return enter(step.state_in(-then.position - 1), process)
                return Sequel(rest, then, process, construct)
            case Choice(branches):
                return next(visit(branch) for branch in branches if step.touches(branch))
            case Guarded(_, body):
                return visit(body)
            case ExternalChoice(branches):
                if id(node) in step.undecided:
                    return with_subtrees(node, tuple(visit(branch) for branch in branches))
                return next(visit(branch) for branch in branches if step.touches(branch))
            case Interrupt(body, handler):
                if step.touches(body):
                    return interrupt(visit(body), handler)
                after_handler = visit(handler)
                return Interrupt(body, after_handler) if id(node) in step.undecided else after_handler
            case Hidden(body, events):
                return hidden(visit(body), events)
            case Atomic(body):
                return atomic(visit(body))
            case Prioritised(body):
                return with_subtrees(node, (visit(body),))
            case Unbounded() | Counted():
                raise AssertionError(node)  # no shape has them: counted processes are one leaf there
            case _:
                assert_never(node)

    return Leaf(TERMINATED, network.name) if termination else with_errors_collapsed(visit(shape))
