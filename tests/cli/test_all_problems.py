"""All problems of a text in one run: each mistake is told once, and nothing that follows from it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import MOST_SHOWN, Diagnostic, InputError
from fairlead.cli.main import run
from tests.support.places import ROOT

CSP = """\
#define N 3;
var count = 0;
var bad = [;
channel c 2;
P() = [cuont == 0] a -> P();
Q() = [] b -> Q(;
R(i) = b{coutn = i + 1;} -> R(1, 2) [] d!1 -> R(1);
var count = 2;
S() = Z() ||| (P() |||);
T() = [count] a -> T() [] b.bad -> Q();
U() = [bad == 1] x -> Q();
#assert P() |= []<> a;
#assert PP() deadlockfree;
#assert P() reaches cont == 2;
"""
CSP_PROBLEMS = {
    ("syntax", 4),  # the '[' of line 3
    ("unknown-name", 5),
    ("syntax", 12),  # the '(' of line 6
    ("unknown-name", 7),
    ("arity", 7),
    ("name-clash", 8),
    ("syntax", 9),
    ("unknown-name", 13),
    ("unknown-name", 14),
}
FSP_SYNTAX = """\
const N = 3
P = (a -> b -> P).
Q = (a -> -> Q).
set S = {a, b
X = (c[i:0..N] -> X),
Y = (d -> X.
assert A = [](a => b)
||T = (P || Q).
"""
FSP_NAMES = """\
const N = 3
P = (a[i:0..M] -> P).
X = (c[i:0..N] -> X | d[Z] -> X).
||S = (P || QQ).
||T = (P || X).
"""

FSP_BOTH = """\
const N = M
range R = 0..N
P = (b[j] -> a[i:R] -> P).
Q = (a -> -> Q).
X = (c[i:RR] -> a[i:R] -> X).
W = (b -> W).
W = (c -> W).
||S = (P || Q || W || V).
progress G = {c[K]}
assert A = []<> (a => b)
assert B = [](A -> G2)
"""


def problems_of(text: str, name: str = "csp", question: str | None = None) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as caught:
        model = fairlead.loads(text, name)
        for assertion in model.assertions if question is None else [model.assertion(question)]:
            model.check(assertion)
    return caught.value.diagnostics


def places(problems: tuple[Diagnostic, ...]) -> set[tuple[str, int]]:
    assert all(problem.span is not None for problem in problems)
    return {(problem.code.value, problem.span.line) for problem in problems if problem.span is not None}


def test_all_problems_of_a_csp_text() -> None:
    found = problems_of(CSP)
    assert places(found) == CSP_PROBLEMS
    assert [problem.span.start for problem in found if problem.span] == sorted(
        problem.span.start for problem in found if problem.span
    )


def test_what_is_related() -> None:
    related = {problem.code.value: problem.related for problem in problems_of(CSP)}
    assert related["arity"][0].message == "it is defined here"
    assert related["arity"][0].span.line == 7
    assert related["name-clash"][0].span.line == 2


def test_a_problem_that_is_met_during_the_check_brings_the_others() -> None:
    text = (
        "var n = 0;\nP(i) = a.i -> P(i, 1) [] [m > 0] b -> Q();\nQ() = c -> Q();\nR() = zz!1 -> R();\n"
        "#assert P(1) deadlockfree;"
    )
    assert places(problems_of(text)) == {("arity", 2), ("unknown-name", 2), ("unknown-name", 4)}


def test_syntax_of_fsp() -> None:
    assert places(problems_of(FSP_SYNTAX, "lts")) == {
        ("syntax", 3),
        ("syntax", 5),
        ("syntax", 6),
        ("syntax", 7),
    }


def test_names_of_fsp() -> None:
    assert places(problems_of(FSP_NAMES, "lts", "S safety")) == {
        ("unknown-name", 2),
        ("unknown-name", 3),
        ("unknown-name", 4),
    }


def test_syntax_and_names_of_fsp() -> None:
    """Names are checked although parts cannot be read, and without what those parts may declare."""
    assert places(problems_of(FSP_BOTH, "lts")) == {
        ("unknown-name", 1),
        ("unknown-name", 3),
        ("syntax", 4),
        ("unknown-name", 5),
        ("name-clash", 7),
        ("unknown-name", 8),
        ("unknown-name", 9),
        ("syntax", 10),
    }


def test_in_json_and_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.csp"
    path.write_text(CSP)
    assert run(["check", str(path), "--json", "--sarif", str(tmp_path / "out.sarif")]) == 2
    errors = json.loads(capsys.readouterr().out)["errors"]
    assert {(error["code"], error["line"]) for error in errors} == CSP_PROBLEMS
    (sarif,) = json.loads((tmp_path / "out.sarif").read_text())["runs"]
    lines = {
        (result["ruleId"], result["locations"][0]["physicalLocation"]["region"]["startLine"])
        for result in sarif["results"]
    }
    assert lines == CSP_PROBLEMS


def test_not_more_than_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.csp"
    path.write_text("\n".join(f"P{number}() = a -> ;" for number in range(MOST_SHOWN + 20)))
    assert run(["check", str(path)]) == 2
    shown = capsys.readouterr().err
    assert shown.count("error[syntax]") == MOST_SHOWN
    assert "and 20 more problems" in shown


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/*.csp")), ids=lambda path: path.stem)
def test_one_mistake_is_told_once(path: Path) -> None:
    """Mistakes of one character in models that are right: what is told is about that declaration."""
    text = path.read_text(encoding="utf-8")
    if "#include" in text or "#import" in text:
        pytest.skip("needs other files")
    rng = random.Random(path.stem)
    for _ in range(12):
        place = rng.choice([number for number, character in enumerate(text) if character in "();{}[]-=>"])
        try:
            fairlead.loads(text[:place] + text[place + 1 :])
        except InputError as error:
            syntax_errors = [problem for problem in error.diagnostics if problem.code.value == "syntax"]
            assert len(syntax_errors) <= 1, (text[place - 40 : place + 40], str(error))
        except fairlead.FairleadError:
            pass
