"""Configurations with their processes exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

from fairlead.base.records import dataclass
from fairlead.model.interchange import Family, Interchange
from fairlead.model.tree import Configuration, Leaf, LocalState, Parallel


@dataclass(frozen=True)
class Renaming:
    """Each member of an interchange takes the place of the member that `to` names."""

    interchange: Interchange
    to: tuple[int, ...]

    @classmethod
    def identity(cls, interchange: Interchange) -> Renaming:
        """The identity."""
        return cls(interchange, tuple(range(len(interchange.numbers))))

    def after(self, first: Renaming) -> Renaming:
        """This one, when the first has been carried out."""
        return Renaming(self.interchange, tuple(self.to[member] for member in first.to))

    @cached_property
    def inverse(self) -> Renaming:
        """The inverse."""
        back = {place: member for member, place in enumerate(self.to)}
        return Renaming(self.interchange, tuple(back[member] for member in range(len(self.to))))

    def number(self, kind: int | None, number: int) -> int:
        """What becomes of a value that is a number of a kind, or (None) a plain one."""
        member = None if kind is None else self.interchange.members[kind].get(number)
        return number if member is None else self.interchange.numbers[self.to[member]]

    def local(self, state: LocalState) -> LocalState:
        """What becomes of a local state."""
        kinds = self.interchange.parameters.get(state.position, ())
        values = list(state.parameters)
        for place, kind in enumerate(kinds):
            values[place] = self.number(kind, values[place])
        return LocalState(state.position, tuple(values))

    def configuration(self, configuration: Configuration) -> Configuration:
        """What becomes of a configuration; a tree that is not that of the interchange stays."""
        tree, interchange = configuration.tree, self.interchange
        values = list(configuration.values)
        for family in interchange.variables:
            for slot, place in self._moves(family):
                values[place] = self.number(family.holds, configuration.values[slot])
        if not has_processes(configuration, interchange):
            return Configuration(tuple(values), tree)
        assert isinstance(tree, Parallel)
        leaves = list(tree.components)
        for family in interchange.leaves:
            for number, place in self._moves(family):
                before, after = tree.components[number], tree.components[place]
                assert isinstance(before, Leaf)
                assert isinstance(after, Leaf)
                leaves[place] = Leaf(self.local(before.state), after.process)
        return Configuration(tuple(values), Parallel(tuple(leaves), tree.alphabets, tree.ends))

    def _moves(self, family: Family) -> list[tuple[int, int]]:
        """From which place to which, for all places of a family."""
        interchange = self.interchange
        rows: list[Sequence[int]] = []
        for block in family.blocks:
            first = interchange.first_members[block]
            rows.append(range(first, first + len(interchange.blocks[block])))
        tuples = list(product(*rows))
        places = dict(zip(tuples, family.places, strict=True))
        found = []
        for members in tuples:
            before, after = places[members], places[tuple(self.to[member] for member in members)]
            if before is not None:
                assert after is not None
                found.append((before, after))
        return found


def has_processes(configuration: Configuration, interchange: Interchange) -> bool:
    """Whether a configuration has the processes that an interchange is about."""
    tree, other = configuration.tree, interchange.tree
    if not isinstance(tree, Parallel) or not isinstance(other, Parallel):
        return False
    return tree.alphabets == other.alphabets and [_name(part) for part in tree.components] == [
        _name(part) for part in other.components
    ]


def _name(tree: object) -> str | None:
    return tree.process if isinstance(tree, Leaf) else None
