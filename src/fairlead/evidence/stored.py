"""Evidence that was stored as JSON: found again in the system, so that it can be judged again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.evidence.evidence import DEEPEST
from fairlead.logic.ltl import Exists, Formula, subformulas
from fairlead.logic.wording import spelt
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System, infinite_steps
from fairlead.outcome.demonstration import Branch, Demonstration


def find_run(system: System, stored: dict[str, Any]) -> Run | str:
    """The run a stored evidence describes, or what is wrong with it.

    A stored state is its description; should several states of the system fit it, all are followed.
    """
    stem, loop = _steps_of(stored)
    starts = [state for state in system.initial_states() if _fits(system, state, stored.get("initial"))]
    return _run_from(system, starts, stem, loop) if starts else "no initial state fits the evidence"


def find_demonstration(
    system: System, stored: dict[str, Any], start: State, formula: Formula
) -> Demonstration | str:
    """The branches that a stored evidence describes, for a formula in existential form at an initial state;
    or what is wrong with them."""
    quantified = (node for node in subformulas(formula) if isinstance(node, Exists))
    formulas = {spelt(node): node for node in quantified}
    branches: list[Branch] = []
    for entry in _entries(stored):
        if entry["position"] != 0:
            return "what shows the formula does not begin at position 0"
        branch = _branch(system, entry, start, formulas, 1)
        if isinstance(branch, str):
            return branch
        branches.append(branch)
    return Demonstration(formula, start, tuple(branches))


def position_problem(branch: Branch, position: int) -> str | None:
    """What is wrong with a position at which something branches off, or None."""
    if 0 <= position <= branch.last:
        return None
    return f"something branches off at position {position}, which the run does not have"


def _branch(
    system: System, stored: dict[str, Any], start: State, formulas: dict[str, Exists], depth: int
) -> Branch | str:
    """A stored branch from a state, found again; evidence is never nested deeper than it is written."""
    if depth > DEEPEST:
        raise input_error(Code.EVIDENCE, f"branches are nested more than {DEEPEST} deep")
    formula = formulas.get(stored["formula"])
    if formula is None:
        return f"'{stored['formula']}' is not part of the formula to be shown"
    run = _run_from(system, [start], *_steps_of(stored))
    if isinstance(run, str):
        return f"{stored['formula']}: {run}"
    found = Branch(formula, run)
    parts: list[tuple[int, tuple[Branch, ...]]] = []
    for entry in _entries(stored):
        position = entry["position"]
        problem = position_problem(found, position)
        if problem is not None:
            return problem
        part = _branch(system, entry, found.place(position, None)[0], formulas, depth + 1)
        if isinstance(part, str):
            return part
        parts.append((position, (part,)))
    return Branch(formula, run, tuple(parts))


def _entries(stored: dict[str, Any]) -> list[dict[str, Any]]:
    entries = stored.get("branches")
    if isinstance(entries, list) and all(
        isinstance(entry, dict)
        and type(entry.get("position")) is int
        and isinstance(entry.get("formula"), str)
        for entry in entries
    ):
        return entries
    raise input_error(Code.EVIDENCE, "'branches' is a list, each with a 'position' and a 'formula'")


def _steps_of(stored: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    stem, loop = stored.get("stem"), stored.get("loop")
    if not isinstance(stem, list) or not isinstance(loop, list):
        raise input_error(Code.EVIDENCE, "evidence has a 'stem' and a 'loop', both lists of steps")
    return stem, loop


def _run_from(system: System, starts: Sequence[State], stem: list[Any], loop: list[Any]) -> Run | str:
    """A run from one of the states that fits the stored steps, or what is wrong with them."""
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
