"""Represents points, boxes, and the finished layout of a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from fairlead.base.records import dataclass


class Point(NamedTuple):
    """A place in a drawing; y grows downwards."""

    x: float
    y: float

    def towards(self, angle: float, distance: float) -> Point:
        """The point at a distance in the direction of an angle."""
        return Point(self.x + distance * math.cos(angle), self.y + distance * math.sin(angle))

    def moved(self, dx: float, dy: float) -> Point:
        """The point somewhere else."""
        return Point(self.x + dx, self.y + dy)

    def between(self, other: Point, share: float) -> Point:
        """A point on the way to another one."""
        return Point(self.x + share * (other.x - self.x), self.y + share * (other.y - self.y))


class Box(NamedTuple):
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        """The point in the middle."""
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def moved(self, dx: float, dy: float) -> Box:
        """The box somewhere else."""
        return Box(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)


def around(points: Iterable[Point]) -> Box:
    """The smallest box around points."""
    listed = list(points)
    xs, ys = [point.x for point in listed], [point.y for point in listed]
    return Box(min(xs), min(ys), max(xs), max(ys))


class Flow(Enum):
    """Where arrows lead, mostly."""

    RIGHT = "right"
    DOWN = "down"


@dataclass(frozen=True)
class Link:
    """An arrow to be laid out: its states, and the size of its label."""

    source: int
    target: int
    label_width: float
    label_height: float


@dataclass(frozen=True)
class Route:
    """The way of an arrow.

    `curve` are cubic Bézier pieces, each beginning where the one before ends (so 3n+1 points), from the
    border of the source to where the arrow head begins; the head is straight and ends at `tip`, on the
    border of the target.
    """

    curve: tuple[Point, ...]
    tip: Point
    label: Box


@dataclass(frozen=True)
class Layout:
    """Where everything stands, in a box that begins at (0, 0)."""

    width: float
    height: float
    radius: float
    flow: Flow
    centres: tuple[Point, ...]
    routes: tuple[Route, ...]
    #: the arrow that comes from nowhere to the initial state
    entry: tuple[Point, Point]
    crossings: int
