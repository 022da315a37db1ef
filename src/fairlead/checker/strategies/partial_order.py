"""Partial order reduction: of independent steps, some orders are enough.

docs/explanation/reduction.md has the proofs; what a question can tell apart, its kind knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from fairlead.base.diagnostics import Code
from fairlead.checker.answer import result_of, stopped
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import find, system_of
from fairlead.checker.result import PartialOrderReport, Result
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Work
from fairlead.model.network import Network
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Stopped
from fairlead.search.reduced import ReducedTarget, Sight


class PartialOrder:
    """Answers on reduced graphs; what was explored for one question serves others that see as much."""

    title: ClassVar = "partial order"
    code: ClassVar = Code.USAGE
    best_effort: ClassVar = True

    def __init__(self, resources: Resources) -> None:
        self._targets: dict[object, ReducedTarget] = {}

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """How many steps can be left out is seen when the system is explored."""
        sight = self._sight(query)
        return sight if isinstance(sight, Refusal) else Offer()

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """Searches the graph with the steps that are enough."""
        try:
            sight = self._sight(query)
            if isinstance(sight, Refusal):
                return sight
            target = self._target(query, sight, work)
            if target.problem is not None:
                return Refusal(target.problem)
            finding = find(query, target, work.options.vacuity)
        except Stopped as stop:
            return stopped(query, stop)
        if finding.run is not None:
            target.report(Phase.JUDGING, work.clock, target.known_graph())
        result = result_of(query, finding, target.system, work.clock)
        return replace(result, partial_order=PartialOrderReport())

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """Says why no step was left out."""
        return replace(result, partial_order=PartialOrderReport(refusal.reason))

    def _sight(self, query: Query[Any]) -> Sight | Refusal:
        """What the question can tell apart, or why that is too much."""
        network = system_of(query)
        if not isinstance(network, Network):
            return Refusal("a graph has no processes")
        found = kind_of(query.question).reductions.partial_order(query, network)
        return Refusal(found) if isinstance(found, str) else found

    def _target(self, query: Query[Any], sight: Sight, work: Work) -> ReducedTarget:
        network = system_of(query)
        assert isinstance(network, Network)
        key = (network.name, sight, work.options.limits)
        if key not in self._targets:
            self._targets[key] = ReducedTarget(network, work.options.limits, sight)
        target = self._targets[key]
        target.reporter, target.diving = work.reporter, work.options.diving
        target.graph()  # only then its problem is known
        return target


STRATEGY = PartialOrder
