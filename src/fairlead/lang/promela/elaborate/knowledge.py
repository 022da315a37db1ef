"""Keeps what is known of variables inside an atomic sequence, in terms of their values before it."""

from __future__ import annotations

from fairlead.model.expression import (
    Constant,
    Expression,
    Local,
    LocalElement,
    Received,
    Shared,
    slots_in,
    subexpressions,
    with_parts,
)
from fairlead.model.folding import fold
from fairlead.model.program import Block, Dequeue, Enqueue, Program, Store, stores_in
from fairlead.model.types import Type

#: expressions that become larger than this are not followed further
MOST_NODES = 60


class Knowledge:
    """The values of slots after some programs; of `unknown` ones nothing is known."""

    def __init__(self) -> None:
        self.values: dict[int, Expression] = {}
        self.unknown: set[int] = set()

    def copy(self) -> Knowledge:
        """The same, which can go another way."""
        other = Knowledge()
        other.values, other.unknown = dict(self.values), set(self.unknown)
        return other

    def forget(self, slot: int) -> None:
        """The value of a slot is not known any more."""
        self.values.pop(slot, None)
        self.unknown.add(slot)

    def before(self, expression: Expression) -> Expression | None:
        """An expression in terms of the values before; None if that is not known."""
        slots = slots_in(expression)
        if not slots.isdisjoint(self.unknown) and not self._is_constant_anyway(expression):
            return None
        if slots.isdisjoint(self.values):
            return expression
        found = self._replaced(expression)
        if found is None:
            return None
        size = sum(1 for _ in subexpressions(found))
        return found if size <= MOST_NODES else None

    def _is_constant_anyway(self, expression: Expression) -> bool:
        return isinstance(self._replaced(expression), Constant)

    def _replaced(self, expression: Expression) -> Expression | None:
        if isinstance(expression, Shared):
            if expression.slot in self.unknown:
                return None
            return self.values.get(expression.slot, expression)
        failed = False

        def change(part: Expression) -> Expression:
            nonlocal failed
            found = self._replaced(part)
            failed |= found is None
            return part if found is None else found

        changed = fold(with_parts(expression, change))
        if failed:
            return changed if isinstance(changed, Constant) and not slots_in(changed) else None
        if isinstance(changed, Shared) and not isinstance(expression, Shared):
            return self._replaced(changed)
        if not slots_in(changed).isdisjoint(set(self.values) | self.unknown) and not isinstance(
            changed, Shared
        ):
            own = slots_of_elements(changed)
            if not own.isdisjoint(set(self.values) | self.unknown):
                return None
        return changed

    def apply(self, program: Program) -> None:
        """What is known after a program."""
        match program:
            case Block(parts):
                for part in parts:
                    self.apply(part)
            case Store(Shared(slot), value):
                kept = None if _is_local(value) else self.before(value)
                if kept is None:
                    self.forget(slot)
                else:
                    self.unknown.discard(slot)
                    self.values[slot] = kept
            case Enqueue(queue, index) if isinstance(index, Constant):
                at = queue.base + index.value * queue.stride
                length = self.before(Shared(at, queue.name, Type.INT))
                for slot in range(at + 1, at + queue.stride):
                    self.forget(slot)
                self._set_length(at, length, 1)
            case Dequeue(queue, index) if isinstance(index, Constant):
                at = queue.base + index.value * queue.stride
                length = self.before(Shared(at, queue.name, Type.INT))
                for slot in range(at + 1, at + queue.stride):
                    self.forget(slot)
                self._set_length(at, length, -1)
            case _:
                for slot in _written(program):
                    self.forget(slot)

    def _set_length(self, slot: int, length: Expression | None, more: int) -> None:
        from fairlead.model.expression import Binary, Operator

        if length is None:
            self.forget(slot)
            return
        self.unknown.discard(slot)
        operator = Operator.ADD if more > 0 else Operator.SUBTRACT
        self.values[slot] = fold(Binary(operator, length, Constant(1), Type.INT))


def slots_of_elements(expression: Expression) -> frozenset[int]:
    """The slots that an expression may read by an index."""
    from fairlead.model.expression import SharedElement, WholeShared, slots_read

    return frozenset(
        slot
        for part in subexpressions(expression)
        if isinstance(part, SharedElement | WholeShared)
        for slot in slots_read(part)
    )


def _is_local(value: Expression) -> bool:
    return any(isinstance(part, Local | LocalElement) for part in subexpressions(value))


def is_received(expression: Expression) -> bool:
    """Whether an expression depends on a message that is received by a rendezvous."""
    return any(isinstance(part, Received) for part in subexpressions(expression))


def _written(program: Program) -> set[int]:
    """The slots that a program may change."""
    from fairlead.model.expression import slots_read
    from fairlead.model.program import Branch, Loop

    found = {
        slot
        for store in stores_in(program)
        if not isinstance(store.target, Local | LocalElement)
        for slot in slots_read(store.target)
    }
    pending = [program]
    while pending:
        match pending.pop():
            case Block(parts):
                pending += parts
            case Branch(_, then, otherwise):
                pending += [then, otherwise]
            case Loop(_, body):
                pending.append(body)
            case Enqueue(queue) | Dequeue(queue):
                found |= set(queue.slots)
    return found
