"""What the parser of FSP says about wrong texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.base.diagnostics import Code, Diagnostic, InputError, LimitReached
from fairlead.base.source import Source
from fairlead.lang.fsp.parse import parse, parse_formula


def problem(text: str) -> Diagnostic:
    with pytest.raises(InputError) as caught:
        parse(Source("m.lts", text))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is Code.SYNTAX
    return diagnostic


def _slips() -> list[tuple[str, str]]:
    """Wrong texts, each with what is said about it: the lines from the first place on."""
    blocks = Path(__file__).with_name("slips.txt").read_text(encoding="utf-8").strip("\n").split("\n\n")
    slips = []
    for block in blocks:
        lines = block.split("\n")
        first = next(number for number, line in enumerate(lines) if re.match(r"  \d+:\d+: ", line))
        slips.append(("\n".join(lines[:first]), "\n".join(lines[first:])))
    return slips


@pytest.mark.parametrize(("text", "expected"), _slips())
def test_slips(text: str, expected: str) -> None:
    found = problem(text)
    assert found.span is not None
    said = [f"  {found.span.line}:{found.span.column}: {found.message}"]
    said += [f"  {each.span.line}:{each.span.column}: note: {each.message}" for each in found.related]
    said += [f"  hint: {found.hint}"] if found.hint else []
    assert "\n".join(said) == expected


def test_the_place_is_shown() -> None:
    with pytest.raises(InputError) as caught:
        parse(Source("m.lts", "const N = 2\nP = (a -> P)\nQ = (b -> Q).\n"))
    assert str(caught.value) == (
        "m.lts:3:1: error[syntax]: expected '.' at the end of process 'P', found 'Q'\n"
        "  3 | Q = (b -> Q).\n"
        "    | ^\n"
        "  hint: the definition of a process ends with '.'"
    )


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("a &&", 5, "expected a formula after '&&', found the end of the text"),
        ("a b", 3, "expected an operator or the end of the formula after 'a', found 'b'"),
        ("a.", 2, "expected an operator or the end of the formula after 'a', found '.'"),
        ("a U b U c", 7, "'U' after a 'U' needs parentheses"),
        ("(a", 3, "expected an operator or ')' after 'a', found the end of the text"),
        ("a + {b}", 3, "expected an operator or the end of the formula after 'a', found '+'"),
        ("tau", 1, "'tau' cannot be written as an action"),
        ("", 1, "expected a formula, found the end of the text"),
    ],
)
def test_wrong_formulas(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_formula(Source("formula", text), 0, len(text))
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert (found.span.line, found.span.column, found.message) == (1, column, message)


# ---------------------------------------------------------------- deep and long texts

_DEEP = {
    "choices": ("P = ", "(a -> ", "P", ")", "."),
    "expressions": ("const N = ", "(", "1", ")", ""),
    "signs": ("const N = ", "-(", "1", ")", ""),
    "sets": ("set S = ", "{", "a", "}", ""),
    "indices": ("P = (a[", "'a[", "1", "]", "] -> P)."),
    "formulas": ("assert A = ", "(", "a", ")", ""),
    "composites": ("||S = ", "(", "P", ")", "."),
    "if": ("||S = ", "if 1 then ", "P", "", "."),
    "then": ("P = ", "if 1 then ", "P", "", "."),
    "forall": ("||S = ", "forall[i:R] ", "P", "", "."),
    "relabellings": ("P = STOP/", "{forall[i:R] ", "{a/b}", "}", "."),
}


@pytest.mark.parametrize("parts", _DEEP.values(), ids=_DEEP.keys())
def test_deep_nesting_is_read_or_is_a_limit(parts: tuple[str, ...]) -> None:
    begin, opening, middle, closing, end = parts
    shallow = begin + opening * 50 + middle + closing * 50 + end
    assert len(parse(Source("m.lts", shallow))) == 1
    deep = begin + opening * 5_000 + middle + closing * 5_000 + end
    with pytest.raises(LimitReached) as caught:
        parse(Source("m.lts", deep))
    (found,) = caught.value.diagnostics
    assert found.code is Code.LIMIT
    assert found.span is not None


@pytest.mark.parametrize(
    "text",
    [
        "const N = " + "1+" * 5_000 + "1",
        "P = (" + "a -> " * 5_000 + "P).",
        "P = (" + "a -> P | " * 5_000 + "a -> P).",
        "P = " + "A;" * 5_000 + "P.",
        "P = " + "if 1 then P else " * 5_000 + "P.",
        "set S = {" + "a," * 5_000 + "a}",
        "set S = {a" + ".a" * 5_000 + "}",
        "||S = (" + "P || " * 5_000 + "P).",
        "assert A = " + "!" * 5_000 + "a",
        "assert A = (" + "a && " * 5_000 + "a)",
        "assert A = " + "forall[i:R] " * 5_000 + "a",
        "P = STOP" + ", P = STOP" * 5_000 + ".",
    ],
)
def test_long_texts_are_read(text: str) -> None:
    assert len(parse(Source("m.lts", text))) == 1
