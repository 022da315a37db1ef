"""What shows a formula of branching time: runs, and runs that branch off them."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.records import dataclass
from fairlead.logic.ltl import Exists, Formula
from fairlead.model.run import Run
from fairlead.model.system import State, Step


@dataclass(frozen=True)
class Branch:
    """A run that shows a formula at its first position.

    `parts` say, for positions of the run (0 is its start, i is after step i of stem and loop), what shows
    the existential formulas that are needed there. A run without a loop continues along its part at the last
    position, if there is one, or in any way.
    """

    formula: Exists
    run: Run
    parts: tuple[tuple[int, tuple[Branch, ...]], ...] = ()

    @property
    def last(self) -> int:
        """The last position of the run."""
        return len(self.run.stem) + len(self.run.loop)

    def parts_at(self, position: int) -> tuple[Branch, ...]:
        """What branches off at a position."""
        return tuple(part for place, parts in self.parts if place == position for part in parts)

    def place(self, position: int, entering: Step | None) -> tuple[State, Step | None]:
        """The state at a position and the step into it; `entering` is the one into the start."""
        if position == 0:
            return self.run.start, entering
        stem = self.run.stem
        step = stem[position - 1] if position <= len(stem) else self.run.loop[position - 1 - len(stem)]
        return step.target, step

    def straightened(self) -> Branch:
        """The same along one run alone: its own, continued along the first part at its last position, and so
        on."""
        stem: tuple[Step, ...] = ()
        branch = self
        while True:
            stem += branch.run.stem
            following = branch.parts_at(branch.last)
            if branch.run.loop or not following:
                return Branch(self.formula, Run(self.run.start, stem, branch.run.loop))
            branch = following[0]


@dataclass(frozen=True)
class PlacedBranch:
    """A branch with where it starts: so many steps after the initial state, by the step `entering`.

    `depth` counts the branches it hangs from.
    """

    branch: Branch
    offset: int
    entering: Step | None
    depth: int


@dataclass(frozen=True)
class Demonstration:
    """That a formula holds at an initial state: by its propositions, and by a branch for each existential
    formula that is needed.

    The formula is in existential form (logic/branching.py): that of the question if it holds, its negation
    if it is violated.
    """

    formula: Formula
    start: State
    branches: tuple[Branch, ...]

    @property
    def run(self) -> Run:
        """The main run: that of the first branch, continued where something branches off at its end."""
        return self.branches[0].straightened().run if self.branches else Run(self.start, ())

    def all_branches(self) -> Iterator[PlacedBranch]:
        """Every branch with what it hangs from before it; iterative, since formulas decide the depth."""
        stack = [PlacedBranch(branch, 0, None, 0) for branch in reversed(self.branches)]
        while stack:
            placed = stack.pop()
            yield placed
            branch = placed.branch
            for position, parts in sorted(branch.parts, key=lambda entry: entry[0], reverse=True):
                if 0 <= position <= branch.last:
                    _, step = branch.place(position, placed.entering)
                    for part in reversed(parts):
                        offset = placed.offset + position
                        stack.append(PlacedBranch(part, offset, step, placed.depth + 1))
