"""Runs of fairlead in the form that the oracle judges."""

from __future__ import annotations

from fairlead.model.labels import IDLE
from fairlead.model.system import State, Step


def oracle_steps(
    start: State, steps: tuple[Step, ...]
) -> list[tuple[State, str | None, State, frozenset[str]]]:
    """The steps from a state, each with its source, event, target and participants; idling has no event."""
    listed = []
    state = start
    for step in steps:
        event = None if step.event == IDLE else step.event
        listed.append((state, event, step.target, step.processes))
        state = step.target
    return listed
