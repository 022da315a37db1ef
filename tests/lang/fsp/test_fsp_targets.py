"""Which process of an FSP model is meant."""

from __future__ import annotations

import pytest

import fairlead

TEXT = """
const N = 2
P(K=N) = P[0], P[i:0..K] = (when (i < K) up -> P[i+1] | when (i == K) reset -> P[0]).
||S(K=2) = (p[1..K]:P).
||P = P(4).
"""


@pytest.mark.parametrize(
    ("asked", "name", "states"),
    [
        ("S", "||S", 9),
        ("||S", "||S", 9),
        (" || S ( 3 ) ", "||S(3)", 27),
        ("S()", "||S", 9),
        ("P", "||P", 5),  # the composite one, if there are two
        ("||P", "||P", 5),
    ],
)
def test_processes_by_name_and_arguments(asked: str, name: str, states: int) -> None:
    model = fairlead.loads(TEXT, "lts")
    assert model.process_name(asked) == name
    assert model.graph(asked).state_count == states
    result = model.check(f"{asked} safety")
    assert (result.assertion, result.statistics.states) == (f"{name} safety", states)
    assert result.to_json()["process"] == name.removeprefix("||")


def test_primitive_processes_have_arguments_too() -> None:
    model = fairlead.loads("P(K=2, L='x) = (a[K].[L] -> P).\n||S = P.", "lts")
    for asked, label in (("P", "a.2.x"), ("P(3,y)", "a.3.y"), ("P(4, 'z)", "a.4.z")):
        assert [step.event for step in model.graph(asked).steps(0)] == [label]


def test_constraints_are_processes() -> None:
    model = fairlead.loads("P = (a -> P | b -> P).\nconstraint C = [](a -> X b)\n||S = (P || C).", "lts")
    assert (model.process_name("C"), model.graph("C").state_count) == ("C", 2)
    with pytest.raises(fairlead.InputError, match="no process 'A'"):
        fairlead.loads("P = (a -> P).\nassert A = []<>a", "lts").graph("A")


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("T", "there is no process 'T'"),
        ("||Q", "there is no process"),
        ("S(1,2)", "'S' has 1 parameter, 2 given"),
        ("S(0)", "the range 1..0 is empty"),
        ("S;", "there is no process"),
        ("", "there is no process"),
    ],
)
def test_processes_that_are_not_there(asked: str, problem: str) -> None:
    with pytest.raises(fairlead.InputError, match=problem.replace("(", r"\(").replace("..", r"\.\.")):
        fairlead.loads(TEXT, "lts").graph(asked)


def test_one_must_be_chosen_of_several() -> None:
    with pytest.raises(fairlead.InputError, match=r"which process is meant\? The model has \|\|S, \|\|P"):
        fairlead.loads(TEXT, "lts").formula("[]<>up")
