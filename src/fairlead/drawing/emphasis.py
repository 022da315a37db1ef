"""What a drawing stresses: the steps of a run, and the terminal components of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from fairlead.model.components import reachable, strong_components
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
    """The reachable components that no transition leaves, in the order of their smallest states."""
    states = reachable(graph.initial, lambda state: _targets(graph, state))
    numbers = {state: number for number, state in enumerate(states)}
    targets = [[numbers[target] for target in _targets(graph, state)] for state in states]
    found = []
    for component in strong_components(len(states), targets.__getitem__):
        members = set(component)
        if all(target in members for number in component for target in targets[number]):
            found.append(sorted(states[number] for number in component))
    return sorted(found)


def _targets(graph: ExplicitGraph, state: int) -> list[int]:
    return [step.target for step in graph.transitions.get(state, ()) if isinstance(step.target, int)]
