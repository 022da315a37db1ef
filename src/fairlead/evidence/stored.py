"""Evidence that was stored as JSON: found again in the system, so that it can be judged anew."""

from __future__ import annotations

from typing import Any

from fairlead.errors import Code, input_error
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System, infinite_steps


def find_run(system: System, stored: dict[str, Any]) -> Run | str:
    """The run a stored evidence describes, or what is wrong with it.

    A stored state is its description; should several states of the system fit it, all are followed.
    """
    stem, loop = stored.get("stem"), stored.get("loop")
    if not isinstance(stem, list) or not isinstance(loop, list):
        raise input_error(Code.EVIDENCE, "evidence has a 'stem' and a 'loop', both lists of steps")
    starts = [state for state in system.initial_states() if _fits(system, state, stored.get("initial"))]
    if not starts:
        return "no initial state fits the evidence"
    paths = [(start, path) for start in starts for path in _follow(system, start, stem)]
    if not paths:
        return "the stem cannot be replayed"
    if not loop:
        return Run(paths[0][0], paths[0][1])
    for start, path in paths:
        loop_start = path[-1].target if path else start
        for round_ in _follow(system, loop_start, loop):
            if round_[-1].target == loop_start:
                return Run(start, path, round_)
    return "the loop cannot be replayed"


def _follow(system: System, start: State, stored: list[Any]) -> list[tuple[Step, ...]]:
    """The paths from a state that fit the stored steps, one for each state they can end in."""
    paths: dict[State, tuple[Step, ...]] = {start: ()}
    for entry in stored:
        if not isinstance(entry, dict) or not isinstance(entry.get("event"), str):
            raise input_error(Code.EVIDENCE, "a step has an 'event', 'processes' and a 'state'")
        longer: dict[State, tuple[Step, ...]] = {}
        for state, path in paths.items():
            for step in infinite_steps(system, state):
                if (
                    step.event == entry["event"]
                    and sorted(step.processes) == entry.get("processes")
                    and _fits(system, step.target, entry.get("state"))
                ):
                    longer.setdefault(step.target, (*path, step))
        paths = longer
    return list(paths.values())


def _fits(system: System, state: State, description: Any) -> bool:
    return bool(system.describe(state) == description)
