"""Answers questions about one model: chooses the strategy, and decides what becomes of a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fairlead.base.allowance import Allowance, LimitKind, Stopped, allowed
from fairlead.base.diagnostics import Diagnostic, input_error
from fairlead.checker.answer import stopped
from fairlead.checker.certificates.file import CertificateFile
from fairlead.checker.context import Context
from fairlead.checker.options import CheckOptions
from fairlead.checker.query import Query
from fairlead.checker.questions import Questions
from fairlead.checker.result import Refused, Result
from fairlead.checker.strategies import strategy_named
from fairlead.checker.strategies.strategy import Instance, Refusal, Resources, Strategy, Work
from fairlead.checker.targets import Targets
from fairlead.lang.language import LoadedModel
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from fairlead.model.evaluation import Fault
from fairlead.outcome.events import Phase, Reporter
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import VacuityCheck, VacuityKind
from fairlead.search.checkpoint import using_checkpoints

#: why a strategy is not used where a certificate is written
NOT_CERTIFIED = "certificates are of whole systems as yet"


class Checker:
    """The questions, systems and strategies of one model."""

    def __init__(
        self,
        loaded: LoadedModel,
        warnings: list[Diagnostic],
        identity: Callable[[], str],
        instance: Callable[[Mapping[str, int]], Instance],
    ) -> None:
        """`identity` tells the model from others, for checkpoints; `instance` is the model with these numbers
        of processes."""
        self.questions = Questions(Context(loaded, warnings))
        self.targets = Targets(identity)
        self._resources = Resources(self.targets, warnings, instance)
        self._strategies: dict[str, Strategy] = {}
        #: whether work on the model was stopped at an arbitrary moment, so that none of it can be relied on
        self.is_spoilt = False
        #: what is answered is added to it, if there is one
        self.certificate: CertificateFile | None = None

    def forget(self) -> None:
        """Gives up what was explored; who asks again has it explored again."""
        self.targets.clear()
        self._strategies.clear()

    def strategy(self, name: str) -> Strategy:
        """A strategy by the name of its module; what it needs is loaded when it is first asked for."""
        if name not in self._strategies:
            self._strategies[name] = strategy_named(name, self._resources)
        return self._strategies[name]

    def check(
        self, question: Assertion, notion: Fairness | None, options: CheckOptions, reporter: Reporter | None
    ) -> Result:
        """Answers one question under one notion of fairness (if none is given, that of its kind)."""
        options.check()
        work = Work(options, Clock(options.limits), reporter, certificate=self.certificate)
        limits = options.limits
        allowance = None
        query = None
        try:
            with allowed(Phase.PREPARING, timeout=limits.timeout, memory=limits.memory()) as allowance:
                query = self.questions.query(question, notion, options.fair)
                with using_checkpoints(options.checkpoints):
                    result = self._answer_or_fault(query, work)
                return _with_phase(result, allowance)
        except Stopped as stop:  # where no search was running
            asked = self.questions.unread(question, notion, options.fair) if query is None else query
            return replace(stopped(asked, stop, work.clock.seconds), phase=stop.phase)
        finally:
            self.is_spoilt |= allowance is not None and allowance.was_abrupt

    def _answer_or_fault(self, query: Query[Assertion], work: Work) -> Result:
        """The answer, which may be that the model has a run-time error."""
        try:
            return self._answer(self.strategy(work.options.strategy), query, work)
        except Fault as fault:
            from fairlead.checker.faulted import fault_result  # rarely needed

            return fault_result(query, fault, work)

    def check_alike(
        self,
        question: Assertion,
        notions: Sequence[Fairness],
        options: CheckOptions,
        reporter: Reporter | None,
    ) -> Result:
        """Answers one question under several notions that `Questions.alike` has put together.

        It is checked once, without fairness: then a trivial reason why it holds is one under all of them. A
        strategy that shows a lasso is asked for one that is fair under the first notion.
        """
        if len(notions) == 1:
            return self.check(question, notions[0], options, reporter)
        result = self.check(question, Fairness.NONE, options, reporter)
        first, *others = notions
        if any(shown.run.loop for shown in result.counterexamples):
            result = self.check(question, first, options, reporter)
            return replace(result, also_under=tuple(others))
        evidence, further = result.evidence, result.further
        if evidence is not None:
            evidence = replace(evidence, fairness=first)
        if further is not None:
            judged = tuple(replace(one, fairness=first) for one in further.evidence)
            further = replace(further, evidence=judged)
        return replace(result, fairness=first, also_under=tuple(others), evidence=evidence, further=further)

    def _answer(self, strategy: Strategy, query: Query[Assertion], work: Work) -> Result:
        if work.certificate is not None:
            is_own = work.options.strategy in ("auto", "whole")
            result = self._of_whole(query, work)
            refused = None if is_own else Refused(strategy.title, NOT_CERTIFIED)
            return _told(replace(result, refused=refused), work.options.vacuity)
        found = strategy.answer(query, work)
        if isinstance(found, Refusal):
            if not strategy.best_effort:
                raise input_error(strategy.code, found.reason, hint=found.hint)
            return strategy.refused(self._of_whole(query, work), found)
        return _told(found, work.options.vacuity)

    def _of_whole(self, query: Query[Assertion], work: Work) -> Result:
        found = self.strategy("whole").answer(query, work)
        assert isinstance(found, Result), "the whole system answers everything"
        return found


def _with_phase(result: Result, allowance: Allowance) -> Result:
    """The result; if a limit has ended the work, with what was being done then."""
    is_limit = result.verdict is Verdict.UNKNOWN and result.reason in {kind.value for kind in LimitKind}
    return replace(result, phase=allowance.phase) if is_limit else result


def _told(result: Result, vacuity: VacuityCheck) -> Result:
    """The result without a trivial reason that was not asked for: some strategies always look for one, since
    there it is cheap. That no execution is fair is always reported."""
    if vacuity is not VacuityCheck.NEVER or result.vacuity is None:
        return result
    nothing_is_fair = result.vacuity.kind is VacuityKind.NO_FAIR_EXECUTION
    return result if nothing_is_fair else replace(result, vacuity=None)
