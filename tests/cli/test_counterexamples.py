"""`check --counterexamples K` in all its outputs, and what it does not go with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import fairlead
from fairlead.base.allowance import LimitKind, Stopped
from fairlead.cli.main import run
from fairlead.outcome.limits import Clock
from fairlead.search import further
from fairlead.search.further import Further
from tests.support.documents import checked
from tests.support.places import ROOT

TABLE = str(ROOT / "examples" / "philosophers" / "dining_philosophers.csp")
GATES = """
var x = 0;
P() = left{x = 1;} -> Stop [] right{x = 2;} -> Stop [] on{x = 3;} -> loop -> P();
#define safe x == 0;
#assert P() deadlockfree;
#assert P() |= [] safe;
#assert P() |= <> left;
#assert P() deterministic;
#assert P() reaches safe;
"""


@pytest.fixture
def gates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("gates.csp").write_text(GATES)
    return "gates.csp"


def test_each_run_has_its_section(gates: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", gates, "1", "2", "--counterexamples", "5", "--trace"]) == 1
    shown = capsys.readouterr().out
    assert "note: P() deadlockfree: 2 counterexamples differ in substance, and there are no others" in shown
    assert "counterexample 1 of 2 to P() deadlockfree" in shown
    assert "counterexample 2 of 2 to P() deadlockfree" in shown
    assert "counterexample 3 of 3 to P() |= [] safe" in shown
    assert shown.count("steps:") == 5


def test_there_may_be_more(gates: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", gates, "2", "--counterexamples", "2"])
    assert "2 counterexamples differ in substance, and there are others" in capsys.readouterr().out


def test_json(gates: str) -> None:
    first, invariant, eventually = checked(gates, "1", "2", "3", "--counterexamples", "9")["results"]
    assert len(first["further"]["evidence"]) == 1 and first["further"]["complete"]
    assert len(invariant["further"]["evidence"]) == 2
    loops = [one["loop"] for one in (eventually["evidence"], *eventually["further"]["evidence"])]
    events = sorted(sorted({step["event"] for step in loop}) for loop in loops)
    assert len(events) == 2 and ["loop", "on"] in events
    assert "further" not in checked(gates, "1")["results"][0]


def test_kinds_that_do_not_compare_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "choice.csp"
    model.write_text("P() = a -> P() [] a -> Stop;\n#assert P() deterministic;\n#assert P() reaches 1 == 1;")
    violated, reached = checked(str(model), "--counterexamples", "3")["results"]
    assert violated["further"] == {"evidence": [], "complete": False, "reason": "kind"}
    assert "further" not in reached
    run(["check", str(model), "1", "--counterexamples", "3"])
    assert "only one counterexample is searched for" in capsys.readouterr().out


def test_reports(gates: str, capsys: pytest.CaptureFixture[str]) -> None:
    pages = ["--html", "h.html", "--junit", "j.xml", "--sarif", "s.sarif"]
    run(["check", gates, "1", "--counterexamples", "3", *pages])
    capsys.readouterr()
    assert len(re.findall(r'<section class="fl-evidence"', Path("h.html").read_text())) == 2
    assert "counterexample 2 of 2" in Path("j.xml").read_text()
    (found,) = json.loads(Path("s.sarif").read_text())["runs"][0]["results"]
    assert len(found["codeFlows"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--counterexamples", "0"], "counterexamples"),
        (["--counterexamples", "-3"], "counterexamples"),
        (["--counterexamples", "many"], "counterexamples"),
        (
            ["--counterexamples", "2", "--reduction", "por"],
            "--counterexamples and --reduction cannot be used",
        ),
        (["--counterexamples", "2", "--counters"], "--counterexamples and --counters cannot be used"),
        (["--counterexamples", "2", "--compositional"], "--counterexamples and --compositional cannot be"),
        (
            ["--counterexamples", "2", "--checkpoint", "c"],
            "--counterexamples and --checkpoint cannot be used",
        ),
    ],
)
def test_what_is_refused(
    gates: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(["check", gates, "1", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_python() -> None:
    model = fairlead.loads(GATES, "csp")
    result = model.check("2", counterexamples=2)
    assert len(result.counterexamples) == 2 and result.further is not None and not result.further.is_all
    assert result.counterexamples[0] is result.evidence
    assert len(model.check("2").counterexamples) == 1
    assert model.check("P() reaches safe", counterexamples=2).counterexamples == ()
    with pytest.raises(fairlead.InputError, match="must be at least 1, not 0"):
        model.check("2", counterexamples=0)
    with pytest.raises(fairlead.FairleadError, match="counterexamples"):
        model.check("2", counterexamples="two")  # type: ignore[call-overload]


def test_runs_that_fairness_does_not_matter_to() -> None:
    (result,) = fairlead.loads(GATES, "csp").check_all(["2"], "psf,sgf", counterexamples=3)
    assert [evidence.fairness.value for evidence in result.counterexamples] == ["psf"] * 3


def test_a_limit_ends_the_search() -> None:
    found = checked(TABLE, "-D", "N=4", "1", "--counterexamples", "3", "--max-states", "50")
    (result,) = found["results"]
    if result["verdict"] == "violated":
        assert result["further"]["reason"] == "max-states"


def test_philosophers_who_keep_another_from_eating() -> None:
    (result,) = checked(TABLE, "2", "-D", "N=4", "--counterexamples", "9")["results"]
    runs = [result["evidence"], *result["further"]["evidence"]]
    assert len(runs) == 4  # each of the others eats alone, or all are stuck
    assert sum(not [step for step in one["loop"] if step["processes"]] for one in runs) == 1


def test_errors_differ_in_the_events_that_lead_to_them(tmp_path: Path) -> None:
    model = tmp_path / "mutex.lts"
    model.write_text(
        "property MUTEX = (enter[i:1..2] -> exit[i] -> MUTEX).\n"
        "P(I=1) = (enter[I] -> exit[I] -> P | stop[I] -> STOP).\n||S = (P(1) || P(2) || MUTEX).\n"
    )
    (result,) = checked(str(model), "||S safety", "--counterexamples", "9")["results"]
    runs = [result["evidence"], *result["further"]["evidence"]]
    last = sorted(one["stem"][-1]["event"] for one in runs)
    assert last[:2] == ["enter.1", "enter.2"]  # and one deadlock, whoever stops first
    assert len(runs) == 3 and last[2].startswith("stop.")


def test_a_run_time_error_elsewhere(tmp_path: Path) -> None:
    model = tmp_path / "fails.csp"
    model.write_text(
        "var a[2];\nP(i) = stop -> Stop [] go{a[i] = 1;} -> P(i + 1);\n#assert P(0) deadlockfree;"
    )
    (result,) = checked(str(model), "--counterexamples", "3", "--shortest")["results"]
    assert result["verdict"] == "violated" and result["further"]["complete"] is False
    assert result["further"]["reason"] == "index-out-of-bounds"


def test_all_runs_of_a_stored_result_are_judged(gates: str) -> None:
    found = checked(gates, "1", "--counterexamples", "3")
    Path("stored.json").write_text(json.dumps(found))
    assert run(["validate", gates, "stored.json"]) == 0
    other = found["results"][0]["further"]["evidence"][0]
    other["stem"].pop()
    Path("stored.json").write_text(json.dumps(found))
    assert run(["validate", gates, "stored.json"]) != 0


def test_a_limit_in_the_search_for_others_leaves_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where all the time has gone by then: the first run was judged before."""

    def out_of_time(*given: object) -> Further:
        clock = given[-1]
        assert isinstance(clock, Clock)
        clock.started -= 1000
        raise Stopped(LimitKind.TIME)

    monkeypatch.setattr(further, "further_stops", out_of_time)
    monkeypatch.setattr(further, "further_lassos", out_of_time)
    for question in ("1", "3"):
        result = fairlead.loads(GATES, "csp").check(question, counterexamples=3, timeout=100)
        assert result.verdict is fairlead.Verdict.VIOLATED and result.evidence is not None
        assert result.further is not None and result.further.problem == "timeout"
        assert "whether there are others is unknown (timeout)" in str(result)
