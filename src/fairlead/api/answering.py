"""The answers to questions about a loaded model, under one notion of fairness or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from fairlead.api.certifying import Certifying
from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.base.records import dataclass
from fairlead.checker.checker import Checker
from fairlead.checker.options import CheckOptions
from fairlead.checker.result import Result
from fairlead.lang.language import LoadedModel
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.model.evaluation import Fault
from fairlead.outcome.events import Phase, Reporter
from fairlead.outcome.limits import Limits, limit_reached, within

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Answering:
    """Asks the checker; if the text of the model is wrong, reports all its problems.

    `renewed` gives the model and its checker, which are others after work was stopped at an arbitrary moment.
    `certifying` writes the certificates of what holds, if a file is named for them.
    """

    renewed: Callable[[], tuple[LoadedModel, Checker]]
    certifying: Certifying

    def check(
        self, question: Assertion, notion: Fairness | None, options: CheckOptions, reporter: Reporter | None
    ) -> Result:
        """Answers one question under one notion (if none is given, that of its kind)."""
        return self._asked(options.limits, lambda checker: checker.check(question, notion, options, reporter))

    def check_alike(
        self,
        question: Assertion,
        notions: Sequence[Fairness],
        options: CheckOptions,
        reporter: Reporter | None = None,
    ) -> Result:
        """Answers one question once, under notions that `alike` has put together."""
        return self._asked(
            options.limits, lambda checker: checker.check_alike(question, notions, options, reporter)
        )

    def check_under(
        self,
        question: Assertion,
        notions: Sequence[Fairness] | None,
        options: CheckOptions,
        reporter: Reporter | None,
    ) -> Iterator[Result]:
        """Answers one question under several notions, as often as they matter."""
        for together in self.alike(question, notions, options):
            yield self.check_alike(question, together, options, reporter)

    def alike(
        self, question: Assertion, asked: Sequence[Fairness] | None, options: CheckOptions
    ) -> list[tuple[Fairness, ...]]:
        """The notions under which a question is answered; those are together that cannot matter to it."""
        fair = options.fair
        try:
            return self._asked(options.limits, lambda checker: checker.questions.alike(question, asked, fair))
        except (Fault, LimitReached):  # the check tells it
            _, checker = self.renewed()
            return [(notion,) for notion in checker.questions.notions(question, asked, fair is not None)]

    def forget(self) -> None:
        """Gives up what was explored for the answers so far."""
        _, checker = self.renewed()
        checker.forget()

    def _asked(self, limits: Limits, ask: Callable[[Checker], Answer]) -> Answer:
        loaded, checker = self.renewed()
        allowance = None
        try:
            with within(limits, Phase.PREPARING) as allowance:
                return ask(checker)
        except Stopped as stop:  # the watchdog raised it when the block was being left already
            raise limit_reached(stop) from None
        except InputError as error:
            problems = loaded.with_all_problems(error)
            if problems is error:
                raise
            raise problems from None
        finally:
            checker.is_spoilt |= allowance is not None and allowance.was_abrupt
