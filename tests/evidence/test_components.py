"""Components as evidence: the judge accepts what the definitions say, and forged claims are found out."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

import fairlead
from fairlead.base.allowance import LimitKind, Stopped
from fairlead.checker.context import Context
from fairlead.evidence.component import ComponentReached, StaysInComponent
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.validate import problem_with
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import Step, idle_step
from fairlead.outcome.component import Component, component_of
from fairlead.outcome.finding import Verdict
from tests.support.asking.components import described, oracle_transitions, transitions_of
from tests.support.asking.runs import oracle_steps
from tests.support.oracle import graphs
from tests.support.oracle.components import (
    is_component,
    is_fair_component,
    random_loop,
    random_stem_and_component,
    violating_tour,
)
from tests.support.oracle.fairness import NOTIONS
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.verdict import random_case, verdict
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

CHUNKS = 8


class Case:
    """A graph and a formula, with what is claimed about them."""

    def __init__(self, graph: graphs.Graph, formula: tuple[object, ...]) -> None:
        self.graph = graph
        self.formula = formula
        self.model = fairlead.loads(graph.to_json(), "json")
        self.system = self.model.graph()
        assert isinstance(self.system, ExplicitGraph)
        question = self.model.formula(formula_text(formula))
        self.ltl = Context(self.model._loaded, []).formula(question)

    def step(self, step: graphs.Step) -> Step:
        if step.event is None:
            return idle_step(step.source)
        return Step(step.event, step.processes, step.target)

    def run(self, stem: list[graphs.Step], loop: list[graphs.Step]) -> Run:
        return Run(self.graph.initial, tuple(map(self.step, stem)), tuple(map(self.step, loop)))

    def problem(self, run: Run, notion: str, component: Component) -> str | None:
        claim = StaysInComponent(self.ltl.formula, self.ltl.meanings, FairPaths(Fairness(notion)), component)
        return problem_with(self.system, run, claim)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_accepted_iff_fair_and_violating(chunk: int) -> None:
    """Random transitions, formulas and notions; the oracle tries the product with its own tableau."""
    accepted = 0
    for seed in some(range(chunk, 4_000, CHUNKS), 40):
        rng = Random(seed)
        graph, formula, notion = random_case(seed)
        chosen = random_stem_and_component(rng, graph)
        if chosen is None:
            continue
        stem, steps = chosen
        case = Case(graph, formula)
        shown = violating_tour(graph, formula, stem, steps)
        is_evidence = shown is not None and is_fair_component(graph, steps, notion)
        if shown is None:
            loop = random_loop(rng, steps, stem[-1].target if stem else graph.initial)
        else:
            stem, loop = shown
        start = stem[-1].target if stem else graph.initial
        claimed = described(case.system, start, {(step.source, case.step(step)) for step in steps})
        problem = case.problem(case.run(stem, loop), notion, claimed)
        assert (problem is None) is is_evidence, (seed, formula_text(formula), notion, problem)
        accepted += is_evidence
    assert accepted or is_sample()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_the_search_claims_is_true(tune: Tune, chunk: int) -> None:
    """Every violation as a component: accepted by the judge, and by the oracle."""
    tune(longest_loop=0, shortest_lasso_system=0)
    found = 0
    for seed in some(range(5_000 + chunk, 6_200, CHUNKS), 10):
        graph, formula, notion = random_case(seed)
        case = Case(graph, formula)
        result = case.model.check(case.model.formula(formula_text(formula)), notion)
        assert (result.verdict is Verdict.HOLDS) is verdict(graph, formula, notion)
        evidence = result.evidence
        if evidence is None or not evidence.run.loop:
            continue
        assert evidence.component is not None and isinstance(evidence.explanation, ComponentReached)
        transitions = transitions_of(case.system, evidence.run.loop_start, evidence.component)
        steps = {graphs.Step(*step) for step in oracle_transitions(transitions)}
        assert len(steps) == evidence.component.transitions
        stem = [graphs.Step(*step) for step in oracle_steps(evidence.run.start, evidence.run.stem)]
        assert is_component(steps) and is_fair_component(graph, steps, notion), seed
        assert violating_tour(graph, formula, stem, steps) is not None, seed
        found += 1
    assert found or is_sample()


# ---------------------------------------------------------------- forged claims

#: a terminal component of states 1, 2 and 3, and a way to it
HAND = graphs.graph(
    5,
    [
        (0, "in", 1, "P"),
        (1, "a", 2, "P"),
        (2, "b", 1, "P"),
        (2, "c", 3, "Q"),
        (3, "d", 1, "Q"),
        (0, "other", 4, "Q"),
        (4, "e", 4, "Q"),
    ],
    {"here": [1]},
)
NEVER_SETTLED = ("F", ("G", ("prop", "here")))


def hand() -> tuple[Case, Run, Component]:
    case = Case(HAND, NEVER_SETTLED)
    steps = {(step.source, step.event): step for step in HAND.transitions}
    run = case.run([steps[0, "in"]], [steps[1, "a"], steps[2, "b"]])
    return case, run, Component(3, 4)


@pytest.mark.parametrize("notion", NOTIONS)
def test_an_honest_claim_is_accepted(notion: str) -> None:
    case, run, component = hand()
    assert case.problem(run, notion, component) is None


@pytest.mark.parametrize(
    ("notion", "forged", "problem"),
    [
        ("sgf", Component(2, 4), "the component has other states or transitions than stated"),
        ("sgf", Component(3, 3), "the component has other states or transitions than stated"),
        ("sgf", Component(4, 6), "the component has other states or transitions than stated"),
        ("none", Component(2, 2, ((1, (1,)), (7, (0,)))), "the component has other states"),
        ("sgf", Component(2, 2, ((1, (1,)),)), "the component can be left"),  # state 3 is dropped
        ("esf", Component(2, 2, ((1, (1,)),)), "unfair: c: enabled in some of its states, never taken"),
        ("psf", Component(2, 2, ((1, (1,)),)), "unfair: Q: enabled in some of its states, never taken"),
        ("none", Component(3, 3, ((1, (0,)),)), "the cycle leaves the component"),  # b is dropped
        ("none", Component(3, 3, ((2, (0,)),)), "not strongly connected"),  # d is dropped
        ("none", Component(3, 4, ((1, (2,)),)), "a step that does not exist"),
        ("none", Component(3, 4, ((1, (0, 0)),)), "a step that does not exist"),
    ],
)
def test_a_forged_component_is_rejected(notion: str, forged: Component, problem: str) -> None:
    case, run, _ = hand()
    found = case.problem(run, notion, forged)
    assert found is not None and problem in found


def test_the_size_of_a_closed_component_may_be_unknown(tune: Tune) -> None:
    case, run, component = hand()
    unknown = Component(None, None)
    claim = StaysInComponent(case.ltl.formula, case.ltl.meanings, FairPaths(Fairness.STRONG_GLOBAL), unknown)
    found = claim.judge(case.system, run)
    assert isinstance(found, ComponentReached) and found.is_judged and found.component == component
    assert found.size == "3 states and 4 transitions"
    stored = json.loads(json.dumps(unknown.to_json()))
    assert component_of(stored) == unknown
    assert component_of(stored | {"left_out": [[0, [0]]]}) is None  # of what is found then nobody knows
    assert component_of(stored | {"states": 3}) is None
    elsewhere = Case(HAND, ("F", ("G", ("event", "b"))))
    assert elsewhere.problem(run, "sgf", unknown) is None
    tune(judged_transitions=2)
    part = claim.judge(case.system, run)
    assert isinstance(part, ComponentReached) and not part.is_judged
    assert list(part.lines()) == [
        "the execution stays in a component of more than 2 states with their transitions, "
        "and takes each of them infinitely often",
        "validated in part: a limit was reached when 2 states had been explored again",
    ]


def test_a_smaller_component_may_be_evidence_too() -> None:
    case, run, _ = hand()
    for notion in ("none", "ewf", "pwf"):
        assert case.problem(run, notion, Component(2, 2, ((1, (1,)),))) is None


def test_a_cycle_elsewhere_is_rejected() -> None:
    case, run, component = hand()
    steps = {(step.source, step.event): case.step(step) for step in HAND.transitions}
    elsewhere = Run(0, (steps[0, "other"],), (steps[4, "e"],))
    assert case.problem(elsewhere, "sgf", component) is not None
    assert case.problem(replace(run, loop=()), "sgf", component) == "the run has no loop"
    broken = replace(run, loop=(steps[1, "a"], steps[4, "e"]))
    assert case.problem(broken, "sgf", component) == "step 3 (e) is not possible"


def test_another_formula_is_rejected() -> None:
    _, run, component = hand()
    for formula, problem in [
        (("G", ("F", ("prop", "here"))), "the cycle in the component does not violate the formula"),
        # the cycle avoids c, but an execution through all of the component does not
        (("G", ("F", ("event", "c"))), "no execution that takes all of the component infinitely often"),
    ]:
        found = Case(HAND, formula).problem(run, "sgf", component)
        assert found is not None and found.startswith(problem)


def test_order_matters_beyond_what_occurs() -> None:
    """One state, loops a and b, `FG (a -> X !b)`: the run (ab)^ω is globally fair and violates it."""
    graph = graphs.graph(1, [(0, "a", 0, "P"), (0, "b", 0, "P")])
    formula = ("F", ("G", ("implies", ("event", "a"), ("X", ("not", ("event", "b"))))))
    case = Case(graph, formula)
    a, b = graph.transitions
    assert case.problem(case.run([], [a, b]), "sgf", Component(1, 2)) is None
    orderly = Case(graph, ("not", ("F", ("G", ("iff", ("event", "a"), ("X", ("event", "b")))))))
    assert orderly.problem(orderly.run([], [a, b]), "sgf", Component(1, 2)) is None
    always_a = Case(graph, ("not", ("F", ("G", ("event", "a")))))
    found = always_a.problem(always_a.run([], [a]), "sgf", Component(1, 2))
    assert found is not None and "takes all of the component" in found


# ---------------------------------------------------------------- limits


def test_a_limit_leaves_a_part(tune: Tune) -> None:
    case, run, component = hand()

    def judged(claim: StaysInComponent) -> ComponentReached:
        found = claim.judge(case.system, run)
        assert isinstance(found, ComponentReached)
        return found

    claim = StaysInComponent(
        case.ltl.formula, case.ltl.meanings, FairPaths(Fairness.STRONG_GLOBAL), component
    )
    assert judged(claim).is_judged
    tune(judged_transitions=2)
    part = judged(claim)
    assert (part.is_judged, part.looked_at) == (False, 2)
    assert part.unjudged in list(part.lines())
    tune(judged_transitions=100)
    calls = iter(range(3))

    def tick() -> None:
        if next(calls, None) is None:
            raise Stopped(LimitKind.TIME)

    stopped = judged(replace(claim, tick=tick))
    assert (stopped.is_judged, stopped.looked_at) == (False, 3)


def test_a_part_must_not_contradict(tune: Tune) -> None:
    case, run, _ = hand()
    tune(judged_transitions=3)
    assert case.problem(run, "sgf", Component(2, 4)) is not None
