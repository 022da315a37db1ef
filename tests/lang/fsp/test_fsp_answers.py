"""Facts about the checks of FSP models, each with a small model of its own: safety, progress, asserts."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.model.assertion import AllProgress, Progresses, Satisfies
from tests.support.fsp.facts import Fact, each_fact


@each_fact("safety")
def test_safety(fact: Fact) -> None:
    model = fairlead.loads(fact.text, "lts")
    result = model.check(f"{model.assertions[-1].process} safety")
    found = result.blame or "safe"
    if result.evidence is not None:
        events = [step.event for step in result.evidence.run.stem]
        found += f": {' '.join('τ' if event.startswith('τ') else event for event in events)}"
    assert (found,) == fact.answers


@each_fact("progress")
def test_progress(fact: Fact) -> None:
    model = fairlead.loads(fact.text, "lts")
    found = []
    for question in model.assertions:
        if isinstance(question, Progresses | AllProgress):
            result = model.check(question)
            shown = "holds"
            if result.evidence is not None:
                assert isinstance(result.evidence.explanation, TerminalSetReached)
                shown = f"{{{' '.join(result.evidence.explanation.actions)}}}"
            found.append(f"{question.text.split()[-1]} {shown}")
    assert tuple(found) == fact.answers


@each_fact("asserts")
def test_asserts(fact: Fact) -> None:
    model = fairlead.loads(fact.text, "lts")
    questions = [q for q in model.asked_of(model.assertions[-1].process) if isinstance(q, Satisfies)]
    for answer in fact.answers:
        asked, _, names = answer.partition(":")
        fairness, verdict = asked.split()
        found = [q.name for q in questions if model.check(q, fairness).verdict.value == verdict]
        assert found == names.split()


def test_progress_with_an_error() -> None:
    """An ERROR is a matter of safety, and told as one."""
    model = fairlead.loads("W = (a -> W | b -> ERROR).\nprogress P = {a}", "lts")
    result = model.check("DEFAULT progress P")
    assert (result.verdict, result.blame) == (fairlead.Verdict.VIOLATED, "error in W")


def test_fluents_that_begin_and_end_at_once() -> None:
    with pytest.raises(fairlead.InputError):
        model = fairlead.loads("W = (a -> b -> W).\nfluent F = <{a,b},{b}>\nassert A = []F", "lts")
        model.check("DEFAULT |= A")


def test_names_that_are_operators_elsewhere() -> None:
    """`X`, `U` and `W` are operators in formulas only."""
    model = fairlead.loads("X = (u -> x -> X).\nW = (x -> w -> W).\n||U = (X || W).\nassert F = []<>w", "lts")
    assert all(model.check(question) for question in model.asked_of("U"))


# ---------------------------------------------------------------- JSON

SYSTEM = """
W = (a -> W | b -> STOP | c -> ERROR).
||GOOD = W >> {b, c}.
||STOPS = W << {b}.
||FAILS = W << {c}.
progress P = {a}
assert F = []<>a
"""


def test_json_says_what_was_asked() -> None:
    model = fairlead.loads(SYSTEM, "lts")
    for target in ("GOOD", "STOPS", "FAILS"):
        found = [model.check(question).to_json() for question in model.asked_of(target)]
        asked = [(result["process"], result["kind"], result["name"]) for result in found]
        assert asked == [(target, "safety", None), (target, "progress", "P"), (target, "ltl", "F")]
        verdicts = {result["verdict"] for result in found}
        assert verdicts == {"holds" if target == "GOOD" else "violated"}


def test_json_of_the_default_progress() -> None:
    model = fairlead.loads("W = (a -> W).", "lts")
    (question,) = [question for question in model.assertions if " progress " in question.text]
    result = model.check(question).to_json()
    assert (result["process"], result["kind"], result["name"]) == ("DEFAULT", "progress", "default")


@pytest.mark.parametrize(
    ("target", "reason", "failed"), [("STOPS", "deadlock", None), ("FAILS", "error", "W")]
)
def test_json_of_violated_safety(target: str, reason: str, failed: str | None) -> None:
    result = fairlead.loads(SYSTEM, "lts").check(f"{target} safety").to_json()
    assert result["reason"] == reason
    assert result["evidence"].get("property") == failed
    assert result["evidence"]["loop"] == []


def test_json_of_violated_progress() -> None:
    model = fairlead.loads("W = (x -> V), V = (a -> b -> V).\nprogress P = if {a} then {c}", "lts")
    explanation = model.check("DEFAULT progress P").to_json()["evidence"]["explanation"]
    assert explanation["kind"] == "terminal-set"
    assert (explanation["test"], explanation["actions"]) == ("P", ["a", "b"])
    assert (explanation["missing"], explanation["condition"]) == (["c"], ["a"])
    assert (explanation["states"], explanation["terminal_sets"], explanation["ending"]) == (2, 1, "goes-on")
