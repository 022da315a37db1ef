"""The matrix of assertions and notions, compared with the results one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.logic.fairness.notions import CLASSIC
from fairlead.present.matrix import MARKS, Answered
from fairlead.present.text.matrix import matrix_lines
from tests.support.places import ROOT

MODEL = ROOT / "examples" / "mutual_exclusion" / "mutual_exclusion.csp"


def test_every_mark_is_the_verdict_under_its_notion() -> None:
    model = fairlead.load(MODEL)
    answered = [
        Answered(question.text, asked, [model.check(question, notion) for notion in asked])
        for question in model.assertions
        for asked in [model.notions_for(question, CLASSIC)]
    ]
    head, *lines = matrix_lines(answered)
    names = head.split()[: len(CLASSIC)]
    assert names == [notion.value for notion in CLASSIC]
    assert len(lines) == len(model.assertions)
    for question, line in zip(model.assertions, lines, strict=True):
        marks = line.split()[: len(CLASSIC)]
        assert marks == [MARKS[model.check(question, notion).verdict] for notion in CLASSIC]
        assert line.endswith(f"  {question.text}")


def test_what_does_not_depend_on_fairness_is_asked_once() -> None:
    model = fairlead.load(MODEL)
    deadlock = model.asked("System() deadlockfree")
    assert len(model.notions_for(deadlock, CLASSIC)) == 1


def test_what_was_not_answered_has_no_mark() -> None:
    model = fairlead.load(MODEL)
    first, second = model.assertions[:2]
    part = Answered(first.text, CLASSIC, [model.check(first, CLASSIC[0])])
    none = Answered(second.text, CLASSIC, [])
    _, *lines = matrix_lines([part, none])
    assert lines[0].split()[: len(CLASSIC)] == ["✓", *["·"] * (len(CLASSIC) - 1)]
    assert lines[1].split()[: len(CLASSIC)] == ["·"] * len(CLASSIC)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--fairness", "all"], True),
        (["--fairness", "psf"], False),
        (["--fairness", "all", "--quiet"], False),
        (["2", "--fairness", "all"], False),
    ],
)
def test_when_it_is_shown(options: list[str], expected: bool, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(MODEL), *options])
    shown = capsys.readouterr().out
    assert ("✓ holds, ✗ violated" in shown) is expected


def test_the_first_of_several_runs_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.csp"
    path.write_text(
        "P() = a -> P() [] b -> P();\n#assert P() |= []<> a;\n#assert P() |= []<> b;\n#assert P() |= <> b;\n",
        encoding="utf-8",
    )

    def shown(*options: str) -> str:
        run(["check", str(path), *options])
        return capsys.readouterr().out

    some = shown()
    assert some.count("counterexample to ") == 1
    assert "counterexample to P() |= []<> a" in some
    assert some.endswith("2 more results come with a trace; --trace shows them\n")
    assert shown("1", "2").endswith("1 more result comes with a trace; --trace shows it\n")
    every = shown("--trace")
    assert every.count("counterexample to ") == 3 and "more result" not in every
    assert "counterexample" not in shown("--no-trace")
