"""What a strategy is: a way to answer questions, which says what it can answer, at what cost, and if not why.

There is one way to refuse, a `Refusal`. What becomes of it is decided in one place, `Checker.check`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Protocol

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.diagnostics import Code, Diagnostic
from fairlead.base.records import dataclass
from fairlead.checker.answer import result_of, stopped, with_further
from fairlead.checker.certificates.file import CertificateFile
from fairlead.checker.options import CheckOptions
from fairlead.checker.query import Query
from fairlead.checker.result import Result
from fairlead.checker.targets import Targets
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.model.system import System
from fairlead.outcome.events import Reporter
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.search.further import Further
from fairlead.search.target import Target


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
class Searched:
    """What a strategy found before its evidence is judged.

    The run of the `finding` is one of `system`, which is that of the query. `told` are the fields of the
    result with which the strategy says what it did. `further` looks for runs that differ from it in
    substance, if they were asked for.
    """

    finding: Finding
    system: System
    told: Mapping[str, Any] = field(default_factory=dict)
    further: Callable[[], Further] | None = None


@dataclass(frozen=True)
class Work:
    """One check while it is done: how it is to be done, its clock, and who hears how far it is.

    `pause_after` is a number of new states after which the search stops even if the limits allow more.
    What holds is added to the `certificate`, if there is one.
    """

    options: CheckOptions
    clock: Clock
    reporter: Reporter | None
    pause_after: int | None = None
    certificate: CertificateFile | None = None

    def prepare(self, target: Target) -> None:
        """Makes a target ready for a search of this check, in the time that is left."""
        target.reporter, target.diving, target.limits = self.reporter, self.options.diving, self.clock.left
        target.pause_at = None
        if self.pause_after is not None:
            graph = target.known_graph()
            target.pause_at = self.pause_after + (0 if graph is None else graph.state_count)


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

    `targets` are the systems explored as they are, `warnings` the warnings, `instance` gives the
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

    @property
    def title(self) -> str:
        """Its name for users."""
        ...

    @property
    def code(self) -> Code:
        """What a refusal is an error of."""
        ...

    @property
    def best_effort(self) -> bool:
        """Whether the whole system is explored if it refuses."""
        ...

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


class Searcher(Strategy, Protocol):
    """A strategy whose search can be used by others, on networks that a reduction has made."""

    def search(self, query: Query[Any], work: Work) -> Searched | Refusal:
        """What is found, as a run of the system of the query; raises `Stopped` at a limit."""
        ...


#: makes a strategy of what the strategies of a model share
MakeSearcher = Callable[[Resources], Searcher]


def answer_by(searcher: Searcher, query: Query[Any], work: Work) -> Result | Refusal:
    """The answer of a strategy that searches: what it found, with its evidence judged."""
    try:
        found = searcher.search(query, work)
        if isinstance(found, Refusal):
            return found
    except Stopped as stop:  # before there was anything to look at
        return stopped(query, stop, work.clock.seconds)
    result = result_of(query, found.finding, found.system, work.clock)
    if found.further is not None and result.evidence is not None:
        result = with_further(query, found.finding, found.further, result, work.clock)
    return replace(result, **found.told)


def attempt(strategy: Strategy, query: Query[Any], work: Work, states: int) -> Result | Refusal | None:
    """The answer of a strategy if it is found within a number of new states; None if it is not."""
    if work.options.limits.states <= states:
        return strategy.answer(query, work)
    found = strategy.answer(query, replace(work, pause_after=states))
    if isinstance(found, Result) and found.reason == LimitKind.STATES.value:
        return None
    return found
