"""The best value of a cost at a goal: a cheapest or a dearest run.

A variable of the network holds what the last step has added (reduce/variables): its sum is the cost of a run.
"""

from __future__ import annotations

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.diagnostics import Code
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.model.assertion import Objective, Optimum
from fairlead.model.evaluation import Fault, fault_message
from fairlead.model.system import Proposition
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.target import NetworkTarget

#: why a verdict is unknown if there is no best value
UNBOUNDED = "unbounded"
CHEAPEST = "cheapest run (Dijkstra)"
DEAREST = "dearest run (longest path over components)"


class BothSigns(Exception):
    """Some steps add to the cost and some take away from it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"steps add to '{name}' and take away from it")


@dataclass(frozen=True)
class CostQuestion:
    """For the best value of what at which goal is asked.

    If it is `known`, no step adds less than 0 (more than 0, if `negated`); otherwise all steps are examined.
    """

    goal: Proposition
    objective: Objective
    negated: bool
    known: bool

    @property
    def is_cheapest(self) -> bool:
        """Whether the best value is the one to which the least is added."""
        return (self.objective.optimum is Optimum.MIN) is not self.negated


def check_cost(target: NetworkTarget, question: CostQuestion, clock: Clock) -> Finding:
    """Holds, with the optimum and a shortest run that has it, if a goal can be reached; raises `BothSigns`.

    The verdict is unknown if there is no best value.
    """
    target.discard()  # states are explored in another order than for other questions
    graph = target.plain_graph() if question.is_cheapest else target.graph()
    method = CHEAPEST if question.is_cheapest else DEAREST
    try:
        with target.working(Phase.EXPLORING, clock, graph):
            found = _best_run(target, graph, question)
    except Stopped as stop:
        statistics = target.statistics(graph, clock, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, method)
    no_goal = found.status is _native.CostStatus.NO_GOAL
    is_all = no_goal or not question.is_cheapest or not question.known
    statistics = target.statistics(graph, clock, complete=is_all)
    match found.status:
        case _native.CostStatus.NO_GOAL:
            return Finding(Verdict.VIOLATED, None, statistics, None, method)
        case _native.CostStatus.BOTH_SIGNS:
            raise BothSigns(question.objective.text)
        case _native.CostStatus.TOO_LARGE:
            raise Fault(Code.OVERFLOW, fault_message(Code.OVERFLOW), None)
        case _native.CostStatus.UNBOUNDED:
            cycle = tuple(graph.action(action)[0] for action, _ in found.steps)
            return Finding(Verdict.UNKNOWN, None, statistics, UNBOUNDED, method, cycle=cycle)
    run = target.run(graph, found.start, found.steps, [])
    return Finding(Verdict.HOLDS, run, statistics, None, method, found.value)


def _best_run(target: NetworkTarget, graph: _native.NetworkGraph, question: CostQuestion) -> _native.BestRun:
    """Raises `Stopped` if there are more states than are allowed."""
    goal = target.proposition(question.goal)
    cost = target.proposition(Proposition(question.objective.text, question.objective.value))
    limit = target.most_states
    if not question.is_cheapest:
        if not target.explore(limit):
            raise Stopped(LimitKind.STATES)
        return _native.costliest_run(graph, goal, cost, question.negated)
    found = _native.cheapest_run(graph, goal, cost, question.negated, question.known, limit)
    if found.status is _native.CostStatus.STATE_LIMIT:
        raise Stopped(LimitKind.STATES)
    return found
