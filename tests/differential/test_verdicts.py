"""Verdicts and evidence against the oracle (tests/support/oracle), written from the definitions alone."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.search import ltl
from tests.support.asking.runs import judge_evidence
from tests.support.oracle.fairness import NOTIONS
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.verdict import random_case, verdict, verdicts
from tests.support.sampling import some
from tests.support.tuning import Tune

DEFAULT_SEEDS = range(600)
LONG_SEEDS = range(1000, 13_000)
CHUNKS = 20


def check_one(seed: int) -> None:
    graph, formula, notion = random_case(seed)
    model = fairlead.loads(graph.to_json(), "json")
    expected = verdict(graph, formula, notion)
    result = model.check(model.formula(formula_text(formula)), notion)
    wanted = fairlead.Verdict.HOLDS if expected else fairlead.Verdict.VIOLATED
    assert result.verdict is wanted, (seed, formula_text(formula), notion, result.reason)
    if not expected:
        assert result.evidence is not None
        judge_evidence(graph, result.evidence.run, formula, notion)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_graphs(chunk: int) -> None:
    for seed in DEFAULT_SEEDS[chunk::CHUNKS]:
        check_one(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_graphs(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        check_one(seed)


@pytest.mark.parametrize("seed", range(40))
def test_all_notions_on_one_explored_graph(seed: int) -> None:
    """Questions share a graph; the order in which they are asked makes no difference."""
    graph, formula, _ = random_case(seed)
    model = fairlead.loads(graph.to_json(), "json")
    expected = verdicts(graph, formula)
    question = model.formula(formula_text(formula))
    for notion in (*NOTIONS, *reversed(NOTIONS)):
        assert (model.check(question, notion).verdict is fairlead.Verdict.HOLDS) == expected[notion]


@pytest.mark.sampled
@pytest.mark.parametrize("dive", [1, 7, 20_000])
@pytest.mark.parametrize("chunk", range(4))
def test_large_systems_are_searched_on_the_fly(
    monkeypatch: pytest.MonkeyPatch, tune: Tune, chunk: int, dive: int
) -> None:
    """The search for systems too large to be explored first, paused after different numbers of steps."""
    monkeypatch.setattr(ltl.FairSearch, "is_small", lambda self: False)
    tune(shortest_dive=dive)
    for seed in some(range(2000 + chunk, 2400, 4)):
        check_one(seed)
