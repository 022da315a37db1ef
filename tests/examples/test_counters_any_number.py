"""Any number of processes is decided. (The rest of the table of FM 2009 is checked by tests/papers.)"""

from __future__ import annotations

import pytest

import fairlead
from fairlead.checker.options import Counters
from tests.support.examples.expected_counters import ANY_NUMBER, ANY_NUMBER_LARGE, STAYING, Counted
from tests.support.examples.loading import find_example


def verdicts(row: Counted) -> dict[str, bool]:
    """The verdicts with counters; one that is unknown has no place here."""
    model = fairlead.load(find_example(row.file), processes=dict(row.any_number))
    question = model.formula(row.formula, row.process)
    counters = Counters(cutoff=row.cutoff)
    found = {notion: model.check(question, notion, counters=counters).verdict for notion in row.notions}
    assert fairlead.Verdict.UNKNOWN not in found.values(), found
    return {notion: verdict is fairlead.Verdict.HOLDS for notion, verdict in found.items()}


@pytest.mark.parametrize("row", ANY_NUMBER, ids=lambda row: row.id)
def test_any_number(row: Counted) -> None:
    assert verdicts(row) == row.by_notion


@pytest.mark.long
@pytest.mark.parametrize("row", ANY_NUMBER_LARGE, ids=lambda row: row.id)
def test_any_number_with_many_local_states(row: Counted) -> None:
    assert verdicts(row) == row.by_notion


def test_who_stays_does_not_leave() -> None:
    assert verdicts(STAYING) == STAYING.by_notion
