"""Counted processes: what a network knows of them, and the arithmetic of counts.

Of the members of a `Counted` node it is only known how many are in each local state. All members in one local
state stand for one "process", whose name `Counting` gives: it can move if one of them can, and takes part
where one of them does (Sun et al., FM 2009; docs/explanation/counters.md tells why this is right under
fairness).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from fairlead.model.tree import Counted, LocalState, Tree, nodes


class Counting(Protocol):
    """What a network knows of its counted processes."""

    def member_process(self, group: str, state: LocalState) -> str:
        """The name of those members of a group that are in a local state."""
        ...

    def tallies(self, group: str, state: LocalState) -> Sequence[tuple[int, int]]:
        """The shared variables (by slot) that count members, with what one in a local state counts.

        They are the same variables for every local state of the group.
        """
        ...

    def conserved(self) -> Sequence[str]:
        """Names of members that are entered infinitely often iff they are left infinitely often.

        These are the local states, as far as they have been seen, of unboundedly many processes whose number
        does not change.
        """
        ...


def counted_node(
    numbers: Iterable[tuple[LocalState, int]], process: str, cutoff: int | None = None
) -> Counted:
    """The node with so many members in each local state; what is more than the cutoff is just many."""
    totals: Counter[LocalState] = Counter()
    for state, number in numbers:
        totals[state] += number
    kept = sorted((state, number) for state, number in totals.items() if number)
    if cutoff is not None:
        kept = [(state, min(number, cutoff + 1)) for state, number in kept]
    return Counted(tuple(kept), process, cutoff)


def after_moving(
    before: Counted, leaving: Sequence[LocalState], arriving: Sequence[LocalState]
) -> list[Counted]:
    """What may become of counted processes when some leave their local states and others arrive.

    It is one possibility, unless one leaves where there are many: then there may be just as many as the
    cutoff, or still more.
    """
    possible = [dict(before.members)]
    for state in leaving:
        possible = [
            {**numbers, state: number}
            for numbers in possible
            for number in _one_less(numbers[state], before.cutoff)
            if number >= 0
        ]
    found: dict[Counted, None] = {}
    for numbers in possible:
        for state in arriving:
            number = numbers.get(state, 0) + 1
            numbers[state] = number if before.cutoff is None else min(number, before.cutoff + 1)
        found[counted_node(numbers.items(), before.process, before.cutoff)] = None
    return list(found)


def _one_less(number: int, cutoff: int | None) -> tuple[int, ...]:
    return (number - 1,) if cutoff is None or number <= cutoff else (cutoff, number)


def number_text(number: int, cutoff: int | None) -> str:
    """A count for people: beyond the cutoff there are just many."""
    return "many" if cutoff is not None and number > cutoff else str(number)


def possible_numbers(least: int, cutoff: int) -> range:
    """The counts that stand for all numbers from `least` on."""
    return range(min(least, cutoff + 1), cutoff + 2)


def counted_nodes(tree: Tree) -> list[Counted]:
    """The counted processes of a tree."""
    return [node for node in nodes(tree) if isinstance(node, Counted)]


def tallied(tree: Tree, counting: Counting, values: Sequence[int]) -> tuple[int, ...]:
    """The values of the shared variables, with those that count processes as these are in the tree."""
    changed = list(values)
    for node in counted_nodes(tree):
        totals: Counter[int] = Counter()
        for state, number in node.members:
            for slot, weight in counting.tallies(node.process, state):
                totals[slot] += weight * number
        for slot, total in totals.items():
            changed[slot] = total if node.cutoff is None else min(total, node.cutoff + 1)
    return tuple(changed)
