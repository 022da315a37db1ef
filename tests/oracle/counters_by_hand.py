"""Networks with counted processes, put together by hand: which are counted is told, not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from oracle.counters import Groups

from fairlead.model.expression import Expression
from fairlead.model.network import Behaviour, Edge, Network, Place
from fairlead.model.tree import Counted, Leaf, LocalState, Parallel, Tree, subtrees, with_subtrees


class NamesByState:
    """Members are called by their group and where they are."""

    def member_process(self, group: str, state: LocalState) -> str:
        return f"{group}@{state.position}{list(state.parameters)}"

    def tallies(self, group: str, state: LocalState) -> Sequence[tuple[int, int]]:
        return ()

    def conserved(self) -> Sequence[str]:
        return ()


class CountedBehaviour:
    """A behaviour whose interleavings keep how many processes of some groups are in each local state."""

    def __init__(self, concrete: Behaviour, groups: Groups) -> None:
        self._concrete = concrete
        self._groups = groups

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        # what a member becomes is put into its group by the group itself
        whole = self._concrete.compose(state, process, values)
        is_member = "@" in process or process in self._groups.names
        return whole if is_member else self._counted(whole)

    def _counted(self, tree: Tree) -> Tree:
        parts = tuple(self._counted(part) for part in subtrees(tree))
        if not isinstance(tree, Parallel) or tree.alphabets is not None or tree.ends is not None:
            return with_subtrees(tree, parts)
        kept: list[Tree] = []
        members: dict[str, list[LocalState]] = {}
        for part in parts:
            group = self._groups.of(part.process) if isinstance(part, Leaf) else None
            if group is None:
                kept.append(part)
            else:
                assert isinstance(part, Leaf)
                members.setdefault(group, []).append(part.state)
        nodes = [
            Counted(tuple(sorted((state, states.count(state)) for state in set(states))), group)
            for group, states in members.items()
        ]
        return nodes[0] if len(nodes) == 1 and not kept else Parallel((*kept, *nodes))

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        return self._concrete.edges(position)

    def composition_reads_values(self, position: int) -> bool:
        return self._concrete.composition_reads_values(position)

    def is_guard(self, position: int) -> bool:
        return self._concrete.is_guard(position)

    def condition(self, position: int) -> Expression:
        return self._concrete.condition(position)

    def place(self, position: int) -> Place:
        return self._concrete.place(position)


def counted_by_hand(network: Network, groups: Groups) -> Network:
    """The network with the processes of the groups counted."""
    return replace(network, behaviour=CountedBehaviour(network.behaviour, groups), counting=NamesByState())
