"""Whether a loop is fair, straight from the definitions, and why.

Enabledness is judged on the system, not on any product: an event is enabled in a state if the system has
a transition with it, a process if it takes part in one. Idling is not a step of any process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System

#: between the event of a transition and the step of the loop after which it is possible
FROM_STATE = " from the state after step "
#: what is wrong with a run that must continue
NEEDS_LOOP = "a run without a loop is not enough"


@dataclass(frozen=True)
class Reason:
    """Why the loop is fair to a subject (or to a transition), or why not.

    Steps have the numbers that they have in the whole run: `taken` is a step of the loop in which the subject
    takes part, `disabled` one after which it is not enabled, `enabled` one after which it is.
    """

    subject: str
    is_fair: bool
    taken: int | None = None
    disabled: int | None = None
    enabled: int | None = None

    def text(self, enabled: str = "enabled") -> str:
        """The reason in words; annotations may look at whether an event is "ready" instead."""
        if self.taken is not None:
            return f"{self.subject}: taken at step {self.taken}"
        if self.is_fair and self.disabled is not None:
            return f"{self.subject}: not {enabled} after step {self.disabled}"
        if self.disabled is None:
            return f"{self.subject}: {enabled} at every step of the loop, never taken"
        return f"{self.subject}: {enabled} after step {self.enabled}, never taken"


class _Judged(Protocol):
    """A reason of any kind."""

    @property
    def is_fair(self) -> bool: ...

    def text(self) -> str: ...


def unfair_problem(reasons: Iterable[_Judged]) -> str | None:
    """The first reason why the loop is unfair, as what is wrong with it, or None."""
    unfair = (f"the loop is unfair: {reason.text()}" for reason in reasons if not reason.is_fair)
    return next(unfair, None)


@dataclass(frozen=True)
class LoopNumbers:
    """The numbers of a loop's steps in the whole run: `before` steps lead to the loop, `length` are in it."""

    before: int
    length: int

    @classmethod
    def of(cls, run: Run, offset: int = 0) -> LoopNumbers:
        """Those of the loop of a run that starts after so many steps."""
        return cls(offset + len(run.stem), len(run.loop))

    def step(self, index: int) -> int:
        """The number of a step of the loop; the first has index 0."""
        return self.before + index + 1

    def into(self, index: int) -> int:
        """The number of the step of the loop into the state where the step with this index begins."""
        return self.before + (index or self.length)


def fairness_reasons(system: System, run: Run, fairness: Fairness, offset: int = 0) -> list[Reason]:
    """For every subject that is enabled somewhere in the loop, why the loop is fair or unfair to it.

    The run starts after `offset` steps.
    """
    numbers = LoopNumbers.of(run, offset)
    if fairness.is_global:
        return _global_reasons(system, run, numbers)
    if fairness.subject is Subject.NOBODY:
        return []
    subjects_of: Callable[[Step], Iterable[str]] = (
        (lambda step: (step.event,))
        if fairness.subject is Subject.EVENTS
        else (lambda step: sorted(step.processes))
    )
    taken: dict[str, int] = {}
    for index, step in enumerate(run.loop):
        for subject in subjects_of(step):
            taken.setdefault(subject, numbers.step(index))
    enabled_before: list[set[str]] = []
    first: dict[str, int] = {}
    known: dict[State, set[str]] = {}
    for index, state in enumerate(run.loop_states()):
        if state not in known:
            known[state] = {subject for step in system.steps(state) for subject in subjects_of(step)}
        enabled_before.append(known[state])
        for subject in sorted(known[state]):
            first.setdefault(subject, numbers.into(index))

    def judged(subject: str) -> Reason:
        gaps = (numbers.into(index) for index, known in enumerate(enabled_before) if subject not in known)
        at, disabled = taken.get(subject), next(gaps, None)
        is_fair = at is not None or (disabled is not None and not fairness.is_strong)
        return Reason(subject, is_fair, at, disabled, first[subject])

    return list(map(judged, first))


def _global_reasons(system: System, run: Run, numbers: LoopNumbers) -> list[Reason]:
    """One reason for each transition of a state of the loop: taken, or missing.

    The same event to the same state by other processes is another transition.
    """
    taken: dict[tuple[State, Step], int] = {}
    states = run.loop_states()
    for index, (state, step) in enumerate(zip(states, run.loop, strict=True)):
        taken.setdefault((state, step), numbers.step(index))
    reasons: list[Reason] = []
    first: dict[State, int] = {}
    for index, state in enumerate(states):
        first.setdefault(state, numbers.into(index))
    for state, number in first.items():
        for step in system.steps(state):
            at = taken.get((state, step))
            name = f"{step.event}{FROM_STATE}{number}"
            reasons.append(Reason(name, at is not None, taken=at, disabled=0, enabled=number))
    return reasons


def is_fair(system: System, run: Run, fairness: Fairness) -> bool:
    """Whether the execution that repeats the loop forever is fair."""
    return all(reason.is_fair for reason in fairness_reasons(system, run, fairness))
