"""Turns runs into rows of a table, for data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairlead.evidence.changes import StateView

if TYPE_CHECKING:
    from fairlead.evidence.evidence import StepView


def run_rows(initial: StateView, steps: Sequence[StepView], stem: int) -> list[dict[str, Any]]:
    """A row for the start and for each step; `stem` of the steps come before the loop."""
    rows = [_row(0, "start", None, (), initial)]
    for number, step in enumerate(steps, 1):
        part = "stem" if number <= stem else "loop"
        rows.append(_row(number, part, step.event, step.processes, step.state))
    return rows


def _row(
    number: int, part: str, event: str | None, processes: tuple[str, ...], state: StateView
) -> dict[str, Any]:
    row: dict[str, Any] = {"step": number, "part": part, "event": event, "processes": ", ".join(processes)}
    values = {"state": state["state"]} if "state" in state else state.variables
    return row | {f"variables.{name}" if name in row else name: value for name, value in values.items()}
