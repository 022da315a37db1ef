"""Automata accept exactly the words of their formulas: translated, reduced, written and read again."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fairlead.base.diagnostics import LimitReached
from fairlead.base.source import Source
from fairlead.logic.automata.automaton import Automaton, Transition
from fairlead.logic.automata.hoa import from_hoa, to_hoa
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.ltl import Always, And, Atom, AtomKind, Formula, Not, Release, Until
from fairlead.logic.parsing.parse import parse_ltl
from tests.support.oracle.lasso_semantics import (
    Word,
    all_formulas,
    all_words,
    holds,
    random_formula,
    random_word,
)
from tests.support.tuning import Tune

ATOMS = [Atom("a"), Atom("b"), Atom("c")]


def parse(text: str) -> Formula:
    return parse_ltl(Source("formula", text)).formula


def accepts(automaton: Automaton, word: Word) -> bool:
    """Acceptance of a word over `ATOMS` by an automaton that may know them in another order, or not all."""
    places = [ATOMS.index(atom) for atom in automaton.atoms]

    def letter(mask: int) -> int:
        return sum(1 << new for new, old in enumerate(places) if mask >> old & 1)

    stem, loop = word
    return automaton.accepts_lasso([letter(x) for x in stem], [letter(x) for x in loop])


def _any_formula(chance: random.Random) -> Formula:
    return random_formula(chance, ATOMS, chance.randint(1, 10))


def _nested_releases(chance: random.Random) -> Formula:
    """Formulas in which releases stand inside releases, with anything between them."""
    formula = random_formula(chance, ATOMS, chance.randint(1, 4))
    for _ in range(chance.randint(1, 5)):
        other = random_formula(chance, ATOMS, chance.randint(1, 3))
        match chance.randrange(6):
            case 0:
                formula = Always(formula)
            case 1:
                formula = And(formula, other)
            case 2:
                formula = Until(other, formula)
            case _:
                formula = Release(other, formula)
    return formula


def _check_random_formulas(
    seed: int, count: int, words: int = 8, formula_of: Callable[[random.Random], Formula] = _any_formula
) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        formula = formula_of(chance)
        raw = to_automaton(formula)
        small = reduce(raw)
        assert len(small.transitions) <= len(raw.transitions)
        for _ in range(words):
            word = random_word(chance, len(ATOMS))
            expected = holds(formula, ATOMS, *word)
            assert accepts(raw, word) == expected, f"translate: {formula} on {word}"
            assert accepts(small, word) == expected, f"reduce: {formula} on {word}"


def test_random_formulas() -> None:
    _check_random_formulas(1, 500)


def test_random_formulas_with_nested_releases() -> None:
    _check_random_formulas(5, 300, formula_of=_nested_releases)


@pytest.mark.long
def test_many_random_formulas_with_nested_releases() -> None:
    _check_random_formulas(6, 20_000, formula_of=_nested_releases)


def test_a_chain_of_releases_does_not_double() -> None:
    chain = " ".join(f"(a{number} V" for number in range(40)) + " b" + ")" * 40
    assert len(to_automaton(parse(chain)).transitions) == 41


@pytest.mark.long
def test_many_random_formulas() -> None:
    _check_random_formulas(2, 20_000, 12)


def test_random_formulas_where_recurrences_are_answered_one_at_a_time(tune: Tune) -> None:
    tune(joint_recurrences=0)
    _check_random_formulas(3, 200)
    word = ((), (0b001, 0b010, 0b100))
    assert accepts(to_automaton(parse("[]<>a && []<>b && []<>(c && X a)")), word)


@pytest.mark.parametrize("limit", ["letter_atoms", "simulation_transitions", "simulation_comparisons"])
def test_reduction_of_automata_too_large_for_simulation(tune: Tune, limit: str) -> None:
    tune(**{limit: 0})
    _check_random_formulas(4, 150)


@pytest.mark.parametrize(("atom_count", "size"), [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)])
def test_all_tiny_formulas_on_all_short_words(atom_count: int, size: int) -> None:
    words = list(all_words(atom_count, 2, 2))
    if atom_count == 2:
        words = random.Random(7).sample(words, 25)
    for formula in all_formulas(ATOMS[:atom_count], size):
        small = reduce(to_automaton(formula))
        for word in words:
            assert accepts(small, word) == holds(formula, ATOMS, *word), f"{formula} on {word}"


@pytest.mark.long
@pytest.mark.parametrize(("atom_count", "size"), [(1, 3), (2, 2)])
def test_all_small_formulas_on_all_short_words(atom_count: int, size: int) -> None:
    words = list(all_words(atom_count, 2, 2))
    for formula in all_formulas(ATOMS[:atom_count], size):
        small = reduce(to_automaton(formula))
        for word in words:
            assert accepts(small, word) == holds(formula, ATOMS, *word), f"{formula} on {word}"


def _random_automaton(chance: random.Random) -> Automaton:
    states, sets = chance.randint(1, 6), chance.randint(0, 3)

    def transition() -> Transition:
        positive = chance.randrange(4) & chance.randrange(4)
        negative = chance.randrange(4) & chance.randrange(4) & ~positive
        return Transition(positive, negative, chance.randrange(states), chance.randrange(1 << sets))

    rows = tuple(tuple(transition() for _ in range(chance.randint(0, 4))) for _ in range(states))
    return Automaton(tuple(ATOMS[:2]), chance.randrange(states), rows, sets)


def _check_random_automata(seed: int, count: int) -> None:
    """Shapes that no formula gives rise to."""
    chance = random.Random(seed)
    for _ in range(count):
        automaton = _random_automaton(chance)
        trimmed, small = automaton.trim(), reduce(automaton)
        assert len(small.transitions) <= len(automaton.transitions)
        for _ in range(8):
            word = random_word(chance, 2)
            expected = automaton.accepts_lasso(*word)
            assert trimmed.accepts_lasso(*word) == expected
            assert small.accepts_lasso(*word) == expected, f"{automaton} on {word}"


def test_reduction_of_random_automata() -> None:
    _check_random_automata(5, 800)


@pytest.mark.long
def test_reduction_of_many_random_automata() -> None:
    _check_random_automata(6, 40_000)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("[]<>a", 1),
        ("<>[]a", 2),
        ("[]a", 1),
        ("<>a", 2),
        ("a U b", 2),
        ("[](a -> <>b)", 2),
        ("!([](a -> <>b))", 2),
        ("<>[](a -> X !b)", 3),
        ("!(<>[](a -> X !b))", 2),
        ("([]<>a && []<>b && []<>c) -> []<>d", 5),
        ("!(([]<>a && []<>b && []<>c) -> []<>d)", 2),
        ("true", 1),
        ("false", 1),
        ("a || !a", 1),
        ("[]<>" + " && []<>".join(f"a{i}" for i in range(12)), 1),
    ],
)
def test_sizes(text: str, states: int) -> None:
    assert len(reduce(to_automaton(parse(text))).transitions) == states


def test_limits_are_reported(tune: Tune) -> None:
    chain = " && ".join(f"<>p{i}" for i in range(10))
    with pytest.raises(LimitReached) as caught:
        to_automaton(parse(chain), state_limit=100)
    assert "more than 100 states" in str(caught.value)
    tune(move_limit=100)
    with pytest.raises(LimitReached) as caught:
        to_automaton(parse(" && ".join(f"p{i} U q{i}" for i in range(40))))
    assert "more than 100 transitions from one state" in str(caught.value)
    tune(move_comparisons=100)
    with pytest.raises(LimitReached) as caught:
        to_automaton(parse(chain))
    assert "takes too long to build" in str(caught.value)


@pytest.mark.parametrize(
    "text", ["X " * 1500 + "p", "!" * 4000 + "p", "p U " * 900 + "q", "(p && X " * 100 + "q" + ")" * 100]
)
def test_deep_formulas(text: str) -> None:
    formula = parse(text)
    for automaton in (to_automaton(formula), to_automaton(Not(formula))):
        assert reduce(automaton).transitions


def test_components_and_trim() -> None:
    rows = (
        (Transition(0, 0, 1, 0), Transition(0, 0, 3, 0)),
        (Transition(0, 0, 2, 1),),
        (Transition(0, 0, 1, 0),),
        (Transition(0, 0, 3, 0),),
        (Transition(0, 0, 0, 0),),
    )
    automaton = Automaton((), 0, rows, 1)
    assert sorted(automaton.components) == [(0,), (1, 2), (3,), (4,)]
    accepting = [automaton.components[c] for c in automaton.accepting_components]
    assert accepting == [(1, 2)]
    assert len(automaton.trim().transitions) == 3
    assert Automaton((), 0, ((Transition(0, 0, 0, 0),),), 1).trim().transitions == ((),)


def test_hoa_text() -> None:
    automaton = reduce(to_automaton(parse('[]<>a && []<>"c!1"')))
    text = to_hoa(automaton, 'of "c!1"')
    assert text.startswith('HOA: v1\nname: "of \\"c!1\\""\nStates: 1\nStart: 0\nAP: 2 "a" "c!1"\n')
    assert "acc-name: generalized-Buchi 2\nAcceptance: 2 Inf(0)&Inf(1)\n" in text
    assert "acc-name: Buchi\nAcceptance: 1 Inf(0)\n" in to_hoa(to_automaton(parse("<>a")), "")
    assert "acc-name: all\nAcceptance: 0 t\n" in to_hoa(to_automaton(parse("[]a")), "")


def test_hoa_round_trip() -> None:
    chance = random.Random(8)
    atoms = [Atom("eat.0"), Atom("c!1", AtomKind.QUOTED), Atom("x[0] == 1", AtomKind.COMPARISON)]
    for _ in range(200):
        automaton = reduce(to_automaton(random_formula(chance, atoms, chance.randint(1, 8))))
        assert from_hoa(to_hoa(automaton, "test")) == automaton
