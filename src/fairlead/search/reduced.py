"""A network that is explored with partial order reduction."""

from __future__ import annotations

from fairlead.base.diagnostics import InputError, unreached
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.model.network import Network
from fairlead.model.system import Proposition
from fairlead.outcome.limits import Limits
from fairlead.search.target import NetworkTarget

Proviso = _native.Proviso


@dataclass(frozen=True)
class Sight:
    """What a question can distinguish: conditions, events, whose steps there are, annotated events.

    If `first_step` matters, the initial states have all their steps.
    """

    proviso: Proviso
    conditions: tuple[Proposition, ...] = ()
    labels: frozenset[str] = frozenset()
    processes: frozenset[str] = frozenset()
    annotations: bool = False
    first_step: bool = False


class ReducedTarget(NetworkTarget):
    """Its graph has only the steps that are enough for questions with the given sight.

    A step may be added to a state at the very end, so searches wait until everything is explored.
    """

    def __init__(self, network: Network, limits: Limits, sight: Sight) -> None:
        super().__init__(network, limits)
        self._sight = sight
        #: why nothing can be reduced, if so; known when there is a graph
        self.problem: str | None = None

    @property
    def is_reduced(self) -> bool:
        """Its steps are known when all of them are."""
        return True

    def plain_graph(self) -> _native.NetworkGraph:
        """What must not be put off is seen from the transitions, so they are always kept."""
        return self.graph()

    def _new_graph(self, keep_edges: bool) -> _native.NetworkGraph:
        graph = super()._new_graph(keep_edges)
        sight = self._sight
        conditions = [self.proposition(condition) for condition in sight.conditions]
        try:
            with self._within_limits():
                self.problem = graph.reduce(
                    conditions,
                    sorted(sight.labels),
                    sorted(sight.processes),
                    sight.annotations,
                    sight.first_step,
                    sight.proviso,
                )
        except InputError as error:
            self.problem = unreached(error)
        return graph
