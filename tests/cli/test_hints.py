"""What a message suggests for slips that many people make."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.cli.main import run

MODEL = """\
channel c[3] 1;
var count = 0;
P() = a{count = count + 1;} -> c[2]!1 -> P();
#assert P() |= []<> a;
"""
FSP_MODEL = "P = (a -> b -> P).\n||S = P.\n"

HINTS = {
    "operators in words": (("--ltl", "always eventually a"), "write [] for 'always' and <> for 'eventually'"),
    "one operator in words": (("P() |= eventually a",), "write <> for 'eventually'"),
    "CTL about all paths": (
        ("--ltl", "AG a"),
        "AG is an operator of CTL, not of LTL: ask with --ctl, or write []",
    ),
    "CTL about some path": (("--ltl", "EF a"), "EF is an operator of CTL, not of LTL: ask with --ctl"),
    "an event of an array of channels": (("--ltl", "[]<> c[2].1"), 'in double quotes: "c[2].1"'),
    "the same in an assertion": (("P() |= []<> c[2]!1",), 'in double quotes: "c[2]!1"'),
    "a formula alone": (("[]<> a",), "a formula alone is given with --ltl"),
    "a formula alone in words": (("always a",), "a formula alone is given with --ltl"),
    "strong fairness": (
        ("--fairness", "strong"),
        "esf is strong fairness towards events, psf towards processes",
    ),
    "weak fairness": (("--fairness", "weak"), "ewf is weak fairness towards events"),
    "a slip in a name": (("P() reaches cuont == 1",), "did you mean 'count'?"),
    "nothing like it": (("P() reaches zzz == 1",), "declare it, as in 'var zzz = 0;'"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "model.csp").write_text(MODEL)
    (tmp_path / "other.lts").write_text(FSP_MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", HINTS)
def test_hints(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, hint = HINTS[name]
    assert run(["check", "model.csp", *arguments]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  hint: ")]
    assert hint in line


def test_a_formula_alone_about_a_model_in_fsp(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "other.lts", "[]<> a"]) == 2
    assert "a formula alone is given with --ltl" in capsys.readouterr().err


def test_implication_in_fsp(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.lts").write_text(FSP_MODEL + "assert A = [](a => <>b)\n")
    assert run(["check", "other.lts"]) == 2
    assert "hint: 'implies' is written '->'" in capsys.readouterr().err
