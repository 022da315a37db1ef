"""From what a search found to a result: the evidence is judged, and everything is put together."""

from __future__ import annotations

from dataclasses import replace

from fairlead.checker.questions import EvidenceDetails, Questions
from fairlead.checker.result import Result, subject_of
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.exclusion import Exclusion, exclusion_of
from fairlead.evidence.validate import IsRun, validate
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion, Progresses, ReachesOptimum, Satisfies
from fairlead.model.system import System
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock, Stopped
from fairlead.search.assumptions import FairnessAsked


class Answering:
    """Makes results of findings."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    def evidence(
        self, question: Assertion, asked: FairnessAsked, finding: Finding, system: System, clock: Clock
    ) -> Evidence:
        """The run of a finding, judged as a run of the system; raises `InternalError` if it is none."""
        assert finding.run is not None
        claim = self._questions.claim(question, asked, EvidenceDetails.of(finding), clock.check)
        explanation = validate(system, finding.run, claim)
        # the loop in a terminal set is one of many: nothing is claimed about its own fairness
        judged = asked.notion if finding.terminal is None else Fairness.NONE
        return Evidence(
            system,
            finding.run,
            judged,
            finding.annotations,
            explanation,
            finding.conjuncts,
            finding.demonstration,
            self._exclusion(question, finding, system),
        )

    def _exclusion(self, question: Assertion, finding: Finding, system: System) -> Exclusion | None:
        """What would have excluded the lasso of a formula, or of a progress property that is asked as one."""
        if not isinstance(question, Satisfies | Progresses) or finding.terminal is not None:
            return None
        assert finding.run is not None
        return exclusion_of(system, finding.run) if finding.run.loop else None

    def result(
        self, question: Assertion, asked: FairnessAsked, finding: Finding, system: System, clock: Clock
    ) -> Result:
        """The result of a finding about a system."""
        evidence = None
        try:
            if finding.run is not None:
                evidence = self.evidence(question, asked, finding, system, clock)
        except Stopped as stop:  # while evidence was being judged
            return replace(stopped(question, asked, stop), statistics=finding.statistics)
        unfair_end = None
        if finding.shortfall is not None and not finding.shortfall.is_total:
            validate(system, finding.shortfall.run, IsRun())
            unfair_end = Evidence(system, finding.shortfall.run, asked.notion)
        explained = evidence is not None and evidence.explanation is not None
        return Result(
            question.text,
            asked.notion,
            finding.verdict,
            evidence,
            finding.statistics,
            evidence.explanation.reason if explained else finding.reason,  # type: ignore[union-attr]
            finding.method,
            str(question.objective) if isinstance(question, ReachesOptimum) else None,
            finding.optimum,
            finding.annotations,
            finding.shortfall,
            unfair_end,
            subject_of(question),
            _text(asked),
            finding.holds_in,
            finding.partly_in,
            finding.all_end,
            vacuity=finding.vacuity,
        )


def stopped(question: Assertion, asked: FairnessAsked, stop: Stopped) -> Result:
    """The result of a check that a limit ended before there was anything to tell."""
    return Result(
        question.text,
        asked.notion,
        Verdict.UNKNOWN,
        None,
        stop.statistics or Statistics(0, 0, 0.0, 0, complete=False),
        stop.kind.value,
        subject=subject_of(question),
        fair=_text(asked),
    )


def _text(asked: FairnessAsked) -> str | None:
    """The fairness formula that is asked for, as it was written."""
    return None if asked.formula is None else asked.formula.text
