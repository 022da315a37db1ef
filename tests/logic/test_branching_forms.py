"""The existential form of CTL*: what it looks like, and that it means the same."""

from __future__ import annotations

import random

import pytest

from fairlead.base.source import Source
from fairlead.logic import ltl
from fairlead.logic.branching import existential, is_ctl, negation
from fairlead.logic.ltl import Atom, Exists, Formula
from fairlead.logic.parsing.parse import parse_branching
from tests.support.oracle.kripke_semantics import Kripke, random_kripke, random_state_formula, states_where

ATOMS = [Atom("a"), Atom("b")]


def parse(text: str) -> Formula:
    return parse_branching(Source("formula", text)).formula


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AG (t -> AF c)", "!E(true U (t && EG !c))"),
        ("AF AX false", "!EG EX true"),
        ("EF p", "E(true U p)"),
        ("AX p", "!EX !p"),
        ("A(p U q)", "!E(!q U (!p && !q)) && !EG !q"),
        ("A(p R q)", "!E(!p U !q)"),
        ("A(p W q)", "!E(!q U (!p && !q))"),
        ("E(p W q)", "E(p U q) || EG p"),
        ("E(p R q)", "E(q U (p && q)) || EG q"),
        ("E(p && G q && r)", "p && r && EG q"),
        ("E(X p || G q)", "EX p || EG q"),
        ("A GF p", "!E(true U EG !p)"),
        ("E X X p", "EX EX p"),
        ("E(p U G q)", "E(p U EG q)"),
        ("E(G p R q)", "E(q U (EG p && q)) || EG q"),
        ("E p", "p && EG true"),
        ("A p", "p || !EG true"),
        ("E false || E true", "false || EG true"),
        ("E GF p", "E GF p"),
        ("A(GF p -> GF q)", "!E(GF p && FG !q)"),
        ("E(G p && X EF q)", "E(G p && X E(true U q))"),
        ("E G (p W q)", "E G (p W q)"),
    ],
)
def test_shape(text: str, expected: str) -> None:
    # `E G (p W q)` and `EG (p W q)` are one formula
    assert existential(parse(text)) == parse(expected)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("p && !q", True),
        ("AG (t -> AF c)", True),
        ("A(p U E(q W r))", True),
        ("A GF p", True),
        ("E GF p", False),
        ("E(F p && F q)", False),
        ("AG E(F p && F q)", False),
        ("E(p U (q && EG p))", True),
        ("E G (p U q)", False),
        ("E((p U q) U r)", False),
    ],
)
def test_what_is_ctl(text: str, answer: bool) -> None:
    assert is_ctl(existential(parse(text))) is answer


def is_normal(formula: Formula) -> bool:
    """Whether negations are where they may be, and no other operators than those allowed."""
    allowed = (
        ltl.Atom,
        ltl.Constant,
        ltl.And,
        ltl.Or,
        ltl.Exists,
        ltl.Next,
        ltl.Eventually,
        ltl.Always,
        ltl.Until,
        ltl.Release,
        ltl.WeakUntil,
    )
    return all(
        isinstance(node.operand, Atom | Exists) if isinstance(node, ltl.Not) else isinstance(node, allowed)
        for node in ltl.subformulas(formula)
    )


def check_on_random_graphs(chance: random.Random, rounds: int) -> tuple[int, int]:
    """How many formulas were CTL in existential form, and how many were not."""
    found = {True: 0, False: 0}
    for _ in range(rounds):
        formula = random_state_formula(chance, ATOMS, chance.randint(1, 7))
        form = existential(formula)
        found[is_ctl(form)] += 1
        assert is_normal(form), formula
        assert is_normal(negation(form)), formula
        for _ in range(3):
            graph = random_kripke(chance, ATOMS)
            holds = states_where(formula, graph)
            assert states_where(form, graph) == holds, (formula, graph)
            assert states_where(negation(form), graph) == frozenset(graph.states) - holds, (formula, graph)
    return found[True], found[False]


def test_means_the_same_on_random_graphs() -> None:
    ctl, other = check_on_random_graphs(random.Random(7), 300)
    assert ctl > 50
    assert other > 10


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_means_the_same_on_many_random_graphs(seed: int) -> None:
    ctl, other = check_on_random_graphs(random.Random(1000 + seed), 1500)
    assert min(ctl, other) > 50


def test_the_oracle_knows_fairness_and_dead_ends() -> None:
    # 0 loops or continues to 1, which has no successors; only staying in 0 is a path, and it is fair or not
    labels = (frozenset({ATOMS[0]}), frozenset({ATOMS[1]}))
    fair = Kripke(((0, 1), ()), labels, frozenset({0}))
    assert states_where(parse("EG a"), fair) == {0}
    assert states_where(parse("EF b"), fair) == frozenset()
    assert states_where(parse("AX false"), fair) == {1}
    unfair = Kripke(((0, 1), ()), labels, frozenset({1}))
    assert states_where(parse("EG a"), unfair) == frozenset()
    assert states_where(parse("A false"), unfair) == {0, 1}


@pytest.mark.parametrize(
    "text",
    [
        "AG (p -> " * 3000 + "p" + ")" * 3000,
        "A(p U " * 3000 + "p" + ")" * 3000,
        "E(p W " * 3000 + "p" + ")" * 3000,
        "A(p <-> " * 60 + "p" + ")" * 60,
        "E(p <-> X " * 60 + "p" + ")" * 60,
        "E F G " * 3000 + "p",
        "E (" + "p || X p || " * 3000 + "p)",
        "E (" + "p && X p && " * 3000 + "p)",
    ],
)
def test_deep_formulas_stay_small(text: str) -> None:
    formula = parse(text)
    form = existential(formula)
    size = len(list(ltl.subformulas(form)))
    assert size < 8 * len(text)
    assert len(list(ltl.subformulas(negation(form)))) <= 2 * size
    assert isinstance(is_ctl(form), bool)
