"""Unboundedly many processes, counted up to a cutoff.

What holds of counted processes holds of every number of them. A run must be one of some number: it is
searched for in instances.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.checker.answer import result_of
from fairlead.checker.kinds import kind_of
from fairlead.checker.options import CheckOptions, Counters
from fairlead.checker.query import Query
from fairlead.checker.questions import find
from fairlead.checker.result import CountersReport, Result
from fairlead.checker.strategies.strategy import Instance, Work
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.validate import IsRun, validate
from fairlead.model.evaluation import Fault
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.reduce.counters.network import CountedNetwork
from fairlead.search.target import Target

#: how many instances are tried for a run that counted processes have
MOST_INSTANCES = 24
#: each up to so many states: where processes fork, an instance may have no end
INSTANCE_STATES = 1_000_000
#: how many of them are examined before all numbers are, each up to so many states
FIRST_INSTANCES = 3
FIRST_STATES = 50_000


def counters_report(reduction: CountedNetwork, how: Counters) -> CountersReport:
    """Which processes are counted, and why others are not."""
    symmetry = reduction.symmetry
    return CountersReport(
        tuple(merged.text for merged in symmetry.merged.values()),
        tuple(symmetry.apart.items()),
        how.cutoff if reduction.is_unbounded else None,
    )


@dataclass(frozen=True)
class AnyNumber:
    """One question about unboundedly many processes."""

    query: Query[Any]
    work: Work
    how: Counters
    reduction: CountedNetwork
    instance: Callable[[Mapping[str, int]], Instance]

    @property
    def _decisive(self) -> Verdict:
        """The verdict that a run shows."""
        return kind_of(self.query.question).shown_by_run

    def small_instance(self) -> Result | None:
        """The answer, if a few processes show it: then there is no need to look at all numbers."""
        for numbers in itertools.islice(_instances(self.reduction), FIRST_INSTANCES):
            found = self._checked(numbers, FIRST_STATES)
            if found.verdict in (self._decisive, Verdict.ERROR):
                return found
            if found.verdict is Verdict.UNKNOWN:
                break
        return None

    def finding(self, target: Target) -> Finding | Fault:
        """What is found of counted processes; perhaps that they fail, as maybe no number of them does."""
        try:
            return find(self.query, target)
        except Fault as fault:
            return fault

    def result(self, finding: Finding | Fault) -> Result:
        """The answer from the counted system, or from larger instances."""
        if isinstance(finding, Fault):
            statistics = Statistics(0, 0, self.work.clock.seconds, 0, complete=False)
            unknown = Finding(self._decisive, None, statistics)
            return self._confirmed(unknown, finding.diagnostics[0].message)
        if finding.verdict is self._decisive:
            return self._confirmed(finding)
        return self._of(finding, counters_report(self.reduction, self.how))

    def _checked(self, numbers: Mapping[str, int], states: int) -> Result:
        """The answer of an instance, within so many states."""
        clock, asked = self.work.clock, self.query.asked
        options = CheckOptions(
            fair=None if asked.formula is None else asked.formula.text,
            counters=replace(self.how, forking=True),
            limits=replace(clock.left, max_states=min(clock.limits.states, states)),
            shortest=self.work.options.shortest,
            seed=self.work.options.seed,
        )
        found = self.instance(numbers).check(self.query.question, asked.notion, options, self.work.reporter)
        is_counted = found.counters is not None and found.counters.is_counted
        report = counters_report(self.reduction, self.how)
        return replace(found, counters=replace(report, instance=numbers, is_counted=is_counted))

    def _confirmed(self, finding: Finding, error: str | None = None) -> Result:
        """Looks for an instance with a run, or an error, such as counted processes have."""
        tried: list[Mapping[str, int]] = []
        for numbers in _instances(self.reduction):
            found = self._checked(numbers, INSTANCE_STATES)
            if found.verdict in (self._decisive, Verdict.ERROR):
                return found
            if found.verdict is Verdict.UNKNOWN:
                break
            tried.append(numbers)
        report = replace(counters_report(self.reduction, self.how), error=error, tried=_sizes(tried))
        if finding.run is not None and finding.demonstration is None:
            system = NetworkSystem(self.reduction.network)
            validate(system, finding.run, IsRun())
            spurious = Evidence(system, finding.run, self.query.asked.notion, finding.annotations)
            report = replace(report, spurious=spurious)
        return self._of(replace(finding, verdict=Verdict.UNKNOWN, reason="cutoff"), report)

    def _of(self, finding: Finding, report: CountersReport) -> Result:
        system = NetworkSystem(self.reduction.network)
        # a run into a state from which nothing is fair would be one of counted processes
        shortfall = finding.shortfall if finding.nothing_is_fair else None
        plain = replace(finding, run=None, demonstration=None, shortfall=shortfall)
        return replace(result_of(self.query, plain, system, self.work.clock), counters=report)


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
