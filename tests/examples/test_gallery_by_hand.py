"""What the gallery must answer is confirmed by systems written by hand and judged by the oracle."""

from __future__ import annotations

import pytest

from tests.support.examples.expected import NOTIONS, PlainRow, Row
from tests.support.examples.expected_gallery import (
    AGREED,
    DELIVERS,
    DONE,
    GOES_ON,
    ORIENTED,
    PLAIN,
    PROPER,
    ROWS,
    RUNS,
)
from tests.support.examples.gallery_by_hand import SYSTEMS
from tests.support.examples.loading import load_example
from tests.support.oracle.formulas import Formula, always, event, eventually, prop
from tests.support.oracle.verdict import verdicts


def formula(row: Row) -> Formula:
    assert row.n is not None
    return {
        ORIENTED: eventually(always(prop("oriented"))),
        PROPER: eventually(always(prop("proper"))),
        AGREED: eventually(always(prop("agreed"))),
        GOES_ON: always(eventually(prop("x == 0"))),
        DONE: always(eventually(event("done.0"))),
        RUNS: always(eventually(event(f"run.{row.n - 1}"))),
        DELIVERS: always(eventually(event("deliver.0"))),
    }[row.formula]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_rows_are_confirmed(row: Row) -> None:
    assert row.n is not None and row.size is not None and row.process is not None
    graph = SYSTEMS[row.file, row.process](row.n)
    assert (graph.states, len(graph.transitions)) == (row.size.all_configurations, row.size.all_transitions)
    found = verdicts(graph, formula(row))
    assert {notion: found[notion] for notion in NOTIONS} == row.by_notion


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: f"{row.file}-{row.n}-{row.assertion}")
def test_other_assertions_are_confirmed(row: PlainRow) -> None:
    """All states of the graphs can be reached."""
    assert row.n is not None
    process, question = row.assertion.split("() ")
    graph = SYSTEMS[row.file, process](row.n)
    if question == "reaches broken":
        assert bool(graph.props["broken"]) == row.valid
    else:
        assert question == "deadlockfree"
        assert all(graph.outgoing(state) for state in range(graph.states)) == row.valid


def test_the_guarded_stack_has_the_same_size() -> None:
    graph = SYSTEMS["treiber_stack.csp", "Guarded"](2)
    looked_at = load_example("treiber_stack.csp").check("Guarded() reaches broken").statistics
    assert (graph.states, len(graph.transitions)) == (looked_at.states, looked_at.transitions)
