"""What a run shows, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.base.diagnostics import counted
from fairlead.checker.kinds import all_kinds
from fairlead.checker.kinds.deadlock import STUCK
from fairlead.checker.result import Result
from fairlead.evidence.evidence import Evidence
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import TRUE, Always, Exists, Next, Until
from fairlead.logic.wording import spelt
from fairlead.model.labels import IDLE, NOTHING_POSSIBLE
from fairlead.present.sentences.result import Said

if TYPE_CHECKING:
    from fairlead.evidence.component import ComponentReached

#: said where there are no steps to show
INITIAL_STATE = "the initial state itself shows it"
#: said of a loop in which no process and no event is enabled
NOTHING_ENABLED = "nothing is enabled in the loop"


def as_sentence(text: str) -> str:
    """A text with a capital letter at its beginning and a full stop at its end."""
    return f"{text[0].upper()}{text[1:]}."


def sentence(evidence: Evidence, result: Result | None = None) -> str:
    """What the run of an evidence is, and how it ends."""
    run = evidence.run
    if evidence.demonstration is not None:
        runs = sum(1 for _ in evidence.demonstration.all_branches())
        if not runs:
            return as_sentence(INITIAL_STATE)
        return f"Shown by {counted(runs, 'run')}" + (", each for a part of the formula." if runs > 1 else ".")
    from fairlead.evidence.component import ComponentReached
    from fairlead.evidence.terminal import TerminalSetReached  # rarely needed

    if isinstance(evidence.explanation, TerminalSetReached):
        return f"{_after(len(run.stem))} the system is in a terminal set of states, which it never leaves."
    if isinstance(evidence.explanation, ComponentReached):
        return f"{_after(len(run.stem))} {_in_component(evidence.explanation)}."
    if run.loop:
        return _lasso(evidence)
    if not run.stem:
        return f"The initial state itself is {_last_state(result)}."
    verb = "leads" if len(run.stem) == 1 else "lead"
    return f"{counted(len(run.stem), 'step')} {verb} to {_last_state(result)}."


def _in_component(reached: ComponentReached) -> str:
    fairness = reached.fairness
    fair = "fair" if fairness is Fairness.NONE else f"fair ({fairness.title})"
    return f"the system can stay in a component of {reached.size} forever, and that is {fair}"


def _lasso(evidence: Evidence) -> str:
    run = evidence.run
    if run.loop[0].event == IDLE:
        moves = sum(step.event != IDLE for step in run.stem)
        return f"{_after(moves)} {NOTHING_POSSIBLE}, forever."
    loop = counted(len(run.loop), "step")
    text = f"{_after(len(run.stem))} the system can repeat a loop of {loop} forever"
    if not evidence.is_about_fairness:
        return f"{text}."
    notion = "" if evidence.fairness is Fairness.NONE else f" ({evidence.fairness.title})"
    return f"{text}, and that is fair{notion}."


def state_words(number: int) -> str:
    """Where a state is in a run: state 0 is the start, and step k leads to state k."""
    return f"after step {number}" if number else "at the start"


def _after(steps: int) -> str:
    return f"After {counted(steps, 'step')}" if steps else "From the start"


def _last_state(result: Result | None) -> str:
    if result is None or result.subject is None:
        return "the last state"
    if result.fault is not None:
        return f"a state in which the model fails: {result.fault.message}"
    if result.reason == "error":
        return f"an {Said(result).blame}"
    if result.reason == "deadlock":
        return STUCK
    if result.optimum is not None:
        return f"a state where {result.objective} has its best value, {result.optimum}"
    ends = {kind.name: kind.display.ends_in for kind in all_kinds()}[result.subject.kind]
    return ends.get(result.verdict, "the state that shows it")


# ---------------------------------------------------------------- branching time


def path_words(evidence: Evidence) -> str:
    """What kind of path a run of a demonstration is."""
    return "a fair path" if evidence.is_about_fairness else "a path"


def what_a_run_shows(formula: Exists, path: str) -> str:
    """What a run must be to show a formula; `path` says what kind of path it is."""
    match formula.operand:
        case Next(operand):
            return f"a step to a state with {spelt(operand)}"
        case Until(left, right):
            before = "" if left == TRUE else f", with {spelt(left)} before it"
            return f"{path} to a state with {spelt(right)}{before}"
        case Always(operand) if operand == TRUE:
            return path
        case Always(operand):
            return f"{path} with {spelt(operand)} at every position"
        case operand:
            return f"{path} with {spelt(operand)}"
