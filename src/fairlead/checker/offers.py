"""Asks all strategies whether they can answer a question, and at what cost, without exploring anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass
from fairlead.checker.checker import Checker
from fairlead.checker.keywords import options_of
from fairlead.checker.options import CheckOptions, Reduction
from fairlead.checker.strategies.strategy import Offer, Work
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.limits import Clock

#: the options that ask for a strategy, as keyword arguments of `check`
_ASKED_FOR: tuple[Mapping[str, Any], ...] = (
    *(
        {"reduction": reduction.value}
        for reduction in Reduction
        if reduction is not Reduction.AUTO  # it asks the others
    ),
    {"counters": True},
    {"compositional": True},
)


@dataclass(frozen=True)
class StrategyOffer:
    """Whether a strategy can answer a question: `options` ask `check` for it.

    If it cannot, `reason` says why. `share` is how many of the states of the whole system it has to look at,
    as an estimate between 0 and 1; None if that is known only when they have been explored.
    """

    name: str
    options: Mapping[str, Any]
    can_answer: bool
    reason: str | None = None
    share: float | None = None


def offers(
    checker: Checker, question: Assertion, notion: Fairness | None, base: CheckOptions
) -> list[StrategyOffer]:
    """What each strategy says about a question."""
    query = checker.questions.query(question, notion, base.fair)
    found = []
    for asked in _ASKED_FOR:
        chosen = options_of({"fair": base.fair, "limits": base.limits, **asked})
        name = chosen.strategy
        try:
            said = checker.strategy(name).consider(query, Work(chosen, Clock(chosen.limits), None))
        except FairleadError as error:
            found.append(StrategyOffer(name, asked, False, error.diagnostics[0].message))
            continue
        if isinstance(said, Offer):
            found.append(StrategyOffer(name, asked, True, share=said.share))
        else:
            found.append(StrategyOffer(name, asked, False, said.reason))
    return found
