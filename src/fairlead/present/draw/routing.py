"""The ways of arrows through their bends, as smooth curves.

Everything here is in the direction of the arrows: x along the ranks, y across them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from fairlead.base.records import dataclass
from fairlead.present.draw.geometry import Flow, Link, Point
from fairlead.present.draw.items import LABEL_GAP, LOOP_HEIGHT, Items

HEAD_LENGTH = 8.0
#: arrows leave and reach a state at most so far from the direction of the ranks
_WIDEST_ANGLE = math.radians(58)
_ANGLE_APART = math.radians(20)
_LOOP_ANGLE = math.radians(24)


@dataclass(frozen=True)
class Band:
    """The room of a rank along the direction of the arrows."""

    start: float
    end: float

    @property
    def middle(self) -> float:
        """Where states and labels stand."""
        return (self.start + self.end) / 2


@dataclass(frozen=True)
class Frame:
    """A layered drawing before its arrows are drawn: bands, places across them, and the items there."""

    bands: Sequence[Band]
    places: dict[int, float]
    ranks: Sequence[int]
    items: Items
    radius: float

    def centre(self, state: int) -> Point:
        """The middle of a state."""
        return Point(self.bands[2 * self.ranks[state]].middle, self.places[state])


@dataclass(frozen=True)
class _End:
    """Where an arrow touches a state: at an angle, seen from the middle of the state."""

    link: int
    wanted: float


def routes(frame: Frame, links: Sequence[Link]) -> dict[int, tuple[list[Point], Point]]:
    """For each arrow that is not a loop its curve and its tip."""
    angles = _angles(frame, links)
    return {number: _route(frame, links[number], number, angles) for number in frame.items.chains}


def _angles(frame: Frame, links: Sequence[Link]) -> dict[tuple[int, int], float]:
    """The angle of each arrow at each of its states: towards its first bend, but apart from the others."""
    sides: dict[tuple[int, bool], list[_End]] = {}
    for number, chain in frame.items.chains.items():
        first, last = _by_rank(frame, links[number])
        for state, item, ahead in ((first, chain[0], True), (last, chain[-1], False)):
            centre = frame.centre(state)
            band = frame.bands[2 * frame.ranks[state] + (1 if ahead else -1)]
            run = band.start - centre.x if ahead else centre.x - band.end
            rise = frame.places[item] - centre.y
            sides.setdefault((state, ahead), []).append(_End(number, 0.8 * math.atan2(rise, run)))
    found: dict[tuple[int, int], float] = {}
    for (state, ahead), ends in sides.items():
        ends.sort(key=lambda end: (end.wanted, end.link))
        for end, angle in zip(ends, _spread([end.wanted for end in ends]), strict=True):
            found[end.link, state] = angle if ahead else math.pi - angle
    return found


def _spread(wanted: Sequence[float]) -> list[float]:
    """Angles in the same order, within the bounds and apart from each other, near the wanted ones."""
    count = len(wanted)
    apart = min(_ANGLE_APART, 2 * _WIDEST_ANGLE / max(1, count - 1))
    angles: list[float] = []
    for number, angle in enumerate(wanted):
        low = angles[-1] + apart if angles else -_WIDEST_ANGLE
        high = _WIDEST_ANGLE - (count - 1 - number) * apart
        angles.append(min(max(angle, low), high))
    # pushing went one way only: pull everything back by half of what it was pushed, where there is room
    for number in range(count - 1, -1, -1):
        pushed = angles[number] - wanted[number]
        if pushed > 0:
            low = -_WIDEST_ANGLE + number * apart
            angles[number] = max(low, angles[number] - pushed / 2)
    for number in range(1, count):
        angles[number] = max(angles[number], angles[number - 1] + apart)
    for number in range(count - 1, -1, -1):
        angles[number] = min(angles[number], _WIDEST_ANGLE - (count - 1 - number) * apart)
    return angles


def _by_rank(frame: Frame, link: Link) -> tuple[int, int]:
    first, last = link.source, link.target
    return (first, last) if frame.ranks[first] < frame.ranks[last] else (last, first)


def _route(
    frame: Frame, link: Link, number: int, angles: dict[tuple[int, int], float]
) -> tuple[list[Point], Point]:
    first, last = _by_rank(frame, link)
    chain = frame.items.chains[number]
    turned = first != link.source
    begin, end = frame.centre(first), frame.centre(last)
    start_angle, end_angle = angles[number, first], angles[number, last]
    start = begin.towards(start_angle, frame.radius + (HEAD_LENGTH if turned else 0.0))
    finish = end.towards(end_angle, frame.radius + (0.0 if turned else HEAD_LENGTH))
    passes: list[Point] = []
    for offset, item in enumerate(chain):
        band = frame.bands[2 * frame.ranks[first] + 1 + offset]
        passes += [Point(band.start, frame.places[item]), Point(band.end, frame.places[item])]
    leaving = _leaving(start, start_angle, passes[0], _exit(frame, first, begin, start, True))
    arriving = _leaving(finish, end_angle, passes[-1], _exit(frame, last, end, finish, False))
    curve = [*leaving]
    for one, other in pairwise(passes):
        curve += [*_between(one, other), other]
    curve += arriving[::-1][1:]
    if turned:
        return curve[::-1], begin.towards(start_angle, frame.radius)
    return curve, end.towards(end_angle, frame.radius)


def _exit(frame: Frame, state: int, centre: Point, touch: Point, ahead: bool) -> Point | None:
    """Where an arrow leaves the band of its state, if the band is so wide that others could be in the way."""
    band = frame.bands[2 * frame.ranks[state]]
    edge = band.end if ahead else band.start
    wide = abs(edge - centre.x) > frame.radius + 1
    inside = (edge - touch.x if ahead else touch.x - edge) > 1
    return Point(edge, touch.y) if wide and inside else None


def _leaving(touch: Point, angle: float, first: Point, via: Point | None) -> list[Point]:
    """The curve from where an arrow touches its state to the first pass."""
    if via is not None:
        reach = abs(via.x - touch.x)
        direction = math.copysign(1.0, via.x - touch.x)
        bend = touch.towards(angle, min(8.0, 0.4 * reach))
        return [touch, bend, via.moved(-direction * 0.5 * reach, 0), via, *_between(via, first), first]
    reach = math.dist(touch, first)
    along = abs(first.x - touch.x)
    direction = math.copysign(1.0, first.x - touch.x)
    # no further than half way along the ranks, so that a steep curve stays between them
    bend = touch.towards(angle, min(0.4 * reach, 0.5 * along / abs(math.cos(angle))))
    return [touch, bend, first.moved(-direction * 0.55 * along, 0), first]


def _between(one: Point, other: Point) -> tuple[Point, Point]:
    """Control points of a piece that begins and ends in the direction of the ranks."""
    half = (other.x - one.x) / 2
    return one.moved(half, 0), other.moved(-half, 0)


def loop(centre: Point, radius: float, flow: Flow) -> tuple[list[Point], Point, Point]:
    """A loop's curve and tip, and the point above it (or right of it) where its label begins."""
    up = -math.pi / 2 if flow is Flow.RIGHT else 0.0
    out, back = up - _LOOP_ANGLE, up + _LOOP_ANGLE
    start, tip = centre.towards(out, radius), centre.towards(back, radius)
    end = centre.towards(back, radius + HEAD_LENGTH)
    # a curve goes three quarters of the way to its control points, which lie to the sides besides
    reach = radius + LOOP_HEIGHT * 1.75
    curve = [start, centre.towards(out - 0.25, reach), centre.towards(back + 0.25, reach), end]
    return curve, tip, centre.towards(up, radius + LOOP_HEIGHT + LABEL_GAP)
