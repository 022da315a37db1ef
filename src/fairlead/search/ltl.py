"""LTL under fairness: is there a fair execution that satisfies the negation of the formula?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.engine.atoms import EngineAtoms
from fairlead.engine.automaton import engine_automaton
from fairlead.logic.automata.automaton import Automaton, Transition
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.strength import AutomatonStrength, covers_everything, strength, universal_states
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.ltl import Atom, Formula, Not
from fairlead.logic.rewrite import simplify
from fairlead.model.assertion import Meaning
from fairlead.model.expression import FALSE, TRUE, Binary, Expression, Operator
from fairlead.model.folding import conjunction, fold, negation
from fairlead.model.system import Proposition
from fairlead.model.types import Type
from fairlead.outcome.events import Phase, Translated, Way
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.assumptions import FairnessAsked, assumptions_of, fairness_on_the_fly
from fairlead.search.dives import Dives, Found, Sought
from fairlead.search.fair_search import FairRun, FairSearch
from fairlead.search.reach import check_invariant
from fairlead.search.target import NetworkTarget, Target

SearchStatus = _native.SearchStatus

METHOD = "component search"


@dataclass(frozen=True)
class LtlQuestion:
    """A formula with the meaning of its atoms, and the automaton of its negation."""

    formula: Formula
    meanings: Mapping[Atom, Meaning]

    @cached_property
    def violations(self) -> Automaton:
        """Accepts the executions that violate the formula."""
        return reduce(to_automaton(simplify(Not(self.formula))))

    @cached_property
    def strength(self) -> AutomatonStrength:
        """How hard the search has to be."""
        return strength(self.violations)

    @cached_property
    def broken_invariant(self) -> Proposition | None:
        """If the formula is violated just by reaching a state: what is true in such a state."""
        return _broken_invariant(self)


def check_ltl(target: Target, question: LtlQuestion, asked: FairnessAsked) -> Finding:
    """Whether every fair execution satisfies the formula.

    A violation of a safety property is a finite prefix. Under each of the named notions but impartiality, and
    under the annotations `wf` and `sf`, every finite execution can be continued fairly, so that the prefix
    decides whatever the fairness.
    """
    _tell_translation(target, question)
    if is_decided_by_prefix(target, question, asked):
        if question.broken_invariant is not None and isinstance(target, NetworkTarget):
            target.note(Way("reachability", "a state alone shows a violation, under any fairness"))
            return check_invariant(target, question.broken_invariant)
        target.note(Way("search for a bad prefix", "a finite run shows a violation, under any fairness"))
        return _check_prefix(target, question)
    if depends_on_the_whole(target, asked):
        return _check_assuming(target, question, asked)
    return _check_components(target, question, asked)


def is_decided_by_prefix(target: Target, question: LtlQuestion, asked: FairnessAsked) -> bool:
    """Whether every violation is a finite run, and every finite run is the beginning of a fair execution."""
    kinds = target.system.annotation_kinds
    continues = asked.continues_every_run and not any(kind.may_be_unsatisfiable for kind in kinds)
    return continues and question.strength is AutomatonStrength.TERMINAL


def depends_on_the_whole(target: Target, asked: FairnessAsked) -> bool:
    """Whether what is fair is known only when everything is explored."""
    annotated = bool(target.system.annotation_kinds)
    return annotated or not asked.is_closed or target.has_unbounded or target.is_reduced


def _tell_translation(target: Target, question: LtlQuestion) -> None:
    if target.reporter is None:
        return
    target.report(Phase.TRANSLATING, Clock(target.limits), target.known_graph())
    automaton = question.violations
    transitions = sum(len(edges) for edges in automaton.transitions)
    sets, how_hard = automaton.acceptance_sets, question.strength.value
    target.note(Translated(len(automaton.transitions), transitions, sets, how_hard))


# ---------------------------------------------------------------- the product


def product_of(target: Target, graph: _native.Graph, question: LtlQuestion) -> _native.Product:
    """The system with the automaton of violations."""
    automaton = question.violations
    atoms = EngineAtoms(graph, target.proposition)
    for atom in automaton.atoms:
        atoms.add(question.meanings[atom])
    return _native.Product(atoms.native, engine_automaton(automaton))


# ---------------------------------------------------------------- safety


def _check_prefix(target: Target, question: LtlQuestion) -> Finding:
    clock = Clock(target.limits)
    graph = target.graph()
    product = product_of(target, graph, question)
    search = prefix_search(product, question)
    method = "shortest bad prefix"
    try:
        if target.is_reduced:
            target.explore_all(clock)
        dived = _search_prefix(target, question, search, clock)
    except Stopped as stop:
        statistics = target.statistics(graph, clock, search.node_count, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, method)
    statistics = target.statistics(graph, clock, search.node_count, complete=not search.is_found)
    if dived is not None:
        known = len(dived.run.stem) <= search.depth + 1
        return dived.finding(Verdict.VIOLATED, statistics, is_shortest=known)
    if not search.is_found:
        return Finding(Verdict.HOLDS, None, statistics, None, method)
    run = target.run(graph, *search.prefix())
    shortest = None if target.is_reduced else True
    return Finding(Verdict.VIOLATED, run, statistics, None, method, is_shortest=shortest)


def _search_prefix(
    target: Target, question: LtlQuestion, search: _native.PrefixSearch, clock: Clock
) -> Found | None:
    """Searches for a bad prefix, alternating with dives; the run of a dive, if one found a prefix first."""
    graph = target.graph()
    accepting = tuple(accepts_everything(question))
    sought = Sought(lambda ahead: product_of(target, ahead, question), accepting=accepting)
    dives = None if target.is_reduced else Dives.beside(target, sought, clock)
    while True:
        limit = target.most_states if dives is None else dives.next_turn(graph.state_count)
        with target.working(Phase.PREFIX, clock, graph, lambda: search.node_count):
            status = search.run(limit)
            if status is SearchStatus.PAUSED and graph.state_count > target.most_states:
                raise Stopped(LimitKind.STATES)
        if status is not SearchStatus.PAUSED:
            return None
        found = None if dives is None else dives.turn(graph.state_count)
        if found is not None:
            return found


def prefix_search(product: _native.Product, question: LtlQuestion) -> _native.PrefixSearch:
    """The search for a finite run after which the automaton accepts whatever follows."""
    return _native.PrefixSearch(product, accepts_everything(question))


def accepts_everything(question: LtlQuestion) -> list[bool]:
    """For each state of the automaton, whether whatever follows is accepted."""
    universal = universal_states(question.violations)
    return [state in universal for state in question.violations.states]


def _broken_invariant(question: LtlQuestion) -> Proposition | None:
    """Recognises automata that stay in their first state until a letter of state propositions is bad."""
    automaton = question.violations
    universal = universal_states(automaton)
    first = automaton.transitions[automaton.initial]
    if not covers_everything([(edge.positive, edge.negative) for edge in first]):
        return None  # there are letters after which nothing is accepted
    broken: Expression = FALSE
    for edge in first:
        if edge.target in universal:
            condition = _letter_condition(question, edge)
            if condition is None:
                return None
            broken = fold(Binary(Operator.OR, broken, condition, Type.BOOL))
        elif edge.target != automaton.initial:
            return None
    return Proposition(f"!({question.formula})", broken)


def _letter_condition(question: LtlQuestion, edge: Transition) -> Expression | None:
    """A transition's guard as a condition on states, if it reads nothing but states."""
    condition: Expression | None = None
    for number, atom in enumerate(question.violations.atoms):
        if not (edge.positive | edge.negative) >> number & 1:
            continue
        meaning = question.meanings[atom]
        if not isinstance(meaning, Proposition) or not isinstance(meaning.meaning, Expression):
            return None
        positive = edge.positive >> number & 1
        condition = conjunction(condition, meaning.meaning if positive else negation(meaning.meaning))
    return TRUE if condition is None else condition


# ---------------------------------------------------------------- everything else


def _check_components(target: Target, question: LtlQuestion, asked: FairnessAsked) -> Finding:
    """Looks for a fair accepting component of the product, on the fly."""
    clock = Clock(target.limits)
    graph = target.graph()
    product = product_of(target, graph, question)
    search = FairSearch(target, graph, product, question, fairness_on_the_fly(target, graph, asked), clock)
    shortfall = component = None
    try:
        lasso = search.shortest() if search.is_small() else search.first(idling_is_fair=asked.formula is None)
        component = None if lasso is None else search.component_of(lasso)
        if lasso is None and not asked.continues_every_run:
            search.explore_all()
            shortfall = assumptions_of(target, clock).shortfall(asked, clock)
    except Stopped as stop:
        statistics = target.statistics(graph, clock, search.nodes, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, METHOD)
    statistics = target.statistics(graph, clock, search.nodes, complete=lasso is None)
    verdict = Verdict.HOLDS if lasso is None else Verdict.VIOLATED
    run = None if lasso is None else target.run(graph, *lasso.lasso)
    return Finding(
        verdict,
        run,
        statistics,
        None,
        METHOD,
        shortfall=shortfall,
        conjuncts=asked.conjuncts(),
        is_shortest=_is_shortest(target, lasso),
        component=component,
    )


def _is_shortest(target: Target, found: FairRun | None) -> bool | None:
    """Whether a lasso is known to be a shortest one.

    The answer is unknown for a cycle in a component, and for a run that is not one of the system itself.
    """
    if found is None or found.part is not None or not target.is_whole:
        return None
    return found.is_shortest


def _check_assuming(target: Target, question: LtlQuestion, asked: FairnessAsked) -> Finding:
    """The same where what is fair depends on the whole system, which is explored completely first.

    An event may turn out to be annotated at the very end, and a process may take its first step there.
    """
    clock = Clock(target.limits)
    graph = target.graph()
    nodes = 0
    target.note(Way("explored whole first", "what is fair depends on the whole system"))
    try:
        target.explore_all(clock)
        assumptions = assumptions_of(target, clock)
        shortfall = assumptions.shortfall(asked, clock)
        lasso = component = None
        if shortfall is None or not shortfall.is_total:
            fairness = assumptions.fairness(asked)
            search = FairSearch(target, graph, product_of(target, graph, question), question, fairness, clock)
            lasso = search.in_complete()
            component = None if lasso is None else search.component_of(lasso)
            nodes = search.nodes
    except Stopped as stop:
        statistics = target.statistics(graph, clock, nodes, complete=False)
        return Finding(Verdict.UNKNOWN, None, statistics, stop.kind.value, METHOD)
    statistics = target.statistics(graph, clock, nodes)
    return Finding(
        Verdict.HOLDS if lasso is None else Verdict.VIOLATED,
        None if lasso is None else target.run(graph, *lasso.lasso),
        statistics,
        None,
        METHOD,
        annotations=assumptions.annotated,
        shortfall=shortfall,
        conjuncts=assumptions.conjuncts(asked),
        is_shortest=_is_shortest(target, lasso),
        component=component,
    )
