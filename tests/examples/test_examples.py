"""The systems of the papers come out as published, under every notion of fairness."""

from __future__ import annotations

import pytest

import fairlead
from tests.support.examples import (
    expected,
    expected_communication,
    expected_fair_paths,
    expected_gallery,
    expected_identical,
    expected_notions,
)
from tests.support.examples.expected import NOTIONS, PlainRow, Row
from tests.support.examples.loading import load_example
from tests.support.places import ROOT

ROWS = (
    *expected.ROWS,
    *expected_communication.ROWS,
    *expected_fair_paths.ROWS,
    *expected_gallery.ROWS,
    *expected_identical.ROWS,
    *expected_notions.ROWS,
)
PLAIN = (*expected.PLAIN, *expected_communication.PLAIN, *expected_gallery.PLAIN, *expected_identical.PLAIN)


def load(file: str, n: int | None) -> fairlead.Model:
    return load_example(file, {} if n is None else {"N": n})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_verdicts_under_every_notion(row: Row) -> None:
    model = load(row.file, row.n)
    question = model.formula(row.formula, None if row.process is None else f"{row.process}()")
    found = {notion: model.check(question, notion).verdict for notion in NOTIONS}
    expected = {
        notion: fairlead.Verdict.HOLDS if holds else fairlead.Verdict.VIOLATED
        for notion, holds in row.by_notion.items()
    }
    assert found == expected


@pytest.mark.parametrize("row", [row for row in ROWS if row.size is not None], ids=lambda row: row.id)
def test_sizes(row: Row) -> None:
    assert row.size is not None
    model = load(row.file, row.n)
    if row.process is None:
        graph = model.graph()
        states, transitions = graph.state_count, sum(len(steps) for steps in graph.transitions.values())
    else:
        looked_at = model.check(f"{row.process}() reaches 0 == 1").statistics
        states, transitions = looked_at.states, looked_at.transitions
    assert (states, transitions) == (row.size.all_configurations, row.size.all_transitions)


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: f"{row.file}-{row.n}-{row.assertion}")
def test_other_assertions(row: PlainRow) -> None:
    assert bool(load(row.file, row.n).check(row.assertion)) == row.valid


def test_every_model_and_every_graph_is_covered() -> None:
    """For models in FSP and for scripts, see test_fsp_examples and test_gallery."""
    covered = {row.file for row in (*ROWS, *PLAIN, *expected_fair_paths.ASKED)}
    there = {path.name for path in (ROOT / "examples").rglob("*") if path.suffix in (".csp", ".json", ".aut")}
    assert there <= covered
