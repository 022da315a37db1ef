"""Formulas on one run, with all kinds of atoms."""

from __future__ import annotations

import pytest

from fairlead.base.source import Source
from fairlead.evidence.lasso_ltl import Position, holds_on, word_of
from fairlead.logic.ltl import atoms
from fairlead.logic.parsing.parse import parse_ltl
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import Proposition, Step

A, B = Step("a", frozenset({"P"}), 1), Step("b", frozenset({"Q"}), 0)
GRAPH = ExplicitGraph(2, 0, {0: (A,), 1: (B,)}, {"up": frozenset({1})})
MEANINGS: dict[str, Meaning] = {
    "up": Proposition("up", "up"),
    "a": EventAtom.of("a"),
    "byP": ProcessAtom(frozenset({"P"})),
    "byQ": ProcessAtom(frozenset({"Q"})),
    "canA": Enabled(EventAtom.of("a")),
    "canQ": Enabled(ProcessAtom(frozenset({"Q"}))),
}
RUN = Run(0, (A,), (B, A))


def test_positions_are_states_with_the_steps_into_them() -> None:
    word = word_of(RUN)
    assert word.positions == (Position(0, None), Position(1, A), Position(0, B), Position(1, A))
    assert [word.next(position) for position in range(4)] == [1, 2, 3, 2]


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("byP", False),
        ("X byP", True),
        ("X byQ", False),
        ("[] (byP <-> a)", True),
        ("[] (byP <-> up)", True),
        ("[] (canA <-> !up)", True),
        ("[] (canQ <-> up)", True),
        ("[] (canQ -> X byQ)", True),
        ("[]<> byQ && []<> canA", True),
        ("<>[] canA", False),
    ],
)
def test_atoms_of_every_kind(formula: str, holds: bool) -> None:
    parsed = parse_ltl(Source("formula", formula)).formula
    meanings = {atom: MEANINGS[atom.text] for atom in atoms(parsed)}
    assert holds_on(parsed, word_of(RUN), meanings, GRAPH) is holds
