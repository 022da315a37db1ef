"""The positions that processes can be at, found without exploring the system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass
from fairlead.model.expression import Constant, Expression
from fairlead.model.network import Edge, Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Guarded, LocalState, Sequel, Tree, leaves, nodes

#: beyond so many positions and compositions nothing is examined
MOST_PLACES = 2_000
#: a position with the values of its parameters, if these are known
_Place = tuple[int, tuple[int, ...] | None]


@dataclass(frozen=True)
class Places:
    """Positions with their edges, and the conditions of guards.

    If they are not `complete`, there may be others, which are known when the system is explored.
    """

    edges: tuple[Edge, ...]
    conditions: tuple[Expression, ...]
    complete: bool


def places_of(network: Network) -> Places:
    """Follows the edges from the initial states, and composes what is known to be composed."""
    return _Walk(network).places()


class _Walk:
    def __init__(self, network: Network) -> None:
        self._network = network
        self._found: dict[_Place, None] = {}
        self._order: list[_Place] = []
        self._complete = True
        self._edges: list[Edge] = []
        self._conditions: dict[int, Expression] = {}

    def places(self) -> Places:
        for state in NetworkSystem(self._network).initial_states():
            self._meet(self._in(state.tree))
        for position, parameters in self._order:
            if len(self._order) > MOST_PLACES:
                self._complete = False
                break
            edges = self._network.behaviour.edges(position)
            if edges is None:
                self._meet(self._composed(position, parameters))
                continue
            self._edges += edges
            self._meet(self._target(edge) for edge in edges)
        return Places(tuple(self._edges), tuple(self._conditions.values()), self._complete)

    def _meet(self, places: Iterator[_Place]) -> None:
        for place in places:
            if place not in self._found:
                self._found[place] = None
                self._order.append(place)

    def _target(self, edge: Edge) -> _Place:
        position = edge.target.position
        if self._network.behaviour.edges(position) is not None:
            return position, None
        return position, _known(edge.target.arguments)

    def _composed(self, position: int, parameters: tuple[int, ...] | None) -> Iterator[_Place]:
        """What a composite position stands for, if that is known."""
        behaviour, network = self._network.behaviour, self._network
        if parameters is not None:
            try:
                state = LocalState(position, parameters)
                tree = behaviour.compose(state, network.name, network.initial_values[0])
            except FairleadError:  # it may never be reached
                pass
            else:
                self._complete &= not behaviour.composition_reads(position)
                yield from self._in(tree)
                return
        self._complete = False

    def _in(self, tree: Tree) -> Iterator[_Place]:
        behaviour = self._network.behaviour
        for node in nodes(tree):
            if isinstance(node, Guarded):
                position = node.guard.position
                self._conditions[position] = behaviour.condition(position)
            elif isinstance(node, Sequel):
                composite = behaviour.edges(node.then.position) is None
                yield node.then.position, node.then.parameters if composite else None
        for leaf in leaves(tree):
            yield leaf.state.position, None


def _known(arguments: Sequence[Expression]) -> tuple[int, ...] | None:
    values = [argument.value for argument in arguments if isinstance(argument, Constant)]
    return tuple(values) if len(values) == len(arguments) else None
