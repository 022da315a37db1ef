"""Trivial reasons on the command line: in the row, below the table, in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.cli.main import run

MODEL = """
var x = 0;
P = up{x = 1;} -> down{x = 0;} -> P;
#define high x > 5;
#assert P |= [](high -> <> down);
#assert P |= [](up -> <> down);
#assert P |= [](x == 0 && high -> down);
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.csp"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def test_the_row_and_the_note(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "1", "2"]) == 0
    _, first, second, *notes = capsys.readouterr().out.splitlines()
    assert first.endswith("P() |= [](high -> <> down)  (vacuously: high is never true)")
    assert second.endswith("P() |= [](up -> <> down)")
    assert notes == [
        "note: P() |= [](high -> <> down): high is never true, so nothing is asked of <>down: "
        "the stronger []!high holds already"
    ]


def test_one_note_for_several_notions(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "1", "--fairness", "all"]) == 0
    assert capsys.readouterr().out.count("note: ") == 1


def test_options(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "--no-vacuity"]) == 0
    assert "vacuously" not in capsys.readouterr().out
    assert run(["check", model, "2", "--vacuity"]) == 0
    shown = capsys.readouterr().out
    assert "(even []<>down)" in shown and "vacuously" not in shown
    assert "up plays no part: a stronger formula holds: []<>down" in shown


def test_quiet_has_the_row_alone(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "1", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("\n") == 1 and "note" not in shown


def test_json(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "1", "2", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["results"]
    assert first["vacuous"] is True
    assert first["vacuous_reason"].startswith("high is never true, so nothing is asked of <>down")
    assert first["vacuity"] == {
        "kind": "proposition",
        "part": "<>down",
        "stronger": "[]!high",
        "atoms": [{"atom": "high", "value": False}],
    }
    assert not {"vacuous", "vacuous_reason", "vacuity"} & set(second)


def test_a_stored_result_can_be_judged(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results without evidence are passed over; a reason beside them is no hindrance."""
    run(["check", model, "1", "P reaches x == 1", "--json"])
    stored = tmp_path / "results.json"
    stored.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(["validate", model, str(stored)]) == 0


def test_a_note_about_fairness_and_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Fair executions can be lost on the way, and the formula say nothing, at the same time."""
    path = tmp_path / "shop.csp"
    path.write_text(
        "var x = 0; Shop = sell -> Shop [] close -> Closed; Closed = rest -> Closed;", encoding="utf-8"
    )
    arguments = ["check", str(path), "--process", "Shop", "--ltl", "[](x == 1 -> close)", "--fair", "GF sell"]
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    assert "(vacuously: x == 1 is never true)" in shown
    assert "note: the fairness condition GF sell can no longer be satisfied" in shown
    assert "x == 1 is never true, so nothing is asked of close" in shown
    assert run([*arguments, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert "GF sell" in result["note"] and "x == 1" in result["vacuous_reason"]
