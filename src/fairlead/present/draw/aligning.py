"""Places items within their ranks: long edges straight, everything else near its neighbours.

After Brandes and Köpf, "Fast and simple horizontal coordinate assignment" (2001). The four extreme alignments
are compacted by longest paths over blocks; since each keeps the distances, so do their medians.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from fairlead.present.draw.ordering import Layered, Layers

#: how far apart the middles of two neighbours of a rank must be, the earlier one first
Separation = Callable[[int, int], float]
Segment = tuple[int, int]


def aligned(
    graph: Layered, layers: Layers, inner: Callable[[int], bool], apart: Separation
) -> dict[int, float]:
    """The place of each item across the ranks; `inner` items are bends of edges."""
    conflicts = _conflicts(graph, layers, inner)
    alternatives: list[dict[int, float]] = []
    for downwards in (True, False):
        for forwards in (True, False):
            joined = graph.before if downwards else graph.after
            ranks = layers if downwards else layers[::-1]
            if forwards:
                found = _compacted(layers, _blocks(ranks, joined, conflicts), apart)
            else:
                mirrored = [layer[::-1] for layer in ranks]
                roots = _blocks(mirrored, joined, conflicts)
                flipped = _compacted(
                    [layer[::-1] for layer in layers], roots, lambda left, right: apart(right, left)
                )
                found = {item: -place for item, place in flipped.items()}
            alternatives.append(found)
    return _balanced(alternatives)


def _conflicts(graph: Layered, layers: Layers, inner: Callable[[int], bool]) -> set[Segment]:
    """Segments that cross a part of a long edge and must give way to it."""
    found: set[Segment] = set()
    for upper, lower in pairwise(layers):
        place = {item: index for index, item in enumerate(lower)}
        segments = [
            (row, place[other], item, other) for row, item in enumerate(upper) for other in graph.after[item]
        ]
        straight = [segment for segment in segments if inner(segment[2]) and inner(segment[3])]
        kept: list[tuple[int, int, int, int]] = []
        for one in straight:
            if any((one[0] - other[0]) * (one[1] - other[1]) < 0 for other in kept):
                found.add(one[2:])
            else:
                kept.append(one)
        chosen = set(kept)
        for one in segments:
            if one not in chosen and any((one[0] - other[0]) * (one[1] - other[1]) < 0 for other in kept):
                found.add(one[2:])
    return found


def _blocks(ranks: Layers, joined: Sequence[Sequence[int]], conflicts: set[Segment]) -> dict[int, int]:
    """The first item of the block of each item; an item joins the block of its median neighbour."""
    roots = {item: item for layer in ranks for item in layer}
    ends = set(roots)  # items that no later one has joined yet
    place = {item: index for layer in ranks for index, item in enumerate(layer)}
    for layer in ranks:
        last = -1
        for item in layer:
            others = sorted(joined[item], key=lambda other: place[other])
            if not others:
                continue
            for middle in dict.fromkeys(((len(others) - 1) // 2, len(others) // 2)):
                other = others[middle]
                crossed = (item, other) in conflicts or (other, item) in conflicts
                if roots[item] == item and not crossed and place[other] > last and other in ends:
                    roots[item] = roots[other]
                    ends.discard(other)
                    last = place[other]
    return roots


def _compacted(layers: Layers, roots: Mapping[int, int], apart: Separation) -> dict[int, float]:
    """Places as far to the front as the distances allow, then blocks moved back to what follows them."""
    after: dict[int, dict[int, float]] = {root: {} for root in roots.values()}
    entering = dict.fromkeys(after, 0)
    for layer in layers:
        for left, right in pairwise(layer):
            one, other = roots[left], roots[right]
            if other not in after[one]:
                entering[other] += 1
            after[one][other] = max(after[one].get(other, 0.0), apart(left, right))
    order = [root for root in after if not entering[root]]
    places = dict.fromkeys(after, 0.0)
    for root in order:
        for other, distance in after[root].items():
            places[other] = max(places[other], places[root] + distance)
            entering[other] -= 1
            if not entering[other]:
                order.append(other)
    assert len(order) == len(after), "blocks follow each other in one direction"
    for root in reversed(order):
        if after[root]:
            limit = min(places[other] - distance for other, distance in after[root].items())
            places[root] = max(places[root], limit)
    return {item: places[root] for item, root in roots.items()}


def _balanced(alternatives: Sequence[dict[int, float]]) -> dict[int, float]:
    """The means of the two middle places, after each alternative is moved to the narrowest one."""
    bounds = [(min(found.values()), max(found.values())) for found in alternatives]
    narrowest = min(bounds, key=lambda bound: bound[1] - bound[0])
    shifts = [
        narrowest[0] - low if number % 2 == 0 else narrowest[1] - high
        for number, (low, high) in enumerate(bounds)
    ]
    result: dict[int, float] = {}
    for item in alternatives[0]:
        places = sorted(found[item] + shift for found, shift in zip(alternatives, shifts, strict=True))
        result[item] = (places[1] + places[2]) / 2
    first = min(result.values())
    return {item: place - first for item, place in result.items()}
