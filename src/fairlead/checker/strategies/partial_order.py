"""Partial order reduction: of independent steps, some orders are enough.

docs/explanation/reduction.md has the proofs; what a question can distinguish, its kind knows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from fairlead.base.diagnostics import Code
from fairlead.base.tuning import tuning
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import find, system_of
from fairlead.checker.result import PartialOrderReport, Result
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Searched, Work, answer_by
from fairlead.engine import _native
from fairlead.model.network import Network
from fairlead.outcome.events import Phase
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
        """A run that is found is one of the system itself."""
        return answer_by(self, query, work)

    def search(self, query: Query[Any], work: Work) -> Searched | Refusal:
        """Searches the graph with the steps that are enough."""
        sight = self._sight(query)
        if isinstance(sight, Refusal):
            return sight
        target = self._target(query, sight, work)
        if target.problem is not None:
            return Refusal(target.problem)
        finding = find(query, target, work.options.vacuity)
        if finding.run is not None:
            target.report(Phase.JUDGING, work.clock, target.known_graph())
        return Searched(finding, target.system, {"partial_order": PartialOrderReport()})

    def is_promising(self, query: Query[Any], work: Work) -> bool:
        """Whether many of the states that were explored for a question had steps left out."""
        sight = self._sight(query)
        target = None if isinstance(sight, Refusal) else self._targets.get(self._key(query, sight, work))
        graph = None if target is None else target.known_graph()
        if not isinstance(graph, _native.NetworkGraph):
            return False
        return graph.reduced_count * tuning().auto_reduced_states >= graph.state_count

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """Says why no step was left out."""
        return replace(result, partial_order=PartialOrderReport(refusal.reason))

    def _sight(self, query: Query[Any]) -> Sight | Refusal:
        """What the question can distinguish, or why that is too much."""
        network = system_of(query)
        if not isinstance(network, Network):
            return Refusal("a graph has no processes")
        found = kind_of(query.question).reductions.partial_order(query, network)
        return Refusal(found) if isinstance(found, str) else found

    def _key(self, query: Query[Any], sight: Sight, work: Work) -> object:
        system = system_of(query)
        assert isinstance(system, Network)
        return (system.name, sight, work.options.limits)

    def _target(self, query: Query[Any], sight: Sight, work: Work) -> ReducedTarget:
        network = system_of(query)
        assert isinstance(network, Network)
        key = self._key(query, sight, work)
        if key not in self._targets:
            self._targets[key] = ReducedTarget(network, work.options.limits, sight)
        target = self._targets[key]
        work.prepare(target)
        target.graph()  # only then its problem is known
        return target


STRATEGY = PartialOrder
