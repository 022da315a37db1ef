"""Writes formulas of branching time in words, and as people write them."""

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
