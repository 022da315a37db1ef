"""What a strategy is: a way to answer questions, which says what it can answer, at what cost, and if not why.

There is one way to refuse, a `Refusal`. What becomes of it is decided in one place, `Checker.check`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from fairlead.base.diagnostics import Code, Diagnostic
from fairlead.base.records import dataclass
from fairlead.checker.options import CheckOptions
from fairlead.checker.query import Query
from fairlead.checker.result import Result
from fairlead.checker.targets import Targets
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.events import Reporter
from fairlead.outcome.limits import Clock


@dataclass(frozen=True)
class Offer:
    """That a strategy can answer a question.

    `share` is the estimated number of states it has to look at, as a share of those of the whole system; None
    if that is known only when the states have been explored.
    """

    share: float | None = None


@dataclass(frozen=True)
class Refusal:
    """That a strategy cannot answer a question, or not with this verdict, and why."""

    reason: str
    hint: str | None = None


@dataclass(frozen=True)
class Work:
    """One check while it is done: how it is to be done, its clock, and who hears how far it is."""

    options: CheckOptions
    clock: Clock
    reporter: Reporter | None


class Instance(Protocol):
    """The model with a number of processes; a `Checker` is one."""

    def check(
        self, question: Assertion, notion: Fairness, options: CheckOptions, reporter: Reporter | None
    ) -> Result:
        """Answers a question about the instance."""
        ...


@dataclass(frozen=True)
class Resources:
    """What the strategies of one model share.

    `targets` are the systems explored as they are, `warnings` what is told besides, `instance` gives the
    model with other numbers of processes.
    """

    targets: Targets
    warnings: list[Diagnostic]
    instance: Callable[[Mapping[str, int]], Instance]


class Strategy(Protocol):
    """A way to answer questions about one model.

    If it is `best_effort`, a refusal leads to the whole system, and the result says so; otherwise a refusal
    is an error with the given `code`, since the user has asked for just this strategy. The module of a
    strategy has its class as `STRATEGY`; an instance is made of the `Resources` of a model.
    """

    title: ClassVar[str]
    code: ClassVar[Code]
    best_effort: ClassVar[bool]

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """Whether the answer is kept under the fairness that is asked for, and at what cost, or why not.

        It does not explore anything.
        """
        ...

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """The answer; or a refusal, where only the search can tell that one is due."""
        ...

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """A result that another strategy gave, with the reason why this one did not."""
        ...
