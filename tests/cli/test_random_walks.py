"""`fairlead simulate --random`: what it prints, its statuses, and wrong input."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fairlead.base.forms import Form
from fairlead.cli.main import run
from tests.support.documents import require_valid

CAKE = """\
var cake:{0..12} = 12;
var guests:{0..3} = 0;
Table() = [guests > 1] serve{cake = cake / (guests - 1);} -> eat -> Table()
       [] [guests < 3] arrive{guests = guests + 1;} -> Table();
"""
FAULT = """\
var x = 2;
P() = down{x = x - 1;} -> divide{x = 4 / x;} -> zero{x = 0;} -> divide{x = 4 / x;} -> P();
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cake.csp").write_text(CAKE, encoding="utf-8")
    Path("fault.csp").write_text(FAULT, encoding="utf-8")
    Path("stuck.csp").write_text("P() = a -> b -> Stop;", encoding="utf-8")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["simulate", *arguments])
    output = capsys.readouterr()
    return status, re.sub(r"\d+\.\d+ seconds, [\d,]+ steps", "T seconds, R steps", output.out), output.err


def test_a_condition_that_is_met(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(
        capsys, "cake.csp", "--random", "100", "--until", "eat && guests == 3", "--seed", "4"
    )
    assert status == 0
    first, *_, last = out.splitlines()
    assert first == "seed: 4"
    assert re.search(r"^walk 1, after \d+ steps: eat && guests == 3 is met$", out, re.MULTILINE)
    assert last.endswith("T seconds, R steps per second")
    assert (
        out == said(capsys, "cake.csp", "--random", "100", "--until", "eat && guests == 3", "--seed", "4")[1]
    )


def test_a_deadlock(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "stuck.csp", "--random", "9", "--seed", "1")[:2] == (
        1,
        """\
seed: 1
start: (no variables)
    1  a  P()
    2  b  P()
walk 1, after 2 steps: deadlock, no step is possible
1 walk, 2 steps, 3 different states, T seconds, R steps per second
""",
    )


def test_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "fault.csp", "--random", "9", "--seed", "1")
    assert status == 1
    assert "walk 1, after 3 steps: fault, an event cannot be carried out\n  divide by P()\n" in out
    assert "error[division-by-zero]" in out


def test_a_condition_that_is_not_met(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(
        capsys, "cake.csp", "--random", "50", "--walks", "3", "--until", "cake == 11", "--seed", "1"
    )
    assert status == 3
    assert out.splitlines()[1] == "cake == 11 was not met; that does not mean that it cannot be"
    assert out.splitlines()[2].startswith("3 walks, 150 steps, ")


def test_without_a_condition(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "cake.csp", "--random", "500", "--seed", "1")
    assert status == 0
    assert "walk 1, after 500 steps: no deadlock, error or fault was met" in out
    assert "… 460 more steps (all with --json) …" in out and len(out.splitlines()) == 45


def test_a_seed_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "cake.csp", "--random", "30")[1]
    seed = out.splitlines()[0].removeprefix("seed: ")
    assert said(capsys, "cake.csp", "--random", "30", "--seed", seed)[1] == out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    for file, ending in (("cake.csp", "steps"), ("stuck.csp", "deadlock"), ("fault.csp", "fault")):
        run(["simulate", file, "--random", "60", "--seed", "1", "--json"])
        records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        for record in records:
            require_valid(Form.SIMULATE, record)
        start, *steps, walks = records
        assert (start["kind"], walks["kind"], walks["ending"]) == ("initial", "walks", ending)
        assert [step["number"] for step in steps] == list(range(1, walks["length"] + 1))
        assert bool(walks["failures"]) == (ending == "fault")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cake.csp", "--until", "eat"], "--until is for --random"),
        (["cake.csp", "--walks", "3"], "--walks is for --random"),
        (["cake.csp", "--random", "3", "--script", "-"], "--random and --script cannot be used together"),
        (["--random", "3"], "--random needs a MODEL"),
        (["cake.csp", "--random", "0"], "0 is not in the range"),
        (["cake.csp", "--random", "3", "--until", "AF eat"], "has no temporal operators"),
        (["cake.csp", "--random", "3", "--until", "ate"], "unknown-name"),
        (["cake.csp", "--random", "3", "--until", "cake =="], "error[formula]"),
        (["cake.csp", "--random", "3", "--seed", "-4"], "a seed is a number from 0"),
        (["none.csp", "--random", "3"], "cannot read 'none.csp'"),
    ],
)
def test_wrong_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = said(capsys, *arguments)
    assert status == 2 and message in error
