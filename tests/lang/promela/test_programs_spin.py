"""The programs written by hand: headers, table and SPIN say the same."""

from __future__ import annotations

import pytest

from tests.support.promela import spin
from tests.support.promela.programs import FOLDER, Asked, asked, summary, table
from tests.support.promela.spin import needs_spin

ASKED = asked()
#: every tenth is asked in the default tier; compiling a verifier takes a fifth of a second
FEW = ASKED[::10]
MANY = [one for one in ASKED if one not in FEW]


def name(one: Asked) -> str:
    return f"{one.program} {one.question}"


def check(one: Asked) -> None:
    assert summary(spin.verify(one.text, one.way()), one.question) == table()[one.program, one.question]


def test_every_program_asks_something() -> None:
    assert {one.program for one in ASKED} == {path.stem for path in FOLDER.glob("*.pml")}
    assert len(ASKED) > 300


def test_headers_agree_with_the_table() -> None:
    found = {key: expected.answer for key, expected in table().items()}
    assert {(one.program, one.question): one.answer for one in ASKED} == found


@needs_spin
@pytest.mark.parametrize("one", FEW, ids=name)
def test_spin_answers_like_the_table(one: Asked) -> None:
    check(one)


@needs_spin
@pytest.mark.long
@pytest.mark.parametrize("one", MANY, ids=name)
def test_spin_answers_the_others_like_the_table(one: Asked) -> None:
    check(one)
