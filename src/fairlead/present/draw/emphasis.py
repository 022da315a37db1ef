"""What a drawing stresses: the steps of a run, and groups of states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.system import State, Step
from fairlead.outcome.component import Component
from fairlead.present.draw.groups import (
    NO_GROUPS,
    FormulaStates,
    Grouping,
    component_group,
    formula_groups,
    terminal_groups,
)


class Mark(IntEnum):
    """Which part of a run something belongs to; what is in both belongs to the loop."""

    NONE = 0
    STEM = 1
    LOOP = 2


@dataclass(frozen=True)
class Emphasis:
    """Marks of states and transitions, and the groups that have tints."""

    states: Mapping[int, Mark] = field(default_factory=dict)
    steps: Mapping[tuple[int, Step], Mark] = field(default_factory=dict)
    grouping: Grouping = NO_GROUPS

    def of_state(self, state: int) -> Mark:
        """The mark of a state."""
        return self.states.get(state, Mark.NONE)

    def of_step(self, source: int, step: Step) -> Mark:
        """The mark of a transition."""
        return self.steps.get((source, step), Mark.NONE)


def emphasis(
    graph: ExplicitGraph,
    run: Run | None = None,
    *,
    terminal: bool = False,
    formula: FormulaStates | None = None,
    component: Component | None = None,
) -> Emphasis:
    """What to stress: a run of the graph, and the terminal components or the states of a formula.

    Without these, the component that a run ends in.
    """
    if terminal and formula is not None:
        problem = "a state has one tint: for its terminal component or for a formula, not for both"
        raise input_error(Code.USAGE, problem)
    grouping = NO_GROUPS
    if terminal:
        grouping = terminal_groups(graph)
    elif formula is not None:
        grouping = formula_groups(graph, formula)
    elif component is not None and run is not None and isinstance(run.loop_start, int):
        grouping = component_group(graph, run.loop_start, component)
    if run is None:
        return Emphasis(grouping=grouping)
    states: dict[int, Mark] = {}
    steps: dict[tuple[int, Step], Mark] = {}
    state: State = run.start
    parts = [(step, Mark.STEM) for step in run.stem] + [(step, Mark.LOOP) for step in run.loop]
    for step, mark in parts:
        assert isinstance(state, int)
        states[state] = max(mark, states.get(state, mark))
        if step.event != IDLE:  # a state that repeats forever has no transition to show for it
            steps[state, step] = max(mark, steps.get((state, step), mark))
        state = step.target
    assert isinstance(state, int)
    last = Mark.LOOP if run.loop else Mark.STEM
    states[state] = max(last, states.get(state, last))
    return Emphasis(states, steps, grouping)
