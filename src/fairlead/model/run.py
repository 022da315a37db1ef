"""Runs of a system: a finite path, or a lasso whose loop repeats forever."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.model.system import State, Step


@dataclass(frozen=True)
class Run:
    """From `start` through the steps of the stem, then forever through those of the loop.

    A run without a loop is a finite path, the evidence for a reachable state.
    """

    start: State
    stem: tuple[Step, ...]
    loop: tuple[Step, ...] = ()

    def __repr__(self) -> str:
        return f"<Lasso: {self.lengths}>"

    def __iter__(self) -> Iterator[Step]:
        """The steps of the stem, then those of the loop, once."""
        yield from self.stem
        yield from self.loop

    @property
    def lengths(self) -> str:
        """How long it is, in words."""
        steps = counted(len(self.stem), "step")
        if not self.loop:
            return steps
        loop = f"a loop of {len(self.loop)}"
        return f"{steps}, then {loop}" if self.stem else loop

    @property
    def loop_start(self) -> State:
        """The state after the stem, where the loop begins and ends."""
        return self.stem[-1].target if self.stem else self.start

    def loop_states(self) -> list[State]:
        """The state each step of the loop starts from."""
        return [self.loop_start, *(step.target for step in self.loop[:-1])] if self.loop else []
