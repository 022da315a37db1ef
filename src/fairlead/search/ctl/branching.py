"""CTL and CTL* over fair paths: the states where a formula holds, after Emerson and Lei."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from fairlead.base.allowance import Stopped
from fairlead.base.records import dataclass
from fairlead.logic.branching import existential, negation
from fairlead.logic.ltl import Atom, Formula
from fairlead.model.assertion import Meaning
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.assumptions import Assumptions, FairnessAsked, assumptions_of
from fairlead.search.ctl.demonstrating import Demonstrator
from fairlead.search.ctl.labelling import Labelling
from fairlead.search.target import Target

METHOD = "labelling of states"


@dataclass(frozen=True)
class BranchingQuestion:
    """A formula of CTL* with the meaning of its atoms, and whether finite paths end instead of idling."""

    formula: Formula
    meanings: Mapping[Atom, Meaning]
    finite_paths: bool

    @cached_property
    def checked(self) -> Formula:
        """The formula in the form in which it is checked."""
        return existential(self.formula)


@dataclass(frozen=True)
class StateSet:
    """The states of a system where a formula holds: whatever the step into them, or after some steps only.

    States have the numbers of the explicit graph. `total` is how many the system has, `describe` gives one
    for people and programs.
    """

    holds: frozenset[int]
    partly: frozenset[int]
    total: int
    describe: Callable[[int], dict[str, Any]] = field(compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<StateSet: {len(self.holds)} of {self.total} states, {len(self.partly)} more in part>"


def check_branching(target: Target, question: BranchingQuestion, asked: FairnessAsked) -> Finding:
    """Whether the formula holds in every initial state, with runs that show it where runs can."""
    clock = Clock(target.limits)
    graph = target.graph()
    try:
        assumptions, labelling = _labelled(target, question, asked, clock)
        with target.working(Phase.DEMONSTRATING, clock, graph):
            holds_at = {state: labelling.holds(question.checked, state) for state in graph.initial}
            verdict = Verdict.HOLDS if all(holds_at.values()) else Verdict.VIOLATED
            shown = question.checked if verdict is Verdict.HOLDS else negation(question.checked)
            start = next(state for state in graph.initial if labelling.holds(shown, state))
            # that a formula holds is worth a run where it shows all of it; that it is violated, in any case
            violated = verdict is Verdict.VIOLATED
            demonstration = Demonstrator(target, labelling).demonstration(shown, start, in_part=violated)
            holds_in, partly_in = labelling.counts(question.checked)
            is_satisfiable = labelling.is_always_fair
            is_fair = any(labelling.is_fair(state) for state in graph.initial)
        # without idling, a finite path does not count, as was asked for
        judged = not question.finite_paths and not is_satisfiable
        shortfall = assumptions.shortfall(asked, clock) if judged else None
    except Stopped as stop:
        statistics = target.statistics(graph, clock, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, METHOD)
    return Finding(
        verdict,
        None if demonstration is None else demonstration.run,
        target.statistics(graph, clock),
        None,
        METHOD,
        annotations=assumptions.annotated,
        shortfall=shortfall,
        conjuncts=assumptions.conjuncts(asked),
        demonstration=demonstration,
        holds_in=holds_in,
        partly_in=partly_in,
        all_end=question.finite_paths and not is_fair,
    )


def holds_when_labelled(
    target: Target, question: BranchingQuestion, asked: FairnessAsked, formula: Formula, clock: Clock
) -> bool:
    """Whether another formula over the atoms of a question that was answered holds in every initial state."""
    _, labelling = _labelled(target, question, asked, clock)
    graph = target.graph()
    with target.working(Phase.TRIVIALITY, clock, graph):
        checked = existential(formula)
        return all(labelling.holds(checked, state) for state in graph.initial)


def states_where(target: Target, question: BranchingQuestion, asked: FairnessAsked) -> StateSet:
    """The states where the formula holds; raises `Stopped` at a limit."""
    clock = Clock(target.limits)
    _, labelling = _labelled(target, question, asked, clock)
    graph = target.graph()
    with target.working(Phase.LISTING, clock, graph):
        holds, partly = labelling.states(question.checked)
    total, _ = target.counts(graph)
    return StateSet(
        frozenset(holds),
        frozenset(partly),
        total,
        lambda number: target.system.describe(target.state(graph, number)),
    )


@dataclass(frozen=True)
class _Labelled:
    """The labelling of the last question about a target, for further questions about the same target."""

    assumptions: Assumptions
    formula: Formula
    finite_paths: bool
    asked: FairnessAsked
    labelling: Labelling


def _labelled(
    target: Target, question: BranchingQuestion, asked: FairnessAsked, clock: Clock
) -> tuple[Assumptions, Labelling]:
    graph = target.explore_all(clock)
    assumptions = assumptions_of(target, clock)
    match target.labelled:
        case _Labelled(known, formula, finite_paths, fairness, labelling) if known is assumptions and (
            formula,
            finite_paths,
            fairness,
        ) == (question.formula, question.finite_paths, asked):
            return assumptions, labelling
    target.labelled = None  # its memory is needed
    with target.working(Phase.LABELLING, clock, graph):
        labelling = Labelling(
            target,
            graph,
            question.meanings,
            assumptions.fairness(asked),
            idles=not question.finite_paths,
            always_continues=assumptions.always_continues(asked),
        )
        labelling.label(question.checked)
    target.labelled = _Labelled(assumptions, question.formula, question.finite_paths, asked, labelling)
    return assumptions, labelling
