"""Fair executions exist iff a propositional formula is satisfiable: Emerson & Lei 1984, theorem 2."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

import fairlead
from fairlead import Verdict
from tests.support.oracle.branching import Branching
from tests.support.oracle.conditions import Assumption
from tests.support.oracle.graphs import Graph, graph

Clause = tuple[int, ...]  # k stands for variable k, -k for its negation


def random_clauses(rng: Random, variables: int) -> list[Clause]:
    """Clauses of three literals, about as many as make both answers likely."""
    count = round(variables * rng.choice([3.0, 4.3, 5.5, 7.0]))
    names = range(1, variables + 1)
    return [tuple(rng.choice([k, -k]) for k in rng.sample(names, 3)) for _ in range(count)]


def is_satisfiable(clauses: list[Clause], variables: int) -> bool:
    """By trying every assignment, which is a number whose bits are the values."""
    masks = [
        (sum(1 << k for k in clause if k > 0), sum(1 << -k for k in clause if k < 0)) for clause in clauses
    ]
    return any(
        all(assignment & positive or ~assignment & negative for positive, negative in masks)
        for assignment in range(0, 2 << variables, 2)
    )


def structure(clauses: list[Clause]) -> Graph:
    """From s by one literal of each clause to t and back; p_k marks variable k, q_k its negation."""
    s, t = 0, 1
    literals = [[2 + 3 * i + j for j in range(3)] for i in range(len(clauses))]
    transitions = [
        (source, "step", target, "system")
        for layer, following in pairwise([[s], *literals, [t], [s]])
        for source in layer
        for target in following
    ]
    props: dict[str, list[int]] = {f"{letter}{k}": [] for k in variables_of(clauses) for letter in "pq"}
    for states, clause in zip(literals, clauses, strict=True):
        for state, k in zip(states, clause, strict=True):
            props[f"p{k}" if k > 0 else f"q{-k}"].append(state)
    return graph(2 + 3 * len(clauses), transitions, props, initial=s)


def variables_of(clauses: list[Clause]) -> list[int]:
    return sorted({abs(k) for clause in clauses for k in clause})


def fairness(clauses: list[Clause]) -> str:
    return " && ".join(f"(FG !p{k} || FG !q{k})" for k in variables_of(clauses))


@pytest.mark.parametrize("variables", range(3, 13))
def test_a_fair_path_exists_iff_the_clauses_are_satisfiable(variables: int) -> None:
    answers: Counter[bool] = Counter()
    for seed in range(20):
        clauses = random_clauses(Random(100 * variables + seed), variables)
        expected = is_satisfiable(clauses, variables)
        fair = fairness(clauses)
        model = fairlead.loads(structure(clauses).to_json(), "json")
        exists = Verdict.HOLDS if expected else Verdict.VIOLATED
        never = Verdict.VIOLATED if expected else Verdict.HOLDS
        assert model.check(model.ctl("E G true"), fair=fair).verdict is exists, clauses
        assert model.check(model.ctl("EX true"), fair=fair).verdict is exists, clauses
        assert model.check("|= F G false", fair=fair).verdict is never, clauses
        everywhere = frozenset(range(2 + 3 * len(clauses)))
        assert model.states(model.ctl("EX true"), fair=fair).holds == (everywhere if expected else set())
        answers[expected] += 1
    assert min(answers[True], answers[False]) >= 3


def test_the_oracle_knows_as_well() -> None:
    answers = set()
    for seed in range(6):
        clauses = random_clauses(Random(seed), 3)
        system = structure(clauses)
        condition = ("true",)
        for k in (1, 2, 3):
            never = [("FG", ("not", ("prop", f"{letter}{k}"))) for letter in "pq"]
            condition = ("and", condition, ("or", *never))
        found = Branching(system, Assumption(condition=condition)).verdict(("E", ("X", ("true",))))
        assert found == is_satisfiable(clauses, 3), clauses
        answers.add(found)
    assert len(answers) == 2


def test_trying_every_assignment() -> None:
    assert is_satisfiable([(1, 2, 3), (-1, -2, -3)], 3)
    every_sign = [(a, b, c) for a in (1, -1) for b in (2, -2) for c in (3, -3)]
    assert not is_satisfiable(every_sign, 3)
    assert all(is_satisfiable(every_sign[:i] + every_sign[i + 1 :], 3) for i in range(8))
