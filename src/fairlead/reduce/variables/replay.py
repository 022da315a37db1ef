"""Runs of a network without variables that are not needed, as runs of the network itself."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.base.records import dataclass
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, idle_step
from fairlead.model.tree import Configuration
from fairlead.reduce.variables.network import WithoutUnneeded

#: a loop is repeated at most so often until the values of all variables repeat
MOST_ROUNDS = 1_000


class NotPeriodic(Exception):
    """The values of variables do not repeat within the rounds that are tried."""


@dataclass(frozen=True)
class Replay:
    """Follows runs of the reduced network in the network itself, by labels and remaining values."""

    reduction: WithoutUnneeded
    system: NetworkSystem

    def run(self, run: Run) -> Run:
        """A run of the network with the same steps; a loop is repeated until all values repeat."""
        state = start = self._start(run.start)
        stem = self._follow(state, run.stem)
        state = stem[-1].target if stem else start
        if not run.loop:
            return Run(start, tuple(stem))
        rounds: list[list[Step]] = []
        seen: dict[State, int] = {}
        while state not in seen:
            if len(rounds) == MOST_ROUNDS:
                raise NotPeriodic
            seen[state] = len(rounds)
            rounds.append(self._follow(state, run.loop))
            state = rounds[-1][-1].target
        first = seen[state]
        before = [step for steps in rounds[:first] for step in steps]
        return Run(start, (*stem, *before), tuple(step for steps in rounds[first:] for step in steps))

    def _start(self, start: State) -> State:
        for state in self.system.initial_states():
            if self.reduction.normal(state) == start:
                return state
        raise AssertionError("a run starts where the network does")

    def _follow(self, state: State, steps: Iterable[Step]) -> list[Step]:
        found: list[Step] = []
        for step in steps:
            found.append(self._beside(state, step))
            state = found[-1].target
        return found

    def _beside(self, state: State, step: Step) -> Step:
        """The step of the network that a step of the reduced one stands for."""
        if step.event == IDLE:
            return idle_step(state)
        wanted = self._kept(step.target)
        same = [
            own
            for own in self.system.steps(state)
            if own.event == step.event
            and own.processes == step.processes
            and self._kept(own.target) == wanted
        ]
        assert same, "a step of the reduced network is one of the network"
        return next((own for own in same if self._costs_the_same(state, own, step)), same[0])

    def _kept(self, state: State) -> Configuration:
        """The remaining part of a configuration, without the cost."""
        assert isinstance(state, Configuration)
        normal = self.reduction.normal(state)
        cost = self.reduction.unneeded.cost
        if cost is None:
            return normal
        values = (*normal.values[: cost.slot], 0, *normal.values[cost.slot + 1 :])
        return Configuration(values, normal.tree)

    def _costs_the_same(self, state: State, own: Step, step: Step) -> bool:
        """Termination has a cost of 0 whatever the reduced network says; there is no choice then."""
        cost = self.reduction.unneeded.cost
        if cost is None:
            return True
        before, after, added = (
            at.values[cost.slot] for at in (state, own.target, step.target) if isinstance(at, Configuration)
        )
        return after - before == added
