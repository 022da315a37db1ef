"""State/event LTL as plain tuples: its text in the tool's spelling, classic shapes, and random formulas.

A formula is ("true",), ("false",), ("prop", name), ("event", name), or an operator followed by its operands:
not X F G, and or implies iff U R W.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

Formula = tuple[Any, ...]

SPELLING = {
    "not": "!", "X": "X ", "F": "<> ", "G": "[] ",
    "and": "&&", "or": "||", "implies": "->", "iff": "<->", "U": "U", "R": "R", "W": "W",
}  # fmt: skip
ATOMS = ("true", "false", "prop", "event")
UNARY = ("not", "X", "F", "G")
BINARY = ("and", "or", "implies", "iff", "U", "R", "W")
TEMPORAL = ("X", "F", "G", "U", "R", "W")


def prop(name: str) -> Formula:
    return ("prop", name)


def event(name: str) -> Formula:
    return ("event", name)


def neg(f: Formula) -> Formula:
    return ("not", f)


def always(f: Formula) -> Formula:
    return ("G", f)


def eventually(f: Formula) -> Formula:
    return ("F", f)


def following(f: Formula) -> Formula:
    return ("X", f)


def implies(f: Formula, g: Formula) -> Formula:
    return ("implies", f, g)


def formula_text(f: Formula) -> str:
    """Fully parenthesised, so that no precedence matters."""
    operator, *operands = f
    if operator in ("true", "false"):
        return str(operator)
    if operator in ("prop", "event"):
        return str(operands[0])
    if operator in UNARY:
        return f"({SPELLING[operator]}{formula_text(operands[0])})"
    left, right = operands
    return f"({formula_text(left)} {SPELLING[operator]} {formula_text(right)})"


def subformulas(f: Formula) -> list[Formula]:
    """Each distinct subformula once, operands before what is built from them."""
    found: dict[Formula, None] = {}

    def visit(g: Formula) -> None:
        if g[0] not in ATOMS:
            for operand in g[1:]:
                visit(operand)
        found.setdefault(g)

    visit(f)
    return list(found)


SHAPES: list[Callable[[Formula, Formula], Formula]] = [
    lambda f, g: always(eventually(f)),
    lambda f, g: eventually(always(f)),
    lambda f, g: always(f),
    lambda f, g: eventually(f),
    lambda f, g: always(implies(f, eventually(g))),
    lambda f, g: eventually(always(implies(f, following(neg(g))))),
    lambda f, g: always(implies(f, following(g))),
    lambda f, g: ("U", f, g),
    lambda f, g: ("W", neg(f), g),
    lambda f, g: ("R", f, g),
    lambda f, g: always(implies(f, ("U", neg(g), f))),
    lambda f, g: implies(always(eventually(f)), always(eventually(g))),
    lambda f, g: ("or", eventually(always(f)), always(eventually(g))),
    lambda f, g: ("and", always(eventually(f)), always(eventually(g))),
    lambda f, g: always(eventually(("and", f, following(g)))),
    lambda f, g: eventually(always(neg(("and", f, following(following(g)))))),
    lambda f, g: ("iff", always(eventually(f)), eventually(g)),
]


def classic_formulas(props: Sequence[str], events: Sequence[str]) -> list[Formula]:
    """Every shape over every ordered pair of different atoms (or the one atom there is)."""
    atoms = [event(e) for e in events] + [prop(p) for p in props]
    pairs = [(f, g) for f in atoms for g in atoms if f != g] or [(f, f) for f in atoms]
    return list(dict.fromkeys(shape(f, g) for shape in SHAPES for f, g in pairs))


def random_formula(
    rng: Random, props: Sequence[str], events: Sequence[str], max_operators: int = 8, max_temporal: int = 5
) -> Formula:
    """A classic shape or a random tree; the bound on temporal operators keeps the tableau small."""
    atoms = [event(e) for e in events] + [prop(p) for p in props]
    if rng.random() < 0.3:
        f, g = rng.sample(atoms, 2) if len(atoms) > 1 else (atoms[0], atoms[0])
        return rng.choice(SHAPES)(f, g)
    while True:
        f = _random_tree(rng, atoms, rng.randint(1, max_operators))
        # A bare tree mostly speaks of the first positions, where fairness hardly counts.
        around = rng.random()
        if around < 0.25:
            f = always(eventually(f))
        elif around < 0.5:
            f = eventually(always(f))
        if sum(g[0] in TEMPORAL for g in subformulas(f)) <= max_temporal:
            return f


def _random_tree(rng: Random, atoms: list[Formula], operators: int) -> Formula:
    if operators == 0:
        return rng.choice([("true",), ("false",)]) if rng.random() < 0.04 else rng.choice(atoms)
    if rng.random() < 0.45:
        return (rng.choice(UNARY), _random_tree(rng, atoms, operators - 1))
    left = rng.randint(0, operators - 1)
    return (
        rng.choice(BINARY),
        _random_tree(rng, atoms, left),
        _random_tree(rng, atoms, operators - 1 - left),
    )
