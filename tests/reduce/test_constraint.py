"""Constraints as machines: what they allow, next to actions of others, and which formulas are none."""

from __future__ import annotations

import pytest

import fairlead

SYSTEM = "P = (a -> P | b -> P | c -> P).\nconstraint ONLY = {formula}\n||S = (P || ONLY).\n"


def size(formula: str) -> tuple[int, int]:
    return fairlead.loads(SYSTEM.format(formula=formula), "lts").size("||S")


@pytest.mark.parametrize(
    ("formula", "states", "transitions"),
    [
        ("[]!a", 1, 2),
        ("[](a -> X b)", 2, 5),  # c does not count
        ("[](a -> X b) + {c}", 2, 4),
        ("[](a -> X []!a)", 2, 5),  # at most one a
        ("[](a -> X (!a && !b))", 2, 4),  # only others after an a
        ("(!a W b)", 2, 5),
    ],
)
def test_what_is_allowed(formula: str, states: int, transitions: int) -> None:
    assert size(formula) == (states, transitions)


@pytest.mark.parametrize("formula", ["[]<>a", "<>a", "(!a U b)", "[](a -> <>b)"])
def test_what_must_happen_is_no_constraint(formula: str) -> None:
    """Even where the constraint knows no other action: the system may do others forever."""
    with pytest.raises(fairlead.InputError, match="does not forbid any finite run"):
        size(formula)
