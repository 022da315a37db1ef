"""The types of messages, learnt from what the model sends.

A channel has no declared type. Parameters and received names are followed through calls and channels until
nothing new is learnt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat

from fairlead.base.diagnostics import Code, Diagnostic, FairleadError, LimitReached, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.channels import Channel, Fields, bound_names
from fairlead.lang.csp.elaborate.conversions import NOTHING, PLAIN
from fairlead.lang.csp.elaborate.differing import NONE_DIFFERS, DifferingNames
from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names
from fairlead.lang.csp.elaborate.free import FreeNames
from fairlead.lang.csp.walk import nodes_of, process_children
from fairlead.model.expression import Parameter
from fairlead.model.program import Queue
from fairlead.model.types import Type

#: more slots than this for the buffers of a channel are refused
SLOT_LIMIT = 1 << 20
#: more combinations of types of a process's arguments than this are refused
CALL_LIMIT = 1 << 10


def elaborate_channels(expressions: ExpressionElaborator, first_slot: int) -> int:
    """Gives every buffered channel its slots, from `first_slot` on, and returns how many there are."""
    expressions.differing = DifferingNames(lambda: _learnt(expressions).differing())
    declared = expressions.declarations.channels
    if not declared:
        return 0
    forms = _learnt(expressions).forms()
    slot = first_slot
    for declaration in declared.values():
        channel = _channel(expressions, declaration, forms.get(declaration.name, ()), slot)
        expressions.channels.by_name[declaration.name] = channel
        if channel.queue is not None:
            slot += channel.queue.count * channel.queue.stride
    return slot - first_slot


def _learnt(expressions: ExpressionElaborator) -> _Inference:
    """All that the text shows; errors of types are not made run-time errors meanwhile."""
    differing, expressions.differing = expressions.differing, NONE_DIFFERS
    gives_hints, expressions.gives_hints = expressions.gives_hints, False
    warnings = len(expressions.warnings)
    try:
        found = _Inference(expressions)
        found.learn()
        return found
    finally:
        expressions.differing, expressions.gives_hints = differing, gives_hints
        del expressions.warnings[warnings:]


def _channel(
    expressions: ExpressionElaborator,
    declaration: syntax.ChannelDeclaration,
    forms: tuple[Fields, ...],
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
        width = max((len(kinds) for kinds in forms), default=1) + (1 if len(forms) > 1 else 0)
        queue = Queue(declaration.name, slot, count or 1, capacity, width)
        slots = queue.count * queue.stride
        if slots > SLOT_LIMIT:
            message = f"the buffers of channel '{declaration.name}' would take {slots} slots"
            raise LimitReached((Diagnostic(Code.LIMIT, message, declaration.name_span),))
    return Channel(declaration.name, count, capacity, forms, queue)


class _Inference:
    """Learns the types of parameters and messages from how processes are called and what is sent."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self._expressions = expressions
        self._declarations = expressions.declarations
        #: for each process the types of arguments it is called with
        self._calls: dict[str, dict[Fields, None]] = {}
        #: for each channel and number of fields, the types by what cannot be mixed
        self._forms: dict[tuple[str, int], dict[Fields, Fields]] = {}
        self._received: dict[str, set[Type]] = {}
        self._learnt = True
        self._seen: set[tuple[int, tuple[tuple[str, Type], ...]]] = set()

    @cached_property
    def _free(self) -> FreeNames:
        return FreeNames(self._declarations.processes)

    def forms(self) -> dict[str, tuple[Fields, ...]]:
        """For each channel, the forms of messages."""
        found: dict[str, tuple[Fields, ...]] = {}
        for (channel, count), kinds in self._forms.items():
            new = tuple(kinds.values()) or ((Type.INT,) * count,)
            found[channel] = found.get(channel, ()) + new
        return found

    def differing(self) -> frozenset[str]:
        """The names of parameters and received values that have different types."""
        found = {name for name, kinds in self._received.items() if len(kinds) > 1}
        for process, calls in self._calls.items():
            parameters = self._declarations.processes[process].parameters
            found |= {
                parameter.name
                for parameter, *kinds in zip(parameters, *calls, strict=False)
                if len(set(kinds)) > 1
            }
        if found:  # they may be arguments of macros
            for define in self._declarations.defines.values():
                found |= set(define.parameters or ())
        return frozenset(found)

    def learn(self) -> None:
        """Goes through the text until there is nothing new."""
        processes = self._declarations.processes
        asked = [node for node in nodes_of(self._declarations.assertions) if isinstance(node, syntax.Call)]
        while self._learnt:
            self._learnt = False
            self._seen.clear()
            for call in asked:
                self._visit(call, Names())
            for name, definition in processes.items():
                for kinds in list(self._calls.get(name, ())):
                    self._visit(definition.body, _scope(definition, kinds))
                if name not in self._calls:  # no process calls it, as far as is known
                    self._visit(definition.body, _scope(definition, repeat(NOTHING)))

    def _visit(self, body: syntax.Process, names: Names) -> None:
        pending: list[tuple[syntax.Process, Names]] = [(body, names)]
        while pending:
            node, scope = pending.pop()
            match node:
                case syntax.Call(process=process, arguments=arguments):
                    if process in self._declarations.processes:
                        self._called(node, self._types(arguments, scope))
                case syntax.Output(channel=channel, values=values):
                    self._sent((channel.name, len(values)), self._types(values, scope))
                case syntax.Input():
                    pending += self._after_input(node, scope)
                    continue
                case syntax.IndexedChoice(ranges=ranges) | syntax.IndexedParallel(ranges=ranges):
                    for index in ranges:
                        scope = scope.binding(index.name, Parameter(0, Type.INT))
            pending += [(child, scope) for child in process_children(node)]

    def _types(self, values: Sequence[syntax.Expression], names: Names) -> Fields | None:
        """The types of some expressions; None while they are not known."""
        try:
            found = tuple(self._expressions.elaborate(value, names).type for value in values)
        except FairleadError:
            return None  # if they never are, elaboration will say why
        return None if NOTHING in found else found

    def _called(self, call: syntax.Call, kinds: Fields | None) -> None:
        calls = self._calls.setdefault(call.process, {}) if kinds is not None else {}
        if kinds is None or kinds in calls:
            return
        if len(calls) >= CALL_LIMIT:
            message = f"'{call.process}' is called with more than {CALL_LIMIT} combinations of types"
            raise LimitReached((Diagnostic(Code.LIMIT, message, call.span),))
        calls[kinds] = None
        self._learnt = True

    def _sent(self, key: tuple[str, int], kinds: Fields | None) -> None:
        forms = self._forms.setdefault(key, {})
        if kinds is None:
            return
        group = tuple(Type.MIXED if kind in PLAIN else kind for kind in kinds)
        known = forms.get(group, kinds)
        merged = tuple(
            kind if kind is other else Type.MIXED for kind, other in zip(known, kinds, strict=True)
        )
        if merged != forms.get(group):
            forms[group] = merged
            self._learnt = True

    def _after_input(self, node: syntax.Input, names: Names) -> Iterator[tuple[syntax.Process, Names]]:
        """What follows an input, for each form of message that is known to be sent."""
        bound = bound_names(node, names, self._expressions)
        forms = list(self._forms.get((node.channel.name, len(node.patterns)), {}).values())
        if not forms:
            yield node.next, names
        for kinds in forms:
            after = names
            for name, number in bound.items():
                self._received.setdefault(name, set()).add(kinds[number])
                after = after.binding(name, Parameter(0, kinds[number]))
            if len(forms) == 1 or self._is_new(node.next, after):
                yield node.next, after

    def _is_new(self, node: syntax.Process, names: Names) -> bool:
        """Whether a text has not been examined with these types of the names it mentions."""
        known = names.environment
        types = tuple((name, known[name].type) for name in sorted(self._free.free(node) & known.keys()))
        key = (id(node), types)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new


def _scope(definition: syntax.ProcessDefinition, types: Iterable[Type]) -> Names:
    return Names(
        {
            parameter.name: Parameter(0, kind)
            for parameter, kind in zip(definition.parameters, types, strict=False)
        }
    )
