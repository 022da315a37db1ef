"""The automaton of a certificate: its states are the obligations that remain."""

from __future__ import annotations

from typing import Any

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.base.records import dataclass
from fairlead.certify.expansion import Edge, Expansion, Obligations

#: larger automata are not written into certificates
_MOST_STATES = 5_000


@dataclass(frozen=True)
class ViolationAutomaton:
    """An automaton of the executions that violate a formula, with what a certificate has of it."""

    edges: list[list[Edge]]
    sets: int
    data: dict[str, Any]


def violation_automaton(expansion: Expansion) -> ViolationAutomaton:
    """Explores the obligations from the negation of the formula on."""
    start: Obligations = frozenset({expansion.violation})
    numbers = {start: 0}
    moves = []
    untils: dict[int, int] = {}
    for state in (order := [start]):
        tick()
        row = expansion.moves(state)
        moves.append(row)
        for move in row:
            for until in sorted(move.put_off):
                untils.setdefault(until, len(untils))
            later = _lean(expansion, move.later)
            if later not in numbers:
                numbers[later] = len(order)
                order.append(later)
        if len(order) > _MOST_STATES:
            problem = f"the automaton of this formula has more than {_MOST_STATES:,} states"
            raise LimitReached((Diagnostic(Code.LIMIT, f"no certificate: {problem}"),))
    edges = [
        list(
            dict.fromkeys(
                Edge(
                    move.positive,
                    move.negative,
                    numbers[_lean(expansion, move.later)],
                    sum(1 << place for until, place in untils.items() if until not in move.put_off),
                )
                for move in row
            )
        )
        for row in moves
    ]
    data = {
        "nodes": [list(node) for node in expansion.nodes],
        "states": [sorted(state) for state in order],
        "acceptance": list(untils),
        "edges": [[[one.positive, one.negative, one.target, one.marks] for one in row] for row in edges],
    }
    return ViolationAutomaton(edges, len(untils), data)


def _lean(expansion: Expansion, state: Obligations) -> Obligations:
    """Without what others oblige to at every position: whatever satisfies a R b satisfies b."""
    implied: set[int] = set()
    for number in state:
        kind, _, right = expansion.nodes[number]
        pending = [right] if kind == "release" else []
        while pending:
            below = pending.pop()
            kind, left, right = expansion.nodes[below]
            if below not in implied and below != number:
                implied.add(below)
                pending += [left, right] if kind == "and" else [right] if kind == "release" else []
    return state - implied
