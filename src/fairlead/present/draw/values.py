"""Describes states and transitions in drawings: values and positions on hover, and values at the states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairlead.evidence.changes import plain
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Step
from fairlead.present.draw.text import shortened

#: what is longer, or more, is cut short: on hover, and at a state
LONGEST_DETAIL = 160
MOST_DETAILS = 40
LONGEST_VALUE = 18
MOST_VALUES = 6


def state_details(graph: ExplicitGraph, state: int) -> list[str]:
    """A line for each variable, each process and each proposition that is true."""
    known = graph.values.get(state, {})
    lines = [f"{name} = {_text(value)}" for name, value in _variables(known).items()]
    lines += [f"{process} at {text}" for process, text in known.get("processes", {}).items()]
    lines += graph.describe(state)["propositions"]
    return _cut([shortened(line, LONGEST_DETAIL) for line in lines], MOST_DETAILS)


def values_at_states(graph: ExplicitGraph) -> dict[int, list[str]]:
    """For each state, the variables that are not the same in all states, and the propositions that hold."""
    names = dict.fromkeys(name for known in graph.values.values() for name in _variables(known))
    changing = [name for name in names if _differs(graph, name)]
    return {state: list(_at(graph, state, changing)) for state in range(graph.state_count)}


def step_text(graph: ExplicitGraph, state: int, step: Step) -> str:
    """A transition from a state: the event, and who takes part or, in a handshake, who sends to whom."""
    way = graph.directions.get((state, step))
    if way is not None:
        return f"{step.event}  {' → '.join(way)}"
    return f"{step.event}  by {', '.join(sorted(step.processes))}" if step.processes else step.event


def _at(graph: ExplicitGraph, state: int, changing: Sequence[str]) -> Iterator[str]:
    variables = _variables(graph.values.get(state, {}))
    lines = [f"{name}={_text(variables[name])}" for name in changing if name in variables]
    lines += graph.describe(state)["propositions"]
    yield from _cut([shortened(line, LONGEST_VALUE) for line in lines], MOST_VALUES)


def _differs(graph: ExplicitGraph, name: str) -> bool:
    found = [_variables(known).get(name) for known in graph.values.values()]
    return any(value != found[0] for value in found)


def _variables(known: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = known.get("variables", {})
    return found


def _cut(lines: list[str], most: int) -> list[str]:
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"… {len(lines) - most + 1} more"]


def _text(value: object) -> str:
    return f"[{','.join(map(_text, value))}]" if isinstance(value, list) else plain(value)
