"""Rewriting keeps the meaning of formulas, and the named rules do what they are there for."""

from __future__ import annotations

import random

import pytest

from fairlead.base.source import Source
from fairlead.logic import ltl
from fairlead.logic.ltl import Atom, Formula
from fairlead.logic.parsing.parse import parse_ltl
from fairlead.logic.rewrite import (
    implies,
    is_eventual,
    is_universal,
    negation,
    negation_normal_form,
    simplify,
)
from tests.support.oracle.lasso_semantics import all_formulas, all_words, holds, random_formula, random_word

ATOMS = [Atom("a"), Atom("b"), Atom("c")]
WORDS = list(all_words(2, 2, 2))


def parse(text: str) -> Formula:
    return parse_ltl(Source("formula", text)).formula


RULES = [
    ("a && a", "a"),
    ("a && !a", "false"),
    ("a || a && b", "a"),
    ("a && (a || b)", "a"),
    ("a && (!a || b)", "a && b"),
    ("<><>a", "<>a"),
    ("[][]a", "[]a"),
    ("<>[]<>a", "[]<>a"),
    ("[]<>[]a", "<>[]a"),
    ("X []<>a", "[]<>a"),
    ("X (a && <>[]b)", "X a && <>[]b"),
    ("X a && X b", "X (a && b)"),
    ("X a U X b", "X (a U b)"),
    ("<>X a", "X <>a"),
    ("<>(a U b)", "<>b"),
    ("[](a R b)", "[]b"),
    ("a U (a U b)", "a U b"),
    ("a U (b U a)", "b U a"),
    ("(a U b) U b", "a U b"),
    ("a U <>b", "<>b"),
    ("a R []b", "[]b"),
    ("a U (b || <>c)", "a U b || <>c"),
    ("a U (b && []<>c)", "a U b && []<>c"),
    ("!b U b", "<>b"),
    ("(a || b) U b", "a U b"),
    ("(a U c) && (b U c)", "(a && b) U c"),
    ("(a R b) && (a R c)", "a R (b && c)"),
    ("a && (a R b)", "a && b"),
    ("[]a && []b", "[](a && b)"),
    ("<>a || <>b", "<>(a || b)"),
    ("<>[]a && <>[]b", "<>[](a && b)"),
    ("[]<>a || []<>b", "[]<>(a || b)"),
    ("<>(a && []<>b)", "<>a && []<>b"),
    ("[](a || <>[]b)", "[]a || <>[]b"),
    ("[]<>(a && <>b)", "[]<>a && []<>b"),
    ("<>[](a U b)", "[]<>b && <>[](a || b)"),
    ("[]a && <>!a", "false"),
    ("a U b || b", "a U b"),
]


@pytest.mark.parametrize(("text", "simpler"), RULES)
def test_rules(text: str, simpler: str) -> None:
    left, right = parse(text), parse(simpler)
    words = all_words(3, 1, 2) if Atom("c") in ltl.atoms(left) else WORDS
    assert all(holds(left, ATOMS, *word) == holds(right, ATOMS, *word) for word in words)
    result = simplify(left)
    assert result == simplify(right)
    assert _size(result) <= _size(negation_normal_form(right))


def _size(formula: Formula) -> int:
    return sum(1 for _ in ltl.subformulas(formula))


def _same_meaning(chance: random.Random, formula: Formula, other: Formula, words: int) -> None:
    for _ in range(words):
        word = random_word(chance, len(ATOMS))
        assert holds(formula, ATOMS, *word) == holds(other, ATOMS, *word), f"{formula} / {other} on {word}"


def _check_random_formulas(seed: int, count: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        formula = random_formula(chance, ATOMS, chance.randint(1, 14))
        _same_meaning(chance, formula, negation_normal_form(formula), 2)
        _same_meaning(chance, ltl.Not(formula), negation(formula), 2)
        _same_meaning(chance, formula, simplify(formula), 8)


def test_rewriting_keeps_the_meaning() -> None:
    _check_random_formulas(1, 400)


@pytest.mark.long
def test_rewriting_keeps_the_meaning_of_many_formulas() -> None:
    _check_random_formulas(2, 40_000)


@pytest.mark.parametrize(("atom_count", "size"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)])
def test_simplification_of_all_tiny_formulas(atom_count: int, size: int) -> None:
    words = list(all_words(1, 2, 2)) if atom_count == 1 else WORDS[::5]
    words = words[::6] if size == 3 else words
    for formula in all_formulas(ATOMS[:atom_count], size):
        simpler = simplify(formula)
        if simpler != formula:
            for word in words:
                assert holds(formula, ATOMS, *word) == holds(simpler, ATOMS, *word), f"{formula} {simpler}"


def _only_normal_operators(formula: Formula) -> bool:
    allowed = (
        ltl.Constant,
        Atom,
        ltl.And,
        ltl.Or,
        ltl.Next,
        ltl.Until,
        ltl.Release,
        ltl.Eventually,
        ltl.Always,
    )
    return all(
        isinstance(node, allowed) or (isinstance(node, ltl.Not) and isinstance(node.operand, Atom))
        for node in ltl.subformulas(formula)
    )


def test_normal_form_and_what_syntax_tells() -> None:
    chance = random.Random(3)
    implications = 0
    for _ in range(1500):
        left, right = (
            negation_normal_form(random_formula(chance, ATOMS, chance.randint(1, 4))) for _ in "ab"
        )
        assert _only_normal_operators(left)
        known = implies(left, right)
        implications += known
        for _ in range(10 if known else 2):
            stem, loop = random_word(chance, len(ATOMS))
            cut = chance.randint(0, len(stem))
            now, later = holds(left, ATOMS, stem, loop), holds(left, ATOMS, stem[cut:], loop)
            assert not (is_eventual(left) and later and not now)
            assert not (is_universal(left) and now and not later)
            assert not (known and now and not holds(right, ATOMS, stem, loop))
    assert implications > 50


@pytest.mark.parametrize(
    "text",
    ["<>" + "X " * 1500 + "p", "!" * 4001 + "p", "p U " * 900 + "q", "[](q && X " * 300 + "p" + ")" * 300],
)
def test_deep_formulas(text: str) -> None:
    simplify(parse(text))


def test_nested_equivalences_stay_small() -> None:
    formula = simplify(parse(" <-> ".join(f"p{i}" for i in range(40))))
    assert _size(formula) < 1000
    assert len(repr(formula)) < 2000
