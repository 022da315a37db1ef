"""Whether a loop is fair to single annotated events, straight from the definitions, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fairlead.base.records import dataclass
from fairlead.evidence.fair_loop import NEEDS_LOOP, LoopNumbers, Reason, unfair_problem
from fairlead.model.annotation import Annotated, Demand
from fairlead.model.run import Run
from fairlead.model.system import State, System


@dataclass(frozen=True)
class AnnotationReason:
    """Why the loop is fair to an annotation, or why not.

    `taken` is the number, in the whole run, of a step of the loop with the event; `wanted` says before each
    step of the loop whether the event is enabled (for `wl` and `sl`: ready). `numbers` are those of the loop.
    """

    annotated: Annotated
    taken: int | None
    wanted: tuple[bool, ...]
    numbers: LoopNumbers

    @property
    def is_fair(self) -> bool:
        """What the annotation demands of a run that repeats the loop forever."""
        if self.taken is not None:
            return True
        demand = self.annotated.annotation.demand
        match demand:
            case Demand.UNCONDITIONAL:
                return False
            case Demand.WEAK:
                return not all(self.wanted)
            case Demand.STRONG:
                return not any(self.wanted)
            case _:
                assert_never(demand)

    def text(self) -> str:
        """The reason in words."""
        wanted = "ready" if self.annotated.annotation.looks_at_readiness else "enabled"
        if self.taken is None:
            if self.annotated.annotation.demand is Demand.UNCONDITIONAL:
                return f"{self.annotated}: never taken in the loop"
            if not any(self.wanted):
                return f"{self.annotated}: never {wanted} in the loop"
        reason = Reason(str(self.annotated), self.is_fair, self.taken, self._first(False), self._first(True))
        return reason.text(wanted)

    def _first(self, wanted: bool) -> int | None:
        """The first step of the loop after which the event is wanted, or is not."""
        return self.numbers.into(self.wanted.index(wanted)) if wanted in self.wanted else None


def annotation_reasons(
    system: System, run: Run, annotations: Sequence[Annotated], offset: int = 0
) -> list[AnnotationReason]:
    """For every annotation why the loop of a run that starts after `offset` steps is fair to it, or not."""
    numbers = LoopNumbers.of(run, offset)
    states = run.loop_states()
    enabled = {state: {step.event for step in system.steps(state)} for state in states}
    ready = {state: system.ready(state) for state in states}
    taken: dict[str, int] = {}
    for index, step in enumerate(run.loop):
        taken.setdefault(step.event, numbers.step(index))

    def wants(annotated: Annotated, state: State) -> bool:
        if annotated.annotation.looks_at_readiness:
            return annotated in ready[state]
        return annotated.label in enabled[state]

    return [
        AnnotationReason(
            annotated, taken.get(annotated.label), tuple(wants(annotated, state) for state in states), numbers
        )
        for annotated in annotations
    ]


def annotation_problem(system: System, run: Run, annotations: Sequence[Annotated]) -> str | None:
    """What is wrong with a run as a fair execution under the annotations of the system, or None.

    `annotations` are those found in the whole system; those that occur in the run must be among them.
    """
    if not run.loop:
        if any(kind.may_be_unsatisfiable for kind in system.annotation_kinds):
            return f"{NEEDS_LOOP}: its continuations may all be unfair to an annotation"
        return None
    for state in {run.start, *(step.target for step in (*run.stem, *run.loop))}:
        missing = sorted(system.ready(state) - set(annotations))
        if missing:
            return f"the annotation {missing[0]} was not taken into account"
    return unfair_problem(annotation_reasons(system, run, annotations))
