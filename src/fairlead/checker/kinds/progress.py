"""Progress: under fair choice one of the actions of a test occurs infinitely often in every execution."""

from __future__ import annotations

from fairlead.checker.context import Context
from fairlead.checker.kinds.kind import (
    Display,
    FairnessRole,
    FormulaRole,
    Kind,
    Reductions,
    Tick,
    might_change,
    might_change_counts,
    needs_all_steps,
)
from fairlead.checker.query import EvidenceDetails, Query
from fairlead.evidence.validate import Claim
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Progresses
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import Vacuity, VacuityCheck, VacuityKind
from fairlead.search.ltl import LtlQuestion, check_ltl
from fairlead.search.target import Target

#: how many actions of a progress property are named
_SHOWN_ACTIONS = 4


def _ltl(question: Progresses, context: Context) -> LtlQuestion:
    """The test as a formula: its meaning under other notions than fair choice."""
    from fairlead.search.progress import progress_question

    return progress_question(question.test)


def _find(query: Query[Progresses], target: Target) -> Finding:
    if not query.asked.is_fair_choice:
        return check_ltl(target, _ltl(query.question, query.context), query.asked)
    from fairlead.search.progress import check_progress

    return check_progress(target, query.question)


def _claim(query: Query[Progresses], details: EvidenceDetails, tick: Tick) -> Claim:
    if not query.asked.is_fair_choice:
        from fairlead.checker.kinds.ltl import violation

        return violation(_ltl(query.question, query.context), query.asked, details, tick)
    from fairlead.evidence.terminal import EndsInTerminalSet

    return EndsInTerminalSet(query.question, details.terminal, tick)


def _trivial_reason(
    query: Query[Progresses], target: Target, finding: Finding, how: VacuityCheck, clock: Clock
) -> Vacuity | None:
    """Whether the condition of the test is met only finitely often, so that nothing is asked."""
    from fairlead.search.progress import holds_without_actions

    test = query.question.test
    if test.condition is None or not holds_without_actions(test, target, query.asked, clock):
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


def _visible(query: Query[Progresses]) -> frozenset[str] | None:
    test = query.question.test
    return test.actions | (test.condition or frozenset()) if query.asked.is_fair_choice else None


KIND = Kind(
    type=Progresses,
    name="progress",
    display=Display(
        asks="An action of the set occurs infinitely often",
        violation="The counterexample leads into a terminal set of states, which the system never leaves, "
        "and in which none of the actions occurs.",
        property_name=lambda question: question.test.name,
    ),
    fairness=FairnessRole(default=Fairness.STRONG_GLOBAL, chosen=True),
    find=_find,
    claim=_claim,
    excludable=True,
    formula=FormulaRole(ltl=_ltl, trivial_reason=_trivial_reason),
    certificate="progress",
    reductions=Reductions(
        partial_order=needs_all_steps(
            "progress assumes strong global fairness, which depends on every step of a state"
        ),
        symmetry=might_change("progress is about terminal sets, which change if processes are exchanged"),
        counters=might_change_counts(
            "progress is about terminal sets, which change if processes are counted"
        ),
        compositional=_visible,
        variables=might_change("progress is about terminal sets, which change if values are left out"),
    ),
)
