"""Measures how far a condition is from being true, by its comparisons, to guide a dive."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.engine import _native
from fairlead.model.expression import Binary, Constant, Expression, Operator, Unary, UnaryOperator
from fairlead.model.types import Type

Kind = _native.ClosenessKind

_OPPOSITE = {
    Operator.EQUAL: Operator.UNEQUAL,
    Operator.UNEQUAL: Operator.EQUAL,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
}
#: each comparison, and whether its sides are exchanged
_COMPARISONS = {
    Operator.EQUAL: (Kind.EQUAL, False),
    Operator.UNEQUAL: (Kind.UNEQUAL, False),
    Operator.LESS: (Kind.LESS, False),
    Operator.LESS_EQUAL: (Kind.LESS_EQUAL, False),
    Operator.GREATER: (Kind.LESS, True),
    Operator.GREATER_EQUAL: (Kind.LESS_EQUAL, True),
}
_NUMBERS = (Type.INT, Type.BOOL)


def closeness_of(condition: Expression, code_of: Callable[[Expression], int]) -> _native.Closeness | None:
    """How far states are from a condition; None if no comparison of it says more than whether it is true.

    `code_of` gives the engine's number of an expression over shared variables.
    """
    builder = _Builder(code_of)
    builder.add(condition, wanted=True)
    return builder.native if builder.tells_distances else None


class _Builder:
    def __init__(self, code_of: Callable[[Expression], int]) -> None:
        self.native = _native.Closeness()
        self.tells_distances = False
        self._code_of = code_of

    def add(self, condition: Expression, wanted: bool) -> int:
        """The node of a condition, or of its negation if that is `wanted` to be true."""
        match condition:
            case Unary(UnaryOperator.NOT, operand):
                return self.add(operand, not wanted)
            case Binary(Operator.AND | Operator.OR as operator):
                kind = Kind.ALL if (operator is Operator.AND) is wanted else Kind.ANY
                parts = [self.add(part, wanted) for part in _flat(condition, operator)]
                self.tells_distances = True
                return self.native.add_junction(kind, parts)
            case Binary(operator, left, right) if operator in _OPPOSITE and left.type in _NUMBERS:
                return self._comparison(operator if wanted else _OPPOSITE[operator], left, right)
            case _ if wanted:
                return self.native.add_comparison(Kind.TRUE, self._code_of(condition))
            case _:
                return self._comparison(Operator.EQUAL, condition, Constant(0, condition.type))

    def _comparison(self, operator: Operator, left: Expression, right: Expression) -> int:
        kind, exchanged = _COMPARISONS[operator]
        self.tells_distances |= kind is not Kind.UNEQUAL and left.type is Type.INT
        codes = self._code_of(left), self._code_of(right)
        return self.native.add_comparison(kind, *(reversed(codes) if exchanged else codes))


def _flat(condition: Expression, operator: Operator) -> list[Expression]:
    """The operands of a chain of one operator, however deep it is nested, in the order of the text."""
    found: list[Expression] = []
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, Binary) and part.operator is operator:
            pending += (part.right, part.left)
        else:
            found.append(part)
    return found
