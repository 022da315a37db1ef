"""An explicit graph as something to be checked."""

from __future__ import annotations

from fairlead.engine import _native
from fairlead.engine.annotations import EngineAnnotations
from fairlead.engine.explicit import EngineGraph
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Proposition, State
from fairlead.outcome.limits import Limits
from fairlead.search.target import Target


class ExplicitTarget(Target):
    """An explicit graph: always complete."""

    def __init__(self, graph: ExplicitGraph, limits: Limits, beside: Target | None = None) -> None:
        super().__init__(limits, beside)
        with self._within_limits():
            self._engine = EngineGraph(graph, self._context)
        self._graph = graph
        self.system = graph

    @property
    def explicit(self) -> ExplicitGraph:
        """The system, known to be a graph."""
        return self._graph

    def graph(self) -> _native.ExplicitGraph:
        """The graph in the engine."""
        return self._engine.native

    def explored(self) -> _native.ExplicitGraph:
        """It is complete from the start."""
        return self._engine.native

    def explore(self, state_limit: int, until_stop: bool = False) -> bool:
        """There is nothing to explore."""
        return True

    def proposition(self, proposition: Proposition) -> int:
        """The number of a listed proposition."""
        return self._engine.proposition(proposition.meaning)

    def state(self, graph: _native.Graph, number: int) -> State:
        """States are their numbers."""
        return number

    def annotations(self, graph: _native.Graph) -> EngineAnnotations:
        """The listed annotations."""
        return self._engine.annotations()

    def discard(self) -> None:
        """Nothing: the graph was complete from the start."""

    def counts(self, graph: _native.Graph) -> tuple[int, int]:
        """Only what can be reached counts."""
        return self._engine.reachable_states, self._engine.reachable_transitions
