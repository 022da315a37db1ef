"""Every kind of assertion on the command line: options, JSON, evidence that is judged again, wrong input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run

MODEL = """
#define N 2;
var x = 0;
#define top x == N;
Up(n, fast) = [x < n] one{x = x + 1;} -> Up(n, fast) [] [fast && x < n - 1] two{x = x + 2;} -> Up(n, fast)
           [] [x == n] Skip;
Choice() = a -> b -> Stop [] a -> c -> Stop;
Spec() = a -> (b -> Stop [] c -> Stop);
Spin() = a -> Loop();
Loop() = tau -> Loop();
#assert Up(N, true) nonterminating;
#assert Up(N, true) reaches top with max(x * 10);
#assert Choice() deterministic;
#assert Choice() refines Spec();
#assert Choice() refines<F> Spec();
#assert Spin() divergencefree;
#assert Spin() refines<FD> Spec();
"""
VERDICTS = ["violated", "holds", "violated", "holds", "violated", "violated", "violated"]
VING = 'des (0, 2, 3)\n(0, "a", 1)\n(1, i, 2)\n'
VED = 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n'


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "m.csp"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def results(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return list(json.loads(capsys.readouterr().out)["results"])


@pytest.mark.parametrize("definition", [[], ["-D", "N=4"]])
def test_json_can_be_judged_again(
    model: str, definition: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", model, "--json", "--fairness", "all", *definition]) == 1
    out = capsys.readouterr().out
    answers = json.loads(out)["results"]
    assert [answer["verdict"] for answer in answers] == VERDICTS
    assert {answer["fairness"] for answer in answers} == {"none"}
    assert answers[1]["optimum"] == (40 if definition else 20)
    stored = tmp_path / "evidence.json"
    stored.write_text(out, encoding="utf-8")
    assert run(["validate", model, str(stored)]) == 0
    judged = capsys.readouterr().out.splitlines()
    assert len(judged) == 6
    assert all(line.startswith("valid ") for line in judged)


def test_evidence_against_another_model(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", model, "5", "7", "--json"]) == 1
    stored = tmp_path / "evidence.json"
    stored.write_text(capsys.readouterr().out, encoding="utf-8")
    weaker = tmp_path / "weaker.csp"
    weaker.write_text(MODEL.replace("Spec() = a ->", "Spec() = a -> Stop [] a -> Loop() [] a ->"), "utf-8")
    assert run(["validate", str(weaker), str(stored)]) == 1
    out = capsys.readouterr().out
    assert "INVALID  Choice() refines<F> Spec()" in out
    assert "INVALID  Spin() refines<FD> Spec()" in out


def test_only_those_about_a_process(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "--process", "Choice", "--json"]) == 1
    assert [answer["assertion"] for answer in results(capsys)] == [
        "Choice() deterministic",
        "Choice() refines Spec()",
        "Choice() refines<F> Spec()",
    ]


def test_optimum_in_the_table(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "Up(1 + N, false) reaches x == 1 + N with min(x)", "--no-trace"]) == 0
    assert "Up(1 + N,false) reaches x == 1 + N with min(x)  (min(x) = 3)" in capsys.readouterr().out


@pytest.mark.parametrize("question", ["deterministic", "divergencefree", "refines Q()", "refines<FD> Q()"])
def test_limits(question: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csp"
    path.write_text("var x; P() = [x >= 0] a{x = x + 1;} -> P(); Q() = a -> Q();", encoding="utf-8")
    for option, value, reason in (
        ("--max-states", "300", "max-states"),
        ("--timeout", "0.2", "timeout"),
        ("--max-memory", "8M", "max-memory"),
        ("--max-memory", "1K", "max-memory"),
    ):
        assert run(["check", str(path), f"P() {question}", option, value, "--json"]) == 3
        (answer,) = results(capsys)
        assert (answer["verdict"], answer["reason"], answer["evidence"]) == ("unknown", reason, None)


# ---------------------------------------------------------------- graphs


@pytest.fixture
def graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ving.aut").write_text(VING, encoding="utf-8")
    Path("ved.aut").write_text(VED, encoding="utf-8")


@pytest.mark.usefixtures("graphs")
def test_graphs(capsys: pytest.CaptureFixture[str]) -> None:
    questions = ["refines ved.aut", "refines<F> ved.aut", "refines <FD> ved.aut", "graph refines ving.aut"]
    questions += ["nonterminating", "deterministic", "divergencefree"]
    assert run(["check", "ving.aut", *questions, "--json"]) == 1
    out = capsys.readouterr().out
    found = [answer["verdict"] for answer in json.loads(out)["results"]]
    assert found == ["holds", "violated", "violated", "holds", "violated", "holds", "holds"]
    Path("evidence.json").write_text(out, encoding="utf-8")
    assert run(["validate", "ving.aut", "evidence.json"]) == 0


@pytest.mark.usefixtures("graphs")
@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("refines", "syntax"),
        ("refines<X> ved.aut", "syntax"),
        ("refines nothing.aut", "file"),
        ("refines ved.csp", "file"),
        ("deterministic ved.aut", "syntax"),
        ("reaches p with min(x)", "unsupported"),
    ],
)
def test_wrong_questions_about_graphs(question: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "ving.aut", question]) == 2
    assert f"error[{code}]" in capsys.readouterr().err
