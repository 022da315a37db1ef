"""A timeline as a table that can be read as it is, and stepped through with the script of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.explanation import LOOP_TITLE
from fairlead.model.system import State
from fairlead.present.html.details import timeline_data
from fairlead.present.html.markup import Markup, embedded, joined, separated, tag
from fairlead.present.html.timeline import Gap, Row, Shown, Timeline, Value
from fairlead.present.sentences.runs import state_words

#: names of processes and of variables that are left out, listed
_LISTED = 20


@dataclass(frozen=True)
class Caption:
    """What a run is, and what its loop is called."""

    run: str
    loop: str = LOOP_TITLE


def strip(
    timeline: Timeline, name: str, caption: Caption, drawn: Mapping[State, int], *, at_end: bool = False
) -> Markup:
    """The table with its tools; `name` begins the names of its rows in the page. The cursor is at the start,
    or `at_end`."""
    table = tag(
        "table",
        tag("thead", *_heads(timeline)),
        tag("tbody", _rows(timeline, name, caption.loop)),
        class_="fl-timeline",
        aria_label=caption.run,
    )
    return tag(
        "div",
        tag("div", class_="fl-tools", hidden=True),
        tag(
            "div",
            tag("div", table, class_="fl-scroll"),
            tag("div", class_="fl-panel", hidden=True, role="status", aria_label="The chosen state"),
            class_="fl-side",
        ),
        _remarks(timeline),
        tag("script", embedded(timeline_data(timeline, drawn)), type="application/json", class_="fl-data"),
        class_="fl-run",
        data_name=name,
        data_at_end=at_end,
    )


def step_link(name: str, number: int) -> Markup:
    """A link to a step of a timeline."""
    return tag("a", str(number), href=f"#{name}-{number}", data_step=number)


# ---------------------------------------------------------------- the table


def _heads(timeline: Timeline) -> Iterator[Markup]:
    lanes, columns = timeline.lane_count, len(timeline.columns)
    titles = [*timeline.lanes, *([] if timeline.extra is None else [timeline.extra])]
    groups = [tag("th", class_="fl-bracket"), tag("th", class_="fl-number")]
    is_graph = not timeline.lanes
    groups.append(tag("th", "what happens" if is_graph else "processes", colspan=lanes, scope="colgroup"))
    if columns:
        groups.append(tag("th", "values", colspan=columns, scope="colgroup", class_="fl-values"))
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
    )


def _rows(timeline: Timeline, name: str, title: str) -> Iterator[Markup]:
    yield _row(timeline, timeline.start, name, "")
    for row in timeline.stem:
        yield _either(timeline, row, name, "")
    if not timeline.loop_length:
        return
    width = timeline.lane_count + len(timeline.columns) + 1
    first, last = timeline.loop_first, timeline.last
    top, side, foot = "fl-looped fl-top", "fl-looped", "fl-looped fl-foot"
    yield tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("td", tag("span", _loop_text(title, first, last)), colspan=width),
        class_=f"fl-mark {top}",
    )
    for row in timeline.loop:
        yield _either(timeline, row, name, side)
    yield tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("td", tag("span", "↺ and again from step ", step_link(name, first)), colspan=width),
        class_=f"fl-mark {foot}",
    )


def _loop_text(title: str, first: int, last: int) -> str:
    steps = f"step {first}" if first == last else f"steps {first}–{last}"
    if title == LOOP_TITLE:
        return f"loop: {steps} repeat{'s' if first == last else ''} for ever"
    return f"{title.removesuffix(':')}: {steps}"


def _either(timeline: Timeline, row: Row, name: str, where: str) -> Markup:
    if isinstance(row, Shown):
        return _row(timeline, row, name, where)
    return _gap(timeline, row, where)


def _gap(timeline: Timeline, gap: Gap, where: str) -> Markup:
    width = timeline.lane_count + len(timeline.columns) + 1
    text = f"… {counted(gap.count, 'step')} left out ({gap.first}–{gap.last}; {ALL_WITH_JSON}) …"
    return tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("td", text, colspan=width),
        class_=f"fl-gap {where}".rstrip(),
    )


def _row(timeline: Timeline, row: Shown, name: str, where: str) -> Markup:
    kind = "fl-step" if row.view is not None else "fl-step fl-start"
    return tag(
        "tr",
        tag("td", class_="fl-bracket"),
        tag("th", str(row.number), scope="row", class_="fl-number"),
        _lane_cells(timeline, row),
        (_value_cell(value, number) for number, value in enumerate(row.values)),
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
        text = "(idle) nothing is possible any more" if row.is_idle else row.view.label
        yield tag("td", tag("span", text, class_="fl-pill fl-quiet"), colspan=lanes, class_="fl-all")
        return
    who = ", ".join(row.view.processes)
    title = f"{row.view.label} by {who}" if who else row.view.label
    number = 0
    while number < lanes:
        if number not in row.lanes:
            passed = row.lanes[0] < number < row.lanes[-1]
            yield tag("td", class_="fl-lane fl-passed" if passed else "fl-lane")
            number += 1
            continue
        end = number + 1
        while end in row.lanes:
            end += 1
        sides = " fl-from" * (number > row.lanes[0]) + " fl-to" * (end - 1 < row.lanes[-1])
        yield tag(
            "td",
            tag("span", row.view.label, class_="fl-pill", title=title),
            colspan=end - number if end - number > 1 else None,
            class_=f"fl-lane fl-taken{sides}",
        )
        number = end


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
