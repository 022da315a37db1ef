"""A timeline as a table that can be read as it is, and stepped through with the script of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.evidence import StepView
from fairlead.evidence.explanation import LOOP_TITLE
from fairlead.model.system import State
from fairlead.present.html.details import timeline_data
from fairlead.present.html.markup import Markup, embedded, joined, separated, tag
from fairlead.present.html.model_text import ModelText
from fairlead.present.html.timeline import Gap, Row, Shown, Timeline, Value
from fairlead.present.sentences.runs import state_words

#: names of processes and of variables that are left out, listed
_LISTED = 20


@dataclass(frozen=True)
class Caption:
    """What a run is, what its loop is called, and the place that fails in its last state, if one does."""

    run: str
    loop: str = LOOP_TITLE
    fails: Span | None = None


def strip(
    timeline: Timeline,
    name: str,
    caption: Caption,
    drawn: Mapping[State, int],
    *,
    text: ModelText | None = None,
    at_end: bool = False,
) -> Markup:
    """The table with its tools; `name` begins the names of its rows in the page.

    The cursor is at the start, or `at_end`. With the `text` of the model, steps name the lines that they
    execute, and the script shows these next to the table.
    """
    told = text if timeline.has_places or caption.fails is not None else None
    data = timeline_data(timeline, drawn, told)
    if told is not None and caption.fails is not None:
        data["fails"] = told.part(caption.fails).to_json()
    table = tag(
        "table",
        tag("thead", *_heads(timeline, told)),
        tag("tbody", _rows(timeline, name, caption.loop, told)),
        class_="fl-timeline",
        aria_label=caption.run,
    )
    return tag(
        "div",
        tag("div", class_="fl-tools", hidden=True),
        tag(
            "div",
            tag("div", table, class_="fl-scroll"),
            tag(
                "div",
                None if told is None else tag("div", class_="fl-listing", hidden=True),
                tag("div", class_="fl-panel", hidden=True, role="status", aria_label="The chosen state"),
                class_="fl-beside",
            ),
            class_="fl-side",
        ),
        _remarks(timeline),
        tag("script", embedded(data), type="application/json", class_="fl-data"),
        class_="fl-run",
        data_name=name,
        data_at_end=at_end,
    )


def step_link(name: str, number: int) -> Markup:
    """A link to a step of a timeline."""
    return tag("a", str(number), href=f"#{name}-{number}", data_step=number)


# ---------------------------------------------------------------- the table


def _heads(timeline: Timeline, text: ModelText | None) -> Iterator[Markup]:
    lanes, columns = timeline.lane_count, len(timeline.columns)
    titles = [*timeline.lanes, *([] if timeline.extra is None else [timeline.extra])]
    groups = [tag("th", class_="fl-bracket"), tag("th", class_="fl-number")]
    is_graph = not timeline.lanes
    groups.append(tag("th", "what happens" if is_graph else "processes", colspan=lanes, scope="colgroup"))
    if columns:
        groups.append(tag("th", "values", colspan=columns, scope="colgroup", class_="fl-values"))
    if text is not None:
        groups.append(tag("th", "text", scope="colgroup", class_="fl-values"))
    yield tag("tr", *groups, class_="fl-groups")
    yield tag(
        "tr",
        tag("th", class_="fl-bracket"),
        tag("th", "step", scope="col", class_="fl-number"),
        (tag("th", tag("span", title), scope="col", class_="fl-lane", title=title) for title in titles),
        (
            tag("th", tag("span", title), scope="col", class_=_value_class(number), title=title)
            for number, title in enumerate(timeline.columns)
        ),
        None if text is None else tag("th", "line", scope="col", class_="fl-line fl-values"),
    )


def _rows(timeline: Timeline, name: str, title: str, text: ModelText | None) -> Iterator[Markup]:
    yield _row(timeline, timeline.start, name, "", text)
    for row in timeline.stem:
        yield _either(timeline, row, name, "", text)
    if not timeline.loop_length:
        return
    width = _width(timeline, text)
    first, last = timeline.loop_first, timeline.last
    top, side, foot = "fl-looped fl-top", "fl-looped", "fl-looped fl-foot"
    yield tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("td", tag("span", _loop_text(title, first, last)), colspan=width),
        class_=f"fl-mark {top}",
    )
    for row in timeline.loop:
        yield _either(timeline, row, name, side, text)
    yield tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("td", tag("span", "↺ and again from step ", step_link(name, first)), colspan=width),
        class_=f"fl-mark {foot}",
    )


def _loop_text(title: str, first: int, last: int) -> str:
    steps = f"step {first}" if first == last else f"steps {first}–{last}"
    if title == LOOP_TITLE:
        return f"loop: {steps} repeat{'s' if first == last else ''} forever"
    return f"{title.removesuffix(':')}: {steps}"


def _width(timeline: Timeline, text: ModelText | None) -> int:
    """How many columns there are, besides that of the bracket."""
    return timeline.lane_count + len(timeline.columns) + 1 + (text is not None)


def _either(timeline: Timeline, row: Row, name: str, where: str, text: ModelText | None) -> Markup:
    if isinstance(row, Shown):
        return _row(timeline, row, name, where, text)
    return _gap(row, where, _width(timeline, text))


def _gap(gap: Gap, where: str, width: int) -> Markup:
    text = f"… {counted(gap.count, 'step')} left out ({gap.first}–{gap.last}; {ALL_WITH_JSON}) …"
    return tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("td", text, colspan=width),
        class_=f"fl-gap {where}".rstrip(),
    )


def _row(timeline: Timeline, row: Shown, name: str, where: str, text: ModelText | None) -> Markup:
    kind = "fl-step" if row.view is not None else "fl-step fl-start"
    return tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("th", str(row.number), scope="row", class_="fl-number"),
        _lane_cells(timeline, row),
        (_value_cell(value, number) for number, value in enumerate(row.values)),
        None if text is None else tag("td", text.links(row.places), class_="fl-line fl-values"),
        id=f"{name}-{row.number}",
        class_=f"{kind} {where}".rstrip(),
        data_step=row.number,
    )


def _lane_cells(timeline: Timeline, row: Shown) -> Iterator[Markup]:
    """A cell for each lane; lanes side by side that take part in one step share a cell."""
    lanes = timeline.lane_count
    if row.view is None:
        text = f"the state {state_words(timeline.offset)}" if timeline.offset else "start"
        yield tag("td", tag("span", text, class_="fl-pill fl-quiet"), colspan=lanes, class_="fl-all")
        return
    if not row.lanes:
        text = "(idle) no step is possible" if row.is_idle else row.view.label
        yield tag("td", tag("span", text, class_="fl-pill fl-quiet"), colspan=lanes, class_="fl-all")
        return
    receivers = timeline.receivers(row)
    number = 0
    while number < lanes:
        if number not in row.lanes:
            passed = row.lanes[0] < number < row.lanes[-1]
            yield tag("td", class_="fl-lane fl-passed" if passed else "fl-lane")
            number += 1
            continue
        end = number + 1
        while end in row.lanes and not receivers:
            end += 1
        sides = " fl-from" * (number > row.lanes[0]) + " fl-to" * (end - 1 < row.lanes[-1])
        yield tag(
            "td",
            _pill(row.view, number in receivers, number > row.lanes[0]),
            colspan=end - number if end - number > 1 else None,
            class_=f"fl-lane fl-taken{sides}",
        )
        number = end


def _pill(view: StepView, receives: bool, from_left: bool) -> Markup:
    """An event in a lane; if it is received there, with the tip of an arrow on the side of the sender."""
    who = f" by {view.who}" if view.direction is None else f", {view.who}"
    title = f"{view.label}{who}" if view.who else view.label
    pill = tag("span", view.label, class_="fl-pill", title=title)
    if not receives:
        return pill
    tip = tag("span", class_="fl-tip", aria_hidden="true")
    parts = (tip, pill) if from_left else (pill, tip)
    return tag("span", *parts, class_="fl-received fl-rightward" if from_left else "fl-received")


def _value_class(number: int) -> str:
    return "fl-value fl-values" if number == 0 else "fl-value"


def _value_cell(value: Value, number: int) -> Markup:
    shown = joined(tag("b", text) if is_new else text for text, is_new in value.pieces)
    plain = "".join(text for text, _ in value.pieces)
    changed = " fl-changed" if value.changed else ""
    whole = None if value.whole == plain else value.whole
    return tag("td", tag("span", shown, title=whole), class_=_value_class(number) + changed)


def _remarks(timeline: Timeline) -> Markup:
    """What has no column, and why."""
    unchanging = [f"{name}={value}" for name, value in timeline.unchanging]
    kinds = (
        ("unchanged throughout: ", unchanging),
        ("also changing, without a column: ", timeline.more_columns),
        ("processes without a lane: ", timeline.more_lanes),
    )
    return joined(tag("p", what, _names(names), class_="fl-remark") for what, names in kinds if names)


def _names(names: Sequence[str]) -> Markup:
    more = len(names) - _LISTED
    return joined(
        separated(tag("code", name) for name in names[:_LISTED]), f" and {more} more" if more > 0 else ""
    )
