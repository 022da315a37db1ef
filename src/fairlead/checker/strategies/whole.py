"""The whole system, explored as it is: the strategy that never refuses."""

from __future__ import annotations

from typing import Any, ClassVar

from fairlead.base.diagnostics import Code, Diagnostic, Severity
from fairlead.checker.answer import result_of, stopped
from fairlead.checker.query import Query
from fairlead.checker.questions import find, system_of
from fairlead.checker.result import Result
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Work
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Stopped


class Whole:
    """Answers every question on the graph of the system itself."""

    title: ClassVar = "whole"
    code: ClassVar = Code.USAGE
    best_effort: ClassVar = True

    def __init__(self, resources: Resources) -> None:
        self._targets = resources.targets
        self._warnings = resources.warnings

    def consider(self, query: Query[Any], work: Work) -> Offer:
        """All states, always."""
        return Offer(1.0)

    def answer(self, query: Query[Any], work: Work) -> Result:
        """Searches the graph, which may have been explored for another question."""
        options = work.options
        try:
            system = system_of(query)
            target = self._targets.of(system, options.limits, work.reporter, options.checkpoints)
            target.diving = options.diving
            finding = find(query, target, options.vacuity)
        except Stopped as stop:  # before there was anything to look at
            return stopped(query, stop)
        if target.checkpoint_problem is not None:
            problem = f"{target.checkpoint_problem}; the last checkpoint is older"
            self._warnings.append(Diagnostic(Code.FILE, problem, severity=Severity.WARNING))
        if finding.run is not None:
            target.report(Phase.JUDGING, work.clock, target.known_graph())
        return result_of(query, finding, target.system, work.clock)

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """It never refuses."""
        raise AssertionError(refusal)


STRATEGY = Whole
