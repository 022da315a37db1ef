"""Counted networks made by hand: equal processes side by side are counted; and runs of them at random."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from fairlead.base.source import Source
from fairlead.evidence.remembering import RememberingSystem
from fairlead.lang.csp.library.python_files import load_python
from fairlead.lang.csp.model import CspModel
from fairlead.model.counting import counted_node
from fairlead.model.network import Behaviour, Network, WrappedBehaviour
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, idle_step
from fairlead.model.tree import Configuration, Leaf, LocalState, Parallel, Tree, subtrees, with_subtrees
from fairlead.reduce.counters.groups import Group


@dataclass
class Counting:
    """Counts the processes that have the same text, whatever an index (their first parameter) is, if any."""

    is_indexed: bool = False
    groups: dict[str, Group] = field(default_factory=dict)

    def member_process(self, group: str, state: LocalState) -> str:
        return f"{group} at {state.position}{list(state.parameters)}"

    def tallies(self, group: str, state: LocalState) -> Sequence[tuple[int, int]]:
        return ()

    def same(self, abstract: LocalState, concrete: LocalState) -> bool:
        first = 1 if self.is_indexed else 0
        return (abstract.position, abstract.parameters[first:]) == (
            concrete.position,
            concrete.parameters[first:],
        )

    def found_in(self, tree: Tree) -> Tree:
        """The tree with its groups counted; they are remembered."""
        parts = tuple(self.found_in(part) for part in subtrees(tree))
        if not isinstance(tree, Parallel) or tree.alphabets is not None:
            return with_subtrees(tree, parts) if parts else tree
        others: list[Tree] = []
        alike: list[list[Leaf]] = []
        for part in parts:
            if not isinstance(part, Leaf):
                others.append(part)
                continue
            known = next((leaves for leaves in alike if self.same(leaves[0].state, part.state)), None)
            if known is None:
                alike.append([part])
            else:
                known.append(part)
        others += [leaves[0] for leaves in alike if len(leaves) == 1]
        for leaves in alike:
            if len(leaves) > 1:
                states = tuple(leaf.state for leaf in leaves)
                name = f"*{leaves[0].process}"
                members = tuple(leaf.process for leaf in leaves)
                self.groups[name] = Group(name, members, states, states[0])
                others.append(counted_node([(states[0], len(leaves))], name))
        return Parallel(tuple(others))

    def abstracted(self, tree: Tree) -> Tree:
        """The counted tree that a tree of the concrete system stands for."""
        parts = tuple(self.abstracted(part) for part in subtrees(tree))
        if not isinstance(tree, Parallel) or tree.alphabets is not None:
            return with_subtrees(tree, parts) if parts else tree
        group_of = {member: group for group in self.groups.values() for member in group.members}
        others: list[Tree] = []
        members: dict[str, list[tuple[LocalState, int]]] = {}
        for part in parts:
            group = group_of.get(part.process) if isinstance(part, Leaf) else None
            if group is None:
                others.append(part)
            else:
                assert isinstance(part, Leaf)
                state = part.state
                if self.is_indexed and state.parameters:
                    index = group.representative.parameters[0]
                    state = LocalState(state.position, (index, *state.parameters[1:]))
                members.setdefault(group.process, []).append((state, 1))
        return Parallel((*others, *(counted_node(there, name) for name, there in members.items())))


class CountedBehaviour(WrappedBehaviour):
    """A behaviour in which equal processes side by side are counted."""

    def __init__(self, inner: Behaviour, counting: Counting) -> None:
        super().__init__(inner)
        self.counting = counting

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        tree = super().compose(state, process, values)
        return tree if process.startswith("*") else self.counting.found_in(tree)


@dataclass
class Pair:
    """A system and the same with its equal processes counted."""

    concrete: NetworkSystem
    counted: NetworkSystem
    counting: Counting

    def __post_init__(self) -> None:
        self.counted.initial_states()  # finds the groups
        self.judge = RememberingSystem(self.concrete)

    @property
    def groups(self) -> list[Group]:
        return list(self.counting.groups.values())

    def abstracted(self, state: State) -> Configuration:
        assert isinstance(state, Configuration)
        return Configuration(state.values, self.counting.abstracted(state.tree))


def pair_of(
    text: str, process: str, *, is_indexed: bool = False, definitions: dict[str, str] | None = None
) -> Pair:
    """The system of a process of a CSP# model, and the counted one."""
    model = CspModel(Source("model.csp", text), definitions or {}, load_python([]))
    network = model.system(process)
    assert isinstance(network, Network)
    counting = Counting(is_indexed)
    behaviour = CountedBehaviour(network.behaviour, counting)
    counted = NetworkSystem(replace(network, behaviour=behaviour, counting=counting))
    return Pair(NetworkSystem(network), counted, counting)


def random_walk(system: NetworkSystem, seed: random.Random, length: int) -> tuple[State, list[Step]]:
    """A random path; it ends where there are no steps."""
    start = state = seed.choice(system.initial_states())
    path: list[Step] = []
    while len(path) < length and (steps := system.steps(state)):
        path.append(seed.choice(steps))
        state = path[-1].target
    return start, path


def random_lassos(system: NetworkSystem, seed: random.Random, length: int) -> Iterator[Run]:
    """Lassos along a random path: short and long ones; where it ends for good, idling."""
    start, path = random_walk(system, seed, length)
    states: list[State] = [start, *(step.target for step in path)]
    if len(path) < length:
        yield Run(start, tuple(path), (idle_step(states[-1]),))
    at: dict[State, list[int]] = {}
    for number, state in enumerate(states):
        at.setdefault(state, []).append(number)
    loops = [pair for numbers in at.values() for pair in itertools.combinations(numbers, 2)]
    if loops:
        longest = max(loops, key=lambda pair: pair[1] - pair[0])
        for begin, end in [longest, *seed.sample(loops, min(2, len(loops)))]:
            yield Run(start, tuple(path[:begin]), tuple(path[begin:end]))
