"""From the text of an FSP model to tokens."""

from __future__ import annotations

import re

from fairlead.base.diagnostics import Code, InputError, Replacement, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.lang import complaints
from fairlead.lang.complaints import number_too_large, shortened
from fairlead.model.types import INT_MAX

# the kinds of tokens that are neither symbols nor reserved words; those have their own text as their kind
UPPER = "upper-case name"
LOWER = "lower-case name"
INTEGER = "number"
STRING = "string"
END_OF_TEXT = "end of the text"

# fmt: off
RESERVED = frozenset((
    "const", "property", "range", "if", "then", "else", "forall", "when", "set", "progress", "menu",
    "animation", "actions", "controls", "deterministic", "minimal", "compose", "target", "import", "assert",
    "fluent", "exists", "rigid", "constraint", "initially",
))
# a symbol stands before every symbol that it begins with
_SYMBOLS = (
    "<->", "->", "..", "::", "||", "&&", "!=", "==", "<=", "<<", "<>", ">=", ">>", "[]",
    ":", "|", "&", "!", "=", "<", ">", "+", "-", "*", "/", "%", "^", "@", "\\", "'", "#", ",", ";", ".",
    "(", ")", "{", "}", "[", "]",
)
# characters that word processors and papers have in the place of those of FSP
_LOOK_ALIKES = {
    "\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u2192": "->", "\u2194": "<->",
    "\u2013": "-", "\u2212": "-", "\u2225": "||", "\u2016": "||", "\u2026": "..", "\u2260": "!=",
    "\u2264": "<=", "\u2265": ">=", "\u2227": "&&", "\u2228": "||", "\u00ac": "!", "\u25a1": "[]",
    "\u25c7": "<>", "\u2200": "forall", "\u2203": "exists",
}
# fmt: on

_PATTERN = re.compile(
    r"(?P<BLANK>\s+|//[^\n]*|/\*[\s\S]*?\*/)"
    r"|(?P<UPPER>[A-Z]\w*)"
    r"|(?P<LOWER>[a-z_]\w*)"
    r"|(?P<INTEGER>0[xX][0-9A-Fa-f]*|[0-9]+)"
    r'|(?P<STRING>"[^"\n]*")'
    r"|(?P<OPEN_COMMENT>/\*)"
    rf"|(?P<SYMBOL>{'|'.join(map(re.escape, _SYMBOLS))})"
)


@dataclass(slots=True)
class Token:
    """A piece of the text; the kind of a symbol or of a reserved word is its text."""

    kind: str
    text: str
    start: int
    end: int


def lex(source: Source, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a text, or of a part of it; the last one is the end, just after the one before it."""
    text = source.text
    end = len(text) if end is None else end
    position = start + 1 if text.startswith("\ufeff", start, end) else start
    tokens: list[Token] = []
    while position < end:
        match = _PATTERN.match(text, position, end)
        if match is not None and match.lastgroup == "OPEN_COMMENT":
            break  # it runs to the end of the text, as in LTSA (`unclosed_comment` tells)
        if match is None:
            raise _not_a_token(source, position)
        group, word = match.lastgroup, match.group()
        first, position = position, match.end()
        if group == "BLANK":
            continue
        if group == "SYMBOL":
            kind = word
        elif group == "UPPER":
            kind = UPPER
        elif group == "LOWER":
            kind = word if word in RESERVED else LOWER
        elif group == "INTEGER":
            kind = INTEGER
        else:
            kind = STRING
        tokens.append(Token(kind, word, first, position))
    last = tokens[-1].end if tokens else end
    tokens.append(Token(END_OF_TEXT, "", last, last))
    return tokens


def unclosed_comment(source: Source) -> Span | None:
    """Where a comment begins that goes to the end of the text."""
    position = 0
    while match := _PATTERN.match(source.text, position):
        if match.lastgroup == "OPEN_COMMENT":
            return source.span(position, match.end())
        position = match.end()
    return None


def integer_value(source: Source, token: Token) -> int:
    """The value of a number: `0x1F` is hexadecimal, and one that begins with 0 is octal."""
    digits = token.text
    span = source.span(token.start, token.end)
    base = 16 if digits[1:2] in ("x", "X") else 8 if digits[0] == "0" else 10
    significant = (digits[2:] if base == 16 else digits).lstrip("0")
    if base == 8 and not set(significant) <= set("01234567"):
        hint = f"a number that begins with 0 is octal; the decimal one is {shortened(significant)}"
        raise input_error(Code.SYNTAX, f"'{shortened(digits)}' is not an octal number", span, hint)
    # a text of more than 11 digits is too large in any of the bases; its value may be too long to compute
    value = int(significant or "0", base) if len(significant) <= 11 else INT_MAX + 1
    if value > INT_MAX:
        raise number_too_large(digits, span)
    return value


def _not_a_token(source: Source, position: int) -> InputError:
    meant = _LOOK_ALIKES.get(source.text[position])
    hint = None if meant is None else Replacement(f"write {meant}", source.text[position], meant)
    return complaints.not_a_token(source, position, "FSP", hint)
