"""What a drawing stresses: the steps of a run, and the terminal components of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.system import State, Step


class Mark(IntEnum):
    """Which part of a run something belongs to; what is in both belongs to the loop."""

    NONE = 0
    STEM = 1
    LOOP = 2


@dataclass(frozen=True)
class Emphasis:
    """Marks of states and transitions, and the number of the terminal component of a state."""

    states: Mapping[int, Mark] = field(default_factory=dict)
    steps: Mapping[tuple[int, Step], Mark] = field(default_factory=dict)
    components: Mapping[int, int] = field(default_factory=dict)

    def of_state(self, state: int) -> Mark:
        """The mark of a state."""
        return self.states.get(state, Mark.NONE)

    def of_step(self, source: int, step: Step) -> Mark:
        """The mark of a transition."""
        return self.steps.get((source, step), Mark.NONE)


def emphasis(graph: ExplicitGraph, run: Run | None = None, *, terminal: bool = False) -> Emphasis:
    """What to stress for a run of the graph, and whether to tell terminal components apart."""
    components = terminal_components(graph) if terminal else []
    numbers = {state: number for number, states in enumerate(components) for state in states}
    if run is None:
        return Emphasis(components=numbers)
    states: dict[int, Mark] = {}
    steps: dict[tuple[int, Step], Mark] = {}
    state: State = run.start
    parts = [(step, Mark.STEM) for step in run.stem] + [(step, Mark.LOOP) for step in run.loop]
    for step, mark in parts:
        assert isinstance(state, int)
        states[state] = max(mark, states.get(state, mark))
        if step.event != IDLE:  # a state that repeats for ever has no transition to show for it
            steps[state, step] = max(mark, steps.get((state, step), mark))
        state = step.target
    assert isinstance(state, int)
    last = Mark.LOOP if run.loop else Mark.STEM
    states[state] = max(last, states.get(state, last))
    return Emphasis(states, steps, numbers)


def terminal_components(graph: ExplicitGraph) -> list[list[int]]:
    """The reachable components that no transition leaves, in the order of their smallest states.

    Tarjan's algorithm: when a component is complete, all that it reaches outside is in complete ones.
    """
    found: list[list[int]] = []
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    closed: dict[int, int] = {}  # the number of the component of each state that has one
    count = 0
    path: list[int] = []
    work: list[tuple[int, list[int]]] = [(graph.initial, _targets(graph, graph.initial))]
    index[graph.initial] = low[graph.initial] = 0
    path.append(graph.initial)
    while work:
        state, left = work[-1]
        if left:
            target = left.pop()
            if target not in index:
                index[target] = low[target] = len(index)
                path.append(target)
                work.append((target, _targets(graph, target)))
            elif target not in closed:
                low[state] = min(low[state], index[target])
            continue
        work.pop()
        if work:
            low[work[-1][0]] = min(low[work[-1][0]], low[state])
        if low[state] == index[state]:
            members = [path.pop()]
            while members[-1] != state:
                members.append(path.pop())
            closed |= dict.fromkeys(members, count)
            if all(closed.get(target) == count for one in members for target in _targets(graph, one)):
                found.append(sorted(members))
            count += 1
    return sorted(found)


def _targets(graph: ExplicitGraph, state: int) -> list[int]:
    return [step.target for step in graph.transitions.get(state, ()) if isinstance(step.target, int)]
