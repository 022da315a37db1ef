"""The page about how SPIN counts names programs that exist, and has numbers from the table to stand on."""

from __future__ import annotations

import re

from tests.support.places import DOCS
from tests.support.promela.programs import asked, table

PAGE = DOCS / "explanation" / "how-spin-counts.md"


def test_programs_on_the_page() -> None:
    known = {one.program for one in asked()}
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", PAGE.read_text(encoding="utf-8"))) - {"d_step"}
    assert len(named) > 25 and named <= known


def test_surprises_and_rules_are_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = {one.program for one in asked() if one.program.startswith(("surprise_", "counting_"))}
    assert {name for name in shown if f"`{name}`" not in text} <= {"counting_inline_and_block"}


def test_pairs_that_differ_in_one_place() -> None:
    """Two programs that the manual would give the same number of states, but for the rule of the page."""
    expected = table()

    def states(program: str) -> int | None:
        return expected[program, "safety"].states

    assert (states("counting_block_and_loop"), states("counting_without_block")) == (2, 1)
    assert (states("counting_end_of_atomic"), states("counting_end_of_atomic_without_if")) == (6, 4)
    assert states("skip_redundant") == 2
