"""Tracks the ranges of expressions of the Network, so that no value is wrapped that fits anyhow."""

from __future__ import annotations

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.promela.syntax import Basic
from fairlead.model.expression import (
    FALSE,
    TRUE,
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Unary,
    UnaryOperator,
)
from fairlead.model.folding import fold
from fairlead.model.types import INT_MAX, INT_MIN, Type


@dataclass(frozen=True)
class Value:
    """An expression whose value is from `low` to `high`."""

    expression: Expression
    low: int
    high: int

    @property
    def is_truth(self) -> bool:
        """Whether it is 0 or 1."""
        return self.low >= 0 and self.high <= 1

    @property
    def constant(self) -> int | None:
        """Its value, if that is known."""
        return self.expression.value if isinstance(self.expression, Constant) else None


def number(value: int) -> Value:
    """A constant."""
    return Value(Constant(value), value, value)


def truth_of(condition: Expression) -> Value:
    """A condition as a number."""
    return Value(condition, 0, 1)


def of_type(expression: Expression, kind: Basic) -> Value:
    """What a variable of a type holds."""
    return Value(expression, kind.low, kind.high)


# ---------------------------------------------------------------- conditions


def condition(value: Value) -> Expression:
    """Whether a value is not 0."""
    if value.constant is not None:
        return TRUE if value.constant else FALSE
    if value.is_truth:
        return value.expression
    return Binary(Operator.UNEQUAL, value.expression, Constant(0), Type.BOOL)


def negation(test: Expression) -> Expression:
    """Whether a condition does not hold."""
    match test:
        case Constant(value):
            return FALSE if value else TRUE
        case Unary(UnaryOperator.NOT, operand):
            return operand
        case Binary(operator, left, right, kind, span) if operator in _OPPOSITE:
            return Binary(_OPPOSITE[operator], left, right, kind, span)
    return Unary(UnaryOperator.NOT, test, Type.BOOL)


_OPPOSITE = {
    Operator.EQUAL: Operator.UNEQUAL,
    Operator.UNEQUAL: Operator.EQUAL,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
}


def all_of(tests: list[Expression]) -> Expression:
    """Whether all conditions hold; they are examined from the left to the right."""
    return _joined(Operator.AND, [test for test in tests if test != TRUE], TRUE, FALSE)


def any_of(tests: list[Expression]) -> Expression:
    """Whether one of the conditions holds."""
    return _joined(Operator.OR, [test for test in tests if test != FALSE], FALSE, TRUE)


def _joined(
    operator: Operator, tests: list[Expression], empty: Expression, decides: Expression
) -> Expression:
    if not tests:
        return empty
    if decides in tests:
        first = tests.index(decides)
        # what stands before it may fail, and is examined first
        tests = tests[: first + 1] if first else [decides]
    while len(tests) > 1:
        pairs = [
            tests[at] if at + 1 == len(tests) else Binary(operator, tests[at], tests[at + 1], Type.BOOL)
            for at in range(0, len(tests), 2)
        ]
        tests = pairs
    return tests[0]


# ---------------------------------------------------------------- arithmetic

_COMPARISONS = {
    "==": Operator.EQUAL,
    "!=": Operator.UNEQUAL,
    "<": Operator.LESS,
    ">": Operator.GREATER,
    "<=": Operator.LESS_EQUAL,
    ">=": Operator.GREATER_EQUAL,
}
_BITS = {"&": Operator.BIT_AND, "|": Operator.BIT_OR, "^": Operator.BIT_XOR}


def compared(operator: str, left: Value, right: Value) -> Value:
    """A comparison."""
    test = fold(Binary(_COMPARISONS[operator], left.expression, right.expression, Type.BOOL))
    return truth_of(test)


def applied(operator: str, left: Value, right: Value, span: Span | None) -> Value:
    """An operation on numbers as C has it; what does not fit into 32 bits is a run-time error."""
    if operator in _COMPARISONS:
        return compared(operator, left, right)
    if operator in ("&&", "||"):
        tests = [condition(left), condition(right)]
        return truth_of(all_of(tests) if operator == "&&" else any_of(tests))
    if operator in _BITS:
        return _bits(operator, left, right)
    a, b = left.expression, right.expression
    match operator:
        case "+":
            low, high = left.low + right.low, left.high + right.high
            return _number(Binary(Operator.ADD, a, b, Type.INT, span), low, high)
        case "-":
            low, high = left.low - right.high, left.high - right.low
            return _number(Binary(Operator.SUBTRACT, a, b, Type.INT, span), low, high)
        case "*":
            ends = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
            return _number(Binary(Operator.MULTIPLY, a, b, Type.INT, span), min(ends), max(ends))
        case "/":
            most = max(abs(left.low), abs(left.high))
            low = 0 if left.low >= 0 and right.low >= 0 else -most
            return _number(Binary(Operator.DIVIDE, a, b, Type.INT, span), low, most)
        case "%":
            return _remainder(left, right, span)
        case "<<":
            power = _power(right)
            return applied("*", left, power, span)
        case ">>":
            return _shifted(left, right, span)
    raise AssertionError(operator)


def _number(expression: Expression, low: int, high: int) -> Value:
    found = fold(expression)
    if isinstance(found, Constant):
        return number(found.value)
    return Value(found, max(low, INT_MIN), min(high, INT_MAX))


def _bits(operator: str, left: Value, right: Value) -> Value:
    expression = Binary(_BITS[operator], left.expression, right.expression, Type.INT)
    if operator == "&" and (left.low >= 0 or right.low >= 0):
        high = min(value.high for value in (left, right) if value.low >= 0)
        return _number(expression, 0, high)
    if left.low >= 0 and right.low >= 0:
        bits = max(left.high, right.high).bit_length()
        return _number(expression, 0, (1 << bits) - 1)
    return _number(expression, INT_MIN, INT_MAX)


def _remainder(left: Value, right: Value, span: Span | None) -> Value:
    """The remainder has the sign of the left side in C; that of the Network is never negative."""
    modulo = Binary(Operator.MODULO, left.expression, right.expression, Type.INT, span)
    most = max(abs(right.low), abs(right.high))
    if left.low >= 0:
        return _number(modulo, 0, min(most, left.high))
    quotient = Binary(Operator.DIVIDE, left.expression, right.expression, Type.INT, span)
    product = Binary(Operator.MULTIPLY, quotient, right.expression, Type.INT, span)
    return _number(Binary(Operator.SUBTRACT, left.expression, product, Type.INT, span), -most, most)


def _power(shift: Value) -> Value:
    """2 to the power of a shift from 0 to 30; any other is a run-time error, as C leaves it open."""
    if shift.constant is not None and 0 <= shift.constant <= 30:
        return number(1 << shift.constant)
    least, most = max(shift.low, 0), min(shift.high, 30)
    overflow = Binary(Operator.MULTIPLY, Constant(INT_MAX), Constant(2), Type.INT)
    found: Expression = overflow
    for power in range(most, least - 1, -1):
        test = Binary(Operator.EQUAL, shift.expression, Constant(power), Type.BOOL)
        found = Conditional(test, Constant(1 << power), found, Type.INT)
    return Value(found, 1, 1 << max(most, 0))


def _shifted(left: Value, right: Value, span: Span | None) -> Value:
    """A shift to the right rounds down."""
    power = _power(right)
    if left.low >= 0:
        return applied("/", left, power, span)
    # -(-x - 1) / 2^n - 1 for what is negative, so that nothing overflows
    below = applied("-", number(-1), left, span)
    negative = applied("-", number(-1), applied("/", Value(below.expression, 0, INT_MAX), power, span), span)
    positive = applied("/", Value(left.expression, 0, left.high), power, span)
    test = Binary(Operator.LESS, left.expression, Constant(0), Type.BOOL)
    return _number(
        Conditional(test, negative.expression, positive.expression, Type.INT), left.low, max(left.high, 0)
    )


def negative(operand: Value, span: Span | None) -> Value:
    """The number with the other sign."""
    return applied("-", number(0), operand, span)


def complement(operand: Value, span: Span | None) -> Value:
    """All bits the other way round."""
    return applied("-", number(-1), operand, span)


def chosen(test: Expression, then: Value, otherwise: Value) -> Value:
    """One of two values."""
    if isinstance(test, Constant):
        return then if test.value else otherwise
    expression = Conditional(test, then.expression, otherwise.expression, Type.INT)
    return Value(expression, min(then.low, otherwise.low), max(then.high, otherwise.high))


def fitted(value: Value, kind: Basic) -> Expression:
    """The part that fits of a value in a variable of a type."""
    if kind.bits == 32 or (value.low >= kind.low and value.high <= kind.high):
        return value.expression
    mask = Constant((1 << kind.bits) - 1)
    low = fold(Binary(Operator.BIT_AND, value.expression, mask, Type.INT))
    if not kind.is_signed:
        return low
    sign = Constant(1 << (kind.bits - 1))
    flipped = fold(Binary(Operator.BIT_XOR, low, sign, Type.INT))
    return fold(Binary(Operator.SUBTRACT, flipped, sign, Type.INT))
