"""The reachable states of a network as a decision diagram, in the values of Python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.expression import Expression
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration

StateSet = _native.StateSet

#: which actions have a property: by the event and the processes that take part
IsMeant = Callable[[str, frozenset[str]], bool]


class EngineSpace:
    """A symbolic state space of the engine. `seed` is that of a random order of the levels, for tests."""

    def __init__(self, network: Network, context: _native.Context, seed: int = 0) -> None:
        self._engine = EngineNetwork(network)
        self._seed = seed
        self._actions: dict[int, tuple[str, frozenset[str]]] = {}
        self.native = _native.SymbolicSpace(self._engine.native, context)

    def explore(self) -> str | None:
        """Finds all reachable states; why the network cannot be encoded, if so."""
        starts = NetworkSystem(self._engine.network).initial_states()
        if len(starts) != 1:
            return "it has several initial states"
        (start,) = starts
        problem = self.native.begin(start.values, self._engine.tree_number(start.tree), self._seed)
        if problem is None:
            problem = self.native.explore()
        if problem is None:
            for number in self.native.used_actions():
                event, processes = self.native.action(number)
                self._actions[number] = (event, frozenset(processes))
        return problem

    @property
    def actions(self) -> Iterable[tuple[str, frozenset[str]]]:
        """The events of the steps between reachable states, with the processes that take part."""
        return self._actions.values()

    def relation(self, is_meant: IsMeant | None = None) -> int:
        """The steps by actions with a property, or all steps."""
        return self.native.relation(
            [number for number, action in self._actions.items() if is_meant is None or is_meant(*action)]
        )

    def holding(self, states: StateSet, condition: Expression) -> StateSet | None:
        """The states where a condition holds; None if it reads too many combinations of variables."""
        return self.native.holding(states, self._engine.condition(condition))

    def contains(self, states: StateSet, configuration: Configuration) -> bool:
        """Whether a configuration is in a set."""
        return self.native.contains(
            states, configuration.values, self._engine.tree_number(configuration.tree)
        )

    def single(self, configuration: Configuration) -> StateSet:
        """The set of one configuration, which must be reachable."""
        return self.native.single(configuration.values, self._engine.tree_number(configuration.tree))

    def first(self, states: StateSet) -> Configuration:
        """A configuration of a set that is not empty."""
        return self._engine.configuration_of(*self.native.first(states))

    def count(self, states: StateSet) -> int:
        """How many states a set has."""
        return int.from_bytes(_in_little_endian(self.native.count(states)), "little")


def _in_little_endian(words: bytes) -> bytes:
    if sys.byteorder == "little":
        return words
    return b"".join(words[at : at + 8][::-1] for at in range(0, len(words), 8))
