"""Reads names in formulas: propositions, comparisons, events, and what happens on channels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from fairlead.base.diagnostics import Code, Diagnostic, InputError, Severity, input_error, nearest
from fairlead.base.source import Source
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.declarations import Declarations
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator
from fairlead.lang.csp.event_values import EventValues
from fairlead.lang.csp.parse import parse_expression, parse_specification
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.assertion import AtomText, EventAtom, Meaning
from fairlead.model.evaluation import Scope
from fairlead.model.expression import Constant, Expression
from fairlead.model.labels import (
    TERMINATE,
    ChannelAction,
    ChannelTemplate,
    EventTemplate,
    event_text,
    label_text,
)
from fairlead.model.system import Proposition
from fairlead.model.types import Type

Kind = TypeVar("Kind")

#: `c!1.2`, `c[0]?1`, `c.1`
_CHANNEL_EVENT = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)\s*(?P<index>\[.*\])?\s*(?P<action>[!?.])(?P<values>.*)", re.DOTALL
)


class Atoms:
    """What the atoms of formulas about one model mean."""

    def __init__(
        self,
        expressions: ExpressionElaborator,
        specification: syntax.Specification,
        asked: Mapping[str, syntax.Call],
    ) -> None:
        """`asked` are the processes that questions are about; it grows with them."""
        self._expressions = expressions
        self._asked = asked
        self._event_values: tuple[int, EventValues] | None = None
        self._declarations: Declarations = expressions.declarations
        self._arities = _event_arities(specification)

    def meaning(self, atom: AtomText) -> Meaning:
        """A proposition, a comparison, or else an event."""
        if atom.is_comparison:
            return Proposition(atom.text, self._condition(atom))
        name = atom.text.strip()
        # PAT's propositions are defined; a variable is one only where no event has its name
        is_variable = name in self._expressions.variables and name not in self._arities
        if not atom.is_quoted and (is_variable or name in self._declarations.defines):
            return Proposition(name, self._condition(atom))
        return self._known_event(atom, "a proposition", self._declarations.defines)

    def event(self, atom: AtomText) -> EventAtom:
        """The event an atom is, in a place where there may be a process, but no proposition."""
        return self._known_event(atom, "a process", self._declarations.processes)

    def _known_event(self, atom: AtomText, other: str, others: Iterable[str]) -> EventAtom:
        """The event an atom is; if there is none, the error tells that it is not `other` either."""
        channel_event = self._channel_event(atom)
        if channel_event is not None:
            return channel_event
        name, *arguments = atom.text.split(".", 1)
        name = name.strip()
        if name == TERMINATE and not arguments:
            return EventAtom.of(TERMINATE)
        if name in self._arities:
            return self._event(atom, name)
        channel = _CHANNEL_EVENT.fullmatch(atom.text)
        if channel is not None and channel["name"] in self._expressions.channels.by_name:
            name = channel["name"]
        message = f"'{name}' is neither {other} nor an event of the model"
        raise input_error(Code.UNKNOWN_NAME, message, atom.span, self._hint(name, others))

    def _hint(self, name: str, others: Iterable[str]) -> str | None:
        channels = self._expressions.channels.by_name
        if name in channels and channels[name].queue is not None:
            return f'what happens on a channel is written in quotes: "{name}!1", "{name}?1"'
        if name in channels:
            return f"'{name}' has no buffer: what happens on it is written {name}.1"
        if name in self._declarations.defines:
            return f"'{name}' is a proposition or a constant"
        return nearest(name, [*others, *self._arities, *channels])

    def _event(self, atom: AtomText, name: str) -> EventAtom:
        event = _parsed(atom, f"{atom.text} -> Stop", syntax.Prefix).event
        if len(event.arguments) not in self._arities[name]:
            wanted = " or ".join(str(count) for count in sorted(self._arities[name]))
            raise input_error(
                Code.ARITY,
                f"event '{name}' has {wanted} arguments in the model, {len(event.arguments)} given",
                atom.span,
            )
        arguments = self._constants(event.arguments, atom)
        self._warn_if_impossible(atom, name, arguments)
        template = EventTemplate(name, arguments)
        return EventAtom.of(event_text(label_text(template), Scope([])))

    def _warn_if_impossible(self, atom: AtomText, name: str, arguments: tuple[Expression, ...]) -> None:
        values = tuple(
            argument.value
            for argument in arguments
            if isinstance(argument, Constant) and argument.type is Type.INT
        )
        if not arguments or len(values) < len(arguments):
            return
        if self._event_values is None or self._event_values[0] != len(self._asked):
            self._event_values = len(self._asked), EventValues(self._expressions, self._asked.values())
        why = self._event_values[1].impossible(name, values)
        if why is not None:
            warning = Diagnostic(
                Code.NEVER_HAPPENS,
                f"'{atom.text}' never happens: {why}",
                atom.span,
                severity=Severity.WARNING,
            )
            if warning not in self._expressions.warnings:
                self._expressions.warnings.append(warning)

    def _channel_event(self, atom: AtomText) -> EventAtom | None:
        """`"c!1"`, `"c[0]?1.2"` or `c.1`, if the name is that of a channel that has such events."""
        found = _CHANNEL_EVENT.fullmatch(atom.text)
        channels = self._expressions.channels.by_name
        if found is None or found["name"] not in channels:
            return None
        channel, action = channels[found["name"]], ChannelAction(found["action"])
        if (action is ChannelAction.HANDSHAKE) is not (channel.queue is None):
            return None
        text = f"{found['name']}{found['index'] or ''}!{found['values']} -> Stop"
        output = _parsed(atom, text, syntax.Output)
        if (output.channel.index is None) is not (channel.count is None):
            raise input_error(
                Code.TYPE, f"'{channel.name}' is {'not ' if channel.count is None else ''}an array", atom.span
            )
        index = None
        if output.channel.index is not None:
            (index,) = self._constants((output.channel.index,), atom)
        template = ChannelTemplate(channel.name, index, action, self._constants(output.values, atom))
        return EventAtom.of(event_text(label_text(template), Scope([])))

    def _constants(self, nodes: tuple[syntax.Expression, ...], atom: AtomText) -> tuple[Expression, ...]:
        values = tuple(self._expressions.elaborate(node, GLOBAL) for node in nodes)
        if not all(isinstance(value, Constant) for value in values):
            raise input_error(
                Code.NOT_CONSTANT, "an event in a formula must have constant arguments", atom.span
            )
        return values

    def _condition(self, atom: AtomText) -> Expression:
        try:
            return self._expressions.asked(parse_expression(Source("formula", atom.text)), Type.BOOL)
        except InputError as error:
            problem = error.diagnostics[0]
            raise input_error(problem.code, problem.message, atom.span, problem.hint) from None


def _event_arities(specification: syntax.Specification) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = {}
    for node in nodes_of(specification.declarations):
        if isinstance(node, syntax.Event) and node.name != "tau":
            found.setdefault(node.name, set()).add(len(node.arguments))
    return found


def _parsed(atom: AtomText, text: str, kind: type[Kind]) -> Kind:
    """The process a text is, which must be of a kind."""
    try:
        definition = parse_specification(Source("event", f"P = {text};")).declarations[0]
    except InputError:
        definition = None
    if isinstance(definition, syntax.ProcessDefinition) and isinstance(definition.body, kind):
        return definition.body
    raise input_error(Code.FORMULA, f"'{atom.text}' is not an event", atom.span)
