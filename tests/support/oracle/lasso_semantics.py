"""The meaning of LTL on ultimately periodic words, straight from its definition: the oracle of these tests.

A word is a stem followed by a loop forever; a letter is a bit mask over `atoms`. It has finitely many
distinct suffixes, one per position of the lasso, and the temporal operators are the fixpoints of their
expansion laws over these positions: least for U and <>, greatest for R, W and []. Shares nothing with the
rewriting and the automata under test.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from fairlead.logic import ltl
from fairlead.logic.ltl import Formula

Word = tuple[tuple[int, ...], tuple[int, ...]]


def holds(formula: Formula, atoms: Sequence[ltl.Atom], stem: Sequence[int], loop: Sequence[int]) -> bool:
    """Whether the word stem loop loop … satisfies the formula at its first position."""
    letters = [*stem, *loop]
    successor = [*range(1, len(letters)), len(stem)]
    values: dict[Formula, list[bool]] = {}
    for node in ltl.subformulas(formula):
        values[node] = _values(node, values, atoms, letters, successor)
    return values[formula][0]


def _values(
    node: Formula,
    known: dict[Formula, list[bool]],
    atoms: Sequence[ltl.Atom],
    letters: list[int],
    successor: list[int],
) -> list[bool]:
    places = range(len(letters))
    parts = [known[child] for child in ltl.children(node)]
    match node:
        case ltl.Constant(value):
            return [value for _ in places]
        case ltl.Atom():
            bit = 1 << list(atoms).index(node)
            return [bool(letter & bit) for letter in letters]
        case ltl.Not():
            return [not parts[0][i] for i in places]
        case ltl.And():
            return [parts[0][i] and parts[1][i] for i in places]
        case ltl.Or():
            return [parts[0][i] or parts[1][i] for i in places]
        case ltl.Implies():
            return [not parts[0][i] or parts[1][i] for i in places]
        case ltl.Iff():
            return [parts[0][i] == parts[1][i] for i in places]
        case ltl.Next():
            return [parts[0][successor[i]] for i in places]
        case ltl.Eventually():
            return _fixpoint([True] * len(letters), parts[0], successor, start=False)
        case ltl.Always():
            return _fixpoint(parts[0], [False] * len(letters), successor, start=True)
        case ltl.Until():
            return _fixpoint(parts[0], parts[1], successor, start=False)
        case ltl.WeakUntil():
            return _fixpoint(parts[0], parts[1], successor, start=True)
        case ltl.Release():
            both = [parts[0][i] and parts[1][i] for i in places]
            return _fixpoint(parts[1], both, successor, start=True)
    raise TypeError(node)


def _fixpoint(stay: list[bool], done: list[bool], successor: list[int], *, start: bool) -> list[bool]:
    """The least (start=False) or greatest (start=True) solution of v = done or (stay and X v)."""
    values = [start] * len(stay)
    for _ in range(len(stay) + 1):
        values = [done[i] or (stay[i] and values[successor[i]]) for i in range(len(stay))]
    return values


def all_words(atom_count: int, longest_stem: int, longest_loop: int) -> Iterator[Word]:
    """Every lasso up to the given lengths."""
    letters = range(1 << atom_count)
    for stem_length in range(longest_stem + 1):
        for loop_length in range(1, longest_loop + 1):
            for stem in itertools.product(letters, repeat=stem_length):
                for loop in itertools.product(letters, repeat=loop_length):
                    yield stem, loop


def random_word(chance: random.Random, atom_count: int, longest_stem: int = 4, longest_loop: int = 4) -> Word:
    """A lasso drawn at random."""
    stem = tuple(chance.randrange(1 << atom_count) for _ in range(chance.randint(0, longest_stem)))
    loop = tuple(chance.randrange(1 << atom_count) for _ in range(chance.randint(1, longest_loop)))
    return stem, loop


UNARY = (ltl.Not, ltl.Next, ltl.Eventually, ltl.Always)
BINARY = (ltl.And, ltl.Or, ltl.Implies, ltl.Iff, ltl.Until, ltl.Release, ltl.WeakUntil)


def random_formula(chance: random.Random, atoms: Sequence[ltl.Atom], size: int) -> Formula:
    """A formula with about `size` operators, drawn at random."""
    if size <= 0:
        return chance.choice((ltl.TRUE, ltl.FALSE)) if chance.random() < 0.03 else chance.choice(atoms)
    if size == 1 or chance.random() < 0.45:
        return chance.choice(UNARY)(random_formula(chance, atoms, size - 1))
    left = chance.randint(0, size - 1)
    operator = chance.choice(BINARY)
    return operator(random_formula(chance, atoms, left), random_formula(chance, atoms, size - 1 - left))


def all_formulas(atoms: Sequence[ltl.Atom], size: int) -> list[Formula]:
    """Every formula with exactly `size` operators (implication and equivalence left out)."""
    by_size: list[list[Formula]] = [list(atoms)]
    for current in range(1, size + 1):
        found: list[Formula] = [operator(f) for operator in UNARY for f in by_size[current - 1]]
        for operator in (ltl.And, ltl.Or, ltl.Until, ltl.Release, ltl.WeakUntil):
            for left in range(current):
                pairs = itertools.product(by_size[left], by_size[current - 1 - left])
                found += [operator(f, g) for f, g in pairs]
        by_size.append(found)
    return by_size[size]
