"""Makes evidence about counted processes: judged runs of the processes themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.checker.answer import result_of
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.result import CountersReport, Result
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.validate import REPORT_IT
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.labels import IDLE
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.reduce.closed_component import closing
from fairlead.reduce.counters.concrete_judge import Judge
from fairlead.reduce.counters.concretise import concrete_run
from fairlead.reduce.counters.network import CountedNetwork

#: a run of the processes themselves is made if it has at most so many steps, times the number of processes
STEP_BUDGET = 100_000
#: of more processes than these, a run is judged on two in each local state, since all others do the same
FEW = 40


def counted_result(
    query: Query[Any],
    finding: Finding,
    reduction: CountedNetwork,
    network: Network,
    report: CountersReport,
    clock: Clock,
) -> Result:
    """A result with a run of the processes themselves if one can be made, else with counted ones."""
    abstract, concrete = NetworkSystem(reduction.network), NetworkSystem(network)
    groups = [merged.group for merged in reduction.symmetry.merged.values()]
    is_few = sum(len(group.members) for group in groups) <= FEW
    run = finding.run if finding.demonstration is None else None
    if run is not None and (is_few or _can_be_sampled(query, finding)):
        run = processes_run(query, run, reduction, network)
    else:
        run = None
    component = None
    if run is not None and query.asked.notion.is_global and run.loop and run.loop[0].event != IDLE:
        run, component = closing(concrete, run, STEP_BUDGET, clock.check) or (None, None)
        if component is not None and component.states is None:
            run = None  # of the counted component all is judged
    if run is None:
        result = result_of(query, finding, abstract, clock)
        return replace(result, counters=replace(report, is_counted=finding.run is not None))
    shown = replace(finding, run=run, shortfall=None, component=component)
    if is_few:
        result = result_of(query, shown, concrete, clock)
    else:
        judge = Judge(concrete, groups, reduction.symmetry.kind)
        evidence = _sampled(query, run, judge, concrete)
        result = replace(result_of(query, replace(shown, run=None), concrete, clock), evidence=evidence)
    return replace(result, shortfall=finding.shortfall, counters=report)


def processes_run(query: Query[Any], run: Run, reduction: CountedNetwork, network: Network) -> Run | None:
    """A run of counted processes as one of the processes themselves, unless that would be too long."""
    abstract, concrete = NetworkSystem(reduction.network), NetworkSystem(network)
    groups = [merged.group for merged in reduction.symmetry.merged.values()]
    same = reduction.symmetry.same
    return concrete_run(abstract, concrete, run, groups, same, query.asked.notion, STEP_BUDGET)


def _can_be_sampled(query: Query[Any], finding: Finding) -> bool:
    """Whether a run of very many processes can be judged by looking at some of them."""
    notion = query.asked.notion
    if notion is not Fairness.NONE and notion.subject is not Subject.PROCESSES:
        return False
    if finding.annotations or finding.conjuncts:
        return False
    sampling = kind_of(query.question).reductions.sampling
    return sampling is not None and sampling.possible(query)


def _sampled(query: Query[Any], run: Run, judge: Judge, system: NetworkSystem) -> Evidence:
    sampling = kind_of(query.question).reductions.sampling
    assert sampling is not None
    problem = judge.replay_problem(run) or sampling.problem(query, run, judge, system)
    if problem is not None:
        message = f"a counterexample of counted processes did not pass validation: {problem}"
        raise InternalError((Diagnostic(Code.INTERNAL, message, hint=REPORT_IT),))
    return Evidence(system, run, query.asked.notion)
