"""Splits the text of a Promela model into tokens; the preprocessor (`preprocessor.py`) works on these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import END_IN_WORDS, comment_not_closed, not_a_token, number_too_large
from fairlead.model.types import INT_MAX

NAME, NUMBER, STRING, OPERATOR, NEWLINE, EMBEDDED, END = (
    "name",
    "number",
    "string",
    "operator",
    "newline",
    "embedded C",
    "end",
)

# fmt: off
#: the words that no name can be
KEYWORDS = frozenset(
    (
        "active", "assert", "atomic", "bit", "bool", "break", "byte", "chan", "d_step", "D_proctype", "do",
        "else", "empty", "enabled", "eval", "false", "fi", "full", "goto", "hidden", "if", "init",
        "inline", "int", "len", "local", "ltl", "mtype", "nempty", "never", "nfull", "notrace", "np_",
        "od", "of", "pc_value", "pid", "printf", "printm", "proctype", "provided", "return", "run",
        "short", "show", "skip", "timeout", "trace", "true", "typedef", "unless", "unsigned", "xr", "xs",
        "get_priority", "set_priority", "c_code", "c_decl", "c_expr", "c_state", "c_track", "for",
        "select",
    )
)
# fmt: on
#: constructs of embedded C
C_WORDS = frozenset(("c_code", "c_decl", "c_expr", "c_state", "c_track"))

_PATTERN = re.compile(
    r"""(?P<blank>(?:[ \t\r\f\v]|\\\r?\n)+)
    |(?P<comment>/\*.*?\*/|//(?:\\\r?\n|[^\n])*)
    |(?P<newline>\n)
    |(?P<number>[0-9]\w*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<character>'(?:[^'\\\n]|\\.)')
    |(?P<operator><->|->|--|\+\+|<<|>>|<=|>=|==|!=|&&|\|\||<>|!!|\?\?|\.\.|::|\#\#|[-+*/%<>=!&|^~?:;,.()\[\]{}@\#])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "b": 8, "f": 12, "v": 11, "a": 7}


class Token(NamedTuple):
    """A token; what a macro stands for has the place where the macro is used."""

    kind: str
    text: str
    span: Span
    value: int = 0
    #: whether a blank or a line end stands before it
    is_apart: bool = True

    @property
    def shown(self) -> str:
        """How messages name it."""
        return END_IN_WORDS if self.kind is END else f"'{self.text}'"


def tokens_of(source: Source) -> Iterator[Token]:
    """The tokens of a text with its line ends, and END; a character that begins no token is `unknown`."""
    text, at = source.text, 0
    is_apart = True
    while at < len(text):
        found = _PATTERN.match(text, at)
        if text.startswith("/*", at) and (found is None or found.lastgroup != "comment"):
            raise comment_not_closed(source.span(at, at + 2))
        if found is None:
            yield Token("unknown", text[at], source.span(at, at + 1))
            at += 1
            continue
        kind, piece = found.lastgroup or "", found.group()
        start, at = at, found.end()
        if kind in ("blank", "comment"):
            is_apart = True
            continue
        span = source.span(start, at)
        if kind == "number":
            yield Token(NUMBER, piece, span, _number(piece, span), is_apart)
        elif kind == "character":
            yield Token(NUMBER, piece, span, _character(piece), is_apart)
        elif kind == "name":
            if piece in C_WORDS:
                at = _end_of_embedded(text, at)
                yield Token(EMBEDDED, piece, span, 0, is_apart)
            else:
                yield Token(NAME, piece, span, 0, is_apart)
        else:
            yield Token(kind, piece, span, 0, is_apart)
        is_apart = kind == "newline"
    yield Token(END, "", source.span(len(text), len(text)))


def complain(token: Token) -> None:
    """Raises the error for a character that begins no token."""
    raise not_a_token(token.span.source, token.span.start, "Promela", None)


def _number(piece: str, span: Span) -> int:
    if not piece.isdigit():
        raise input_error(Code.SYNTAX, f"'{piece}' is neither a number nor a name", span)
    digits = piece.lstrip("0") or "0"
    if len(digits) > len(str(INT_MAX)) or int(digits) > INT_MAX:
        raise number_too_large(piece, span)
    return int(digits)


def _character(piece: str) -> int:
    inside = piece[1:-1]
    if inside.startswith("\\"):
        return _ESCAPES.get(inside[1], ord(inside[1]))
    return ord(inside)


def _end_of_embedded(text: str, at: int) -> int:
    """Where a construct of embedded C ends: behind its braces, or its strings."""
    depth, start = 0, at
    while at < len(text):
        character = text[at]
        if character in "\"'":
            at += 1
            while at < len(text) and text[at] not in (character, "\n"):
                at += 2 if text[at] == "\\" else 1
        elif text.startswith("/*", at):
            end = text.find("*/", at)
            at = len(text) if end < 0 else end + 1
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth <= 0 and character == "}":
                return at + 1
        elif character == "\n" and depth == 0 and text[start:at].strip():
            return at
        at += 1
    return at
