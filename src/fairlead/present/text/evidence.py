"""Evidence as text a person reads: stem, loop, what changed at each step, and why the loop is fair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.evidence.changes import state_line
from fairlead.evidence.evidence import Evidence, StepView
from fairlead.evidence.explanation import LOOP_TITLE
from fairlead.logic.fairness.notions import Subject
from fairlead.logic.wording import spelt
from fairlead.model.labels import IDLE, NOTHING_POSSIBLE
from fairlead.outcome.demonstration import Demonstration
from fairlead.present.sentences.runs import (
    INITIAL_STATE,
    NOTHING_ENABLED,
    path_words,
    state_words,
    what_a_run_shows,
)

#: longer parts are shown with their middle left out
SHOWN_STEPS = 60
SHOWN_REASONS = 40
SHOWN_BRANCHES = 20
SHOWN_GRIEVANCES = 12


def evidence_lines(evidence: Evidence) -> Iterator[str]:
    """The evidence, line by line."""
    yield "start: " + state_text(evidence.initial)
    if evidence.demonstration is not None:
        yield from _demonstration(evidence, evidence.demonstration)
    else:
        yield from _run(evidence)
    if evidence.explanation is not None:
        yield from evidence.explanation.lines()
        yield from _exclusion(evidence)


def _run(evidence: Evidence) -> Iterator[str]:
    """Stem and loop of a run, and why it is fair."""
    offset = evidence.offset
    widths = _widths([*evidence.stem, *evidence.loop])
    if evidence.stem:
        yield "stem:" if evidence.loop else "steps:"
        yield from _steps(evidence.stem, offset + 1, widths)
    if evidence.loop:
        yield LOOP_TITLE if evidence.explanation is None else evidence.explanation.loop_title
        yield from _steps(evidence.loop, offset + len(evidence.stem) + 1, widths)
        yield from _fairness(evidence)
        yield from _annotations(evidence)
        yield from _conditions(evidence)
        if evidence.explanation is None:
            yield from _exclusion(evidence)
    elif not evidence.stem:
        yield INITIAL_STATE if offset == 0 else "the state itself shows it"


def _demonstration(evidence: Evidence, demonstration: Demonstration) -> Iterator[str]:
    """Each run, under a line that says what it shows and from where."""
    if [branch.formula for branch in demonstration.branches] != [demonstration.formula]:
        yield f"shows: {spelt(demonstration.formula)}"
    if not demonstration.branches and evidence.explanation is None:
        yield INITIAL_STATE
    path = path_words(evidence)
    branches = list(demonstration.all_branches())
    for placed in branches[:SHOWN_BRANCHES]:
        indent = "  " * placed.depth
        formula = placed.branch.formula
        where = f"{state_words(placed.offset)}, " if placed.depth else ""
        yield f"{indent}{where}{spelt(formula)}: {what_a_run_shows(formula, path)}"
        for line in _run(evidence.of_branch(placed.branch, placed.offset)):
            yield indent + line
    if len(branches) > SHOWN_BRANCHES:
        yield f"… {len(branches) - SHOWN_BRANCHES} more branches ({ALL_WITH_JSON})"


def _widths(views: list[StepView]) -> tuple[int, int]:
    events = [len(view.label) for view in views]
    processes = [len(view.who) for view in views]
    return min(40, max(events, default=0)), min(30, max(processes, default=0))


def _steps(views: list[StepView], first: int, widths: tuple[int, int]) -> Iterator[str]:
    lines = [
        f"  {number:>4}  {view.label:<{widths[0]}}  {view.who:<{widths[1]}}  {_effect(view)}".rstrip()
        for number, view in enumerate(views, first)
    ]
    yield from _abridged(lines, SHOWN_STEPS, "steps")


def _effect(view: StepView) -> str:
    if view.event == IDLE:
        return f"({NOTHING_POSSIBLE})"
    return ", ".join(view.changes)


def _abridged(lines: list[str], limit: int, what: str) -> Iterator[str]:
    if len(lines) <= limit:
        yield from lines
        return
    yield from lines[: limit // 2]
    yield f"        … {len(lines) - limit} more {what} ({ALL_WITH_JSON}) …"
    yield from lines[len(lines) - limit // 2 :]


def _fairness(evidence: Evidence) -> Iterator[str]:
    notion = evidence.fairness
    if notion.is_global:
        count = len(evidence.reasons)
        told = f"all {count} transitions of the loop's states are taken in it" if count else NOTHING_ENABLED
        yield f"fair ({notion.title}): {told}"
        return
    if notion.subject is Subject.NOBODY:
        return  # impartiality is among the conditions
    reasons = evidence.reasons
    if not reasons:
        yield f"fair ({notion.title}): {NOTHING_ENABLED}"
        return
    yield f"fair ({notion.title}):"
    shown = [f"  {reason.text()}" for reason in reasons]
    yield from _abridged(shown, SHOWN_REASONS, "reasons")


def _annotations(evidence: Evidence) -> Iterator[str]:
    if evidence.annotations:
        yield "fair to the annotations:"
        shown = [f"  {reason.text()}" for reason in evidence.annotation_reasons]
        yield from _abridged(shown, SHOWN_REASONS, "reasons")


def _conditions(evidence: Evidence) -> Iterator[str]:
    if evidence.fair:
        yield "fair to the formula:"
        shown = [f"  {reason.text()}" for reason in evidence.condition_reasons]
        yield from _abridged(shown, SHOWN_REASONS, "reasons")


def _exclusion(evidence: Evidence) -> Iterator[str]:
    if evidence.exclusion is None:
        return
    notions = ", ".join(notion.value for notion in evidence.exclusion.notions)
    if not notions:
        yield "fair under every notion"
        return
    shown = [f"  {grievance.brief}" for grievance in evidence.exclusion.grievances]
    yield f"excluded by {notions}" + (":" if shown else "")
    yield from _abridged(shown, SHOWN_GRIEVANCES, "assumptions")


def state_text(state: Mapping[str, Any]) -> str:
    """A described state in one line."""
    return state_line(state)
