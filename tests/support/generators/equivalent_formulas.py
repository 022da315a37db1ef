# ruff: noqa: E501 — the table of laws has a line for each operator
"""Random formulas of LTL and CTL as trees, and other spellings of them that mean the same.

Every law here holds on infinite paths, whichever of them are fair; an execution that ends continues by idling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

#: an atom is its text; every other formula is an operator and its operands
Tree = Any
_UNARY = ("!", "X", "[]", "<>")
_BINARY = ("&&", "||", "->", "U", "W", "R")
_PATHS = ("EX", "EF", "EG", "AX", "AF", "AG")


def in_fsp(tree: Tree, action: str) -> Tree:
    """The formula without R, which FSP has not, and without constants, which would name actions there."""
    match tree:
        case "true":
            return ("||", action, _not(action))
        case "false":
            return ("&&", action, _not(action))
        case str():
            return tree
    operator, *operands = tree
    operands = [in_fsp(operand, action) for operand in operands]
    if operator == "R":
        return _not(("U", *map(_not, operands)))
    return (operator, *operands)


def text(tree: Tree) -> str:
    """A formula as users write it."""
    match tree:
        case str():
            return tree
        case ("EU" | "AU" as operator, left, right):
            return f"{operator[0]}[{text(left)} U {text(right)}]"
        case (operator, operand):
            return f"{operator} ({text(operand)})"
        case (operator, left, right):
            return f"(({text(left)}) {operator} ({text(right)}))"
    raise AssertionError(tree)


def linear(random: Random, atoms: Sequence[str], depth: int) -> Tree:
    """A formula of LTL."""
    return _tree(random, atoms, depth, _UNARY, _BINARY)


def branching(random: Random, atoms: Sequence[str], depth: int) -> Tree:
    """A formula of CTL."""
    return _tree(random, atoms, depth, ("!", *_PATHS), ("&&", "||", "->", "EU", "AU"))


def _tree(
    random: Random, atoms: Sequence[str], depth: int, unary: Sequence[str], binary: Sequence[str]
) -> Tree:
    if depth == 0 or random.random() < 0.1:
        return random.choice(atoms)
    operator = random.choice((*unary, *binary))
    operands = [_tree(random, atoms, depth - 1, unary, binary) for _ in range(1 + (operator in binary))]
    return (operator, *operands)


def _not(tree: Tree) -> Tree:
    return ("!", tree)


_LAWS: dict[str, Sequence[Callable[..., Tree]]] = {
    "!": (lambda p: ("->", p, "false"),),
    "&&": (lambda p, q: ("&&", q, p), lambda p, q: _not(("||", _not(p), _not(q)))),
    "||": (lambda p, q: ("||", q, p), lambda p, q: ("->", _not(p), q)),
    "->": (lambda p, q: ("||", _not(p), q), lambda p, q: ("->", _not(q), _not(p))),
    "X": (lambda p: _not(("X", _not(p))),),
    "[]": (lambda p: _not(("<>", _not(p))), lambda p: ("W", p, "false"), lambda p: ("&&", p, ("X", ("[]", p)))),
    "<>": (lambda p: _not(("[]", _not(p))), lambda p: ("U", "true", p), lambda p: ("||", p, ("X", ("<>", p)))),
    "U": (
        lambda p, q: _not(("R", _not(p), _not(q))),
        lambda p, q: ("&&", ("W", p, q), ("<>", q)),
        lambda p, q: ("||", q, ("&&", p, ("X", ("U", p, q)))),
    ),
    "W": (lambda p, q: ("||", ("U", p, q), ("[]", p)), lambda p, q: ("R", q, ("||", p, q))),
    "R": (lambda p, q: _not(("U", _not(p), _not(q))), lambda p, q: ("W", q, ("&&", p, q))),
    "EX": (lambda p: _not(("AX", _not(p))),),
    "AX": (lambda p: _not(("EX", _not(p))),),
    "EF": (lambda p: _not(("AG", _not(p))), lambda p: ("EU", "true", p)),
    "AF": (lambda p: _not(("EG", _not(p))), lambda p: ("AU", "true", p)),
    "EG": (lambda p: _not(("AF", _not(p))),),
    "AG": (lambda p: _not(("EF", _not(p))), lambda p: ("AG", ("AG", p))),
    "EU": (lambda p, q: ("EU", ("&&", p, ("||", p, q)), q),),
    "AU": (
        lambda p, q: _not(("||", ("EU", _not(q), ("&&", _not(p), _not(q))), ("EG", _not(q)))),
        lambda p, q: ("&&", ("AU", p, q), ("AF", q)),
    ),
}  # fmt: skip


def respelled(tree: Tree, random: Random) -> Tree:
    """The formula with laws applied to some of its parts."""
    if isinstance(tree, str):
        return tree
    operator, *operands = tree
    operands = [respelled(operand, random) for operand in operands]
    if random.random() < 0.3:
        return (operator, *operands)
    return random.choice(_LAWS[operator])(*operands)
