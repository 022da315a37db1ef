"""Recovers the indices that a row-major index into an array of several dimensions was made of."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.model.expression import Binary, Conditional, Constant, Expression, Operator


def indices_of(index: Expression, dimensions: Sequence[int]) -> list[Expression] | None:
    """The index in each dimension; None if the index was not made of one for each.

    Each must have been checked against its dimension (`lang/csp/elaborate/arrays.py` does it), since an index
    that is too large would lead to another row.
    """
    if len(dimensions) == 1:
        return [index]
    found: list[Expression] = []
    rest = index
    for dimension in reversed(dimensions):
        if isinstance(rest, Constant):
            if rest.value < 0:
                return None
            found.append(Constant(rest.value % dimension))
            rest = Constant(rest.value // dimension)
            continue
        match rest:
            case Binary(Operator.ADD, scaled, last):
                part = _checked_index(last, dimension)
            case _:
                return None
        if part is None:
            return None
        found.append(part)
        match scaled:
            case Constant(value) if value % dimension == 0 and value >= 0:
                rest = Constant(value // dimension)
            case Binary(Operator.MULTIPLY, above, Constant(factor)) if factor == dimension:
                rest = above
            case _:
                return None
    if not isinstance(rest, Constant) or rest.value != 0:
        return None
    return found[::-1]


def _checked_index(expression: Expression, dimension: int) -> Expression | None:
    """The index, if nothing outside of its dimension gets through."""
    match expression:
        case Constant(value) if 0 <= value < dimension:
            return expression
        case Conditional(
            Binary(
                Operator.AND,
                Binary(Operator.GREATER_EQUAL, low, Constant(0)),
                Binary(Operator.LESS, high, Constant(bound)),
            ),
            index,
            Constant(outside),
        ) if low == index == high and bound == dimension and outside < 0:
            return index
        case _:
            return None
