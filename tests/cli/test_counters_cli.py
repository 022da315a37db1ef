"""Counters on the command line: what is told, what is refused, what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairlead.cli.main import run

READERS = """
counter readers = 0;
var writing = false;
#define reading readers > 0;
Reader() = [!writing] startread{readers++;} -> stopread{readers--;} -> Reader();
Writer() = [readers == 0 && !writing] startwrite{writing = true;} -> stopwrite{writing = false;} -> Writer();
Library() = (||| {2} @ Reader()) ||| (||| {2} @ Writer());
#assert Library() |= []<> reading;
"""


def write(folder: Path, text: str) -> str:
    path = folder / "model.csp"
    path.write_text(text, encoding="utf-8")
    return str(path)


def checked(folder: Path, text: str, *options: str) -> int:
    return run(["check", write(folder, text), "--counters", *options])


def test_what_is_counted_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, READERS, "--fairness", "psf") == 0
    out = capsys.readouterr().out
    assert "counted: 2 x Reader(), 2 x Writer()" in out


def test_nothing_to_count_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = "var x[2]; P(i) = a{x[i] = 1;} -> P(i); S() = ||| i:{0..1} @ P(i);\n#assert S() deadlockfree;"
    assert checked(tmp_path, model) == 0
    out = capsys.readouterr().out
    assert "counted: nothing" in out
    assert "not P(0): its program is another than that of P(1)" in out


def test_an_index_in_events_that_nobody_sees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = "P(i) = a.i -> b.i -> P(i); S() = ||| i:{0..3} @ P(i);\n#assert S() |= []<> a.0;"
    assert checked(tmp_path, model, "--fairness", "pwf") == 0
    out = capsys.readouterr().out
    assert "counted: 3 x P(…)" in out
    assert "not P(0): its event is another" in out


def test_any_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--processes", "Reader=inf,Writer=2..inf", "--fairness", "psf")
    assert checked(tmp_path, READERS, *options) == 0
    out = capsys.readouterr().out
    assert "(for any number of processes)" in out
    assert "counted: 1 or more x Reader(), 2 or more x Writer()" in out


def test_an_instance_shows_a_violation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(tmp_path, READERS)
    options = ["--counters", "--processes", "Reader=inf,Writer=inf", "--fairness", "pwf", "--json"]
    assert run(["check", model, *options]) == 1
    stored = capsys.readouterr().out
    data = json.loads(stored)
    assert data["processes"] == {"Reader": "inf", "Writer": "inf"}
    (result,) = data["results"]
    assert result["counters"]["instance"] == {"Reader": 1, "Writer": 1}
    assert [step["event"] for step in result["evidence"]["loop"]] == ["startwrite", "stopwrite"]
    evidence = tmp_path / "evidence.json"
    evidence.write_text(stored, encoding="utf-8")
    assert run(["validate", model, str(evidence)]) == 0
    assert run(["simulate", model, "--replay", str(evidence), "--script", "/dev/null"]) == 0
    result["evidence"]["loop"][0]["event"] = "startread"
    evidence.write_text(json.dumps(data), encoding="utf-8")
    assert run(["validate", model, str(evidence)]) == 1


def test_counted_evidence_is_judged_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = write(tmp_path, READERS)
    assert run(["check", model, "--counters", "--ctl", "AG AF reading", "--fairness", "pwf", "--json"]) == 1
    stored = capsys.readouterr().out
    (result,) = json.loads(stored)["results"]
    assert result["counters"]["evidence_is_counted"] is True
    evidence = tmp_path / "evidence.json"
    evidence.write_text(stored, encoding="utf-8")
    assert run(["validate", model, str(evidence)]) == 0


def test_a_run_that_no_number_has_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = """
    var places = 3;
    Guest() = [places > 0] enter{places--;} -> Inside();
    Inside() = [places < 3] leave{places++;} -> Guest() [] [places == 3] wrong -> Stop;
    Hotel() = |||{..} @ Guest();
    #assert Hotel() |= [] !wrong;
    """
    assert checked(tmp_path, model) == 3
    out = capsys.readouterr().out
    assert "(no instance found)" in out
    assert "hint: try --cutoff 3" in out
    assert "7  wrong" in out
    assert checked(tmp_path, model, "--cutoff", "3") == 0


def test_an_error_that_no_number_makes_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = """
    var places:{0..3} = 3;
    P() = [places > 0] enter{places--;} -> Q();
    Q() = leave{places++;} -> P();
    System() = |||{..} @ P();
    #assert System() deadlockfree;
    """
    assert checked(tmp_path, model) == 3
    assert "counted processes can fail (value outside" in capsys.readouterr().out
    assert checked(tmp_path, model, "--cutoff", "3") == 0
    assert checked(tmp_path, model.replace("[places > 0]", "[places >= 0]")) == 2
    assert "'places' would become -1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("P() = a -> P(); S() = |||{..} @ P();\n#assert S() deadlockfree;", ["--cutoff", "-1"], "--cutoff"),
        (READERS, ["--compositional"], "cannot be used together"),
        (READERS, ["--fairness", "impartial"], "of them takes part infinitely often is not distinguished"),
        (READERS.replace("|= []<> reading", "deterministic"), [], "choices disappear"),
        (READERS.replace("startread{", "tau{"), ["--fairness", "ewf"], "internal steps"),
        (
            "P() = a -> (P() ||| Q()); Q() = b -> Skip; S() = ||| {2} @ P();\n#assert S() |= []<> b;",
            ["--fairness", "pwf"],
            "may become several processes",
        ),
        (READERS, ["--fair", "all processes p: GF executed(p)"], "about all processes or events"),
        (READERS, ["--processes", "Reader=inf", "--fairness", "sgf"], "unboundedly many"),
        (READERS, ["--processes", "Reader=inf", "--ctl", "EF reading"], "only formulas about all paths"),
        (
            READERS.replace("readers--", "readers = 0"),
            ["--processes", "Reader=inf"],
            "'readers' is not a counter",
        ),
        (READERS.replace("stopread{readers--;}", "stopread"), ["--processes", "Reader=inf"], "not a counter"),
        (READERS.replace("readers > 0;", "readers > 7;"), ["--processes", "Reader=inf"], "--cutoff 7"),
        (READERS.replace("readers > 0;", "readers % 2 == 0;"), ["--processes", "Reader=inf"], "not known"),
        (
            READERS.replace("stopwrite{", "stopwrite{if (writing) {readers++;} "),
            ["--processes", "Reader=inf"],
            "not unboundedly many change it too",
        ),
        (
            "channel c 0; P() = c!0 -> P() [] c?0 -> P(); S() = |||{..} @ P();\n#assert S() deadlockfree;",
            ["--cutoff", "0"],
            "shake hands",
        ),
    ],
)
def test_refusals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], model: str, options: list[str], message: str
) -> None:
    assert checked(tmp_path, model, *options) == 2
    assert message in capsys.readouterr().err


def test_limits_are_kept_where_processes_fork(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = """
    Server() = accept -> (Server() ||| Worker());
    Worker() = work -> Skip;
    System() = ||| {2} @ Server();
    #assert System() deadlockfree;
    """
    assert checked(tmp_path, model, "--max-states", "1000", "--json") == 3
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert 1000 <= result["states"] < 2000


def test_safety_is_answered_under_every_notion(tmp_path: Path) -> None:
    text = READERS.replace("[]<> reading", "[] !(reading && writing)")
    assert checked(tmp_path, text, "--fairness", "all", "--processes", "Reader=inf,Writer=inf") == 0
