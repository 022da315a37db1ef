"""Writes a simulation for programs: states and steps as JSON objects (docs/how-to/simulate.md)."""

from __future__ import annotations

from typing import Any

from fairlead.evidence.changes import changes
from fairlead.evidence.waiting import waiting_json
from fairlead.model.attempts import Failure
from fairlead.simulation.value import Loaded, Simulation, Status, waiting, why
from fairlead.simulation.view import Position, StepRow, enabled_rows, path_rows, positions


def state_record(simulation: Simulation) -> dict[str, Any]:
    """The current state and what is possible in it."""
    system, previous = simulation.system, simulation.previous
    state = system.describe(simulation.state)
    record: dict[str, Any] = {
        "kind": "state",
        "step": len(simulation.path),
        "start": simulation.start + 1,
        "starts": len(simulation.starts),
        "undone": len(simulation.undone),
        "status": simulation.status.value,
        "state": state,
        "changes": [] if previous is None else changes(system.describe(previous), state),
        "positions": [_position(position) for position in positions(system, simulation.state)],
        "enabled": [_row(row) for row in enabled_rows(simulation)],
        "failures": [_failure(failure) for failure in simulation.failures],
    }
    if simulation.status is Status.DEADLOCK:
        found = waiting(simulation)
        record |= waiting_json(found.waiting, found.cycle)
    if simulation.loaded is not None:
        record["replay"] = _replay(simulation, simulation.loaded)
    return record


def step_records(simulation: Simulation, first: int = 0) -> list[dict[str, Any]]:
    """The steps taken, from the one after `first` steps on, each with the state after it."""
    return [{"kind": "step", **_row(row)} | _after(simulation, row) for row in path_rows(simulation, first)]


def initial_records(simulation: Simulation) -> list[dict[str, Any]]:
    """The initial states."""
    return [
        {"kind": "initial", "number": number, "state": simulation.system.describe(state)}
        for number, state in enumerate(simulation.starts, 1)
    ]


def why_record(simulation: Simulation, event: str) -> dict[str, Any]:
    """Why an event is not enabled."""
    return {"kind": "why", **why(simulation, event).to_json()}


def _row(row: StepRow) -> dict[str, Any]:
    roles = {} if row.direction is None else dict(zip(("sender", "receiver"), row.direction, strict=True))
    return {
        "number": row.number,
        "event": row.step.event,
        "processes": row.processes,
        **roles,
        "changes": list(row.effects),
    }


def _after(simulation: Simulation, row: StepRow) -> dict[str, Any]:
    return {"state": simulation.system.describe(row.step.target)}


def _position(position: Position) -> dict[str, Any]:
    record: dict[str, Any] = {"process": position.process, "text": position.text}
    if position.span is not None:
        record |= position.span.to_json()
    return record


def _failure(failure: Failure) -> dict[str, Any]:
    return {
        "event": failure.event,
        "processes": list(failure.processes),
        "problem": failure.problem.to_json(),
    }


def _replay(simulation: Simulation, loaded: Loaded) -> dict[str, Any]:
    expected = simulation.expected
    numbers = [number for number, step in enumerate(simulation.enabled, 1) if step == expected]
    return {
        "assertion": loaded.assertion,
        "shows": loaded.shows.name.lower(),
        "stem": len(loaded.run.stem),
        "loop": len(loaded.run.loop),
        "followed": simulation.followed,
        "next": numbers[0] if numbers else None,
        "next_event": None if expected is None else expected.event,
    }
