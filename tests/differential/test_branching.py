"""CTL and CTL* over fair executions against the oracle, which is written from the definitions alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import fairlead
from fairlead import Verdict
from tests.support.oracle.branching import Branching, branching_text
from tests.support.oracle.branching_questions import (
    Case,
    random_ctl_question,
    random_ctl_star_question,
    random_structure,
)
from tests.support.oracle.conditions import (
    EVERY_NOTION,
    Assumption,
    atoms_of,
    condition_text,
    random_condition,
    random_predicate,
)
from tests.support.oracle.formulas import Formula
from tests.support.sampling import some

CTL_SEEDS = range(300)
CTL_STAR_SEEDS = range(100)
LONG_CTL_SEEDS = range(1000, 6000)
LONG_CTL_STAR_SEEDS = range(1000, 2000)
CHUNKS = 10


def check_one(seed: int, case: Case) -> None:
    """The set of states and the verdict are those of the oracle."""
    where = f"seed {seed}{case}"
    oracle = case.oracle()
    holds, partly = oracle.states(case.formula)
    model = fairlead.loads(case.model, "json")
    question = model.ctl(case.text, finite_paths=case.finite_paths)
    found = model.states(question, fairness=case.assumption.notion, fair=case.fair)
    assert found.total == case.graph.states, where
    assert found.holds == holds, where
    assert found.partly == partly, where
    result = model.check(question, case.assumption.notion, fair=case.fair)
    assert result.verdict is wanted(oracle.verdict(case.formula)), where


def wanted(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.VIOLATED


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_ctl(chunk: int) -> None:
    for seed in some(CTL_SEEDS[chunk::CHUNKS]):
        check_one(seed, random_ctl_question(seed))


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_ctl_star(chunk: int) -> None:
    for seed in some(CTL_STAR_SEEDS[chunk::CHUNKS]):
        check_one(seed, random_ctl_star_question(seed))


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_much_random_ctl(chunk: int) -> None:
    for seed in LONG_CTL_SEEDS[chunk::CHUNKS]:
        check_one(seed, random_ctl_question(seed))


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_much_random_ctl_star(chunk: int) -> None:
    for seed in LONG_CTL_STAR_SEEDS[chunk::CHUNKS]:
        check_one(seed, random_ctl_star_question(seed))


# --- what both logics can say ------------------------------------------------------------------------------


def forall(operator: str, *operands: Formula) -> Formula:
    return ("A", (operator, *operands))


#: the same property in CTL and, without the quantifiers, in LTL
COMMON_FORMS: list[Callable[[Formula, Formula, Formula], Formula]] = [
    lambda f, g, h: forall("G", f),
    lambda f, g, h: forall("F", f),
    lambda f, g, h: forall("X", f),
    lambda f, g, h: forall("U", f, g),
    lambda f, g, h: forall("W", f, g),
    lambda f, g, h: forall("R", f, g),
    lambda f, g, h: forall("G", forall("F", f)),
    lambda f, g, h: forall("X", forall("X", f)),
    lambda f, g, h: forall("X", forall("F", f)),
    lambda f, g, h: forall("G", ("implies", f, forall("F", g))),
    lambda f, g, h: forall("G", ("implies", f, forall("X", g))),
    lambda f, g, h: forall("G", ("implies", f, forall("U", g, h))),
    lambda f, g, h: forall("G", forall("W", f, g)),
    lambda f, g, h: forall("W", f, forall("G", g)),
    lambda f, g, h: ("and", forall("G", forall("F", f)), forall("G", forall("F", g))),
]


def without_quantifiers(f: Formula) -> Formula:
    if f[0] == "A":
        return without_quantifiers(f[1])
    return tuple(without_quantifiers(part) if isinstance(part, tuple) else part for part in f)


def check_both_logics(seed: int) -> None:
    rng = Random(seed)
    graph = random_structure(rng, max_states=5, max_transitions=10)
    parts = [random_predicate(rng, atoms_of(graph), rng.choice([0, 0, 1])) for _ in range(3)]
    formula = COMMON_FORMS[seed % len(COMMON_FORMS)](*parts)
    condition = random_condition(rng, graph)
    model = fairlead.loads(graph.to_json(), "json")
    branching = model.ctl(branching_text(formula))
    linear = model.formula(branching_text(without_quantifiers(formula)))
    for notion in EVERY_NOTION:
        for assumption in (Assumption(notion), Assumption(notion, condition)):
            fair = None if assumption.condition is None else condition_text(condition)
            expected = wanted(Branching(graph, assumption).verdict(formula))
            where = (seed, graph.to_json(), branching_text(formula), notion, fair)
            assert model.check(branching, notion, fair=fair).verdict is expected, where
            assert model.check(linear, notion, fair=fair).verdict is expected, where


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_both_logics_agree(chunk: int) -> None:
    for seed in some(range(chunk, 90, CHUNKS)):
        check_both_logics(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_both_logics_agree_on_many_graphs(chunk: int) -> None:
    for seed in range(1000 + chunk, 1900, CHUNKS):
        check_both_logics(seed)
