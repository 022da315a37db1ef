"""The order of the items of each rank, with few crossings of edges.

Weighted medians and transposition, after Gansner, Koutsofios, North and Vo (1993); every order that is met is
counted, the best is kept.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Layers = list[list[int]]

_ROUNDS = 16


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
    for start in (graph.layers, [layer[::-1] for layer in graph.layers]):
        layers = [list(layer) for layer in start]
        count = crossings(graph, layers)
        for number in range(_ROUNDS):
            if best is None or count < best[0]:
                best = count, [list(layer) for layer in layers]
            if not count:
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
    improved = True
    while improved:
        improved = False
        for layer in layers:
            for index in range(len(layer) - 1):
                left, right = layer[index], layer[index + 1]
                saved = 0
                for joined in (graph.before, graph.after):
                    ends = [place[other] for other in joined[left]], [place[other] for other in joined[right]]
                    saved += _crossed(*ends) - _crossed(ends[1], ends[0])
                if saved > 0:
                    layer[index], layer[index + 1] = right, left
                    place[left], place[right] = index + 1, index
                    improved = True


def _crossed(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(one > other for one in left for other in right)
