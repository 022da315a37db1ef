"""Represents trees of processes as the engine has them: numbers of interned nodes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, assert_never

from fairlead.engine import _native
from fairlead.model.counted_moves import UnboundedProcesses
from fairlead.model.labels import tau_label
from fairlead.model.tree import (
    STOP,
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
    subtrees,
)

_Kind = _native.NodeKind
#: stands below operators whose parts do not matter
_NOTHING = Leaf(STOP, "")


class TreeTable:
    """Translates trees to numbers of the engine and back.

    What an operator has that the engine need not know is kept here, under the operator's *tag*: the alphabets
    of a composition, the text of the construct that makes an internal step.
    """

    def __init__(
        self,
        native: _native.Network,
        number_of: Callable[[LocalState], int],
        state_of: Callable[[int], LocalState],
    ) -> None:
        self._native = native
        self._number_of = number_of
        self._state_of = state_of
        self._tags: dict[Hashable, int] = {}
        self._tagged: list[Any] = []
        self._known: dict[Hashable, int] = {}

    @property
    def tag_count(self) -> int:
        """How many tags there are."""
        return len(self._tagged)

    # ------------------------------------------------------------ to the engine

    def number(self, tree: Tree) -> int:
        """The number of a tree."""
        if isinstance(tree, Unbounded):
            raise UnboundedProcesses(tree.name)
        payload = [self.number(part) for part in subtrees(tree)]
        match tree:
            case Leaf(state) | Sequel(then=state) | Guarded(state):
                payload.append(self._number_of(state))
        return self._native.intern_tree(self._operator(tree), payload)

    def _operator(self, tree: Tree) -> int:
        key = _operator_key(tree)
        if key not in self._known:
            self._known[key] = self._native.intern_operator(self._described(tree))
        return self._known[key]

    def _described(self, tree: Tree) -> _native.Operator:
        match tree:
            case Leaf(_, process):
                return _native.Operator(_Kind.LEAF, self._native.process(process))
            case Sequel(_, _, process, construct):
                ending = self._native.label(tau_label(construct, process))
                tag = self._tag(construct)
                return _native.Operator(_Kind.SEQUEL, self._native.process(process), ending, tag)
            case Parallel(_, alphabets, ends):
                if alphabets is None and ends is None:
                    return _native.Operator(_Kind.PARALLEL)
                return _native.Operator(
                    _Kind.PARALLEL,
                    tag=self._tag((alphabets, ends)),
                    synchronises=alphabets is not None,
                    events=() if alphabets is None else self._partners(alphabets),
                    ends=None if ends is None else sorted(ends),
                )
            case Hidden(_, labels):
                return _native.Operator(_Kind.HIDDEN, events=self._labels(labels))
            case Prioritised(_, labels, is_high):
                return _native.Operator(_Kind.HIGH if is_high else _Kind.LOW, events=self._labels(labels))
            case Choice():
                return _native.Operator(_Kind.CHOICE)
            case Guarded():
                return _native.Operator(_Kind.GUARDED)
            case ExternalChoice():
                return _native.Operator(_Kind.EXTERNAL)
            case Interrupt():
                return _native.Operator(_Kind.INTERRUPT)
            case Atomic():
                return _native.Operator(_Kind.ATOMIC)
            case Unbounded() | Counted():
                raise AssertionError(tree)  # counted processes are one leaf in the engine
            case _:
                assert_never(tree)

    def _tag(self, meaning: Hashable) -> int:
        if meaning not in self._tags:
            self._tags[meaning] = len(self._tagged)
            self._tagged.append(meaning)
        return self._tags[meaning]

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

    # ------------------------------------------------------------ from the engine

    def has_meaning(self, operator: _native.Operator) -> bool:
        """Whether an operator is as the tag says that it has."""
        if operator.tag == _native.NONE:
            has_more = operator.synchronises or operator.events or operator.ends is not None
            return operator.kind != _Kind.SEQUEL and not (operator.kind == _Kind.PARALLEL and has_more)
        if operator.tag >= len(self._tagged):
            return False
        match self._tagged[operator.tag]:
            case str(construct) if operator.kind == _Kind.SEQUEL:
                process = self._native.processes[operator.process]
                return operator.ending == self._native.label(tau_label(construct, process))
            case (alphabets, ends) if operator.kind == _Kind.PARALLEL:
                events = [] if alphabets is None else self._partners(alphabets)
                return (
                    operator.synchronises == (alphabets is not None)
                    and operator.events == dict(events)
                    and operator.ends == (None if ends is None else sorted(ends))
                )
        return False

    def tree(self, nodes: Sequence[int]) -> Tree:
        """A tree from its nodes: operator, number of children, local state or NONE; children follow."""
        texts = self._native.labels, self._native.processes
        return self._next(iter(nodes), *texts)

    def node(self, number: int) -> Tree:
        """Any node with an operator; what is below it, and its local state, means nothing."""
        operator, texts = self._native.operator(number), (self._native.labels, self._native.processes)
        return self._made(operator, (_NOTHING, _NOTHING), STOP, *texts)

    def _next(self, nodes: Iterator[int], labels: list[str], processes: list[str]) -> Tree:
        operator, children, local = self._native.operator(next(nodes)), next(nodes), next(nodes)
        parts = tuple(self._next(nodes, labels, processes) for _ in range(children))
        state = STOP if local == _native.NONE else self._state_of(local)
        return self._made(operator, parts, state, labels, processes)

    def _made(
        self,
        operator: _native.Operator,
        parts: tuple[Tree, ...],
        local: LocalState,
        labels: list[str],
        processes: list[str],
    ) -> Tree:
        match operator.kind:
            case _Kind.LEAF:
                return Leaf(local, processes[operator.process])
            case _Kind.SEQUEL:
                return Sequel(parts[0], local, processes[operator.process], self._tagged[operator.tag])
            case _Kind.PARALLEL:
                tagged = operator.tag != _native.NONE
                alphabets, ends = self._tagged[operator.tag] if tagged else (None, None)
                return Parallel(parts, alphabets, ends)
            case _Kind.HIDDEN:
                return Hidden(parts[0], frozenset(labels[label] for label in operator.events))
            case _Kind.HIGH | _Kind.LOW:
                some = frozenset(labels[label] for label in operator.events)
                return Prioritised(parts[0], some, operator.kind == _Kind.HIGH)
            case _Kind.GUARDED:
                return Guarded(local, parts[0])
            case _Kind.CHOICE:
                return Choice(parts)
            case _Kind.EXTERNAL:
                return ExternalChoice(parts)
            case _Kind.INTERRUPT:
                return Interrupt(parts[0], parts[1])
            case _Kind.ATOMIC:
                return Atomic(parts[0])
            case _:
                raise AssertionError(operator.kind)


def _operator_key(tree: Tree) -> Hashable:
    """What of a node its operator depends on."""
    match tree:
        case Leaf(_, process):
            return Leaf, process
        case Sequel(_, _, process, construct):
            return Sequel, process, construct
        case Parallel(_, alphabets, ends):
            return Parallel, alphabets, ends
        case Hidden(_, labels):
            return Hidden, labels
        case Prioritised(_, labels, is_high):
            return Prioritised, labels, is_high
        case _:
            return (type(tree),)
