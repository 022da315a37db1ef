"""Describes a simulation as values: texts and JSON are both made from these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.evidence.changes import changes
from fairlead.model.attempts import direction
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step, System
from fairlead.model.tree import Configuration, leaves
from fairlead.simulation.value import Simulation, label


@dataclass(frozen=True)
class Position:
    """Where a process is in its text; a process that consists of several parts has several positions."""

    process: str
    text: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class StepRow:
    """A step with its number: among the enabled ones, or in a trace."""

    number: int
    step: Step
    effects: tuple[str, ...]
    #: of a handshake: who sends, and who receives
    direction: tuple[str, str] | None = None

    @property
    def label(self) -> str:
        """The event for people."""
        return label(self.step.event)

    @property
    def processes(self) -> list[str]:
        """Who takes part, sorted."""
        return sorted(self.step.processes)

    @property
    def who(self) -> str:
        """The same as text; in a handshake, from whom to whom the message goes."""
        return ", ".join(self.processes) if self.direction is None else " → ".join(self.direction)


def positions(system: System, state: State) -> list[Position]:
    """The position of each process of a network; a graph has none."""
    if not isinstance(system, NetworkSystem) or not isinstance(state, Configuration):
        return []
    behaviour = system.network.behaviour
    return [
        Position(leaf.process, system.position_text(leaf.state), behaviour.place(leaf.state.position).span)
        for leaf in leaves(state.tree)
    ]


def new_positions(system: System, before: State | None, after: State) -> list[bool]:
    """For each position after a step, whether it was not there before."""
    found = positions(system, after)
    if before is None:
        return [False] * len(found)
    old = Counter(positions(system, before))
    fresh = []
    for position in found:
        fresh.append(old[position] == 0)
        old[position] -= old[position] > 0
    return fresh


def enabled_rows(simulation: Simulation) -> list[StepRow]:
    """The enabled steps with what each would change.

    Steps that would look the same are distinguished by where their processes go.
    """
    rows = step_rows(simulation.system, simulation.state, simulation.enabled, in_sequence=False)
    alike = Counter(map(_looks, rows))
    return [
        replace(row, effects=row.effects + _destinations(simulation, row.step))
        if alike[_looks(row)] > 1
        else row
        for row in rows
    ]


def path_rows(simulation: Simulation, first: int = 0) -> list[StepRow]:
    """The steps taken, from the one after `first` steps on."""
    path = simulation.path
    before = path[first - 1].target if first else simulation.starts[simulation.start]
    return step_rows(simulation.system, before, path[first:], in_sequence=True, number=first + 1)


def steps_added(before: Simulation, after: Simulation) -> int:
    """How many steps were added to those taken; 0 if it is not the same path that continues."""
    taken = len(before.path)
    goes_on = after.start == before.start and after.path[:taken] == before.path
    return len(after.path) - taken if goes_on else 0


def step_rows(
    system: System, state: State, steps: Sequence[Step], *, in_sequence: bool, number: int = 1
) -> list[StepRow]:
    """Steps that start in a state: one after the other, or each a possible next one."""
    rows = []
    before = system.describe(state)
    for index, step in enumerate(steps, number):
        after = system.describe(step.target)
        rows.append(StepRow(index, step, tuple(changes(before, after)), direction(system, state, step)))
        if in_sequence:
            before, state = after, step.target
    return rows


def variables(system: System, state: State) -> dict[str, Any]:
    """The variables of a state by name; a graph has none."""
    found = system.describe(state).get("variables", {})
    return dict(found)


def _looks(row: StepRow) -> tuple[str, frozenset[str], tuple[str, ...]]:
    return row.label, row.step.processes, row.effects


def _destinations(simulation: Simulation, step: Step) -> tuple[str, ...]:
    fresh = new_positions(simulation.system, simulation.state, step.target)
    places = positions(simulation.system, step.target)
    return tuple(
        f"{place.process} at {place.text}" for place, is_new in zip(places, fresh, strict=True) if is_new
    )
