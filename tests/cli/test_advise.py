"""`fairlead advise` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from tests.support.examples.loading import find_example as example

PETERSON = str(example("peterson.csp"))
RING = str(example("leader_election_ring.csp"))
TWO = "P = a -> P; Q = b -> Q; S = P() ||| Q(); #assert S() |= []<> a; #assert S() deadlockfree;"


def advised(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["advise", *arguments])
    captured = capsys.readouterr()
    return int(status), captured.out, captured.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    status, out, _ = advised(capsys, *arguments, "--json")
    assert status in (0, 1)
    (advice,) = json.loads(out)["advice"]
    return advice


def test_peterson_needs_the_process_to_be_scheduled(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = advised(capsys, PETERSON, "System() |= []<> cs.0")
    assert status == 0
    assert err == ""
    assert "1. wf(Process(0))" in out
    assert 'check it: --fair "weak(Process(0))"' in out
    assert "without wf(Process(0)):" in out


def test_the_formula_that_is_shown_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    advice = as_json(capsys, PETERSON, "-D", "N=3", "System() |= []<> cs.0")
    for found in advice["sets"]:
        assert run(["check", PETERSON, "-D", "N=3", "System() |= []<> cs.0", "--fair", found["formula"]]) == 0
    capsys.readouterr()


def test_ring_of_four_needs_strong_global_fairness(capsys: pytest.CaptureFixture[str]) -> None:
    advice = as_json(capsys, RING, "-D", "N=4")
    assert advice["outcome"] == "only strong global fairness"
    assert advice["sets"] == []
    assert advice["survivor"]["loop"]
    verdicts = {entry["fairness"]: entry["verdict"] for entry in advice["notions"]}
    assert verdicts == {
        "none": "violated", "ewf": "violated", "esf": "violated",
        "pwf": "violated", "psf": "violated", "sgf": "holds",
    }  # fmt: skip


def test_weak_fairness_to_the_detector_is_enough_in_a_complete_graph(
    capsys: pytest.CaptureFixture[str],
) -> None:
    advice = as_json(capsys, str(example("leader_election_complete.csp")))
    assert advice["sets"][0]["text"] == "wf(oracle)"


@pytest.mark.parametrize(
    ("file", "question", "text"),
    [
        ("milner_scheduler.csp", "Scheduler() |= []<> work.0", None),
        ("readers_writers.csp", "Library() |= []<> reading", "sf(Reader(0))"),
        ("butler.csp", "Served() |= []<> eat.0", "sf(Guest(0))"),
        ("alternating_bit.csp", "Protocol() |= []<> consume.0", "sf(pass.*.*)"),
        ("crash_and_repair.csp", "Server() |= []<> cs0", "wf(repair), sf(request)"),
    ],
)
def test_answers_of_a_textbook(
    capsys: pytest.CaptureFixture[str], file: str, question: str, text: str | None
) -> None:
    advice = as_json(capsys, str(example(file)), question)
    assert [found["text"] for found in advice["sets"]][:1] == ([] if text is None else [text])
    assert advice["outcome"] == ("nothing needed" if text is None else "assumptions")


def test_a_deadlock_is_helped_by_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model = tmp_path / "stuck.csp"
    model.write_text("P = a -> Stop; #assert P() |= []<> a;")
    status, out, _ = advised(capsys, str(model))
    assert status == 1
    assert "no fairness helps" in out


def test_a_finite_run_is_helped_by_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model = tmp_path / "unsafe.csp"
    model.write_text("P = a -> b -> P; #assert P() |= [] !b;")
    status, out, _ = advised(capsys, str(model))
    assert status == 1
    assert "a finite run that violates it, however it continues:" in out


def test_without_an_assertion_all_formulas_are_asked_about(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "two.csp"
    model.write_text(TWO)
    status, out, _ = advised(capsys, str(model), "--no-trace")
    assert status == 0
    assert out.count("|= []<> a") == 1
    assert "wf(P())" in out


def test_progress_of_fsp(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = advised(
        capsys, str(example("readers_writers.lts")), "--process", "READERS_WRITERS", "--no-trace"
    )
    assert status == 0
    assert "strong(" in out


def test_what_is_assumed_anyway_is_not_asked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model = tmp_path / "three.csp"
    model.write_text(
        "P = a -> P; Q = b -> Q; R = c -> R; S = P() ||| Q() ||| R(); #assert S() |= []<> a && []<> b;"
    )
    assert as_json(capsys, str(model))["sets"][0]["text"] == "wf(P()), wf(Q())"
    advice = as_json(capsys, str(model), "--fair", "weak(P)")
    assert advice["sets"][0]["text"] == "wf(Q())"
    assert advice["fair"] == "weak(P)"


def test_apply_writes_a_model_in_which_it_holds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "annotated.csp"
    question = "System() |= []<> cs.0"
    status, _, err = advised(capsys, PETERSON, question, "--apply", str(file))
    assert status == 0
    assert "where it holds" in err
    assert "wf(request.i) -> " in file.read_text()
    assert fairlead.load(file).check(question)
    assert not fairlead.load(PETERSON).check(question)
    assert [path.name for path in tmp_path.iterdir()] == ["annotated.csp"]


def test_apply_to_what_is_assumed_anyway(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model, file = tmp_path / "both.csp", tmp_path / "annotated.csp"
    model.write_text(
        "var x = 0; var y = 0; P() = p -> P() [] a{x = 1;} -> P(); Q() = q -> Q() [] b{y = 1;} -> Q();"
        "S() = P() ||| Q(); #define both x == 1 && y == 1; #assert S() |= <> both;"
    )
    status, out, err = advised(capsys, str(model), "--fair", "weak(a)", "--apply", str(file))
    assert status == 0
    assert 'check it: --fair "weak(a)" --fair "weak(b)"' in out
    assert "where it holds with weak(a)" in err
    assert "wf(b)" in file.read_text() and "wf(a)" not in file.read_text()
    assert fairlead.load(file).check("S() |= <> both", fair="weak(a)")
    assert not fairlead.load(file).check("S() |= <> both")


def test_apply_to_a_graph(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "annotated.json"
    graph = str(example("critical_regions.json"))
    assert advised(capsys, graph, "--ltl", "[](T1 -> <> C1)", "--apply", str(file))[0] == 0
    assert json.loads(file.read_text())["annotations"].keys() == {"sf(enter1)"}
    assert fairlead.load(file).check("|= [](T1 -> <> C1)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["S() deadlockfree"], "advice is about formulas"),
        (["3"], "there is no assertion 3"),
        (["S() |= []<> (a || b)", "--apply", "x.csp"], "it holds without fairness"),
        (["S() |= []<> a", "S() |= []<> b", "--apply", "x.csp"], "--apply is for one assertion, not 2"),
        (["S() |= []<> a", "--fair", "GF"], "error[formula]"),
        (["S() |= []<> a", "--apply", "missing/x.csp"], "cannot write"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.csp").write_text(TWO)
    status, _, err = advised(capsys, "two.csp", *arguments)
    assert status == 2
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["two.csp"]


def test_fsp_cannot_be_annotated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    model = tmp_path / "two.lts"
    model.write_text("P = (a -> P).\nQ = (b -> Q).\n||S = (P || Q).\nprogress A = {a}\n")
    status, _, err = advised(capsys, str(model), "--process", "S", "--apply", str(tmp_path / "x.lts"))
    assert status == 2
    assert "FSP has no fairness annotations" in err


def test_a_limit_ends_it_with_what_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = advised(capsys, RING, "-D", "N=4", "--max-states", "100")
    assert status == 3
    assert "unknown: the max-states was reached" in out
