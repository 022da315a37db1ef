"""The nearest state in which a model fails at run time, for a question that a run-time error has ended."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.model.evaluation import Fault
from fairlead.model.expression import FALSE, Binary, Expression, Operator
from fairlead.model.run import Run
from fairlead.model.types import Type
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Statistics
from fairlead.outcome.limits import Clock
from fairlead.search.target import Goal, NetworkTarget


@dataclass(frozen=True)
class FaultFound:
    """A run-time error, a shortest run to a state in which it happens, and what was examined.

    There is no run if the system fails before it has an initial state, or if there is no time left for one.
    """

    fault: Fault
    run: Run | None
    statistics: Statistics


def nearest_fault(
    target: NetworkTarget, expressions: Iterable[Expression], clock: Clock
) -> FaultFound | None:
    """Explores breadth first until a step fails, or one of the expressions in a state; None if nothing does.

    Raises `Stopped` if a limit comes first. The target must be a fresh one, which is not used elsewhere.
    """
    try:
        graph = target.plain_graph()
    except Fault as fault:
        return FaultFound(fault, None, Statistics(0, 0, clock.seconds, 0, complete=False))
    probe = _probe(expressions)
    goal, code = (Goal.NONE, _native.NO_CODE) if probe is None else (Goal.CONDITION, target.code(probe))
    try:
        with target.working(Phase.EXPLORING, clock, graph):
            graph.explore(goal, code, target.limits.states)
            if not graph.complete:
                raise Stopped(LimitKind.STATES)
    except Fault as fault:
        return FaultFound(fault, fault.run, target.statistics(graph, clock, complete=False))
    return None


def _probe(expressions: Iterable[Expression]) -> Expression | None:
    """A condition that is never true, and fails wherever one of the expressions does."""
    probe: Expression | None = None
    for expression in expressions:
        value = expression
        if value.type is not Type.BOOL:
            value = Binary(Operator.EQUAL, expression, expression, Type.BOOL)
        never = Binary(Operator.AND, value, FALSE, Type.BOOL)
        probe = never if probe is None else Binary(Operator.OR, probe, never, Type.BOOL)
    return probe
