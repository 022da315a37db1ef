"""Checks with process counters: which processes are counted, what counting may answer, how it is shown."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from fairlead.base.diagnostics import Code, counted, input_error
from fairlead.base.records import dataclass
from fairlead.checker.answer import Answering, stopped
from fairlead.checker.questions import Questions
from fairlead.checker.result import CountersReport, Result
from fairlead.checker.strategies.counted_evidence import CountedEvidence
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.validate import IsRun, validate
from fairlead.logic.branching import is_ctl
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.assertion import (
    AllProgress,
    Assertion,
    Deterministic,
    EventAtom,
    Meaning,
    ProcessAtom,
    Progresses,
    Reaches,
    ReachesOptimum,
    Refines,
    Satisfies,
    SatisfiesBranching,
    conditions_of,
    subject_of,
)
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.events import Reporter
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock, Limits, Stopped
from fairlead.reduce.counters.automata import Sight
from fairlead.reduce.counters.exactness import has_single_state_loops, is_universal, notion_problem
from fairlead.reduce.counters.network import CountedNetwork, counted_network
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.target import Target, target_of

DEFAULT_CUTOFF = 2
#: how many instances are tried for a run that counted processes have
MOST_INSTANCES = 24
#: each up to so many states: where processes fork, an instance may have no end
INSTANCE_STATES = 1_000_000
#: how many of them are looked at before all numbers are, each up to so many states
FIRST_INSTANCES = 3
FIRST_STATES = 50_000


@dataclass(frozen=True)
class Counters:
    """How processes are counted: exactly, or where there are unboundedly many, up to the cutoff.

    With `forking`, a process that is the only one of its kind is counted too if it may become several.
    """

    cutoff: int = DEFAULT_CUTOFF
    forking: bool = False

    def __post_init__(self) -> None:
        if self.cutoff < 0:
            raise input_error(Code.USAGE, f"the cutoff must be 0 or more, not {self.cutoff}")


class Instance(Protocol):
    """The model with a number of processes; `fairlead.api.model.Model` is one."""

    def check(
        self,
        assertion: Assertion,
        fairness: Fairness,
        *,
        fair: str | None,
        counters: Counters,
        limits: Limits,
        reporter: Reporter | None,
    ) -> Result:
        """Answers a question about the instance."""
        ...


class CounterChecks:
    """Answers questions about one model with its processes counted."""

    def __init__(
        self,
        questions: Questions,
        answering: Answering,
        instance: Callable[[Mapping[str, int]], Instance],
    ) -> None:
        self.questions = questions
        self._evidence = CountedEvidence(questions, answering)
        self.answering = answering
        self.instance = instance
        self._reductions: dict[object, tuple[CountedNetwork, Target]] = {}

    def check(
        self,
        question: Assertion,
        asked: FairnessAsked,
        how: Counters,
        clock: Clock,
        reporter: Reporter | None,
    ) -> Result:
        """Answers one question; raises `InputError` where counting might give another answer."""
        network = self.questions.system(question, asked)
        if not isinstance(network, Network):
            raise input_error(Code.COUNTERS, "a graph has no processes that could be counted")
        try:
            reduction, target = self._reduced(network, question, asked, how, clock.limits)
            self.check_offered(question, asked, reduction)
            target.reporter = reporter
            if reduction.is_unbounded:
                return _Unbounded(self, question, asked, how, reduction, clock).result(target, reporter)
            finding = self.questions.find(question, target, asked)
            # once more, for processes that were not there from the start
            self.check_offered(question, asked, reduction)
        except Stopped as stop:
            return stopped(question, asked, stop)
        report = _report(reduction, how)
        if finding.run is None or not reduction.symmetry.merged:
            system = NetworkSystem(network) if finding.run is not None else target.system
            result = self.answering.result(question, asked, finding, system, clock)
            return replace(result, counters=report)
        return self._evidence.result(question, asked, finding, reduction, network, report, clock)

    def network(self, question: Assertion, asked: FairnessAsked, forking: bool) -> Network:
        """The network with its processes counted in which a question was answered."""
        system = self.questions.system(question, asked)
        if not isinstance(system, Network):
            raise input_error(Code.EVIDENCE, "a graph has no processes that could have been counted")
        reduction, _ = self._reduced(system, question, asked, Counters(forking=forking), Limits())
        return reduction.network

    # ------------------------------------------------------------ what is counted

    def _reduced(
        self, network: Network, question: Assertion, asked: FairnessAsked, how: Counters, limits: Limits
    ) -> tuple[CountedNetwork, Target]:
        meanings = self.questions.meanings(question, asked)
        sight = _sight(network, question, asked, meanings)
        named = frozenset(name for meaning in meanings for name in _processes(meaning))
        conditions = tuple(conditions_of(question, meanings))
        key = (network.name, sight, named, conditions, how, limits)
        if key not in self._reductions:
            reduction = counted_network(network, sight, named, conditions, how.cutoff, how.forking)
            self._reductions[key] = (reduction, target_of(reduction.network, limits))
        return self._reductions[key]

    def check_offered(self, question: Assertion, asked: FairnessAsked, reduction: CountedNetwork) -> None:
        """Raises `InputError` if counting these processes might change the answer."""
        groups = reduction.symmetry.merged.values()
        if not groups or self.questions.is_decided_by_finite_runs(question, asked, reduction.network):
            return
        problem = notion_problem(asked.notion, groups)
        if problem is None and asked.formula is not None and not asked.formula.is_closed:
            problem = "a fairness formula about all processes or events cannot be told of counted processes"
        if problem is None:
            problem = self._question_problem(question, asked, reduction.is_unbounded)
        if problem is not None:
            raise input_error(Code.COUNTERS, f"counting might change the answer: {problem}")

    def _question_problem(self, question: Assertion, asked: FairnessAsked, unbounded: bool) -> str | None:
        globally_fair = asked.notion.is_global
        match question:
            case Deterministic():
                return "steps of different processes become one step, and choices disappear"
            case Progresses() | AllProgress():
                return "progress is about terminal sets, which are others if processes are counted"
            case ReachesOptimum() if unbounded:
                return "the best value depends on how many processes there are"
            case Satisfies() if globally_fair:
                if not has_single_state_loops(self.questions.formula(question).violations):
                    return (
                        "strong global fairness does not keep the order of steps that the formula speaks of"
                    )
            case SatisfiesBranching():
                checked = self.questions.branching(question).checked
                if globally_fair and not is_ctl(checked):
                    return "strong global fairness does not keep formulas that are CTL* but not CTL"
                if unbounded and not is_universal(checked):
                    return "of unboundedly many processes only formulas about all paths can be shown"
            case _:
                pass
        return None


@dataclass(frozen=True)
class _Unbounded:
    """One question about unboundedly many processes.

    What holds of counted processes holds of every number of them; a run must be one of some number.
    """

    checks: CounterChecks
    question: Assertion
    asked: FairnessAsked
    how: Counters
    reduction: CountedNetwork
    clock: Clock

    @property
    def _decisive(self) -> Verdict:
        """The verdict that a run shows."""
        return Verdict.HOLDS if isinstance(self.question, Reaches) else Verdict.VIOLATED

    def result(self, target: Target, reporter: Reporter | None) -> Result:
        """The answer: from a small instance, or from the counted system, or from larger instances."""
        found = self._small_instance(reporter)
        if found is not None:
            return found
        try:
            finding = self.checks.questions.find(self.question, target, self.asked)
        except Fault as fault:  # perhaps of no number of processes
            statistics = Statistics(0, 0, self.clock.seconds, 0, complete=False)
            unknown = Finding(self._decisive, None, statistics)
            return self._confirmed(unknown, reporter, fault.diagnostics[0].message)
        # once more, for processes that were not there from the start
        self.checks.check_offered(self.question, self.asked, self.reduction)
        if finding.verdict is self._decisive:
            return self._confirmed(finding, reporter)
        return self._of(finding, _report(self.reduction, self.how))

    def _small_instance(self, reporter: Reporter | None) -> Result | None:
        """The answer, if a few processes show it: then there is no need to look at all numbers."""
        for numbers in itertools.islice(_instances(self.reduction), FIRST_INSTANCES):
            found = self._checked(numbers, FIRST_STATES, reporter)
            if found.verdict is self._decisive:
                return found
            if found.verdict is Verdict.UNKNOWN:
                break
        return None

    def _checked(self, numbers: Mapping[str, int], states: int, reporter: Reporter | None) -> Result:
        """The answer of an instance, within so many states."""
        limits = replace(self.clock.left, max_states=min(self.clock.limits.states, states))
        fair = None if self.asked.formula is None else self.asked.formula.text
        found = self.checks.instance(numbers).check(
            self.question,
            self.asked.notion,
            fair=fair,
            counters=replace(self.how, forking=True),
            limits=limits,
            reporter=reporter,
        )
        is_counted = found.counters is not None and found.counters.is_counted
        report = _report(self.reduction, self.how)
        return replace(found, counters=replace(report, instance=numbers, is_counted=is_counted))

    def _confirmed(self, finding: Finding, reporter: Reporter | None, error: str | None = None) -> Result:
        """What some number of processes does as counted ones do: a run, or an error, which is raised."""
        tried: list[Mapping[str, int]] = []
        for numbers in _instances(self.reduction):
            found = self._checked(numbers, INSTANCE_STATES, reporter)
            if found.verdict is self._decisive:
                return found
            if found.verdict is Verdict.UNKNOWN:
                break
            tried.append(numbers)
        report = replace(_report(self.reduction, self.how), error=error, tried=_sizes(tried))
        if finding.run is not None and finding.demonstration is None:
            system = NetworkSystem(self.reduction.network)
            validate(system, finding.run, IsRun())
            spurious = Evidence(system, finding.run, self.asked.notion, finding.annotations)
            report = replace(report, spurious=spurious)
        return self._of(replace(finding, verdict=Verdict.UNKNOWN, reason="cutoff"), report)

    def _of(self, finding: Finding, report: CountersReport) -> Result:
        system = NetworkSystem(self.reduction.network)
        # a run into a state from which nothing is fair would be one of counted processes
        shortfall = finding.shortfall if finding.nothing_is_fair else None
        plain = replace(finding, run=None, demonstration=None, shortfall=shortfall)
        answer = self.checks.answering.result(self.question, self.asked, plain, system, self.clock)
        return replace(answer, counters=report)


def _report(reduction: CountedNetwork, how: Counters) -> CountersReport:
    symmetry = reduction.symmetry
    return CountersReport(
        tuple(merged.text for merged in symmetry.merged.values()),
        tuple(symmetry.apart.items()),
        how.cutoff if reduction.is_unbounded else None,
    )


def _instances(reduction: CountedNetwork) -> Iterator[Mapping[str, int]]:
    """Numbers of processes, the smallest first."""
    least = {
        merged.name: merged.least for merged in reduction.symmetry.merged.values() if merged.least is not None
    }
    found = 0
    for more in itertools.count():
        for extra in _sums(more, len(least)):
            yield {name: first + add for (name, first), add in zip(least.items(), extra, strict=True)}
            found += 1
            if found == MOST_INSTANCES:
                return


def _sums(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to write a number as a sum."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _sums(total - first, parts - 1):
            yield (first, *rest)


def _sizes(tried: Sequence[Mapping[str, int]]) -> str:
    """The instances that were tried, for people."""
    if not tried:
        return "even the smallest is too large"
    last = ", ".join(f"{name}={number}" for name, number in tried[-1].items())
    return f"{counted(len(tried), 'instance')}, the last with {last}"


def _sight(network: Network, question: Assertion, asked: FairnessAsked, meanings: Sequence[Meaning]) -> Sight:
    """What of the labels matters to a question and its fairness."""
    everything = (
        isinstance(question, Refines) or asked.notion.subject is Subject.EVENTS or bool(network.annotations)
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
