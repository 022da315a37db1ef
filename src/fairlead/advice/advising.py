"""Finds out which fairness a property needs: the notions first, then the least sets of single assumptions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from fairlead.advice.advice import Advice, AssumptionSet, Outcome, Subjects, Without
from fairlead.advice.assumption import Assumption
from fairlead.advice.notions import NotionVerdict, verdicts
from fairlead.advice.sets import AssumptionSets, Enough
from fairlead.base.allowance import Stopped
from fairlead.base.diagnostics import Code, input_error
from fairlead.checker.answer import judged_evidence, result_of, stopped
from fairlead.checker.context import Context
from fairlead.checker.kinds import kind_of
from fairlead.checker.questions import Questions, find, system_of
from fairlead.checker.result import Result
from fairlead.evidence.evidence import Evidence
from fairlead.logic.automata.strength import AutomatonStrength
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.model.assertion import Assertion
from fairlead.model.run import Run
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import VacuityCheck
from fairlead.search.assumptions import FairReach, assumptions_of
from fairlead.search.ltl import LtlQuestion
from fairlead.search.survey import ViolationSurvey
from fairlead.search.target import Target

#: how many sets are searched for, unless asked otherwise
ALTERNATIVES = 3
#: how many sets that nothing satisfies, together with what is assumed anyway, are passed over
MOST_VACUOUS = 20


def ltl_of(context: Context, question: Assertion) -> LtlQuestion:
    """The formula of a question; raises `InputError` if fairness does not matter to it, or in another way."""
    as_formula = kind_of(question).formula.ltl
    if as_formula is not None:
        return as_formula(question, context)
    raise input_error(
        Code.USAGE,
        f"advice is about formulas of LTL and progress properties, not about: {question.text}",
        hint="whether this holds does not depend on fairness, or more fairness does not help",
    )


def depends_on_fairness(question: Assertion) -> bool:
    """Whether advice can be given about a question."""
    return kind_of(question).formula.ltl is not None


class Advising:
    """Advice about one question. What is found is kept as it comes, for the case that a limit ends the
    search."""

    def __init__(self, questions: Questions, question: Assertion, fair: str | None) -> None:
        self._ltl = ltl_of(questions.context, question)
        self._questions = questions
        self._question = question
        self._fair = fair
        self._query = questions.query(question, Fairness.NONE, fair)
        self.system = system_of(self._query)
        self._notions: tuple[NotionVerdict, ...] = ()
        self._found: list[Enough] = []
        self._vacuous: list[Enough] = []  # nothing satisfies these
        self._why: dict[tuple[Assumption, ...], tuple[Without, ...]] = {}
        self._subjects = Subjects((), ())
        self._reach: dict[tuple[Assumption, ...], FairReach] = {}

    def advice(self, target: Target, alternatives: int) -> Advice:
        """The answer; when a limit ends the search, what was known by then."""
        limits = target.limits
        self._target = target
        target.shows_components = True
        self._clock = Clock(limits)
        self._survey: ViolationSurvey | None = None
        self._alternatives = max(1, alternatives)
        try:
            return self._advice_within_limits()
        except Stopped as stop:
            outcome = Outcome.ASSUMPTIONS if self._found else Outcome.UNKNOWN
            return self._advice(outcome, reason=stop.kind.value)
        finally:
            target.limits = limits

    def _advice_within_limits(self) -> Advice:
        self._notions = verdicts(self._check)
        known = {verdict.notion: verdict for verdict in self._notions}
        if known[Fairness.NONE].verdict is Verdict.HOLDS:
            return self._advice(Outcome.NOTHING_NEEDED)
        for verdict in self._notions:
            if verdict.verdict is Verdict.UNKNOWN:
                reason = None if verdict.result is None else verdict.result.reason
                return self._advice(Outcome.UNKNOWN, reason=reason)
        plain = known[Fairness.NONE].result
        if self._is_safety(plain):
            return self._advice(Outcome.NOTHING_HELPS, prefix=None if plain is None else plain.evidence)
        return self._with_sets(known[Fairness.STRONG_GLOBAL].verdict)

    def _check(self, notion: Fairness) -> Result:
        """The answer under a notion, in the time that is left of all."""
        query = self._questions.query(self._question, notion, self._fair)
        try:
            self._clock.check()
            self._target.limits = self._clock.left
            finding = find(query, self._target, VacuityCheck.NEVER)
            return result_of(query, finding, self._target.system, self._clock)
        except Stopped as stop:
            return stopped(query, stop)

    def _is_safety(self, plain: Result | None) -> bool:
        """Whether a finite run violates it, and every finite run can be continued fairly."""
        if self._ltl.strength is not AutomatonStrength.TERMINAL or plain is None or plain.evidence is None:
            return False
        return not plain.evidence.run.loop

    def _with_sets(self, under_global: Verdict) -> Advice:
        survey = self._survey = ViolationSurvey(self._target, self._ltl, self._query.asked, self._clock)
        self._subjects = Subjects(tuple(survey.events), tuple(survey.processes))
        sets = AssumptionSets(survey)
        if not sets.is_enough(sets.strongest):
            survivor = self._violation(sets.strongest)
            helped = under_global is Verdict.HOLDS
            return self._advice(Outcome.ONLY_GLOBAL if helped else Outcome.NOTHING_HELPS, survivor=survivor)
        self._find(sets)
        self._explain(self._ranked()[0])
        return self._advice(Outcome.ASSUMPTIONS)

    def _find(self, sets: AssumptionSets) -> None:
        """The least of all, those about processes alone and about events alone; then others."""
        everything = (Subject.PROCESSES, Subject.EVENTS)
        for subjects in (everything[:1], everything[1:], everything):
            found = self._least(sets, subjects)
            if found is not None and all(found.assumptions != known.assumptions for known in self._found):
                self._found.append(found)
        if not self._found:
            self._found.append(self._vacuous[0])
        while len(self._found) < self._alternatives:
            other = self._least(sets, everything, self._found)
            if other is None or not self._is_nearly_as_good(other):
                return
            self._found.append(other)

    def _least(
        self, sets: AssumptionSets, subjects: Collection[Subject], others: Sequence[Enough] = ()
    ) -> Enough | None:
        """The least set about such subjects that something satisfies, if there is one."""
        passed_over: list[Enough] = []
        while len(passed_over) < MOST_VACUOUS:
            found = sets.least(subjects, [*others, *passed_over])
            if found is None:
                break
            self._judge_reach(found)
            if self._reach[found.assumptions] is not FairReach.NOWHERE:
                return found
            passed_over.append(found)
        self._vacuous += passed_over
        return None

    def _is_nearly_as_good(self, other: Enough) -> bool:
        """Whether a set has no more strong assumptions than the best one, and hardly more in all."""
        best = self._set(self._ranked()[0])
        is_short = len(other.assumptions) <= len(best.assumptions) + 1
        return is_short and self._set(other).strong_count <= best.strong_count

    def _explain(self, chosen: Enough) -> None:
        """For each assumption what returns without it, or with a weak one instead of a strong one."""
        why: list[Without] = []
        for assumption in chosen.assumptions:
            others = [other for other in chosen.assumptions if other != assumption]
            weaker = assumption.weaker
            if weaker is not None:
                others.append(weaker)
            evidence = self._violation(others)
            why.append(Without(assumption, evidence, weaker))
            self._why[chosen.assumptions] = tuple(why)

    def _violation(self, assumptions: Iterable[Assumption]) -> Evidence:
        """A violation that is fair as assumed, judged by independent code."""
        assert self._survey is not None
        demanded = [assumption.conjunct for assumption in assumptions]
        run = self._survey.violation(demanded)
        assert run is not None, "what was found to be too little is too little"
        return self._judged(run, demanded)

    def _judged(self, run: Run, demanded: Sequence[Conjunct]) -> Evidence:
        assert self._survey is not None
        finding = Finding(
            Verdict.VIOLATED,
            run,
            self._target.statistics(self._survey.graph, self._clock),
            annotations=assumptions_of(self._target, self._clock).annotated,
            conjuncts=(*self._survey.conjuncts, *demanded),
        )
        return judged_evidence(self._query, finding, self._target.system, self._clock)

    def _judge_reach(self, enough: Enough) -> None:
        """Finds out from where executions can be as a set demands.

        Weak and strong fairness alone never stand in the way: an execution that ends in a set of states which
        cannot be left, and takes every transition there, is fair to every process and event.
        """
        assumptions = assumptions_of(self._target, self._clock)
        demanded = [assumption.conjunct for assumption in enough.assumptions]
        self._reach[enough.assumptions] = assumptions.reach(self._query.asked, demanded, self._clock)

    def _ranked(self) -> list[Enough]:
        """What something can satisfy, weak before strong, in few terms, about one kind, few assumptions."""

        def rank(enough: Enough) -> tuple[bool, int, int, int, int]:
            shown = self._set(enough)
            kinds = len({assumption.subject for assumption in enough.assumptions})
            size = len(enough.assumptions)
            return shown.reach is FairReach.NOWHERE, shown.strong_count, len(shown.terms), kinds, size

        return sorted(self._found, key=rank)

    def _set(self, enough: Enough) -> AssumptionSet:
        return AssumptionSet(
            enough.assumptions,
            self._subjects,
            enough.is_least,
            self._reach[enough.assumptions],
            self._why.get(enough.assumptions, ()),
        )

    def _advice(
        self,
        outcome: Outcome,
        *,
        survivor: Evidence | None = None,
        prefix: Evidence | None = None,
        reason: str | None = None,
    ) -> Advice:
        try:
            statistics = self._target.statistics(self._target.graph(), self._clock)
        except Stopped:  # not even an initial state fits into the memory
            statistics = Statistics(0, 0, self._clock.seconds, 0, complete=False)
        searches = sum(
            1 for verdict in self._notions if verdict.result and verdict.because_of is verdict.notion
        )
        return Advice(
            self._question.text,
            outcome,
            self._notions,
            tuple(self._set(enough) for enough in self._ranked()[: self._alternatives]),
            replace(statistics, seconds=self._clock.seconds),
            searches + (0 if self._survey is None else self._survey.searches),
            self._fair,
            survivor,
            prefix,
            reason,
        )
