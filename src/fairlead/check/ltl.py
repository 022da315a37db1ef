"""LTL under fairness: is there a fair execution that satisfies the negation of the formula?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fairlead.check.finding import Finding, Verdict
from fairlead.check.limits import Clock, LimitKind, Stopped
from fairlead.check.reach import check_invariant
from fairlead.check.target import NetworkTarget, Target
from fairlead.engine import _native
from fairlead.errors import Code, Diagnostic, LimitReached
from fairlead.logic.automaton import Automaton
from fairlead.logic.fairness import Fairness
from fairlead.logic.ltl import Atom, Formula, Not
from fairlead.logic.reduce import reduce
from fairlead.logic.rewrite import simplify
from fairlead.logic.strength import AutomatonStrength, strength, universal_states
from fairlead.logic.translate import to_automaton
from fairlead.model.assertion import EventAtom, Meaning
from fairlead.model.expression import FALSE, Binary, Expression, Operator, Type, conjunction, fold, negation
from fairlead.model.system import Proposition

#: as SearchStatus in native/components.hpp
_FOUND, _NONE, _PAUSED = range(3)

#: the engine keeps letters and marks in 64 bits
MAX_BITS = 64

#: steps of the depth-first search before the first batch of breadth-first exploration
FIRST_DIVE = 20_000


@dataclass(frozen=True)
class LtlQuestion:
    """A formula with the meaning of its atoms, and the automaton of its negation."""

    formula: Formula
    meanings: Mapping[Atom, Meaning]

    @cached_property
    def violations(self) -> Automaton:
        """Accepts the executions that violate the formula."""
        automaton = reduce(to_automaton(simplify(Not(self.formula))))
        if automaton.acceptance_sets > MAX_BITS or len(automaton.atoms) > MAX_BITS:
            problem = f"the formula needs more than {MAX_BITS} atoms or acceptance sets"
            raise LimitReached((Diagnostic(Code.LIMIT, problem),))
        return automaton

    @cached_property
    def strength(self) -> AutomatonStrength:
        """How hard the search has to be."""
        return strength(self.violations)

    @cached_property
    def broken_invariant(self) -> Proposition | None:
        """If the formula is violated just by reaching a state: what is true in such a state."""
        return _broken_invariant(self)


def check_ltl(target: Target, question: LtlQuestion, fairness: Fairness) -> Finding:
    """Whether every fair execution satisfies the formula.

    A violation of a safety property is a finite prefix. Under each of the named notions every finite
    execution can be continued fairly, so that the prefix decides whatever the fairness.
    """
    if question.strength is AutomatonStrength.TERMINAL:
        if question.broken_invariant is not None and isinstance(target, NetworkTarget):
            return check_invariant(target, question.broken_invariant)
        return _check_prefix(target, question)
    return _check_components(target, question, fairness)


# ---------------------------------------------------------------- the product


def _product(target: Target, graph: _native.Graph, question: LtlQuestion) -> _native.Product:
    automaton = question.violations
    watched: list[int] = []
    bit_of: dict[int, int] = {}
    events: list[tuple[int, str]] = []
    for number, atom in enumerate(automaton.atoms):
        meaning = question.meanings[atom]
        if isinstance(meaning, EventAtom):
            events.append((number, meaning.label))
        else:
            bit_of[number] = len(watched)
            watched.append(target.proposition(meaning))
    labels: dict[int, int] = {}
    for number, label in events:
        bit_of[number] = len(bit_of)
        known = graph.label(label)
        labels[known] = labels.get(known, 0) | 1 << bit_of[number]

    def moved(mask: int) -> int:
        return sum(1 << bit for number, bit in bit_of.items() if mask >> number & 1)

    transitions = [
        (source, moved(edge.positive), moved(edge.negative), edge.target, edge.marks)
        for source, edges in enumerate(automaton.transitions)
        for edge in edges
    ]
    accepting = automaton.accepting_components
    may_accept = [automaton.component_of[state] in accepting for state in automaton.states]
    return _native.Product(
        graph,
        len(automaton.transitions),
        automaton.initial,
        automaton.acceptance_sets,
        transitions,
        watched,
        list(labels.items()),
        may_accept,
    )


# ---------------------------------------------------------------- safety


def _check_prefix(target: Target, question: LtlQuestion) -> Finding:
    clock = Clock(target.limits)
    graph = target.graph()
    product = _product(target, graph, question)
    universal = universal_states(question.violations)
    search = _native.PrefixSearch(product, [s in universal for s in question.violations.states])
    method = "shortest bad prefix"
    try:
        with target.working("searching", clock, graph):
            status = search.run(target.limits.states)
            if status == _PAUSED:
                raise Stopped(LimitKind.STATES)
    except Stopped as stop:
        statistics = target.statistics(graph, clock, product.node_count, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, method)
    statistics = target.statistics(graph, clock, product.node_count, complete=status == _NONE)
    if status == _NONE:
        return Finding(Verdict.HOLDS, None, statistics, None, method)
    start, stem, loop = search.prefix()
    return Finding(Verdict.VIOLATED, target.run(graph, start, stem, loop), statistics, None, method)


def _broken_invariant(question: LtlQuestion) -> Proposition | None:
    """Recognises automata that stay in their first state until a letter of state propositions is bad."""
    automaton = question.violations
    universal = universal_states(automaton)
    conditions: list[Expression] = []
    for edge in automaton.transitions[automaton.initial]:
        if edge.target == automaton.initial and not edge.positive | edge.negative:
            continue
        if edge.target not in universal:
            return None
        condition: Expression | None = None
        for number, atom in enumerate(automaton.atoms):
            meaning = question.meanings[atom]
            if not (edge.positive | edge.negative) >> number & 1:
                continue
            if isinstance(meaning, EventAtom) or not isinstance(meaning.meaning, Expression):
                return None
            positive = edge.positive >> number & 1
            condition = conjunction(condition, meaning.meaning if positive else negation(meaning.meaning))
        if condition is None:
            return None
        conditions.append(condition)
    if len(conditions) == len(automaton.transitions[automaton.initial]) or not conditions:
        return None  # there is no loop at the first state, or nothing is bad
    result = conditions[0]
    for condition in conditions[1:]:
        result = fold(Binary(Operator.OR, result, condition, Type.BOOL))
    return None if result == FALSE else Proposition(f"!({question.formula})", result)


# ---------------------------------------------------------------- everything else


def _check_components(target: Target, question: LtlQuestion, fairness: Fairness) -> Finding:
    """Looks for a fair accepting component, depth first, while the graph is explored in batches.

    The depth-first search finds bugs early; exploring breadth first is faster for the whole. They take
    turns on one graph: what one has expanded the other need not.
    """
    clock = Clock(target.limits)
    graph = target.graph()
    product = _product(target, graph, question)
    notion = (fairness.subject.value, fairness.is_strong, fairness.is_global)
    search = _native.ComponentSearch(product, *notion)
    method = "component search"
    try:
        status = _search_in_turns(target, graph, search, clock)
        lasso = None
        if status == _FOUND:
            with target.working("building the lasso", clock, graph):
                lasso = search.lasso(product, *notion)
    except Stopped as stop:
        statistics = target.statistics(graph, clock, product.node_count, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, method)
    statistics = target.statistics(graph, clock, product.node_count, complete=status == _NONE)
    if lasso is None:
        return Finding(Verdict.HOLDS, None, statistics, None, method)
    return Finding(Verdict.VIOLATED, target.run(graph, *lasso), statistics, None, method)


def _search_in_turns(
    target: Target, graph: _native.Graph, search: _native.ComponentSearch, clock: Clock
) -> int:
    limit = target.limits.states
    complete = False
    steps = FIRST_DIVE
    while True:
        if not complete and graph.state_count >= limit:
            raise Stopped(LimitKind.STATES)
        with target.working("searching", clock, graph):
            # a step adds at most the successors of one state
            status = search.run(1 << 62 if complete else steps)
        if status != _PAUSED:
            return status
        with target.working("exploring", clock, graph):
            complete = target.explore(min(limit, max(100_000, 4 * graph.state_count)))
        steps = max(FIRST_DIVE, graph.transition_count // 8)
