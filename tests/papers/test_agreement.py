"""How an answer is compared with what was published."""

from __future__ import annotations

import pytest

from fairlead import Verdict
from fairlead.papers import Agreement
from fairlead.papers.rows import Ending, Published, Time
from tests.support.papers.made_up_rows import outcome, row, stated

HOLDS, VIOLATED, UNKNOWN = Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("published", "difference", "verdict", "agreement"),
    [
        (True, None, HOLDS, Agreement.AGREES),
        (False, None, VIOLATED, Agreement.AGREES),
        (True, None, VIOLATED, Agreement.DIFFERS),
        (False, None, HOLDS, Agreement.DIFFERS),
        (True, "why", VIOLATED, Agreement.EXPLAINED),
        (False, "why", HOLDS, Agreement.EXPLAINED),
        (True, "why", HOLDS, Agreement.AGREES),
        (None, None, HOLDS, Agreement.NOT_PUBLISHED),
        (True, None, UNKNOWN, Agreement.UNKNOWN),
        (True, "why", UNKNOWN, Agreement.UNKNOWN),
        (None, None, UNKNOWN, Agreement.UNKNOWN),
    ],
)
def test_verdicts(
    published: bool | None, difference: str | None, verdict: Verdict, agreement: Agreement
) -> None:
    assert outcome(row(stated(published), difference=difference), verdict).agreement is agreement


def test_nothing_published() -> None:
    assert outcome(row(None)).agreement is Agreement.NOT_PUBLISHED


def test_numbers_of_states_count() -> None:
    assert outcome(row(stated(None, states=18)), states=18).agreement is Agreement.AGREES
    assert outcome(row(stated(None, states=18)), states=17).agreement is Agreement.DIFFERS
    assert outcome(row(stated(True, states=18)), VIOLATED, states=18).agreement is Agreement.DIFFERS


def test_terminal_sets_count_and_traces_do_not() -> None:
    printed = row(stated(False, ending=Ending(("a", "b"), frozenset({"c", "d"}))))
    shorter, other = Ending(("b",), frozenset({"c", "d"})), Ending(("a", "b"), frozenset({"c"}))
    assert outcome(printed, VIOLATED, ending=shorter).agreement is Agreement.AGREES
    assert outcome(printed, VIOLATED, ending=other).agreement is Agreement.DIFFERS
    assert outcome(printed, VIOLATED).agreement is Agreement.DIFFERS


def test_times_as_they_are_printed() -> None:
    printed = {"4.7": 4.7, "1190": 1190.0, "< 0.1": None, "> 671": None, "−": None, "NF": None}
    for text, seconds in printed.items():
        assert Time("PAT", text).seconds == seconds


def test_what_is_expected() -> None:
    assert row(stated(True)).expected is True
    assert row(stated(True), difference="why").expected is False
    assert row(stated(None)).expected is None and row(None).expected is None
    assert not Published("text").is_comparable
