"""Writes sending to buffers and receiving from them as programs."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate import values
from fairlead.lang.promela.elaborate.expressions import Expressions
from fairlead.lang.promela.elaborate.layout import Channel
from fairlead.lang.promela.elaborate.values import Value, any_of, negation, number
from fairlead.model.expression import Binary, Constant, Expression, Local, Operator, Shared, SharedElement
from fairlead.model.program import Block, Branch, Dequeue, Enqueue, Loop, Program, Queue, Store
from fairlead.model.types import Type

#: a local variable that counts messages
_AT = Local(0, "(message)", Type.INT)
#: a local variable for the message that moves
_MOVED = Local(1, "(moved)", Type.INT)
#: the first local variable that nothing here uses
FIRST_FREE = 2
_ZERO, _ONE = Constant(0), Constant(1)


def sent(channel: Channel, message: Sequence[Value]) -> Program:
    """Puts a message at the end of a buffer."""
    queue = channel.queue
    assert queue is not None
    fields = [values.fitted(value, kind) for value, kind in zip(message, channel.form, strict=True)]
    return Enqueue(queue, _ZERO, tuple(fields))


def sent_in_order(channel: Channel, message: Sequence[Value]) -> Program:
    """Puts a message before the first one that is larger; those behind it make room."""
    queue = channel.queue
    assert queue is not None
    fields = [values.fitted(value, kind) for value, kind in zip(message, channel.form, strict=True)]
    # as in SPIN, what is compared has not been fitted into the fields yet
    larger = _is_larger(channel, _AT, [value.expression for value in message])
    length = _length(queue)
    inside = Binary(Operator.LESS, _AT, length, Type.BOOL)
    test = Binary(Operator.AND, inside, negation(larger), Type.BOOL)
    parts = range(queue.width)
    before = _plus(_MOVED, -1)
    shift = [
        Store(_element(queue, _MOVED, part), _element(queue, before, part), None, None) for part in parts
    ]
    return Block(
        (
            Store(_AT, _ZERO, None, None),
            Loop(test, Store(_AT, _plus(_AT, 1), None, None)),
            Store(_MOVED, length, None, None),
            Loop(
                Binary(Operator.GREATER, _MOVED, _AT, Type.BOOL),
                Block((*shift, Store(_MOVED, before, None, None))),
            ),
            *(Store(_element(queue, _AT, part), fields[part], None, None) for part in parts),
            Store(length, _plus(length, 1), None, None),
        )
    )


def _is_larger(channel: Channel, at: Expression, fields: Sequence[Expression]) -> Expression:
    """Whether a message in a buffer is larger than another one: the first field that differs decides."""
    queue = channel.queue
    assert queue is not None
    tests: list[Expression] = []
    equal: list[Expression] = []
    for part, value in enumerate(fields):
        kept = _element(queue, at, part)
        tests.append(values.all_of([*equal, Binary(Operator.GREATER, kept, value, Type.BOOL)]))
        equal.append(Binary(Operator.EQUAL, kept, value, Type.BOOL))
    return any_of(tests)


def taken_first(
    channel: Channel, fields: Sequence[syntax.Expression], reader: Expressions, keeps: bool
) -> list[Program]:
    """Receives the first message."""
    queue = channel.queue
    assert queue is not None
    found: list[Program] = []
    for part, one in enumerate(fields):
        if isinstance(one, syntax.Name):
            found.append(stored(reader, one, reader.slot(channel, 0, part)))
    if not keeps:
        found.append(Dequeue(queue, _ZERO))
    return found


def taken_anywhere(
    channel: Channel, fields: Sequence[syntax.Expression], reader: Expressions, keeps: bool
) -> list[Program]:
    """Receives the first message that fits, wherever it is: there is one."""
    queue = channel.queue
    assert queue is not None
    tests = []
    for part, one in enumerate(fields):
        wanted = reader.wanted(one)
        if wanted is not None:
            tests.append(Binary(Operator.UNEQUAL, _element(queue, _AT, part), wanted.expression, Type.BOOL))
    found: list[Program] = [
        Store(_AT, _ZERO, None, None),
        Loop(any_of(list(tests)), Store(_AT, _plus(_AT, 1), None, None)),
    ]
    # what the pattern looks at must not change while the message is found: its variables are set afterwards
    for part, one in enumerate(fields):
        if isinstance(one, syntax.Name):
            kept = values.of_type(_element(queue, _AT, part), channel.form[part])
            found.append(stored(reader, one, kept))
    if not keeps:
        found += _closed(queue)
    return found


def _closed(queue: Queue) -> list[Program]:
    """Closes the gap that a message leaves."""
    length = _length(queue)
    last = _plus(length, -1)
    following = _plus(_AT, 1)
    parts = range(queue.width)
    shift = [
        Store(_element(queue, _AT, part), _element(queue, following, part), None, None) for part in parts
    ]
    return [
        Loop(
            Binary(Operator.LESS, _AT, last, Type.BOOL),
            Block((*shift, Store(_AT, following, None, None))),
        ),
        *(Store(_element(queue, _AT, part), _ZERO, None, None) for part in parts),
        Store(length, last, None, None),
    ]


def stored(writer: Expressions, name: syntax.Name, value: Value) -> Program:
    """Assigns a value to a variable."""
    target, kind = writer.place(name)
    return Store(target, values.fitted(value, kind), None, None, name.span)


def chosen(alternatives: Sequence[tuple[Expression, Program]]) -> Program:
    """The first program whose condition holds; nothing if there is none."""
    found: Program = Block(())
    for test, program in reversed(alternatives):
        if isinstance(test, Constant):
            found = program if test.value else found
        else:
            found = Branch(test, program, found)
    return found


def _length(queue: Queue) -> Shared:
    return Shared(queue.base, queue.name, Type.INT)


def _element(queue: Queue, message: Expression, part: int) -> SharedElement:
    index = message
    if queue.width > 1:
        product = Binary(Operator.MULTIPLY, message, Constant(queue.width), Type.INT)
        index = Binary(Operator.ADD, product, Constant(part), Type.INT) if part else product
    return SharedElement(queue.base + 1, queue.capacity * queue.width, index, queue.name, Type.INT)


def _plus(value: Expression, more: int) -> Expression:
    operator = Operator.ADD if more >= 0 else Operator.SUBTRACT
    return Binary(operator, value, Constant(abs(more)), Type.INT)


__all__ = ["chosen", "number", "sent", "sent_in_order", "stored", "taken_anywhere", "taken_first"]
