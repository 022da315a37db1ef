"""Warnings about texts that are right: what they say, and that they are never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import Severity
from fairlead.cli.main import run
from fairlead.lang.csp.event_values import EventValues
from fairlead.lang.csp.model import CspModel
from fairlead.model.network import Network
from tests.support.examples.loading import load_example
from tests.support.generators.csp_models import random_model
from tests.support.places import ROOT
from tests.support.sampling import some
from tests.support.steps import explore_reference

NEW = ("never-happens", "not-shared", "constant-condition", "unused")
ASK = "#assert P() deadlockfree;"

#: the warnings of a model, each with its code, its place and words of its message
WARNED = {
    "unused variable": ("var x; P() = a -> P();", {("unused", "1:5", "variable 'x'")}),
    "unused constant": ("#define N 3; P() = a -> P();", {("unused", "1:9", "constant 'N'")}),
    "unused channel": ("channel c 1; P() = a -> P();", {("unused", "1:9", "channel 'c'")}),
    "never started": (
        "P() = a -> P(); Q() = b -> R(); R() = Q();",
        {("unused", "1:17", "'Q'"), ("unused", "1:33", "'R'")},
    ),
    "a program on one side": (
        "var x; P() = Q() || R(); Q() = a{x = 1;} -> Q(); R() = a -> R();",
        {("not-shared", "1:56", "'a'")},
    ),
    "programs on both sides": (
        "var x; P() = Q() || R(); Q() = a{x = 1;} -> Q(); R() = a{x = 2;} -> R();",
        {("not-shared", "1:56", "'a'")},
    ),
    "always true": ("P() = [1 < 2] a -> P();", {("constant-condition", "1:8", "'1 < 2'")}),
    "always false": ("P() = a -> P() [] [false] b -> P();", {("constant-condition", "1:20", "'false'")}),
    "in a conditional": (
        "P() = if (true) {a -> P()} else {b -> P()};",
        {("constant-condition", "1:11", "'true'")},
    ),
}
NOT_WARNED = {
    "used in a guard": "var x; P() = [x == 0] a -> P();",
    "used in a macro": "var x; #define p x == 0; P() = a -> P(); #assert P() reaches p;",
    "used in a formula": "#define N 1; var x; P() = a.1 -> P(); #assert P() |= [] (x == 0 && !a.N);",
    "a proposition for the command line": "var x; #define p x == 0; P() = a -> P();",
    "a channel that is only examined": "channel c 1; P() = [call(cempty, c)] a -> P();",
    "started by another": "P() = a -> Q(); Q() = b -> P();",
    "the specification of a refinement": "P() = a -> P(); S() = a -> S(); #assert P() refines S();",
    "interleaved programs": "var x; P() = Q() ||| R(); Q() = a{x = 1;} -> Q(); R() = a{x = 2;} -> R();",
    "shared without programs": "P() = Q() || R(); Q() = a -> Q(); R() = a -> R();",
    "a condition with a constant": "#define N 3; P() = [N > 2] a -> P();",
    "an event of a received value": "channel c 1; P() = c!1 -> c?x -> e.x -> P(); #assert P() |= [] !e.5;",
    "an event of a variable": "var v = 0; P() = e.v{v = v + 1;} -> [v < 3] P(); #assert P() |= [] !e.5;",
}


def warned(model: fairlead.Model) -> set[tuple[str, str, str]]:
    for assertion in model.assertions:
        model.check(assertion)
    assert all(warning.severity is Severity.WARNING for warning in model.warnings)
    return {
        (warning.code.value, str(warning.span).partition(":")[2], warning.message)
        for warning in model.warnings
        if warning.code.value in NEW
    }


@pytest.mark.parametrize("name", WARNED)
def test_warnings(name: str) -> None:
    text, expected = WARNED[name]
    found = warned(fairlead.loads(f"{text} {ASK}"))
    assert {(code, place) for code, place, _ in found} == {(code, place) for code, place, _ in expected}
    for code, place, words in expected:
        assert any(words in message for other, there, message in found if (other, there) == (code, place))


@pytest.mark.parametrize("name", NOT_WARNED)
def test_no_warnings(name: str) -> None:
    assert warned(fairlead.loads(f"{NOT_WARNED[name]} {ASK}")) == set()


def test_what_is_asked_on_the_command_line_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "model.csp"
    path.write_text("var x; P() = a -> P(); Q() = b -> Q(); #assert P() deadlockfree;")
    assert run(["check", str(path), "P() deadlockfree", "Q() |= [] x == 0"]) == 0
    assert "warning" not in capsys.readouterr().err


FORMULAS = {
    "[] !print.7": "argument 1 of 'print' is always in 0..3",
    "[]<> print.3": None,
    "[] !pair.1.2": "'pair' has no such combination of values",
    "[] !pair.1.1": None,
    "[] !at.5": "argument 1 of 'at' is always in 0..2",
    "[] !one.2": "argument 1 of 'one' is always 1",
}
PRINTER = (
    "var v:{0..2} = 0; P() = Q(0); Q(i) = print.i -> R(i); R(i) = pair.1.1 -> S(i) [] pair.2.2 -> S(i);"
    " S(i) = ([] k:{0..1} @ at.(v){v = k + 1;} -> one.1 -> Q((i + 1) % 4));"
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_events_that_never_happen(formula: str) -> None:
    model = fairlead.loads(PRINTER)
    model.check(f"P() |= {formula}")
    (*found,) = [warning.message for warning in model.warnings if warning.code.value == "never-happens"]
    expected = FORMULAS[formula]
    assert found == (
        [] if expected is None else [f"'{formula.split()[-1].lstrip('!')}' never happens: {expected}"]
    )


def test_another_question_can_make_an_event_possible() -> None:
    model = fairlead.loads("P(i) = e.i -> P(i);")
    model.check("P(0) |= [] !e.1")
    assert [warning.code.value for warning in model.warnings] == ["never-happens"]
    model = fairlead.loads("P(i) = e.i -> P(i);")
    model.check("P(1) |= []<> e.1")
    assert model.warnings == []


@pytest.mark.parametrize("chunk", range(4))
def test_what_happens_is_never_called_impossible(chunk: int) -> None:
    """The intervals against all events of random models."""
    compared = 0
    for seed in some(range(chunk * 60, chunk * 60 + 60)):
        model = fairlead.loads(random_model(seed))
        loaded = model._loaded
        assert isinstance(loaded, CspModel)
        network = loaded.system("System()")
        assert isinstance(network, Network)
        values = EventValues(loaded._expressions, loaded._calls.values())
        for steps in explore_reference(network, 150).steps.values():
            for step in steps:
                name, *arguments = step.event.split(".")
                if name.isidentifier() and arguments and all(_is_number(text) for text in arguments):
                    compared += 1
                    assert values.impossible(name, tuple(map(int, arguments))) is None, (seed, step.event)
    assert compared


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/*.csp")), ids=lambda path: path.stem)
def test_examples_have_no_warnings(path: Path) -> None:
    model = load_example(path, {})
    loaded = model._loaded
    assert isinstance(loaded, CspModel)
    if model.assertions:
        loaded._remark()
    assert [warning.message for warning in model.warnings if warning.code.value in NEW] == []
