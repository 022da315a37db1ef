"""Whether an assertion that holds does so for a trivial reason: what is looked for, by kind of question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, assert_never

from fairlead.logic.automata.validity import Exclusive, accepts_nothing, is_valid, is_valid_branching
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import Always, ForAll, Formula, Next, in_letters
from fairlead.model.assertion import Progresses, ProgressTest, Satisfies, SatisfiesBranching
from fairlead.model.evaluation import Fault
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock, Stopped
from fairlead.outcome.vacuity import Vacuity, VacuityCheck, VacuityKind
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion
from fairlead.search.target import Target
from fairlead.search.vacuity.recheck import holds_when_explored
from fairlead.search.vacuity.triviality import Examined, find_triviality

if TYPE_CHECKING:
    from fairlead.checker.questions import Questions
    from fairlead.search.ctl.branching import BranchingQuestion

#: questions that can hold for a trivial reason
Concerned = Satisfies | SatisfiesBranching | Progresses

_QUOTED = re.compile(r'"([^"]*)"')
#: how operators are written
_LETTERS = re.compile(r"\b(?:G|F|GF|FG)\b")
_SYMBOLS = re.compile(r"\[\]|<>")
#: how many actions of a progress property are named
_SHOWN_ACTIONS = 4


def trivial_reason(
    questions: Questions,
    question: Concerned,
    asked: FairnessAsked,
    target: Target,
    finding: Finding,
    how: VacuityCheck,
) -> Vacuity | None:
    """A trivial reason why an assertion holds; none, if a limit or an error does not let it be found."""
    clock = Clock(target.limits)
    clock.started -= finding.statistics.seconds
    only_fair = asked.notion is not Fairness.NONE or asked.formula is not None or bool(finding.annotations)
    try:
        match question:
            case Progresses(test=test):
                return _of_progress(test, asked, target, clock)
            case Satisfies():
                ltl = questions.formula(question)
                examined = _linear(ltl, question, asked, target, clock, only_fair)
            case SatisfiesBranching():
                branching = questions.branching(question)
                examined = _branching(branching, question, asked, target, clock, only_fair)
            case _:
                assert_never(question)
        return find_triviality(target, examined, how, clock)
    except (Stopped, Fault):  # the verdict stands: this is about what can be said besides
        return None


def _linear(
    ltl: LtlQuestion,
    question: Satisfies,
    asked: FairnessAsked,
    target: Target,
    clock: Clock,
    only_fair: bool,
) -> Examined:
    def holds(formula: Formula) -> bool:
        return holds_when_explored(target, LtlQuestion(formula, ltl.meanings), asked, clock)

    def valid(formula: Formula, exclusive: Exclusive) -> bool:
        if formula == ltl.formula:
            return accepts_nothing(ltl.violations, exclusive)
        return is_valid(formula, exclusive)

    written = question.formula.text
    if question.meanings is not None:  # of FSP: what it says begins after the first step, and has no quotes
        return Examined(ltl.formula, ltl.meanings, holds, valid, _always_after_first, _fsp_text, only_fair)
    text = in_letters if _LETTERS.search(written) and not _SYMBOLS.search(written) else str
    return Examined(ltl.formula, ltl.meanings, holds, valid, Always, text, only_fair)


def _always_after_first(formula: Formula) -> Formula:
    return Next(Always(formula))


def _fsp_text(formula: Formula) -> str:
    body = formula.operand if isinstance(formula, Next) else formula
    return _QUOTED.sub(r"\1", str(body))


def _branching(
    branching: BranchingQuestion,
    question: SatisfiesBranching,
    asked: FairnessAsked,
    target: Target,
    clock: Clock,
    only_fair: bool,
) -> Examined:
    from fairlead.search.ctl.branching import holds_when_labelled

    def holds(formula: Formula) -> bool:
        return holds_when_labelled(target, branching, asked, formula, clock)

    def always(formula: Formula) -> Formula:
        return ForAll(Always(formula))

    return Examined(
        branching.formula, branching.meanings, holds, is_valid_branching, always, in_letters, only_fair
    )


def _of_progress(test: ProgressTest, asked: FairnessAsked, target: Target, clock: Clock) -> Vacuity | None:
    """Whether the condition of a progress property is never met again and again, so that nothing is asked."""
    if test.condition is None:
        return None
    from fairlead.search.progress import holds_without_actions

    if not holds_without_actions(test, target, asked, clock):
        return None
    return Vacuity(
        VacuityKind.ANTECEDENT,
        f"[]<>{_set_text(test.actions)}",
        f"<>[]!{_set_text(test.condition)}",
        f"[]<>{_set_text(test.condition)}",
        only_fair=True,
        asks_nothing=True,
    )


def _set_text(actions: frozenset[str]) -> str:
    names = sorted(actions)
    more = len(names) - _SHOWN_ACTIONS
    if more > 0:
        names = [*names[:_SHOWN_ACTIONS], f"{more} more"]
    return names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
