"""The types of messages, learnt from what the model sends.

A channel has no declared type. Parameters and received names are followed through calls and channels until
nothing new is learnt.
"""

from __future__ import annotations

from typing import TypeVar

from fairlead.base.diagnostics import Code, Diagnostic, FairleadError, LimitReached, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.channels import Channel, Fields, bound_names
from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names
from fairlead.lang.csp.walk import nodes_of, process_children
from fairlead.model.expression import Expression, Parameter
from fairlead.model.program import Queue
from fairlead.model.types import Type

#: more slots than this for the buffers of a channel are refused
SLOT_LIMIT = 1 << 20

Key = TypeVar("Key")


def elaborate_channels(expressions: ExpressionElaborator, first_slot: int) -> int:
    """Gives every buffered channel its slots, from `first_slot` on, and returns how many there are."""
    declared = expressions.declarations.channels
    if not declared:
        return 0
    expressions.gives_hints = False
    sent = _Inference(expressions).messages()
    expressions.gives_hints = True
    slot = first_slot
    for declaration in declared.values():
        messages = {count: types for (name, count), types in sent.items() if name == declaration.name}
        channel = _channel(expressions, declaration, messages, slot)
        expressions.channels.by_name[declaration.name] = channel
        if channel.queue is not None:
            slot += channel.queue.count * channel.queue.stride
    return slot - first_slot


def _channel(
    expressions: ExpressionElaborator,
    declaration: syntax.ChannelDeclaration,
    messages: dict[int, Fields],
    slot: int,
) -> Channel:
    capacity = expressions.constant(declaration.capacity)
    count = None if declaration.count is None else expressions.constant(declaration.count)
    if capacity < 0:
        raise input_error(Code.RANGE, f"a buffer of size {capacity}", declaration.capacity.span)
    if declaration.count is not None and count is not None and count < 1:
        raise input_error(Code.RANGE, "an array of channels needs at least one", declaration.count.span)
    queue = None
    if capacity:
        width = max(messages, default=1) + (1 if len(messages) > 1 else 0)
        queue = Queue(declaration.name, slot, count or 1, capacity, width)
        slots = queue.count * queue.stride
        if slots > SLOT_LIMIT:
            message = f"the buffers of channel '{declaration.name}' would take {slots} slots"
            raise LimitReached((Diagnostic(Code.LIMIT, message, declaration.name_span),))
    return Channel(declaration.name, count, capacity, messages, queue)


class _Inference:
    """Learns the types of parameters and messages from how processes are called and what is sent."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self._expressions = expressions
        self._declarations = expressions.declarations
        self._parameters: dict[tuple[str, str], Type] = {}
        self._fields: dict[tuple[str, int, int], Type] = {}
        self._lengths: dict[tuple[str, int], None] = {}
        self._learnt = True

    def messages(self) -> dict[tuple[str, int], Fields]:
        """For each channel and number of fields that is sent, the types of the fields."""
        asked = [node for node in nodes_of(self._declarations.assertions) if isinstance(node, syntax.Call)]
        while self._learnt:
            self._learnt = False
            for call in asked:
                self._visit(call, Names())
            for definition in self._declarations.processes.values():
                self._visit(definition.body, Names(self._known_parameters(definition)))
        return {
            (channel, count): tuple(
                self._fields.get((channel, count, number), Type.INT) for number in range(count)
            )
            for channel, count in self._lengths
        }

    def _known_parameters(self, definition: syntax.ProcessDefinition) -> dict[str, Expression]:
        known: dict[str, Expression] = {}
        for parameter in definition.parameters:
            kind = self._parameters.get((definition.name, parameter.name))
            if kind is not None:
                known[parameter.name] = Parameter(0, kind)
        return known

    def _visit(self, body: syntax.Process, names: Names) -> None:
        pending: list[tuple[syntax.Process, Names]] = [(body, names)]
        while pending:
            node, scope = pending.pop()
            match node:
                case syntax.Call(process=process, arguments=arguments):
                    if process in self._declarations.processes:
                        definition = self._declarations.processes[process]
                        for parameter, argument in zip(definition.parameters, arguments, strict=False):
                            self._learn(self._parameters, (process, parameter.name), argument, scope)
                case syntax.Output(channel=channel, values=values):
                    if (channel.name, len(values)) not in self._lengths:
                        self._lengths[channel.name, len(values)] = None
                        self._learnt = True
                    for number, value in enumerate(values):
                        self._learn(self._fields, (channel.name, len(values), number), value, scope)
                case syntax.Input():
                    scope = self._after_input(node, scope)
                case syntax.IndexedChoice(ranges=ranges) | syntax.IndexedParallel(ranges=ranges):
                    for index in ranges:
                        scope = scope.binding(index.name, Parameter(0, Type.INT))
            pending += [(child, scope) for child in process_children(node)]

    def _after_input(self, node: syntax.Input, names: Names) -> Names:
        for name, number in bound_names(node, names, self._expressions).items():
            kind = self._fields.get((node.channel.name, len(node.patterns), number))
            if kind is not None:
                names = names.binding(name, Parameter(0, kind))
        return names

    def _learn(self, types: dict[Key, Type], key: Key, value: syntax.Expression, names: Names) -> None:
        if types.get(key) is Type.MIXED:
            return
        try:
            found = self._expressions.elaborate(value, names).type
        except FairleadError:
            return  # not known yet; if it never is, elaboration will say why
        known = types.get(key)
        if known is not None and known is not found and {known, found} <= {Type.INT, Type.BOOL, Type.MIXED}:
            found = Type.MIXED
        elif known is not None:
            return
        types[key] = found
        self._learnt = True
