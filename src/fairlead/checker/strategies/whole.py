"""The whole system, explored as it is: the strategy that never refuses."""

from __future__ import annotations

from typing import Any, ClassVar

from fairlead.base.diagnostics import Code, Diagnostic, Severity
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import find, system_of
from fairlead.checker.result import ONE_ONLY, Result
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Searched, Work, answer_by
from fairlead.model.evaluation import Fault
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.search.further import Further
from fairlead.search.target import Target


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
        found = answer_by(self, query, work)
        assert isinstance(found, Result), "there is nothing that it refuses"
        return found

    def search(self, query: Query[Any], work: Work) -> Searched:
        """A search that was paused continues from where it was."""
        options = work.options
        target = self._targets.of(system_of(query), options.limits, work.reporter, options.checkpoints)
        work.prepare(target)
        target.shows_components = True
        finding = find(query, target, options.vacuity)
        if target.checkpoint_problem is not None:
            problem = f"{target.checkpoint_problem}; the last checkpoint is older"
            self._warnings.append(Diagnostic(Code.FILE, problem, severity=Severity.WARNING))
        certified = None
        if work.certificate is not None:
            target.report(Phase.CERTIFYING, work.clock, target.known_graph())
            certified = work.certificate.add(query, target, finding, work.clock)
        told = {} if certified is None else {"certified": certified}
        if finding.run is not None:
            target.report(Phase.JUDGING, work.clock, target.known_graph())
        if options.counterexamples == 1 or finding.run is None or finding.verdict is not Verdict.VIOLATED:
            return Searched(finding, target.system, told)
        return Searched(finding, target.system, further=lambda: _further(query, target, finding, work))

    def met(self, query: Query[Any], work: Work) -> int:
        """How many states were met before a search paused."""
        options = work.options
        target = self._targets.of(system_of(query), options.limits, work.reporter, options.checkpoints)
        graph = target.known_graph()
        return 0 if graph is None else target.counts(graph)[0]

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """It never refuses."""
        raise AssertionError(refusal)


def _further(query: Query[Any], target: Target, finding: Finding, work: Work) -> Further:
    look = kind_of(query.question).further
    assert finding.run is not None
    if look is None:
        return Further((finding.run,), False, ONE_ONLY)
    try:
        return look(query, target, finding, work.options.counterexamples, work.clock)
    except Fault as fault:
        return Further((finding.run,), False, fault.code.value)


STRATEGY = Whole
