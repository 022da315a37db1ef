"""Where each member of the counted groups is, and who of them moves next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from itertools import chain

from fairlead.model.tree import LocalState
from fairlead.reduce.counters.concrete_steps import AWAY
from fairlead.reduce.counters.concrete_turns import Path, Place
from fairlead.reduce.counters.groups import Group


class Order(Enum):
    """Who of those at a place moves first."""

    FIRST_COME = "who has waited longest: all have their turns (FM 2009, lemma 2)"
    LAST_COME = "who has come last, or who gets home by it: few move, and are soon back"


class Places:
    """Who is where: at each place the members in the order in which they came there."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.order = Order.LAST_COME
        self._groups = {group.process: group for group in groups}
        self._at: dict[Place, list[str]] = {}
        for group in groups:
            self._at[group.process, AWAY] = list(reversed(group.members))
        self._home: dict[str, Place] = {}
        self._moved: set[str] = set()

    def begin_round(self, order: Order) -> None:
        """Remembers where the members are; from now on they move in this order."""
        self.order = order
        self._home = {member: place for place, there in self._at.items() for member in there}
        self._moved = set()

    def members_at(self, place: Place) -> list[str]:
        """Those at a place, as they came."""
        return list(self._at.get(place, ()))

    def occupied(self) -> list[Place]:
        """The places where a member is."""
        return [place for place, there in self._at.items() if there]

    def paths(self) -> list[Path]:
        """Where those went that have moved since the round began."""
        return [
            Path(member, self._home[member], place)
            for place, there in self._at.items()
            for member in there
            if member in self._moved or self._home[member] != place
        ]

    def choose(self, leaving: Sequence[Place], goals: Collection[Place]) -> tuple[str, ...]:
        """Who leaves each of the places; `goals` are the places they go to."""
        chosen: list[str] = []
        for place in leaving:
            there = self._at[place]
            if self.order is Order.FIRST_COME:
                chosen.append(next(member for member in there if member not in chosen))
                continue
            last_first = (member for member in reversed(there) if member not in chosen)
            last = next(last_first)
            getting_home = (
                member for member in chain((last,), last_first) if self._home.get(member) in goals
            )
            chosen.append(next(getting_home, last) if self._home else last)
        return tuple(chosen)

    def homecomings(self, movers: Sequence[str], goals: Sequence[Place]) -> int:
        """How many get home if they move so."""
        return sum(self._home.get(member) == goal for member, goal in zip(movers, goals, strict=True))

    def move(self, movers: Mapping[str, Place], leaving: Sequence[Place]) -> None:
        """Some members leave their places and go to others."""
        for (member, goal), place in zip(movers.items(), leaving, strict=True):
            self._at[place].remove(member)
            self._at.setdefault(goal, []).append(member)
            self._moved.add(member)

    def move_all(self, group: str) -> None:
        """All members of a group take part in a step."""
        self._moved |= set(self._groups[group].members)

    def gather(self, group: str, state: LocalState) -> None:
        """All members of a group are now in one local state; those that have not moved yet come first."""
        members = self._groups[group].members
        for place in [place for place in self._at if place[0] == group]:
            del self._at[place]
        waited = [member for member in members if member not in self._moved]
        others = [member for member in members if member in self._moved]
        there = [*waited, *others]
        self._at[group, state] = there if self.order is Order.FIRST_COME else there[::-1]
