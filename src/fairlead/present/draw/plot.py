"""Draws charts as SVG: points on logarithmic axes, in one small panel for each system."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from xml.sax.saxutils import escape

from fairlead.base.records import dataclass

PANEL_WIDTH, PANEL_HEIGHT = 250.0, 190.0
_GAP_ACROSS, _GAP_DOWN = 14.0, 46.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 58.0, 84.0, 18.0, 52.0
#: a tick nearer to the right edge has no label: it would run into the next panel's
_TICK_ROOM = 12.0
#: what the guide is called in the legend
_EQUAL = "equal"
_MARKS = ("circle", "square", "diamond", "triangle")


class Guide(Enum):
    """What is drawn behind the points to read them by: nothing, or where both values are the same."""

    NONE = 0
    EQUAL = 1


@dataclass(frozen=True)
class Line:
    """The points of one series, such as a tool; x and y are positive."""

    tool: int  # which of the chart's series
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Panel:
    """One system: its lines, and a remark that stands in a corner."""

    title: str
    lines: tuple[Line, ...]
    remark: str = ""


@dataclass(frozen=True)
class Chart:
    """Panels with the same axes, so that they can be compared at a glance."""

    title: str
    across: str
    up: str
    tools: tuple[str, ...]
    panels: tuple[Panel, ...]
    guide: Guide = Guide.NONE


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis that begins and ends at powers of ten (or between them, if that is tighter)."""

    low: float
    high: float
    length: float

    def place(self, value: float) -> float:
        """How far from the beginning a value lies."""
        share = (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return share * self.length

    @property
    def decades(self) -> list[int]:
        """The powers of ten on it."""
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        return list(range(first, last + 1))


@dataclass(frozen=True)
class Frame:
    """What all panels of a chart have in common: their axes, and what is drawn behind the points."""

    x: Axis
    y: Axis
    guide: Guide


def axis_of(values: Sequence[float], length: float) -> Axis:
    """The axis that has room for values: to the next third of a power of ten on both sides."""
    if not values:
        return Axis(1.0, 10.0, length)
    low, high = math.log10(min(values)), math.log10(max(values))
    begin, end = math.floor(3 * low - 0.2) / 3, math.ceil(3 * high + 0.2) / 3
    return Axis(10.0**begin, 10.0**end, length)


_COLOURS = {
    "light": {"paper": "#ffffff", "ink": "#1f2328", "soft": "#59636e", "grid": "#e4e8ec", "panel": "#f9fafb"},
    "dark": {"paper": "#0d1117", "ink": "#e6edf3", "soft": "#9198a1", "grid": "#262c34", "panel": "#12171e"},
}
_TOOL_COLOURS = {
    "light": ("#bc4c00", "#0969da", "#1a7f37", "#8250df"),
    "dark": ("#f0883e", "#58a6ff", "#56d364", "#d2a8ff"),
}


def _rules(shade: str) -> list[str]:
    colours = _COLOURS[shade]
    rules = [
        f".paper {{ fill: {colours['paper']}; }}",
        f".panel {{ fill: {colours['panel']}; }}",
        f"text {{ fill: {colours['ink']}; }}",
        f".soft {{ fill: {colours['soft']}; }}",
        f".grid {{ stroke: {colours['grid']}; }}",
        f".guide {{ stroke: {colours['soft']}; }}",
        f".remark {{ stroke: {colours['panel']}; }}",
    ]
    for number, colour in enumerate(_TOOL_COLOURS[shade]):
        rules.append(f".t{number} {{ stroke: {colour}; }}")
        rules.append(f".m{number} {{ fill: {colour}; stroke: {colours['panel']}; }}")
    return rules


def style_sheet() -> str:
    """Light colours, and dark ones where the reader prefers them."""
    fixed = [
        "text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; font-size: 12px; }",
        ".heading { font-size: 16px; font-weight: bold; }",
        ".name { font-size: 12.5px; font-weight: bold; }",
        ".soft { font-size: 11px; }",
        ".exponent { font-size: 8px; }",
        ".grid { stroke-width: 1; }",
        ".guide { fill: none; stroke-width: 1; stroke-dasharray: 4 3; }",
        ".remark { paint-order: stroke; stroke-width: 5px; }",
        ".line { fill: none; stroke-width: 2; stroke-linejoin: round; }",
        ".mark { stroke-width: 1; }",
        ".middle { text-anchor: middle; }",
        ".end { text-anchor: end; }",
    ]
    dark = "\n".join(f"  {rule}" for rule in _rules("dark"))
    light = "\n".join([*fixed, *_rules("light")])
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


def coord(value: float) -> str:
    """A coordinate."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def mark(tool: int, x: float, y: float) -> str:
    """The mark of a series at a point."""
    corners: tuple[tuple[float, float], ...]
    look = f'class="mark m{tool % len(_TOOL_COLOURS["light"])}"'
    match _MARKS[tool % len(_MARKS)]:
        case "circle":
            return f'<circle {look} cx="{coord(x)}" cy="{coord(y)}" r="3.6"/>'
        case "square":
            return f'<rect {look} x="{coord(x - 3.2)}" y="{coord(y - 3.2)}" width="6.4" height="6.4"/>'
        case "diamond":
            corners = ((0, -4.4), (4.4, 0), (0, 4.4), (-4.4, 0))
        case _:
            corners = ((0, -4.2), (4.2, 3.2), (-4.2, 3.2))
    places = " ".join(f"{coord(x + dx)},{coord(y + dy)}" for dx, dy in corners)
    return f'<polygon {look} points="{places}"/>'


def power(exponent: int) -> str:
    """A power of ten."""
    sign = "−" if exponent < 0 else ""
    return f'10<tspan class="exponent" dy="-5">{sign}{abs(exponent)}</tspan>'


def _guide(frame: Frame) -> Iterator[str]:
    """The line of equal values, as far as it lies in a panel."""
    low, high = max(frame.x.low, frame.y.low), min(frame.x.high, frame.y.high)
    if frame.guide is Guide.EQUAL and low < high:
        x1, y1, x2, y2 = (
            coord(place)
            for value in (low, high)
            for place in (frame.x.place(value), PANEL_HEIGHT - frame.y.place(value))
        )
        yield f'<line class="guide" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _panel(panel: Panel, frame: Frame, *, left: bool, bottom: bool) -> Iterator[str]:
    x_axis, y_axis = frame.x, frame.y
    yield f'<rect class="panel" width="{coord(PANEL_WIDTH)}" height="{coord(PANEL_HEIGHT)}" rx="4"/>'
    for exponent in x_axis.decades:
        x = coord(x_axis.place(10.0**exponent))
        yield f'<line class="grid" x1="{x}" y1="0" x2="{x}" y2="{coord(PANEL_HEIGHT)}"/>'
        if bottom and x_axis.place(10.0**exponent) < PANEL_WIDTH - _TICK_ROOM:
            y = coord(PANEL_HEIGHT + 18)
            yield f'<text class="soft middle" x="{x}" y="{y}">{power(exponent)}</text>'
    for exponent in y_axis.decades:
        height = PANEL_HEIGHT - y_axis.place(10.0**exponent)
        y = coord(height)
        yield f'<line class="grid" x1="0" y1="{y}" x2="{coord(PANEL_WIDTH)}" y2="{y}"/>'
        if left:
            yield f'<text class="soft end" x="-7" y="{coord(height + 4)}">{power(exponent)}</text>'
    yield from _guide(frame)
    yield f'<text class="name" x="2" y="-9">{escape(panel.title)}</text>'
    if panel.remark:
        # lines rise from left to right, so this corner is free
        yield f'<text class="soft remark" x="8" y="17">{escape(panel.remark)}</text>'
    for line in panel.lines:
        yield from _line(line, frame)


def _line(line: Line, frame: Frame) -> Iterator[str]:
    places = [(frame.x.place(x), PANEL_HEIGHT - frame.y.place(y)) for x, y in sorted(line.points)]
    track = " ".join(f"{coord(x)},{coord(y)}" for x, y in places)
    tint = line.tool % len(_TOOL_COLOURS["light"])
    if len(places) > 1:
        yield f'<polyline class="line t{tint}" points="{track}"/>'
    yield from (mark(line.tool, x, y) for x, y in places)


def _entry_width(text: str) -> float:
    return 31 + 6.6 * len(text) + 24


def _legend(chart: Chart, used: frozenset[int]) -> Iterator[str]:
    x = 0.0
    for number, tool in enumerate(chart.tools):
        if number not in used:
            continue
        tint = number % len(_TOOL_COLOURS["light"])
        yield f'<line class="line t{tint}" x1="{coord(x)}" y1="0" x2="{coord(x + 24)}" y2="0"/>'
        yield mark(number, x + 12, 0.0)
        yield f'<text x="{coord(x + 31)}" y="4">{escape(tool)}</text>'
        x += _entry_width(tool)
    if chart.guide is Guide.EQUAL:
        yield f'<line class="guide" x1="{coord(x)}" y1="0" x2="{coord(x + 24)}" y2="0"/>'
        yield f'<text x="{coord(x + 31)}" y="4">{_EQUAL}</text>'


def columns_for(panels: int) -> int:
    """How many panels stand side by side: no more than four, and rows as even as can be."""
    if panels <= 4:
        return max(1, panels)
    return 4 if panels > 9 else min((4, 3), key=lambda columns: -panels % columns)


def to_svg(chart: Chart) -> str:
    """The picture; it stands alone."""
    points = [point for panel in chart.panels for line in panel.lines for point in line.points]
    frame = Frame(
        axis_of([x for x, _ in points], PANEL_WIDTH),
        axis_of([y for _, y in points], PANEL_HEIGHT),
        chart.guide,
    )
    columns = columns_for(len(chart.panels))
    rows = max(1, math.ceil(len(chart.panels) / columns))
    used = frozenset(line.tool for panel in chart.panels for line in panel.lines)
    entries = [tool for number, tool in enumerate(chart.tools) if number in used]
    entries += [_EQUAL] if chart.guide is Guide.EQUAL else []
    legend_width = sum(_entry_width(entry) for entry in entries)
    inner = columns * PANEL_WIDTH + (columns - 1) * _GAP_ACROSS
    inner = max(inner, legend_width, 9.2 * len(chart.title))
    wide = _LEFT + inner + _RIGHT
    high = _TOP + rows * PANEL_HEIGHT + (rows - 1) * _GAP_DOWN + _BOTTOM
    size = f"{coord(wide)} {coord(high)}"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{coord(wide)}" '
        f'height="{coord(high)}" viewBox="0 0 {size}" role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(chart.title)}</title>',
        f'<desc id="desc">{escape(_description(chart))}</desc>',
        f"<style>\n{style_sheet()}\n</style>",
        '<rect class="paper" width="100%" height="100%"/>',
        f'<text class="heading" x="{coord(_LEFT)}" y="26">{escape(chart.title)}</text>',
        f'<g transform="translate({coord(_LEFT)} 46)">',
        *_legend(chart, used),
        "</g>",
    ]
    for place, panel in enumerate(chart.panels):
        x = _LEFT + (place % columns) * (PANEL_WIDTH + _GAP_ACROSS)
        y = _TOP + (place // columns) * (PANEL_HEIGHT + _GAP_DOWN)
        below_is_free = place + columns >= len(chart.panels)
        lines.append(f'<g transform="translate({coord(x)} {coord(y)})">')
        lines += _panel(panel, frame, left=place % columns == 0, bottom=below_is_free)
        lines.append("</g>")
    middle = coord(_TOP + (high - _TOP - _BOTTOM) / 2)
    centre = coord(_LEFT + (columns * PANEL_WIDTH + (columns - 1) * _GAP_ACROSS) / 2)
    lines += [
        f'<text class="soft middle" x="{centre}" y="{coord(high - 14)}">{escape(chart.across)}</text>',
        f'<text class="soft middle" x="16" y="{middle}" transform="rotate(-90 16 {middle})">'
        f"{escape(chart.up)}</text>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _description(chart: Chart) -> str:
    parts = []
    for panel in chart.panels:
        tools: Mapping[str, int] = {chart.tools[line.tool]: len(line.points) for line in panel.lines}
        listed = ", ".join(f"{tool} at {count} sizes" for tool, count in tools.items())
        parts.append(f"{panel.title}: {listed}")
    return f"{chart.up} against {chart.across}. " + "; ".join(parts) + "."
