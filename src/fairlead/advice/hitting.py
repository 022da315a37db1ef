"""Cheapest hitting sets: from each of many sets at least one member, at the least cost.

Sets of members are bits of integers. The search is branch and bound; the bound is the cost of sets that
share no member. When its patience is at an end, the best found so far is given, without a member that it
does not need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.records import dataclass


@dataclass(frozen=True)
class Hitting:
    """A hitting set; `is_cheapest` unless the search was given up."""

    members: int
    is_cheapest: bool


def bits(members: int) -> Iterator[int]:
    """The numbers of the members."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


def smallest_sets(sets: Sequence[int]) -> list[int]:
    """The sets that contain no other one: who hits these hits all."""
    kept: list[int] = []
    for candidate in sorted(set(sets), key=lambda members: (members.bit_count(), members)):
        if not any(known & candidate == known for known in kept):
            kept.append(candidate)
    return kept


def cheapest_hitting_set(
    sets: Sequence[int],
    costs: Sequence[int],
    blocked: Sequence[int] = (),
    implied: Sequence[int] | None = None,
    patience: int = 200_000,
) -> Hitting | None:
    """A cheapest set that hits all sets and contains none of the blocked ones; None if there is none.

    `implied[i]` are the members that come with i for nothing when it is compared with blocked sets.
    """
    return _Search(smallest_sets(sets), costs, blocked, implied, patience).result()


@dataclass
class _Frame:
    """Sets that are to be hit yet, what was chosen and what it costs, what is not to be chosen, what is
    next."""

    sets: list[int]
    chosen: int
    cost: int
    excluded: int
    choices: list[int]


class _Search:
    def __init__(
        self,
        sets: list[int],
        costs: Sequence[int],
        blocked: Sequence[int],
        implied: Sequence[int] | None,
        patience: int,
    ) -> None:
        self._sets = sets
        self._costs = costs
        self._blocked = blocked
        self._implied = implied
        self._patience = patience
        self._best: int | None = None
        self._best_cost = 0
        self._steps = 0

    def result(self) -> Hitting | None:
        self._search(0 if self._blocked else self._dominated())
        if self._best is None:
            return None
        return Hitting(self._irredundant(self._best), self._steps < self._patience)

    def _dominated(self) -> int:
        """Members in whose place another one is as good: it hits the same sets and costs no more."""
        where: dict[int, int] = {}
        for number, members in enumerate(self._sets):
            for member in bits(members):
                where[member] = where.get(member, 0) | 1 << number
        found = 0
        for member, hits in where.items():
            for other, others in where.items():
                if other == member or found >> other & 1 or hits & others != hits:
                    continue
                better = (self._costs[other], -others.bit_count(), other)
                if better < (self._costs[member], -hits.bit_count(), member):
                    found |= 1 << member
                    break
        return found

    def _search(self, excluded: int) -> None:
        """Depth first, without recursion: the user's model decides how many members are needed."""
        stack = [_Frame(self._sets, 0, 0, excluded, self._choices(self._sets, 0, 0, excluded))]
        while stack:
            frame = stack[-1]
            if not frame.choices or (self._steps >= self._patience and self._best is not None):
                stack.pop()
                continue
            member = frame.choices.pop()
            bit = 1 << member
            rest = [members for members in frame.sets if not members & bit]
            chosen, cost = frame.chosen | bit, frame.cost + self._costs[member]
            choices = self._choices(rest, chosen, cost, frame.excluded)
            stack.append(_Frame(rest, chosen, cost, frame.excluded, choices))
            frame.excluded |= bit  # from here on sets with it have been tried

    def _choices(self, sets: list[int], chosen: int, cost: int, excluded: int) -> list[int]:
        """The members to continue with, the best one last; none if there is nothing to be won."""
        self._steps += 1
        if self._is_blocked(chosen):
            return []
        if not sets:
            if self._best is None or cost < self._best_cost:
                self._best, self._best_cost = chosen, cost
            return []
        bound = self._bound(sets, excluded)
        if bound is None or (self._best is not None and cost + bound >= self._best_cost):
            return []
        allowed = [members & ~excluded for members in sets]
        tightest = min(allowed, key=lambda members: (members.bit_count(), members))
        return self._in_order(tightest, allowed)[::-1]

    def _in_order(self, members: int, sets: list[int]) -> list[int]:
        """Cheap ones that hit many sets first."""

        def promise(member: int) -> tuple[float, int]:
            hits = sum(1 for other in sets if other >> member & 1)
            return self._costs[member] / hits, member

        return sorted(bits(members), key=promise)

    def _bound(self, sets: list[int], excluded: int) -> int | None:
        """What sets that share no member cost at least; None if one of the sets cannot be hit any more."""
        used = excluded
        total = 0
        for members in sets:
            allowed = members & ~excluded
            if not allowed:
                return None
            if not allowed & used:
                total += min(self._costs[member] for member in bits(allowed))
                used |= allowed
        return total

    def _is_blocked(self, chosen: int) -> bool:
        if not self._blocked:
            return False
        if self._implied is not None:
            for member in bits(chosen):
                chosen |= self._implied[member]
        return any(chosen & known == known for known in self._blocked)

    def _irredundant(self, members: int) -> int:
        for member in sorted(bits(members), key=lambda one: (-self._costs[one], -one)):
            without = members & ~(1 << member)
            if all(without & others for others in self._sets):
                members = without
        return members
