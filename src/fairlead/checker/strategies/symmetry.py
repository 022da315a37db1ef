"""Checks in which states that differ only in who is who are one: what is offered, and evidence."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.checker.answer import Answering, stopped
from fairlead.checker.questions import Questions
from fairlead.checker.result import Result, SymmetryReport
from fairlead.logic.branching import is_ctl
from fairlead.model.assertion import (
    AllProgress,
    Assertion,
    Deterministic,
    EventAtom,
    Meaning,
    ProcessAtom,
    Progresses,
    ReachesOptimum,
    Refines,
    Satisfies,
    SatisfiesBranching,
    conditions_of,
    subject_of,
)
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.events import Reporter
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock, Limits, Stopped
from fairlead.reduce.counters.exactness import has_single_state_loops
from fairlead.reduce.symmetry.detection import Detected, Detector
from fairlead.reduce.symmetry.lifting import Lifting, TooLong
from fairlead.reduce.symmetry.verification import Asked
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.target import NetworkTarget

#: a run of the system itself is made if it has at most so many steps, or so many transitions to look at
STEP_LIMIT = 20_000
_COUNTERS_HINT = (
    "--counters keeps fairness towards processes that are all alike; or check without a reduction"
)


@dataclass(frozen=True)
class _Reduced:
    """A network in which processes may be exchanged, ready to be explored."""

    detected: Detected
    asked: Asked
    target: NetworkTarget


class SymmetryChecks:
    """Answers questions about one model without telling interchangeable processes apart."""

    def __init__(self, questions: Questions, answering: Answering) -> None:
        self._questions = questions
        self._answering = answering
        self._detectors: dict[str, Detector] = {}
        self._reductions: dict[object, _Reduced] = {}

    def check(
        self, question: Assertion, asked: FairnessAsked, clock: Clock, reporter: Reporter | None
    ) -> Result:
        """Answers one question; raises `InputError` where the answer might be another one."""
        network = self._questions.system(question, asked)
        if not isinstance(network, Network):
            raise input_error(Code.SYMMETRY, "a graph has no processes that could be exchanged")
        reduced = self._reduced(network, question, asked, clock.limits)
        if reduced.detected.interchange is not None:
            self._check_offered(question, asked, network)
        reduced.target.reporter = reporter
        try:
            finding = self._questions.find(question, reduced.target, asked)
        except Stopped as stop:
            return stopped(question, asked, stop)
        lifted = self._lifted(finding, asked, network, reduced)
        result = self._answering.result(question, asked, lifted, NetworkSystem(network), clock)
        report = SymmetryReport(reduced.detected.groups, reduced.detected.apart)
        return replace(result, symmetry=report)

    def _reduced(
        self, network: Network, question: Assertion, asked: FairnessAsked, limits: Limits
    ) -> _Reduced:
        seen = _asked(question, self._questions.meanings(question, asked))
        key = (network.name, seen, limits)
        if key not in self._reductions:
            if network.name not in self._detectors:
                self._detectors[network.name] = Detector(network)
            detected = self._detectors[network.name].detected(seen)
            target = NetworkTarget(replace(network, interchange=detected.interchange), limits)
            self._reductions[key] = _Reduced(detected, seen, target)
        return self._reductions[key]

    # ------------------------------------------------------------ what is offered

    def _check_offered(self, question: Assertion, asked: FairnessAsked, network: Network) -> None:
        """Raises `InputError` if exchanging processes might change the answer."""
        if self._questions.is_decided_by_finite_runs(question, asked, network):
            return
        problem = self._question_problem(question, asked)
        hint = None
        if problem is None and isinstance(question, Satisfies | SatisfiesBranching):
            problem = _fairness_problem(asked, network)
            hint = _COUNTERS_HINT
        if problem is not None:
            raise input_error(Code.SYMMETRY, f"symmetry might change the answer: {problem}", hint=hint)

    def _question_problem(self, question: Assertion, asked: FairnessAsked) -> str | None:
        globally_fair = asked.notion.is_global
        match question:
            case Deterministic():
                return "steps of different processes become one step, and choices disappear"
            case Progresses() | AllProgress():
                return "progress is about terminal sets, which are others if processes are exchanged"
            case Refines():
                return "refinement sees all events, and so who takes part in them"
            case Satisfies() if globally_fair:
                if not has_single_state_loops(self._questions.formula(question).violations):
                    return (
                        "strong global fairness does not keep the order of steps that the formula speaks of"
                    )
            case SatisfiesBranching() if globally_fair:
                if not is_ctl(self._questions.branching(question).checked):
                    return "strong global fairness does not keep formulas that are CTL* but not CTL"
            case _:
                pass
        return None

    # ------------------------------------------------------------ evidence

    def _lifted(self, finding: Finding, asked: FairnessAsked, network: Network, reduced: _Reduced) -> Finding:
        """The finding with runs of the system itself; those that show a formula of CTL are left out."""
        interchange = reduced.detected.interchange
        if interchange is None:
            return finding
        exchange = reduced.target.exchange
        lifting = Lifting(NetworkSystem(network), interchange, reduced.asked, exchange, STEP_LIMIT)
        shortfall = finding.shortfall
        if shortfall is not None:
            finding = replace(finding, shortfall=replace(shortfall, run=lifting.run(shortfall.run)))
        if finding.run is None or finding.demonstration is not None:
            return replace(finding, run=None, demonstration=None)
        try:
            globally_fair = asked.notion.is_global
            run = lifting.globally_fair(finding.run) if globally_fair else lifting.run(finding.run)
        except TooLong:
            reason = "limit of steps in a counterexample"
            return replace(finding, verdict=Verdict.UNKNOWN, run=None, reason=reason)
        return replace(finding, run=run)


def _fairness_problem(asked: FairnessAsked, network: Network) -> str | None:
    if asked.formula is not None and not asked.formula.is_closed:
        return "a fairness formula about all processes or events tells these apart"
    if asked.formula is not None and asked.notion.is_global:
        return "strong global fairness is kept only where nothing else is demanded"
    if network.annotations:
        return "annotations are about the events of each process"
    if not asked.notion.notion.is_symmetric:
        return f"{asked.notion.title} is about each process or event, and which it is gets lost"
    return None


def _asked(question: Assertion, meanings: list[Meaning]) -> Asked:
    """What a question looks at."""
    subjects = [subject_of(meaning) for meaning in meanings]
    objective = (question.objective.value,) if isinstance(question, ReachesOptimum) else ()
    return Asked(
        tuple(subject.labels for subject in subjects if isinstance(subject, EventAtom)),
        tuple(subject.processes for subject in subjects if isinstance(subject, ProcessAtom)),
        (*conditions_of(question, meanings), *objective),
    )
