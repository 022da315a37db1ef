"""What the tokens of FSP are, and what is not one."""

from __future__ import annotations

import pytest

from fairlead.base.diagnostics import Code, Diagnostic, InputError
from fairlead.base.source import Source
from fairlead.lang.fsp.lexing import (
    END_OF_TEXT,
    INTEGER,
    LOWER,
    RESERVED,
    STRING,
    UPPER,
    integer_value,
    lex,
    unclosed_comment,
)


def kinds(text: str) -> list[str]:
    return [token.kind for token in lex(Source("m.lts", text))[:-1]]


def texts(text: str) -> list[str]:
    return [token.text for token in lex(Source("m.lts", text))[:-1]]


def problem(text: str) -> Diagnostic:
    source = Source("m.lts", text)
    with pytest.raises(InputError) as caught:
        for token in lex(source):
            if token.kind == INTEGER:
                integer_value(source, token)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_names_are_told_apart_by_their_first_letter() -> None:
    assert kinds("P p _x _X P_1 xY2") == [UPPER, LOWER, LOWER, LOWER, UPPER, LOWER]
    assert kinds("STOP END ERROR X U W") == [UPPER] * 6
    assert kinds("tau sets Set") == [LOWER, LOWER, UPPER]


def test_reserved_words() -> None:
    words = """const property range if then else forall when set progress menu animation actions controls
        deterministic minimal compose target import assert fluent exists rigid constraint initially"""
    assert kinds(words) == words.split()
    assert set(words.split()) == RESERVED


def test_symbols() -> None:
    symbols = """-> .. :: : || | && & ! != == = < <= << <> <-> > >= >> + - * / % ^ @ \\ ' # , ; .
        ( ) { } [ ] []"""
    for text in symbols.split():
        assert kinds(text) == [text]
        assert kinds(f"a{text}b") == [LOWER, text, LOWER]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[] [ ]", ["[]", "[", "]"]),
        ("[][]", ["[]", "[]"]),
        ("0..2", ["0", "..", "2"]),
        ("i<-1", ["i", "<", "-", "1"]),
        ("a<->b", ["a", "<->", "b"]),
        ("<<>", ["<<", ">"]),
        ("|||", ["||", "|"]),
        (":::", ["::", ":"]),
        ("...", ["..", "."]),
        ("===", ["==", "="]),
        ("1a", ["1", "a"]),
        ("0x1Fg", ["0x1F", "g"]),
        ("a//b\nc", ["a", "c"]),
        ("a/**/b/*/ * //*/c", ["a", "b", "c"]),
        ("a /* /* */ b", ["a", "b"]),
        ('"x // y" z', ['"x // y"', "z"]),
        ("a // the end", ["a"]),
        ("\ufeffa\r\n\tb", ["a", "b"]),
        ("", []),
    ],
)
def test_where_tokens_end(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_tokens_know_their_places() -> None:
    source = Source("m.lts", 'P = (a\n -> "x").')
    for token in lex(source)[:-1]:
        assert source.text[token.start : token.end] == token.text
    assert [token.kind for token in lex(source)] == [
        UPPER, "=", "(", LOWER, "->", STRING, ")", ".", END_OF_TEXT,
    ]  # fmt: skip


def test_a_part_of_a_text() -> None:
    source = Source("m.lts", "abc -> /* def */ ghi")
    tokens = lex(source, 1, 19)
    assert [(token.text, token.start) for token in tokens] == [("bc", 1), ("->", 4), ("gh", 17), ("", 19)]


def test_the_end_is_just_after_the_last_token() -> None:
    assert lex(Source("m.lts", "a b  // c\n\n"))[-1].start == 3


@pytest.mark.parametrize(
    ("digits", "value"),
    [
        ("0", 0), ("7", 7), ("10", 10), ("010", 8), ("00", 0), ("0017", 15), ("0x1F", 31), ("0X1f", 31),
        ("0x0", 0), ("2147483647", 2**31 - 1), ("0x7fffffff", 2**31 - 1), ("017777777777", 2**31 - 1),
        ("0x" + "0" * 500 + "1", 1),
    ],
)  # fmt: skip
def test_numbers(digits: str, value: int) -> None:
    source = Source("m.lts", digits)
    (token, _) = lex(source)
    assert (token.kind, integer_value(source, token)) == (INTEGER, value)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a\n  2147483648", (2, 3), "the number 2147483648 is too large"),
        ("0x80000000", (1, 1), "the number 0x80000000 is too large"),
        ("020000000000", (1, 1), "the number 020000000000 is too large"),
        ("9" * 10000, (1, 1), "the number 99999999999999999... is too large"),
        ("a 08", (1, 3), "'08' is not an octal number"),
        ('import P = "x', (1, 12), "this string is never closed"),
        ('import P = "x\n"', (1, 12), "this string is never closed"),
        ("a $ b", (1, 3), "the character '$' has no meaning in FSP"),
        ("a\n\x07", (2, 1), "the character U+0007 has no meaning in FSP"),
        ("é -> P", (1, 1), "the character 'é' has no meaning in FSP"),
        ("a → P", (1, 3), "the character '→' has no meaning in FSP"),
    ],
)
def test_what_is_no_token(text: str, place: tuple[int, int], message: str) -> None:
    found = problem(text)
    assert found.code is Code.SYNTAX
    assert found.span is not None
    assert ((found.span.line, found.span.column), found.message) == (place, message)


def test_hints() -> None:
    assert problem("a → P").hint == "write ->"
    assert problem("09").hint == "a number that begins with 0 is octal; the decimal one is 9"
    assert problem("99999999999").hint == "integers have 32 bits: the largest is 2147483647"


@pytest.mark.parametrize(
    ("text", "place"), [("a\n /* b", (2, 2)), ("a /*/", (1, 3)), ("a /* b */ // /*", None)]
)
def test_a_comment_that_is_never_closed(text: str, place: tuple[int, int] | None) -> None:
    source = Source("m.lts", text)
    assert [token.text for token in lex(source)] == ["a", ""]
    span = unclosed_comment(source)
    assert (None if span is None else (span.line, span.column)) == place


def test_names_go_on_with_any_letters() -> None:
    found = lex(Source("m.lts", "señal Tamaño prêt2"))
    assert [(token.kind, token.text) for token in found[:-1]] == [
        (LOWER, "señal"), (UPPER, "Tamaño"), (LOWER, "prêt2"),
    ]  # fmt: skip
