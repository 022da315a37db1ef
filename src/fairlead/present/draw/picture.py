"""What a drawing of a graph shows: states, arrows with the labels of all transitions they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import TAU, is_internal
from fairlead.model.system import Step
from fairlead.present.draw.emphasis import Emphasis, Mark
from fairlead.present.draw.groups import Grouping
from fairlead.present.draw.labels import compressed
from fairlead.present.draw.text import printable, shortened
from fairlead.present.draw.values import state_details, step_text, values_at_states

#: an arrow has no more lines of labels than this
MOST_LINES = 6


class Ending(Enum):
    """Whether, and how, executions end in a state."""

    NONE = "continues"
    TERMINATED = "terminated"
    DEADLOCK = "deadlock"
    ERROR = "error"


@dataclass(frozen=True)
class DrawnState:
    """A state: its number in the graph, how it looks, and what its tooltip says."""

    number: int
    ending: Ending
    mark: Mark
    tint: int | None
    details: tuple[str, ...]
    #: the text below the number
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawnLabel:
    """One line of an arrow's label."""

    text: str
    mark: Mark
    internal: bool


@dataclass(frozen=True)
class DrawnArrow:
    """All transitions from one state to another; states are given by their places in the picture."""

    source: int
    target: int
    labels: tuple[DrawnLabel, ...]
    mark: Mark
    internal: bool
    details: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """The reachable part of a graph as it is drawn; the initial state comes first."""

    states: tuple[DrawnState, ...]
    arrows: tuple[DrawnArrow, ...]
    transition_count: int
    grouping: Grouping


def picture_of(graph: ExplicitGraph, stressed: Emphasis, *, with_values: bool = False) -> Picture:
    """The picture of a graph; `with_values`, those of a state stand below its number."""
    order = reachable(graph)
    place = {state: index for index, state in enumerate(order)}
    errors: Mapping[int, str] = getattr(graph, "errors", {})
    shown = values_at_states(graph) if with_values else {}
    states = tuple(
        _drawn_state(graph, errors, stressed, state, tuple(map(printable, shown.get(state, ()))))
        for state in order
    )
    arrows: list[DrawnArrow] = []
    count = 0
    for state in order:
        bundles: dict[int, list[Step]] = {}
        for step in graph.transitions.get(state, ()):
            assert isinstance(step.target, int)
            bundles.setdefault(step.target, []).append(step)
            count += 1
        for target, steps in bundles.items():
            marks = [(step, stressed.of_step(state, step)) for step in steps]
            details = [printable(step_text(graph, state, step)) for step in steps]
            arrows.append(_drawn_arrow(place[state], place[target], marks, details))
    return Picture(states, tuple(arrows), count, stressed.grouping)


def reachable(graph: ExplicitGraph) -> list[int]:
    """The reachable states, breadth first."""
    order = [graph.initial]
    seen = {graph.initial}
    for state in order:
        for step in graph.transitions.get(state, ()):
            assert isinstance(step.target, int)
            if step.target not in seen:
                seen.add(step.target)
                order.append(step.target)
    return order


def ending_of(graph: ExplicitGraph, state: int) -> Ending:
    """How executions end in a state."""
    errors: Mapping[int, str] = getattr(graph, "errors", {})
    if state in errors:
        return Ending.ERROR
    if graph.transitions.get(state):
        return Ending.NONE
    return Ending.TERMINATED if graph.has_terminated(state) else Ending.DEADLOCK


def _drawn_state(
    graph: ExplicitGraph, errors: Mapping[int, str], stressed: Emphasis, state: int, lines: tuple[str, ...]
) -> DrawnState:
    ending = ending_of(graph, state)
    details = [f"state {state}" + (" (initial)" if state == graph.initial else "")]
    if ending is Ending.ERROR:
        details.append(printable(f"error in {errors[state]}"))
    elif ending is not Ending.NONE:
        details.append(ending.value)
    details += map(printable, state_details(graph, state))
    group = stressed.grouping.of_state(state)
    if group is not None:
        details.append(group.meaning)
    tint = None if group is None else group.tint
    return DrawnState(state, ending, stressed.of_state(state), tint, tuple(details), lines)


def _drawn_arrow(source: int, target: int, steps: list[tuple[Step, Mark]], details: list[str]) -> DrawnArrow:
    lines: list[DrawnLabel] = []
    for mark in sorted({mark for _, mark in steps}, reverse=True):
        events = [step.event for step, its in steps if its is mark]
        visible = [printable(event) for event in events if not is_internal(event)]
        lines += [DrawnLabel(shortened(line), mark, False) for line, _ in compressed(visible)]
        if len(visible) < len(events):
            lines.append(DrawnLabel(TAU, mark, True))
    if len(lines) > MOST_LINES:
        more = len(lines) - MOST_LINES + 1
        lines = [*lines[: MOST_LINES - 1], DrawnLabel(f"… {more} more", Mark.NONE, False)]
    strongest = max(mark for _, mark in steps)
    internal = all(is_internal(step.event) for step, _ in steps)
    return DrawnArrow(source, target, tuple(lines), strongest, internal, tuple(dict.fromkeys(details)))
