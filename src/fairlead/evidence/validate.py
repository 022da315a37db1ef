"""Judges evidence: replays a run on the reference semantics and checks that it shows what it claims.

Nothing here knows how the run was found. A run that fails is a bug in the engine, and is reported as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairlead.base.diagnostics import Code, Diagnostic, FairleadError, InternalError
from fairlead.base.records import dataclass
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.lasso_ltl import holds_on, word_of
from fairlead.evidence.paths import FairPaths, start_problem
from fairlead.evidence.waiting import Deadlocked, deadlock_after
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import Atom, Formula
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Meaning
from fairlead.model.run import Run
from fairlead.model.system import Proposition, State, Step, System, idle_step, infinite_steps

#: what is wrong with a run that violates nothing
SATISFIED = "the run satisfies the formula"
#: the hint where evidence fails
REPORT_IT = "this is a bug in fairlead, not in the model; please report it with the model"

#: what is wrong with a run that should end
HAS_STEPS = "the last state has steps"
#: what is wrong with a run that should not
NO_LOOP = "the run has no loop"
#: what is wrong with a loop of internal steps
VISIBLE_STEP = "the loop has a visible step"


@dataclass(frozen=True)
class Claim:
    """The claim of what a run shows; subclasses say how to judge it."""

    def judge(self, system: System, run: Run) -> str | Explanation | None:
        """The problem of the run as evidence (a text); else its explanation."""
        raise AssertionError(type(self))


@dataclass(frozen=True)
class ReachesDeadlock(Claim):
    """The run ends in a state without steps that has not terminated and is not an error."""

    def judge(self, system: System, run: Run) -> str | Explanation | None:
        """Judges the last state; the explanation says what each process waits for in it."""
        return self.problem(system, run) or deadlock_after(system, run)

    def problem(self, system: System, run: Run) -> str | None:
        """Why the last state is not a deadlock, or None if it is one."""
        if system.steps(run.loop_start):
            return HAS_STEPS
        if system.failed_process(run.loop_start) is not None:
            return "the last state is an error, not a deadlock"
        return "the last state has terminated" if system.has_terminated(run.loop_start) else None


@dataclass(frozen=True)
class Unsafe(Explanation):
    """How a run ends badly: in an error of a process (or property), or else in a deadlock."""

    failed: str | None
    deadlock: Deadlocked | None = None

    @property
    def blames(self) -> str | None:
        """The process that went wrong."""
        return self.failed

    @property
    def reason(self) -> str:
        """In one word."""
        return "deadlock" if self.failed is None else "error"

    def lines(self) -> Iterator[str]:
        """For people."""
        if self.deadlock is not None:
            yield from self.deadlock.lines()
        else:
            yield f"error: {self.failed} does not allow the last step"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {"kind": self.reason} if self.deadlock is None else self.deadlock.to_json()


@dataclass(frozen=True)
class ReachesUnsafe(Claim):
    """The run ends in an error of some process, or in a deadlock."""

    def judge(self, system: System, run: Run) -> str | Explanation | None:
        """Looks at the last state."""
        failed = system.failed_process(run.loop_start)
        if failed is not None:
            return Unsafe(failed)
        return ReachesDeadlock().problem(system, run) or Unsafe(None, deadlock_after(system, run))


@dataclass(frozen=True)
class ReachesGoal(Claim):
    """The goal is true in the run's last state."""

    goal: Proposition

    def judge(self, system: System, run: Run) -> str | None:
        """Evaluates the goal in the last state."""
        return None if system.holds(self.goal, run.loop_start) else "the goal is not true in the last state"


@dataclass(frozen=True)
class ViolatesFormula(Claim):
    """The run is a fair execution that does not satisfy the formula.

    A run without a loop is a prefix all of whose continuations violate it; one of them is judged.
    `annotations` are those of the system, `fair` are the conditions of a fairness formula.
    """

    formula: Formula
    meanings: Mapping[Atom, Meaning]
    fairness: Fairness
    annotations: tuple[Annotated, ...] = ()
    fair: tuple[Conjunct, ...] = ()

    def judge(self, system: System, run: Run) -> str | None:
        """Checks fairness from the definitions and the formula by the semantics of LTL."""
        problem = FairPaths(self.fairness, self.annotations, self.fair).loop_problem(system, run)
        if problem is not None:
            return problem
        infinite = run if run.loop else continued(system, run)
        if holds_on(self.formula, word_of(infinite), self.meanings, system):
            return SATISFIED
        return None


@dataclass(frozen=True)
class IsRun(Claim):
    """The run is one of the system; what it leads to is not judged."""

    def judge(self, system: System, run: Run) -> str | None:
        """There is nothing more to judge."""
        return None


#: a run is continued by at most so many steps to see whether it comes back to a state
CONTINUATION = 1000


def continued(system: System, run: Run) -> Run:
    """Some infinite continuation of a finite run: always the first step, until a state repeats.

    Where none does for long, as in a system without end, or the model fails on the way, it idles at last:
    after a bad prefix it does not matter what comes.
    """
    steps: list[Step] = []
    seen: dict[State, int] = {run.loop_start: 0}
    state = run.loop_start
    while len(steps) < CONTINUATION:
        try:
            step = infinite_steps(system, state)[0]
        except FairleadError:
            break
        steps.append(step)
        state = step.target
        if state in seen:
            first = seen[state]
            return Run(run.start, (*run.stem, *steps[:first]), tuple(steps[first:]))
        seen[state] = len(steps)
    return Run(run.start, (*run.stem, *steps), (idle_step(state),))


def replay_problem(system: System, run: Run) -> str | None:
    """What is wrong with a run as an execution of the system, or None."""
    return start_problem(system, run) or FairPaths().replay_problem(system, run)


def problem_with(system: System, run: Run, claim: Claim) -> str | None:
    """What is wrong with a run as evidence for a claim, or None."""
    found = replay_problem(system, run) or claim.judge(system, run)
    return found if isinstance(found, str) else None


def validate(system: System, run: Run, claim: Claim) -> Explanation | None:
    """Raises `InternalError` if the run is not evidence for the claim; else returns its explanation."""
    found = replay_problem(system, run) or claim.judge(system, run)
    if isinstance(found, str):
        raise InternalError(
            (
                Diagnostic(
                    Code.INTERNAL,
                    f"a counterexample did not pass validation: {found}",
                    hint=REPORT_IT,
                ),
            )
        )
    return found
