"""Live variables: which shared slots a process may read before it writes them, at each position.

Only slots that a single process uses are examined: a value that it does not read before it writes it is never
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from fairlead.base.diagnostics import has_more_than
from fairlead.base.records import dataclass
from fairlead.model.network import Network
from fairlead.model.tree import (
    Atomic,
    Configuration,
    Hidden,
    Leaf,
    Parallel,
    Prioritised,
    Tree,
    leaves,
    nodes,
)
from fairlead.reduce.variables.uses import Uses, flow_of, uses_of

#: beyond so many places in the text nothing is examined
MOST_POSITIONS = 5_000
#: arrays with more elements are not given a fixed value, which is done element by element
MOST_ELEMENTS = 16


class NotAnalysed(Exception):
    """Why it is not known which variables are dead."""


@dataclass(frozen=True)
class Liveness:
    """The slots with one user: who that is (the number of its leaf), and where they are live."""

    owners: Mapping[int, int]
    live: Mapping[int, frozenset[int]]
    #: the positions that only one leaf can be at, with its number
    exclusive: Mapping[int, int]
    leaf_count: int

    @cached_property
    def slots(self) -> frozenset[int]:
        """The slots that are dead somewhere."""
        return frozenset(self.owners)

    def dead_at(self, position: int, leaf: int) -> frozenset[int]:
        """The slots of a leaf whose values do not matter when it is at a position."""
        own = {slot for slot, owner in self.owners.items() if owner == leaf}
        return frozenset(own - self.live[position])

    def resets(self, source: int, target: int) -> frozenset[int]:
        """The slots that an edge between positions gives their fixed value: dead when it has been taken."""
        leaf = self.exclusive.get(source)
        return frozenset() if leaf is None else self.dead_at(target, leaf)

    def dead_in(self, tree: Tree) -> frozenset[int]:
        """The slots whose values do not matter in configurations with a tree."""
        where = list(leaves(tree))
        if len(where) != self.leaf_count:
            return self.slots  # terminated, or in ERROR: nothing happens any more
        found: frozenset[int] = frozenset()
        for number in self._leaf_numbers:
            found |= self.dead_at(where[number].state.position, number)
        return found

    @cached_property
    def _leaf_numbers(self) -> frozenset[int]:
        return frozenset(self.owners.values())


def liveness_of(network: Network, initial: Iterable[Configuration], seen: frozenset[int]) -> Liveness:
    """Where the variables with one user are live, except the slots that are `seen` by others.

    Raises `NotAnalysed`.
    """
    trees = list(dict.fromkeys(state.tree for state in initial))
    if len(trees) != 1 or not all(
        isinstance(node, Leaf | Parallel | Hidden | Atomic | Prioritised) for node in nodes(trees[0])
    ):
        raise NotAnalysed("the processes are composed with more than parallel operators")
    starts = [leaf.state.position for leaf in leaves(trees[0])]
    closures = {start: _closure(network, start) for start in dict.fromkeys(starts)}
    owners = _owners(network, [closures[start] for start in starts], seen)
    if not owners:
        raise NotAnalysed("no variable has a single process that uses it")
    live = _live(network, frozenset().union(*closures.values()))
    counts: dict[int, list[int]] = {}
    for number, start in enumerate(starts):
        for position in closures[start]:
            counts.setdefault(position, []).append(number)
    exclusive = {position: numbers[0] for position, numbers in counts.items() if len(numbers) == 1}
    found = Liveness(owners, live, exclusive, len(starts))
    dead = {
        slot
        for source in exclusive
        for edge in network.behaviour.edges(source) or ()
        for slot in found.resets(source, edge.target.position)
    }
    if not dead:
        raise NotAnalysed("no variable is always written before it is read again")
    return replace(found, owners={slot: owner for slot, owner in owners.items() if slot in dead})


def _closure(network: Network, start: int) -> frozenset[int]:
    found = {start}
    pending = [start]
    while pending:
        edges = network.behaviour.edges(pending.pop())
        if edges is None:
            raise NotAnalysed("a process can become several")
        for edge in edges:
            if edge.target.position not in found:
                found.add(edge.target.position)
                pending.append(edge.target.position)
        if len(found) > MOST_POSITIONS:
            raise NotAnalysed(f"a process {has_more_than(MOST_POSITIONS, 'positions')}")
    return frozenset(found)


def _owners(network: Network, closures: list[frozenset[int]], seen: frozenset[int]) -> dict[int, int]:
    """The slots of small variables that a single leaf uses, with its number."""
    small = {
        slot
        for variable in network.variables
        if variable.size <= MOST_ELEMENTS and not variable.is_counter
        for slot in range(variable.slot, variable.slot + variable.size)
    }
    users: dict[int, set[int]] = {}
    for number, positions in enumerate(closures):
        uses = Uses()
        for position in positions:
            for edge in network.behaviour.edges(position) or ():
                uses.add(uses_of(edge))
        for slot in (uses.read | uses.written) & small - seen:
            users.setdefault(slot, set()).add(number)
    return {slot: min(numbers) for slot, numbers in users.items() if len(numbers) == 1}


def _live(network: Network, positions: frozenset[int]) -> dict[int, frozenset[int]]:
    """The least solution of the equations of live variables."""
    flows = {
        position: [(flow_of(edge), edge.target.position) for edge in network.behaviour.edges(position) or ()]
        for position in positions
    }
    before: dict[int, set[int]] = {}
    for position, edges in flows.items():
        for _, target in edges:
            before.setdefault(target, set()).add(position)
    live: dict[int, frozenset[int]] = dict.fromkeys(positions, frozenset())
    pending = dict.fromkeys(positions)
    while pending:
        position, _ = pending.popitem()
        own = frozenset().union(*(flow.read | (live[to] - flow.written) for flow, to in flows[position]))
        if own != live[position]:
            live[position] = own
            pending |= dict.fromkeys(before.get(position, ()))
    return live
