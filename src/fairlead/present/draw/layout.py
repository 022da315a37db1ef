"""Layered layout: states in ranks from the initial one on, labels between them, nothing on top of another.

Several arrangements are tried (two ways to rank, two directions); the one that is easiest to read is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.present.draw.aligning import aligned
from fairlead.present.draw.geometry import Box, Flow, Layout, Link, Point, Route, around
from fairlead.present.draw.items import LABEL_GAP, Items, Kind, items_of, layered
from fairlead.present.draw.ordering import Layers, ordered
from fairlead.present.draw.ranking import by_descent, by_distance, ranks
from fairlead.present.draw.routing import Band, Frame, loop, routes

MARGIN = 14.0
_ENTRY_LENGTH = 24.0
_NARROWEST_GAP, _WIDEST_GAP = 24.0, 96.0
#: a drawing should fit into such a window, in the units of the drawing
_WINDOW = Box(0, 0, 1100, 760)


def layout(count: int, links: Sequence[Link], radius: float) -> Layout:
    """The layout of a graph whose states are all reachable from state 0."""
    arrows = [(link.source, link.target) for link in links]
    tried: list[list[int]] = []
    for places in (by_distance(count, arrows), by_descent(count, arrows)):
        found = ranks(count, arrows, places)
        if found not in tried:
            tried.append(found)
    candidates = [one for found in tried for one in arrangements(links, found, radius)]
    return min(candidates, key=lambda one: _cost(one, len(links)))


def arrangements(links: Sequence[Link], found: Sequence[int], radius: float) -> list[Layout]:
    """The layouts with certain ranks, one for each direction. The order in a rank is the same in both."""
    order: tuple[Layers, int] | None = None
    results: list[Layout] = []
    for flow in (Flow.RIGHT, Flow.DOWN):
        items = items_of(links, found, flow, radius)
        graph = layered(links, found, items)
        layers, crossings = order = order or ordered(graph)
        places = aligned(graph, layers, items.is_inner, items.apart)
        frame = Frame(_bands(items, layers, graph.after, places), places, found, items, radius)
        results.append(_finished(frame, links, flow, crossings))
    return results


def _cost(candidate: Layout, links: int) -> float:
    """How hard a layout is to read: its size against a window, and its crossings."""
    size = max(candidate.width / _WINDOW.width, candidate.height / _WINDOW.height, 0.5)
    preference = 1.0 if candidate.flow is Flow.RIGHT else 1.1
    return size * preference * (1 + candidate.crossings / (8 + links))


def _bands(
    items: Items, layers: Layers, after: Sequence[Sequence[int]], places: dict[int, float]
) -> list[Band]:
    """The room of each rank; the steeper the arrows between two ranks, the wider the gap."""
    bands: list[Band] = []
    start = 0.0
    for layer in layers:
        depth = max(items.items[item].depth for item in layer)
        bands.append(Band(start, start + depth))
        rises = [abs(places[item] - places[other]) for item in layer for other in after[item]]
        start += depth + min(max(0.3 * max(rises, default=0.0), _NARROWEST_GAP), _WIDEST_GAP)
    return bands


def _finished(frame: Frame, links: Sequence[Link], flow: Flow, crossings: int) -> Layout:
    """The drawing in its direction, moved to where it begins at (0, 0)."""

    def turned(point: Point) -> Point:
        return point if flow is Flow.RIGHT else Point(point.y, point.x)

    drawn = routes(frame, links)
    centres = [turned(frame.centre(state)) for state in range(len(frame.ranks))]
    entry_start = turned(frame.centre(0).moved(-frame.radius - _ENTRY_LENGTH, 0))
    entry_tip = turned(frame.centre(0).moved(-frame.radius, 0))
    ways: list[Route] = []
    for number, link in enumerate(links):
        if link.source == link.target:
            curve, tip, begin = loop(centres[link.source], frame.radius, flow)
            ways.append(Route(tuple(curve), tip, _label_box(link, begin, flow, loop_label=True)))
        else:
            points, tip = drawn[number]
            place = turned(_label_place(frame, link, number))
            curve = [turned(point) for point in points]
            ways.append(Route(tuple(curve), turned(tip), _label_box(link, place, flow, loop_label=False)))
    corners = [entry_start, *(point for way in ways for point in way.curve)]
    corners += [point for way in ways for point in (Point(*way.label[:2]), Point(*way.label[2:]))]
    corners += [centre.moved(d, d) for centre in centres for d in (-frame.radius - 2, frame.radius + 2)]
    bounds = around(corners)
    dx, dy = MARGIN - bounds.left, MARGIN - bounds.top
    return Layout(
        bounds.width + 2 * MARGIN,
        bounds.height + 2 * MARGIN,
        frame.radius,
        flow,
        tuple(centre.moved(dx, dy) for centre in centres),
        tuple(_moved(way, dx, dy) for way in ways),
        (entry_start.moved(dx, dy), entry_tip.moved(dx, dy)),
        crossings,
    )


def _label_place(frame: Frame, link: Link, number: int) -> Point:
    """The point of an arrow next to which its label is."""
    chain = frame.items.chains[number]
    offset = next(offset for offset, item in enumerate(chain) if frame.items.items[item].kind is Kind.LABEL)
    rank = 2 * min(frame.ranks[link.source], frame.ranks[link.target]) + 1 + offset
    return Point(frame.bands[rank].middle, frame.places[chain[offset]])


def _label_box(link: Link, place: Point, flow: Flow, *, loop_label: bool) -> Box:
    width, height = link.label_width, link.label_height
    gap = 0.0 if loop_label else LABEL_GAP
    if flow is Flow.RIGHT:
        return Box(place.x - width / 2, place.y - gap - height, place.x + width / 2, place.y - gap)
    return Box(place.x + gap, place.y - height / 2, place.x + gap + width, place.y + height / 2)


def _moved(way: Route, dx: float, dy: float) -> Route:
    curve = tuple(point.moved(dx, dy) for point in way.curve)
    return Route(curve, way.tip.moved(dx, dy), way.label.moved(dx, dy))
