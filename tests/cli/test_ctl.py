"""CTL and fairness formulas on the command line: options, lists of states, notes, hints, stored evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run

GRAPH = {
    "states": 4,
    "initial": 0,
    "transitions": [[0, "a", 1, ["P"]], [1, "b", 0, ["P"]], [1, "c", 2, ["Q"]], [2, "b", 3, ["Q"]]],
    "props": {"p": [0, 1], "end": [3]},
}


@pytest.fixture
def graph(tmp_path: Path) -> str:
    path = tmp_path / "g.json"
    path.write_text(json.dumps(GRAPH), encoding="utf-8")
    return str(path)


def answers(graph: str, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    run(["check", graph, *arguments, "--json"])
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    found: list[dict[str, Any]] = data["results"]
    return found


def test_states_are_listed(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", graph, "--ctl", "EF p", "--ctl", "b", "--states", "--no-trace"]) == 1
    out = capsys.readouterr().out
    assert "holds in 2 of 4 states: graph |= EF p" in out
    assert "     0  state 0 (p)\n       1  state 1 (p)" in out
    assert "holds in 0 of 4 states, and in 2 after some of the steps into them: graph |= b" in out
    assert "3  after some of the steps into it: state 3 (end)" in out


def test_states_in_json(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = answers(graph, capsys, "--ctl", "EX p", "--ctl", "b", "--states")
    assert (first["states_where"], first["states_where_partly"]) == ([0, 1], [])
    assert (first["holds_in"], first["partly_in"], first["kind"]) == (2, 0, "ctl")
    # after idling in state 3 the step into it was no b; state 0 is entered by b and is the start
    assert (second["states_where"], second["states_where_partly"]) == ([], [0, 3])


def test_several_conditions_are_all_demanded(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    question = ["--ctl", "EG p"]
    assert [r["verdict"] for r in answers(graph, capsys, *question, "--fair", "GF a")] == ["holds"]
    (result,) = answers(graph, capsys, *question, "--fair", "GF a || GF end", "--fair", "FG end")
    assert result["verdict"] == "violated"
    assert result["fair"] == "(GF a || GF end) && (FG end)"


def test_a_fairness_formula_replaces_the_default_and_joins_a_notion(
    graph: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", graph, "--ltl", "[]<> p", "--fair", "GF a", "--fairness", "none,psf"]) == 0
    out = capsys.readouterr().out
    assert "holds     fair " in out and "holds     psf+fair " in out
    assert "fair: executions with GF a" in out
    assert "psf together" not in out
    assert "strong fairness" in out  # GF a is impossible under psf: c is enabled again and again


def test_that_every_path_ends_is_told(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", graph, "--ctl", "AG false", "--finite-paths", "--fairness", "psf"]) == 0
    assert "note: no infinite path from the start is fair" in capsys.readouterr().out
    (result,) = answers(graph, capsys, "--ctl", "AG p", "--finite-paths")
    assert result["verdict"] == "holds" and "note" not in result
    assert result["finite_paths"] is True


def test_a_violated_formula_is_not_vacuous(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    some, every = answers(graph, capsys, "--ctl", "EG true", "--ctl", "AG false", "--fair", "FG (p && end)")
    assert some["verdict"] == "violated" and "vacuous" not in some and "cannot be" in some["note"]
    assert every["verdict"] == "holds" and every["vacuous"] is True


def test_evidence_is_judged_again_and_replayed(
    graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = ["--ctl", "AG (p -> AF end)", "--ctl", "EF (end && AG end)", "--ctl", "EG EX p"]
    run(["check", graph, *questions, "--fair", "all processes p: weak(p)", "--json"])
    stored = tmp_path / "r.json"
    stored.write_text(capsys.readouterr().out, encoding="utf-8")
    data = json.loads(stored.read_text(encoding="utf-8"))
    assert [r["verdict"] for r in data["results"]] == ["violated", "holds", "holds"]
    assert run(["validate", graph, str(stored)]) == 0
    assert capsys.readouterr().out.count("valid  ") == 3
    del data["results"][0]["evidence"]["branches"][0]["branches"][0]["loop"][1:]
    stored.write_text(json.dumps(data), encoding="utf-8")
    assert run(["validate", graph, str(stored)]) == 1


def test_a_next_step_of_the_run_needs_no_branch(graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    (result,) = answers(graph, capsys, "--ctl", "EG EX p")
    (branch,) = result["evidence"]["branches"]
    assert branch["formula"] == "EG EX p" and branch["branches"] == []
    (other,) = answers(graph, capsys, "--ctl", "EG (EX !end)")
    assert other["evidence"]["branches"][0]["branches"] == []
    (nested,) = answers(graph, capsys, "--ctl", "EG (p && EX EF end)")
    assert nested["evidence"]["branches"][0]["branches"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--states"], "--states is for formulas given with --ctl"),
        (["--finite-paths", "--ltl", "[] p"], "--finite-paths is for formulas given with --ctl"),
        (["--ctl", "F p"], "put A or E before it"),
        (["--ctl", "graph |= AG p"], "give the formula alone"),
        (["--ctl", "AG p ∧ p"], "write && for 'and'"),
        (["--ctl", "AG p and p"], "write && for 'and'"),
        (["--ctl", "AG enabled P"], "write enabled(P)"),
        (["--ctl", "AG p", "--fair", "weak P"], "write weak(P)"),
        (["--ctl", "AG p", "--fair", "pwf"], "--fairness pwf"),
        (["--ctl", "AG p", "--fair", "G (F a && F b)"], "cannot be joined to another formula inside"),
        (["--ctl", "AG p", "--fair", "GF a", "--fair", "GF nothing"], "neither a proposition nor an event"),
        (["--ctl", "AG p", "--fair", "strong(R)"], "neither a process nor an event"),
        (["--ctl", "AG p", "--fairness", "fair"], "unknown fairness 'fair'"),
    ],
)
def test_mistakes(
    graph: str, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert run(["check", graph, *arguments]) == 2
    assert expected in capsys.readouterr().err
