"""The choice between reductions, for systems that are too large to be explored whole at once.

How long a reduction is tried is measured in states, never in seconds: the same command gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fairlead.base.allowance import LimitKind
from fairlead.base.diagnostics import InputError
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.checker.query import Query
from fairlead.checker.result import AutoReport, Refused, Result
from fairlead.checker.strategies.compositional import Compositional
from fairlead.checker.strategies.counters import ProcessCounters
from fairlead.checker.strategies.partial_order import PartialOrder
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Strategy, Work, attempt
from fairlead.checker.strategies.symmetry import Symmetry
from fairlead.checker.strategies.variables import Variables, VariablesThen
from fairlead.checker.strategies.whole import Whole
from fairlead.outcome.events import Listener, Way
from fairlead.outcome.finding import Verdict

#: a reduction that is known to leave a larger share of the states is not worth it
MOST_SHARE = 0.5
_NOT_WORTH_IT = Refusal("it would keep more than half of the states")
_NO_SHORTEST = Refusal("with fewer steps, a shortest run is not known")


@dataclass(frozen=True)
class _Attempt:
    """A combination of strategies, and how it is tried; None says that it found nothing so far."""

    titles: tuple[str, ...]
    go: Callable[[], Result | Refusal | None]


class Choice:
    """The strategies of one model, and the order in which they are asked."""

    def __init__(self, resources: Resources, whole: Whole) -> None:
        self._whole = whole
        self._counters = ProcessCounters(resources)
        self._compositional = Compositional(resources)
        self._variables = Variables(resources)
        self._partial_order = PartialOrder(resources)
        self._symmetry = Symmetry(resources)
        self._variables_then = {
            PartialOrder: VariablesThen(self._variables, PartialOrder, resources),
            Symmetry: VariablesThen(self._variables, Symmetry, resources),
        }

    def answer(self, query: Query[Any], work: Work) -> Result:
        """The answer of the first attempt that gives one; the whole system is the last."""
        passed: list[Refused] = []
        met = self._whole.met(query, work)
        for each in self._attempts(query, work):
            found = each.go()
            if isinstance(found, Result) and _is_final(found):
                return _told(found, AutoReport(each.titles, tuple(passed), met), work)
            passed.append(Refused(" and ".join(each.titles), _why_not(found)))
            _note(work, passed[-1])
        return _told(self._whole.answer(query, work), AutoReport((), tuple(passed), met), work)

    def _attempts(self, query: Query[Any], work: Work) -> Iterator[_Attempt]:
        """Combinations of strategies, those that may be cheapest first."""
        if self._variables.has_cost(query):
            yield _Attempt((Variables.title,), lambda: self._variables.answer(query, work))
        fewer = self._variables.consider(query, work)  # asked now: what seemed to be a cost may be none
        before = (Variables.title,) if isinstance(fewer, Offer) else ()
        ordered: Strategy = self._variables_then[PartialOrder] if before else self._partial_order
        titles = (*before, PartialOrder.title)
        if work.options.shortest:
            yield _Attempt(titles, lambda: _NO_SHORTEST)
        else:
            yield _Attempt(titles, lambda: attempt(ordered, query, work, tuning().auto_sample))
        yield _Attempt((ProcessCounters.title,), lambda: _if_worth_it(self._counters, query, work))
        symmetry: Strategy = self._variables_then[Symmetry] if before else self._symmetry
        yield _Attempt((*before, Symmetry.title), lambda: _if_worth_it(symmetry, query, work))
        if not work.options.shortest and self._leaves_out_many_steps(query, work):
            yield _Attempt(titles, lambda: ordered.answer(query, work))
        by_parts = replace(work, pause_after=tuning().auto_part)
        yield _Attempt((Compositional.title,), lambda: self._compositional.answer(query, by_parts))
        if before:
            yield _Attempt(before, lambda: self._variables.answer(query, work))

    def _leaves_out_many_steps(self, query: Query[Any], work: Work) -> bool:
        """Whether it is worth continuing with partial order reduction, after a sample of the states."""
        ordered = self._variables.inner(query, PartialOrder) or self._partial_order
        assert isinstance(ordered, PartialOrder)
        return ordered.is_promising(query, work)


def _if_worth_it(strategy: Strategy, query: Query[Any], work: Work) -> Result | Refusal:
    """The answer of a strategy that is known to leave few states."""
    try:
        offer = strategy.consider(query, work)
        if isinstance(offer, Refusal):
            return offer
        if offer.share is None or offer.share > MOST_SHARE:
            return _NOT_WORTH_IT
        return strategy.answer(query, work)
    except InputError as error:  # processes that turn out to be such as cannot be counted
        if error.diagnostics[0].code is not strategy.code:
            raise
        return Refusal(error.diagnostics[0].message)


def _is_final(found: Result) -> bool:
    """Whether no other strategy could do better: there is an answer, or no time is left."""
    return found.verdict is not Verdict.UNKNOWN or found.reason == LimitKind.TIME.value


def _why_not(found: Result | Refusal | None) -> str:
    match found:
        case None:
            return f"more than {tuning().auto_sample:,} states are left"
        case Refusal(reason):
            return reason
        case _:
            return f"unknown: {found.reason}"


def _note(work: Work, refused: Refused) -> None:
    if isinstance(work.reporter, Listener):
        work.reporter.note(Way(f"not {refused.strategy}", refused.reason))


def _told(result: Result, report: AutoReport, work: Work) -> Result:
    """The result with what was chosen, and the time of all attempts together."""
    statistics = replace(result.statistics, seconds=work.clock.seconds)
    return replace(result, auto=report, statistics=statistics)
