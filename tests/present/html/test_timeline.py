"""Timelines: lanes, columns, long runs and wide systems."""

from __future__ import annotations

import pytest

import fairlead
from fairlead import Fairness
from fairlead.evidence.evidence import Evidence
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import Step
from fairlead.present.html.timeline import MOST_COLUMNS, MOST_LANES, SHOWN_STEPS, Gap, Shown, timeline_of
from tests.support.html.long_runs import ring
from tests.support.html.pages import read

WIDE = """
#define N 40;
var x[N]:{0..1};
var last = 0;
P(i) = flip.i{x[i] = 1 - x[i]; last = i;} -> P(i);
System() = ||| i:{0..N-1} @ P(i);
"""


@pytest.mark.parametrize("stem", [0, 3, SHOWN_STEPS, SHOWN_STEPS + 1, 5_000])
@pytest.mark.parametrize("length", [1, SHOWN_STEPS, 3_000])
def test_the_middle_of_a_long_run_is_left_out_and_counted(stem: int, length: int) -> None:
    graph, run = ring(length, stem)
    timeline = timeline_of(graph, run)
    for rows, count in ((timeline.stem, stem), (timeline.loop, length)):
        gaps = [row for row in rows if isinstance(row, Gap)]
        steps = [row for row in rows if isinstance(row, Shown)]
        assert len(steps) == min(count, SHOWN_STEPS)
        assert sum(gap.count for gap in gaps) == count - len(steps)
        assert len(gaps) == (count > SHOWN_STEPS)
    numbers = [
        number
        for row in (*timeline.stem, *timeline.loop)
        for number in ([row.number] if isinstance(row, Shown) else range(row.first, row.last + 1))
    ]
    assert numbers == list(range(1, stem + length + 1))


def test_a_page_does_not_grow_with_the_run() -> None:
    pages = []
    for length in (1_000, 8_000):
        graph, run = ring(length, length)
        pages.append(Evidence(graph, run, Fairness.PROCESS_WEAK)._repr_html_())
    assert len(pages[1]) < len(pages[0]) * 1.1
    shown = read(pages[1])
    assert [row.text.count(f"{8_000 - SHOWN_STEPS} steps left out") for row in shown.all("tr", "fl-gap")] == [
        1,
        1,
    ]


def test_links_to_steps_that_are_left_out_are_none() -> None:
    """A reason may name a step of the middle; `read` refuses links that lead nowhere."""
    graph, run = ring(900, 50)
    often = [Step("often", frozenset({"X"}), 0)] * 400
    transitions = {**graph.transitions}
    for number, step in enumerate(often, 50):
        transitions[number] = (*transitions[number], step)
    shown = read(Evidence(ExplicitGraph(950, 0, transitions), run, Fairness.EVENT_WEAK)._repr_html_())
    rows = {
        row.one("code").text: row
        for row in shown.all("table", "fl-reasons")[0].all("tr")[1:]
        if row.all("code")
    }
    assert "not enabled after steps 450, 451," in rows["often"].text
    assert not rows["often"].all("a")


def test_of_many_processes_those_that_act_have_lanes() -> None:
    model = fairlead.loads(WIDE)
    result = model.check(model.formula("<>[] last == 39", "System()"))
    assert result.evidence is not None
    timeline = timeline_of(result.evidence.system, result.evidence.run)
    assert len(timeline.lanes) == MOST_LANES and len(timeline.more_lanes) == 40 - MOST_LANES
    acting = {name for row in timeline.shown() if row.view is not None for name in row.view.processes}
    assert acting <= set(timeline.lanes)
    assert timeline.extra is None


def test_who_has_no_lane_acts_among_the_others() -> None:
    steps = [Step(f"e{number}", frozenset({f"P{number}"}), number + 1) for number in range(30)]
    graph = ExplicitGraph(31, 0, {number: (step,) for number, step in enumerate(steps)})
    timeline = timeline_of(graph, Run(0, tuple(steps)))
    assert timeline.extra == "others"
    assert [row.lanes for row in timeline.shown()][1:] == [
        (number,) if number < MOST_LANES else (MOST_LANES,) for number in range(30)
    ]


def test_without_processes_there_is_one_lane() -> None:
    graph = ExplicitGraph(1, 0, {0: (Step("a", frozenset(), 0),)})
    timeline = timeline_of(graph, Run(0, (), graph.transitions[0]))  # type: ignore[arg-type]
    assert timeline.extra == "event" and timeline.lanes == ()
    assert [row.lanes for row in timeline.shown()] == [(), (0,)]


def test_columns_are_variables_that_change() -> None:
    names = ", ".join(f"v{number}" for number in range(30))
    changes = " ".join(f"v{number} = v{number} + 1;" for number in range(30))
    declared = "".join(f"var {name.strip()} = 0;" for name in names.split(","))
    model = fairlead.loads(
        f"{declared} var still = 7; P() = [v0 < 2] a{{{changes}}} -> P(); #assert P() reaches v0 == 2;"
    )
    evidence = model.check("P() reaches v0 == 2").evidence
    assert evidence is not None
    timeline = timeline_of(evidence.system, evidence.run)
    assert len(timeline.columns) == MOST_COLUMNS and len(timeline.more_columns) == 30 - MOST_COLUMNS
    assert timeline.unchanging == (("still", "7"),)
