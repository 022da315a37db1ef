"""LTL: every fair execution satisfies the formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fairlead.checker.context import Context
from fairlead.checker.kinds.kind import Display, FairnessRole, FormulaRole, Kind, Reductions, Sampling, Tick
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import SATISFIED, Claim, ViolatesFormula
from fairlead.logic.automata.strength import AutomatonStrength
from fairlead.logic.ltl import Always, Formula, Next, in_letters
from fairlead.model.annotation import Annotation
from fairlead.model.assertion import Enabled, Meaning, Ready, Satisfies
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.system import System, idle_step
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import Vacuity, VacuityCheck
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion, check_ltl, is_decided_by_prefix
from fairlead.search.target import Target

if TYPE_CHECKING:
    from fairlead.logic.automata.validity import Exclusive
    from fairlead.reduce.counters.concrete_judge import Judge
    from fairlead.search.further import Further
    from fairlead.search.reduced import Sight

#: why strong global fairness may not allow a reduction
UNORDERED = "under strong global fairness, the order of the steps in the formula is not preserved"

_QUOTED = re.compile(r'"([^"]*)"')
#: how operators are written
_LETTERS = re.compile(r"\b(?:G|F|GF|FG)\b")
_SYMBOLS = re.compile(r"\[\]|<>")


# ---------------------------------------------------------------- the question


def _read(question: Satisfies, context: Context) -> Sequence[Meaning]:
    return tuple(context.formula(question).meanings.values())


def _is_finite(query: Query[Satisfies], annotations: frozenset[Annotation]) -> bool:
    """Whether a formula is about finite runs, each of which is the beginning of a fair one."""
    if not query.asked.continues_every_run or any(kind.may_be_unsatisfiable for kind in annotations):
        return False
    return query.context.formula(query.question).strength is AutomatonStrength.TERMINAL


def _find(query: Query[Satisfies], target: Target) -> Finding:
    return check_ltl(target, query.context.formula(query.question), query.asked)


def _claim(query: Query[Satisfies], details: EvidenceDetails, tick: Tick) -> Claim:
    return violation(query.context.formula(query.question), query.asked, details, tick)


def _further(query: Query[Satisfies], target: Target, finding: Finding, most: int, clock: Clock) -> Further:
    from fairlead.search.further import further_lassos, further_prefixes

    ltl = query.context.formula(query.question)
    if is_decided_by_prefix(target, ltl, query.asked):
        assert finding.run is not None
        return further_prefixes(target, ltl, finding.run, most, clock)
    known = finding.run if finding.component is None else None
    return further_lassos(target, ltl, query.asked, known, most, clock)


def violation(ltl: LtlQuestion, asked: FairnessAsked, details: EvidenceDetails, tick: Tick) -> Claim:
    """What a run claims that violates a formula: by its loop, or in a component."""
    if details.component is not None:
        from fairlead.evidence.component import StaysInComponent
        from fairlead.evidence.paths import FairPaths

        paths = FairPaths(asked.notion, details.annotations, details.conjuncts)
        return StaysInComponent(ltl.formula, ltl.meanings, paths, details.component, tick)
    return ViolatesFormula(ltl.formula, ltl.meanings, asked.notion, details.annotations, details.conjuncts)


# ---------------------------------------------------------------- trivial reasons


def _trivial_reason(
    query: Query[Satisfies], target: Target, finding: Finding, how: VacuityCheck, clock: Clock
) -> Vacuity | None:
    from fairlead.logic.automata.validity import accepts_nothing, is_valid
    from fairlead.search.vacuity.recheck import holds_when_explored
    from fairlead.search.vacuity.triviality import Examined, find_triviality, only_fair_count

    ltl = query.context.formula(query.question)

    def holds(formula: Formula) -> bool:
        return holds_when_explored(target, LtlQuestion(formula, ltl.meanings), query.asked, clock)

    def valid(formula: Formula, exclusive: Exclusive) -> bool:
        if formula == ltl.formula:
            return accepts_nothing(ltl.violations, exclusive)
        return is_valid(formula, exclusive)

    only_fair = only_fair_count(query.asked, finding)
    written = query.question.formula.text
    text: Callable[[Formula], str] = str
    always: Callable[[Formula], Formula] = Always
    if query.question.begins_after_first_step:
        always, text = _always_after_first, _text_after_first
    elif _LETTERS.search(written) and not _SYMBOLS.search(written):
        text = in_letters
    examined = Examined(ltl.formula, ltl.meanings, holds, valid, always, text, only_fair)
    return find_triviality(target, examined, how, clock)


def _always_after_first(formula: Formula) -> Formula:
    return Next(Always(formula))


def _text_after_first(formula: Formula) -> str:
    """The formula as its language writes it: without the first step, and without quotes."""
    body = formula.operand if isinstance(formula, Next) else formula
    return _QUOTED.sub(r"\1", str(body))


# ---------------------------------------------------------------- reductions


def _partial_order(query: Query[Satisfies], network: Network) -> Sight | str:
    from fairlead.checker.kinds.sight import formula_sight

    ltl = query.context.formula(query.question)
    return formula_sight(ltl, query.asked, network, _is_finite(query, network.annotations))


def _order_problem(query: Query[Satisfies]) -> str | None:
    from fairlead.reduce.counters.exactness import has_single_state_loops

    if not query.asked.notion.is_global:
        return None
    kept = has_single_state_loops(query.context.formula(query.question).violations)
    return None if kept else UNORDERED


def _can_be_sampled(query: Query[Satisfies]) -> bool:
    return not any(isinstance(meaning, Enabled | Ready) for meaning in _read(query.question, query.context))


def _sampled_problem(query: Query[Satisfies], run: Run, judge: Judge, system: System) -> str | None:
    from fairlead.evidence.lasso_ltl import holds_on, word_of

    ltl = query.context.formula(query.question)
    # after a bad prefix it does not matter what comes
    whole = run if run.loop else Run(run.start, run.stem, (idle_step(run.loop_start),))
    problem = judge.loop_problem(run, query.asked.notion)
    if problem is None and holds_on(ltl.formula, word_of(whole), ltl.meanings, system):
        return SATISFIED
    return problem


KIND = Kind(
    type=Satisfies,
    name="ltl",
    display=Display(
        asks="Every fair execution satisfies the formula",
        violation="The counterexample is an execution that violates it: finitely many steps, or a stem into "
        "a loop that repeats forever and is fair in the chosen sense. If the scheduler of the real system "
        "would never run like that, check under a stronger notion of fairness.",
        ends_in={
            Verdict.VIOLATED: "a state after which the formula is false, however the execution continues"
        },
        property_name=lambda question: question.name,
    ),
    fairness=FairnessRole(default=None, chosen=True, depends_on_subjects=True),
    find=_find,
    claim=_claim,
    further=_further,
    excludable=True,
    formula=FormulaRole(
        read=_read,
        ltl=lambda question, context: context.formula(question),
        finite=_is_finite,
        trivial_reason=_trivial_reason,
    ),
    certificate="formula",
    reductions=Reductions(
        partial_order=_partial_order,
        symmetry=_order_problem,
        counters=lambda query, unbounded: _order_problem(query),
        sampling=Sampling(possible=_can_be_sampled, problem=_sampled_problem),
    ),
)
