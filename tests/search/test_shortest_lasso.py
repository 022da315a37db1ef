"""Lassos of small systems are shortest ones, stem and loop together: compared with trying every lasso."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.outcome.finding import Verdict
from tests.support.oracle.formulas import Formula, formula_text
from tests.support.oracle.graphs import Graph, Step, graph
from tests.support.oracle.lassos import judge_lasso
from tests.support.oracle.verdict import random_case
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

CHUNKS = 6
#: more paths are not tried
MOST_PATHS = 1_500


def shortest(model: Graph, formula: Formula, notion: str, below: int) -> int | None:
    """The length of a shortest fair lasso that violates the formula, if it has less than `below` steps.

    Raises `OverflowError` if there are too many paths to be tried.
    """
    paths: list[tuple[list[Step], int]] = [([], model.initial)]
    for length in range(1, below):
        paths = [([*path, step], step.target) for path, state in paths for step in model.steps(state)]
        if len(paths) > MOST_PATHS:
            raise OverflowError
        for path, state in paths:
            for first in range(length):
                if path[first].source == state and all(
                    judge_lasso(model, path[:first], path[first:], formula, notion)
                ):
                    return length
    return None


def _has_twins(model: Graph) -> bool:
    """Whether transitions differ in who takes part alone; the oracle does not tell these apart."""
    steps = model.transitions
    return len({(step.source, step.event, step.target) for step in steps}) < len(steps)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_lasso_is_shorter(chunk: int) -> None:
    compared = 0
    for seed in some(range(20_000 + chunk, 20_900, CHUNKS), 10):
        model, formula, notion = random_case(seed)
        loaded = fairlead.loads(model.to_json(), "json")
        result = loaded.check(loaded.formula(formula_text(formula)), notion)
        evidence = result.evidence
        if result.verdict is not Verdict.VIOLATED or evidence is None or not evidence.run.loop:
            continue
        if evidence.component is not None or not result.is_shortest:
            continue
        if notion == "sgf" and _has_twins(model):
            continue
        length = len(evidence.run.stem) + len(evidence.run.loop)
        try:
            shorter = shortest(model, formula, notion, length)
        except OverflowError:
            continue
        assert shorter is None, (seed, formula_text(formula), notion, length, shorter)
        compared += 1
    assert compared > 20 or is_sample()


#: a stem of one step into a loop of four; the greedy loop has six
EIGHT = graph(
    6,
    [
        (0, "in", 1, "P"),
        (1, "a", 2, "P"),
        (2, "b", 1, "P"),
        (1, "c", 3, "P"),
        (3, "d", 1, "P"),
        (2, "e", 3, "P"),
        (3, "f", 2, "P"),
    ],
    {"two": [2], "three": [3]},
)
BOTH_RECUR = ("not", ("and", ("G", ("F", ("prop", "two"))), ("G", ("F", ("prop", "three")))))


def test_what_has_to_recur_is_visited_on_the_shortest_way() -> None:
    loaded = fairlead.loads(EIGHT.to_json(), "json")
    result = loaded.check(loaded.formula(formula_text(BOTH_RECUR)), "none")
    assert result.evidence is not None and result.is_shortest
    assert len(result.evidence.run.stem) + len(result.evidence.run.loop) == 4


def test_one_round_of_the_system_may_be_several_of_the_automaton() -> None:
    """`a` forever, and not at an odd position only: one step, though the automaton counts to two."""
    loaded = fairlead.loads(graph(1, [(0, "a", 0, "P")]).to_json(), "json")
    odd = loaded.formula("!(X a && [] (a -> X X a))")
    result = loaded.check(odd, "ewf")
    assert result.evidence is not None and result.is_shortest
    assert (len(result.evidence.run.stem), len(result.evidence.run.loop)) == (0, 1)


def test_what_is_not_known_is_said(tune: Tune) -> None:
    loaded = fairlead.loads(EIGHT.to_json(), "json")
    question = loaded.formula(formula_text(BOTH_RECUR))
    tune(shortest_lasso_system=0)
    result = loaded.check(question, "none")
    assert result.is_shortest is False
    assert "the counterexample may not be a shortest one" in result.notes
    tune(shortest_lasso_system=2_000, shortest_lasso_work=1)
    assert loaded.check(question, "none").is_shortest is False
