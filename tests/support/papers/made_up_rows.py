"""Rows, outcomes and tables for the tests, made up."""

from __future__ import annotations

from fairlead import Verdict
from fairlead.papers.files import Answered
from fairlead.papers.rows import Ending, Published, Question, Row, Size, Table, Time
from fairlead.papers.run import Outcome

QUESTION = Question("nowhere.csp", "P() |= []<> a")


def row(
    published: Published | None = None,
    *,
    system: str = "sys",
    size: Size = 3,
    fairness: str = "ewf",
    reconstruction: str | None = None,
    difference: str | None = None,
    remark: str | None = None,
) -> Row:
    """A row of which only a few things matter."""
    return Row(system, size, "[]<> a || b", fairness, QUESTION, published, reconstruction, difference, remark)


def stated(
    verdict: bool | None = True, pat: str = "4.7", *, states: int | None = None, ending: Ending | None = None
) -> Published:
    """What a paper says."""
    return Published("Table 9", verdict, (Time("PAT", pat), Time("SPIN", "< 0.1")), states, ending)


def outcome(
    of: Row,
    verdict: Verdict = Verdict.HOLDS,
    *,
    states: int = 100,
    seconds: float = 0.25,
    short_of: str | None = None,
    ending: Ending | None = None,
) -> Outcome:
    """An answer."""
    return Outcome(of, verdict, states, 300, seconds, short_of, ending)


def answered(*outcomes: Outcome, name: str = "made-up") -> Answered:
    """A table with its answers."""
    rows = tuple(one.row for one in outcomes)
    return Answered(Table(name, "Made up", "Nobody: Nothing. 1900", "About it.", rows), outcomes)
