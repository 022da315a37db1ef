"""The examples of CTL over fair paths and of fairness formulas answer as they must."""

from __future__ import annotations

import pytest

import fairlead
from tests.support.examples.expected_fair_paths import ASKED, Asked, Logic
from tests.support.examples.loading import find_example, load_example


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
    readme = find_example(file).with_name("README.md")
    assert f"`{file}`" in readme.read_text(encoding="utf-8")
