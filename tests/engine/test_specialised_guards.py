"""Guards that the engine rewrites for the parameters of a process, against the reference semantics."""

from __future__ import annotations

import itertools

import pytest

import fairlead
from fairlead.outcome.finding import Verdict

#: conditions over the elements of an array; `i` is a parameter
GUARDS = [
    "(b[0] || b[i]) == true",
    "(b[0] && b[i]) == false",
    "(b[i] || b[0]) != false",
    "((b[0] || b[i]) == true) == (b[1] || b[i])",
    "(b[0] == b[i] || b[1]) == b[2]",
]
NUMBERS = [
    "n[i] < 2",
    "n[i] <= 1 && n[0] > 0",
    "n[i] >= 1 || n[1] != 2",
    "n[i] + 1 == 2",
    "(n[i] == 1 || n[0] == 2) == true",
]


@pytest.mark.parametrize("guard", GUARDS)
def test_truth_values(guard: str) -> None:
    for values in itertools.product(("true", "false"), repeat=3):
        compare(f"var b = [{', '.join(values)}];", guard)


@pytest.mark.parametrize("guard", NUMBERS)
def test_numbers(guard: str) -> None:
    for values in itertools.product("012", repeat=3):
        compare(f"var n = [{', '.join(values)}];", guard)


def compare(declaration: str, guard: str) -> None:
    """A process behind a guard can continue iff the same condition is true of the initial state."""
    model = fairlead.loads(
        f"""{declaration}
        P(i) = [{guard}] a -> P(i);
        #define can2 {guard.replace("i", "2")};
        #assert P(2) deadlockfree;
        #assert P(2) reaches can2;
        """
    )
    free, reaches = model.check_all()
    assert (free.verdict is Verdict.HOLDS) == (reaches.verdict is Verdict.HOLDS), (declaration, guard)
