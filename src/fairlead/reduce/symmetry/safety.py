"""Finds expressions that cannot fail, so that the order of their evaluation does not matter."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.model.expression import (
    Binary,
    Conditional,
    Constant,
    Expression,
    Local,
    Operator,
    Parameter,
    Received,
    Shared,
    Unary,
    UnaryOperator,
)
from fairlead.model.network import Network
from fairlead.model.types import INT_MAX, INT_MIN, Type

_COMPARISONS = {
    Operator.OR,
    Operator.AND,
    Operator.EQUAL,
    Operator.UNEQUAL,
    Operator.LESS,
    Operator.GREATER,
    Operator.LESS_EQUAL,
    Operator.GREATER_EQUAL,
}
Range = tuple[int, int]


class Bounds:
    """The values that expressions can have, as far as declared ranges tell."""

    def __init__(self, network: Network) -> None:
        self._ranges: dict[int, Range] = {}
        for variable in network.variables:
            low, high = variable.low, variable.high
            if variable.type is Type.BOOL:
                low, high = 0, 1
            if low is not None and high is not None:
                for slot in range(variable.slot, variable.slot + variable.size):
                    self._ranges[slot] = (low, high)

    def may_be_reordered(self, operator: Operator, operands: Sequence[Expression]) -> bool:
        """Whether the operands of a chain can be taken in any order: nothing fails in one order only."""
        if operator is not Operator.ADD:
            return not any(self.may_fail(operand) for operand in operands)
        ranges = [self.values(operand) for operand in operands]
        known = [found for found in ranges if found is not None]
        if len(known) < len(ranges):
            return False
        # whatever is added up first lies between these
        return (
            sum(min(low, 0) for low, _ in known) >= INT_MIN
            and sum(max(high, 0) for _, high in known) <= INT_MAX
        )

    def may_fail(self, expression: Expression) -> bool:
        """Whether an expression may have no value in some state."""
        match expression:
            case Constant() | Shared() | Parameter() | Received() | Local():
                return False
            case Unary(UnaryOperator.NOT, operand):
                return self.may_fail(operand)
            case Binary(operator, left, right) if operator in _COMPARISONS:
                return self.may_fail(left) or self.may_fail(right)
            case Conditional(condition, then, otherwise):
                return any(self.may_fail(part) for part in (condition, then, otherwise))
            case _:
                return self.values(expression) is None

    def values(self, expression: Expression) -> Range | None:
        """The least and the greatest value of an expression; None if unknown, or if it may fail."""
        match expression:
            case Constant(value):
                return (value, value)
            case Shared(slot):
                return self._ranges.get(slot)
            case Binary(operator) if operator in _COMPARISONS:
                return None if self.may_fail(expression) else (0, 1)
            case Binary(Operator.ADD | Operator.SUBTRACT as operator, left, right):
                one, other = self.values(left), self.values(right)
                if one is None or other is None:
                    return None
                low = one[0] + other[0] if operator is Operator.ADD else one[0] - other[1]
                high = one[1] + other[1] if operator is Operator.ADD else one[1] - other[0]
                return (low, high) if low >= INT_MIN and high <= INT_MAX else None
            case _:
                return None
