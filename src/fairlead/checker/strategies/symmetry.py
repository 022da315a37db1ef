"""Symmetry: states that differ only in which interchangeable process is which are one.

docs/explanation/reduction.md has the proofs.
"""

from __future__ import annotations

from dataclasses import replace
from math import factorial, prod
from typing import Any, ClassVar

from fairlead.base.diagnostics import Code
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import (
    conditions_of,
    find,
    is_decided_by_finite_runs,
    meanings_of,
    system_of,
)
from fairlead.checker.result import Result, SymmetryReport
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Searched, Work, answer_by
from fairlead.model.assertion import EventAtom, ProcessAtom, subject_of
from fairlead.model.evaluation import Fault
from fairlead.model.interchange import Interchange
from fairlead.model.labels import IDLE
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import TOO_LONG, Limits
from fairlead.reduce.closed_component import closing
from fairlead.reduce.symmetry.detection import Detected, Detector
from fairlead.reduce.symmetry.lifting import Lifting, TooLong
from fairlead.reduce.symmetry.verification import Asked
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.target import NetworkTarget

#: a run of the system itself is made if it has at most so many steps, or so many transitions to look at
STEP_LIMIT = 20_000
_COUNTERS_HINT = "--counters preserves fairness to identical processes; or check without a reduction"


@dataclass(frozen=True)
class _Reduced:
    """A network in which processes may be exchanged, ready to be explored."""

    network: Network
    detected: Detected
    asked: Asked
    target: NetworkTarget


class Symmetry:
    """Answers questions about one model without distinguishing interchangeable processes."""

    title: ClassVar = "symmetry"
    code: ClassVar = Code.SYMMETRY
    best_effort: ClassVar = False

    def __init__(self, resources: Resources) -> None:
        self._detectors: dict[str, Detector] = {}
        self._reductions: dict[object, _Reduced] = {}

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """The processes of each block can stand in for each other in every order."""
        reduced = self._kept(query, work.options.limits)
        if isinstance(reduced, Refusal):
            return reduced
        interchange = reduced.detected.interchange
        if interchange is None:
            return Offer(1.0)
        return Offer(1 / prod(factorial(len(block)) for block in interchange.blocks))

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """What the search finds is made a run of the system itself."""
        return answer_by(self, query, work)

    def search(self, query: Query[Any], work: Work) -> Searched | Refusal:
        """Searches the graph of representatives."""
        reduced = self._kept(query, work.options.limits)
        if isinstance(reduced, Refusal):
            return reduced
        work.prepare(reduced.target)
        reduced.target.shows_components = True
        try:
            finding = find(query, reduced.target)
        except Fault as fault:
            fault.run = self._lifted_run(fault.run, reduced)
            raise
        lifted = self._lifted(query, work, finding, reduced)
        report = SymmetryReport(reduced.detected.groups, reduced.detected.apart)
        return Searched(lifted, NetworkSystem(reduced.network), {"symmetry": report})

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """A refusal is an error."""
        raise AssertionError(refusal)

    def _kept(self, query: Query[Any], limits: Limits) -> _Reduced | Refusal:
        """The reduced system, if it keeps the answer."""
        network = system_of(query)
        if not isinstance(network, Network):
            return Refusal("a graph has no processes that could be exchanged")
        reduced = self._reduced(query, network, limits)
        problem = None if reduced.detected.interchange is None else _problem(query, network)
        return reduced if problem is None else problem

    def _reduced(self, query: Query[Any], network: Network, limits: Limits) -> _Reduced:
        seen = _seen_by(query)
        key = (network.name, seen, limits)
        if key not in self._reductions:
            if network.name not in self._detectors:
                self._detectors[network.name] = Detector(network)
            detected = self._detectors[network.name].detected(seen)
            target = NetworkTarget(replace(network, interchange=detected.interchange), limits)
            self._reductions[key] = _Reduced(network, detected, seen, target)
        return self._reductions[key]

    # ------------------------------------------------------------ evidence

    def _lifted(self, query: Query[Any], work: Work, finding: Finding, reduced: _Reduced) -> Finding:
        """The finding with runs of the system itself; those that show a formula of CTL are left out."""
        interchange = reduced.detected.interchange
        if interchange is None:
            return finding
        lifting = _lifting(reduced, interchange)
        shortfall = finding.shortfall
        if shortfall is not None:
            finding = replace(finding, shortfall=replace(shortfall, run=lifting.run(shortfall.run)))
        if finding.run is None or finding.demonstration is not None:
            return replace(finding, run=None, demonstration=None)
        try:
            run = lifting.run(finding.run)
        except TooLong:
            return replace(finding, verdict=Verdict.UNKNOWN, run=None, reason=TOO_LONG)
        if not query.asked.notion.is_global or not run.loop or run.loop[0].event == IDLE:
            return replace(finding, run=run)
        closed = closing(lifting.system, run, tuning().judged_transitions, work.clock.check)
        assert closed is not None, "what representatives never leave the system never leaves"
        return replace(finding, run=closed[0], component=closed[1])

    def _lifted_run(self, run: Run | None, reduced: _Reduced) -> Run | None:
        """A run to a run-time error as one of the system itself."""
        interchange = reduced.detected.interchange
        if run is None or interchange is None:
            return run
        return _lifting(reduced, interchange).run(run)


def _lifting(reduced: _Reduced, interchange: Interchange) -> Lifting:
    system = NetworkSystem(reduced.network)
    return Lifting(system, interchange, reduced.asked, reduced.target.exchange, STEP_LIMIT)


def _problem(query: Query[Any], network: Network) -> Refusal | None:
    """Why exchanging processes might change the answer, if it might."""
    if is_decided_by_finite_runs(query, network):
        return None
    kind = kind_of(query.question)
    problem, hint = kind.reductions.symmetry(query), None
    if problem is None and kind.fairness.depends_on_subjects:
        problem, hint = _fairness_problem(query.asked, network), _COUNTERS_HINT
    if problem is None:
        return None
    return Refusal(f"symmetry might change the answer: {problem}", hint)


def _fairness_problem(asked: FairnessAsked, network: Network) -> str | None:
    if asked.formula is not None and not asked.formula.is_closed:
        return "a fairness formula about all processes or events distinguishes these"
    if asked.formula is not None and asked.notion.is_global:
        return "strong global fairness is preserved only if no other fairness is assumed"
    if network.annotations:
        return "annotations are about the events of each process"
    if not asked.notion.facts.is_symmetric:
        return f"{asked.notion.title} is about single processes or events, which are not distinguished"
    return None


def _seen_by(query: Query[Any]) -> Asked:
    """What a question looks at."""
    subjects = [subject_of(meaning) for meaning in meanings_of(query)]
    quantities = kind_of(query.question).reductions.quantities(query.question)
    return Asked(
        tuple(subject.labels for subject in subjects if isinstance(subject, EventAtom)),
        tuple(subject.processes for subject in subjects if isinstance(subject, ProcessAtom)),
        (*conditions_of(query), *quantities),
    )


STRATEGY = Symmetry
