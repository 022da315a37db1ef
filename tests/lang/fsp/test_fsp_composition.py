"""Composites inside composites: what they hide stays theirs, and how they end."""

from __future__ import annotations

import pytest

import fairlead

PAIR = """
P = (a -> x -> P).
Q = (a -> y -> Q).
||C = (P || Q) \\ {a}.
||D = (C).
||E = (C).
"""


@pytest.mark.parametrize(
    "parts",
    [
        "C || C/{x2/x, y2/y} || C/{x3/x, y3/y}",
        "D || E/{x2/x, y2/y} || D/{x3/x, y3/y}",
        "D || C/{x2/x, y2/y} || D/{x3/x, y3/y}",
        "p:D || p:C/{x2/p.x, y2/p.y} || p:D/{x3/p.x, y3/p.y}",
        "{p, q}:D || E",
    ],
)
def test_instances_do_not_share_what_they_hide(parts: str) -> None:
    """Three pairs with nothing in common: each has 4 states and 5 transitions."""
    model = fairlead.loads(f"{PAIR}||S = ({parts}).\n", "lts")
    assert model.size("||S") == (4**3, 3 * 4**2 * 5)


@pytest.mark.parametrize(("hiding", "ends"), [("", True), (" \\ {zz}", False)])
def test_a_composite_that_hides_ends_as_one(hiding: str, ends: bool) -> None:
    """As one machine M never ends, since b is not its part's that ends; side by side W has b, too."""
    text = f"A = (a -> END).\nE = (a -> b -> E).\nW = (b -> END).\n||M = (A || E){hiding}.\n||S = (M || W).\n"
    result = fairlead.loads(text, "lts").check("||S safety")
    assert (result.verdict is fairlead.Verdict.HOLDS) == ends
