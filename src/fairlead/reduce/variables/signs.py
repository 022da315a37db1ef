"""Determines whether all that is added to a variable is 0 or more, or 0 or less, as far as the text tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.model.expression import (
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Shared,
    SharedElement,
    Unary,
    UnaryOperator,
    slots_read,
)
from fairlead.model.network import Edge, Network
from fairlead.model.program import Store, stores_in
from fairlead.model.types import Type
from fairlead.reduce.variables.uses import is_sum_with, uses_of

Range = tuple[int, int]


class Sign(Enum):
    """What the steps add to a cost."""

    POSITIVE = "0 or more"
    NEGATIVE = "0 or less"
    UNKNOWN = "not known"


def sign_of(network: Network, edges: Iterable[Edge], slot: int) -> Sign:
    """The sign of everything that some edges, which are all there are, add to a slot."""
    every = list(edges)
    written = frozenset(changed for edge in every for changed in uses_of(edge).written)
    ranges = _Ranges(network, written)
    found = [
        ranges.of(term) if is_added else _negated(ranges.of(term))
        for edge in every
        if edge.update is not None
        for store in stores_in(edge.update)
        for term, is_added in _terms(store, slot)
    ]
    if all(known is not None and known[0] >= 0 for known in found):
        return Sign.POSITIVE
    if all(known is not None and known[1] <= 0 for known in found):
        return Sign.NEGATIVE
    return Sign.UNKNOWN


def _terms(store: Store, slot: int) -> Iterator[tuple[Expression, bool]]:
    """What a store adds to a slot, and what it takes away."""
    if not isinstance(store.target, Shared) or store.target.slot != slot:
        return
    value = store.value
    while isinstance(value, Binary):
        if value.operator is Operator.SUBTRACT:
            yield value.right, False
            value = value.left
        elif is_sum_with(value.left, slot):
            yield value.right, True
            value = value.left
        else:
            yield value.left, True
            value = value.right


@dataclass(frozen=True)
class _Ranges:
    """The least and greatest values of expressions, where they are known."""

    network: Network
    written: frozenset[int]

    def of(self, expression: Expression) -> Range | None:
        match expression:
            case Constant(value):
                return value, value
            case Shared() | SharedElement():
                return self._of_slots(expression)
            case Unary(UnaryOperator.NEGATE, operand):
                return _negated(self.of(operand))
            case Conditional(_, then, otherwise):
                both = (self.of(then), self.of(otherwise))
                return _hull(both)
            case Binary(operator, left, right):
                return _combined(operator, self.of(left), self.of(right))
            case _:
                return (0, 1) if expression.type is Type.BOOL else None

    def _of_slots(self, part: Shared | SharedElement) -> Range | None:
        """What never changes has its initial value; what has a declared range stays there."""
        slots = frozenset(slots_read(part))
        if slots.isdisjoint(self.written):
            values = [one[slot] for one in self.network.initial_values for slot in slots]
            return min(values), max(values)
        for variable in self.network.variables:
            is_inside = variable.slot <= min(slots) and max(slots) < variable.slot + variable.size
            if is_inside and variable.low is not None and variable.high is not None:
                return variable.low, variable.high
        return None


def _hull(ranges: tuple[Range | None, Range | None]) -> Range | None:
    first, second = ranges
    if first is None or second is None:
        return None
    return min(first[0], second[0]), max(first[1], second[1])


def _negated(known: Range | None) -> Range | None:
    return None if known is None else (-known[1], -known[0])


def _combined(operator: Operator, left: Range | None, right: Range | None) -> Range | None:
    if left is None or right is None:
        return None
    match operator:
        case Operator.ADD:
            return left[0] + right[0], left[1] + right[1]
        case Operator.SUBTRACT:
            return left[0] - right[1], left[1] - right[0]
        case Operator.MULTIPLY:
            products = [one * two for one in left for two in right]
            return min(products), max(products)
        case _:
            return None
