"""Channels: what their messages are made of, and their buffers in the shared slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairlead.base.diagnostics import Code, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.arrays import array_type
from fairlead.lang.csp.elaborate.conversions import fits
from fairlead.model.expression import (
    Binary,
    Bounded,
    Constant,
    Expression,
    FunctionCall,
    Operator,
    SharedElement,
)
from fairlead.model.folding import fold
from fairlead.model.network import Rendezvous
from fairlead.model.program import Queue
from fairlead.model.types import CallFailed, Function, Type

if TYPE_CHECKING:
    from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names

#: `call(cfull, c)` and similar calls
CHANNEL_FUNCTIONS = ("cfull", "cempty", "ccount", "csize", "cpeek")

Fields = tuple[Type, ...]


@dataclass(frozen=True)
class Channel:
    """A declared channel. A capacity of 0 is a handshake; else messages wait in `queue`.

    `forms` has the types of the fields for each form of message that is sent. Where there are several, a
    message in the queue begins with the number of its form.
    """

    name: str
    count: int | None
    capacity: int
    forms: tuple[Fields, ...]
    queue: Queue | None

    @property
    def is_mixed(self) -> bool:
        """Whether messages of different lengths or types are sent."""
        return len(self.forms) > 1

    def forms_of(self, count: int) -> list[tuple[int, Fields]]:
        """The forms of messages of so many fields, with their numbers; one is assumed if none is sent."""
        found = [(number, kinds) for number, kinds in enumerate(self.forms) if len(kinds) == count]
        return found or [(len(self.forms), (Type.INT,) * count)]

    def form_for(self, kinds: Fields) -> tuple[int, Fields]:
        """The form of a message whose fields have some types."""
        forms = self.forms_of(len(kinds))
        return next((form for form in forms if all(map(fits, kinds, form[1]))), forms[0])

    def length(self, index: Expression, span: Span) -> Expression:
        """How many messages wait."""
        return self._slot(0, index, Type.INT, span)

    def sent_form(self, index: Expression, span: Span) -> Expression | None:
        """The form of the first message, where there are several."""
        return self._slot(1, index, Type.INT, span) if self.is_mixed else None

    def first_message(self, kinds: Fields, index: Expression, span: Span) -> tuple[Expression, ...]:
        """The fields of the first message that waits, which has some types."""
        before = 2 if self.is_mixed else 1
        return tuple(self._slot(before + number, index, kind, span) for number, kind in enumerate(kinds))

    def padded(self, form: int, values: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """A message of a form, as the queue keeps it."""
        assert self.queue is not None
        head = (Constant(form),) if self.is_mixed else ()
        full = (*head, *values)
        return (*full, *[Constant(0)] * (self.queue.width - len(full)))

    def rendezvous(self, index: Expression, form: int) -> Rendezvous:
        """Where its handshakes meet."""
        return Rendezvous(self.name, self.count or 1, index, form)

    def _slot(self, offset: int, index: Expression, kind: Type, span: Span) -> Expression:
        queue = self.queue
        assert queue is not None
        return fold(
            SharedElement(queue.base + offset, queue.count, index, self.name, kind, span, queue.stride)
        )


class Channels:
    """The channels of a model, by name."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self._expressions = expressions
        self.by_name: dict[str, Channel] = {}

    def resolve(self, node: syntax.Channel, names: Names) -> tuple[Channel, Expression]:
        """The channel a process uses, and the index of the one of an array (0 if it is none)."""
        if node.name not in self.by_name:
            raise input_error(
                Code.UNKNOWN_NAME,
                f"there is no channel '{node.name}'",
                node.span,
                nearest(node.name, self.by_name) or f"declare it, as in 'channel {node.name} 0;'",
            )
        channel = self.by_name[node.name]
        if (channel.count is None) is not (node.index is None):
            kind = "not an array of channels" if channel.count is None else "an array of channels"
            hint = None if channel.count is None else f"choose one, as in '{node.name}[0]'"
            raise input_error(Code.TYPE, f"'{node.name}' is {kind}", node.span, hint)
        if node.index is None:
            return channel, Constant(0)
        assert channel.count is not None
        index = self._expressions.integer(node.index, names)
        if isinstance(index, Constant) and 0 <= index.value < channel.count:
            return channel, index
        return channel, Bounded(index, channel.count, channel.name, Type.INT, node.span)

    def function(self, node: syntax.Invocation, names: Names) -> Expression:
        """`call(cfull, c)` and similar calls, of buffered channels."""
        if len(node.arguments) != 1:
            raise input_error(Code.ARITY, f"'{node.function}' takes one channel", node.span)
        argument = node.arguments[0]
        match argument:
            case syntax.Name(name=name):
                reference = syntax.Channel(argument.span, name, None)
            case syntax.Subscript(name=name, indices=(which,)):
                reference = syntax.Channel(argument.span, name, which)
            case _:
                raise input_error(Code.TYPE, f"'{argument.span.text}' is not a channel", argument.span)
        channel, index = self.resolve(reference, names)
        if channel.queue is None:
            raise input_error(
                Code.TYPE,
                f"'{channel.name}' has no buffer, so '{node.function}' says nothing about it",
                argument.span,
            )
        length = channel.length(index, argument.span)
        match node.function:
            case "ccount":
                return length
            case "csize":
                return Constant(channel.capacity)
            case "cempty":
                return fold(Binary(Operator.EQUAL, length, Constant(0), Type.BOOL, node.span))
            case "cfull":
                full = Constant(channel.capacity)
                return fold(Binary(Operator.EQUAL, length, full, Type.BOOL, node.span))
        return self._peek(node, channel, index)

    def _peek(self, node: syntax.Invocation, channel: Channel, index: Expression) -> Expression:
        """The first message that waits: the value of its only field, or an array of several."""
        if channel.is_mixed or not channel.forms:
            what = "messages of different lengths or types" if channel.is_mixed else "no messages"
            raise input_error(
                Code.TYPE, f"'{channel.name}' carries {what}, so its first message has no type", node.span
            )
        (types,) = channel.forms
        count = len(types)
        if len(set(types)) > 1:
            raise input_error(Code.TYPE, f"the messages of '{channel.name}' are not arrays", node.span)
        result = types[0]
        value: Callable[[Sequence[int]], int] = _only
        built_in = "peek"
        if count > 1:
            result = array = array_type(self._expressions.library, channel.name, types[0], node.span)
            value = array.gather.apply
            built_in = f"peek {array.name}"

        def first(words: Sequence[int]) -> int:
            if words[0] == 0:
                raise CallFailed(f"the channel '{channel.name}' is empty")
            return value(words[1:])

        message = channel.first_message(types, index, node.span)
        arguments = (channel.length(index, node.span), *message)
        return FunctionCall(Function("cpeek", first, built_in), arguments, result, node.span)


def _only(words: Sequence[int]) -> int:
    (word,) = words
    return word


def bound_names(node: syntax.Input, names: Names, expressions: ExpressionElaborator) -> dict[str, int]:
    """The names an input gives a meaning to, with the number of their field; others are compared."""
    found: dict[str, int] = {}
    for number, pattern in enumerate(node.patterns):
        if (
            isinstance(pattern, syntax.Name)
            and pattern.name not in names.environment
            and pattern.name not in found
            and pattern.name not in expressions.variables
            and pattern.name not in expressions.declarations.defines
        ):
            found[pattern.name] = number
    return found
