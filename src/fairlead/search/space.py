"""The whole reachable system as an explicit graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.engine import _native
from fairlead.model.annotation import Annotated
from fairlead.model.attempts import directions
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import Proposition, State, Step
from fairlead.outcome.limits import Clock
from fairlead.search.explicit_target import ExplicitTarget
from fairlead.search.target import Target

#: the steps from the state that is added before several initial ones
_START = "τ[start]"


def explicit_graph(
    target: Target, propositions: Mapping[str, Proposition], *, with_values: bool = False
) -> ExplicitGraph:
    """Explores a system completely and lists its states and transitions.

    A system with several initial states gets one more, from which an internal step leads to each. Values of
    variables and positions of processes are listed if they are asked for.
    """
    if isinstance(target, ExplicitTarget):
        return target.explicit
    clock = Clock(target.limits)
    graph = _explored(target, clock)
    seen = _Seen(target) if with_values else None
    transitions: dict[int, tuple[Step, ...]] = {}
    holding: dict[str, set[int]] = {name: set() for name in propositions}
    terminated: set[int] = set()
    errors: dict[int, str] = {}
    annotations: dict[Annotated, set[int]] = {}
    names = [graph.action(number) for number in range(graph.action_count)]
    for number in range(graph.state_count):
        _check(clock, graph)
        edges = graph.edges(number)
        transitions[number] = tuple(
            Step(names[action][0], frozenset(names[action][1]), successor) for action, successor in edges
        )
        state = target.state(graph, number)
        for name, proposition in propositions.items():
            if target.system.holds(proposition, state):
                holding[name].add(number)
        for annotated in target.system.ready(state) if target.system.annotation_kinds else ():
            annotations.setdefault(annotated, set()).add(number)
        if seen is not None:
            seen.look(number, state, graph)
        if not edges and target.system.has_terminated(state):
            terminated.add(number)
        failed = None if edges else target.system.failed_process(state)
        if failed is not None:
            errors[number] = failed
    initial, count = graph.initial[0], graph.state_count
    if len(graph.initial) > 1:
        initial, count = count, count + 1
        transitions[initial] = tuple(Step(_START, frozenset(), successor) for successor in graph.initial)
    frozen = {name: frozenset(states) for name, states in holding.items()}
    ready = {annotated: frozenset(states) for annotated, states in annotations.items()}
    listed = ExplicitGraph(count, initial, transitions, frozen, frozenset(terminated), ready, errors)
    return listed if seen is None else replace(listed, values=seen.values, directions=seen.directions)


class _Seen:
    """What is observed in the states of a system besides their transitions."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.values: dict[int, Mapping[str, Any]] = {}
        self.directions: dict[tuple[int, Step], tuple[str, str]] = {}

    def look(self, number: int, state: State, graph: _native.Graph) -> None:
        """Notes the values in a state, and who sends and receives in the handshakes from it."""
        self.values[number] = self._target.system.describe(state)
        ways = directions(self._target.system, state)
        if not ways:
            return
        after = {successor: self._target.state(graph, successor) for _, successor in graph.edges(number)}
        for successor, configuration in after.items():
            for step, way in ways.items():
                if step.target == configuration:
                    self.directions[number, Step(step.event, step.processes, successor)] = way


def system_size(target: Target) -> tuple[int, int]:
    """How many states and transitions the reachable system has, without listing them."""
    return target.counts(_explored(target, Clock(target.limits)))


def run_in_graph(target: Target, run: Run) -> Run | None:
    """A run of a system as one of its explicit graph, or None if some state of it is not there."""
    if isinstance(target, ExplicitTarget):
        return run
    clock = Clock(target.limits)
    graph = _explored(target, clock)
    wanted = {run.start, *(step.target for step in (*run.stem, *run.loop))}
    numbers: dict[State, State] = {}
    for number in range(graph.state_count):
        _check(clock, graph)
        state = target.state(graph, number)
        if state in wanted:
            numbers[state] = number
    if wanted - numbers.keys():
        return None

    def numbered(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(Step(step.event, step.processes, numbers[step.target]) for step in steps)

    start, stem = numbers[run.start], numbered(run.stem)
    if len(graph.initial) > 1:
        start, stem = graph.state_count, (Step(_START, frozenset(), start), *stem)
    return Run(start, stem, numbered(run.loop))


def _explored(target: Target, clock: Clock) -> _native.Graph:
    """The complete graph in the engine."""
    graph: _native.Graph | None = None
    try:
        graph = target.graph()
        target.explore_all(clock)
    except Stopped as stop:
        states = 0 if graph is None else graph.state_count
        problem = f"the graph is not complete after {states} states ({stop.kind.value} reached)"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),)) from None
    return graph


def _check(clock: Clock, graph: _native.Graph) -> None:
    """Ends the work on a complete graph when the time is up."""
    try:
        clock.check()
    except Stopped as stop:
        problem = f"the {graph.state_count} states could not be listed in time ({stop.kind.value} reached)"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),)) from None
