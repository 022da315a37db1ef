"""Verdicts under annotations, and what is said about fair executions, against the oracle."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.checker.result import Result
from tests.support.asking.runs import oracle_steps
from tests.support.oracle.annotations import (
    Note,
    distance,
    find_fair,
    find_fair_by_enumeration,
    in_force,
    is_fair_to,
    random_annotated_case,
    to_json,
    unfair_states,
)
from tests.support.oracle.fairness import NOTIONS, is_fair
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.graphs import Graph
from tests.support.oracle.lassos import judge_lasso
from tests.support.oracle.verdict import Product
from tests.support.sampling import some
from tests.support.tuning import Tune

DEFAULT_SEEDS = range(300)
LONG_SEEDS = range(1000, 7000)
CHUNKS = 10


def check_one(seed: int) -> None:
    graph, notes, formula, notion = random_annotated_case(seed, NOTIONS)
    model = fairlead.loads(to_json(graph, notes), "json")
    notes = in_force(graph, notes)
    violated = find_fair(Product(graph, formula), notion, notes) is not None
    unfair = unfair_states(graph, notion, notes)
    result = model.check(model.formula(formula_text(formula)), notion)
    where = (seed, formula_text(formula), notion, [str(note) for note in notes])
    assert (result.verdict is fairlead.Verdict.VIOLATED) == violated, where
    assert result.nothing_is_fair == (graph.initial in unfair), where
    assert (result.shortfall is not None) == bool(unfair), where
    if result.annotations or unfair:
        assert sorted(map(str, result.annotations)) == sorted(map(str, notes)), where
    if violated:
        judge_evidence(graph, notes, result, formula, notion)
    if unfair:
        judge_shortfall(graph, notes, result, unfair)


def judge_evidence(
    graph: Graph, notes: list[Note], result: Result, formula: tuple[object, ...], notion: str
) -> None:
    assert result.evidence is not None
    run = result.evidence.run
    if not run.loop:  # a bad prefix: only where it can always be continued fairly
        assert all(note.kind in ("wf", "sf") for note in notes)
        assert not unfair_states(graph, notion, notes)
        return
    stem, loop = oracle_steps(run.start, run.stem), oracle_steps(run.loop_start, run.loop)
    assert judge_lasso(graph, stem, loop, formula, notion) == (True, True, True)
    states = {step[0] for step in loop}
    taken = {t for t in graph.transitions if (t.source, t.event, t.target, t.processes) in set(loop)}
    assert is_fair(graph, states, taken, notion)
    assert all(is_fair_to(graph, states, taken, note) for note in notes)


def judge_shortfall(graph: Graph, notes: list[Note], result: Result, unfair: set[int]) -> None:
    """The run is a shortest one; what is blamed is to blame, and nothing of it can be left out."""
    assert result.shortfall is not None
    run = result.shortfall.run
    assert run.loop_start in unfair
    assert len(run.stem) == distance(graph, unfair)
    blamed = set(result.shortfall.conditions)
    cause = [note for note in notes if str(note) in blamed]
    assert len(cause) == len(blamed)
    notion = result.shortfall.fairness.value

    def falls_short(chosen: list[Note]) -> bool:
        found = unfair_states(graph, notion, chosen)
        return graph.initial in found if result.nothing_is_fair else bool(found)

    assert falls_short(cause)
    assert not any(falls_short([note for note in cause if note is not one]) for one in cause)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_graphs_with_annotations(chunk: int) -> None:
    for seed in some(DEFAULT_SEEDS[chunk::CHUNKS]):
        check_one(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_graphs_with_annotations(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        check_one(seed)


def test_large_systems_offer_unfinished_components(tune: Tune) -> None:
    tune(small_system=0)
    for seed in range(400, 460):
        check_one(seed)


def test_the_oracle_agrees_with_trying_everything() -> None:
    compared = violated = 0
    for seed in range(160):
        graph, notes, formula, notion = random_annotated_case(seed, NOTIONS)
        notes = in_force(graph, notes)
        product = Product(graph, formula)
        found = find_fair_by_enumeration(product, notion, notes, max_edges=9)
        if found is not None:
            assert found == (find_fair(product, notion, notes) is not None), seed
            compared += 1
            violated += found
    assert compared > 40
    assert 8 < violated < compared - 8


def test_every_prefix_continues_fairly_under_weak_and_strong_annotations() -> None:
    """So that a bad prefix decides, whatever the notion."""
    for seed in range(50):
        graph, notes, _, _ = random_annotated_case(seed, NOTIONS)
        gentle = [note for note in notes if note.kind in ("wf", "sf")]
        for notion in NOTIONS:
            assert not unfair_states(graph, notion, gentle)
