"""Texts that stand for more than can be written down are refused, before they take all time and memory."""

from __future__ import annotations

import pytest

import fairlead

LEVELS = 60


def doubling(line: str, last: str) -> str:
    return "\n".join(line.format(i, i + 1) for i in range(LEVELS)) + "\n" + last.format(LEVELS)


TEXTS = {
    "interleaving": doubling("P{0}() = P{1}() ||| P{1}();", "P{0}() = a -> P{0}();"),
    "sequence": doubling("P{0}() = P{1}(); P{1}();", "P{0}() = Skip;"),
    "choice of internal steps": doubling("P{0}() = P{1}() [*] P{1}();", "P{0}() = tau -> P{0}();"),
    "definition": doubling(
        "#define d{0} (d{1} + d{1});", "#define d{0} 1; var x = 0; P0() = a{{x = d0;}} -> P0();"
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_definitions_that_double(name: str) -> None:
    with pytest.raises(fairlead.LimitReached, match="has more than") as caught:
        fairlead.loads(TEXTS[name]).check("P0() deadlockfree")
    (problem,) = caught.value.diagnostics
    assert problem.code.value == "limit" and problem.span is not None


def test_what_is_large_but_not_too_large() -> None:
    lines = "\n".join(f"#define d{i} (d{i + 1} + d{i + 1});" for i in range(10))
    model = fairlead.loads(f"{lines}\n#define d10 1; var x = 0; P() = a{{x = d0;}} -> Skip;")
    assert model.check("P() reaches x == 1024")


@pytest.mark.parametrize(("last", "verdict"), [("a -> P{0}()", "holds"), ("Stop", "violated")])
def test_equal_branches_of_choices_are_shared(last: str, verdict: str) -> None:
    text = doubling("P{0}() = P{1}() [] P{1}();", f"P{{0}}() = {last};")
    assert fairlead.loads(text).check("P0() deadlockfree").verdict.value == verdict


def test_shared_branches_are_all_executed() -> None:
    model = fairlead.loads("P() = Q() [] Q() [] R(); Q() = a -> P(); R() = [1 > 2] b -> P();")
    missing = [place.span.text for place in model.coverage("P()").places if not place.count]
    assert missing == ["R()", "1 > 2", "b"], missing


def test_processes_after_each_other_that_end_at_once() -> None:
    lines = "\n".join(f"P{i}() = P{i + 1}(); P{i + 1}();" for i in range(8))
    assert fairlead.loads(f"{lines}\nP8() = Skip; S() = P0(); a -> S();").check("S() |= []<> a")
