"""Whether what is advised can be met, together with what is assumed anyway."""

from __future__ import annotations

import fairlead
from fairlead.search.assumptions import FairReach

#: three processes that can always move
THREE = '{"states": 1, "transitions": [[0, "a", 0, ["P"]], [0, "b", 0, ["Q"]], [0, "c", 0, ["R"]]]}'
#: from state 1 on, a never happens again
LEAVING = """{"states": 2, "transitions":
 [[0, "a", 0, ["P"]], [0, "go", 1, ["Q"]], [1, "b", 1, ["Q"]], [1, "c", 1, ["R"]], [0, "c", 0, ["R"]]]}"""


def test_a_set_that_nothing_satisfies_is_passed_over() -> None:
    """Weak fairness to a process that must come to rest would be enough, for nothing is fair then."""
    model = fairlead.loads(THREE, "json")
    advice = model.advise(model.formula("[]<> c"), fair="FG !a")
    assert {found.text for found in advice.sets} == {"wf(R)", "wf(c)"}
    assert all(found.reach is FairReach.EVERYWHERE for found in advice.sets)


def test_such_a_set_is_not_offered_beside_others() -> None:
    """Of the sets about processes, each is satisfied by nothing."""
    text = '{"states": 1, "transitions": [[0, "a", 0, ["P", "Q"]], [0, "b", 0, ["P"]], [0, "c", 0, ["P"]]]}'
    model = fairlead.loads(text, "json")
    advice = model.advise(model.formula("[]<> c"), fair="FG !a")
    assert [found.text for found in advice.sets] == ["wf(c)"]


def test_a_set_that_nothing_satisfies_is_told_if_there_is_no_other() -> None:
    text = '{"states": 1, "transitions": [[0, "a", 0, ["P"]], [0, "b", 0, ["Q"]]]}'
    model = fairlead.loads(text, "json")
    advice = model.advise(model.formula("[]<> a"), fair="FG !a")
    assert [found.reach for found in advice.sets] == [FairReach.NOWHERE]


def test_a_set_that_cannot_always_be_met_is_told() -> None:
    model = fairlead.loads(LEAVING, "json")
    advice = model.advise(model.formula("[]<> c"), fair="GF a")
    assert advice.best is not None
    assert advice.best.reach is FairReach.NOT_EVERYWHERE
    assert "cannot be satisfied from some states on" in str(advice)


def test_one_alternative_is_the_best() -> None:
    """A set about both kinds can be better than those about one of them."""
    model = fairlead.loads(THREE, "json")
    question = model.formula("[]<> a && []<> c")
    best = model.advise(question).best
    only = model.advise(question, alternatives=1)
    assert [found.assumptions for found in only.sets] == [best.assumptions]  # type: ignore[union-attr]
