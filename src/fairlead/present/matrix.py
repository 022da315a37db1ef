"""Verdicts at a glance, as a value: a line for each assertion, a column for each notion of fairness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from fairlead.base.records import dataclass
from fairlead.checker.kinds import all_kinds
from fairlead.checker.result import Result
from fairlead.logic.fairness.notions import Fairness
from fairlead.outcome.finding import Verdict

MARKS = {Verdict.HOLDS: "✓", Verdict.VIOLATED: "✗", Verdict.UNKNOWN: "?", Verdict.ERROR: "!"}
#: where a question was not answered under a notion
NOTHING = "·"


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


@dataclass(frozen=True)
class Matrix:
    """For each question its result under each notion, None where it was not answered."""

    notions: tuple[Fairness, ...]
    rows: tuple[tuple[str, tuple[Result | None, ...]], ...]

    @property
    def verdicts(self) -> list[Verdict]:
        """Those that occur."""
        found = {result.verdict for _, cells in self.rows for result in cells if result is not None}
        return [verdict for verdict in MARKS if verdict in found]


@cache
def _chosen() -> frozenset[str]:
    """The kinds of questions that are asked under notions of fairness."""
    return frozenset(kind.name for kind in all_kinds() if kind.fairness.chosen)


def _is_chosen(result: Result) -> bool:
    return result.subject is None or result.subject.kind in _chosen()


def answered_by(results: Iterable[Result]) -> list[Answered]:
    """Results by their questions; what depends on fairness was asked under all notions that occur."""
    questions: dict[str, list[Result]] = {}
    for result in results:
        questions.setdefault(result.assertion, []).append(result)
    asked = dict.fromkeys(
        notion
        for own in questions.values()
        for result in own
        if _is_chosen(result)
        for notion in result.notions
    )
    return [
        Answered(text, tuple(asked) if _is_chosen(own[0]) else (own[0].fairness,), own)
        for text, own in questions.items()
    ]


def matrix_of(answered: Sequence[Answered]) -> Matrix | None:
    """The matrix; None unless several questions were asked under several notions.

    What does not depend on fairness is asked once: its result is in every column. None either if this is true
    of all questions.
    """
    several = sum(len(one.notions) > 1 for one in answered) > 1
    if not several or all(one.is_independent for one in answered):
        return None
    notions = dict.fromkeys(notion for one in answered if len(one.notions) > 1 for notion in one.notions)
    rows = []
    for one in answered:
        found = {notion: result for result in one.results for notion in result.notions}
        everywhere = one.results[0] if one.is_independent else None
        rows.append((one.question, tuple(found.get(notion, everywhere) for notion in notions)))
    return Matrix(tuple(notions), tuple(rows))
