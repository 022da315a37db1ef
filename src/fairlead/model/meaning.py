"""Decides whether a formula about one position of an execution is true there."""

from __future__ import annotations

from typing import assert_never

from fairlead.model.assertion import Enabled, EventAtom, Meaning, MemberMove, ProcessAtom, Ready, StepAtom
from fairlead.model.system import Proposition, State, Step, System


def meaning_holds(system: System, meaning: Meaning, state: State, step: Step | None) -> bool:
    """Whether an atom is true in a state that was entered by a step (by none, at the start)."""
    match meaning:
        case Proposition():
            return system.holds(meaning, state)
        case EventAtom() | ProcessAtom():
            return step is not None and is_step_of(meaning, step)
        case MemberMove():
            raise AssertionError(meaning)  # no run is judged by it
        case Enabled(subject):
            return any(is_step_of(subject, possible) for possible in system.steps(state))
        case Ready(annotated):
            return annotated in system.ready(state)
        case _:
            assert_never(meaning)


def is_step_of(subject: StepAtom, step: Step) -> bool:
    """Whether a step has one of the events, or one of the processes takes part in it."""
    if isinstance(subject, EventAtom):
        return step.event in subject.labels
    return not subject.processes.isdisjoint(step.processes)
