"""Progress under fair choice: in every terminal set of states the actions of a test must occur.

A terminal set is a strongly connected component that no transition leaves; a state without transitions is
one, with no actions. An execution in which each choice that recurs is made in every possible way ends in a
terminal set, and takes each of its actions infinitely often (Giannakopoulou, Magee and Kramer 1999). So
all tests are judged on the terminal sets, which are searched for once. Annotations of single events
play no part in it.
"""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.allowance import Stopped
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.logic.progress import progress_formula, progress_meanings
from fairlead.model.assertion import (
    ProgressAssertion,
    Progresses,
    ProgressTest,
)
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, TerminalSet, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion
from fairlead.search.target import Target
from fairlead.search.vacuity.recheck import holds_when_explored

METHOD = "terminal components"


@dataclass(frozen=True)
class _Known:
    """The terminal sets of a graph, kept for the next test."""

    graph: _native.Graph
    sets: _native.TerminalSets


def check_progress(target: Target, assertion: ProgressAssertion) -> Finding:
    """Violated with a shortest way to a terminal set that violates the test, and a shortest cycle there."""
    clock = Clock(target.limits)
    graph = target.graph()
    try:
        sets = _terminal_sets(target, graph, clock)
        with target.working(Phase.PROGRESS, clock, graph):
            found = sets.violation(*_demand(graph, assertion))
    except Stopped as stop:
        statistics = target.statistics(graph, clock, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, METHOD)
    statistics = target.statistics(graph, clock)
    if found is None:
        return Finding(Verdict.HOLDS, None, statistics, None, METHOD)
    actions = sorted(graph.label_text(label) for label in found.labels)
    missing = sorted(assertion.missing_in(frozenset(actions)))
    terminal = TerminalSet(tuple(actions), tuple(missing), found.states, found.violating, sets.count)
    run = target.run(graph, *found.lasso)
    return Finding(Verdict.VIOLATED, run, statistics, None, METHOD, terminal=terminal)


def holds_without_actions(test: ProgressTest, target: Target, asked: FairnessAsked, clock: Clock) -> bool:
    """Whether a test with a condition, which is met, would be met even if none of its actions counted."""
    without = replace(test, actions=frozenset())
    if not asked.is_fair_choice:
        return holds_when_explored(target, progress_question(without), asked, clock)
    graph = target.graph()
    sets = _terminal_sets(target, graph, clock)
    with target.working(Phase.TRIVIALITY, clock, graph):
        return sets.violation(*_demand(graph, Progresses("", "", without))) is None


def _terminal_sets(target: Target, graph: _native.Graph, clock: Clock) -> _native.TerminalSets:
    """The terminal sets of a system, which is explored completely for them unless it has been."""
    known = target.terminal_sets
    if not isinstance(known, _Known) or known.graph is not graph:
        target.explore_all(clock)
        with target.working(Phase.TERMINAL_SETS, clock, graph):
            sets = _native.TerminalSets(graph, tuning().terminal_patience)
            known = target.terminal_sets = _Known(graph, sets)
    return known.sets


def _demand(
    graph: _native.Graph, assertion: ProgressAssertion
) -> tuple[_native.ProgressKind, list[int], list[int] | None]:
    """What is demanded of terminal sets, in the engine's numbers."""

    def labels(actions: frozenset[str]) -> list[int]:
        return [graph.label(action) for action in sorted(actions)]

    kinds = _native.ProgressKind
    how_many = kinds.ALL_OF if assertion.needs_all else kinds.ONE_OF
    condition = None if assertion.condition is None else labels(assertion.condition)
    return how_many, labels(assertion.demanded), condition


def progress_question(test: ProgressTest) -> LtlQuestion:
    """The formula of a test, for a check under any notion of fairness."""
    return LtlQuestion(progress_formula(test), progress_meanings(test))
