"""Compositions built as one machine by the engine: for those that are too large for `compose.py`."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.model.composition import Composition
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine
from fairlead.model.machine_network import network_of
from fairlead.model.machine_operations import numbered_machine, union_of_alphabets
from fairlead.outcome.limits import Clock, Limits
from fairlead.reduce.system import ends_of
from fairlead.search.target import NetworkTarget


def composed_by_engine(
    machines: Sequence[Machine], priority: ActionPriority | None, *, name: str, max_states: int
) -> Machine:
    """The machines side by side as one machine: what `composed` gives, except for the numbers of states.

    Raises `LimitReached` beyond `max_states`, or if the memory does not suffice.
    """
    target = NetworkTarget(network_of(Composition(name, tuple(machines), priority)), Limits(max_states))
    graph = target.graph()
    try:
        target.explore_all(Clock(target.limits))
    except Stopped as stop:
        problem = f"'{name}' is too large to become a part of another composition ({stop.kind.value} reached)"
        hint = "it is more than a parallel composition (priority, minimal, …), so it must be built first"
        raise LimitReached((Diagnostic(Code.LIMIT, problem, hint=hint),)) from None
    labels = [TAU, *union_of_alphabets(machines)]
    known = {label: number for number, label in enumerate(labels)}
    # what is in no alphabet is an internal step of one machine
    label_of = [known.get(graph.action(action)[0], 0) for action in range(graph.action_count)]
    ended, failed = ends_of(target, graph)
    numbers: list[int] = []
    kept: list[int] = []
    for state in range(graph.state_count):
        numbers.append(ERROR_STATE if state in failed else len(kept))
        if state not in failed:
            kept.append(state)
    found = [[(label_of[action], numbers[to]) for action, to in graph.edges(state)] for state in kept]
    return numbered_machine(name, labels, found, [numbers[state] for state in ended])
