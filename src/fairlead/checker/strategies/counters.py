"""Process counters: which processes are counted, what counting may answer, how it is shown.

docs/explanation/counters.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import factorial, prod
from typing import Any, ClassVar

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code, input_error
from fairlead.checker.answer import result_of, stopped
from fairlead.checker.kinds import kind_of
from fairlead.checker.options import Counters
from fairlead.checker.query import Query
from fairlead.checker.questions import (
    conditions_of,
    find,
    is_decided_by_finite_runs,
    meanings_of,
    system_of,
)
from fairlead.checker.result import Result
from fairlead.checker.strategies.any_number import AnyNumber, counters_report
from fairlead.checker.strategies.counted_evidence import counted_result, processes_run
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Work
from fairlead.logic.fairness.notions import Subject
from fairlead.model.assertion import EventAtom, Meaning, ProcessAtom, subject_of
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Limits
from fairlead.reduce.counters.automata import Sight
from fairlead.reduce.counters.exactness import notion_problem
from fairlead.reduce.counters.network import CountedNetwork, counted_network
from fairlead.search.target import Target, target_of

_NO_PROCESSES = Refusal("a graph has no processes that could be counted")


class ProcessCounters:
    """Answers questions about one model with its processes counted."""

    title: ClassVar = "process counters"
    code: ClassVar = Code.COUNTERS
    best_effort: ClassVar = False

    def __init__(self, resources: Resources) -> None:
        self._instance = resources.instance
        self._reductions: dict[object, tuple[CountedNetwork, Target]] = {}

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """Identical processes can stand in for each other in every order."""
        network = system_of(query)
        if not isinstance(network, Network):
            return _NO_PROCESSES
        reduction, _ = self._reduced(query, network, _how(work), work.options.limits)
        problem = _problem(query, reduction)
        if problem is not None:
            return problem
        if reduction.is_unbounded:
            return Offer()
        sizes = [len(merged.group.members) for merged in reduction.symmetry.merged.values()]
        return Offer(1 / prod(map(factorial, sizes)))

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """Searches the counted system; a run is made one of the processes themselves, if it can be."""
        network = system_of(query)
        if not isinstance(network, Network):
            return _NO_PROCESSES
        how = _how(work)
        try:
            reduction, target = self._reduced(query, network, how, work.options.limits)
            problem = _problem(query, reduction)
            if problem is not None:
                return problem
            work.prepare(target)
            target.shows_components = True
            if reduction.is_unbounded:
                return self._of_any_number(query, work, reduction, target)
            finding = self._found(query, network, reduction, target)
            # once more, for processes that were not there from the start
            problem = _problem(query, reduction)
            if problem is not None:
                return problem
        except Stopped as stop:
            return stopped(query, stop)
        report = counters_report(reduction, how)
        if finding.run is None or not reduction.symmetry.merged:
            system = NetworkSystem(network) if finding.run is not None else target.system
            return replace(result_of(query, finding, system, work.clock), counters=report)
        return counted_result(query, finding, reduction, network, report, work.clock)

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """A refusal is an error."""
        raise AssertionError(refusal)

    def network(self, query: Query[Any], forking: bool) -> Network:
        """The network with its processes counted in which a question was answered."""
        system = system_of(query)
        if not isinstance(system, Network):
            raise input_error(Code.EVIDENCE, "a graph has no processes that could have been counted")
        reduction, _ = self._reduced(query, system, Counters(forking=forking), Limits())
        return reduction.network

    def _found(
        self, query: Query[Any], network: Network, reduction: CountedNetwork, target: Target
    ) -> Finding:
        try:
            return find(query, target)
        except Fault as fault:
            if fault.run is not None:
                fault.run = processes_run(query, fault.run, reduction, network)
            raise

    def _of_any_number(
        self, query: Query[Any], work: Work, reduction: CountedNetwork, target: Target
    ) -> Result | Refusal:
        any_number = AnyNumber(query, work, _how(work), reduction, self._instance)
        found = any_number.small_instance()
        if found is not None:
            return found
        finding = any_number.finding(target)
        # once more, for processes that were not there from the start
        problem = None if isinstance(finding, Fault) else _problem(query, reduction)
        return any_number.result(finding) if problem is None else problem

    def _reduced(
        self, query: Query[Any], network: Network, how: Counters, limits: Limits
    ) -> tuple[CountedNetwork, Target]:
        meanings = meanings_of(query)
        sight = _sight(query, network, meanings)
        named = frozenset(name for meaning in meanings for name in _processes(meaning))
        conditions = tuple(conditions_of(query))
        key = (network.name, sight, named, conditions, how, limits)
        if key not in self._reductions:
            reduction = counted_network(network, sight, named, conditions, how.cutoff, how.forking)
            self._reductions[key] = (reduction, target_of(reduction.network, limits))
        return self._reductions[key]


def _how(work: Work) -> Counters:
    return work.options.counters or Counters()


def _problem(query: Query[Any], reduction: CountedNetwork) -> Refusal | None:
    """Why counting these processes might change the answer, if it might."""
    groups = reduction.symmetry.merged.values()
    if not groups or is_decided_by_finite_runs(query, reduction.network):
        return None
    asked = query.asked
    problem = notion_problem(asked.notion, groups)
    if problem is None and asked.formula is not None and not asked.formula.is_closed:
        problem = "a fairness formula about all processes or events cannot be judged for counted processes"
    if problem is None:
        problem = kind_of(query.question).reductions.counters(query, reduction.is_unbounded)
    return None if problem is None else Refusal(f"counting might change the answer: {problem}")


def _sight(query: Query[Any], network: Network, meanings: Sequence[Meaning]) -> Sight:
    """What of the labels matters to a question and its fairness."""
    everything = (
        kind_of(query.question).reductions.sees_all_events
        or query.asked.notion.subject is Subject.EVENTS
        or bool(network.annotations)
    )
    if everything:
        return Sight(None)
    return Sight(frozenset(label for meaning in meanings for label in _labels(meaning)))


def _labels(meaning: Meaning) -> frozenset[str]:
    subject = subject_of(meaning)
    return subject.labels if isinstance(subject, EventAtom) else frozenset()


def _processes(meaning: Meaning) -> frozenset[str]:
    subject = subject_of(meaning)
    return subject.processes if isinstance(subject, ProcessAtom) else frozenset()


STRATEGY = ProcessCounters
