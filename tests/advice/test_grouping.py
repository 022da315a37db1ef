"""How sets of assumptions are written."""

from __future__ import annotations

from fairlead.advice.assumption import Assumption, Strength
from fairlead.advice.grouping import by_names, grouped
from fairlead.logic.fairness.notions import Subject

EVENTS = ["take.0", "take.1", "move.0.1", "move.1.0", "move.1.1", "think"]
PROCESSES = ["Phil(0)", "Phil(1)", "Phil(2)", "Butler()"]
KNOWN = {Subject.EVENTS: EVENTS, Subject.PROCESSES: PROCESSES}


def weak(*names: str) -> list[Assumption]:
    return [
        Assumption(Subject.PROCESSES if name in PROCESSES else Subject.EVENTS, name, Strength.WEAK)
        for name in names
    ]


def text(assumptions: list[Assumption]) -> str:
    return ", ".join(term.text for term in grouped(assumptions, KNOWN))


def test_a_family_is_one_term() -> None:
    assert text(weak("take.0", "take.1")) == "wf(take.*)"
    assert text(weak("Phil(0)", "Phil(1)", "Phil(2)")) == "wf(Phil(*))"


def test_a_part_of_a_family_is_written_out() -> None:
    assert text(weak("Phil(0)", "Phil(2)")) == "wf(Phil(0)), wf(Phil(2))"


def test_one_argument_may_be_fixed() -> None:
    assert text(weak("move.1.0", "move.1.1")) == "wf(move.1.*)"
    assert text(weak("move.0.1", "move.1.1")) == "wf(move.*.1)"
    assert text(weak("move.0.1", "move.1.0", "move.1.1")) == "wf(move.*.*)"


def test_strengths_are_not_mixed() -> None:
    strong = Assumption(Subject.EVENTS, "take.0", Strength.STRONG)
    assert text([strong, *weak("take.1")]) == "sf(take.0), wf(take.1)"


def test_names_without_arguments_stand_alone() -> None:
    assert text(weak("think", "Butler()")) == "wf(Butler()), wf(think)"


def test_every_assumption_is_in_one_term() -> None:
    chosen = weak("take.0", "take.1", "move.1.0", "think", "Phil(1)")
    members = [one for term in grouped(chosen, KNOWN) for one in term.members]
    assert sorted(map(str, members)) == sorted(map(str, chosen))


def test_whole_families_contain_what_was_chosen() -> None:
    chosen = [*weak("move.0.1", "Phil(2)"), Assumption(Subject.EVENTS, "take.0", Strength.STRONG)]
    terms = by_names(chosen, KNOWN)
    assert [term.text for term in terms] == ["wf(Phil(*))", "wf(move.*.*)", "sf(take.*)"]
    assert {one for term in terms for one in term.members} >= set(chosen)
