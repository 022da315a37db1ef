"""Notions of fairness that do not matter to a question: it is checked once, with the verdict of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.logic.fairness.notions import CLASSIC
from tests.support.oracle.fairness import NOTIONS
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.verdict import random_case, verdicts
from tests.support.sampling import some

LIGHT = """
var on = 0;
Switch() = press{on = 1 - on;} -> Switch() [] break{on = 2;} -> Stop;
System() = Switch();
#define fine on < 2;
#assert System() |= [] fine;
#assert System() |= []<> press;
#assert System() |= [] (press -> X (press || break));
#assert System() deadlockfree;
"""
ALL = tuple(notion.value for notion in CLASSIC)


def results(text: str, fairness: object = "all", **options: object) -> list[fairlead.Result]:
    return list(fairlead.loads(text, "csp").check_all(fairness=fairness, **options))  # type: ignore[arg-type]


def test_a_safety_formula_is_checked_once() -> None:
    found = results(LIGHT)
    assert (found[0].assertion, len(found[0].notions)) == ("System() |= [] fine", 6)
    assert [result.fairness.value for result in found[1:7]] == list(ALL)
    assert found[7].also_under and found[7].fairness.value == "none"
    assert len(found) == 9 and not found[8].also_under


def test_one_notion_is_that_notion() -> None:
    (result,) = fairlead.loads(LIGHT, "csp").check("1", ["ewf"])
    assert result.notions == (fairlead.Fairness.EVENT_WEAK,)
    assert fairlead.loads(LIGHT, "csp").check("1", "ewf").notions == (fairlead.Fairness.EVENT_WEAK,)


def test_the_order_of_the_notions_is_kept() -> None:
    found = fairlead.loads(LIGHT, "csp").check("1", ["impartial", "psf", "ewf"])
    assert [[notion.value for notion in result.notions] for result in found] == [
        ["impartial"],
        ["psf", "ewf"],
    ]
    assert found[1].evidence is not None and found[1].evidence.fairness.value == "psf"


def test_a_fairness_formula_may_not_continue_every_run() -> None:
    found = fairlead.loads(LIGHT, "csp").check_all(["1"], "all", fair="GF press")
    assert len(found) == 6 and all(found)  # after break, no execution is fair


@pytest.mark.parametrize(("annotation", "number"), [("wf", 1), ("sf", 1), ("wl", 6), ("f", 6)])
def test_annotations_that_may_not_continue_every_run(annotation: str, number: int) -> None:
    text = LIGHT.replace("press{", f"{annotation}(press){{")
    assert len(fairlead.loads(text, "csp").check_all(["1"], "all")) == number


def test_what_is_wrong_is_told_as_for_one_notion() -> None:
    with pytest.raises(fairlead.InputError):
        fairlead.loads(LIGHT, "csp").check("System() |= [] nowhere", "all")


def test_a_fault_is_told_once() -> None:
    text = "var a[2]; P(i) = go{a[i] = 1;} -> P(i + 1);\n#define fine a[0] < 2;\n#assert P(0) |= [] fine;"
    (result,) = results(text)
    assert result.verdict is fairlead.Verdict.ERROR and result.also_under


@pytest.mark.parametrize("chunk", range(10))
def test_the_verdict_is_that_under_each_notion(chunk: int) -> None:
    """Against the oracle, and with at least some formulas that are put together and violated."""
    merged = 0
    for seed in some(range(chunk, 400, 10)):
        graph, formula, _ = random_case(seed)
        for shape in (formula, ("G", ("implies", ("prop", "p"), ("X", formula))), ("G", formula)):
            try:
                expected = verdicts(graph, shape)
                model = fairlead.loads(graph.to_json(), "json")
                found = model.check_all([model.formula(formula_text(shape))], "all")
            except (fairlead.InputError, KeyError):  # there is no p
                continue
            given = {notion.value: bool(result) for result in found for notion in result.notions}
            assert given == {notion: expected[notion] for notion in NOTIONS}, (seed, formula_text(shape))
            merged += any(result.also_under for result in found)
    assert merged


def test_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("light.csp").write_text(LIGHT)
    command = ["check", "light.csp", "--fairness", "all", "--no-trace"]
    assert run([*command, "--junit", "j.xml", "--sarif", "s.sarif", "--html", "h.html"]) == 1
    shown = capsys.readouterr().out
    assert shown.count("System() |= [] fine") == 2  # a row, and a line of the matrix
    assert "violated  all " in shown
    assert "✗     ✗     ✗     ✗     ✗     ✗      System() |= [] fine" in shown
    assert "all: checked once for none, ewf, esf, pwf, psf and sgf" in shown
    assert Path("j.xml").read_text().count('name="System() |= [] fine') == 1
    assert '"also_under"' in Path("s.sarif").read_text()
    assert "strong global fairness" in Path("h.html").read_text()
    run([*command, "--json"])
    first = json.loads(capsys.readouterr().out)["results"][0]
    assert (first["fairness"], first["also_under"]) == ("none", list(ALL[1:]))


def test_a_stored_result_can_be_validated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "light.csp"
    model.write_text(LIGHT)
    stored = tmp_path / "stored.json"
    run(["check", str(model), "1", "--fairness", "psf,ewf", "--json"])
    stored.write_text(capsys.readouterr().out)
    assert run(["validate", str(model), str(stored)]) == 0


def test_no_matrix_where_fairness_does_not_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "light.csp"
    model.write_text(LIGHT)
    run(["check", str(model), "1", "3", "4", "--fairness", "all", "--no-trace"])
    assert "✗" not in capsys.readouterr().out
