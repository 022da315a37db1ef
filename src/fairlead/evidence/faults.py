"""Run-time errors of a model: judges whether a run leads to one, and tells whose step fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairlead.base.diagnostics import Diagnostic
from fairlead.base.records import dataclass
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.validate import Claim
from fairlead.model.attempts import attempts
from fairlead.model.evaluation import Fault, Scope, evaluate
from fairlead.model.expression import Expression
from fairlead.model.run import Run
from fairlead.model.system import System
from fairlead.model.tree import Configuration

#: what such a run is called, before the question
RUN_TO_ERROR = "run to the error in the check of"


@dataclass(frozen=True)
class FaultReached(Explanation):
    """What fails in the last state of a run.

    That is the step with this `number`, of `processes`; its `event` is None if its guard or its name has no
    value. Or, if `is_asked`, it is the question about the state.
    """

    problem: Diagnostic
    number: int
    event: str | None
    processes: tuple[str, ...] = ()
    is_asked: bool = False

    @property
    def reason(self) -> str:
        """The code of the problem."""
        return self.problem.code.value

    @property
    def what(self) -> str:
        """What fails, and whose it is."""
        if self.is_asked:
            return "the question about the last state fails"
        by = f" by {', '.join(self.processes)}" if self.processes else ""
        return f"step {self.number} fails: {self.event or 'the guard or the name of an event'}{by}"

    def lines(self) -> Iterator[str]:
        """For people."""
        yield self.what
        where = "" if self.problem.span is None else f" ({self.problem.span})"
        yield f"  {self.problem.message}{where}"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "kind": "fault",
            "fails": "question" if self.is_asked else "guard" if self.event is None else "step",
            "event": self.event,
            "processes": list(self.processes),
        }


@dataclass(frozen=True)
class ReachesFault(Claim):
    """In the last state of the run a step fails with this problem, or else one of the expressions does.

    The problem is given as JSON has it: its code and its place, and its message unless any will do.
    """

    problem: Mapping[str, Any]
    expressions: tuple[Expression, ...] = ()

    def judge(self, system: System, run: Run) -> str | Explanation | None:
        """Tries everything that the last state offers, and then the question about it."""
        state, number = run.loop_start, len(run.stem) + 1
        for failure in attempts(system, state).failures:
            if self._is_meant(failure.problem):
                return FaultReached(failure.problem, number, failure.event, failure.processes)
        assert isinstance(state, Configuration), "only networks have operations that can fail"
        for expression in self.expressions:
            try:
                evaluate(expression, Scope(list(state.values)))
            except Fault as fault:
                if self._is_meant(fault.diagnostics[0]):
                    return FaultReached(fault.diagnostics[0], number, None, is_asked=True)
        return "the stated fault does not occur in the last state"

    def _is_meant(self, found: Diagnostic) -> bool:
        shown = found.to_json()
        told = {"message"} & self.problem.keys()
        return all(shown.get(key) == self.problem.get(key) for key in ("code", "line", "column", *told))
