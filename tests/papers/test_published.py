"""Every row agrees with the paper, or differs as it says."""

from __future__ import annotations

import pytest

from fairlead import Limits, Verdict, papers
from fairlead.papers import Agreement, Row
from fairlead.papers.rows import Extent

#: rows of these sizes take a second or more
SLOW = {("LE_R", 6), ("LE_R", 7), ("LE_R", 8), ("LE_T", 13), ("dp", 13), ("dp", 15), ("peterson", 5)}
SLOW |= {("Stack", 7), ("Stack", 9), ("Stack", 10), ("LE", 10000)}

USUAL = [row for table in papers.TABLES.values() for row in table.rows if row.extent is Extent.USUAL]


def row_id(row: Row) -> str:
    return f"{row.name}-{row.claim}-{row.fairness}".replace(" ", "_")


def parameters() -> list[object]:
    return [
        pytest.param(row, id=row_id(row), marks=[pytest.mark.long] if (row.system, row.size) in SLOW else [])
        for row in USUAL
    ]


@pytest.mark.parametrize("row", parameters())
def test_row(row: Row) -> None:
    found = papers.check_row(row, Limits(timeout=600))
    wanted = Agreement.AGREES if row.difference is None else Agreement.EXPLAINED
    if row.published is None or not row.published.is_comparable:
        wanted = Agreement.NOT_PUBLISHED
    assert found.agreement is wanted, found
    if row.expected is not None:
        assert (found.verdict is Verdict.HOLDS) is row.expected


def test_printed_traces_lead_into_the_terminal_sets() -> None:
    """Ours are shortest ones; those in the paper are runs of our models too, and end in the same set."""
    from fairlead.papers.run import load_model

    checked = 0
    for row in papers.table("ltsa1999").rows:
        if row.published is None or row.published.ending is None:
            continue
        graph = load_model(row.question).graph(row.question.text.split()[0])
        state = graph.initial
        for event in row.published.ending.trace:
            (state,) = {step.target for step in graph.steps(state) if step.event == event}
        reached, actions = [state], set()
        for place in reached:
            for step in graph.steps(place):
                actions.add(step.event)
                if step.target not in reached:
                    reached.append(step.target)
        assert actions == row.published.ending.actions
        checked += 1
    assert checked == 3


def test_time_runs_out() -> None:
    """The row is unknown, and says what there was not enough of."""
    (row,) = [row for row in papers.table("pat2014-2").rows if (row.name, row.fairness) == ("dp 13", "sgf")]
    found = papers.check_row(row, Limits(timeout=0.001))
    assert (found.verdict, found.short_of) == (Verdict.UNKNOWN, "time")
    found = papers.check_row(row, Limits(max_states=1000))
    assert (found.verdict, found.short_of) == (Verdict.UNKNOWN, "states")
    assert found.agreement is Agreement.UNKNOWN


def test_rows_one_after_the_other() -> None:
    rows = papers.table("fctl1984").rows
    outcomes = papers.check_rows(rows)
    assert next(outcomes).row is rows[0]
    assert [outcome.row for outcome in outcomes] == list(rows[1:])
