"""The items of a layered drawing: states, and the labels and bends of the arrows between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import Enum
from itertools import pairwise

from fairlead.base.records import dataclass
from fairlead.present.draw.geometry import Flow, Link
from fairlead.present.draw.ordering import Layered

#: how far a loop reaches from its state, without its label
LOOP_HEIGHT = 17.0
#: between a line and the label next to it
LABEL_GAP = 4.0
#: room for a line that passes
_LINE_ROOM = 4.0
_STATE_GAP = 26.0
_ITEM_GAP = 9.0


class Kind(Enum):
    """What stands in a place of a rank."""

    STATE = "state"
    LABEL = "label"
    BEND = "bend"


@dataclass(frozen=True)
class Item:
    """What needs room in a rank: before and after its middle, and along the direction of the arrows."""

    kind: Kind
    low: float
    high: float
    depth: float


@dataclass
class Items:
    """All items; those of the states come first. A chain are the items of an arrow, in the order of ranks."""

    items: list[Item]
    layers: list[list[int]]
    chains: dict[int, list[int]] = field(default_factory=dict)

    def add(self, item: Item, rank: int) -> int:
        """Puts an item into a rank; its number."""
        self.items.append(item)
        self.layers[rank].append(len(self.items) - 1)
        return len(self.items) - 1

    def is_inner(self, number: int) -> bool:
        """Whether an item belongs to an arrow."""
        return self.items[number].kind is not Kind.STATE

    def apart(self, one: int, other: int) -> float:
        """How far apart the middles of two neighbours must be."""
        left, right = self.items[one], self.items[other]
        both = left.kind is Kind.STATE and right.kind is Kind.STATE
        return left.high + right.low + (_STATE_GAP if both else _ITEM_GAP)


def items_of(links: Sequence[Link], ranks: Sequence[int], flow: Flow, radius: float) -> Items:
    """The items of an arrangement. Labels have ranks of their own, between those of the states."""
    loops = {link.source: link for link in links if link.source == link.target}
    made = Items([], [[] for _ in range(2 * max(ranks) + 1)])
    for state, rank in enumerate(ranks):
        made.add(_state(loops.get(state), flow, radius), 2 * rank)
    for number, link in enumerate(links):
        if link.source == link.target:
            continue
        first, last = sorted((ranks[link.source], ranks[link.target]))
        middle = first + last if (first + last) % 2 else first + last - 1
        made.chains[number] = [
            made.add(_label(link, flow) if rank == middle else _BEND, rank)
            for rank in range(2 * first + 1, 2 * last)
        ]
    return made


_BEND = Item(Kind.BEND, _LINE_ROOM, _LINE_ROOM, 0.0)


def _state(loop: Link | None, flow: Flow, radius: float) -> Item:
    if loop is None:
        return Item(Kind.STATE, radius, radius, 2 * radius)
    if flow is Flow.RIGHT:
        above = radius + LOOP_HEIGHT + LABEL_GAP + loop.label_height
        return Item(Kind.STATE, above, radius, max(2 * radius, loop.label_width))
    beside = radius + LOOP_HEIGHT + LABEL_GAP + loop.label_width
    return Item(Kind.STATE, radius, beside, max(2 * radius, loop.label_height))


def _label(link: Link, flow: Flow) -> Item:
    """A label stands above its line, or to the right of it."""
    if flow is Flow.RIGHT:
        return Item(Kind.LABEL, LABEL_GAP + link.label_height, _LINE_ROOM, link.label_width)
    return Item(Kind.LABEL, _LINE_ROOM, LABEL_GAP + link.label_width, link.label_height)


def layered(links: Sequence[Link], ranks: Sequence[int], items: Items) -> Layered:
    """The items with the edges between neighbouring ranks, in the order in which a search meets them."""
    before: list[list[int]] = [[] for _ in items.items]
    after: list[list[int]] = [[] for _ in items.items]
    for number, chain in items.chains.items():
        link = links[number]
        first, last = link.source, link.target
        if ranks[first] > ranks[last]:
            first, last = last, first
        path = [first, *chain, last]
        for upper, lower in pairwise(path):
            after[upper].append(lower)
            before[lower].append(upper)
    place = {item: index for index, item in enumerate(_met(after, before))}
    layers = [sorted(layer, key=lambda item: place[item]) for layer in items.layers]
    return Layered(layers, before, after)


def _met(after: Sequence[Sequence[int]], before: Sequence[Sequence[int]]) -> list[int]:
    """All items in the order of a depth-first search that continues before it goes back."""
    order: list[int] = []
    seen: set[int] = set()
    work = [0]
    while work:
        item = work.pop()
        if item in seen:
            continue
        seen.add(item)
        order.append(item)
        work += [*reversed(before[item]), *reversed(after[item])]
    return order
