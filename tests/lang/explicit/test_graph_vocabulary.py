"""What names in formulas about a graph mean."""

from __future__ import annotations

import pytest

from fairlead.model.system import Proposition
from tests.support.asking.vocabulary import complaint, loaded, named, shown, vocabulary

GRAPH = """{"states": 3, "initial": 0, "props": {"crit": [1]}, "transitions": [
  [0, "enter", 1, ["P1"]], [1, "leave", 0, ["P1", "P2"]], [0, "tau", 2, ["P3()"]], [2, "P2", 2, ["Phil(0)"]]
]}"""


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("P1", "process P1"),
        ("process P2", "process P2"),
        ("event P2", "event P2"),
        ("P3", "process P3()"),
        ("Phil( 0 )", "process Phil(0)"),
        ("enter", "event enter"),
        ('"enter"', "event enter"),
    ],
)
def test_subjects(text: str, meaning: str) -> None:
    model = loaded(GRAPH, "json")
    assert shown(vocabulary(model).subject(text, None)) == meaning
    assert not model.warnings


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "entre",
            "unknown-name: 'entre' is neither a process nor an event of the model (did you mean 'enter'?)",
        ),
        ("crit", "unknown-name: 'crit' is neither a process nor an event of the model"),
        ("tau", "unknown-name: 'tau' is neither a process nor an event of the model"),
        (
            "process enter",
            "no process of the graph is called 'enter' (its processes are P1, P3(), P2, Phil(0))",
        ),
        ("event P1", "unknown-name: 'P1' is neither a process nor an event of the model"),
    ],
)
def test_subjects_that_are_none(text: str, problem: str) -> None:
    assert complaint(vocabulary(loaded(GRAPH, "json")), text).endswith(problem)


def test_a_process_goes_before_an_event_of_its_name() -> None:
    model = loaded(GRAPH, "json")
    for _ in range(2):
        assert shown(vocabulary(model).subject("P2", None)) == "process P2"
    assert [warning.message for warning in model.warnings] == [
        "'P2' is a process and an event: the process is meant"
    ]


def test_names_in_formulas() -> None:
    names = vocabulary(loaded(GRAPH, "json"))
    assert names.meaning(named("crit")) == Proposition("crit", "crit")
    assert shown(names.meaning(named("leave"))) == "event leave"


def test_branching_questions() -> None:
    model = loaded(GRAPH, "json")
    question = model.branching("AG  crit", None, True)
    assert (question.text, question.finite_paths, question.formula.text) == (
        "graph |= AG crit",
        True,
        "AG  crit",
    )
    assert model.vocabulary(question, ["GF enter"]).system is model.system(None)


def test_names_in_quotes_are_events_or_else_propositions() -> None:
    graph = GRAPH.replace('"crit": [1]', '"crit": [1], "enter": [0], "AF crit": [0, 1]')
    names = vocabulary(loaded(graph, "json"))
    assert shown(names.meaning(named('"enter"'))) == "event enter"
    assert names.meaning(named("enter")) == Proposition("enter", "enter")
    assert names.meaning(named('"AF crit"')) == Proposition("AF crit", "AF crit")
