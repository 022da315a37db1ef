"""What a run shows, in a sentence."""

from __future__ import annotations

from fairlead.base.diagnostics import counted
from fairlead.checker.kinds import all_kinds
from fairlead.checker.kinds.deadlock import STUCK
from fairlead.checker.result import Result
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.labels import IDLE


def sentence(evidence: Evidence, result: Result | None = None) -> str:
    """What the run of an evidence is, and how it ends."""
    run = evidence.run
    if evidence.demonstration is not None:
        runs = sum(1 for _ in evidence.demonstration.all_branches())
        if not runs:
            return "The initial state itself shows it."
        return f"Shown by {counted(runs, 'run')}" + (", each for a part of the formula." if runs > 1 else ".")
    if isinstance(evidence.explanation, TerminalSetReached):
        return f"{_after(len(run.stem))} the system is in a terminal set of states, which it never leaves."
    if run.loop:
        return _lasso(evidence)
    if not run.stem:
        return f"The initial state itself is {_last_state(result)}."
    verb = "leads" if len(run.stem) == 1 else "lead"
    return f"{counted(len(run.stem), 'step')} {verb} to {_last_state(result)}."


def _lasso(evidence: Evidence) -> str:
    run = evidence.run
    if run.loop[0].event == IDLE:
        moves = sum(step.event != IDLE for step in run.stem)
        return f"{_after(moves)} nothing is possible any more, for ever."
    loop = counted(len(run.loop), "step")
    text = f"{_after(len(run.stem))} the system can go round a loop of {loop} for ever"
    if evidence.fairness is not Fairness.NONE:
        return f"{text}, and that is fair ({evidence.fairness.title})."
    return f"{text}, and that is fair." if evidence.is_about_fairness else f"{text}."


def _after(steps: int) -> str:
    return f"After {counted(steps, 'step')}" if steps else "From the start"


def _last_state(result: Result | None) -> str:
    if result is None or result.subject is None:
        return "the last state"
    if result.reason == "error":
        return f"an {result.blame}"
    if result.reason == "deadlock":
        return STUCK
    if result.optimum is not None:
        return f"a state where {result.objective} has its best value, {result.optimum}"
    ends = {kind.name: kind.display.ends_in for kind in all_kinds()}[result.subject.kind]
    return ends.get(result.verdict, "the state that shows it")
