"""LTL with decision diagrams: is there a fair execution that the automaton of violations accepts?"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.logic.automata.strength import AutomatonStrength, universal_states
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.run import Run
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding, Shortfall, Verdict
from fairlead.search.assumptions import FairnessAsked, smallest_failing
from fairlead.search.ltl import LtlQuestion
from fairlead.search.symbolic.conditions import branches_of, conjuncts_of
from fairlead.search.symbolic.fair import Demands, demands_of, fair_hull
from fairlead.search.symbolic.lasso import LassoBuilder
from fairlead.search.symbolic.product import Nodes, plain_product, product_with
from fairlead.search.symbolic.reach import METHOD, check_invariant, run_to
from fairlead.search.symbolic.space import NotEncodable, SymbolicTarget


def check_ltl(target: SymbolicTarget, question: LtlQuestion, asked: FairnessAsked) -> Finding:
    """Whether every fair execution satisfies the formula; raises `NotEncodable` where that is not known."""
    annotations = target.network.annotations
    continues = asked.continues_every_run and not any(kind.may_be_unsatisfiable for kind in annotations)
    if continues and question.strength is AutomatonStrength.TERMINAL:
        if question.broken_invariant is not None:
            return check_invariant(target, question.broken_invariant)
        return _check_prefix(target, question)
    if annotations:
        raise NotEncodable("annotations demand fairness to events that are ready")
    if asked.notion.is_global:
        raise NotEncodable("strong global fairness is about single transitions")
    target.explore()
    target.enter(Phase.CYCLE)
    conjuncts = asked_conjuncts(target, asked)
    shortfall = _shortfall(target, asked, conjuncts)
    run = None
    if shortfall is None or not shortfall.is_total:
        run = _violation(target, question, [*conjuncts_of(target, asked.notion), *conjuncts])
    verdict = Verdict.HOLDS if run is None else Verdict.VIOLATED
    return Finding(
        verdict, run, target.statistics(), None, METHOD, shortfall=shortfall, conjuncts=tuple(conjuncts)
    )


def asked_conjuncts(target: SymbolicTarget, asked: FairnessAsked) -> Sequence[Conjunct]:
    """What the formula that is asked for demands of this system."""
    processes = sorted({process for _, taking_part in target.actions for process in taking_part})
    return asked.conjuncts(processes, sorted({event for event, _ in target.actions}))


def _violation(target: SymbolicTarget, question: LtlQuestion, conjuncts: Sequence[Conjunct]) -> Run | None:
    """A fair execution that violates the formula."""
    automaton = question.violations
    whole, initial = product_with(target, automaton, question.meanings)
    reached = whole.reached_from(initial, whole.full())
    branches = branches_of(target, conjuncts)
    for number, component in enumerate(automaton.components):
        if not automaton.is_accepting_component(number):
            continue
        part = whole.part(component)
        for branch in branches:
            demands = demands_of(part, branch, automaton.acceptance_sets)
            hull = fair_hull(demands, reached)
            if hull:
                return LassoBuilder(whole, initial, demands, hull).build()
    return None


# ---------------------------------------------------------------- whether some execution is fair


def fair_region(target: SymbolicTarget, conjuncts: Sequence[Conjunct]) -> Nodes:
    """The states from which some execution satisfies the conjuncts, at state 0 of the trivial automaton."""
    product = plain_product(target)
    region: Nodes = {}
    for branch in branches_of(target, conjuncts):
        hull = fair_hull(demands_of(product, branch, 0), product.full())
        region = product.unite(region, product.leading_to(hull, product.full()))
    return region


def _shortfall(
    target: SymbolicTarget, asked: FairnessAsked, candidates: Sequence[Conjunct]
) -> Shortfall | None:
    """What cannot be satisfied, if there are reachable states from which no execution is fair."""
    if asked.continues_every_run:
        return None
    product = plain_product(target)

    def missing(notion: Fairness, chosen: Sequence[Conjunct]) -> Nodes:
        return product.subtract(product.full(), fair_region(target, [*conjuncts_of(target, notion), *chosen]))

    start = {0: target.initial}
    all_missing = missing(asked.notion, candidates)
    if not all_missing:
        return None
    total = bool(product.intersect(all_missing, start))

    def falls_short(notion: Fairness, chosen: Sequence[Conjunct]) -> bool:
        found = missing(notion, chosen)
        return bool(product.intersect(found, start) if total else found)

    notion = Fairness.NONE if falls_short(Fairness.NONE, candidates) else asked.notion
    core = smallest_failing(candidates, lambda chosen: falls_short(notion, chosen))
    found = run_to(target, all_missing[0])
    assert found is not None
    blamed = tuple(conjunct.text for conjunct in candidates if conjunct in core)
    return Shortfall(blamed, notion, total, found[0])


# ---------------------------------------------------------------- safety


def _check_prefix(target: SymbolicTarget, question: LtlQuestion) -> Finding:
    """A shortest finite run after which the automaton accepts whatever follows."""
    target.explore()
    target.enter(Phase.PREFIX)
    product, initial = product_with(target, question.violations, question.meanings)
    universal = dict.fromkeys(universal_states(question.violations), target.reachable)
    bad = product.intersect(product.reached_from(initial, product.full()), universal)
    if not bad:
        return Finding(Verdict.HOLDS, None, target.statistics(), None, METHOD)
    run = LassoBuilder(product, initial, Demands(product, (), ()), bad).prefix()
    return Finding(Verdict.VIOLATED, run, target.statistics(), None, METHOD, is_shortest=True)
