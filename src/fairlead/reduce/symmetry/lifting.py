"""Runs in which states were replaced by others that differ in who is who, as runs of the system itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairlead.base.records import dataclass
from fairlead.model.interchange import Interchange
from fairlead.model.labels import IDLE, TERMINATE, is_internal
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, idle_step
from fairlead.model.tree import Configuration
from fairlead.reduce.symmetry.renaming import Renaming
from fairlead.reduce.symmetry.verification import Asked


class TooLong(Exception):
    """A run of the system itself would have more steps than are allowed."""


@dataclass(frozen=True)
class Lifting:
    """Makes runs of a system from those of representatives.

    `exchange` tells how the members were exchanged when a configuration was replaced.
    """

    system: NetworkSystem
    interchange: Interchange
    asked: Asked
    exchange: Callable[[Configuration], tuple[int, ...]]
    step_limit: int

    def run(self, run: Run) -> Run:
        """A run of the system that the question cannot tell from this one; raises `TooLong`.

        The loop is repeated until all processes are in the same place again.
        """
        walk = _Walk(self, run.start)
        stem = walk.follow(run.stem)
        start = walk.state
        loop = walk.follow(run.loop)
        while walk.state != start:
            loop += walk.follow(run.loop)
            if len(loop) > self.step_limit:
                raise TooLong
        return Run(run.start, tuple(stem), tuple(loop))

    def seen(self, step: Step) -> object:
        """What a question can tell of a step, apart from the state after it."""
        return (
            is_internal(step.event),
            step.event in (TERMINATE, IDLE),
            tuple(step.event in labels for labels in self.asked.labels),
            tuple(not step.processes.isdisjoint(processes) for processes in self.asked.processes),
        )


class _Walk:
    """A walk through the system that follows one through representatives.

    `state` is where it is, `there` its representative, and `renaming` takes the first to the
    second.
    """

    def __init__(self, lifting: Lifting, start: State) -> None:
        assert isinstance(start, Configuration)
        self._lifting = lifting
        self.state = start
        self._there = start
        self._renaming = Renaming.identity(lifting.interchange)

    def follow(self, steps: Iterable[Step]) -> list[Step]:
        """The steps of the system that correspond to steps of representatives."""
        return [self._step(step) for step in steps]

    def _step(self, step: Step) -> Step:
        if step.event == IDLE:
            return idle_step(self.state)
        lifting = self._lifting
        for taken in lifting.system.steps(self._there):
            if taken.event != step.event or taken.processes != step.processes:
                continue
            assert isinstance(taken.target, Configuration)
            replacing = Renaming(lifting.interchange, lifting.exchange(taken.target))
            if replacing.configuration(taken.target) != step.target:
                continue
            target = self._renaming.inverse.configuration(taken.target)
            beside = self._beside(step, target)
            self.state, self._there = target, replacing.configuration(taken.target)
            self._renaming = replacing.after(self._renaming)
            return beside
        raise AssertionError("the step of a representative is one of the system")

    def _beside(self, step: Step, target: Configuration) -> Step:
        """The step of the system that corresponds to one of a representative."""
        wanted = self._lifting.seen(step)
        for own in self._lifting.system.steps(self.state):
            if own.target == target and self._lifting.seen(own) == wanted:
                return own
        raise AssertionError("a step of a representative is one of those that it stands for")
