"""`fairlead grade`: rows, exit statuses, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.cli.main import run

MODEL = """
var x:{0..1} = 0;
P(i) = a.i -> P(i) [] b.i -> P(i);
System() = P(0) ||| P(1);
#assert System() |= [] !a.0;
"""
RIGHT = """# whatever the scheduler does
holds     none  System() deadlockfree

   # under fairness, indented and with trailing blanks
violated  pwf   System() |= []<> a.0
holds     ewf\tSystem() |= []<> a.0  \t
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.csp").write_text(MODEL, encoding="utf-8")
    Path("m.expect").write_text(RIGHT, encoding="utf-8")


def expect(text: str) -> None:
    Path("m.expect").write_text(text, encoding="utf-8")


def marks(out: str) -> list[str]:
    return [line.split()[0] for line in out.splitlines()[1:-1]]


def test_all_verdicts_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grade", "m.csp", "m.expect"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "       verdict   expected  fairness  assertion",
        "right  holds     holds     none      System() deadlockfree",
        "right  violated  violated  pwf       System() |= []<> a.0",
        "right  holds     holds     ewf       System() |= []<> a.0",
        "3 of 3 verdicts are right",
    ]
    assert not err


@pytest.mark.parametrize(
    ("line", "mark", "status"),
    [
        ("holds none System() |= []<> a.0", "wrong", 1),
        ("violated ewf System() |= []<> a.0", "wrong", 1),
        ("holds none Missing() deadlockfree", "error", 2),
        ("holds none System() |= []<> missing", "error", 2),
        ("holds none System() |= [](", "error", 2),
        ("violated none System() deadlockfree", "wrong", 1),
    ],
)
def test_one_verdict_that_is_not_expected(
    line: str, mark: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    expect(f"{RIGHT}{line}\n{RIGHT}")
    assert run(["grade", "m.csp", "m.expect"]) == status
    out, err = capsys.readouterr()
    assert [row for row in marks(out) if row in ("right", "wrong", "error")] == [
        *["right"] * 3, mark, *["right"] * 3,
    ]  # fmt: skip
    assert out.endswith("6 of 7 verdicts are right\n")
    if mark == "error":
        assert "m.expect:7:" in err and "this line asks" in err


def test_an_error_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    expect("holds none Missing() deadlockfree\nholds pwf Missing() deadlockfree\n")
    assert run(["grade", "m.csp", "m.expect"]) == 2
    assert capsys.readouterr().err.count("error[") == 1


def test_an_error_is_worse_than_a_wrong_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    expect("violated none System() deadlockfree\nholds none Missing() deadlockfree\n")
    assert run(["grade", "m.csp", "m.expect"]) == 2
    assert capsys.readouterr().out.endswith("0 of 2 verdicts are right\n")


def test_the_way_to_the_counterexample(capsys: pytest.CaptureFixture[str]) -> None:
    """The command that is named shows it: it has the options that were given."""
    Path("m.csp").write_text("#define N 1;\nP() = a -> P() [] b -> P();\nQ() = ||| {N} @ P();\n", "utf-8")
    expect("holds none Q() |= []<> a\n")
    assert run(["grade", "m.csp", "m.expect", "-D", "N=2"]) == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("see ")]
    assert line == "see the counterexample: fairlead check m.csp 'Q() |= []<> a' --fairness none -D N=2"
    assert run(["check", "m.csp", "Q() |= []<> a", "--fairness", "none", "-D", "N=2"]) == 1


def test_what_fails_at_run_time(capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text("var x:{0..1} = 0;\nP() = a{x = x + 1;} -> P();\n", "utf-8")
    expect("holds none P() deadlockfree\n")
    assert run(["grade", "m.csp", "m.expect"]) == 2
    out, err = capsys.readouterr()
    assert marks(out) == ["error"] and "error[value-out-of-range]" in err


def test_limits(capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text("var x = 0;\nP() = a{x = x + 1;} -> P();\n", "utf-8")
    expect("holds none P() deadlockfree\n")
    assert run(["grade", "m.csp", "m.expect", "--max-states", "50"]) == 3
    assert marks(capsys.readouterr().out) == ["open"]
    expect("holds none P() deadlockfree\nholds none P() |= [] x < 3\n")
    assert run(["grade", "m.csp", "m.expect", "--max-states", "50"]) == 1


def test_processes_that_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text("P() = a -> P();\nQ() = ||| {..} @ P();\n", "utf-8")
    expect("holds pwf Q() |= []<> a\n")
    assert run(["grade", "m.csp", "m.expect", "--counters"]) == 0
    assert "(for any number of processes)" in capsys.readouterr().out
    assert run(["grade", "m.csp", "m.expect", "--cutoff", "1"]) == 2
    assert "--cutoff is for --counters" in capsys.readouterr().err


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grade", "m.csp", "m.expect", "--quiet"]) == 0
    assert capsys.readouterr() == ("3 of 3 verdicts are right\n", "")


def test_one_verdict_is_in_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    expect("holds none System() deadlockfree\n")
    assert run(["grade", "m.csp", "m.expect"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 verdict is right\n")


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("true none System() deadlockfree", "1:1", "expected 'holds' or 'violated', found 'true'"),
        ("hold none System() deadlockfree", "1:1", "did you mean 'holds'?"),
        ("unknown none System() deadlockfree", "1:1", "expected 'holds' or 'violated'"),
        ("holds weak System() deadlockfree", "1:7", "unknown fairness 'weak'"),
        ("holds all System() deadlockfree", "1:7", "more than one notion"),
        ("holds ewf,pwf System() deadlockfree", "1:7", "more than one notion"),
        ("  holds none", "1:3", "not an expectation"),
        ("holds", "1:1", "not an expectation"),
        ("holds none 1", "1:12", "not the number"),
    ],
)
def test_lines_that_are_wrong(
    line: str, place: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expect(f"{line}\n")
    assert run(["grade", "m.csp", "m.expect"]) == 2
    out, err = capsys.readouterr()
    assert not out and f"m.expect:{place}: error[syntax]" in err and message in err


def test_all_wrong_lines_are_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    expect("holds\nholds none System() deadlockfree\nviolated none\n")
    assert run(["grade", "m.csp", "m.expect"]) == 2
    assert capsys.readouterr().err.count("error[syntax]") == 2


@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_a_file_that_expects_nothing(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It would be passed by every model."""
    expect(text)
    assert run(["grade", "m.csp", "m.expect"]) == 2
    assert "expects nothing" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["m.csp", "m.expect"])
def test_files_that_are_missing(missing: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(missing).unlink()
    assert run(["grade", "m.csp", "m.expect"]) == 2
    out, err = capsys.readouterr()
    assert not out and f"cannot read '{missing}'" in err
