"""The whole reachable system as an explicit graph."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.check.limits import Clock, LimitKind, Stopped
from fairlead.check.target import ExplicitTarget, Target
from fairlead.errors import Code, Diagnostic, LimitReached
from fairlead.model.annotation import Annotated
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Proposition, Step


def explicit_graph(target: Target, propositions: Mapping[str, Proposition]) -> ExplicitGraph:
    """Explores a system completely and lists its states and transitions.

    A system with several initial states gets one more, from which an internal step leads to each.
    """
    if isinstance(target, ExplicitTarget):
        return target.explicit
    clock = Clock(target.limits)
    graph = target.graph()
    try:
        with target.working("exploring", clock, graph):
            if not target.explore(target.limits.states):
                raise Stopped(LimitKind.STATES)
    except Stopped as stop:
        problem = f"the graph is not complete after {graph.state_count} states ({stop.kind.value} reached)"
        raise LimitReached((Diagnostic(Code.LIMIT, problem),)) from None
    transitions: dict[int, tuple[Step, ...]] = {}
    holding: dict[str, set[int]] = {name: set() for name in propositions}
    terminated: set[int] = set()
    errors: dict[int, str] = {}
    annotations: dict[Annotated, set[int]] = {}
    names = [graph.action(number) for number in range(graph.action_count)]
    for number in range(graph.state_count):
        clock.check()
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
        if not edges and target.system.has_terminated(state):
            terminated.add(number)
        failed = None if edges else target.system.failed_process(state)
        if failed is not None:
            errors[number] = failed
    initial, count = graph.initial[0], graph.state_count
    if len(graph.initial) > 1:
        initial, count = count, count + 1
        transitions[initial] = tuple(Step("τ[start]", frozenset(), successor) for successor in graph.initial)
    frozen = {name: frozenset(states) for name, states in holding.items()}
    ready = {annotated: frozenset(states) for annotated, states in annotations.items()}
    return ExplicitGraph(count, initial, transitions, frozen, frozenset(terminated), ready, errors)
