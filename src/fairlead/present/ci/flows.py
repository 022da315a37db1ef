"""Writes runs as the code flows of SARIF: each step at the text of a process that takes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairlead.base.source import Span
from fairlead.evidence.evidence import Evidence, StepView
from fairlead.evidence.explanation import LOOP_TITLE
from fairlead.evidence.faults import FaultReached
from fairlead.logic.wording import spelt
from fairlead.model.labels import IDLE, NOTHING_POSSIBLE
from fairlead.model.system import State, Step, System
from fairlead.present.ci.places import Places
from fairlead.present.sentences.runs import state_words
from fairlead.present.text.evidence import state_text
from fairlead.simulation.view import positions

#: viewers refuse or cut what is longer; of a longer part the middle is left out
MOST_STEPS = 400
MOST_FLOWS = 50


def code_flows(evidence: Evidence, places: Places) -> list[dict[str, Any]]:
    """The run of an evidence; for a formula of branching time, each of its runs."""
    if evidence.demonstration is None or not evidence.demonstration.branches:
        return [_flow(evidence, places, 0, None)]
    return [
        _flow(
            evidence.of_branch(placed.branch, placed.offset),
            places,
            placed.offset,
            spelt(placed.branch.formula),
        )
        for placed in list(evidence.demonstration.all_branches())[:MOST_FLOWS]
    ]


def _flow(evidence: Evidence, places: Places, offset: int, shows: str | None) -> dict[str, Any]:
    start = evidence.initial
    where = state_words(offset) if offset else "start"
    locations = [
        {"location": places.location(None, f"{where}: {state_text(start)}"), **_values(start)},
        *_steps(evidence, places, offset),
    ]
    said = {} if shows is None else {"message": {"text": f"shows {shows}"}}
    return {**said, "threadFlows": [{"locations": locations}]}


def _steps(evidence: Evidence, places: Places, offset: int) -> Iterator[dict[str, Any]]:
    run = evidence.run
    loop_title = LOOP_TITLE if evidence.explanation is None else evidence.explanation.loop_title
    stem = _Part(evidence.system, run.start, run.stem, evidence.stem, offset, 0)
    loop = _Part(evidence.system, run.loop_start, run.loop, evidence.loop, offset + len(run.stem), 1)
    yield from stem.locations(places, "")
    yield from loop.locations(places, loop_title)
    if isinstance(evidence.explanation, FaultReached):
        problem = evidence.explanation.problem
        message = f"{evidence.explanation.what}: {problem.message}"
        yield {"location": places.location(problem.span, message), "nestingLevel": 0}


class _Part:
    """The steps of a stem or of a loop."""

    def __init__(
        self,
        system: System,
        start: State,
        steps: tuple[Step, ...],
        views: list[StepView],
        offset: int,
        nesting: int,
    ) -> None:
        self._system = system
        self._sources = [start, *(step.target for step in steps)]
        self._views = views
        self._offset = offset
        self._nesting = nesting

    def locations(self, places: Places, title: str) -> Iterator[dict[str, Any]]:
        """A location for each step, up to a number of them; the first has the title before it."""
        half = MOST_STEPS // 2
        for index, view in enumerate(self._views):
            left = len(self._views) - MOST_STEPS
            if left > 0 and half <= index < half + left:
                if index == half:
                    yield self._located(places.location(None, f"… {left} more steps …"))
                continue
            before = f"{title} " if index == 0 and title else ""
            message = f"{before}{self._offset + index + 1}. {_told(view)}"
            span = _place(self._system, self._sources[index], view)
            yield {**self._located(places.location(span, message)), **_values(view.state)}

    def _located(self, location: dict[str, Any]) -> dict[str, Any]:
        return {"location": location, "nestingLevel": self._nesting}


def _told(view: StepView) -> str:
    if view.event == IDLE:
        return NOTHING_POSSIBLE
    who = f" by {view.who}" if view.processes else ""
    effects = f": {', '.join(view.changes)}" if view.changes else ""
    return f"{view.label}{who}{effects}"


def _place(system: System, state: State, view: StepView) -> Span | None:
    """The text of the first process that takes part in a step from a state."""
    for position in positions(system, state):
        if position.process in view.processes and position.span is not None:
            return position.span
    return None


def _values(state: dict[str, Any]) -> dict[str, Any]:
    """The variables of a described state."""
    variables = state.get("variables")
    if not variables:
        return {}
    return {"state": {name: {"text": _plain(value)} for name, value in variables.items()}}


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
