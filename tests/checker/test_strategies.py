"""Strategies: what they can answer and why not, in one form, and that every output shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from fairlead.checker.options import CheckOptions, Counters, Reduction
from fairlead.checker.strategies.strategy import Offer, Refusal, Strategy, Work
from fairlead.cli.main import run
from fairlead.logic.fairness.notions import Fairness
from fairlead.outcome.limits import Clock

NAMES = ("auto", "whole", "compositional", "partial_order", "symmetry", "counters", "variables")
ALIKE = """
var x = 0;
P() = up{x = 1;} -> down{x = 0;} -> P();
System() = ||| {3} @ P();
#assert System() deadlockfree;
#assert System() |= []<> up;
#assert System() deterministic;
"""
NUMBERED = "P(i) = up.i -> down.i -> P(i); System() = ||| i:{0..2} @ P(i);"
PARTS = """
A = (a -> b -> A).
B = (b -> c -> B).
||S = (A || B).
progress C = {c}
assert LIVE = []<>c
"""
STUCK = """
A = (a -> STOP).
B = (b -> B).
||S = (A || B).
progress P = {a}
"""


def considered(model: fairlead.Model, question: str, name: str, notion: str = "none") -> Offer | Refusal:
    query = model._checker.questions.query(model.asked(question), Fairness(notion), None)
    options = CheckOptions()
    work = Work(options, Clock(options.limits), None)
    return model._checker.strategy(name).consider(query, work)


@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_keeps_the_protocol(name: str) -> None:
    strategy: Strategy = fairlead.loads(ALIKE)._checker.strategy(name)
    assert strategy.title and isinstance(strategy.code, Code) and isinstance(strategy.best_effort, bool)
    found = considered(fairlead.loads(ALIKE), "1", name)
    assert isinstance(found, Offer | Refusal)
    if isinstance(found, Offer) and found.share is not None:
        assert 0 < found.share <= 1


def test_every_option_names_a_strategy() -> None:
    options = [CheckOptions(), CheckOptions(compositional=True), CheckOptions(counters=Counters())]
    options += [CheckOptions(reduction=reduction) for reduction in Reduction]
    assert {option.strategy for option in options} == set(NAMES)


def test_costs() -> None:
    model = fairlead.loads(ALIKE)
    assert considered(model, "1", "whole") == Offer(1.0)
    assert considered(model, "1", "counters") == Offer(1 / 6)
    assert considered(model, "1", "partial_order") == Offer(None)


@pytest.mark.parametrize(
    ("name", "question", "notion", "reason"),
    [
        ("counters", "3", "none", "choices disappear"),
        ("counters", "2", "impartial", "infinitely often"),
        ("partial_order", "2", "pwf", "process-level fairness depends on every process"),
        ("partial_order", "3", "none", "determinism depends on every step"),
        ("compositional", "1", "none", "the process has no parts"),
        ("compositional", "2", "none", "not known to preserve the answer"),
    ],
)
def test_refusals_have_a_reason(name: str, question: str, notion: str, reason: str) -> None:
    model = fairlead.loads(ALIKE)
    query = model._checker.questions.query(model.asked(question), Fairness(notion), None)
    options = CheckOptions()
    found = model._checker.strategy(name).answer(query, Work(options, Clock(options.limits), None))
    assert isinstance(found, Refusal) and reason in found.reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"reduction": "por"}, "determinism depends on every step of a state"),
        (
            {"compositional": True},
            "minimising the parts is not known to preserve the answer to this question",
        ),
    ],
)
def test_what_is_best_effort_answers_all_the_same(options: dict[str, Any], reason: str) -> None:
    model = fairlead.loads(ALIKE)
    whole = model.check("System() deterministic")
    found = model.check("System() deterministic", **options)
    assert found.verdict is whole.verdict and found.statistics.states == whole.statistics.states
    shown = found.refused.reason if found.refused else found.partial_order and found.partial_order.problem
    assert shown == reason


@pytest.mark.parametrize("options", [{"reduction": "symmetry"}, {"counters": True}])
def test_what_is_demanded_is_an_error(options: dict[str, Any]) -> None:
    text = ALIKE if "counters" in options else NUMBERED
    with pytest.raises(fairlead.InputError, match="might change the answer"):
        fairlead.loads(text).check("System() deterministic", **options)


def test_what_holds_part_by_part_and_what_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fine = fairlead.loads(PARTS, "lts").check("S progress C", compositional=True)
    assert fine.verdict is fairlead.Verdict.HOLDS
    assert fine.refused is None and fine.method == "compositional minimisation"
    path = tmp_path / "stuck.lts"
    path.write_text(STUCK, encoding="utf-8")
    reason = "the parts do not show that it holds, so the whole system is searched"
    assert run(["check", str(path), "S progress P", "--compositional"]) == 1
    assert f"compositional: not reduced: {reason}" in capsys.readouterr().out
    assert run(["check", str(path), "S progress P", "--compositional", "--json"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["refused"] == {"strategy": "compositional", "reason": reason}
    page = tmp_path / "page.html"
    assert run(["check", str(path), "S progress P", "--compositional", "--html", str(page)]) == 1
    assert reason in page.read_text(encoding="utf-8")


def test_options_that_do_not_fit_together() -> None:
    model = fairlead.loads(ALIKE)
    with pytest.raises(fairlead.InputError, match="'counters' and 'compositional' cannot be used together"):
        model.check("System() deadlockfree", counters=True, compositional=True)
    with pytest.raises(fairlead.InputError, match="'reduction' and 'counters' cannot be used together"):
        model.check("System() deadlockfree", counters=True, reduction="por")
    with pytest.raises(TypeError, match="check\\(\\) has no argument 'color'"):
        model.check("System() deadlockfree", color=True)  # type: ignore[call-arg]


def test_options_as_one_value() -> None:
    model = fairlead.loads(ALIKE)
    options = CheckOptions(counters=Counters())
    counted = model.check("System() deadlockfree", options=options)
    whole = model.check("System() deadlockfree", options=options, counters=False)
    assert counted.statistics.states < whole.statistics.states
    assert counted.counters is not None and whole.counters is None


#: the range of P(0) is empty, but nobody ever gets there
DOWN_TO_ONE = """
var left:{0..2} = 2; var s:{0..1} = 0;
P(n) = [left > 0] ([] i:{1..n} @ a.i{left = left - 1;} -> [left > 0] more -> P(n - 1));
Q() = b{s = 1;} -> c{s = 0;} -> Q();
System() = P(2) ||| P(2) ||| Q();
#define none_left left == 0;
#assert System() deadlockfree;
#assert System() |= <> none_left;
"""


@pytest.mark.parametrize(
    "options",
    [{"counters": True}, *({"reduction": name} for name in ("por", "symmetry", "variables"))],
    ids=str,
)
def test_an_error_that_no_run_meets_is_none(options: dict[str, Any]) -> None:
    """Where a strategy follows the texts of processes as if all guards held, it may see one."""
    model = fairlead.loads(DOWN_TO_ONE)
    for assertion in model.assertions:
        expected = fairlead.loads(DOWN_TO_ONE).check(assertion, "none")
        found = model.check(assertion, "none", **options)
        assert found.verdict is expected.verdict
        assert "the range {1..0} is empty" in json.dumps(found.to_json())


@pytest.mark.parametrize("options", [{"counters": True}, {"reduction": "por"}], ids=str)
def test_an_error_that_a_run_meets_is_told(options: dict[str, Any]) -> None:
    text = DOWN_TO_ONE.replace("[left > 0] more", "more").replace("P(n) = [left > 0] ([]", "P(n) = ([]")
    with pytest.raises(fairlead.InputError, match=r"is empty|outside the declared range"):
        fairlead.loads(text).check("System() deadlockfree", **options)
