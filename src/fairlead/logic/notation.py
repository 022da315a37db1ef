"""Defines the operators of each notation: spelling, precedence, and where PAT differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.logic import ltl
from fairlead.logic.ltl import Atom, Binary, Formula, Unary

Prefix = tuple[type[Unary], ...]


class Notation(Enum):
    """What a text is read as."""

    LTL = "LTL"
    BRANCHING = "CTL"
    FAIRNESS = "fairness formulas"

    @property
    def prefixes(self) -> Mapping[str, Prefix]:
        """The unary operators, and words that stand for several of them."""
        return _BRANCHING_PREFIXES if self is Notation.BRANCHING else _PREFIXES

    @property
    def calls(self) -> frozenset[str]:
        """Names that mean something special before a parenthesis."""
        return _FAIRNESS_CALLS if self is Notation.FAIRNESS else _CALLS


_PREFIXES: dict[str, Prefix] = {
    "!": (ltl.Not,),
    "X": (ltl.Next,),
    "[]": (ltl.Always,),
    "G": (ltl.Always,),
    "<>": (ltl.Eventually,),
    "F": (ltl.Eventually,),
    "GF": (ltl.Always, ltl.Eventually),
    "FG": (ltl.Eventually, ltl.Always),
    "F∞": (ltl.Always, ltl.Eventually),
    "G∞": (ltl.Eventually, ltl.Always),
    "Finf": (ltl.Always, ltl.Eventually),
    "Ginf": (ltl.Eventually, ltl.Always),
}
#: prefixes that begin with a path quantifier
QUANTIFIERS: dict[str, Prefix] = {
    "A": (ltl.ForAll,),
    "E": (ltl.Exists,),
    **{f"A{letter}": (ltl.ForAll, *_PREFIXES[letter]) for letter in "XGF"},
    **{f"E{letter}": (ltl.Exists, *_PREFIXES[letter]) for letter in "XGF"},
}
_BRANCHING_PREFIXES = {**_PREFIXES, **QUANTIFIERS}
#: words that are operators only where an operand follows, because they may be names too
WORDS = frozenset(("GF", "FG", "Finf", "Ginf"))
_CALLS = frozenset(("enabled", "executed"))
_FAIRNESS_CALLS = _CALLS | {"weak", "strong"}

BINARY: dict[str, type[Binary]] = {
    "U": ltl.Until,
    "R": ltl.Release,
    "V": ltl.Release,
    "W": ltl.WeakUntil,
    "&&": ltl.And,
    "/\\": ltl.And,
    "||": ltl.Or,
    "\\/": ltl.Or,
    "->": ltl.Implies,
    "<->": ltl.Iff,
}
LETTERS = frozenset("XGFURVW")
TEMPORAL = (ltl.Next, ltl.Always, ltl.Eventually, ltl.Until, ltl.Release, ltl.WeakUntil)
_ASSOCIATIVE = (ltl.And, ltl.Or, ltl.Iff)


@dataclass(frozen=True)
class Operator:
    """A binary operator where it was written."""

    node: type[Binary]
    span: Span


@dataclass(frozen=True)
class _Reading:
    """How tightly each operator binds, and which ones group to the right."""

    binding: dict[type[Binary], int]
    right_associative: frozenset[type[Binary]]


OURS = _Reading(
    {ltl.Until: 5, ltl.Release: 5, ltl.WeakUntil: 5, ltl.And: 4, ltl.Or: 3, ltl.Implies: 2, ltl.Iff: 1},
    frozenset((ltl.Until, ltl.Release, ltl.WeakUntil, ltl.Implies)),
)
PAT = _Reading(
    {ltl.Until: 5, ltl.Release: 5, ltl.WeakUntil: 5, ltl.And: 1, ltl.Or: 1, ltl.Implies: 1, ltl.Iff: 1},
    frozenset(),
)


def readings_differ(operators: Sequence[Operator]) -> bool:
    """Whether PAT groups operands joined by these operators in a way that can mean something else."""
    if len(operators) < 2:
        return False
    if operators[0].node in _ASSOCIATIVE and len({operator.node for operator in operators}) == 1:
        return False
    places: list[Formula] = [Atom(str(place)) for place in range(len(operators) + 1)]
    return grouped(places, operators, OURS, _chained) != grouped(places, operators, PAT, _chained)


def _chained(operator: Operator, left: Formula, right: Formula) -> Formula:
    """The same formula for every way to group a chain of one associative operator."""
    if operator.node not in _ASSOCIATIVE:
        return operator.node(left, right)
    for operand in ltl.operands(right, operator.node):
        left = operator.node(left, operand)
    return left


def joined(operator: Operator, left: Formula, right: Formula) -> Formula:
    """The formula that an operator makes of its operands."""
    return operator.node(left, right)


def grouped(
    operands: Sequence[Formula],
    operators: Sequence[Operator],
    reading: _Reading,
    join: Callable[[Operator, Formula, Formula], Formula] = joined,
) -> Formula:
    """One formula from a chain of operands, by operator precedence (Dijkstra's shunting yard)."""
    results = [operands[0]]
    waiting: list[Operator] = []

    def join_top() -> None:
        right = results.pop()
        results.append(join(waiting.pop(), results.pop(), right))

    for operator, operand in zip(operators, operands[1:], strict=True):
        binding = reading.binding[operator.node]
        needed = binding + (operator.node in reading.right_associative)
        while waiting and reading.binding[waiting[-1].node] >= needed:
            join_top()
        waiting.append(operator)
        results.append(operand)
    while waiting:
        join_top()
    return results[0]
