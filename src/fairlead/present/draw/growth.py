"""Draws charts of how quantities grow with a number: one panel for each, with a scale of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from fairlead.base.records import dataclass
from fairlead.present.draw.plot import (
    PANEL_HEIGHT,
    PANEL_WIDTH,
    Axis,
    axis_of,
    coord,
    mark,
    power,
    style_sheet,
)

_LEFT, _RIGHT, _TOP, _GAP, _BELOW = 58.0, 18.0, 64.0, 62.0, 62.0
_LINE_HEIGHT = 20.0
_TINTS = 4
#: the inner margin of a panel, so that no mark is cut
_INSIDE = 16.0
#: at most so many values have a number below them
_MOST_TICKS = 10


@dataclass(frozen=True)
class Point:
    """A value of the number, a quantity, and whether it is known to be all there is."""

    x: float
    y: float
    is_whole: bool = True


@dataclass(frozen=True)
class Series:
    """The points of one question, in each of the panels."""

    name: str
    points: tuple[tuple[Point, ...], ...]


@dataclass(frozen=True)
class GrowthChart:
    """What grows with the number `across`: the `panels` are the quantities."""

    title: str
    across: str
    panels: tuple[str, ...]
    series: tuple[Series, ...]

    @property
    def values(self) -> list[float]:
        """The values of the number that there are."""
        return sorted({point.x for one in self.series for points in one.points for point in points})


def growth_svg(chart: GrowthChart) -> str:
    """The picture; it stands alone."""
    names = [one.name for one in chart.series]
    inner = len(chart.panels) * PANEL_WIDTH + (len(chart.panels) - 1) * _GAP
    inner = max(inner, 31 + 6.6 * max(map(len, names), default=0), 9.2 * len(chart.title))
    width = _LEFT + inner + _RIGHT
    has_open = any(not point.is_whole for one in chart.series for points in one.points for point in points)
    entries = len(names) + has_open
    height = _TOP + PANEL_HEIGHT + _BELOW + entries * _LINE_HEIGHT
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{coord(width)}" '
        f'height="{coord(height)}" viewBox="0 0 {coord(width)} {coord(height)}" '
        'role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(chart.title)}</title>',
        f'<desc id="desc">{escape(_description(chart))}</desc>',
        f"<style>\n{style_sheet()}\n.open {{ fill: none; stroke-width: 1.5; }}\n</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        f'<text class="heading" x="{coord(_LEFT)}" y="26">{escape(chart.title)}</text>',
    ]
    for number, title in enumerate(chart.panels):
        x = _LEFT + number * (PANEL_WIDTH + _GAP)
        lines.append(f'<g transform="translate({coord(x)} {coord(_TOP)})">')
        lines += _panel(chart, number, title)
        lines.append("</g>")
    top = _TOP + PANEL_HEIGHT + _BELOW
    lines.append(f'<g transform="translate({coord(_LEFT)} {coord(top)})">')
    lines += _legend(names, has_open)
    return "\n".join([*lines, "</g>", "</svg>"]) + "\n"


def _panel(chart: GrowthChart, number: int, title: str) -> Iterator[str]:
    values = [point.y for one in chart.series for point in one.points[number]]
    axis = axis_of(values, PANEL_HEIGHT)
    yield (f'<rect class="panel" width="{coord(PANEL_WIDTH)}" height="{coord(PANEL_HEIGHT)}" rx="4"/>')
    for exponent in axis.decades:
        height = PANEL_HEIGHT - axis.place(10.0**exponent)
        y = coord(height)
        yield f'<line class="grid" x1="0" y1="{y}" x2="{coord(PANEL_WIDTH)}" y2="{y}"/>'
        yield f'<text class="soft end" x="-7" y="{coord(height + 4)}">{power(exponent)}</text>'
    for value in ticks(chart.values):
        x = coord(_across(chart.values, value))
        yield f'<line class="grid" x1="{x}" y1="0" x2="{x}" y2="{coord(PANEL_HEIGHT)}"/>'
        yield (f'<text class="soft middle" x="{x}" y="{coord(PANEL_HEIGHT + 18)}">{coord(value)}</text>')
    yield f'<text class="name" x="2" y="-9">{escape(title)}</text>'
    x, y = coord(PANEL_WIDTH / 2), coord(PANEL_HEIGHT + 36)
    yield f'<text class="soft middle" x="{x}" y="{y}">{escape(chart.across)}</text>'
    for place, one in enumerate(chart.series):
        yield from _line(chart, place, one.points[number], axis)


def _line(chart: GrowthChart, place: int, points: Sequence[Point], axis: Axis) -> Iterator[str]:
    found = [
        (_across(chart.values, point.x), PANEL_HEIGHT - axis.place(point.y), point.is_whole)
        for point in sorted(points, key=lambda point: point.x)
    ]
    if len(found) > 1:
        track = " ".join(f"{coord(x)},{coord(y)}" for x, y, _ in found)
        yield f'<polyline class="line t{place % _TINTS}" points="{track}"/>'
    for x, y, is_whole in found:
        yield mark(place, x, y) if is_whole else _open(place, x, y)


def _open(place: int, x: float, y: float) -> str:
    return f'<circle class="open t{place % _TINTS}" cx="{coord(x)}" cy="{coord(y)}" r="5"/>'


def _legend(names: Sequence[str], has_open: bool) -> Iterator[str]:
    for place, name in enumerate(names):
        y = coord(place * _LINE_HEIGHT)
        yield f'<line class="line t{place % _TINTS}" x1="0" y1="{y}" x2="24" y2="{y}"/>'
        yield mark(place, 12.0, place * _LINE_HEIGHT)
        yield f'<text x="31" y="{coord(place * _LINE_HEIGHT + 4)}">{escape(name)}</text>'
    if has_open:
        yield _open(0, 12.0, len(names) * _LINE_HEIGHT)
        y = coord(len(names) * _LINE_HEIGHT + 4)
        yield f'<text x="31" y="{y}">a limit was reached: it is more than that</text>'


def ticks(values: Sequence[float]) -> list[float]:
    """The values that have a number below them: all, or as many as there is room for, evenly."""
    every = -(-len(values) // _MOST_TICKS)
    return list(values[:: max(1, every)])


def _across(values: Sequence[float], value: float) -> float:
    low, high = min(values), max(values)
    share = 0.5 if low == high else (value - low) / (high - low)
    return _INSIDE + share * (PANEL_WIDTH - 2 * _INSIDE)


def _description(chart: GrowthChart) -> str:
    return f"{' and '.join(chart.panels)} by {chart.across}: " + "; ".join(one.name for one in chart.series)
