"""A run as it is laid out on a page: a lane for each process, a column for each variable that changes.

Steps go from top to bottom: then labels are read without turning the head, a run of hundreds of steps is
scrolled and printed as any text is, and a lane is a lifeline as in a sequence chart.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.evidence.changes import StateView
from fairlead.evidence.evidence import StepView
from fairlead.model.attempts import direction
from fairlead.model.executed import executed
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System

#: of a longer stem or loop the middle is left out
SHOWN_STEPS = 240
#: with more processes or variables, those that have least to do with the run have no column
MOST_LANES = 24
MOST_COLUMNS = 24
#: arrays with more elements are shown by what changes in them
LONGEST_ARRAY = 8
SHOWN_ENABLED = 60
LONGEST_TEXT = 300


def is_left_out(number: int, length: int) -> bool:
    """Whether a step, counted from 1, is in the middle of a stem or loop that is too long."""
    return length > SHOWN_STEPS and SHOWN_STEPS // 2 < number <= length - SHOWN_STEPS // 2


@dataclass(frozen=True)
class Value:
    """What stands in a column: pieces of text, each with whether it is new, and the whole value."""

    pieces: tuple[tuple[str, bool], ...]
    whole: str
    changed: bool


@dataclass(frozen=True)
class Shown:
    """A step with its number, the lanes it is in, and the values after it; the start is number 0 of a run
    from the initial state, and has no event."""

    number: int
    view: StepView | None
    lanes: tuple[int, ...]
    values: tuple[Value, ...]
    state: State
    #: the parts of the text that it executes
    places: tuple[Span, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Whether nothing happens, since nothing can."""
        return self.view is not None and self.view.event == IDLE


@dataclass(frozen=True)
class Gap:
    """Steps that are left out, by their numbers."""

    first: int
    last: int

    @property
    def count(self) -> int:
        """How many."""
        return self.last - self.first + 1


Row = Shown | Gap


@dataclass(frozen=True)
class Timeline:
    """The rows of a run, and what heads their columns.

    `offset` steps lead to its start. `extra` is the title of a lane for steps of processes without one; it is
    the last lane. `unchanging` are the other variables with their values, `more_columns` the names of those
    that change and have no column, `more_lanes` of the processes without a lane; `values` has what is
    observed in each state of the run.
    """

    system: System
    offset: int
    stem_length: int
    loop_length: int
    lanes: tuple[str, ...]
    extra: str | None
    more_lanes: tuple[str, ...]
    columns: tuple[str, ...]
    more_columns: tuple[str, ...]
    unchanging: tuple[tuple[str, str], ...]
    start: Shown
    stem: tuple[Row, ...]
    loop: tuple[Row, ...]
    values: Mapping[State, Mapping[str, Any]] = field(repr=False)

    @property
    def lane_count(self) -> int:
        """How many lanes there are, with the extra one."""
        return len(self.lanes) + (self.extra is not None)

    def receivers(self, row: Shown) -> frozenset[int]:
        """The lanes of the receivers, if a step is a handshake of processes with different lanes."""
        if row.view is None or row.view.direction is None:
            return frozenset()
        names = f", {row.view.direction[1]}, "
        found = frozenset(
            lane for lane in row.lanes if lane < len(self.lanes) and f", {self.lanes[lane]}, " in names
        )
        return found or frozenset(lane for lane in row.lanes if lane == len(self.lanes))

    @property
    def has_places(self) -> bool:
        """Whether it is known what the steps execute."""
        return any(row.places for row in self.shown())

    @property
    def loop_first(self) -> int:
        """The number of the first step of the loop."""
        return self.offset + self.stem_length + 1

    @property
    def last(self) -> int:
        """The number of the last step."""
        return self.offset + self.stem_length + self.loop_length

    def shown(self) -> Iterator[Shown]:
        """The start and all steps that are not left out."""
        yield self.start
        yield from (row for row in (*self.stem, *self.loop) if isinstance(row, Shown))


def timeline_of(system: System, run: Run, offset: int = 0) -> Timeline:
    """The timeline of a run that starts after so many steps."""
    steps = (*run.stem, *run.loop)
    states = [run.start, *(step.target for step in steps)]
    known: dict[State, dict[str, Any]] = {}
    for state in states:
        if state not in known:
            known[state] = system.describe(state)
    names = _propositions(known.values())
    values = {state: _observed(description, names) for state, description in known.items()}
    lanes, more_lanes = _lanes(known.values(), steps)
    columns, more_columns, unchanging = _columns([values[state] for state in states])
    made = _Making(offset, lanes, columns, states, steps, values, known, system)
    stem = len(run.stem)
    extra = made.extra_lane
    return Timeline(
        system,
        offset,
        stem,
        len(run.loop),
        lanes,
        extra,
        more_lanes,
        columns,
        more_columns,
        unchanging,
        made.shown(0),
        tuple(made.rows(1, stem)),
        tuple(made.rows(stem + 1, len(steps))),
        values,
    )


@dataclass(frozen=True)
class _Making:
    """What the rows are made of; positions are counted from the start of the run."""

    offset: int
    lanes: tuple[str, ...]
    columns: tuple[str, ...]
    states: Sequence[State]
    steps: Sequence[Step]
    values: Mapping[State, Mapping[str, Any]]
    described: Mapping[State, dict[str, Any]]
    system: System

    @property
    def extra_lane(self) -> str | None:
        """The title of the lane for steps of processes without one, if there are such steps."""
        known = frozenset(self.lanes)
        acting = [step for step in self.steps if step.event != IDLE]
        if not self.lanes:
            return "event"
        return None if all(step.processes and step.processes <= known for step in acting) else "others"

    def rows(self, first: int, last: int) -> Iterator[Row]:
        """The rows of the steps from `first` to `last`, without the middle if they are many."""
        length = last - first + 1
        for position in range(first, last + 1):
            if not is_left_out(position - first + 1, length):
                yield self.shown(position)
            elif not is_left_out(position - first, length):
                half = SHOWN_STEPS // 2
                yield Gap(self.offset + position, self.offset + last - half)

    def shown(self, position: int) -> Shown:
        """The row of the state at a position, with the step into it."""
        state = self.states[position]
        after = self.values[state]
        if position == 0:
            values = tuple(_value(after[name], after[name]) for name in self.columns)
            return Shown(self.offset, None, (), values, state)
        before = self.values[self.states[position - 1]]
        step = self.steps[position - 1]
        way = direction(self.system, self.states[position - 1], step)
        described = StateView(self.described[state])
        view = StepView(step.event, tuple(sorted(step.processes)), described, (), way)
        values = tuple(_value(before.get(name), after.get(name)) for name in self.columns)
        places = executed(self.system, self.states[position - 1], step)
        return Shown(self.offset + position, view, self._lanes_of(step), values, state, places)

    def _lanes_of(self, step: Step) -> tuple[int, ...]:
        found = [number for number, name in enumerate(self.lanes) if name in step.processes]
        if step.event != IDLE and len(found) < max(1, len(step.processes)):
            found.append(len(self.lanes))
        return tuple(found)


# ---------------------------------------------------------------- columns


def _observed(description: Mapping[str, Any], propositions: Sequence[str]) -> dict[str, Any]:
    """A described state as values by name; that of a graph has a number, and propositions."""
    if "variables" in description:
        return dict(description["variables"])
    true = set(description.get("propositions", ()))
    return {"state": description.get("state"), **{name: name in true for name in propositions}}


def _propositions(descriptions: Collection[dict[str, Any]]) -> list[str]:
    return sorted({name for described in descriptions for name in described.get("propositions", ())})


def _lanes(
    descriptions: Collection[dict[str, Any]], steps: Sequence[Step]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The processes in the order of the model; if they are many, those that take part in most steps."""
    order = dict.fromkeys(name for described in descriptions for name in described.get("processes", ()))
    order |= dict.fromkeys(name for step in steps for name in sorted(step.processes))
    if len(order) <= MOST_LANES:
        return tuple(order), ()
    taken = dict.fromkeys(order, 0)
    for step in steps:
        for name in step.processes:
            taken[name] += 1
    busiest = set(sorted(order, key=lambda name: -taken[name])[:MOST_LANES])
    return tuple(name for name in order if name in busiest), tuple(
        name for name in order if name not in busiest
    )


def _columns(
    course: Sequence[Mapping[str, Any]],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Which variables change, those of them without a column, and the others with their values."""
    names = dict.fromkeys(name for values in course for name in values)
    changes = dict.fromkeys(names, 0)
    for before, after in itertools.pairwise(course):
        if before is not after:
            for name in names:
                changes[name] += before.get(name) != after.get(name)
    changing = [name for name in names if changes[name]]
    busiest = set(sorted(changing, key=lambda name: -changes[name])[:MOST_COLUMNS])
    return (
        tuple(name for name in changing if name in busiest),
        tuple(name for name in changing if name not in busiest),
        tuple((name, value_text(course[0].get(name))) for name in names if not changes[name]),
    )


def _value(before: object, after: object) -> Value:
    """A value with what is new in it; of a long array only that."""
    whole, changed = value_text(after), before != after
    if not isinstance(after, list):
        return Value(((cut(whole, 40), changed),), whole, changed)
    if not isinstance(before, list) or len(before) != len(after):
        return Value(((cut(whole, 40), changed),), whole, changed)
    if len(after) > LONGEST_ARRAY:
        fresh = [
            f"[{index}]={value_text(new)}"
            for index, (old, new) in enumerate(zip(before, after, strict=True))
            if old != new
        ]
        more = f" … {len(fresh) - 4} more" if len(fresh) > 4 else ""
        text = " ".join(fresh[:4]) + more if fresh else cut(whole, 24)
        return Value(((text, changed),), whole, changed)
    pieces: list[tuple[str, bool]] = [("[", False)]
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        pieces += [(",", False)] * (index > 0) + [(value_text(new), old != new)]
    return Value((*pieces, ("]", False)), whole, changed)


def value_text(value: object) -> str:
    """A value as people write it."""
    if isinstance(value, list):
        return f"[{','.join(map(value_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """A long text without its end."""
    return text if len(text) <= most else text[: most - 1] + "…"
