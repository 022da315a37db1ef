"""Gives an explicit graph to the engine."""

from __future__ import annotations

from fairlead.engine import _native
from fairlead.engine.annotations import KINDS, EngineAnnotations
from fairlead.model.explicit import ExplicitGraph


class EngineGraph:
    """The engine's copy of an explicit graph; states keep their numbers."""

    def __init__(self, graph: ExplicitGraph, context: _native.Context) -> None:
        self.native = _native.ExplicitGraph(context, graph.state_count)
        self._propositions: dict[str, int] = {}
        self._graph = graph
        self.native.add_initial(graph.initial)
        reachable = self._reachable = _reachable(graph)
        self.reachable_states = sum(state not in graph.errors for state in reachable)
        for state in reachable:
            steps = graph.transitions.get(state, ())
            targets = [step.target for step in steps if isinstance(step.target, int)]
            actions = [self.native.add_action(step.event, sorted(step.processes)) for step in steps]
            self.native.add_state_edges(state, targets, actions)
        self.reachable_transitions = self.native.transition_count

    def proposition(self, name: str) -> int:
        """The engine's number of a proposition."""
        if name not in self._propositions:
            states = sorted(self._graph.propositions[name])
            self._propositions[name] = self.native.add_proposition(states)
        return self._propositions[name]

    def annotations(self) -> EngineAnnotations:
        """The annotations that are ready in some reachable state."""
        found = _native.Annotations(self.native)
        for state in self._reachable:
            ready = [
                found.number(KINDS.index(annotated.annotation), self.native.label(annotated.label))
                for annotated in sorted(self._graph.ready(state))
            ]
            found.set_ready(state, ready)
        return EngineAnnotations(self.native, found)


def _reachable(graph: ExplicitGraph) -> list[int]:
    """The states that can be reached, nearest first."""
    found = [graph.initial]
    known = {graph.initial}
    for state in found:
        for step in graph.transitions.get(state, ()):
            if step.target not in known:
                assert isinstance(step.target, int)
                known.add(step.target)
                found.append(step.target)
    return found
