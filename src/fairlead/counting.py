"""Checks with process counters: which processes are counted, what counting may answer, how it is shown."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from fairlead.answering import Answering, stopped
from fairlead.check.assumptions import FairnessAsked
from fairlead.check.finding import Finding, Verdict
from fairlead.check.limits import Clock, Limits, Reporter, Stopped
from fairlead.check.target import Target, target_of
from fairlead.errors import Code, counted, input_error
from fairlead.evidence.evidence import Evidence
from fairlead.logic.branching import is_ctl
from fairlead.logic.fairness import Fairness, Subject
from fairlead.model.assertion import (
    AllProgress,
    Assertion,
    Deterministic,
    Enabled,
    EventAtom,
    Meaning,
    ProcessAtom,
    Progresses,
    Reaches,
    ReachesOptimum,
    Refines,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.expression import Expression
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition
from fairlead.questions import Questions
from fairlead.reduce.counters.automata import Sight
from fairlead.reduce.counters.concretise import concrete_run
from fairlead.reduce.counters.exactness import has_single_state_loops, is_universal, notion_problem
from fairlead.reduce.counters.network import CountedNetwork, counted_network
from fairlead.result import CountersReport, Result

#: a run of the processes themselves is made if it has at most so many steps, times the number of processes
STEP_BUDGET = 20_000
DEFAULT_CUTOFF = 2
#: how many instances are tried for a run that counted processes have
MOST_INSTANCES = 24


@dataclass(frozen=True)
class Counters:
    """How processes are counted: exactly, or where there are unboundedly many, up to the cutoff."""

    cutoff: int = DEFAULT_CUTOFF

    def __post_init__(self) -> None:
        if self.cutoff < 1:
            raise input_error(Code.USAGE, f"the cutoff must be at least 1, not {self.cutoff}")


class Instance(Protocol):
    """The model with a number of processes; `fairlead.api.Model` is one."""

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
        self._questions = questions
        self._answering = answering
        self._instance = instance
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
        network = self._questions.system(question, asked)
        if not isinstance(network, Network):
            raise input_error(Code.COUNTERS, "a graph has no processes that could be counted")
        try:
            reduction, target = self._reduced(network, question, asked, how, clock.limits)
            self._check_offered(question, asked, reduction)
            target.reporter = reporter
            finding = self._questions.find(question, target, asked)
        except Stopped as stop:
            return stopped(question, asked, stop)
        report = _report(reduction, how)
        if reduction.is_unbounded:
            return self._unbounded_result(question, asked, how, finding, reduction, report, clock, reporter)
        if finding.run is None or not reduction.symmetry.merged:
            system = NetworkSystem(network) if finding.run is not None else target.system
            result = self._answering.result(question, asked, finding, system, clock)
            return replace(result, counters=report)
        return self._exact_result(question, asked, finding, reduction, network, report, clock)

    def network(self, question: Assertion, asked: FairnessAsked) -> Network:
        """The network with its processes counted in which a question was answered."""
        system = self._questions.system(question, asked)
        if not isinstance(system, Network):
            raise input_error(Code.EVIDENCE, "a graph has no processes that could have been counted")
        reduction, _ = self._reduced(system, question, asked, Counters(), Limits())
        return reduction.network

    # ------------------------------------------------------------ what is counted

    def _reduced(
        self, network: Network, question: Assertion, asked: FairnessAsked, how: Counters, limits: Limits
    ) -> tuple[CountedNetwork, Target]:
        meanings = self._meanings(question, asked)
        sight = _sight(network, question, asked, meanings)
        named = frozenset(name for meaning in meanings for name in _processes(meaning))
        conditions = tuple(_conditions(question, meanings))
        key = (network.name, sight, named, conditions, how, limits)
        if key not in self._reductions:
            reduction = counted_network(network, sight, named, conditions, how.cutoff)
            # nothing to count: the network itself is as good, and faster
            system = reduction.network if reduction.symmetry.merged else network
            self._reductions[key] = (reduction, target_of(system, limits))
        return self._reductions[key]

    def _meanings(self, question: Assertion, asked: FairnessAsked) -> list[Meaning]:
        found = list(asked.meanings.values())
        if isinstance(question, Satisfies):
            found += self._questions.formula(question).meanings.values()
        elif isinstance(question, SatisfiesBranching):
            found += self._questions.branching(question).meanings.values()
        return found

    def _check_offered(self, question: Assertion, asked: FairnessAsked, reduction: CountedNetwork) -> None:
        groups = reduction.symmetry.merged.values()
        if not groups:
            return
        problem = notion_problem(asked.notion, groups)
        if problem is None and asked.formula is not None and not asked.formula.is_closed:
            problem = "a fairness formula about all processes or events cannot be told of counted processes"
        if problem is None:
            problem = self._question_problem(question, asked, reduction.is_unbounded)
        if problem is not None:
            raise input_error(Code.COUNTERS, f"counting might change the answer: {problem}")

    def _question_problem(self, question: Assertion, asked: FairnessAsked, unbounded: bool) -> str | None:
        globally_fair = asked.notion is Fairness.STRONG_GLOBAL
        match question:
            case Deterministic():
                return "steps of different processes become one step, and choices disappear"
            case Progresses() | AllProgress():
                return "progress is about terminal sets, which are others if processes are counted"
            case ReachesOptimum() if unbounded:
                return "the best value depends on how many processes there are"
            case Satisfies() if globally_fair:
                if not has_single_state_loops(self._questions.formula(question).violations):
                    return (
                        "strong global fairness does not keep the order of steps that the formula speaks of"
                    )
            case SatisfiesBranching():
                checked = self._questions.branching(question).checked
                if globally_fair and not is_ctl(checked):
                    return "strong global fairness does not keep formulas that are CTL* but not CTL"
                if unbounded and not is_universal(checked):
                    return "of unboundedly many processes only formulas about all paths can be shown"
            case _:
                pass
        return None

    # ------------------------------------------------------------ results

    def _exact_result(
        self,
        question: Assertion,
        asked: FairnessAsked,
        finding: Finding,
        reduction: CountedNetwork,
        network: Network,
        report: CountersReport,
        clock: Clock,
    ) -> Result:
        """A result about counted processes, with a run of the processes themselves where one can be made."""
        abstract, concrete = NetworkSystem(reduction.network), NetworkSystem(network)
        run = None
        if finding.run is not None and finding.demonstration is None:
            groups = [merged.group for merged in reduction.symmetry.merged.values()]
            same = reduction.symmetry.same
            run = concrete_run(abstract, concrete, finding.run, groups, same, asked.notion, STEP_BUDGET)
        if run is None:
            result = self._answering.result(question, asked, finding, abstract, clock)
            return replace(result, counters=replace(report, is_counted=True))
        shown = replace(finding, run=run, shortfall=None)
        result = self._answering.result(question, asked, shown, concrete, clock)
        return replace(result, shortfall=finding.shortfall, counters=report)

    def _unbounded_result(
        self,
        question: Assertion,
        asked: FairnessAsked,
        how: Counters,
        finding: Finding,
        reduction: CountedNetwork,
        report: CountersReport,
        clock: Clock,
        reporter: Reporter | None,
    ) -> Result:
        """What holds of counted processes holds of every number of them; a run must be one of some number."""
        decisive = Verdict.HOLDS if isinstance(question, Reaches) else Verdict.VIOLATED
        plain = replace(finding, run=None, demonstration=None)
        abstract = NetworkSystem(reduction.network)
        if finding.verdict is not decisive:
            result = self._answering.result(question, asked, plain, abstract, clock)
            return replace(result, counters=report)
        fair = None if asked.formula is None else asked.formula.text
        tried: list[Mapping[str, int]] = []
        for numbers in _instances(reduction):
            found = self._instance(numbers).check(
                question, asked.notion, fair=fair, counters=how, limits=clock.left, reporter=reporter
            )
            if found.verdict is decisive:
                return replace(found, counters=replace(report, instance=numbers))
            if found.verdict is Verdict.UNKNOWN:
                break
            tried.append(numbers)
        spurious = None
        if finding.run is not None and finding.demonstration is None:
            spurious = Evidence(abstract, finding.run, asked.notion, finding.annotations)
        result = self._answering.result(
            question, asked, replace(plain, verdict=Verdict.UNKNOWN, reason="cutoff"), abstract, clock
        )
        shown = _sizes(tried)
        return replace(result, counters=replace(report, spurious=spurious, tried=shown))


def _report(reduction: CountedNetwork, how: Counters) -> CountersReport:
    symmetry = reduction.symmetry
    return CountersReport(
        tuple(merged.text for merged in symmetry.merged.values()),
        tuple((apart.process, apart.reason) for apart in symmetry.apart.values()),
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
        return "no instance"
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
    subject = meaning.subject if isinstance(meaning, Enabled) else meaning
    return subject.labels if isinstance(subject, EventAtom) else frozenset()


def _processes(meaning: Meaning) -> frozenset[str]:
    subject = meaning.subject if isinstance(meaning, Enabled) else meaning
    return subject.processes if isinstance(subject, ProcessAtom) else frozenset()


def _conditions(question: Assertion, meanings: Sequence[Meaning]) -> Iterator[Expression]:
    for meaning in meanings:
        if isinstance(meaning, Proposition):
            yield meaning.meaning
    if isinstance(question, Reaches | ReachesOptimum):
        yield question.goal.meaning
