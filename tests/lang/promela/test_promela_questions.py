"""What a Promela model asks, and the answers under notions of fairness."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.base.diagnostics import InputError

PETERSON = """
bool flag[2]; bool turn; byte inside;
active [2] proctype user() {
  do
  :: flag[_pid] = true;
     turn = _pid;
     (flag[1 - _pid] == false || turn == 1 - _pid);
     inside++;
critical: assert(inside == 1);
     inside--;
     flag[_pid] = false
  od
}
ltl safe { [] (inside <= 1) }
ltl live { [] (flag[0] -> <> (user[0]@critical)) }
"""


def answers(text: str, fairness: str) -> dict[str, str]:
    model = fairlead.loads(text, "pml")
    return {question.text: model.check(question, fairness).verdict.value for question in model.assertions}


def test_peterson() -> None:
    without = answers(PETERSON, "none")
    assert without == {"system safety": "holds", "system |= safe": "holds", "system |= live": "violated"}
    assert answers(PETERSON, "pwf")["system |= live"] == "holds"


def test_a_counterexample_names_processes_and_lines_as_spin_does() -> None:
    result = fairlead.loads(PETERSON, "pml").check("ltl live")
    assert result.evidence is not None
    first = result.evidence.run.stem[0]
    assert first.event.startswith("proc ") and "(user:1) <pml>:" in first.event
    assert first.processes <= {"user[0]", "user[1]"}


def test_cycles_without_progress() -> None:
    text = "byte x; active proctype P() { do :: x = 1 - x :: skip; progress: x = 0 od }"
    assert answers(text, "none")["system |= progress"] == "violated"
    loop = "byte x; active proctype P() { do :: x = 1 - x; progress: skip od }"
    assert answers(loop, "none")["system |= progress"] == "holds"


def test_an_execution_that_ends_is_not_a_cycle_without_progress() -> None:
    ends = "byte x; active proctype P() { progress: x = 1 }"
    assert answers(ends, "none")["system |= progress"] == "holds"
    blocked = "byte x; active proctype P() { progress: x = 1; x == 2 }"
    assert answers(blocked, "none")["system |= progress"] == "holds"


def test_arguments_of_run_are_evaluated_before_its_pid_is_stored() -> None:
    text = "pid g; proctype P(short a) { assert(a == 0) } init { g = run P(g); assert(g == 1) }"
    assert answers(text, "none")["system safety"] == "holds"
    field = "pid g[2]; proctype P(short a) { assert(a == 0) } init { g[1] = run P(g[1]); assert(g[1] == 1) }"
    assert answers(field, "none")["system safety"] == "holds"


def test_a_label_on_the_first_statement_of_an_option_counts_behind_it() -> None:
    text = "byte x; active proctype P() { do :: x = 1 :: progress: x = 0 od }"
    assert answers(text, "none")["system |= progress"] == "holds"


def test_acceptance_cycles() -> None:
    text = (
        "byte x; active proctype P() { do :: x < 2 -> x++ :: x == 2 -> accept: x = 0 :: x == 1 -> break od }"
    )
    assert answers(text, "none")["system |= acceptance"] == "violated"


def test_formulas_can_be_asked_in_the_notation_of_promela() -> None:
    model = fairlead.loads("byte x; active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }", "pml")
    assert model.check("|= [] (x <= 3)").verdict is fairlead.Verdict.HOLDS
    assert model.check("|= always (x < 3)").verdict is fairlead.Verdict.VIOLATED
    assert model.check("|= [] <> (x == 3)").verdict is fairlead.Verdict.HOLDS
    assert model.check("reaches x == 3").verdict is fairlead.Verdict.HOLDS


def test_what_executes_is_known_by_process() -> None:
    text = "byte x; active [2] proctype P() { do :: x = _pid od }"
    model = fairlead.loads(text, "pml")
    assert model.check("|= [] <> executed(P[0])", "pwf").verdict is fairlead.Verdict.HOLDS
    assert model.check("|= [] <> executed(P[0])", "none").verdict is fairlead.Verdict.VIOLATED


@pytest.mark.parametrize("question", ["liveness", "ltl nothing", "|= [] (nothing == 1)", "|= [] (x ==)"])
def test_wrong_questions(question: str) -> None:
    model = fairlead.loads("byte x; init { x = 1 }", "pml")
    with pytest.raises(InputError):
        model.check(question)
