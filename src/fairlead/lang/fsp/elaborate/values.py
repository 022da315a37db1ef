"""Evaluates expressions of FSP as Java would: integers of 32 bits, and labels."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, assert_never

from fairlead.base.diagnostics import Code, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.fsp.syntax import (
    Binary,
    Expression,
    LabelValue,
    Name,
    Number,
    SetElement,
    SetSize,
    Unary,
)

if TYPE_CHECKING:
    from fairlead.lang.fsp.elaborate.declarations import Declarations

#: an integer, or a label
Value = int | str

_INTEGER = re.compile(r"-?\d+")


def as_value(text: str) -> Value:
    """A label as a value: what looks like an integer is one."""
    return int(text) if _INTEGER.fullmatch(text) else text


@dataclass(frozen=True)
class Scope:
    """What names stand for in some place of the text: variables and parameters, and all that is declared."""

    declarations: Declarations = field(repr=False)
    bindings: Mapping[str, Value] = field(default_factory=dict)
    is_loose: bool = False

    def bind(self, name: str, value: Value) -> Scope:
        """The scope in which a name has a value."""
        return Scope(self.declarations, {**self.bindings, name: value}, self.is_loose)

    def loose(self) -> Scope:
        """The same for a place where variables do not matter, so that a name may be bound again."""
        return Scope(self.declarations, self.bindings, True)


def evaluate(expression: Expression, scope: Scope) -> Value:
    """The value of an expression."""
    # the usual ones first, and without patterns: this runs for every branch in every state
    if isinstance(expression, Name):
        return _named(expression.name, expression.span, scope)
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Binary):
        left, right = evaluate(expression.left, scope), evaluate(expression.right, scope)
        return _binary(expression.operator, left, right, expression.span)
    match expression:
        case Unary(sign, operand, span):
            return _wrapped(_UNARY[sign](_integer(evaluate(operand, scope), span)))
        case LabelValue(label, span):
            return as_value(_one(scope.declarations.label_texts(label, scope), span))
        case SetSize(labels):
            return len(scope.declarations.label_texts(labels, scope))
        case SetElement(labels, index, span):
            elements = scope.declarations.label_texts(labels, scope)
            number = _integer(evaluate(index, scope), span)
            if not 0 <= number < len(elements):
                problem = f"there is no element {number}: the set has {len(elements)}, counted from 0"
                raise input_error(Code.RANGE, problem, span)
            return as_value(elements[number])
        case _:
            assert_never(expression)


def integer(expression: Expression, scope: Scope) -> int:
    """The value of an expression that must be an integer."""
    return _integer(evaluate(expression, scope), expression.span)


def is_positive(expression: Expression, scope: Scope) -> bool:
    """Whether `initially` or `rigid` makes something true: the value is more than 0."""
    return integer(expression, scope) > 0


def is_true(expression: Expression, scope: Scope) -> bool:
    """Whether a guard or condition holds: it is not 0."""
    return integer(expression, scope) != 0


def _one(labels: list[str], span: Span) -> str:
    if len(labels) != 1:
        raise input_error(Code.TYPE, f"one label is needed here, not {len(labels)}", span)
    return labels[0]


def _named(name: str, span: Span, scope: Scope) -> Value:
    if name in scope.bindings:
        return scope.bindings[name]
    constant = scope.declarations.constant(name, span)
    if constant is not None:
        return constant
    kind = "constant or parameter" if name[0].isupper() else "variable"
    known = [*scope.bindings, *scope.declarations.constants]
    raise input_error(Code.UNKNOWN_NAME, f"{kind} '{name}' is not defined", span, nearest(name, known))


def _integer(value: Value, span: Span) -> int:
    if isinstance(value, str):
        problem = f"'{value}' is a label, and a number is needed here"
        raise input_error(Code.TYPE, problem, span, "labels can be compared with == and != only")
    return value


def _wrapped(value: int) -> int:
    """The value in 32 bits."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


_UNARY: Mapping[str, Callable[[int], int]] = {
    "+": lambda value: value,
    "-": lambda value: -value,
    "!": lambda value: 0 if value > 0 else 1,
}


def _quotient(left: int, right: int) -> int:
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "||": lambda left, right: int(left != 0 or right != 0),
    "&&": lambda left, right: int(left != 0 and right != 0),
    "|": operator.or_,
    "^": operator.xor,
    "&": operator.and_,
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "<<": lambda left, right: left << (right & 31),
    ">>": lambda left, right: left >> (right & 31),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "%": lambda left, right: left - right * _quotient(left, right),
}


def _binary(sign: str, left: Value, right: Value, span: Span) -> Value:
    if sign == "==":
        return int(left == right)
    if sign == "!=":
        return int(left != right)
    first, second = _integer(left, span), _integer(right, span)
    if sign in "/%" and second == 0:
        raise input_error(Code.DIVISION_BY_ZERO, "division by zero", span)
    return _wrapped(_BINARY[sign](first, second))
