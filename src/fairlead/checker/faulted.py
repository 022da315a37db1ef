"""The result of a check that a run-time error of the model has ended, with a run that leads to the error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairlead.base.allowance import Stopped
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import conditions_of, system_of
from fairlead.checker.result import Result, subject_of
from fairlead.checker.strategies.strategy import Work
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.faults import FaultReached, ReachesFault
from fairlead.evidence.validate import replay_problem, validate
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.evaluation import Fault
from fairlead.model.expression import Expression
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.finding import Statistics, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.faults import FaultFound, nearest_fault
from fairlead.search.reach import METHOD
from fairlead.search.target import NetworkTarget

#: if a run is known, so many states are examined for a shorter one
MOST_STATES = 200_000


def expressions_of(query: Query[Any]) -> tuple[Expression, ...]:
    """All that a question evaluates in a state, and that may fail there."""
    return (*conditions_of(query), *kind_of(query.question).reductions.quantities(query.question))


def fault_result(query: Query[Any], fault: Fault, work: Work) -> Result:
    """An error as the answer: of all that can fail, what is nearest to the start, in the whole system.

    However the question was to be answered, the run is one of the system itself. A run that the search has
    found is taken if a shortest one is far; without any, the error is reported as it was met.
    """
    network = system_of(query)
    assert isinstance(network, Network)
    asked = expressions_of(query)
    system = NetworkSystem(network)
    known = None if fault.run is None else _known(system, fault, asked)
    found = _nearest(network, asked, work, known)
    if found is None:
        found = known or FaultFound(fault, None, Statistics(0, 0, work.clock.seconds, 0, complete=False))
    problem = found.fault.diagnostics[0]
    evidence = None
    if found.run is not None:
        explanation = validate(system, found.run, ReachesFault(problem.to_json(), asked))
        evidence = Evidence(system, found.run, Fairness.NONE, explanation=explanation)
    return Result(
        query.question.text,
        query.asked.notion,
        Verdict.ERROR,
        evidence,
        found.statistics,
        problem.code.value,
        METHOD,
        subject=subject_of(query.question),
        fair=None if query.asked.formula is None else query.asked.formula.text,
        is_shortest=None if evidence is None else found is not known,
        fault=problem,
    )


def _known(system: NetworkSystem, fault: Fault, asked: tuple[Expression, ...]) -> FaultFound | None:
    """The run of a search, if it leads to such an error; where it was made one of the system, values that the
    error names may be other ones."""
    assert fault.run is not None
    met = fault.diagnostics[0].to_json()
    claim = ReachesFault({name: met[name] for name in met if name != "message"}, asked)
    if replay_problem(system, fault.run) is not None:
        return None
    judged = claim.judge(system, fault.run)
    if not isinstance(judged, FaultReached):
        return None
    same = Fault(judged.problem.code, judged.problem.message, judged.problem.span)
    return FaultFound(same, fault.run, Statistics(0, 0, 0.0, 0, complete=False))


def _nearest(
    network: Network, asked: tuple[Expression, ...], work: Work, known: FaultFound | None
) -> FaultFound | None:
    limits = work.clock.left
    if known is not None:
        limits = replace(limits, max_states=min(limits.states, MOST_STATES))
    target = NetworkTarget(network, limits)
    target.reporter = work.reporter
    try:
        return nearest_fault(target, asked, Clock(limits))
    except Stopped:
        return None
