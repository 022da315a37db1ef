"""Classes of properties and strengths of automata agree with what they promise about words."""

from __future__ import annotations

import random

import pytest

from fairlead.base.source import Source
from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.strength import (
    AutomatonStrength,
    PropertyClass,
    classify,
    covers_everything,
    is_stutter_invariant,
    strength,
    universal_states,
)
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.ltl import Atom, Formula, Not
from fairlead.logic.parsing.parse import parse_ltl
from tests.support.oracle.lasso_semantics import all_words, random_formula, random_word

ATOMS = [Atom("a"), Atom("b")]


def parse(text: str) -> Formula:
    return parse_ltl(Source("formula", text)).formula


def automata(formula: Formula) -> tuple[Automaton, Automaton]:
    return reduce(to_automaton(formula)), reduce(to_automaton(Not(formula)))


CLASSES = [
    ("[]a", PropertyClass.SAFETY, AutomatonStrength.TERMINAL),
    ("[](a -> X b)", PropertyClass.SAFETY, AutomatonStrength.TERMINAL),
    ("a W b", PropertyClass.SAFETY, AutomatonStrength.TERMINAL),
    ("a", PropertyClass.SAFETY, AutomatonStrength.TERMINAL),
    ("<>a", PropertyClass.GUARANTEE, AutomatonStrength.WEAK),
    ("a U b", PropertyClass.GUARANTEE, AutomatonStrength.WEAK),
    ("[]a || <>b", PropertyClass.OBLIGATION, AutomatonStrength.WEAK),
    ("[](a -> <>b)", PropertyClass.RECURRENCE, AutomatonStrength.WEAK),
    ("[]<>a", PropertyClass.RECURRENCE, AutomatonStrength.WEAK),
    ("<>[]a", PropertyClass.PERSISTENCE, AutomatonStrength.STRONG),
    ("[]<>a -> []<>b", PropertyClass.REACTIVITY, AutomatonStrength.STRONG),
]


@pytest.mark.parametrize(("text", "expected", "negated_strength"), CLASSES)
def test_classes(text: str, expected: PropertyClass, negated_strength: AutomatonStrength) -> None:
    formula = parse(text)
    assert classify(formula) is expected
    assert classify(formula, *automata(formula)) is expected
    assert strength(automata(formula)[1]) is negated_strength


def test_automata_sharpen_the_class() -> None:
    hidden = parse("(a U b || []a) && (<>b || []a)")  # a W b in disguise
    assert classify(hidden, *automata(hidden)) is PropertyClass.SAFETY


def _from_state(automaton: Automaton, state: int) -> Automaton:
    return Automaton(automaton.atoms, state, automaton.transitions, automaton.acceptance_sets)


def test_universal_states_accept_every_word() -> None:
    chance = random.Random(1)
    words = list(all_words(2, 1, 2))
    for _ in range(150):
        automaton = to_automaton(random_formula(chance, ATOMS, chance.randint(1, 8)))
        for state in universal_states(automaton):
            started_there = _from_state(automaton, state)
            assert all(started_there.accepts_lasso(*word) for word in words)


def test_terminal_means_that_a_prefix_decides() -> None:
    """Accepted words, and only they, lead a run into a universal state after finitely many letters."""
    chance = random.Random(2)
    found = 0
    for _ in range(600):
        automaton = reduce(to_automaton(random_formula(chance, ATOMS, chance.randint(1, 6))))
        if strength(automaton) is not AutomatonStrength.TERMINAL:
            continue
        found += 1
        universal = universal_states(automaton)
        for _ in range(6):
            stem, loop = random_word(chance, 2)
            reached = {automaton.initial}
            for letter in [*stem, *loop * (len(automaton.transitions) + 1)]:
                if reached & universal:
                    break
                reached = {t.target for s in reached for t in automaton.transitions[s] if t.allows(letter)}
            assert bool(reached & universal) == automaton.accepts_lasso(stem, loop)
    assert found > 50


def test_weak_means_that_every_cycle_in_an_accepting_component_accepts() -> None:
    chance = random.Random(3)
    found = 0
    for _ in range(500):
        automaton = reduce(to_automaton(random_formula(chance, ATOMS, chance.randint(1, 7))))
        if strength(automaton) is not AutomatonStrength.WEAK:
            continue
        found += 1
        accepting = automaton.accepting_components
        for component in accepting:
            # acceptance no longer examined, the language of the component is the same
            states = automaton.components[component]
            only = _restricted(_from_state(automaton, states[0]), set(states))
            plain = Automaton(only.atoms, only.initial, only.transitions, 0)
            for _ in range(5):
                word = random_word(chance, 2)
                assert only.accepts_lasso(*word) == plain.accepts_lasso(*word)
    assert found > 50


def _restricted(automaton: Automaton, states: set[int]) -> Automaton:
    rows = tuple(
        tuple(t for t in row if state in states and t.target in states)
        for state, row in enumerate(automaton.transitions)
    )
    return Automaton(automaton.atoms, automaton.initial, rows, automaton.acceptance_sets)


def test_safety_means_that_every_violation_has_a_bad_prefix() -> None:
    """For safety properties the automaton of the negation finds each violation in finitely many steps."""
    chance = random.Random(4)
    found = 0
    for _ in range(400):
        formula = random_formula(chance, ATOMS, chance.randint(1, 6))
        if classify(formula) is not PropertyClass.SAFETY:
            continue
        found += 1
        automaton = reduce(to_automaton(formula))
        # without looking at acceptance: a word is accepted iff some run never gets stuck
        plain = Automaton(automaton.atoms, automaton.initial, automaton.transitions, 0)
        for _ in range(6):
            word = random_word(chance, 2)
            assert plain.accepts_lasso(*word) == automaton.accepts_lasso(*word), formula
    assert found > 50


def test_stutter_invariance_is_judged_by_next() -> None:
    assert is_stutter_invariant(parse("[](a -> <>b)"))
    assert not is_stutter_invariant(parse("[](a -> X b)"))


def test_covers_everything() -> None:
    assert covers_everything([(0, 0)])
    assert covers_everything([(1, 0), (0, 1)])
    assert covers_everything([(1, 0), (0, 3), (2, 1)])
    assert not covers_everything([(1, 0), (0, 3)])
    assert not covers_everything([])
