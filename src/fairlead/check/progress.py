"""Progress under fair choice: in every terminal set of states the actions of a test must occur.

A terminal set is a strongly connected component that no transition leaves; a state without transitions is
one, with no actions. An execution in which each choice that recurs is made in every possible way ends in a
terminal set, and does each of its actions again and again (Giannakopoulou, Magee and Kramer 1999). So
all tests are judged on the terminal sets, which are looked for once. Annotations of single events
play no part in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from fairlead.check.assumptions import FairnessAsked
from fairlead.check.events import Phase
from fairlead.check.finding import Finding, TerminalSet, Verdict
from fairlead.check.holding import holds_when_explored
from fairlead.check.limits import Clock, Stopped
from fairlead.check.ltl import LtlQuestion
from fairlead.check.target import Target
from fairlead.engine import _native
from fairlead.logic.ltl import Always, Atom, AtomKind, Eventually, Formula, Implies
from fairlead.model.assertion import (
    AllProgress,
    EventAtom,
    Meaning,
    ProgressAssertion,
    Progresses,
    ProgressTest,
)
from fairlead.records import dataclass

METHOD = "terminal components"

#: how many states a depth-first search may have before it takes a short cut (native/behaviour/terminal.hpp)
PATIENCE = 10_000


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
            known = target.terminal_sets = _Known(graph, _native.TerminalSets(graph, PATIENCE))
    return known.sets


def _demand(
    graph: _native.Graph, assertion: ProgressAssertion
) -> tuple[_native.ProgressKind, list[int], list[int] | None]:
    """What is demanded of terminal sets, in the engine's numbers."""

    def labels(actions: frozenset[str]) -> list[int]:
        return [graph.label(action) for action in sorted(actions)]

    match assertion:
        case Progresses(test=test):
            condition = None if test.condition is None else labels(test.condition)
            return _native.ProgressKind.ONE_OF, labels(test.actions), condition
        case AllProgress(alphabet=alphabet):
            return _native.ProgressKind.ALL_OF, labels(alphabet), None
        case _:
            assert_never(assertion)


# ---------------------------------------------------------------- as a formula

_ACTIONS = Atom("actions", AtomKind.QUOTED)
_CONDITION = Atom("condition", AtomKind.QUOTED)


def progress_formula(test: ProgressTest) -> Formula:
    """What a test says in LTL: `[]<> actions`, or `[]<> condition -> []<> actions` if it has a condition.

    Under strong global fairness the formula holds iff the test does.
    """
    goal = Always(Eventually(_ACTIONS))
    return goal if test.condition is None else Implies(Always(Eventually(_CONDITION)), goal)


def progress_question(test: ProgressTest) -> LtlQuestion:
    """The formula of a test, for a check under any notion of fairness."""
    meanings: dict[Atom, Meaning] = {_ACTIONS: EventAtom(test.actions)}
    if test.condition is not None:
        meanings[_CONDITION] = EventAtom(test.condition)
    return LtlQuestion(progress_formula(test), meanings)
