"""LTL under fairness formulas, its evidence, and formulas beside the notions that they spell out."""

from __future__ import annotations

from random import Random

import pytest

import fairlead
from fairlead import Verdict
from fairlead.model.labels import IDLE
from fairlead.model.run import Run
from fairlead.search import ltl
from tests.support.oracle.branching import Branching
from tests.support.oracle.branching_questions import (
    Case,
    random_ctl_question,
    random_linear_question,
    random_structure,
    steps_of_run,
)
from tests.support.oracle.conditions import condition_text, is_fair_loop, plain, random_condition
from tests.support.oracle.graphs import Graph, Step
from tests.support.sampling import some
from tests.support.tuning import Tune

SEEDS = range(300)
LONG_SEEDS = range(1000, 6000)
CHUNKS = 10


def check_one(seed: int) -> None:
    case = random_linear_question(seed)
    where = f"seed {seed}{case}"
    oracle = case.oracle()
    expected = oracle.verdict(case.formula)
    model = fairlead.loads(case.model, "json")
    result = model.check(model.formula(case.text), case.assumption.notion, fair=case.fair)
    assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED), where
    assert result.nothing_is_fair == (not oracle.verdict(("E", ("X", ("true",))))), where
    if not expected:
        assert result.evidence is not None, where
        judge_evidence(case, oracle, result.evidence.run, where)


def judge_evidence(case: Case, oracle: Branching, run: Run, where: str) -> None:
    """The run is an execution that is fair and violates the formula, or begins such executions only."""
    assert run.start == case.graph.initial, where
    steps = steps_of_run(
        case.graph,
        run.start,
        [(None if s.event == IDLE else s.event, s.target, s.processes) for s in [*run.stem, *run.loop]],
    )
    stem, loop = steps[: len(run.stem)], steps[len(run.stem) :]
    if loop:
        assert loop[-1].target == loop[0].source, where
        assert is_fair_loop(case.graph, loop, case.assumption), where
    else:
        end = (stem[-1].target, stem[-1]) if stem else oracle.start
        assert end in oracle.fair_region(frozenset(oracle.positions)), where
        more, loop = some_lasso(case.graph, end[0])
        stem = [*stem, *more]
    assert not oracle.satisfies(stem, loop, case.formula[1]), where


def some_lasso(graph: Graph, state: int) -> tuple[list[Step], list[Step]]:
    """The first step of each state in turn, until a state is met again."""
    steps: list[Step] = []
    met = [state]
    while True:
        steps.append(graph.steps(met[-1])[0])
        if steps[-1].target in met:
            cut = met.index(steps[-1].target)
            return steps[:cut], steps[cut:]
        met.append(steps[-1].target)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_formulas(chunk: int) -> None:
    for seed in some(SEEDS[chunk::CHUNKS]):
        check_one(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_formulas(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        check_one(seed)


@pytest.mark.sampled
@pytest.mark.parametrize("dive", [1, 20_000])
def test_large_systems_are_searched_on_the_fly(
    monkeypatch: pytest.MonkeyPatch, tune: Tune, dive: int
) -> None:
    monkeypatch.setattr(ltl.FairSearch, "is_small", lambda self: False)
    tune(shortest_dive=dive)
    for seed in some(range(500, 600)):
        check_one(seed)


# --- formulas that mean the same ---------------------------------------------------------------------------

SAME = [
    ("pwf", "all processes i: weak(i)"),
    ("pwf", "all processes i: FG enabled(i) -> GF executed(i)"),
    ("pwf", "all processes i: GF (!enabled(i) || executed(i))"),
    ("psf", "all processes i: strong(i)"),
    ("psf", "all processes i: FG !enabled(i) || GF executed(i)"),
    ("impartial", "impartial"),
    ("impartial", "all processes i: GF executed(i)"),
    ("ewf", "all events i: weak(i)"),
    ("ewf", "all events i: (FG enabled(i) -> GF executed(i))"),
    ("esf", "all events i: strong(i)"),
    ("esf", "!(some event i: GF enabled(i) && FG !executed(i))"),
    ("none", "true"),
    ("none", "GF true"),
]


@pytest.mark.parametrize(("notion", "formula"), SAME)
def test_notions_spelt_out(notion: str, formula: str) -> None:
    for seed in range(40):
        case = random_ctl_question(seed)
        model = fairlead.loads(case.graph.to_json(), "json")
        question = model.ctl(case.text, finite_paths=case.finite_paths)
        named = model.states(question, fairness=notion)
        assert model.states(question, fair=formula) == named, f"seed {seed}{case}"
        assert model.states(question, fairness=notion, fair=formula) == named, f"seed {seed}{case}"


def test_macros_and_quantifiers_written_out() -> None:
    for seed in range(60):
        case = random_ctl_question(seed)
        condition = random_condition(Random(seed), case.graph)
        written_out = condition_text(plain(case.graph, condition))
        model = fairlead.loads(case.graph.to_json(), "json")
        question = model.ctl(case.text, finite_paths=case.finite_paths)
        short = model.states(question, fair=condition_text(condition))
        assert model.states(question, fair=written_out) == short, (f"seed {seed}{case}", written_out)


def test_nothing_is_fair_under_a_contradiction() -> None:
    """Then everything holds on all executions and nothing on some."""
    for seed in range(20):
        graph = random_structure(Random(seed))
        model = fairlead.loads(graph.to_json(), "json")
        for fair in ("false", "GF p && FG !p", "!(GF true)"):
            everywhere = frozenset(range(graph.states))
            assert model.states(model.ctl("AX false"), fair=fair).holds == everywhere
            assert model.states(model.ctl("EX true"), fair=fair).holds == frozenset()
            assert model.check("|= false", fair=fair).verdict is Verdict.HOLDS
