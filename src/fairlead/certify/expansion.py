"""Obligations: what must still be true of an execution that violates a formula, by the laws of expansion.

    a U b  =  b || (a && X (a U b))            a R b  =  b && (a || X (a R b))

An automaton whose states carry obligations accepts every word that violates the formula if each way to meet
the obligations of a state at a position (a `Move`) is covered by one of its transitions, which demands no
more now, obliges to no more later and puts off no more (docs/explanation/certificates.md, theorem 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairlead.base.allowance import tick
from fairlead.base.records import dataclass
from fairlead.certify.container import Rejected, list_in, number_in
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
#: an operator and its operands by number; the number of an atom is that of its place
Node = tuple[str, int, int]


@dataclass(frozen=True)
class Move:
    """One way to meet obligations at a position: atoms that must be true or false (as bits) now, what must
    be true from the next position on, and the untils that are put off."""

    positive: int
    negative: int
    later: Obligations
    put_off: Obligations

    def covers(self, other: Move) -> bool:
        """Whether it is possible wherever the other is, and leaves and puts off no more."""
        return (
            self.positive & ~other.positive == 0
            and self.negative & ~other.negative == 0
            and self.later <= other.later
            and self.put_off <= other.put_off
        )


class Expansion:
    """The obligations of one formula, with negations at the atoms only."""

    def __init__(self, formula: Formula, atoms: Mapping[Atom, int]) -> None:
        self._atoms = atoms
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}
        #: what is true of an execution iff it violates the formula
        self.violation = self._negated(formula)

    def number(self, node: Node) -> int:
        """The number of a node, which is added if it is new."""
        found = self._numbers.setdefault(node, len(self.nodes))
        if found == len(self.nodes):
            self.nodes.append(node)
        return found

    def _negated(self, formula: Formula) -> int:
        known: dict[Formula, tuple[int, int]] = {}
        for part in subformulas(formula):
            known[part] = self._pair(part, [known[child] for child in children(part)])
        return known[formula][1]

    def _pair(self, part: Formula, below: list[tuple[int, int]]) -> tuple[int, int]:
        """The nodes for the truth and for the falsehood of a part."""
        true, false = self.number(("true", 0, 0)), self.number(("false", 0, 0))
        match part:
            case Constant(value):
                return (true, false) if value else (false, true)
            case Atom():
                place = self._atoms[part]
                return self.number(("atom", place, 0)), self.number(("not", place, 0))
            case Not():
                return below[0][1], below[0][0]
            case Next():
                return self.number(("next", below[0][0], 0)), self.number(("next", below[0][1], 0))
            case Eventually():
                return self._both_ways("until", (true, false), below[0])
            case Always():
                return self._both_ways("release", (false, true), below[0])
        left, right = below
        match part:
            case And():
                return self._both_ways("and", left, right)
            case Or():
                return self._both_ways("or", left, right)
            case Implies():
                return self._both_ways("or", left[::-1], right)
            case Iff():
                one = self._both_ways("or", left[::-1], right)
                return self._both_ways("and", one, self._both_ways("or", right[::-1], left))
            case Until():
                return self._both_ways("until", left, right)
            case Release():
                return self._both_ways("release", left, right)
            case WeakUntil():  # a W b is b R (a || b)
                return self._both_ways("release", right, self._both_ways("or", left, right))
        raise AssertionError(part)

    def _both_ways(self, kind: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        """An operator on operands, each given with its negation; and its negation, the dual operator."""
        dual = {"and": "or", "or": "and", "until": "release", "release": "until"}[kind]
        return self.number((kind, left[0], right[0])), self.number((dual, left[1], right[1]))

    def moves(self, obligations: Obligations) -> list[Move]:
        """The ways to meet obligations at a position, without those that others cover."""
        found: list[Move] = []
        start = (tuple(sorted(obligations)), frozenset[int](), Move(0, 0, frozenset(), frozenset()))
        pending = [start]
        while pending:
            tick()
            todo, seen, move = pending.pop()
            if not todo:
                found.append(move)
                continue
            first, todo = todo[0], todo[1:]
            if first in seen:
                pending.append((todo, seen, move))
                continue
            for more, after in self._ways(first, move):
                pending.append(((*more, *todo), seen | {first}, after))
        return _least(found)

    def _ways(self, number: int, move: Move) -> Iterable[tuple[tuple[int, ...], Move]]:
        """The ways to expand an obligation: what else must be true now, and the move with what it adds."""
        kind, left, right = self.nodes[number]
        positive, negative = move.positive, move.negative
        match kind:
            case "true":
                return (((), move),)
            case "false":
                return ()
            case "atom":
                bit = 1 << left
                return () if negative & bit else (((), _with(move, positive | bit, negative)),)
            case "not":
                bit = 1 << left
                return () if positive & bit else (((), _with(move, positive, negative | bit)),)
            case "and":
                return (((left, right), move),)
            case "or":
                return (((left,), move), ((right,), move))
            case "next":
                return (((), _later(move, left, frozenset())),)
            case "until":
                return (((right,), move), ((left,), _later(move, number, frozenset({number}))))
            case "release":
                return (((right, left), move), ((right,), _later(move, number, frozenset())))
        raise AssertionError(kind)


def _with(move: Move, positive: int, negative: int) -> Move:
    return Move(positive, negative, move.later, move.put_off)


def _later(move: Move, number: int, put_off: Obligations) -> Move:
    return Move(move.positive, move.negative, move.later | {number}, move.put_off | put_off)


def _least(moves: list[Move]) -> list[Move]:
    found: list[Move] = []
    for move in sorted(dict.fromkeys(moves), key=_size):
        tick()
        if not any(other.covers(move) for other in found):
            found.append(move)
    return found


def _size(move: Move) -> int:
    atoms = move.positive.bit_count() + move.negative.bit_count()
    return atoms + len(move.later) + len(move.put_off)


# ---------------------------------------------------------------- the automaton of a certificate


@dataclass(frozen=True)
class Edge:
    """A transition where some atoms are true and others false; `marks` are the acceptance sets it is in."""

    positive: int
    negative: int
    target: int
    marks: int

    def reads(self, letter: int) -> bool:
        """Whether it can be taken where these atoms are true."""
        return letter & self.positive == self.positive and not letter & self.negative


class Automaton:
    """The automaton of a certificate, which has been verified to accept every violating word.

    A word is accepted by a run that takes transitions of every acceptance set infinitely often. The letter
    at position 0 is read by a transition from state 0.
    """

    def __init__(self, data: Mapping[str, Any], expansion: Expansion) -> None:
        numbers = _node_numbers(data, expansion)
        untils = [_at(numbers, place) for place in list_in(data.get("acceptance"))]
        states = [
            frozenset(_at(numbers, place) for place in list_in(row)) for row in list_in(data.get("states"))
        ]
        self.sets = len(untils)
        self.edges = [
            [_edge(edge, len(states)) for edge in list_in(row)] for row in list_in(data.get("edges"))
        ]
        if not states or len(self.edges) != len(states) or not states[0] <= {expansion.violation}:
            raise Rejected("the automaton does not begin with the negation of the formula")
        if any(expansion.nodes[until][0] != "until" for until in untils):
            raise Rejected("an acceptance set of the automaton is not that of an until")
        for obligations, row in zip(states, self.edges, strict=True):
            offered = [_as_move(edge, states, untils) for edge in row]
            for move in expansion.moves(obligations):
                tick()
                if not any(_is_covered(move, edge, untils) for edge in offered):
                    raise Rejected("the automaton lacks a transition: it may miss violating executions")


def _is_covered(move: Move, edge: Move, untils: list[int]) -> bool:
    """Whether a transition covers a move; only untils with an acceptance set matter to it."""
    return Move(edge.positive, edge.negative, edge.later, edge.put_off).covers(move)


def _as_move(edge: Edge, states: list[Obligations], untils: list[int]) -> Move:
    put_off = frozenset(until for place, until in enumerate(untils) if not edge.marks >> place & 1)
    return Move(edge.positive, edge.negative, states[edge.target], put_off)


def _edge(data: object, states: int) -> Edge:
    numbers = [number_in(value, 1 << 4096) for value in list_in(data)]
    if len(numbers) != 4 or numbers[2] >= states:
        raise Rejected("a transition of the automaton cannot be read")
    return Edge(*numbers)


def _node_numbers(data: Mapping[str, Any], expansion: Expansion) -> list[int]:
    """The numbers that the nodes of a certificate have here."""
    numbers: list[int] = []
    for row in list_in(data.get("nodes")):
        match row:
            case ["true" | "false" as kind, 0, 0]:
                node = (kind, 0, 0)
            case ["atom" | "not" as kind, place, 0]:
                node = (kind, number_in(place), 0)
            case ["next", operand, 0]:
                node = ("next", _at(numbers, operand), 0)
            case ["and" | "or" | "until" | "release" as kind, left, right]:
                node = (kind, _at(numbers, left), _at(numbers, right))
            case _:
                raise Rejected("an obligation of the automaton cannot be read")
        numbers.append(expansion.number(node))
    return numbers


def _at(numbers: list[int], place: object) -> int:
    found = number_in(place)
    if found >= len(numbers):
        raise Rejected("the automaton names an obligation that is not listed")
    return numbers[found]
