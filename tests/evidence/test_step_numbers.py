"""Steps have one numbering: what reasons name is looked up again by its number in the whole run."""

from __future__ import annotations

import random

import pytest

from fairlead.evidence.annotated import annotation_reasons
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.fair_loop import FROM_STATE, fairness_reasons
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject
from fairlead.model.annotation import Annotated
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import State, Step
from fairlead.present.html.markup import Markup
from fairlead.present.html.reasons import fairness_tables
from fairlead.present.text.evidence import evidence_lines
from tests.support.small_graphs import graph, run

JUDGING = [notion for notion in CLASSIC if notion is not Fairness.NONE]


def random_lasso(choose: random.Random) -> tuple[ExplicitGraph, Run]:
    """A system in which no state is without steps, and a run through it that closes a loop."""
    size = choose.randint(1, 5)
    steps = {
        state: tuple(
            {
                Step(choose.choice("abc"), frozenset({choose.choice("PQR")}), choose.randrange(size))
                for _ in range(choose.randint(1, 3))
            }
        )
        for state in range(size)
    }
    system = ExplicitGraph(size, 0, steps, {})
    path: list[Step] = []
    seen: dict[State, int] = {0: 0}
    state: State = 0
    while True:
        step = choose.choice(list(system.steps(state)))
        path.append(step)
        state = step.target
        if state in seen and choose.random() < 0.6:
            start = seen[state]
            return system, Run(0, tuple(path[:start]), tuple(path[start:]))
        seen[state] = len(path)


@pytest.mark.parametrize("seed", range(60))
def test_reasons_name_steps_of_the_whole_run(seed: int) -> None:
    choose = random.Random(seed)
    system, lasso = random_lasso(choose)
    offset = choose.randint(0, 3)
    taken = {offset + number: step for number, step in enumerate((*lasso.stem, *lasso.loop), 1)}
    loop = range(offset + len(lasso.stem) + 1, offset + len(lasso.stem) + len(lasso.loop) + 1)
    for notion in JUDGING:

        def subjects(step: Step, notion: Fairness = notion) -> frozenset[str]:
            return frozenset({step.event}) if notion.subject is Subject.EVENTS else step.processes

        def enabled(number: int) -> set[str]:
            return {name for step in system.steps(taken[number].target) for name in subjects(step)}

        for reason in fairness_reasons(system, lasso, notion, offset):
            assert reason.enabled in loop
            if notion.is_global:
                event, _, after = reason.subject.rpartition(FROM_STATE)
                assert int(after) == reason.enabled
                assert event in {step.event for step in system.steps(taken[reason.enabled].target)}
                assert reason.taken is None or taken[reason.taken].event == event
                continue
            assert reason.subject in enabled(reason.enabled)
            assert reason.taken is None or (
                reason.taken in loop and reason.subject in subjects(taken[reason.taken])
            )
            assert reason.disabled is None or (
                reason.disabled in loop and reason.subject not in enabled(reason.disabled)
            )
            assert reason.disabled is not None or all(reason.subject in enabled(number) for number in loop)


DOOR = graph("0 come P 1, 1 up P 2, 2 down P 1, 2 through Q 1", "")
ROUND = run(DOOR, 0, "come", "up down")


def test_text_page_and_program_name_the_same_steps() -> None:
    evidence = Evidence(DOOR, ROUND, Fairness.PROCESS_WEAK)
    lines = list(evidence_lines(evidence))
    assert "     2  up    P  state 1 → 2" in lines
    assert "  P: taken at step 2" in lines
    assert "  Q: not enabled after step 3" in lines
    page = str(fairness_tables(evidence, "run"))
    assert 'not enabled after step <a href="#run-3" data-step="3">3</a>' in page
    assert isinstance(fairness_tables(evidence, "run"), Markup)
    assert [reason.taken for reason in evidence.reasons] == [2, None]


def test_a_branch_goes_on_counting() -> None:
    evidence = Evidence(DOOR, ROUND, Fairness.PROCESS_WEAK, offset=4)
    assert [reason.text() for reason in evidence.reasons] == [
        "P: taken at step 6",
        "Q: not enabled after step 7",
    ]


def test_annotations_count_alike() -> None:
    annotated = Annotated("through", "wf")
    (reason,) = annotation_reasons(DOOR, ROUND, [annotated])
    assert reason.text() == "wf(through): not enabled after step 3"
