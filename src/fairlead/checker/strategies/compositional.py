"""Compositional minimisation: processes composed part by part, each part minimised at once.

docs/explanation/minimisation.md says which answers that keeps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code, LimitReached
from fairlead.certify.meanings import as_system
from fairlead.checker.answer import result_of, stopped
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.checker.questions import find, system_of
from fairlead.checker.result import Refused, Result
from fairlead.checker.strategies.strategy import Offer, Refusal, Resources, Work
from fairlead.outcome.finding import Verdict
from fairlead.search.target import target_of

#: how answers are found on systems that were made small part by part
METHOD = "compositional minimisation"
_NOT_KEPT = Refusal("minimising the parts is not known to preserve the answer to this question")


class Compositional:
    """Answers what a small system with the same deadlocks, errors and progress shows to hold."""

    title: ClassVar = "compositional"
    code: ClassVar = Code.USAGE
    best_effort: ClassVar = True

    def __init__(self, resources: Resources) -> None:
        """It keeps nothing."""

    def consider(self, query: Query[Any], work: Work) -> Offer | Refusal:
        """How small the parts become is seen when they are composed."""
        kept = kind_of(query.question).reductions.compositional(query) is not None
        return Offer() if kept else _NOT_KEPT

    def answer(self, query: Query[Any], work: Work) -> Result | Refusal:
        """What holds; a violation is searched for in the whole system, where it has a run."""
        visible = kind_of(query.question).reductions.compositional(query)
        if visible is None:
            return _NOT_KEPT
        try:
            loaded, clock = query.context.loaded, work.clock
            small = loaded.reduced(query.question.process, visible, clock.check, work.pause_after)
            if small is None:
                return Refusal("the process has no parts that can be minimised by themselves")
            finding = find(query, target_of(small, clock.left), work.options.vacuity)
        except Stopped as stop:
            return stopped(query, stop)
        except LimitReached:
            if work.pause_after is None:
                raise
            return Refusal(f"a part has more than {work.pause_after:,} states before it is minimised")
        if finding.verdict is not Verdict.HOLDS:
            return Refusal("the parts do not show that it holds, so the whole system is searched")
        statistics = replace(finding.statistics, seconds=work.clock.seconds)
        told = replace(finding, method=METHOD, statistics=statistics)
        return result_of(query, told, as_system(system_of(query)), work.clock)

    def refused(self, result: Result, refusal: Refusal) -> Result:
        """Says why the whole system was explored."""
        return replace(result, refused=Refused(self.title, refusal.reason))


STRATEGY = Compositional
