"""Refinement: classic cases, random pairs against the definitions, networks against their graphs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import fairlead
from fairlead.evidence.refinement import ForbiddenDivergence, ForbiddenEvent, ForbiddenRefusal
from fairlead.lang.explicit.write import to_json
from fairlead.model.labels import is_internal
from tests.support.generators.csp_models import random_model
from tests.support.oracle.graphs import Graph
from tests.support.oracle.refinement import (
    KINDS,
    bounded_violation,
    random_pair,
    shortest_violation,
    wide_pair,
)
from tests.support.tuning import Tune

CHUNKS = 10
#: traces up to this length are listed
LENGTH = 5


def model_of(pair_part: Graph) -> fairlead.Model:
    return fairlead.loads(pair_part.to_json(), "json")


def trace_length(result: fairlead.Result) -> int:
    """The number of visible steps of the stem."""
    assert result.evidence is not None
    return sum(not is_internal(step.event) for step in result.evidence.run.stem)


def steps_to(result: fairlead.Result) -> int | None:
    return None if result.evidence is None else len(result.evidence.run.stem)


def check_pair(seed: int, counted: Counter[str]) -> None:
    left, right = random_pair(seed)
    implementation, specification = model_of(left), model_of(right)
    for kind in KINDS:
        result = implementation.refines(specification, kind)
        expected = shortest_violation(left, right, kind)
        assert bool(result) == (expected is None), (seed, kind)
        assert steps_to(result) == expected, (seed, kind)
        bounded = bounded_violation(left, right, kind, LENGTH)
        if bounded is None:
            assert result or trace_length(result) > LENGTH, (seed, kind)
        else:
            assert not result, (seed, kind)
        counted[f"{kind} {result.verdict.value}"] += 1
        if result.evidence is not None:
            counted[type(result.evidence.explanation).__name__] += 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_pairs(chunk: int) -> None:
    counted: Counter[str] = Counter()
    for seed in range(chunk, 400, CHUNKS):
        check_pair(seed, counted)
    for kind in KINDS:  # the pairs are worth their while
        assert min(counted[f"{kind} holds"], counted[f"{kind} violated"]) >= 3, counted
    assert min(counted[kind.__name__] for kind in (ForbiddenEvent, ForbiddenRefusal)) >= 3, counted


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_pairs(chunk: int) -> None:
    counted: Counter[str] = Counter()
    for seed in range(10_000 + chunk, 15_000, CHUNKS):
        check_pair(seed, counted)
    assert counted[ForbiddenDivergence.__name__] >= 5, counted


def check_wide_pair(seed: int) -> int:
    """How many pairs the search met for each state of the first graph, at most."""
    left, right = wide_pair(seed)
    met = 0
    for kind in KINDS:
        result = model_of(left).refines(model_of(right), kind)
        assert steps_to(result) == shortest_violation(left, right, kind), (seed, kind)
        assert bool(result) == (result.evidence is None)
        met = max(met, result.statistics.product_nodes // left.states)
    return met


def test_states_with_many_sets() -> None:
    """Beyond some number of sets the engine looks for smaller ones in another way."""
    assert sum(check_wide_pair(seed) > 20 for seed in range(60)) > 10


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_states_with_many_sets(chunk: int) -> None:
    assert sum(check_wide_pair(seed) > 20 for seed in range(1000 + chunk, 3000, CHUNKS)) > 20


# ---------------------------------------------------------------- classic cases

CLASSICS = """
var x = 0;
Ext() = a -> (b -> Stop [] c -> Stop);
Int() = a -> b -> Stop [] a -> c -> Stop;
Tau() = a -> (tau -> b -> Stop [] tau -> c -> Stop);
One() = a -> b -> Stop;
Div() = a -> Spin();
Spin() = tau -> Spin() [] b -> Stop;
Dead() = a -> Pure();
Pure() = tau -> Pure();
Chaos() = Pure();
Ended() = a -> Skip;
Stuck() = a -> Stop;
Counts() = a{x = 1} -> Reads();
Reads() = [x == 1] b -> Stop;
Sees() = [x == 0] a -> b -> Stop;
Never() = Stop;
"""

#: holds in the traces, failures, and failures-divergences models
CASES = {
    ("Ext()", "Int()"): (True, True, True),
    ("Int()", "Ext()"): (True, False, False),
    ("Tau()", "Int()"): (True, True, True),
    ("Int()", "Tau()"): (True, True, True),
    ("Tau()", "Ext()"): (True, False, False),
    ("One()", "Ext()"): (True, False, False),
    ("One()", "Int()"): (True, True, True),
    ("Int()", "One()"): (False, False, False),
    # divergence: traces and stable failures do not see it
    ("Div()", "One()"): (True, True, False),
    ("One()", "Div()"): (True, False, True),
    ("Dead()", "One()"): (True, True, False),
    # after <a> Dead is never stable, so that a stable state there is a failure it does not have
    ("Stuck()", "Dead()"): (True, False, True),
    ("Ext()", "Dead()"): (False, False, True),
    # what diverges at once allows everything
    ("Ext()", "Chaos()"): (False, False, True),
    ("Chaos()", "Ext()"): (True, True, False),
    ("Chaos()", "Chaos()"): (True, True, True),
    # termination is an event like any other
    ("Ended()", "Stuck()"): (False, False, False),
    ("Stuck()", "Ended()"): (True, False, False),
    ("Never()", "Stuck()"): (True, False, False),
    # each system has variables of its own
    ("Counts()", "Sees()"): (True, True, True),
    ("Sees()", "Counts()"): (True, True, True),
}


@pytest.mark.parametrize("pair", CASES)
def test_classic_cases(pair: tuple[str, str]) -> None:
    model = fairlead.loads(CLASSICS)
    found = tuple(bool(model.check(f"{pair[0]} refines{kind} {pair[1]}")) for kind in ("", "<F>", " <FD>"))
    assert found == CASES[pair]
    for kind, expected in zip(KINDS, CASES[pair], strict=True):
        assert bool(model.refines(pair[1], kind, process=pair[0])) == expected


def explanation(question: str) -> dict[str, object]:
    result = fairlead.loads(CLASSICS).check(question)
    assert result.evidence is not None
    return dict(result.evidence.to_json()["explanation"])


def test_what_is_told_about_a_trace() -> None:
    assert explanation("Int() refines One()") == {
        "kind": "trace",
        "trace": ["a"],
        "event": "c",
        "specification": {"offered": ["b"]},
    }
    text = str(fairlead.loads(CLASSICS).check("Int() refines One()"))
    assert "trace: <a>, then c\nafter this trace One() can do {b}, but not c" in text


def test_what_is_told_about_a_refusal() -> None:
    assert explanation("Int() refines<F> Ext()") == {
        "kind": "refusal",
        "trace": ["a"],
        "offered": ["b"],
        "specification": {"acceptances": [["b", "c"]]},
    }
    assert explanation("Stuck() refines<F> Dead()")["specification"] == {"acceptances": []}
    assert "Dead() is never stable" in str(fairlead.loads(CLASSICS).check("Stuck() refines<F> Dead()"))


def test_what_is_told_about_a_divergence() -> None:
    result = fairlead.loads(CLASSICS).check("Div() refines<FD> One()")
    assert result.evidence is not None
    assert len(result.evidence.run.loop) == 1
    assert explanation("Div() refines<FD> One()") == {
        "kind": "divergence",
        "trace": ["a"],
        "specification": {"diverges": False},
    }


# ---------------------------------------------------------------- evidence is judged


def test_evidence_that_shows_nothing() -> None:
    model = fairlead.loads(CLASSICS)
    stored = model.check("Int() refines<F> Ext()").to_json()
    assert model.validate(stored) is None
    for question, problem in {
        "Int() refines Ext()": "the specification has the trace of the run",
        "Int() refines<F> Int()": "the specification may refuse as much as the last state does",
        "Int() refines<FD> Div()": "the specification diverges, so that everything is allowed",
    }.items():
        assert model.validate({**stored, "assertion": question}) == problem
    lasso = model.check("Div() refines<FD> One()").to_json()
    assert model.validate({**lasso, "assertion": "Div() refines<FD> Dead()"}) is not None
    assert model.validate({**lasso, "assertion": "Div() refines<F> One()"}) is not None
    assert model.validate({**lasso, "assertion": "Div() refines<FD> One()"}) is None


@pytest.mark.parametrize("chunk", range(4))
def test_evidence_of_other_pairs_is_not_accepted(chunk: int, tmp_path: object) -> None:
    """A violation of one refinement is judged as evidence against another one just as the oracle does."""
    from fairlead.evidence.refinement import BreaksRefinement
    from fairlead.evidence.validate import problem_with
    from fairlead.model.assertion import Refinement

    refused = 0
    for seed in range(chunk, 200, 4):
        left, right = random_pair(seed)
        other = random_pair(seed + 1)[1]
        system = model_of(left).graph()
        for kind in KINDS:
            evidence = model_of(left).refines(model_of(right), kind).evidence
            if evidence is None:
                continue
            claim = BreaksRefinement(model_of(other).graph(), "Q", Refinement(kind))
            if problem_with(system, evidence.run, claim) is None:
                assert shortest_violation(left, other, kind) is not None, (seed, kind)
            else:
                refused += 1
    assert refused > 5


# ---------------------------------------------------------------- networks

LIMITS = fairlead.Limits(max_states=200)


@cache
def graph_of(text: str) -> fairlead.Model | None:
    try:
        return fairlead.loads(to_json(fairlead.loads(text).graph("System()", limits=LIMITS)), "json")
    except fairlead.FairleadError:
        return None


def compare(left: str, right: str) -> int:
    """Two models against each other and their graphs against each other; how many were compared."""
    graphs = graph_of(left), graph_of(right)
    if graphs[0] is None or graphs[1] is None or "= *;" in left:
        return 0
    own, other = fairlead.loads(left), fairlead.loads(right)
    for kind in KINDS:
        expected = graphs[0].refines(graphs[1], kind)
        found = own.refines(other, kind, process="System()", of="System()")
        assert found.verdict is expected.verdict, f"{kind}\n{left}\n{right}"
        assert steps_to(found) == steps_to(expected), f"{kind}\n{left}\n{right}"
    return 1


def compare_around(seed: int) -> int:
    """A random model with itself, with small changes of itself, and with the next one."""
    text = random_model(seed)
    compared = compare(text, text) + compare(text, random_model(seed + 1))
    return compared + compare(text.replace("tau ->", "b ->"), text) + compare(text, text.replace("e.1", "a"))


def explore_in_batches(tune: Tune, size: int) -> None:
    tune(first_batch=size, batch_growth=1 if size == 1 else 4)


@pytest.mark.parametrize("batch", [1, 1000])
@pytest.mark.parametrize("chunk", range(4))
def test_networks_and_their_graphs_agree(tune: Tune, chunk: int, batch: int) -> None:
    explore_in_batches(tune, batch)
    assert sum(map(compare_around, range(chunk, 16, 4))) > 2


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_networks_and_their_graphs_agree(tune: Tune, chunk: int) -> None:
    explore_in_batches(tune, 1 if chunk % 2 else 1000)
    assert sum(map(compare_around, range(100 + chunk, 400, 10))) > 20


@pytest.mark.parametrize("seed", range(12))
def test_a_model_and_its_graph_refine_each_other(seed: int) -> None:
    text = random_model(seed)
    explored = graph_of(text)
    if explored is None:
        pytest.skip("too large, or wrong at run time")
    model = fairlead.loads(text)
    for kind in KINDS:
        assert model.refines(explored, kind, process="System()")
        assert explored.refines(model, kind, of="System()")
        assert model.check(f"System() refines{'' if kind == 'T' else f'<{kind}>'} System()")
