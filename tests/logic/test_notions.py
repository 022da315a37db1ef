"""A notion of fairness is one value; nobody else names notions to distinguish them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject, strong_fairness_to
from fairlead.logic.fairness.syntax import formula_of_notion
from fairlead.present.explain import Kind, topic

SOURCE = Path(__file__).parents[2] / "src" / "fairlead"
#: NONE is the neutral element, with which others are compared; progress is defined by strong global fairness
NAMED = {"NONE", "STRONG_GLOBAL"}


@pytest.mark.parametrize("notion", Fairness)
def test_every_notion_says_everything(notion: Fairness) -> None:
    record = notion.facts
    assert notion.value == record.name and Fairness(record.name) is notion
    assert record.title and topic(notion.value).kind is Kind.NOTION
    ways = [record.subject is not Subject.NOBODY, record.is_global, record.formula is not None]
    assert sum(ways) == (0 if notion is Fairness.NONE else 1)
    assert (record.sees is None) == (notion is Fairness.NONE)
    assert all(Fairness(name) for name in record.implies)
    assert bool(record.implies) == (notion is not Fairness.NONE)
    if record.formula is not None:
        assert formula_of_notion(notion).conjuncts(("P", "Q"), ("a", "b"))


def test_what_implies_what() -> None:
    assert Fairness.STRONG_GLOBAL.implied == set(CLASSIC)
    assert Fairness.EVENT_STRONG.implied == {Fairness.EVENT_STRONG, Fairness.EVENT_WEAK, Fairness.NONE}
    assert Fairness.IMPARTIAL.implied == {Fairness.IMPARTIAL, Fairness.NONE}
    assert strong_fairness_to(Subject.PROCESSES) is Fairness.PROCESS_STRONG


def test_nobody_else_tells_notions_apart_by_name() -> None:
    others = {notion.name for notion in Fairness} - NAMED
    named = re.compile(rf"\bFairness\.(?:{'|'.join(sorted(others))})\b")
    wrong = [
        f"{path.relative_to(SOURCE)}: {found}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).parts[0] != "papers"  # its tables are data about the notions
        for found in named.findall(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []
