"""Verdicts at a glance: a line for each assertion, a column for each notion of fairness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.records import dataclass
from fairlead.checker.result import Result
from fairlead.logic.fairness.notions import Fairness
from fairlead.outcome.finding import Verdict

MARKS = {Verdict.HOLDS: "✓", Verdict.VIOLATED: "✗", Verdict.UNKNOWN: "?", Verdict.ERROR: "!"}
#: where a question was not answered under a notion
_NOTHING = "·"


@dataclass(frozen=True)
class Answered:
    """A question with the notions under which it was asked, and the results there are."""

    question: str
    notions: Sequence[Fairness]
    results: list[Result]


def matrix_lines(answered: Sequence[Answered]) -> Iterator[str]:
    """The matrix, line by line; nothing unless several questions were asked under several notions.

    What does not depend on fairness is asked once: its mark is in every column.
    """
    if sum(len(one.notions) > 1 for one in answered) < 2:
        return
    notions = dict.fromkeys(notion for one in answered if len(one.notions) > 1 for notion in one.notions)
    lines: list[str] = []
    for one in answered:
        marks = {result.fairness: MARKS[result.verdict] for result in one.results}
        is_independent = len(one.notions) == 1 and bool(marks)
        everywhere = next(iter(marks.values())) if is_independent else _NOTHING
        lines.append(_line([marks.get(notion, everywhere) for notion in notions], one.question))
    used = {result.verdict for one in answered for result in one.results}
    legend = ", ".join(f"{mark} {verdict.value}" for verdict, mark in MARKS.items() if verdict in used)
    yield _line([notion.value for notion in notions], legend)
    yield from lines


def _line(cells: Sequence[str], last: str) -> str:
    return f"{''.join(f'{cell:<6}' for cell in cells)} {last}"
