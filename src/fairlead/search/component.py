"""Names the transitions of a fair part, so that others can find them again without the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from fairlead.engine import _native
from fairlead.model.labels import IDLE
from fairlead.model.state_space import StateSpace, space_of
from fairlead.outcome.component import Component, in_order
from fairlead.search.target import Target

#: source, action and target of a transition in the engine
RawTransition = tuple[int, int, int]


class ComponentNaming:
    """Goes through the states of a part on the reference semantics and in the engine at the same time."""

    def __init__(self, target: Target, graph: _native.Graph, transitions: Sequence[RawTransition]) -> None:
        self._target = target
        self._graph = graph
        self._space: StateSpace = space_of(target.system)
        self._names: dict[int, tuple[str, frozenset[str]]] = {}
        self._kept: dict[int, dict[tuple[str, frozenset[str]], list[int]]] = {}
        for source, action, after in transitions:
            self._kept.setdefault(source, {}).setdefault(self._name(action), []).append(after)
        self._transitions = len(transitions)

    def component(self, start: int, tick: Callable[[], None]) -> Component:
        """The part, described from a state of the engine on; `tick` is called for each state."""
        space = self._space
        first = space.number(self._target.state(self._graph, start))
        numbers, engine, places = [first], [start], {first}
        left_out: list[tuple[int, tuple[int, ...]]] = []
        for place, number in enumerate(numbers):
            tick()
            steps = space.steps(number) or [(IDLE, frozenset(), number)]
            steps = in_order(steps, space.state, space.system.describe)
            alike = Counter((event, processes) for event, processes, _ in steps)
            omitted: list[int] = []
            for position, (event, processes, after) in enumerate(steps):
                kept = self._kept[engine[place]].get((event, processes), [])
                if kept and alike[event, processes] > 1:
                    kept = [known for known in kept if self._number(known) == after]
                if not kept:
                    omitted.append(position)
                elif after not in places:
                    places.add(after)
                    numbers.append(after)
                    engine.append(kept[0])
            if omitted:
                left_out.append((place, tuple(omitted)))
        return Component(len(self._kept), self._transitions, tuple(left_out))

    def _number(self, known: int) -> int:
        return self._space.number(self._target.state(self._graph, known))

    def _name(self, action: int) -> tuple[str, frozenset[str]]:
        if action not in self._names:
            event, processes = self._graph.action(action)
            self._names[action] = event, frozenset(processes)
        return self._names[action]
