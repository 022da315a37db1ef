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

    @property
    def is_independent(self) -> bool:
        """Whether one answer is that under all of its notions."""
        return len(self.results) == 1 and set(self.results[0].notions) >= set(self.notions)


def matrix_lines(answered: Sequence[Answered]) -> Iterator[str]:
    """The matrix, line by line; nothing unless several questions were asked under several notions.

    What does not depend on fairness is asked once: its mark is in every column. Nothing either if that is so
    of all questions.
    """
    several = sum(len(one.notions) > 1 for one in answered) > 1
    if not several or all(one.is_independent for one in answered):
        return
    notions = dict.fromkeys(notion for one in answered if len(one.notions) > 1 for notion in one.notions)
    widths = [max(6, len(notion.value) + 1) for notion in notions]
    lines: list[str] = []
    for one in answered:
        marks = {notion: MARKS[result.verdict] for result in one.results for notion in result.notions}
        everywhere = next(iter(marks.values())) if one.is_independent else _NOTHING
        lines.append(_line([marks.get(notion, everywhere) for notion in notions], widths, one.question))
    used = {result.verdict for one in answered for result in one.results}
    legend = ", ".join(f"{mark} {verdict.value}" for verdict, mark in MARKS.items() if verdict in used)
    yield _line([notion.value for notion in notions], widths, legend)
    yield from lines


def _line(cells: Sequence[str], widths: Sequence[int], last: str) -> str:
    return f"{''.join(f'{cell:<{width}}' for cell, width in zip(cells, widths, strict=True))} {last}"
