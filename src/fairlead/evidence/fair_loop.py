"""Whether a loop is fair, straight from the definitions, and why.

Enabledness is judged on the system, not on any product: an event is enabled in a state if the system has
a transition with it, a process if it takes part in one. Idling is nobody's step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System

#: between the event of a transition and the step of the loop before which it is possible
FROM_STATE = " from the state before loop step "
#: what is wrong with a run that must go on
NEEDS_LOOP = "a run without a loop is not enough"


@dataclass(frozen=True)
class Reason:
    """Why the loop is fair to a subject (or to a transition), or why not.

    Steps and states of the loop are counted from 1: `taken` is a step in which the subject takes part,
    `disabled` a step before which it is not enabled.
    """

    subject: str
    is_fair: bool
    taken: int | None = None
    disabled: int | None = None
    enabled: int | None = None

    def text(self, enabled: str = "enabled") -> str:
        """The reason in words; annotations may look at whether an event is "ready" instead."""
        if self.taken is not None:
            return f"{self.subject}: taken at loop step {self.taken}"
        if self.is_fair and self.disabled is not None:
            return f"{self.subject}: not {enabled} before loop step {self.disabled}"
        if self.disabled is None:
            return f"{self.subject}: {enabled} at every step of the loop, never taken"
        return f"{self.subject}: {enabled} before loop step {self.enabled}, never taken"


class _Judged(Protocol):
    """A reason of any kind."""

    @property
    def is_fair(self) -> bool: ...

    def text(self) -> str: ...


def unfair_problem(reasons: Iterable[_Judged]) -> str | None:
    """The first reason why the loop is unfair, as what is wrong with it, or None."""
    unfair = (f"the loop is unfair: {reason.text()}" for reason in reasons if not reason.is_fair)
    return next(unfair, None)


def fairness_reasons(system: System, run: Run, fairness: Fairness) -> list[Reason]:
    """For every subject that is enabled somewhere in the loop, why the loop is fair or unfair to it."""
    if fairness.is_global:
        return _global_reasons(system, run)
    if fairness.subject is Subject.NOBODY:
        return []
    subjects_of: Callable[[Step], Iterable[str]] = (
        (lambda step: (step.event,))
        if fairness.subject is Subject.EVENTS
        else (lambda step: sorted(step.processes))
    )
    taken: dict[str, int] = {}
    for number, step in enumerate(run.loop, 1):
        for subject in subjects_of(step):
            taken.setdefault(subject, number)
    enabled_before: list[set[str]] = []
    order: dict[str, int] = {}
    known: dict[State, set[str]] = {}
    for number, state in enumerate(run.loop_states(), 1):
        if state not in known:
            known[state] = {subject for step in system.steps(state) for subject in subjects_of(step)}
        enabled_before.append(known[state])
        for subject in sorted(known[state]):
            order.setdefault(subject, number)
    return [
        _judge(subject, first, taken.get(subject), enabled_before, fairness)
        for subject, first in order.items()
    ]


def _judge(
    subject: str, first: int, taken: int | None, enabled_before: list[set[str]], fairness: Fairness
) -> Reason:
    gaps = (number for number, enabled in enumerate(enabled_before, 1) if subject not in enabled)
    disabled = next(gaps, None)
    if taken is not None:
        return Reason(subject, True, taken=taken, disabled=disabled, enabled=first)
    is_fair = disabled is not None and not fairness.is_strong
    return Reason(subject, is_fair, disabled=disabled, enabled=first)


def _global_reasons(system: System, run: Run) -> list[Reason]:
    """One reason for each transition of a state of the loop: taken, or missing.

    The same event to the same state by other processes is another transition.
    """
    taken: dict[tuple[State, Step], int] = {}
    states = run.loop_states()
    for number, (state, step) in enumerate(zip(states, run.loop, strict=True), 1):
        taken.setdefault((state, step), number)
    reasons: list[Reason] = []
    first: dict[State, int] = {}
    for number, state in enumerate(states, 1):
        first.setdefault(state, number)
    for state, number in first.items():
        for step in system.steps(state):
            at = taken.get((state, step))
            name = f"{step.event}{FROM_STATE}{number}"
            reasons.append(Reason(name, at is not None, taken=at, disabled=0, enabled=number))
    return reasons


def is_fair(system: System, run: Run, fairness: Fairness) -> bool:
    """Whether the execution that repeats the loop for ever is fair."""
    return all(reason.is_fair for reason in fairness_reasons(system, run, fairness))
