"""A simulation as text a person reads: the state, what changed, where each process is, what is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Any

from fairlead.evidence.waiting import waiting_lines
from fairlead.model.attempts import Failure
from fairlead.model.labels import IDLE, NOTHING_POSSIBLE
from fairlead.model.system import State
from fairlead.simulation.value import Loaded, Simulation, Status, waiting
from fairlead.simulation.view import (
    StepRow,
    enabled_rows,
    new_positions,
    path_rows,
    positions,
    variables,
)

#: more lines than this of one kind are cut short, unless everything is asked for
SHOWN_LINES = 40
#: arrays with more elements than this are cut short, unless everything is asked for
SHOWN_ELEMENTS = 16
SHOWN_TEXT = 70


class Role(Enum):
    """What a piece of text is, so that it can be coloured."""

    HEADING = auto()
    CHANGED = auto()
    EXPECTED = auto()
    PROBLEM = auto()
    REMARK = auto()


Paint = Callable[[str, Role], str]


def plain(text: str, role: Role) -> str:
    """No colours."""
    return text


def state_text(simulation: Simulation, *, full: bool = False) -> str:
    """The current state and what is possible in it."""
    return "\n".join(state_lines(simulation, full=full))


def trace_text(simulation: Simulation) -> str:
    """The steps taken so far."""
    return "\n".join(trace_lines(simulation))


def state_lines(simulation: Simulation, *, full: bool = False, paint: Paint = plain) -> Iterator[str]:
    """The current state, line by line; `full` leaves nothing out."""
    yield paint(_heading(simulation), Role.HEADING)
    if simulation.loaded is not None:
        yield paint(_course(simulation, simulation.loaded), Role.EXPECTED)
    yield from _graph_lines(simulation)
    yield from _variable_lines(simulation, full, paint)
    yield from _position_lines(simulation, full, paint)
    yield from _event_lines(simulation, full, paint)
    yield from _failure_lines(simulation, paint)


def trace_lines(simulation: Simulation, *, paint: Paint = plain) -> Iterator[str]:
    """All steps taken so far, from the initial state on."""
    yield "start: " + _summary(simulation, simulation.starts[simulation.start])
    loaded = simulation.loaded
    stem = len(loaded.run.stem) if loaded is not None and loaded.run.loop else None
    followed = simulation.followed
    for number, line in enumerate(row_lines(path_rows(simulation))):
        if number == stem and followed is not None and followed >= number:
            yield paint("  loop:", Role.EXPECTED)
        yield f"  {line}"


def walk_lines(simulation: Simulation, first: int) -> Iterator[str]:
    """The steps taken after the first ones, cut short in the middle if they are many."""
    lines = [f"  {line}" for line in row_lines(path_rows(simulation, first))]
    if len(lines) <= SHOWN_LINES:
        yield from lines
        return
    yield from lines[: SHOWN_LINES // 2]
    yield f"  … {len(lines) - SHOWN_LINES} more steps; 'trace' shows them …"
    yield from lines[-SHOWN_LINES // 2 :]


def start_lines(simulation: Simulation) -> Iterator[str]:
    """The initial states, the chosen one marked."""
    shown = [
        f"{'*' if number == simulation.start else ' '} {number + 1:>4}  {_summary(simulation, state)}"
        for number, state in enumerate(simulation.starts[: 10 * SHOWN_LINES])
    ]
    yield from shown
    if len(simulation.starts) > len(shown):
        yield f"       … {len(simulation.starts) - len(shown)} more"


# ---------------------------------------------------------------- parts of a state


def _heading(simulation: Simulation) -> str:
    if simulation.path:
        row = path_rows(simulation, len(simulation.path) - 1)[0]
        by = f" by {row.who}" if row.processes else ""
        return f"step {row.number}: {row.label}{by}"
    count = len(simulation.starts)
    if count > 1:
        return f"start: initial state {simulation.start + 1} of {count}"
    return "start"


def _course(simulation: Simulation, loaded: Loaded) -> str:
    followed, taken = simulation.followed, len(simulation.path)
    title = loaded.title
    if followed is None:
        return f"{title}: it has another initial state"
    if followed < taken:
        return f"{title}: left after step {followed}"
    stem, loop = len(loaded.run.stem), len(loaded.run.loop)
    if not loop:
        return f"{title}: step {taken} of {stem}"
    if taken < stem:
        return f"{title}: step {taken} of {stem + loop}, the loop begins after step {stem}"
    rounds, within = divmod(taken - stem, loop)
    again = f", round {rounds + 1}" if rounds else ""
    if within == 0:
        return f"{title}: its loop of {loop} begins here{again}"
    return f"{title}: step {within} of {loop} in its loop{again}"


def _graph_lines(simulation: Simulation) -> Iterator[str]:
    shown = simulation.system.describe(simulation.state)
    if "state" in shown:
        yield "  " + _graph_state(shown)


def _graph_state(description: dict[str, Any]) -> str:
    names = ", ".join(description.get("propositions", ()))
    return f"state {description['state']}" + (f" ({names})" if names else "")


def _variable_lines(simulation: Simulation, full: bool, paint: Paint) -> Iterator[str]:
    now = variables(simulation.system, simulation.state)
    before = now if simulation.previous is None else variables(simulation.system, simulation.previous)
    width = _width(now, 24)
    lines: list[tuple[bool, str]] = []
    for name, value in now.items():
        line = f"{name:<{width}} = {_value(value, full)}"
        if value != before[name]:
            line += f"  ({_was(before[name], value, full)})"
        lines.append((value != before[name], line))
    if lines:
        yield "variables:"
    yield from _marked(lines, full, paint, "variables")


def _position_lines(simulation: Simulation, full: bool, paint: Paint) -> Iterator[str]:
    found = positions(simulation.system, simulation.state)
    fresh = new_positions(simulation.system, simulation.previous, simulation.state)
    width = _width((position.process for position in found), 24)
    where = ["" if position.span is None else f"line {position.span.line}" for position in found]
    column = max(map(len, where), default=0)
    lines = [
        (
            is_new,
            f"{position.process:<{width}}  {place:<{column}}  "
            f"{position.text if full else _cut(position.text)}".rstrip(),
        )
        for position, is_new, place in zip(found, fresh, where, strict=True)
    ]
    if lines:
        yield "processes:"
    yield from _marked(lines, full, paint, "processes")


def _event_lines(simulation: Simulation, full: bool, paint: Paint) -> Iterator[str]:
    expected = simulation.expected
    rows = enabled_rows(simulation)
    if rows:
        yield "events:"
    lines = []
    for row, line in zip(rows, row_lines(rows), strict=True):
        is_next = row.step == expected
        lines.append((is_next, paint(f"> {line}", Role.EXPECTED) if is_next else f"  {line}"))
    yield from _abridged(lines, full, "events")
    if expected is not None and expected.event == IDLE:
        yield paint(">    idle", Role.EXPECTED)
    match simulation.status:
        case Status.DEADLOCK:
            yield paint(f"deadlock: {NOTHING_POSSIBLE}", Role.PROBLEM)
            found = waiting(simulation)
            yield from waiting_lines(found.waiting, found.cycle)
        case Status.TERMINATED:
            yield paint("terminated: the whole system has ended", Role.REMARK)
        case Status.ERROR:
            process = simulation.system.failed_process(simulation.state)
            yield paint(f"error: {process} has gone wrong", Role.PROBLEM)
        case Status.RUNNING | Status.FAILED:
            pass


def _failure_lines(simulation: Simulation, paint: Paint) -> Iterator[str]:
    if simulation.failures:
        yield paint("failing at run time:", Role.PROBLEM)
    yield from failure_lines(simulation.failures)


def failure_lines(failures: Iterable[Failure]) -> Iterator[str]:
    """What fails in a state, and where."""
    for failure in failures:
        what = failure.event if failure.event is not None else "an event"
        by = f" by {', '.join(failure.processes)}" if failure.processes else ""
        yield f"  {what}{by}"
        yield from (f"    {line}" for line in failure.problem.render().splitlines())


# ---------------------------------------------------------------- lines


def row_lines(rows: Sequence[StepRow]) -> Iterator[str]:
    """Steps with their numbers, in columns."""
    events = _width((row.label for row in rows), 40)
    processes = _width((row.who for row in rows), 30)
    for row in rows:
        who = row.who
        effect = f"({NOTHING_POSSIBLE})" if row.step.event == IDLE else ", ".join(row.effects)
        yield f"{row.number:>3}  {row.label:<{events}}  {who:<{processes}}  {effect}".rstrip()


def _marked(lines: list[tuple[bool, str]], full: bool, paint: Paint, what: str) -> Iterator[str]:
    """Lines with those marked that are new."""
    marked = [(is_new, paint(f"* {line}", Role.CHANGED) if is_new else f"  {line}") for is_new, line in lines]
    yield from _abridged(marked, full, what)


def _abridged(lines: list[tuple[bool, str]], full: bool, what: str) -> Iterator[str]:
    """The first lines, and of the others those that must be seen."""
    left_out = 0
    for number, (is_needed, line) in enumerate(lines):
        if full or is_needed or number < SHOWN_LINES:
            yield line
        else:
            left_out += 1
    if left_out:
        yield f"  … {left_out} more {what}; 'state' shows them"


def _width(texts: Iterable[str], most: int) -> int:
    return min(most, max(map(len, texts), default=0))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else text[: SHOWN_TEXT - 1] + "…"


def _value(value: object, full: bool = False) -> str:
    if isinstance(value, list):
        shown = value if full or len(value) <= SHOWN_ELEMENTS else value[: SHOWN_ELEMENTS // 2]
        rest = "" if len(shown) == len(value) else f",… {len(value)} elements"
        return "[" + ",".join(map(_value, shown)) + rest + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _was(before: object, now: object, full: bool) -> str:
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [
            f"[{index}]: {_value(old)} → {_value(new)}"
            for index, (old, new) in enumerate(zip(before, now, strict=True))
            if old != new
        ]
        if full or len(pairs) <= SHOWN_ELEMENTS:
            return ", ".join(pairs)
        return ", ".join(pairs[: SHOWN_ELEMENTS // 2]) + f", … {len(pairs)} changes"
    return f"was {_value(before, full)}"


def _summary(simulation: Simulation, state: State) -> str:
    shown = simulation.system.describe(state)
    if "state" in shown:
        return _graph_state(shown)
    values = [f"{name}={_value(value)}" for name, value in shown.get("variables", {}).items()]
    return ", ".join(values) or "(no variables)"
