"""Two numbers exchanged: what becomes of values and of shared slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.base.records import dataclass
from fairlead.model.network import Network
from fairlead.reduce.symmetry.kinds import Item, Items, Kinds


class NotSymmetric(Exception):
    """Why two numbers cannot be exchanged."""


@dataclass(frozen=True)
class Exchange:
    """The numbers `one` and `other` of a kind take each other's place."""

    kind: int
    one: int
    other: int

    def value(self, kind: int | None, number: int) -> int:
        """What becomes of a value that is a number of a kind, or (None) a plain one."""
        if kind != self.kind:
            return number
        return self.other if number == self.one else self.one if number == self.other else number

    def keeps_range(self, kind: int | None, low: int | None, high: int | None) -> bool:
        """Whether numbers of a kind lie within bounds iff they do after the exchange."""
        return kind != self.kind or _within(self.one, low, high) == _within(self.other, low, high)


def _within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)


class Numbering:
    """Which items are numbers of which kind, for the kinds that processes are known by."""

    def __init__(self, network: Network, kinds: Kinds, roots: Sequence[Item]) -> None:
        self.items: Items = kinds.items
        self._kinds = kinds
        self._of_root: Mapping[Item, int] = {root: number for number, root in enumerate(roots)}
        self._network = network

    def kind(self, item: Item) -> int | None:
        """The kind of an item, None if it is plain."""
        return self._of_root.get(self._kinds.find(item))

    def slot_kind(self, slot: int) -> int | None:
        """The kind of the values in a shared slot."""
        return self.kind(self.items.element(slot))

    def coordinates(self, slot: int) -> list[tuple[int | None, int]]:
        """The indices of a slot in its array, with their kinds; none if the slot is not part of an array."""
        number = self.items.variable(slot)
        if number is None:
            return []
        variable = self.items.variables[number]
        found: list[tuple[int | None, int]] = []
        rest = slot - variable.slot
        for dimension in reversed(range(len(variable.dimensions))):
            rest, index = divmod(rest, variable.dimensions[dimension])
            found.append((self.kind(("index", number, dimension)), index))
        return found[::-1]

    def slot(self, slot: int, exchange: Exchange | None) -> int:
        """Where the value of a shared slot goes; raises `NotSymmetric` if there is no such place."""
        number = self.items.variable(slot)
        if exchange is None or number is None:
            return slot
        variable = self.items.variables[number]
        place = 0
        for (kind, index), size in zip(self.coordinates(slot), variable.dimensions, strict=True):
            index = exchange.value(kind, index)
            if not 0 <= index < size:
                raise NotSymmetric(f"'{variable.name}' has no element for it")
            place = place * size + index
        return variable.slot + place
