"""Represents which processes can take each other's place, and what of a configuration goes with them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.model.tree import Tree


@dataclass(frozen=True)
class Family:
    """Places, one for each tuple of members of some blocks: shared slots, or leaves of the tree.

    They are listed row by row, None where a tuple has no place. Without blocks there is one place, which
    stays where it is. Shared slots may hold numbers of a kind.
    """

    blocks: tuple[int, ...]
    places: tuple[int | None, ...]
    holds: int | None = None


@dataclass(frozen=True)
class Interchange:
    """The numbers of processes that can be exchanged in configurations whose tree has the shape of `tree`.

    For each kind of numbers, `kinds` has its blocks: numbers of one block can be exchanged at will. Blocks
    are counted through all kinds, and so are the members of all blocks. `parameters` gives for each position
    which parameters are numbers, and of which kind.
    """

    tree: Tree
    kinds: tuple[tuple[tuple[int, ...], ...], ...]
    variables: tuple[Family, ...]
    leaves: tuple[Family, ...]
    parameters: Mapping[int, tuple[int | None, ...]]

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The blocks of all kinds: the numbers in each."""
        return tuple(block for blocks in self.kinds for block in blocks)

    @cached_property
    def first_members(self) -> tuple[int, ...]:
        """The first member of each block."""
        starts, count = [], 0
        for block in self.blocks:
            starts.append(count)
            count += len(block)
        return tuple(starts)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number of each member."""
        return tuple(number for block in self.blocks for number in block)

    @cached_property
    def members(self) -> tuple[Mapping[int, int], ...]:
        """For each kind, the member that a number is."""
        found: list[Mapping[int, int]] = []
        count = 0
        for blocks in self.kinds:
            own = [number for block in blocks for number in block]
            found.append({number: count + place for place, number in enumerate(own)})
            count += len(own)
        return tuple(found)
