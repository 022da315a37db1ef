"""Represents the negation of a formula as obligations of an execution that violates it.

This is a tableau of its own, made for judging: it shares nothing with the automata of the search. At each
position the obligations are either settled by what is true there, or handed on to the next position. An
obligation `a U b` whose `b` is not true yet is *postponed*; an execution meets all obligations iff none of
them is postponed at every position from some point on.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.logic.ltl import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Release,
    Until,
    WeakUntil,
    children,
    subformulas,
)

#: obligations by number
Obligations = frozenset[int]


class _Kind(Enum):
    TRUE = "true"
    FALSE = "false"
    ATOM = "atom"
    NO_ATOM = "no atom"
    BOTH = "both"
    EITHER = "either"
    NEXT = "next"
    UNTIL = "until"
    RELEASE = "release"


@dataclass(frozen=True)
class _Node:
    kind: _Kind
    left: int = 0
    right: int = 0


@dataclass(frozen=True)
class Choice:
    """One way to meet obligations at a position: what remains for the next one, and what was postponed."""

    remaining: Obligations
    postponed: Obligations


class ViolationTableau:
    """What it takes to violate a formula; bit i of a letter is the truth of the i-th of the atoms."""

    def __init__(self, formula: Formula, atoms: Mapping[Atom, int]) -> None:
        self._nodes: list[_Node] = []
        self._numbers: dict[_Node, int] = {}
        self._true, self._false = self._make(_Kind.TRUE), self._make(_Kind.FALSE)
        self._atoms = atoms
        self.start: Obligations = frozenset({self._negated(formula)})
        self._known: dict[tuple[Obligations, int], tuple[Choice, ...]] = {}

    def choices(self, obligations: Obligations, letter: int) -> tuple[Choice, ...]:
        """The ways to meet obligations at a position with a letter; none: they are broken there.

        A way that leaves and postpones more than another one is not needed.
        """
        key = obligations, letter
        if key not in self._known:
            self._known[key] = _least(self._expanded(obligations, letter))
        return self._known[key]

    # ------------------------------------------------------------ negation, with negations at the atoms

    def _make(self, kind: _Kind, left: int = 0, right: int = 0) -> int:
        node = _Node(kind, left, right)
        number = self._numbers.setdefault(node, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
        return number

    def _negated(self, formula: Formula) -> int:
        """Each part of the formula becomes two nodes: for its truth and for its falsehood."""
        known: dict[Formula, tuple[int, int]] = {}
        for part in subformulas(formula):
            known[part] = self._pair(part, [known[child] for child in children(part)])
        return known[formula][1]

    def _pair(self, part: Formula, below: list[tuple[int, int]]) -> tuple[int, int]:
        make = self._make
        match part:
            case Constant(value):
                return (self._true, self._false) if value else (self._false, self._true)
            case Atom():
                return make(_Kind.ATOM, self._atoms[part]), make(_Kind.NO_ATOM, self._atoms[part])
            case Not():
                return below[0][1], below[0][0]
            case Next():
                return make(_Kind.NEXT, below[0][0]), make(_Kind.NEXT, below[0][1])
            case Eventually():
                return make(_Kind.UNTIL, self._true, below[0][0]), make(
                    _Kind.RELEASE, self._false, below[0][1]
                )
            case Always():
                return make(_Kind.RELEASE, self._false, below[0][0]), make(
                    _Kind.UNTIL, self._true, below[0][1]
                )
        (left, no_left), (right, no_right) = below
        match part:
            case And():
                return make(_Kind.BOTH, left, right), make(_Kind.EITHER, no_left, no_right)
            case Or():
                return make(_Kind.EITHER, left, right), make(_Kind.BOTH, no_left, no_right)
            case Implies():
                return make(_Kind.EITHER, no_left, right), make(_Kind.BOTH, left, no_right)
            case Iff():
                same = make(_Kind.BOTH, left, right), make(_Kind.BOTH, no_left, no_right)
                other = make(_Kind.BOTH, left, no_right), make(_Kind.BOTH, no_left, right)
                return make(_Kind.EITHER, *same), make(_Kind.EITHER, *other)
            case Until():
                return make(_Kind.UNTIL, left, right), make(_Kind.RELEASE, no_left, no_right)
            case Release():
                return make(_Kind.RELEASE, left, right), make(_Kind.UNTIL, no_left, no_right)
            case WeakUntil():  # a W b is b R (a || b)
                return (
                    make(_Kind.RELEASE, right, make(_Kind.EITHER, left, right)),
                    make(_Kind.UNTIL, no_right, make(_Kind.BOTH, no_left, no_right)),
                )
        raise AssertionError(part)

    # ------------------------------------------------------------ one position

    def _expanded(self, obligations: Obligations, letter: int) -> list[Choice]:
        """Every way to settle or hand on each of the obligations."""
        found: list[Choice] = []
        nothing: Obligations = frozenset()
        pending = [(tuple(sorted(obligations)), nothing, nothing, nothing)]
        while pending:
            todo, seen, remaining, postponed = pending.pop()
            if not todo:
                found.append(Choice(remaining, postponed))
                continue
            first, todo = todo[0], todo[1:]
            if first in seen:
                pending.append((todo, seen, remaining, postponed))
                continue
            seen |= {first}
            node = self._nodes[first]
            match node.kind:
                case _Kind.TRUE:
                    pending.append((todo, seen, remaining, postponed))
                case _Kind.FALSE:
                    pass
                case _Kind.ATOM | _Kind.NO_ATOM:
                    if (letter >> node.left & 1 == 1) is (node.kind is _Kind.ATOM):
                        pending.append((todo, seen, remaining, postponed))
                case _Kind.BOTH:
                    pending.append(((node.left, node.right, *todo), seen, remaining, postponed))
                case _Kind.EITHER:
                    pending.append(((node.left, *todo), seen, remaining, postponed))
                    pending.append(((node.right, *todo), seen, remaining, postponed))
                case _Kind.NEXT:
                    pending.append((todo, seen, remaining | {node.left}, postponed))
                case _Kind.UNTIL:
                    pending.append(((node.right, *todo), seen, remaining, postponed))
                    later = remaining | {first}
                    pending.append(((node.left, *todo), seen, later, postponed | {first}))
                case _Kind.RELEASE:
                    pending.append(((node.right, node.left, *todo), seen, remaining, postponed))
                    pending.append(((node.right, *todo), seen, remaining | {first}, postponed))
        return found


def _least(choices: list[Choice]) -> tuple[Choice, ...]:
    distinct = list(dict.fromkeys(choices))
    return tuple(
        choice
        for choice in distinct
        if not any(
            other != choice and other.remaining <= choice.remaining and other.postponed <= choice.postponed
            for other in distinct
        )
    )
