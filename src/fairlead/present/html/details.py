"""Collects what the page shows of a chosen state: values, positions, enabled events, and why others are not.

It is data for the script of the page, with every text once, since states of one run have most in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.evidence.changes import StateView
from fairlead.evidence.evidence import StepView
from fairlead.evidence.remembering import RememberingSystem
from fairlead.evidence.waiting import obstacle_text
from fairlead.model.attempts import directions
from fairlead.model.executed import standing
from fairlead.model.labels import IDLE, NOTHING_POSSIBLE
from fairlead.model.system import State, Step, System
from fairlead.model.waiting import waiting_in
from fairlead.present.draw.text import printable
from fairlead.present.html.model_text import ModelText
from fairlead.present.html.timeline import SHOWN_ENABLED, Shown, Timeline, cut, value_text


class _Texts:
    """Texts by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(printable(cut(text)), len(self.numbers))


def timeline_data(
    timeline: Timeline, drawn: Mapping[State, int], text: ModelText | None = None
) -> dict[str, Any]:
    """A timeline for the script.

    A row has the number of its step, of its state among `states`, of its event and of who takes part among
    `texts`, and the place of its step among those enabled before (-1 where the state before is not shown).
    `drawn` are the numbers of states in the picture, if there is one. If it is known where the run is in the
    text of the model, `places` are the parts that the steps execute, one row after the other, and a state
    has, `at`, the text and the line where each process stands.
    """
    texts = _Texts()
    numbers: dict[State, int] = {}
    states: list[dict[str, Any]] = []
    rows: list[list[int]] = []
    system = RememberingSystem(timeline.system)
    before: Shown | None = None
    for row in timeline.shown():
        if row.state not in numbers:
            numbers[row.state] = len(states)
            states.append(_state_data(timeline, system, row.state, drawn.get(row.state), texts.number))
            if text is not None:
                states[-1]["at"] = _standing(timeline.system, row.state, text, texts.number)
        event = who = -1
        if row.view is not None:
            event = texts.number(row.view.label)
            who = texts.number(row.view.who)
        rows.append([row.number, numbers[row.state], event, who, _choice(system, before, row)])
        before = row
    places = {} if text is None else {"places": [text.parts(row.places) for row in timeline.shown()]}
    return {
        **places,
        "offset": timeline.offset,
        "stem": timeline.stem_length,
        "loop": timeline.loop_length,
        "rows": rows,
        "states": states,
        "texts": list(texts.numbers),
    }


def _standing(system: System, state: State, text: ModelText, number: Callable[[str], int]) -> list[list[int]]:
    parts = [(text.part(span), process) for process, span in standing(system, state)]
    return [[part.text, part.line, number(process)] for part, process in parts]


def _choice(system: System, before: Shown | None, row: Shown) -> int:
    """Which of the steps that were possible before a row was taken."""
    if before is None or row.view is None or before.number + 1 != row.number:
        return -1
    wanted = Step(row.view.event, frozenset(row.view.processes), row.state)
    steps, _ = possible(system, before.state)
    return steps.index(wanted) if wanted in steps else -1


def _state_data(
    timeline: Timeline, system: System, state: State, drawn: int | None, number: Callable[[str], int]
) -> dict[str, Any]:
    processes = system.describe(state).get("processes", {})
    steps, ending = possible(system, state)
    ways = directions(timeline.system, state)
    views = [
        StepView(step.event, tuple(sorted(step.processes)), StateView(), (), ways.get(step))
        for step in steps[:SHOWN_ENABLED]
    ]
    enabled = [[number(view.label), number(view.who)] for view in views]
    data: dict[str, Any] = {
        "values": [
            [number(name), number(value_text(value))] for name, value in timeline.values[state].items()
        ],
        "processes": [[number(name), number(text)] for name, text in processes.items()],
        "enabled": enabled,
        "more": len(steps) - len(enabled),
    }
    blocked = [
        (one.process, obstacle_text(alternative))
        for one in waiting_in(timeline.system, state)
        for alternative in one.blocked
    ]
    if blocked:
        data["blocked"] = [[number(who), number(why)] for who, why in blocked[:SHOWN_ENABLED]]
        data["more_blocked"] = len(blocked[SHOWN_ENABLED:])
    if ending is not None:
        data["ending"] = ending
    if drawn is not None:
        data["drawn"] = drawn
    return data


def possible(system: System, state: State) -> tuple[list[Step], str | None]:
    """The steps from a state; if there are none, why."""
    try:
        steps = [step for step in system.steps(state) if step.event != IDLE]
    except FairleadError as error:  # an operation of the model fails there
        return [], cut(error.diagnostics[0].message)
    if steps:
        return steps, None
    failed = system.failed_process(state)
    if failed is not None:
        return [], f"error in {failed}"
    return [], "terminated" if system.has_terminated(state) else f"deadlock: {NOTHING_POSSIBLE}"
