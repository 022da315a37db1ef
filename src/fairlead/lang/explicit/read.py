"""Reads explicit graphs from Aldebaran and JSON texts."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.json_text import NotJson, parse_json
from fairlead.base.source import Source, Span
from fairlead.model.annotation import Annotated, parse_annotated
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import IDLE, TERMINATE, is_internal, tau_label
from fairlead.model.system import Step

#: the process of a transition that names none
SOLE_PROCESS = "system"

_HEADER = re.compile(r"\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$")
_LINE = re.compile(r'\s*\(\s*(\d+)\s*,\s*("(?:[^"\\]|\\.)*"|[^,"][^,]*?)\s*,\s*(\d+)\s*\)\s*$')

#: states are numbered by the engine, with 32 bits
_MOST_STATES = 2**32 - 3

GRAPH_SUFFIXES = (".aut", ".json")


def read_graph(source: Source, suffix: str) -> ExplicitGraph:
    """A graph in the form that the suffix of its file says."""
    return read_aut(source) if suffix == ".aut" else read_json(source)


def read_aut(source: Source) -> ExplicitGraph:
    """A graph in Aldebaran form; the events `i` and `tau` are internal steps."""
    lines = source.text.splitlines()
    offset = 0
    header: re.Match[str] | None = None
    transitions: dict[int, dict[Step, None]] = {}
    states = initial = count = 0
    for line in lines:
        span = source.span(offset, offset + len(line))
        offset += len(line) + 1
        if not line.strip():
            continue
        if header is None:
            header = _HEADER.match(line)
            if header is None:
                raise input_error(Code.GRAPH, "expected a header 'des (initial, transitions, states)'", span)
            initial, states = (
                _count(header[1], "a state", span),
                _count(header[3], "the number of states", span),
            )
            _count(header[2], "the number of transitions", span)
            continue
        match = _LINE.match(line)
        if match is None:
            raise input_error(Code.GRAPH, 'expected a transition (from, "event", to)', span)
        start, end = _count(match[1], "a state", span), _count(match[3], "a state", span)
        for state in (start, end):
            if state >= states:
                raise input_error(Code.GRAPH, f"state {state} is not below {states}", span)
        event = match[2]
        if event.startswith('"'):
            event = re.sub(r"\\(.)", r"\1", event[1:-1])
        internal = event in ("i", "tau")
        label = _label(event, frozenset((SOLE_PROCESS,)), internal)
        if label is None:
            raise input_error(Code.GRAPH, _no_event(event), span)
        step = Step(label, frozenset((SOLE_PROCESS,)), end)
        transitions.setdefault(start, {})[step] = None
        count += 1
    if header is not None and count != int(header[2]):
        raise input_error(
            Code.GRAPH,
            f"the header says {header[2]} transitions, the file has {count}",
            source.span(0, len(lines[0])),
        )
    if header is None:
        raise input_error(Code.GRAPH, "the file is empty", source.span(0, 0))
    if initial >= states:
        raise input_error(Code.GRAPH, f"the initial state {initial} is not below {states}")
    return ExplicitGraph(states, initial, {s: tuple(steps) for s, steps in transitions.items()})


def _count(text: str, what: str, span: Span) -> int:
    """A number of an Aldebaran text."""
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(_MOST_STATES)) or int(digits) > _MOST_STATES:
        raise input_error(Code.GRAPH, f"{what} is at most {_MOST_STATES}", span)
    return int(digits)


def _label(event: str, processes: frozenset[str], internal: bool) -> str | None:
    """The label of an event; internal steps of different processes are different events."""
    if event in ("", IDLE):
        return None
    if internal:
        return tau_label(event, "+".join(sorted(processes)))
    return event


def _no_event(name: str) -> str:
    return f"'{name}' cannot be the name of an event"


def read_json(source: Source) -> ExplicitGraph:
    """A graph in the JSON form of docs/reference/graphs.md; the events `tau` and `τ` are internal steps."""
    reader = _JsonReader(source)
    try:
        data = parse_json(source.text)
    except NotJson as error:
        if error.place is None:
            raise reader.wrong(f"it is not JSON: {error.message}") from None
        span = source.span(error.place, error.place + 1)
        raise input_error(Code.GRAPH, f"not JSON: {error.message}", span) from None
    return reader.graph(data)


class _JsonReader:
    """Makes a graph of JSON data; errors name the file."""

    def __init__(self, source: Source) -> None:
        self._name = source.name

    def wrong(self, message: str) -> InputError:
        """The error for data that is not a graph."""
        return input_error(Code.GRAPH, f"'{self._name}' is not a graph: {message}")

    def graph(self, data: Any) -> ExplicitGraph:
        """The graph of a JSON object."""
        if not isinstance(data, dict):
            raise self.wrong("it must be an object with 'states', 'initial' and 'transitions'")
        if "schema" in data:
            self._check_version(data["schema"])
        unknown = set(data) - {
            "schema",
            "states",
            "initial",
            "transitions",
            "props",
            "terminated",
            "annotations",
            "errors",
            "values",
            "name",
        }
        if unknown:
            raise self.wrong(f"unknown entry '{min(unknown)}'")
        states = self._number(data.get("states"), "'states'", None)
        initial = self._number(data.get("initial", 0), "'initial'", states)
        listed = data.get("transitions", [])
        if not isinstance(listed, list):
            raise self.wrong("'transitions' must be a list")
        transitions: dict[int, dict[Step, None]] = {}
        for number, entry in enumerate(listed):
            start, step = self._transition(entry, number, states)
            transitions.setdefault(start, {})[step] = None
        return ExplicitGraph(
            states,
            initial,
            {state: tuple(steps) for state, steps in transitions.items()},
            self._propositions(data.get("props", {}), states),
            frozenset(self._states(data.get("terminated", []), "'terminated'", states)),
            self._annotations(data.get("annotations", {}), states),
            self._errors(data.get("errors", {}), states, transitions.keys()),
            self._values(data.get("values", []), states),
        )

    def _check_version(self, schema: Any) -> None:
        from fairlead.base.forms import Form, problem_with_version  # rarely needed

        problem = problem_with_version(Form.GRAPH, schema, self._name, Code.GRAPH)
        if problem is not None:
            raise problem

    def _transition(self, entry: Any, number: int, states: int) -> tuple[int, Step]:
        where = f"transition {number}"
        if not isinstance(entry, list) or len(entry) not in (3, 4):
            raise self.wrong(f"{where} must be [from, event, to] or [from, event, to, [processes]]")
        start = self._number(entry[0], f"{where}: the source", states)
        end = self._number(entry[2], f"{where}: the target", states)
        listed = entry[3] if len(entry) == 4 else [SOLE_PROCESS]
        if not isinstance(listed, list) or not all(isinstance(name, str) and name for name in listed):
            raise self.wrong(f"{where}: the processes must be a list of names")
        processes = frozenset(listed)
        event = entry[1]
        if not isinstance(event, str):
            raise self.wrong(f"{where}: the event must be a text")
        internal = event in ("tau", "τ")
        label = event if is_internal(event) and not internal else _label(event, processes, internal)
        if label is None:
            raise self.wrong(f"{where}: {_no_event(event)}")
        return start, Step(label, processes, end)

    def _propositions(self, data: Any, states: int) -> dict[str, frozenset[int]]:
        if not isinstance(data, dict):
            raise self.wrong("'props' must be an object of lists of states")
        return {name: frozenset(self._states(listed, f"'{name}'", states)) for name, listed in data.items()}

    def _annotations(self, data: Any, states: int) -> dict[Annotated, frozenset[int]]:
        if not isinstance(data, dict):
            raise self.wrong("'annotations' must be an object of lists of states")
        found: dict[Annotated, frozenset[int]] = {}
        for text, listed in data.items():
            annotated = parse_annotated(text)
            if annotated is None:
                raise self.wrong(f"'{text}' is not an annotation such as 'wf(a)'")
            if is_internal(annotated.label) or annotated.label in ("tau", TERMINATE, IDLE):
                raise self.wrong(f"'{text}': only events can be annotated")
            found[annotated] = frozenset(self._states(listed, f"'{text}'", states))
        return found

    def _errors(self, data: Any, states: int, sources: Collection[int]) -> dict[int, str]:
        if not isinstance(data, dict):
            raise self.wrong("'errors' must be an object of lists of states")
        found: dict[int, str] = {}
        for process, listed in data.items():
            for state in self._states(listed, f"'errors' of '{process}'", states):
                if state in sources:
                    raise self.wrong(f"state {state} is an error and has transitions")
                if found.setdefault(state, process) != process:
                    raise self.wrong(f"state {state} is an error of two processes")
        return found

    def _values(self, data: Any, states: int) -> dict[int, dict[str, Any]]:
        if not isinstance(data, list) or len(data) not in (0, states):
            raise self.wrong("'values' must be a list with an entry for each state")
        found: dict[int, dict[str, Any]] = {}
        for state, entry in enumerate(data):
            if entry is None:
                continue
            if not isinstance(entry, dict) or not entry.keys() <= {"variables", "processes"}:
                raise self.wrong(f"'values' of state {state} must be 'variables' and 'processes', or null")
            variables, processes = entry.get("variables", {}), entry.get("processes", {})
            if not isinstance(variables, dict):
                raise self.wrong(f"the variables of state {state} must be an object of values")
            if not isinstance(processes, dict) or not all(isinstance(at, str) for at in processes.values()):
                raise self.wrong(f"the processes of state {state} must be an object of texts")
            found[state] = {"variables": variables, "processes": processes}
        return found

    def _states(self, data: Any, what: str, states: int) -> list[int]:
        if not isinstance(data, list):
            raise self.wrong(f"{what} must be a list of states")
        return [self._number(state, f"a state of {what}", states) for state in data]

    def _number(self, value: Any, what: str, below: int | None) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.wrong(f"{what} must be a number that is not negative")
        if below is None:
            if not 0 < value <= _MOST_STATES:
                raise self.wrong(f"{what} must be between 1 and {_MOST_STATES}")
        elif value >= below:
            raise self.wrong(f"{what} is {value}, but states are numbered below {below}")
        return value
