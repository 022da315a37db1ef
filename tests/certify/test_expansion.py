"""The automaton of a certificate accepts what violates the formula, and the checker sees if it might not."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from fairlead.certify.container import Rejected
from fairlead.certify.expansion import Automaton, Expansion
from fairlead.certify.questions import sorted_atoms
from fairlead.checker.certificates.tableau import violation_automaton
from fairlead.logic.automata.automaton import Automaton as Plain
from fairlead.logic.automata.automaton import Transition
from fairlead.logic.ltl import Atom, Formula
from tests.support.oracle.lasso_semantics import holds, random_formula, random_word

ATOMS = tuple(Atom(name) for name in "abc")


def made(formula: Formula) -> dict[str, Any]:
    return violation_automaton(Expansion(formula, sorted_atoms(ATOMS))).data


def checked(formula: Formula, data: dict[str, Any]) -> Plain:
    """The automaton of a certificate, once the checker has accepted it."""
    found = Automaton(data, Expansion(formula, sorted_atoms(ATOMS)))
    rows = tuple(
        tuple(Transition(one.positive, one.negative, one.target, one.marks) for one in row)
        for row in found.edges
    )
    return Plain(ATOMS, 0, rows, found.sets)


@pytest.mark.parametrize("seed", range(60))
def test_it_accepts_just_the_words_that_violate_the_formula(seed: int) -> None:
    chance = random.Random(seed)
    formula = random_formula(chance, ATOMS, chance.randint(1, 8))
    automaton = checked(formula, made(formula))
    for _ in range(60):
        stem, loop = random_word(chance, len(ATOMS))
        assert automaton.accepts_lasso(stem, loop) is not holds(formula, ATOMS, stem, loop), str(formula)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_changed_is_refused_or_misses_nothing(seed: int) -> None:
    chance = random.Random(seed)
    formula = random_formula(chance, ATOMS, chance.randint(2, 8))
    data = made(formula)
    for _ in range(12):
        changed = copy.deepcopy(data)
        row = chance.choice(changed["edges"])
        if not row:
            continue
        edge = chance.choice(row)
        match chance.randrange(4):
            case 0:
                row.remove(edge)
            case 1:
                edge[0] |= 1 << chance.randrange(3)
            case 2:
                edge[2] = chance.randrange(len(changed["states"]))
            case 3:
                edge[3] &= chance.randrange(8)
        try:
            automaton = checked(formula, changed)
        except Rejected:
            continue
        for _ in range(40):
            stem, loop = random_word(chance, len(ATOMS))
            if not holds(formula, ATOMS, stem, loop):
                assert automaton.accepts_lasso(stem, loop), str(formula)
