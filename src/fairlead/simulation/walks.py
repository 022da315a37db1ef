"""Represents what random walks have found, as a value; its end is judged on the reference semantics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from fairlead.base.diagnostics import Code, Diagnostic, InternalError, counted
from fairlead.base.display import in_one_line
from fairlead.base.records import dataclass
from fairlead.evidence.evidence import StepView, step_views
from fairlead.model.attempts import Failure, attempts
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System
from fairlead.outcome.walks import Ending, Tally


@dataclass(frozen=True)
class RandomWalks:
    """Random walks with a seed: how the last of them ended, and its path.

    Nothing follows from what was not met. `number` is that of the last walk, from 1, `length` how many steps
    it has; `part(first, last)` gives the state after the first of them, and the steps up to the last.
    """

    system: System = field(repr=False)
    seed: int
    until: str | None
    number: int
    ending: Ending
    length: int
    tally: Tally
    part: Callable[[int, int | None], tuple[State, Sequence[Step]]] = field(repr=False)

    def __repr__(self) -> str:
        made = f"{counted(self.tally.walks, 'walk')} with seed {self.seed}"
        return in_one_line(f"<RandomWalks: {made}, ended by {self.ending.value} after {self.length} steps>")

    def __bool__(self) -> bool:
        """Whether the condition was met; without one, whether nothing went wrong."""
        return self.ending is Ending.MET if self.until is not None else not self.ending.is_wrong

    @property
    def run(self) -> Run:
        """The last walk."""
        start, steps = self.part(0, None)
        return Run(start, tuple(steps))

    def __iter__(self) -> Iterator[StepView]:
        """The steps of the last walk, as evidence has them."""
        start, steps = self.part(0, None)
        return iter(step_views(self.system, start, steps))

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What fails at run time at the end of the last walk."""
        return attempts(self.system, self.last).failures

    @property
    def last(self) -> State:
        """The state at the end of the last walk."""
        begin, steps = self.part(max(0, self.length - 1), None)
        return steps[-1].target if steps else begin


def judge(walks: RandomWalks, begin: State, steps: Sequence[Step]) -> None:
    """Compares the last steps of a walk, and its end, with the reference semantics.

    Raises `InternalError` if they differ, which would be a bug in the engine.
    """
    state = begin
    for step in steps:
        if step not in attempts(walks.system, state).steps:
            raise _contradiction(f"the step '{step.event}' of the walk is not possible")
        state = step.target
    found = attempts(walks.system, state)
    stuck = not found.steps and not found.failures
    agrees = {
        Ending.FAULT: bool(found.failures),
        Ending.DEADLOCK: stuck and walks.system.failed_process(state) is None,
        Ending.ERROR: stuck and walks.system.failed_process(state) is not None,
        Ending.TERMINATED: stuck and walks.system.has_terminated(state),
    }
    if not agrees.get(walks.ending, True):
        raise _contradiction(f"the walk does not end by {walks.ending.value}")


def _contradiction(message: str) -> InternalError:
    return InternalError((Diagnostic(Code.INTERNAL, message),))
