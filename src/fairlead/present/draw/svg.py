"""Graphs as SVG pictures that stand alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from xml.sax.saxutils import escape

from fairlead.base.diagnostics import Code, counted, input_error
from fairlead.model.explicit import ExplicitGraph
from fairlead.present.draw.emphasis import Emphasis, Mark, emphasis
from fairlead.present.draw.geometry import Flow, Layout, Link, Point, Route
from fairlead.present.draw.layout import MARGIN, layout
from fairlead.present.draw.legend import Entry, legend_of, swatch
from fairlead.present.draw.picture import (
    DrawnArrow,
    DrawnLabel,
    DrawnState,
    Ending,
    Picture,
    picture_of,
    reachable,
)
from fairlead.present.draw.routing import HEAD_LENGTH
from fairlead.present.draw.style import LIGHT, style_sheet, tint_class
from fairlead.present.draw.text import LINE_HEIGHT, printable, width

#: graphs with more states are not drawn unless the limit is raised
MOST_STATES = 60
#: not even on request: the layout takes minutes, and the picture is useless
MOST_DRAWN = 2_000
_SMALLEST_RADIUS = 15.0
_HEAD_WIDTH = 3.6
_BASELINE = 0.75 * LINE_HEIGHT
#: values in states are smaller than other texts
_VALUE_SCALE = 10 / 12
_VALUE_HEIGHT = 13.0


class Surroundings(Enum):
    """Where a picture is: in a file of its own, or in a page that has its style sheet and other pictures."""

    FILE = auto()
    PAGE = auto()


def to_svg(
    graph: ExplicitGraph,
    stressed: Emphasis | None = None,
    *,
    title: str = "graph",
    most_states: int = MOST_STATES,
    surroundings: Surroundings = Surroundings.FILE,
    with_values: bool = False,
) -> str:
    """The reachable part of a graph as a picture; `with_values`, those of each state stand in it."""
    refuse_large(len(reachable(graph)), most_states)
    picture = picture_of(graph, stressed or emphasis(graph), with_values=with_values)
    radius = max(_SMALLEST_RADIUS, *(_radius(state) for state in picture.states))
    links = [Link(arrow.source, arrow.target, *_label_size(arrow.labels)) for arrow in picture.arrows]
    placed = layout(len(picture.states), links, radius)
    return _document(picture, placed, printable(title), surroundings)


def refuse_large(states: int, most_states: int) -> None:
    """Says what to do about a graph that is too large for a picture."""
    if states > most_states:
        raise input_error(
            Code.LIMIT,
            f"the graph has {counted(states, 'state')}; a picture of more than {most_states} is hard to read",
            hint="draw a smaller process or give a constant a smaller value with -D, hide events and "
            "minimise; write --format dot, aut or json for other tools; or raise --max-drawn",
        )


def _radius(state: DrawnState) -> float:
    """How large a circle is that has the number of a state, and its values, in it."""
    number = width(str(state.number)) / 2 + 6
    texts = zip(state.lines, _line_middles(state)[1:], strict=True)
    return max(number, *(math.hypot(width(text) * _VALUE_SCALE / 2, y) + 7 for text, y in texts), 0.0)


def _line_middles(state: DrawnState) -> list[float]:
    """Where the lines in a circle are, below its middle: the number, and then the values."""
    top = -len(state.lines) * _VALUE_HEIGHT / 2
    return [top + number * _VALUE_HEIGHT for number in range(len(state.lines) + 1)]


def _label_size(labels: Sequence[DrawnLabel]) -> tuple[float, float]:
    # bold letters, as those of highlighted labels, are wider
    widths = [width(label.text) * (1.08 if label.mark is not Mark.NONE else 1.0) for label in labels]
    return max(widths), LINE_HEIGHT * len(labels)


def _document(picture: Picture, placed: Layout, title: str, surroundings: Surroundings) -> str:
    entries = legend_of(picture)
    legend_width = max((entry.width for entry in entries), default=0.0)
    across = max(placed.width, legend_width + 2 * MARGIN)
    down = placed.height + (LINE_HEIGHT * 1.3 * len(entries) + MARGIN / 2 if entries else 0.0)
    size = f"{_number(across)} {_number(down)}"
    lines = [
        *_head_lines(size, title, _description(picture), surroundings),
        # the colour is here too, for programs that know no style sheets
        f'<rect class="paper" width="100%" height="100%" fill="{LIGHT.paper}"/>',
        *_entry(placed),
    ]
    # highlighted arrows come last, on top of the others
    numbers = sorted(range(len(picture.arrows)), key=lambda number: picture.arrows[number].mark)
    for number in numbers:
        lines += _arrow(picture, picture.arrows[number], placed.routes[number], placed.flow)
    for state, centre in zip(picture.states, placed.centres, strict=True):
        lines += _state(state, centre, placed.radius)
    lines += _legend(entries, placed.height)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _head_lines(size: str, title: str, description: str, surroundings: Surroundings) -> Iterator[str]:
    """The beginning of a picture; in a page there are no names that another picture may have too."""
    wide, high = size.split()
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{wide}" height="{high}" '
        f'viewBox="0 0 {size}" role="img"'
    )
    if surroundings is Surroundings.PAGE:
        label = escape(f"{title}. {description}", {'"': "&quot;"})
        yield f'{opening} aria-label="{label}" style="--wide:{wide}px">'
        return
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'{opening} aria-labelledby="title desc">'
    yield f'<title id="title">{escape(title)}</title>'
    yield f'<desc id="desc">{escape(description)}</desc>'
    yield f"<style>\n{style_sheet()}\n</style>"


def _description(picture: Picture) -> str:
    states = counted(len(picture.states), "state")
    text = f"A graph of {states} and {counted(picture.transition_count, 'transition')}."
    text += f" The initial state is {picture.states[0].number}."
    for ending in (Ending.TERMINATED, Ending.DEADLOCK, Ending.ERROR):
        found = [str(state.number) for state in picture.states if state.ending is ending]
        if found:
            text += f" {ending.value.capitalize()}: {', '.join(found)}."
    if picture.grouping.heading:
        legends = [group.legend for group in picture.grouping.groups]
        text += f" {', '.join(picture.grouping.heading)}: {'; '.join(legends)}."
    return text


def _arrow(picture: Picture, arrow: DrawnArrow, route: Route, flow: Flow) -> Iterator[str]:
    source, target = picture.states[arrow.source].number, picture.states[arrow.target].number
    mark = _mark_class(arrow.mark)
    yield f'<g class="transition" data-from="{source}" data-to="{target}">'
    yield _tooltip([f"{source} → {target}", *arrow.details])
    dashed = " internal" if arrow.internal else ""
    yield f'<path class="arrow{dashed}{mark}" d="{_curve(route.curve)}"/>'
    yield f'<path class="head{mark}" d="{_head(route.curve[-1], route.tip)}"/>'
    for number, label in enumerate(arrow.labels):
        # above a line a text is centred; next to a line it begins there
        x = route.label.centre.x if flow is Flow.RIGHT else route.label.left
        y = route.label.top + number * LINE_HEIGHT + _BASELINE
        name = "line" if flow is Flow.RIGHT else "line side"
        name += " internal-line" if label.internal else ""
        yield _text(f"{name}{_mark_class(label.mark)}", x, y, label.text)
    yield "</g>"


def _state(state: DrawnState, centre: Point, radius: float) -> Iterator[str]:
    place = f'cx="{_number(centre.x)}" cy="{_number(centre.y)}"'
    mark = _mark_class(state.mark)
    yield f'<g class="node" data-state="{state.number}">'
    yield _tooltip(state.details)
    yield f'<circle class="{state_classes(state)}{mark}" {place} r="{_number(radius)}"/>'
    if state.ending is Ending.TERMINATED:
        yield f'<circle class="inner{mark}" {place} r="{_number(radius - 3)}"/>'
    elif state.ending is Ending.DEADLOCK and mark:  # whose colour is on the border
        yield f'<circle class="inner stuck" {place} r="{_number(radius - 3)}"/>'
    number, *values = (centre.y + _BASELINE - LINE_HEIGHT / 2 + 0.6 + y for y in _line_middles(state))
    yield _text("number", centre.x, number, str(state.number))
    for y, line in zip(values, state.lines, strict=True):
        yield _text("value", centre.x, y, line)
    yield "</g>"


def state_classes(state: DrawnState) -> str:
    """The classes of a state's circle, apart from its mark."""
    names = ["state"]
    if state.tint is not None:
        names.append(tint_class(state.tint))
    if state.ending in (Ending.DEADLOCK, Ending.ERROR):
        names.append(state.ending.value)
    return " ".join(names)


def _entry(placed: Layout) -> Iterator[str]:
    start, tip = placed.entry
    base = tip.between(start, HEAD_LENGTH / math.dist(start, tip))
    yield '<g class="entry">'
    yield _tooltip(["the initial state"])
    yield f'<path class="arrow" d="M{_point(start)}L{_point(base)}"/>'
    yield f'<path class="head" d="{_head(base, tip)}"/>'
    yield "</g>"


def _legend(entries: Sequence[Entry], top: float) -> Iterator[str]:
    for number, entry in enumerate(entries):
        y = top + LINE_HEIGHT * 1.3 * number + LINE_HEIGHT / 2
        yield '<g class="legend">'
        if entry.tooltip is not None:
            yield _tooltip([entry.tooltip])
        yield from swatch(entry, MARGIN, y)
        yield _text("", MARGIN + entry.indent, y + _BASELINE - LINE_HEIGHT / 2, entry.text)
        yield "</g>"


def _mark_class(mark: Mark) -> str:
    return "" if mark is Mark.NONE else f" {mark.name.lower()}"


def _tooltip(lines: Sequence[str]) -> str:
    return f"<title>{escape(chr(10).join(lines))}</title>"


def _text(name: str, x: float, y: float, text: str) -> str:
    attribute = f' class="{name}"' if name else ""
    return f'<text{attribute} x="{_number(x)}" y="{_number(y)}">{escape(text)}</text>'


def _curve(points: Sequence[Point]) -> str:
    pieces = [points[number : number + 3] for number in range(1, len(points), 3)]
    curves = "".join("C" + " ".join(_point(point) for point in piece) for piece in pieces)
    return f"M{_point(points[0])}{curves}"


def _head(base: Point, tip: Point) -> str:
    angle = math.atan2(tip.y - base.y, tip.x - base.x)
    sides = [base.towards(angle + turn, _HEAD_WIDTH) for turn in (math.pi / 2, -math.pi / 2)]
    return f"M{_point(tip)}L{_point(sides[0])}L{_point(sides[1])}Z"


def _point(point: Point) -> str:
    return f"{_number(point.x)},{_number(point.y)}"


def _number(value: float) -> str:
    """A number with one decimal, the same on every machine."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
