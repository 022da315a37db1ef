"""Assigns paths to members in each round of a loop, so that each is back in its place after some rounds.

A round of the loop of a counted run takes some members along paths: from a place at the start of the round to
one at its end. Which members of a place take the paths from there is free, and may differ from round to
round. As many arrive at a place as have left it, so the paths fall into cycles. A crew with one member at
each place of a cycle of n paths is back in place after n rounds. If all members of some places have to move,
crews take turns; or, where that is sooner, all stand in line: in each round who is first at a place goes to
the next one, and all are back in place after as many rounds as there are members.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heapreplace

from fairlead.base.records import dataclass
from fairlead.model.tree import LocalState

#: the name of a group and a local state
Place = tuple[str, LocalState]


@dataclass(frozen=True)
class Path:
    """A member, who stands for any other at the same place, is taken from one place to another."""

    member: str
    start: Place
    end: Place


@dataclass(frozen=True)
class Cycle:
    """Paths of which each ends where the next one starts, and for each the members that take it."""

    paths: tuple[Path, ...]
    lines: tuple[list[str], ...]

    @property
    def members(self) -> int:
        """How many take part."""
        return sum(map(len, self.lines))

    def lasts(self, rounds: int) -> bool:
        """Whether after so many rounds all can have moved, and be back in place."""
        return self._in_line(rounds) or self._in_crews(rounds)

    def _in_line(self, rounds: int) -> bool:
        return rounds >= self.members and (rounds - self.members) % len(self.paths) == 0

    def _in_crews(self, rounds: int) -> bool:
        crews = max(map(len, self.lines))
        return rounds >= crews * len(self.paths) and rounds % len(self.paths) == 0

    def turns(self, rounds: int) -> Iterator[dict[str, str]]:
        """For each round who takes the path of whom."""
        number = 0
        if self._in_line(rounds):
            yield from self._turns_of(self.lines)
            number = self.members
        crew = 0
        while number < rounds:
            yield from self._turns_of([[line[crew % len(line)]] for line in self.lines])
            number += len(self.paths)
            crew += 1

    def _turns_of(self, lines: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
        waiting = [deque(line) for line in lines]
        for _ in range(sum(map(len, lines))):
            firsts = [line.popleft() for line in waiting]
            yield {path.member: first for path, first in zip(self.paths, firsts, strict=True)}
            for number, first in enumerate(firsts):
                waiting[(number + 1) % len(waiting)].append(first)


def cycles_of(paths: Sequence[Path]) -> list[Cycle]:
    """The paths as cycles, short ones first; each has only those in line whose paths they are."""
    leading: dict[Place, dict[Place, list[Path]]] = {}
    for path in paths:
        leading.setdefault(path.start, {}).setdefault(path.end, []).append(path)
    found = []
    for place in sorted(leading):
        found += [Cycle((path,), ([path.member],)) for path in leading[place].pop(place, [])]
    for place in sorted(leading):
        while leading[place]:
            cycle = _shortest_cycle(place, leading)
            found.append(Cycle(tuple(cycle), tuple([path.member] for path in cycle)))
    return found


def _shortest_cycle(place: Place, leading: Mapping[Place, dict[Place, list[Path]]]) -> list[Path]:
    """Takes the paths of a shortest cycle through a place away; there is one, since paths are balanced."""
    came_from: dict[Place, Place] = {}
    queue = [place]
    for current in queue:
        for end in leading[current]:
            if end not in came_from:
                came_from[end] = current
                queue.append(end)
    cycle: list[Path] = []
    end = place
    while not cycle or end != place:
        start = came_from[end]
        between = leading[start][end]
        cycle.append(between.pop())
        if not between:
            del leading[start][end]
        end = start
    return cycle[::-1]


def put_in_line(cycles: Sequence[Cycle], place: Place, members: Sequence[str]) -> bool:
    """Has all members of a place take part, where fewest do so far; whether there is a path from there."""
    lines = [
        (cycle.members, number, line)
        for number, cycle in enumerate(cycles)
        for path, line in zip(cycle.paths, cycle.lines, strict=True)
        if path.start == place
    ]
    if not lines:
        return not members
    heapify(lines)
    taken = {member for _, _, line in lines for member in line}
    for member in members:
        if member not in taken:
            length, number, line = lines[0]
            line.append(member)
            heapreplace(lines, (length + 1, number, line))
    return True


def rounds_needed(cycles: Sequence[Cycle], limit: int) -> int | None:
    """After how many rounds, not more than the limit, all can be back in place and have moved."""
    different = list({(len(cycle.paths), *map(len, cycle.lines)): cycle for cycle in cycles}.values())
    for rounds in range(1, limit + 1):
        if all(cycle.lasts(rounds) for cycle in different):
            return rounds
    return None
