"""Represents programs: what a step does to variables and to the buffers of channels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import assert_never

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.expression import Asserted, Expression, Local, LocalElement, Shared, SharedElement


@dataclass(frozen=True)
class _Instruction:
    """`place` is the statement of the text that becomes this program, if it is a whole statement."""

    place: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Store(_Instruction):
    """An assignment; `low` and `high` are the declared range of the target, if it has one."""

    target: Shared | SharedElement | Local | LocalElement
    value: Expression
    low: int | None
    high: int | None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Branch(_Instruction):
    condition: Expression
    then: Program
    otherwise: Program


@dataclass(frozen=True)
class Loop(_Instruction):
    condition: Expression
    body: Program
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Block(_Instruction):
    parts: tuple[Program, ...]


@dataclass(frozen=True)
class Queue:
    """The buffers of a channel (`count` of them, if it is an array of channels), in shared slots.

    Each buffer is its length and room for `capacity` messages of `width` slots; room not used holds 0.
    """

    name: str
    base: int
    count: int
    capacity: int
    width: int

    @property
    def stride(self) -> int:
        """How many slots one buffer takes."""
        return 1 + self.capacity * self.width

    @property
    def slots(self) -> range:
        """The slots of all its buffers."""
        return range(self.base, self.base + self.count * self.stride)


@dataclass(frozen=True)
class Enqueue(_Instruction):
    """Puts a message of `queue.width` values at the end of a buffer, which must have room."""

    queue: Queue
    index: Expression
    values: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Dequeue(_Instruction):
    """Takes the first message out of a buffer, which must have one."""

    queue: Queue
    index: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Require(_Instruction):
    """A condition that must hold when the program gets here."""

    condition: Asserted


Program = Store | Branch | Loop | Block | Enqueue | Dequeue | Require


def expressions_in(program: Program) -> Iterator[Expression]:
    """The expressions of a program, what is assigned to included."""
    pending: list[Program] = [program]
    while pending:
        match pending.pop():
            case Store(target, value):
                yield target
                yield value
            case Branch(condition, then, otherwise):
                yield condition
                pending += [then, otherwise]
            case Loop(condition, body):
                yield condition
                pending.append(body)
            case Block(parts):
                pending += parts
            case Enqueue(index=index, values=values):
                yield index
                yield from values
            case Dequeue(index=index):
                yield index
            case Require(condition):
                yield condition


def stores_in(program: Program) -> Iterator[Store]:
    """The assignments of a program, also those in branches and loops."""
    pending: list[Program] = [program]
    while pending:
        match pending.pop():
            case Store() as store:
                yield store
            case Branch(_, then, otherwise):
                pending += [then, otherwise]
            case Loop(_, body):
                pending.append(body)
            case Block(parts):
                pending += parts


def with_expressions(program: Program, change: Callable[[Expression], Expression]) -> Program:
    """The program with each of its expressions changed; what is assigned to stays a place."""

    def inside(part: Program) -> Program:
        return with_expressions(part, change)

    match program:
        case Store(target, value):
            place = change(target)
            assert isinstance(place, Shared | SharedElement | Local | LocalElement)
            return replace(program, target=place, value=change(value))
        case Branch(condition, then, otherwise):
            return Branch(change(condition), inside(then), inside(otherwise))
        case Loop(condition, body):
            return replace(program, condition=change(condition), body=inside(body))
        case Block(parts):
            return Block(tuple(inside(part) for part in parts))
        case Enqueue(index=index, values=values):
            return replace(program, index=change(index), values=tuple(change(value) for value in values))
        case Dequeue(index=index):
            return replace(program, index=change(index))
        case Require(condition):
            asserted = change(condition)
            return Require(asserted if isinstance(asserted, Asserted) else Asserted(asserted))
        case _:
            assert_never(program)
