"""Determines the values that arguments of events can have, as far as the text shows: an interval for each.

Parameters are followed through calls; a value that the text does not bound can be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairlead.base.records import dataclass
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator
from fairlead.lang.csp.walk import nodes_of, process_children
from fairlead.model.types import INT_MAX, INT_MIN

#: after so many rounds what still grows is taken to be anything
ROUNDS = 6


@dataclass(frozen=True)
class Interval:
    """Values from `low` to `high`."""

    low: int
    high: int

    def joined(self, other: Interval) -> Interval:
        """Everything between the values of both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


ANYTHING = Interval(INT_MIN, INT_MAX)
Scope = Mapping[str, Interval]
Key = tuple[str, int]


class EventValues:
    """The intervals of all events of a model."""

    def __init__(self, expressions: ExpressionElaborator, asked: Iterable[syntax.Call]) -> None:
        """`asked` are the processes that questions are about."""
        self._asked = list(asked)
        self._expressions = expressions
        self._declared = expressions.declarations
        self._parameters: dict[Key, Interval] = {}
        self._events: dict[Key, list[tuple[Interval, ...]]] = {}
        for round_ in range(ROUNDS + 2):
            before = dict(self._parameters)
            self._events = {}
            self._go_through()
            if self._parameters == before:
                return
            if round_ >= ROUNDS:
                for key, interval in self._parameters.items():
                    if before.get(key) != interval:
                        self._parameters[key] = ANYTHING
        self._parameters = {}
        self._events = {}  # it still grows: nothing is known

    def impossible(self, name: str, values: tuple[int, ...]) -> str | None:
        """Why an event can never have these arguments, if the text shows it."""
        known = self._events.get((name, len(values)))
        if not known or any(_contains(intervals, values) for intervals in known):
            return None
        for number, value in enumerate(values):
            joined = known[0][number]
            for intervals in known[1:]:
                joined = joined.joined(intervals[number])
            if not joined.low <= value <= joined.high:
                shown = str(joined.low) if joined.low == joined.high else f"in {joined.low}..{joined.high}"
                return f"argument {number + 1} of '{name}' is always {shown}"
        return f"'{name}' has no such combination of values"

    def _go_through(self) -> None:
        for call in self._asked:
            self._called(call, {})
        for name, definition in self._declared.processes.items():
            scope = {
                parameter.name: self._parameters[name, number]
                for number, parameter in enumerate(definition.parameters)
                if (name, number) in self._parameters
            }
            if len(scope) == len(definition.parameters):
                self._visit(definition.body, scope)

    def _visit(self, body: syntax.Process, names: Scope) -> None:
        pending: list[tuple[syntax.Process, Scope]] = [(body, names)]
        while pending:
            node, scope = pending.pop()
            match node:
                case syntax.Prefix(event=event):
                    found = tuple(self._interval(argument, scope) for argument in event.arguments)
                    self._events.setdefault((event.name, len(found)), []).append(found)
                case syntax.CompoundPrefix():
                    for part in nodes_of((node,)):
                        if isinstance(part, syntax.Event):
                            count = len(part.arguments)
                            self._events.setdefault((part.name, count), []).append((ANYTHING,) * count)
                case syntax.Call():
                    self._called(node, scope)
                case syntax.Input():
                    patterns = {part.name for part in node.patterns if isinstance(part, syntax.Name)}
                    scope = {**scope, **dict.fromkeys(patterns - scope.keys(), ANYTHING)}
                case syntax.IndexedChoice(ranges=ranges) | syntax.IndexedParallel(ranges=ranges):
                    for index in ranges:
                        scope = {**scope, index.name: self._range(index, scope)}
            pending += [(child, scope) for child in process_children(node)]

    def _called(self, call: syntax.Call, scope: Scope) -> None:
        for number, argument in enumerate(call.arguments):
            key, found = (call.process, number), self._interval(argument, scope)
            known = self._parameters.get(key)
            self._parameters[key] = found if known is None else known.joined(found)

    def _range(self, index: syntax.IndexRange, scope: Scope) -> Interval:
        found: Interval | None = None
        for value in index.values:
            ends = (value.first, value.last) if isinstance(value, syntax.Interval) else (value,)
            for end in ends:
                interval = self._interval(end, scope)
                found = interval if found is None else found.joined(interval)
        return found or ANYTHING

    def _interval(self, node: syntax.Expression, scope: Scope) -> Interval:
        match node:
            case syntax.Integer(value=value):
                return Interval(value, value)
            case syntax.Name(name=name):
                return self._named(name, scope)
            case syntax.Subscript(name=name) if name not in scope:
                return self._variable(name)
            case syntax.Binary(operator=operator, left=left, right=right):
                return _joined_by(operator, self._interval(left, scope), self._interval(right, scope))
        return ANYTHING

    def _named(self, name: str, scope: Scope) -> Interval:
        if name in scope:
            return scope[name]
        define = self._declared.defines.get(name)
        if define is not None and isinstance(define.body, syntax.Integer):
            return Interval(define.body.value, define.body.value)
        return self._variable(name)

    def _variable(self, name: str) -> Interval:
        variable = self._expressions.variables.get(name)
        if variable is None or variable.low is None or variable.high is None:
            return ANYTHING
        return Interval(variable.low, variable.high)


def _contains(intervals: tuple[Interval, ...], values: tuple[int, ...]) -> bool:
    return all(
        interval.low <= value <= interval.high for interval, value in zip(intervals, values, strict=True)
    )


def _joined_by(operator: str, left: Interval, right: Interval) -> Interval:
    """What an operator makes of two intervals."""
    if operator == "%" and right.low == right.high and right.low > 0:
        if left.low >= 0 and left.high < right.low:
            return left
        return Interval(0, right.low - 1)
    if ANYTHING in (left, right):
        return ANYTHING
    if operator == "+":
        return _within(left.low + right.low, left.high + right.high)
    if operator == "-":
        return _within(left.low - right.high, left.high - right.low)
    if operator == "*":
        corners = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
        return _within(min(corners), max(corners))
    return ANYTHING


def _within(low: int, high: int) -> Interval:
    return Interval(low, high) if low > INT_MIN and high < INT_MAX else ANYTHING
