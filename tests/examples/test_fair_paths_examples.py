"""The examples of CTL over fair paths and of fairness formulas answer as they must."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples.expected_fair_paths import ASKED, Asked, Logic
from examples.loading import load_example

import fairlead

README = Path(__file__).parents[2] / "examples" / "README.md"


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.id)
def test_verdicts(asked: Asked) -> None:
    model = load_example(asked.file)
    if asked.logic is Logic.LTL:
        result = model.check(model.formula(asked.formula), asked.fairness, fair=asked.fair)
    else:
        question = model.ctl(asked.formula, finite_paths=asked.finite_paths)
        result = model.check(question, asked.fairness, fair=asked.fair)
    assert result.verdict is (fairlead.Verdict.HOLDS if asked.holds else fairlead.Verdict.VIOLATED)
    if asked.holds_in is not None:
        assert result.holds_in == asked.holds_in
    if result.evidence is not None:
        assert model.validate(result.to_json()) is None


@pytest.mark.parametrize("file", sorted({asked.file for asked in ASKED}))
def test_the_examples_are_described(file: str) -> None:
    assert f"`{Path(file).name}`" in README.read_text(encoding="utf-8")
