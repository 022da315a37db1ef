"""Formulas of branching time in words, and as people write them."""

from __future__ import annotations

from fairlead.logic.ltl import (
    TRUE,
    Always,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Next,
    Not,
    Until,
    fold,
    in_letters,
)
from fairlead.logic.ltl import Binary as BinaryFormula
from fairlead.logic.ltl import Unary as UnaryFormula


def readable(formula: Formula) -> Formula:
    """A formula in existential form with F, AX, AF and AG again, where they stand for something in it."""
    return fold({}, formula, _readable)


def spelt(formula: Formula) -> str:
    """A formula in existential form as people write it."""
    return in_letters(readable(formula))


def _readable(node: Formula, parts: list[Formula]) -> Formula:
    match node:
        case Until() if parts[0] == TRUE:
            return Eventually(parts[1])
        case Not():
            return _negated(parts[0])
        case UnaryFormula():
            return type(node)(parts[0])
        case BinaryFormula():
            return type(node)(parts[0], parts[1])
    return node


def _negated(formula: Formula) -> Formula:
    match formula:
        case Exists(Next(operand)):
            return ForAll(Next(_opposite(operand)))
        case Exists(Eventually(operand)):
            return ForAll(Always(_opposite(operand)))
        case Exists(Always(operand)):
            return ForAll(Eventually(_opposite(operand)))
    return Not(formula)


def _opposite(formula: Formula) -> Formula:
    return formula.operand if isinstance(formula, Not) else Not(formula)


def what_a_run_shows(formula: Exists, path: str) -> str:
    """What a run must be to show a formula; `path` says what kind of path it is."""
    match formula.operand:
        case Next(operand):
            return f"a step to a state with {spelt(operand)}"
        case Until(left, right) if left == TRUE:
            return f"{path} to a state with {spelt(right)}"
        case Until(left, right):
            return f"{path} to a state with {spelt(right)}, with {spelt(left)} before it"
        case Always(operand) if operand == TRUE:
            return path
        case Always(operand):
            return f"{path} with {spelt(operand)} at every position"
        case operand:
            return f"{path} with {spelt(operand)}"
