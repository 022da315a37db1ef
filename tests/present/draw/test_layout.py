"""Layouts of random graphs: nothing on top of another, arrows between the borders of their states."""

from __future__ import annotations

import math
import random
from itertools import combinations, pairwise, product

import pytest

from fairlead.present.draw.aligning import aligned
from fairlead.present.draw.emphasis import emphasis
from fairlead.present.draw.geometry import Box, Layout, Link, Point
from fairlead.present.draw.layout import arrangements, layout
from fairlead.present.draw.ordering import Layered, crossings, ordered
from fairlead.present.draw.picture import picture_of
from fairlead.present.draw.ranking import by_descent, by_distance, ranks
from fairlead.present.draw.svg import _label_size
from tests.support.draw.graphs import random_graph

RADIUS = 15.0
CLOSE = 1e-6


def links_of(seed: int) -> tuple[int, list[Link]]:
    graph = random_graph(seed)
    picture = picture_of(graph, emphasis(graph))
    links = [Link(arrow.source, arrow.target, *_label_size(arrow.labels)) for arrow in picture.arrows]
    return len(picture.states), links


def layouts_of(seed: int) -> list[tuple[list[Link], Layout]]:
    """All arrangements that are tried, not just the one that is chosen."""
    count, links = links_of(seed)
    arrows = [(link.source, link.target) for link in links]
    return [
        (links, placed)
        for order in (by_distance, by_descent)
        for placed in arrangements(links, ranks(count, arrows, order(count, arrows)), RADIUS)
    ]


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one.right, other.right) - max(one.left, other.left) > CLOSE
        and min(one.bottom, other.bottom) - max(one.top, other.top) > CLOSE
    )


def touches(box: Box, centre: Point, radius: float) -> bool:
    nearest = Point(min(max(centre.x, box.left), box.right), min(max(centre.y, box.top), box.bottom))
    return math.dist(nearest, centre) < radius - CLOSE


def bezier(points: tuple[Point, ...], share: float) -> Point:
    rest = 1 - share
    weights = (rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3)
    return Point(
        sum(weight * point.x for weight, point in zip(weights, points, strict=True)),
        sum(weight * point.y for weight, point in zip(weights, points, strict=True)),
    )


def along(curve: tuple[Point, ...]) -> list[Point]:
    """Many points of a curve."""
    pieces = [curve[start : start + 4] for start in range(0, len(curve) - 1, 3)]
    return [bezier(piece, number / 12) for piece in pieces for number in range(13)]


def check(links: list[Link], placed: Layout) -> None:
    for one, other in combinations(placed.centres, 2):
        assert math.dist(one, other) > 2 * RADIUS
    for one, other in combinations(placed.routes, 2):
        assert not overlap(one.label, other.label)
    for route, centre in product(placed.routes, placed.centres):
        assert not touches(route.label, centre, RADIUS)
    for link, route in zip(links, placed.routes, strict=True):
        assert math.isclose(math.dist(route.curve[0], placed.centres[link.source]), RADIUS)
        assert math.isclose(math.dist(route.tip, placed.centres[link.target]), RADIUS)
        assert len(route.curve) % 3 == 1
        assert math.isclose(route.label.width, link.label_width)
        assert math.isclose(route.label.height, link.label_height)
        for point in (*along(route.curve), Point(*route.label[:2]), Point(*route.label[2:])):
            assert 0 < point.x < placed.width
            assert 0 < point.y < placed.height
    for centre in placed.centres:
        assert RADIUS < centre.x < placed.width - RADIUS
        assert RADIUS < centre.y < placed.height - RADIUS
    assert math.isclose(math.dist(placed.entry[1], placed.centres[0]), RADIUS)


@pytest.mark.parametrize("seed", range(30))
def test_nothing_overlaps(seed: int) -> None:
    for links, placed in layouts_of(seed):
        check(links, placed)
        check_lines(links, placed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_nothing_overlaps_at_length(block: int) -> None:
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        for links, placed in layouts_of(seed):
            check(links, placed)
            check_lines(links, placed)


def check_lines(links: list[Link], placed: Layout) -> None:
    """An arrow touches its own states only, and no line runs through a text."""
    boxes = [route.label for route in placed.routes]
    texts = [(box.left + 1, box.top + 1, box.right - 1, box.bottom - 1) for box in boxes]
    for link, route in zip(links, placed.routes, strict=True):
        others = [
            centre for state, centre in enumerate(placed.centres) if state not in (link.source, link.target)
        ]
        for x, y in (*along(route.curve), route.tip):
            assert all((x - cx) ** 2 + (y - cy) ** 2 > RADIUS**2 for cx, cy in others)
            assert not any(left < x < right and top < y < low for left, top, right, low in texts)


def test_arrows_go_around_the_label_of_a_loop() -> None:
    """Also where the label is only a little higher than its state."""
    for seed in (1012, 1041):
        for links, placed in layouts_of(seed):
            check_lines(links, placed)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_graph_has_the_same_layout(seed: int) -> None:
    count, links = links_of(seed)
    assert layout(count, links, RADIUS) == layout(count, links, RADIUS)


# ---------------------------------------------------------------- the stages, against their definitions


def shortest_ranks(count: int, edges: list[tuple[int, int, int]]) -> int:
    """The least weighted length of all ranks that let every edge lead on; by trying all of them."""
    return min(
        sum(weight * (rank[head] - rank[tail]) for tail, head, weight in edges)
        for rank in product(range(count), repeat=count)
        if all(rank[tail] < rank[head] for tail, head, _ in edges)
    )


@pytest.mark.parametrize("seed", range(40))
def test_ranks_are_shortest(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 5)
    arrows = [(rng.randrange(state), state) for state in range(1, count)]
    arrows += [(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(0, 5))]
    arrows = list(dict.fromkeys(arrows))
    for order in (by_distance, by_descent):
        places = order(count, arrows)
        assert sorted(places) == list(range(count))
        edges = [
            (one, other, 3) if places[one] < places[other] else (other, one, 1)
            for one, other in arrows
            if one != other
        ]
        rank = ranks(count, arrows, places)
        assert rank[0] == 0 == min(rank)
        assert all(rank[tail] < rank[head] for tail, head, _ in edges)
        length = sum(weight * (rank[head] - rank[tail]) for tail, head, weight in edges)
        assert length == shortest_ranks(count, edges)


def random_layers(seed: int) -> Layered:
    rng = random.Random(seed)
    sizes = [rng.randint(1, 5) for _ in range(rng.randint(1, 5))]
    layers: list[list[int]] = []
    for size in sizes:
        first = sum(map(len, layers))
        layers.append(list(range(first, first + size)))
    total = sum(sizes)
    before: list[list[int]] = [[] for _ in range(total)]
    after: list[list[int]] = [[] for _ in range(total)]
    for upper, lower in pairwise(layers):
        for one, other in product(upper, lower):
            if rng.random() < 0.4:
                after[one].append(other)
                before[other].append(one)
    return Layered(layers, before, after)


@pytest.mark.parametrize("seed", range(60))
def test_crossings_are_counted(seed: int) -> None:
    graph = random_layers(seed)
    slow = 0
    for upper, lower in pairwise(graph.layers):
        edges = [(upper.index(one), lower.index(other)) for one in upper for other in graph.after[one]]
        slow += sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(edges, 2))
    assert crossings(graph, graph.layers) == slow
    layers, count = ordered(graph)
    assert count <= slow
    assert count == crossings(graph, layers)
    assert [sorted(layer) for layer in layers] == [sorted(layer) for layer in graph.layers]


@pytest.mark.parametrize("seed", range(60))
def test_aligned_items_are_apart(seed: int) -> None:
    graph = random_layers(seed)
    rng = random.Random(seed)
    inner = {item for layer in graph.layers for item in layer if rng.random() < 0.5}
    low = [rng.uniform(1, 30) for _ in graph.after]
    high = [rng.uniform(1, 30) for _ in graph.after]
    layers, _ = ordered(graph)
    places = aligned(graph, layers, inner.__contains__, lambda one, other: high[one] + low[other])
    for layer in layers:
        for one, other in pairwise(layer):
            assert places[other] - places[one] >= high[one] + low[other] - CLOSE
