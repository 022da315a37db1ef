"""The tokens of formulas, and a place among them that says what was expected there."""

from __future__ import annotations

import re
from collections.abc import Set
from enum import Enum
from typing import NoReturn

from fairlead.base.diagnostics import Code, Replacement, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span

_BLANK = r"[ \t\r\n\f\v]+ | //[^\n]* | /\*.*?\*/"
_TOKEN = re.compile(
    rf"""
      (?P<blank>    {_BLANK} )
    | (?P<name>     [A-Za-z_][A-Za-z0-9_]*(?!∞) )
    | (?P<number>   [0-9]+ )
    | (?P<quoted>   "[^"\n]*" )
    | (?P<symbol>   <-> | -> | \[\] | <> | && | \|\| | /\\ | \\/ | == | != | <= | >= | [FG]∞
                  | [-+*/%<>!().,:\[\]] )
    """,
    re.VERBOSE | re.DOTALL,
)
# what stands between the parentheses of enabled(…): quotations and comments hide parentheses
_PIECE = re.compile(rf'(?P<blank>(?:{_BLANK})+) | (?P<quoted>"[^"\n]*") | .', re.VERBOSE | re.DOTALL)

QUOTED_EVENTS = "channel events are written in double quotes"
_AND = "write && for 'and'"
_OR = "write || for 'or'"
_NOT = "write ! for 'not'"
_IMPLIES = "write -> for 'implies'"
_IFF = "write <-> for 'iff'"
# what people write who come from other notations
_HINTS = {
    "&": _AND,
    "|": _OR,
    "=": "write == to compare",
    "=>": _IMPLIES,
    "==>": _IMPLIES,
    "-->": _IMPLIES,
    "<=>": _IFF,
    "<==>": _IFF,
    "=<": "write <= for 'at most'",
    "~": _NOT,
    "^": _AND,
    "|=": "give the formula alone, and its process with --process",
    "→": _IMPLIES,
    "↔": _IFF,
    "¬": _NOT,
    "∧": _AND,
    "∨": _OR,
    "□": "write [] or G for 'always'",
    "◇": "write <> or F for 'eventually'",
}
#: where the hint is definite, what to write instead
_MEANT = {
    text: operator
    for operator, hint in (("&&", _AND), ("||", _OR), ("!", _NOT), ("->", _IMPLIES), ("<->", _IFF))
    for text in _HINTS
    if _HINTS[text] == hint
} | {"=": "==", "=<": "<="}
_FOREIGN = re.compile(r"<==?>|==>|-->|=>|=<|\|=|&|\||=|~|\^|[→↔¬∧∨□◇]")


class Kind(Enum):
    """The kinds of tokens."""

    NAME = "name"
    NUMBER = "number"
    QUOTED = "quoted"
    SYMBOL = "symbol"
    CALL = "call"  # enabled(x): one token, because only the model can read x
    END = "end"


@dataclass(frozen=True)
class Token:
    """A word, number, quotation or symbol; of a call, `subject` is what stands between the parentheses."""

    kind: Kind
    text: str
    span: Span
    subject: str = ""

    def __str__(self) -> str:
        return "the end of the formula" if self.kind is Kind.END else f"'{self.text}'"


def tokens(source: Source, start: int, end: int, calls: Set[str]) -> list[Token]:
    """The tokens from offset `start` to `end`, and one of kind END; `calls` are names like `enabled`."""
    found: list[Token] = []
    offset = start
    while offset < end:
        foreign = _FOREIGN.match(source.text, offset, end)
        match = _TOKEN.match(source.text, offset, end)
        # `==` and `||` begin like foreign spellings: the longer match is what the author typed
        if foreign and (match is None or foreign.end() > match.end()):
            text = foreign.group()
            span = source.span(offset, foreign.end())
            hint = _HINTS[text]
            if text in _MEANT:
                hint = Replacement(hint, text, _MEANT[text])
            raise input_error(Code.FORMULA, f"'{text}' is not an operator of temporal logic", span, hint)
        if match is None:
            _unreadable(source, offset, end)
        if match.lastgroup == "blank":
            offset = match.end()
            continue
        token = Token(Kind(match.lastgroup), match.group(), source.span(offset, match.end()))
        if token.text in calls and not (found and found[-1].text == "."):
            token = _call(source, token, end)
        found.append(token)
        offset = token.span.end
    found.append(Token(Kind.END, "", source.span(end, end)))
    return found


def _call(source: Source, name: Token, end: int) -> Token:
    """The name with the parentheses after it, if there are any: else just the name."""
    opening = name.span.end
    while (match := _PIECE.match(source.text, opening, end)) and match.lastgroup == "blank":
        opening = match.end()
    if match is None or match.group() != "(":
        return name
    parts: list[str] = []
    depth, offset = 1, opening + 1
    while match := _PIECE.match(source.text, offset, end):
        piece = match.group()
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if depth == 0:
            break
        if match.lastgroup == "quoted":
            piece = f'"{piece[1:-1].strip()}"'
        parts.append(" " if match.lastgroup == "blank" else piece)
        offset = match.end()
    else:
        raise input_error(Code.FORMULA, "this parenthesis is never closed", source.span(opening, opening + 1))
    span = source.span(name.span.start, offset + 1)
    subject = _without_blanks(parts)
    if subject in ("", '""'):
        message = f"there is no process or event between the parentheses of '{name.text}'"
        raise input_error(Code.FORMULA, message, span, f"for example {name.text}(P)")
    return Token(Kind.CALL, f"{name.text}({subject})", span, subject)


def _without_blanks(parts: list[str]) -> str:
    """The pieces joined, with a blank only where two words would run together."""
    text = ""
    for place, part in enumerate(parts):
        is_between = 0 < place < len(parts) - 1
        if part != " " or (is_between and _is_word(parts[place - 1]) and _is_word(parts[place + 1])):
            text += part
    return text


def _is_word(piece: str) -> bool:
    return piece.isalnum() or piece == "_"


def _unreadable(source: Source, offset: int, end: int) -> NoReturn:
    character = source.text[offset]
    if character == '"':
        message, hint = "this quotation is not closed on its line", 'write "c!1" for the event c!1'
        line_end = source.text.find("\n", offset, end)
        raise input_error(Code.FORMULA, message, source.span(offset, end if line_end < 0 else line_end), hint)
    span = source.span(offset, offset + 1)
    if character == "?":
        hint_text: str | None = f'{QUOTED_EVENTS}: "c?1"'
    else:
        hint_text = None
    raise input_error(
        Code.FORMULA, f"the character '{character}' cannot be part of a formula", span, hint_text
    )


class Cursor:
    """A place among the tokens of a formula."""

    def __init__(self, source: Source, found: list[Token]) -> None:
        self.source = source
        self.tokens = found
        self.next = 0

    @property
    def token(self) -> Token:
        """The token that is read next."""
        return self.tokens[self.next]

    @property
    def following(self) -> Token:
        """The token after that; at the end, the end."""
        return self.tokens[min(self.next + 1, len(self.tokens) - 1)]

    def advance(self) -> Token:
        """Reads a token."""
        token = self.tokens[self.next]
        self.next += 1
        return token

    def fail(self, expected: str, hint: str | None = None) -> NoReturn:
        """Ends the work because the next token is not what is expected."""
        raise input_error(Code.FORMULA, f"found {self.token}, expected {expected}", self.token.span, hint)
