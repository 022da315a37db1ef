"""Runs of fairlead in the form that the oracle judges."""

from __future__ import annotations

import fairlead
from fairlead.evidence.validate import continued
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.model.system import State, Step
from tests.support.oracle.graphs import Graph
from tests.support.oracle.lassos import judge_lasso


def oracle_steps(
    start: State, steps: tuple[Step, ...]
) -> list[tuple[State, str | None, State, frozenset[str]]]:
    """The steps from a state, each with its source, event, target and participants; idling has no event."""
    listed = []
    state = start
    for step in steps:
        event = None if step.event == IDLE else step.event
        listed.append((state, event, step.target, step.processes))
        state = step.target
    return listed


def judge_evidence(graph: Graph, run: Run, formula: tuple[object, ...], notion: str) -> None:
    """Fails unless the oracle agrees that a run is a fair execution that violates the formula."""
    if not run.loop:  # a bad prefix: any continuation will do
        run = continued(fairlead.loads(graph.to_json(), "json").graph(), run)
        notion = "none"
    stem, loop = oracle_steps(run.start, run.stem), oracle_steps(run.loop_start, run.loop)
    is_path, is_fair, violates = judge_lasso(graph, stem, loop, formula, notion)
    assert is_path
    assert is_fair
    assert violates
