"""Which executions path quantifiers range over: the fair ones; whether those that come to an end count."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.base.records import dataclass
from fairlead.evidence.annotated import annotation_problem
from fairlead.evidence.conditions import condition_problem
from fairlead.evidence.fair_loop import fairness_reasons, unfair_problem
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.annotation import Annotated
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System, infinite_steps


def start_problem(system: System, run: Run) -> str | None:
    """What is wrong with the state in which a run starts, or None."""
    return None if run.start in system.initial_states() else "the run does not start in an initial state"


def step_problem(run: Run, is_possible: Callable[[State, Step], bool]) -> str | None:
    """What is wrong with the steps of a run, given which steps are possible in a state, or None."""
    state = run.start
    for number, step in enumerate((*run.stem, *run.loop), 1):
        if not is_possible(state, step):
            return f"step {number} ({step.event}) is not possible"
        state = step.target
    if run.loop and state != run.loop_start:
        return "the loop does not end where it began"
    return None


@dataclass(frozen=True)
class FairPaths:
    """The infinite executions that are fair by a named notion, the annotations and a fairness formula.

    `conditions` are those of the formula, and those of impartiality if that is the notion; all their atoms
    have meanings.
    With `finite_paths` a state without steps is the end of an execution that does not count; otherwise it is
    left by idling forever.
    """

    fairness: Fairness = Fairness.NONE
    annotations: tuple[Annotated, ...] = ()
    conditions: tuple[Conjunct, ...] = ()
    finite_paths: bool = False

    def steps(self, system: System, state: State) -> Sequence[Step]:
        """The steps by which an execution can continue."""
        return system.steps(state) if self.finite_paths else infinite_steps(system, state)

    def continue_every_run(self, system: System) -> bool:
        """Whether every finite run is the beginning of such an execution."""
        if self.finite_paths or self.conditions or not self.fairness.continues_every_run:
            return False
        return not any(kind.may_be_unsatisfiable for kind in system.annotation_kinds)

    def replay_problem(self, system: System, run: Run) -> str | None:
        """What is wrong with a run as one of the system, from whatever state."""
        return step_problem(run, lambda state, step: step in self.steps(system, state))

    def loop_problem(self, system: System, run: Run) -> str | None:
        """Why a run that repeats its loop forever is unfair, or why one without a loop may be; else None."""
        return (
            unfair_problem(fairness_reasons(system, run, self.fairness))
            or annotation_problem(system, run, self.annotations)
            or condition_problem(system, run, self.conditions)
        )
