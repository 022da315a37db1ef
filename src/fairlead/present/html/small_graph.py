"""The state graph of a system, if it is small enough to be drawn, with a run in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from fairlead.base.diagnostics import FairleadError, has_more_than
from fairlead.base.records import dataclass
from fairlead.model.attempts import directions
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import TAU
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System
from fairlead.outcome.component import Component
from fairlead.present.draw.emphasis import emphasis
from fairlead.present.draw.svg import MOST_STATES, Surroundings, to_svg
from fairlead.present.html.markup import Markup

#: pictures with more arrows are not drawn either
MOST_TRANSITIONS = 160
_START = f"{TAU}[start]"


@dataclass(frozen=True)
class SmallGraph:
    """A graph, and the numbers that the states of the system have in it."""

    graph: ExplicitGraph
    numbers: Mapping[State, int] = field(repr=False)

    def picture(
        self, title: str, run: Run | None, *, terminal: bool = False, component: Component | None = None
    ) -> Markup:
        """The picture, with a run of the system and the terminal components, or one component, coloured."""
        drawn = None if run is None else self._numbered(run)
        stressed = emphasis(self.graph, drawn, terminal=terminal, component=component)
        return Markup(to_svg(self.graph, stressed, title=title, surroundings=Surroundings.PAGE))

    def _numbered(self, run: Run) -> Run:
        def numbered(steps: tuple[Step, ...]) -> tuple[Step, ...]:
            return tuple(Step(step.event, step.processes, self.numbers[step.target]) for step in steps)

        start, stem = self.numbers[run.start], numbered(run.stem)
        if self.graph.initial != start:
            start, stem = self.graph.initial, (Step(_START, frozenset(), start), *stem)
        return Run(start, stem, numbered(run.loop))


def small_graph(system: System, most: int = MOST_STATES) -> SmallGraph | str:
    """The graph of a system that has few enough states and transitions, or why there is none.

    It is explored on the reference semantics, as evidence is; states are numbered as they are met. A system
    with several initial states gets one more, from which an internal step leads to each.
    """
    starts = list(system.initial_states())
    numbers = {state: number for number, state in enumerate(starts)}
    transitions: dict[int, tuple[Step, ...]] = {}
    count = 0
    try:
        for state in (queue := list(starts)):
            found = []
            for step in system.steps(state):
                if step.target not in numbers:
                    if len(numbers) == most:
                        return has_more_than(most, "states")
                    numbers[step.target] = len(numbers)
                    queue.append(step.target)
                found.append(Step(step.event, step.processes, numbers[step.target]))
            transitions[numbers[state]] = tuple(found)
            count += len(found)
            if count > MOST_TRANSITIONS:
                return has_more_than(MOST_TRANSITIONS, "transitions")
    except FairleadError:
        return "an operation of the model fails in it"
    if isinstance(system, ExplicitGraph):
        numbers = {state: state for state in numbers if isinstance(state, int)}
        return SmallGraph(system, numbers)
    initial = 0
    if len(starts) > 1:
        initial = len(numbers)
        transitions[initial] = tuple(Step(_START, frozenset(), numbers[state]) for state in starts)
    return SmallGraph(_listed(system, numbers, transitions, initial), numbers)


def _listed(
    system: System, numbers: Mapping[State, int], transitions: dict[int, tuple[Step, ...]], initial: int
) -> ExplicitGraph:
    """The graph, with the description of each state."""
    terminated: set[int] = set()
    errors: dict[int, str] = {}
    values: dict[int, dict[str, Any]] = {}
    ways: dict[tuple[int, Step], tuple[str, str]] = {}
    for state, number in numbers.items():
        values[number] = system.describe(state)
        for step, way in directions(system, state).items():
            ways[number, Step(step.event, step.processes, numbers[step.target])] = way
        if transitions[number]:
            continue
        failed = system.failed_process(state)
        if failed is not None:
            errors[number] = failed
        elif system.has_terminated(state):
            terminated.add(number)
    listed = ExplicitGraph(len(transitions), initial, transitions, {}, frozenset(terminated), errors=errors)
    return replace(listed, values=values, directions=ways)
