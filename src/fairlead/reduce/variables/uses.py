"""Determines which shared slots an edge reads, sets and adds to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.model.expression import (
    Binary,
    Constant,
    Expression,
    Local,
    LocalElement,
    Operator,
    Shared,
    SharedElement,
    slots_in,
    slots_read,
)
from fairlead.model.labels import ChannelTemplate, EventTemplate, label_text
from fairlead.model.network import Edge, Send
from fairlead.model.program import (
    Block,
    Branch,
    Dequeue,
    Enqueue,
    Loop,
    Program,
    Require,
    Store,
)


def looked_at(edge: Edge) -> Iterator[Expression]:
    """What is evaluated before an edge is taken: its guard, label, target and message."""
    if edge.guard is not None:
        yield edge.guard
    if isinstance(edge.label, EventTemplate | ChannelTemplate):
        yield from label_text(edge.label).arguments
    yield from edge.target.arguments
    if edge.handshake is None:
        return
    yield edge.handshake.rendezvous.index
    if isinstance(edge.handshake, Send):
        yield from edge.handshake.values
    elif edge.handshake.accepts is not None:
        yield edge.handshake.accepts


def is_sum_with(value: Expression, slot: int) -> bool:
    """Whether a value is that of a slot with something added or taken away that does not depend on it."""
    match value:
        case Shared(own):
            return own == slot
        case Binary(Operator.ADD, left, right):
            return any(
                is_sum_with(one, slot) and slot not in slots_in(other)
                for one, other in ((left, right), (right, left))
            )
        case Binary(Operator.SUBTRACT, left, right):
            return is_sum_with(left, slot) and slot not in slots_in(right)
        case _:
            return False


@dataclass
class Uses:
    """The slots that something reads, those that it sets, and those that it adds to.

    What is added to a slot by `x = x + k` does not count as reading it. `checked` are slots that are added to
    within a declared range.
    """

    read: set[int] = field(default_factory=set)
    set_to: set[int] = field(default_factory=set)
    added_to: set[int] = field(default_factory=set)
    checked: set[int] = field(default_factory=set)

    @property
    def written(self) -> set[int]:
        """All that may be changed."""
        return self.set_to | self.added_to

    def add(self, other: Uses) -> None:
        """Takes in the uses of something else."""
        self.read |= other.read
        self.set_to |= other.set_to
        self.added_to |= other.added_to
        self.checked |= other.checked


def uses_of(edge: Edge) -> Uses:
    """The uses of an edge."""
    uses = Uses(set(slots_in(*looked_at(edge))))
    pending: list[Program] = [] if edge.update is None else [edge.update]
    while pending:
        match pending.pop():
            case Store() as store:
                _note_store(store, uses)
            case Branch(condition, then, otherwise):
                uses.read |= slots_in(condition)
                pending += [then, otherwise]
            case Loop(condition, body):
                uses.read |= slots_in(condition)
                pending.append(body)
            case Block(parts):
                pending += parts
            case Enqueue(queue, index, values):
                uses.read |= slots_in(index, *values)
                uses.set_to.update(queue.slots)
            case Dequeue(queue, index):
                uses.read |= slots_in(index)
                uses.set_to.update(queue.slots)
            case Require(condition):
                uses.read |= slots_in(condition)
    return uses


def _note_store(store: Store, uses: Uses) -> None:
    match store.target:
        case Shared(slot) if is_sum_with(store.value, slot):
            uses.added_to.add(slot)
            uses.read |= slots_in(store.value) - {slot}
            if store.low is not None or store.high is not None:
                uses.checked.add(slot)
        case Shared(slot):
            uses.set_to.add(slot)
            uses.read |= slots_in(store.value)
        case SharedElement(index=index) as element:
            uses.set_to |= set(slots_read(element))
            uses.read |= slots_in(index, store.value)
        case LocalElement(index=index):
            uses.read |= slots_in(index, store.value)
        case Local():
            uses.read |= slots_in(store.value)


# ---------------------------------------------------------------- in the order of execution


@dataclass(frozen=True)
class Flow:
    """The slots that a program may read before it has written them, and those that it surely writes."""

    read: frozenset[int]
    written: frozenset[int]


def flow_of(edge: Edge) -> Flow:
    """The flow of an edge: first everything is evaluated, then its program runs."""
    before = slots_in(*looked_at(edge))
    if edge.update is None:
        return Flow(before, frozenset())
    update = _flow(edge.update)
    return Flow(before | update.read, update.written)


def _flow(program: Program) -> Flow:
    match program:
        case Store(target, value):
            return Flow(slots_in(value) | _indexing(target), _surely_set(target))
        case Block(parts):
            return _sequence([_flow(part) for part in parts])
        case Branch(condition, then, otherwise):
            first, second = _flow(then), _flow(otherwise)
            return Flow(slots_in(condition) | first.read | second.read, first.written & second.written)
        case Loop(condition, body):
            return Flow(slots_in(condition) | _flow(body).read, frozenset())
        case Enqueue(index=index, values=values):
            return Flow(slots_in(index, *values), frozenset())
        case Dequeue(index=index):
            return Flow(slots_in(index), frozenset())
        case Require(condition):
            return Flow(slots_in(condition), frozenset())


def _sequence(parts: Sequence[Flow]) -> Flow:
    read: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()
    for part in parts:
        read |= part.read - written
        written |= part.written
    return Flow(read, written)


def _indexing(target: Shared | SharedElement | Local | LocalElement) -> frozenset[int]:
    return slots_in(target.index) if isinstance(target, SharedElement | LocalElement) else frozenset()


def _surely_set(target: Shared | SharedElement | Local | LocalElement) -> frozenset[int]:
    match target:
        case Shared(slot):
            return frozenset((slot,))
        case SharedElement(base, size, Constant(index)) if 0 <= index < size:
            return frozenset((base + index * target.stride,))
        case _:
            return frozenset()
