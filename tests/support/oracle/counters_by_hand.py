"""Networks with counted processes, put together by hand: which are counted is told, not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fairlead.model.network import Behaviour, Network, WrappedBehaviour
from fairlead.model.tree import Counted, Leaf, LocalState, Parallel, Tree, subtrees, with_subtrees
from tests.support.oracle.counters import Groups


class NamesByState:
    """Members are called by their group and where they are."""

    def member_process(self, group: str, state: LocalState) -> str:
        return f"{group}@{state.position}{list(state.parameters)}"

    def tallies(self, group: str, state: LocalState) -> Sequence[tuple[int, int]]:
        return ()

    def conserved(self) -> Sequence[str]:
        return ()


class CountedBehaviour(WrappedBehaviour):
    """A behaviour whose interleavings keep how many processes of some groups are in each local state."""

    def __init__(self, concrete: Behaviour, groups: Groups) -> None:
        super().__init__(concrete)
        self._groups = groups

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        # what a member becomes is put into its group by the group itself
        whole = super().compose(state, process, values)
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


def counted_by_hand(network: Network, groups: Groups) -> Network:
    """The network with the processes of the groups counted."""
    return replace(network, behaviour=CountedBehaviour(network.behaviour, groups), counting=NamesByState())
