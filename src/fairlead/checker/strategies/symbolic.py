"""Symbolic search: sets of states as decision diagrams, for state spaces that are too large to enumerate.

docs/explanation/symbolic.md explains the encoding and has the proofs; what can be asked, the kinds know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import system_of
from fairlead.checker.result import Result, SymbolicReport
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Searched, Work, answer_by
from fairlead.engine import _native
from fairlead.model.network import Network
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Limits
from fairlead.outcome.vacuity import Vacuity, VacuityKind
from fairlead.search.engine_limits import engine_limit
from fairlead.search.symbolic.reach import METHOD
from fairlead.search.symbolic.space import NotEncodable, SymbolicTarget


class Symbolic:
    """Answers with decision diagrams; what was explored for one question serves the next."""

    title: ClassVar = "symbolic"
    code: ClassVar = Code.SYMBOLIC
    best_effort: ClassVar = False

    def __init__(self, resources: Resources) -> None:
        self._targets: dict[tuple[str, Limits], SymbolicTarget] = {}

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """Whether the system can be encoded is seen when it is explored."""
        network = system_of(query)
        if not isinstance(network, Network):
            return Refusal("a graph has no processes from which levels could be made")
        if network.counting is not None or network.interchange is not None:
            return Refusal("its processes are counted, or exchanged")
        if kind_of(query.question).symbolic is None:
            return Refusal("this kind of question is not answered with decision diagrams")
        return Offer()

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """A run that is found consists of steps of the reference semantics."""
        return answer_by(self, query, work)

    def search(self, query: Query[Any], work: Work) -> Searched | Refusal:
        """Computes the sets of states that the question is about."""
        offer = self.consider(query, work)
        if isinstance(offer, Refusal):
            return offer
        find = kind_of(query.question).symbolic
        assert find is not None
        try:
            key, target = self._target(query, work)
        except _native.EngineLimit as limit:  # even an empty diagram takes some memory
            raise engine_limit(limit) from None
        target.needs_shortest = work.options.shortest
        try:
            with target.working(work.clock, work.reporter):
                finding = find(query, target)
        except NotEncodable as problem:
            return Refusal(str(problem))
        except Stopped as stop:
            self._targets.pop(key, None)  # it may have been stopped anywhere
            statistics = target.statistics(complete=False)
            return Searched(
                Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, METHOD), target.system
            )
        except BaseException:
            self._targets.pop(key, None)
            raise
        if finding.nothing_is_fair and finding.verdict is Verdict.HOLDS:
            finding = replace(finding, vacuity=Vacuity(VacuityKind.NO_FAIR_EXECUTION))
        if finding.run is not None:
            target.enter(Phase.JUDGING)
        native = target.native
        report = SymbolicReport(native.level_count, native.group_count, native.most_nodes)
        return Searched(finding, target.system, {"symbolic": report})

    def _target(self, query: Query[Any], work: Work) -> tuple[tuple[str, Limits], SymbolicTarget]:
        network = system_of(query)
        assert isinstance(network, Network)
        key = (network.name, work.options.limits)
        known = self._targets.get(key)
        if known is None or known.network is not network or not known.is_explored:
            known = self._targets[key] = SymbolicTarget(network, work.options.limits)
        return key, known

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """A refusal is an error, so that no other result is given."""
        raise AssertionError(refusal)


STRATEGY = Symbolic
