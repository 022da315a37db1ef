"""From what a search found to a result: the evidence is judged, and everything is put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fairlead.base.allowance import Stopped, enter_phase
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.checker.result import FurtherRuns, Result, subject_of
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.exclusion import Exclusion, exclusion_of
from fairlead.evidence.validate import IsRun, validate
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.model.system import System
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.further import Further


def judged_evidence(query: Query[Assertion], finding: Finding, system: System, clock: Clock) -> Evidence:
    """The run of a finding, judged as a run of the system; raises `InternalError` if it is none."""
    assert finding.run is not None
    enter_phase(Phase.JUDGING)
    claim = kind_of(query.question).claim(query, EvidenceDetails.of(finding), clock.check)
    explanation = validate(system, finding.run, claim)
    # the loop in a terminal set or component is one of many: nothing is claimed about its own fairness
    is_own = finding.terminal is None and finding.component is None
    return Evidence(
        system,
        finding.run,
        query.asked.notion if is_own else Fairness.NONE,
        finding.annotations if finding.component is None else (),
        explanation,
        finding.conjuncts if finding.component is None else (),
        finding.demonstration,
        _exclusion(query, finding, system) if explanation is None else explanation.exclusion,
        finding.component,
    )


def _exclusion(query: Query[Assertion], finding: Finding, system: System) -> Exclusion | None:
    """What would have excluded the lasso, where fairness matters to it."""
    if not kind_of(query.question).excludable or finding.terminal is not None:
        return None
    assert finding.run is not None
    return exclusion_of(system, finding.run) if finding.run.loop else None


def result_of(query: Query[Assertion], finding: Finding, system: System, clock: Clock) -> Result:
    """The result of a finding about a system."""
    evidence = None
    try:
        if finding.run is not None:
            evidence = judged_evidence(query, finding, system, clock)
    except Stopped as stop:  # while evidence was being judged
        return replace(stopped(query, stop), statistics=finding.statistics)
    unfair_end = None
    if finding.shortfall is not None and not finding.shortfall.is_total:
        validate(system, finding.shortfall.run, IsRun())
        unfair_end = Evidence(system, finding.shortfall.run, query.asked.notion)
    return Result(
        query.question.text,
        query.asked.notion,
        finding.verdict,
        evidence,
        finding.statistics,
        _reason(finding, evidence),
        finding.method,
        kind_of(query.question).display.objective(query.question),
        finding.optimum,
        finding.annotations,
        finding.shortfall,
        unfair_end,
        subject_of(query.question),
        _fair_text(query),
        finding.holds_in,
        finding.partly_in,
        finding.all_end,
        vacuity=finding.vacuity,
        is_shortest=None if evidence is None else finding.is_shortest,
    )


def _reason(finding: Finding, evidence: Evidence | None) -> str | None:
    explanation = None if evidence is None else evidence.explanation
    return finding.reason if explanation is None else explanation.reason


def with_further(
    query: Query[Assertion], finding: Finding, look: Callable[[], Further], result: Result, clock: Clock
) -> Result:
    """The result with runs that differ in substance from that of the finding, each of them judged.

    Its own run has been judged before others are searched for: a limit never takes back what is known. If one
    with fewer events in its loop is found, it is shown instead.
    """
    assert result.evidence is not None
    judged: list[Evidence] = []
    try:
        further = look()
        problem, is_all = further.problem, further.is_all
        for run in further.runs:
            if run is finding.run:
                judged.append(result.evidence)
                continue
            other = replace(finding, run=run, component=None, is_shortest=None)
            judged.append(judged_evidence(query, other, result.evidence.system, clock))
    except Stopped as stop:
        problem, is_all = stop.kind.value, False
    first, *others = judged or [result.evidence]
    if first is not result.evidence:
        result = replace(result, evidence=first, reason=_reason(finding, first), is_shortest=None)
    return replace(result, further=FurtherRuns(tuple(others), is_all, problem))


def stopped(query: Query[Assertion], stop: Stopped, seconds: float = 0.0) -> Result:
    """The result of a check that a limit ended before there was anything to tell."""
    known = stop.statistics
    return Result(
        query.question.text,
        query.asked.notion,
        Verdict.UNKNOWN,
        None,
        known if isinstance(known, Statistics) else Statistics(0, 0, seconds, 0, complete=False),
        stop.kind.value,
        subject=subject_of(query.question),
        fair=_fair_text(query),
    )


def _fair_text(query: Query[Assertion]) -> str | None:
    """The fairness formula that is asked for, as it was written."""
    return None if query.asked.formula is None else query.asked.formula.text
