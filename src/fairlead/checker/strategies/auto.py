"""Chooses a strategy: small systems are explored whole, larger ones by the cheapest sound reduction.

docs/explanation/reduction.md says what is tried in which order, and why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fairlead.base.allowance import LimitKind
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.tuning import tuning
from fairlead.checker.query import Query
from fairlead.checker.questions import system_of
from fairlead.checker.result import Result
from fairlead.checker.strategies import strategy_named
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Work, attempt
from fairlead.checker.strategies.whole import Whole
from fairlead.model.counted_moves import UnboundedProcesses
from fairlead.model.network import Network

if TYPE_CHECKING:
    from fairlead.checker.strategies.choosing import Choice


class Auto:
    """Explores small systems whole, and asks all other strategies about larger ones."""

    title: ClassVar = "auto"
    code: ClassVar = Code.USAGE
    best_effort: ClassVar = True

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._whole = Whole(resources)
        self._choice: Choice | None = None

    def consider(self, query: Query[Any], work: Work) -> Offer:
        """It answers everything; how many states that takes depends on the strategy."""
        return Offer()

    def answer(self, query: Query[Any], work: Work) -> Result:
        """Explores the whole system up to a number of states, and only then tries reductions."""
        try:
            found = attempt(self._whole, query, work, tuning().auto_whole)
        except UnboundedProcesses:
            counters = strategy_named("counters", self._resources)
            counted = counters.answer(query, work)
            if isinstance(counted, Refusal):
                raise input_error(counters.code, counted.reason, hint=counted.hint) from None
            return counted
        is_short_of_memory = isinstance(found, Result) and found.reason == LimitKind.MEMORY.value
        if isinstance(found, Result) and not is_short_of_memory:
            return found
        if isinstance(system_of(query), Network):
            return self._chosen().answer(query, work)
        return self._whole.answer(query, work)

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """It never refuses."""
        raise AssertionError(refusal)

    def _chosen(self) -> Choice:
        # the other strategies are loaded only where they are needed
        from fairlead.checker.strategies.choosing import Choice

        if self._choice is None:
            self._choice = Choice(self._resources, self._whole)
        return self._choice


STRATEGY = Auto
