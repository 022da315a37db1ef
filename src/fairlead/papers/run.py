"""Checks the rows of a table: our answer, and whether it agrees with what was published."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from enum import Enum
from importlib.resources import as_file
from typing import TYPE_CHECKING

from fairlead.api.loading import load
from fairlead.api.model import Model
from fairlead.base.allowance import LimitKind
from fairlead.base.records import dataclass
from fairlead.checker.result import Result
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.outcome.events import Reporter
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Limits
from fairlead.papers.models import examples
from fairlead.papers.rows import Ending, Logic, Question, Row

if TYPE_CHECKING:
    from fairlead.checker.options import Counters

#: seconds for one row
TIMEOUT = 60.0


class Agreement(Enum):
    """How an answer stands to what was published."""

    AGREES = "agrees"
    EXPLAINED = "differs, explained"
    DIFFERS = "differs"
    NOT_PUBLISHED = "not published"
    UNKNOWN = "unknown"


_SHORT_OF = {
    LimitKind.TIME: "time",
    LimitKind.MEMORY: "memory",
    LimitKind.STATES: "states",
    LimitKind.DISK: "disk",
}


@dataclass(frozen=True)
class Outcome:
    """A row and our answer.

    `seconds` is the time from the question to the answer, a counterexample found and judged included.
    `short_of` says what there was not enough of, where the verdict is unknown.
    """

    row: Row
    verdict: Verdict
    states: int
    transitions: int
    seconds: float
    short_of: str | None = None
    ending: Ending | None = None

    @property
    def agreement(self) -> Agreement:
        """Whether everything that was stated is so: verdict, number of states, actions of a terminal set."""
        if self.verdict is Verdict.UNKNOWN:
            return Agreement.UNKNOWN
        published = self.row.published
        if published is None or not published.is_comparable:
            return Agreement.NOT_PUBLISHED
        if published.states is not None and published.states != self.states:
            return Agreement.DIFFERS
        if published.ending is not None and (
            self.ending is None or published.ending.actions != self.ending.actions
        ):
            return Agreement.DIFFERS
        if published.verdict is None or published.verdict is (self.verdict is Verdict.HOLDS):
            return Agreement.AGREES
        return Agreement.EXPLAINED if self.row.difference is not None else Agreement.DIFFERS


def check_row(row: Row, limits: Limits | None = None, reporter: Reporter | None = None) -> Outcome:
    """Our answer to one row. The model is loaded again, so that the time does not depend on earlier rows."""
    model = load_model(row.question)
    started = time.perf_counter()
    result = _ask(model, row.question, limits or Limits(timeout=TIMEOUT), reporter)
    seconds = time.perf_counter() - started
    return Outcome(
        row,
        result.verdict,
        result.statistics.states,
        result.statistics.transitions,
        seconds,
        _short_of(result),
        _ending(result),
    )


def check_rows(
    rows: Iterable[Row], limits: Limits | None = None, reporter: Reporter | None = None
) -> Iterator[Outcome]:
    """The answers as they come."""
    return (check_row(row, limits, reporter) for row in rows)


def _ask(model: Model, question: Question, limits: Limits, reporter: Reporter | None) -> Result:
    asked = (
        model.assertion(question.text)
        if question.logic is Logic.ASSERTION
        else model.ctl(question.text, finite_paths=question.logic is Logic.CTL_FINITE_PATHS)
    )
    counters: bool | Counters = False
    if question.counted is not None:
        from fairlead.checker.options import Counters

        counters = Counters(cutoff=question.counted.cutoff)
    return model.check(
        asked, question.fairness, fair=question.fair, counters=counters, limits=limits, reporter=reporter
    )


def load_model(question: Question) -> Model:
    """The model of a row, of its size."""
    many = None if question.counted is None else question.counted.any_number
    processes = {} if many is None else {many: "inf"}
    with as_file(examples().joinpath(*question.model.split("/"))) as path:
        return load(path, dict(question.constants), processes=processes)


def _short_of(result: Result) -> str | None:
    if result.verdict is not Verdict.UNKNOWN:
        return None
    return next((word for kind, word in _SHORT_OF.items() if result.reason == kind.value), result.reason)


def _ending(result: Result) -> Ending | None:
    """The trace and the terminal set of a violation of progress."""
    if result.evidence is None or not isinstance(result.evidence.explanation, TerminalSetReached):
        return None
    trace = tuple(step.event for step in result.evidence.run.stem)
    return Ending(trace, frozenset(result.evidence.explanation.actions))
