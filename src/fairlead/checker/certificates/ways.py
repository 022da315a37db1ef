"""Distances and ranks for certificates: ways to actions, ends of internal steps, and runs step by step."""

from __future__ import annotations

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.certify.questions import Asked
from fairlead.certify.states import States
from fairlead.checker.certificates.explored import Explored
from fairlead.model.assertion import ProgressAssertion
from fairlead.model.components import strong_components
from fairlead.model.labels import is_internal
from fairlead.model.run import Run

#: for each state its distance + 1 (0 in the dead zone), and the number of the step that it names
Ways = dict[int, tuple[int, int]]


def run_places(asked: Asked, explored: Explored, run: Run) -> tuple[int, list[int]]:
    """Which initial state a run starts in, and for each step its number among those of its state."""
    states = States(asked.found)
    names = [data for data, _ in states.initial()]
    data = states.encode(run.start)
    begin, places = names.index(data), []
    state = run.start
    for step in run.stem:
        tick()
        listed = [one.step for one in states.steps(data, state)]
        places.append(listed.index(step))
        data, state = states.encode(step.target), step.target
    return begin, places


def internal_ranks(explored: Explored) -> list[int]:
    """A rank for each state that internal steps decrease."""
    inner = [
        [target for action, target in row if is_internal(explored.action(action)[0])] for row in explored.rows
    ]
    ranks = [0] * len(inner)
    for members in strong_components(len(inner), inner.__getitem__):
        tick()
        (state, *others) = members
        if others or state in inner[state]:
            problem = "the search says that internal steps end, and they need not"
            raise InternalError((Diagnostic(Code.INTERNAL, f"no certificate: {problem}"),))
        ranks[state] = max((ranks[target] + 1 for target in inner[state]), default=0)
    return ranks


def progress_ways(explored: Explored, question: ProgressAssertion) -> list[Ways]:
    """For each goal the ways to it; a state without one is missing."""
    if question.needs_all:
        return [_ways_to(explored, frozenset({action}), {}) for action in sorted(question.demanded)]
    dead = {} if question.condition is None else dict.fromkeys(_dead(explored, question.condition), (0, 0))
    return [_ways_to(explored, question.demanded, dead)]


def _dead(explored: Explored, condition: frozenset[str]) -> list[int]:
    """The states from which no step with an action of a condition can be reached."""
    into: list[list[int]] = [[] for _ in explored.rows]
    alive: dict[int, None] = {}
    for state, row in enumerate(explored.rows):
        tick()
        for action, target in row:
            into[target].append(state)
            if explored.action(action)[0] in condition:
                alive[state] = None
    for state in (order := list(alive)):
        tick()
        for source in into[state]:
            if source not in alive:
                alive[source] = None
                order.append(source)
    return [state for state in range(len(explored.rows)) if state not in alive]


def _ways_to(explored: Explored, goals: frozenset[str], known: Ways) -> Ways:
    ways = dict(known)
    into: list[list[tuple[int, int]]] = [[] for _ in explored.rows]
    for state, row in enumerate(explored.rows):
        tick()
        for edge, (action, target) in enumerate(row):
            into[target].append((state, edge))
            if state not in ways and explored.action(action)[0] in goals:
                ways[state] = 1, explored.place(state, edge)
    for state in (order := list(ways)):
        tick()
        for source, edge in into[state]:
            if source not in ways:
                ways[source] = ways[state][0] + 1, explored.place(source, edge)
                order.append(source)
    return ways
