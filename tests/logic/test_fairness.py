"""The named notions of fairness."""

from __future__ import annotations

import pytest

from fairlead.base.diagnostics import Code, InputError
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject, parse_fairness


def test_all_means_the_notions_that_continue_every_run() -> None:
    assert [notion.value for notion in parse_fairness("all")] == ["none", "ewf", "esf", "pwf", "psf", "sgf"]
    assert parse_fairness(" all ") == CLASSIC
    assert all(notion.continues_every_run for notion in CLASSIC)
    assert parse_fairness("all,impartial,psf") == (*CLASSIC, Fairness.IMPARTIAL)


def test_impartiality() -> None:
    assert parse_fairness("pwf, impartial,pwf") == (Fairness.PROCESS_WEAK, Fairness.IMPARTIAL)
    assert Fairness.IMPARTIAL.title == "impartiality"
    assert Fairness.IMPARTIAL.subject is Subject.NOBODY
    assert not Fairness.IMPARTIAL.continues_every_run


def test_unknown_names() -> None:
    with pytest.raises(InputError) as caught:
        parse_fairness("pwf,impartail")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is Code.USAGE
    assert diagnostic.hint == "did you mean 'impartial'?"
