"""The order of the items of each rank, with few crossings of edges.

Weighted medians and transposition, after Gansner, Koutsofios, North and Vo (1993); every order that is met is
counted, the best is kept.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from fairlead.base.records import dataclass

Layers = list[list[int]]

_ROUNDS = 24
#: drawings with more items, which are hard to read anyway, get fewer rounds
_EFFORT = 24_000
#: so many rounds that save nothing are the end
_PATIENCE = 4


@dataclass(frozen=True)
class Layered:
    """Items in ranks; edges join items of neighbouring ranks."""

    layers: Layers = field(repr=False)
    #: for each item, what it is joined to in the rank before, and in the rank after
    before: Sequence[Sequence[int]] = field(repr=False)
    after: Sequence[Sequence[int]] = field(repr=False)


def ordered(graph: Layered) -> tuple[Layers, int]:
    """The ranks in an order with few crossings, and how many there are."""
    best: tuple[int, Layers] | None = None
    rounds = max(3, min(_ROUNDS, _EFFORT // len(graph.after)))
    for start in (graph.layers, [layer[::-1] for layer in graph.layers]):
        layers = [list(layer) for layer in start]
        count = fewest = crossings(graph, layers)
        patience = _PATIENCE
        for number in range(rounds):
            if best is None or count < best[0]:
                best = count, [list(layer) for layer in layers]
            patience = _PATIENCE if count < fewest else patience - 1
            fewest = min(count, fewest)
            if not count or not patience:
                break
            _sort_by_medians(graph, layers, downwards=number % 2 == 0)
            _transpose(graph, layers)
            count = crossings(graph, layers)
    assert best is not None
    return best[1], best[0]


def crossings(graph: Layered, layers: Layers) -> int:
    """How many pairs of edges cross."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {item: index for index, item in enumerate(lower)}
        met: list[int] = []
        for item in upper:
            ends = sorted(place[other] for other in graph.after[item])
            total += sum(len(met) - bisect_right(met, end) for end in ends)
            for end in ends:
                insort(met, end)
    return total


def _sort_by_medians(graph: Layered, layers: Layers, *, downwards: bool) -> None:
    joined = graph.before if downwards else graph.after
    numbers = range(1, len(layers)) if downwards else range(len(layers) - 2, -1, -1)
    for number in numbers:
        fixed = layers[number - 1 if downwards else number + 1]
        place = {item: index for index, item in enumerate(fixed)}
        medians = {item: _median(sorted(place[other] for other in joined[item])) for item in layers[number]}
        # items without neighbours there keep their places
        movable = sorted(
            (item for item in layers[number] if medians[item] >= 0), key=lambda item: medians[item]
        )
        following = iter(movable)
        layers[number] = [item if medians[item] < 0 else next(following) for item in layers[number]]


def _median(places: Sequence[int]) -> float:
    """The median, between two middle ones nearer to where the others are close together; -1 if none."""
    count = len(places)
    if not count:
        return -1.0
    middle = count // 2
    if count % 2:
        return float(places[middle])
    if count == 2:
        return (places[0] + places[1]) / 2
    left, right = places[middle - 1] - places[0], places[-1] - places[middle]
    if left + right == 0:
        return (places[middle - 1] + places[middle]) / 2
    return (places[middle - 1] * right + places[middle] * left) / (left + right)


def _transpose(graph: Layered, layers: Layers) -> None:
    """Swaps neighbours as long as it saves crossings."""
    place = {item: index for layer in layers for index, item in enumerate(layer)}
    waiting = set(range(len(layers)))
    while waiting:
        improved = {number for number in sorted(waiting) if _swap(graph, layers[number], place)}
        # a swap can pay off only where something has moved, in the rank itself or next to it
        waiting = {near for number in improved for near in (number - 1, number, number + 1)}
        waiting &= set(range(len(layers)))


def _swap(graph: Layered, layer: list[int], place: dict[int, int]) -> bool:
    """Swaps neighbours of one rank where it saves crossings; whether it did anywhere."""
    improved = False
    for index in range(len(layer) - 1):
        left, right = layer[index], layer[index + 1]
        saved = _saved(graph.before[left], graph.before[right], place)
        saved += _saved(graph.after[left], graph.after[right], place)
        if saved > 0:
            layer[index], layer[index + 1] = right, left
            place[left], place[right] = index + 1, index
            improved = True
    return improved


def _saved(left: Sequence[int], right: Sequence[int], place: Mapping[int, int]) -> int:
    """How many crossings on one side a swap of two neighbours saves; less than 0 if it makes some."""
    if len(left) == 1 == len(right):  # two lines that pass, by far the most frequent case
        one, other = place[left[0]], place[right[0]]
        return (one > other) - (one < other)
    ends = [place[item] for item in right]
    return sum((one > other) - (one < other) for one in (place[item] for item in left) for other in ends)
