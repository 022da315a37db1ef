"""`--verbose`: what was done, on the error stream; and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.cli.main import run

MODEL = """
var x:{0..9} = 0;
P() = up{x = (x + 1) % 10;} -> P();
Q() = a -> b -> Q() [] c -> Q();
System() = P() ||| Q();
#assert System() |= []<> a;
#assert System() |= [] x < 10;
#assert System() deadlockfree;
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "m.csp"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """What was told, by heading."""
    run(["check", *arguments, "--verbose", "--no-trace"])
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  ")]
    found: dict[str, str] = {}
    heading = ""
    for line in lines:
        heading = line[2:12].strip() or heading
        found[heading] = f"{found[heading]}; {line[13:]}" if heading in found else line[13:]
    return found


def test_a_liveness_check(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, model, "1", "--fairness", "esf", "--threads", "1")
    assert found["automaton"] == "of the negated formula: 2 states, 3 transitions, 1 acceptance set (weak)"
    assert found["method"].startswith("component search; explored whole first: the system is small")
    assert found["explored"].startswith("20 states to depth ")
    assert "reading the model" in found["seconds"]
    assert found["memory"].startswith("at most ") and "states " in found["memory"]
    assert found["threads"] == "1"


def test_a_safety_check(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, model, "2")
    assert "reachability: a state alone shows a violation, under any fairness" in found["method"]
    assert "predecessors" in found["memory"]
    assert found["threads"].endswith("one for each core")


def test_another_kind_of_question_has_no_automaton(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, model, "3")
    assert "automaton" not in found
    assert found["method"] == "breadth-first exploration"


def test_a_limit(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, model, "3", "--max-states", "5")
    assert found["explored"].endswith("; there is more")


def test_standard_output_is_the_same(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", model, "--json"])
    plain = capsys.readouterr()
    run(["check", model, "--json", "--verbose"])
    verbose = capsys.readouterr()
    keep = [line for line in plain.out.splitlines() if '"seconds"' not in line]
    assert keep == [line for line in verbose.out.splitlines() if '"seconds"' not in line]
    assert plain.err == "" and "method" in verbose.err


def test_quiet_and_verbose_exclude_each_other(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "--quiet", "--verbose"]) == 2
    assert "error[usage]" in capsys.readouterr().err
