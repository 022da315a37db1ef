"""`fairlead check --coverage`: as text, as JSON, on the page, and where there is nothing to count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.base.forms import Form
from fairlead.cli.main import run
from tests.support.documents import checked, mutations, require_valid, validator

DEAD = """\
var x = 0;
Door() = [x < 2] open{x = x + 1; if (x > 5) {x = 0;}} -> Door()
      [] [x > 7] jam -> Door()
      [] close{if (x > 0) {x = x - 1;} else {x = 0;}} -> Door();
Alarm() = ring -> Alarm();
#assert Door() deadlockfree;
"""

TEXT = """\
verdict   fairness        states   transitions   seconds  assertion
holds     none                 3             5     0.000  Door() deadlockfree

coverage of Door(): 3 states, 5 transitions, 9 of 13 places executed
executed  places  definition
       9      12  Door()
       0       1  Alarm()
never executed:
door.csp:
     2 | Door() = [x < 2] open{x = x + 1; if (x > 5) {x = 0;}} -> Door()
       |                                              ^^^^^^  statement
     3 |       [] [x > 7] jam -> Door()
       |           ^^^^^  ^^^  branch, event
     5 | Alarm() = ring -> Alarm();
       |           ^^^^  event
"""


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("door.csp").write_text(DEAD, encoding="utf-8")
    return "door.csp"


def test_text(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", door, "--coverage"]) == 0
    assert re.sub(r"\d\.\d{3}", "0.000", capsys.readouterr().out) == TEXT


def test_without_the_option_nothing_is_counted(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", door]) == 0
    assert "coverage" not in capsys.readouterr().out
    assert "coverage" not in checked(door)


def test_quiet_shows_verdicts_alone(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", door, "--coverage", "--quiet"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_json(door: str) -> None:
    document = checked(door, "--coverage")
    coverage = document["coverage"]
    assert (coverage["states"], coverage["transitions"], coverage["complete"]) == (3, 5, True)
    assert coverage["events"] == {"close": 3, "open": 2}
    (door_, alarm) = coverage["definitions"]
    assert (door_["name"], door_["covered"], door_["total"]) == ("Door()", 9, 12)
    assert alarm["places"] == [
        {
            "kind": "event",
            "file": "door.csp",
            "line": 5,
            "column": 11,
            "end_line": 5,
            "end_column": 15,
            "count": 0,
        }
    ]


def test_little_else_passes_as_such(door: str) -> None:
    document = checked(door, "--coverage", "--max-states", "2")
    assert document["coverage"]["reason"] == "max-states"
    require_valid(Form.CHECK, document)
    wrong = [
        name
        for name, changed in mutations(Form.CHECK, document)
        if "coverage" in name and validator(Form.CHECK).is_valid(changed())
    ]
    assert wrong == []


def test_a_limit_is_told(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", door, "--coverage", "--max-states", "2"]) == 3
    shown = capsys.readouterr().out
    assert "coverage of Door() so far: 2 states" in shown
    assert "note: max-states reached: other states may execute more; --max-states N explores more" in shown


def test_failing_steps_are_told(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(door).write_text("var x:{0..1} = 0; P() = up{x = x + 1;} -> P();", encoding="utf-8")
    assert run(["check", door, "--coverage", "--process", "P()"]) == 0
    shown = capsys.readouterr().out
    assert "note: steps that fail at run time are not counted: at 1 place, first: value outside" in shown


def test_page(door: str) -> None:
    assert run(["check", door, "--coverage", "--html", "page.html", "--quiet"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert '<section id="coverage"><h2>Coverage</h2>' in page
    assert '<mark title="never executed">jam</mark>' in page
    assert "if (x &gt; 5) {<mark" in page
    rows = re.findall(r'<tr[^>]*><td class="fl-count">([\d,]*)</td><td class="fl-count fl-quiet">(\d+)', page)
    assert rows == [("", "1"), ("2", "2"), ("0", "3"), ("3", "4"), ("0", "5"), ("", "6"), ("", "7")]


def test_a_missing_else_on_the_page(door: str) -> None:
    text = "var x = 0; P() = a{if (x == 0) {x = 0;}} -> P();\n#assert P() deadlockfree;\n"
    Path(door).write_text(text, encoding="utf-8")
    assert run(["check", door, "--coverage", "--html", "page.html", "--quiet"]) == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert 'a{<mark class="fl-missing" title="never executed">no else</mark>if (x == 0)' in page


def test_a_graph_has_no_text(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.aut").write_text('des (0, 3, 2)\n(0, "a", 1)\n(1, "b", 0)\n(1, "a", 1)\n', encoding="utf-8")
    assert run(["check", "g.aut", "--coverage", "--html", "page.html"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "coverage of graph: 2 states, 3 transitions",
        "note: a graph has no text: its events are counted",
        "transitions  event",
        "          2  a",
        "          1  b",
    ]
    assert "<code>b</code>" in Path("page.html").read_text(encoding="utf-8")
    assert checked("g.aut", "--coverage")["coverage"]["definitions"] == []


def test_any_number_of_processes(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = "P() = a -> P(); System() = |||{..} @ P(); #assert System() deadlockfree;"
    Path(door).write_text(text, encoding="utf-8")
    assert run(["check", door, "--coverage"]) == 2
    shown = capsys.readouterr()
    assert "holds" in shown.out
    assert "unboundedly many processes" in shown.err
    assert "Traceback" not in shown.err


def test_a_long_line_is_cut(door: str, capsys: pytest.CaptureFixture[str]) -> None:
    branches = " [] ".join(f"[false] event{number} -> P()" for number in range(40))
    Path(door).write_text(f"P() = a -> P() [] {branches};\n#assert P() deadlockfree;\n", encoding="utf-8")
    assert run(["check", door, "--coverage"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 175
    assert lines[-1].endswith("more places")
