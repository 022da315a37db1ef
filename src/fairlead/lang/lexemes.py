"""Texts in pieces, for editors: any text, however broken, with its comments; shared by the languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.lang.editing import Analysis, Extent, Lexeme, TokenKind

#: a comment, be it closed or not
COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
_OPENING, _CLOSING = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")


def pattern(name: str, number: str, operators: Sequence[str]) -> re.Pattern[str]:
    """The pieces of a language: what names and numbers look like, and the operators, longest first."""
    listed = "|".join(re.escape(operator) for operator in sorted(operators, key=len, reverse=True))
    return re.compile(
        rf"(?P<BLANK>[\s\ufeff]+)|(?P<COMMENT>{COMMENT})|(?P<NAME>{name})|(?P<NUMBER>{number})"
        rf'|(?P<STRING>"[^"\n]*"?)|(?P<OPERATOR>{listed})|(?P<BRACKET>[()\[\]{{}}])|(?P<UNKNOWN>[\s\S])'
    )


def lexemes(text: str, pieces: re.Pattern[str], keywords: frozenset[str]) -> list[Lexeme]:
    """All pieces of a text but the blanks."""
    kinds = {kind.name: kind for kind in TokenKind}
    found: list[Lexeme] = []
    for match in pieces.finditer(text):
        group = match.lastgroup
        if group == "BLANK" or group is None:
            continue
        word = match.group()
        kind = TokenKind.KEYWORD if group == "NAME" and word in keywords else kinds[group]
        found.append(Lexeme(kind, word, match.start(), match.end()))
    return found


@dataclass(frozen=True)
class Bracketed:
    """Pieces without comments, with the bracket around each.

    `partner[i]` is the piece that closes or opens bracket i, or -1; `parent[i]` the innermost open bracket
    around piece i, or -1. What does not match is taken as it comes.
    """

    text: str
    pieces: tuple[Lexeme, ...]
    partner: tuple[int, ...]
    parent: tuple[int, ...]

    def word(self, index: int) -> str:
        """The text of a piece, and nothing beyond either end."""
        return self.pieces[index].text if 0 <= index < len(self.pieces) else ""

    def is_name(self, index: int) -> bool:
        """Whether a piece is a name."""
        return 0 <= index < len(self.pieces) and self.pieces[index].kind is TokenKind.NAME

    def extent(self, index: int) -> Extent:
        """The place of a piece."""
        return Extent(self.pieces[index].start, self.pieces[index].end)

    def after(self, index: int) -> int:
        """The piece after the bracket that closes the one at `index`; the next piece, if none does."""
        is_opening = index < len(self.partner) and self.partner[index] > index
        return self.partner[index] + 1 if is_opening else index + 1

    def end_around(self, index: int, last: int) -> int:
        """The offset where the bracket around a piece closes, or an offset that is given."""
        opening = self.parent[index]
        closing = self.partner[opening] if opening >= 0 else -1
        return self.pieces[closing].start if closing > index else last

    @cached_property
    def starts(self) -> list[int]:
        """Where the pieces begin."""
        return [piece.start for piece in self.pieces]


def bracketed(text: str, found: Sequence[Lexeme]) -> Bracketed:
    """The pieces that are not comments, with their brackets matched as far as they match."""
    pieces = tuple(piece for piece in found if piece.kind is not TokenKind.COMMENT)
    partner, parent = [-1] * len(pieces), [-1] * len(pieces)
    opened: list[int] = []
    for index, piece in enumerate(pieces):
        if piece.kind is TokenKind.BRACKET and piece.text in _CLOSING:
            # a bracket that closes nothing, or an outer one, ends what stands in between
            match = next((place for place in reversed(opened) if _closes(pieces[place], piece)), -1)
            if match >= 0:
                while opened.pop() != match:
                    pass
                partner[match], partner[index] = index, match
        parent[index] = opened[-1] if opened else -1
        if piece.kind is TokenKind.BRACKET and piece.text in _OPENING:
            opened.append(index)
    return Bracketed(text, pieces, tuple(partner), tuple(parent))


def code_of(analysis: Analysis) -> Bracketed:
    """The pieces of an analysed text that are not comments; found once."""
    known = vars(analysis)
    if "code" not in known:
        known["code"] = bracketed(analysis.text, analysis.lexemes)
    found = known["code"]
    assert isinstance(found, Bracketed)
    return found


def _closes(opening: Lexeme, closing: Lexeme) -> bool:
    return _OPENING[opening.text] == closing.text


def folds(inner: Bracketed, found: Sequence[Lexeme], parts: Sequence[Extent]) -> tuple[Extent, ...]:
    """What can be folded: declarations, brackets and comments of several lines."""
    text = inner.text
    candidates = list(parts)
    for index, partner in enumerate(inner.partner):
        if partner > index:
            candidates.append(Extent(inner.pieces[index].start, inner.pieces[partner].end))
    candidates += _comments(text, found)
    several = {one for one in candidates if "\n" in text[one.start : one.end]}
    return tuple(sorted(several, key=lambda one: (one.start, -one.end)))


def _comments(text: str, found: Sequence[Lexeme]) -> list[Extent]:
    """The comments; those of one line that follow each other are one."""
    joined: list[Extent] = []
    for piece in found:
        if piece.kind is not TokenKind.COMMENT:
            continue
        if joined and not text[joined[-1].end : piece.start].strip():
            joined[-1] = Extent(joined[-1].start, piece.end)
        else:
            joined.append(Extent(piece.start, piece.end))
    return joined


def in_words_of_nobody(analysis: Analysis, offset: int) -> bool:
    """Whether an offset is in a comment or a string, or at the end of one that is not closed."""
    for piece in analysis.lexemes:
        if piece.start < offset <= piece.end and piece.kind in (TokenKind.COMMENT, TokenKind.STRING):
            is_closed = len(piece.text) > 1 and piece.text.endswith(("*/", '"'))
            return offset < piece.end or not is_closed
    return False


def shortened(text: str, most: int = 60) -> str:
    """A part of a text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
