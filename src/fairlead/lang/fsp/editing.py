"""Analyses FSP texts for editors."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from fairlead.base.diagnostics import FairleadError
from fairlead.base.source import Source
from fairlead.lang.editing import TEMPORAL_OPERATORS, Analysis, Place, Symbol, SymbolKind, Words
from fairlead.lang.formatting import Style, formatted
from fairlead.lang.fsp.editing_names import BUILT_IN, FORMULA_WORDS, MODIFIERS, Reader, part_at, pieces_of
from fairlead.lang.fsp.lexing import RESERVED
from fairlead.lang.fsp.parse import parse
from fairlead.lang.lexemes import Bracketed, code_of, in_words_of_nobody

_LOWER_KINDS = (SymbolKind.EVENT, SymbolKind.INDEX)
_UPPER, _LOWER = re.compile(r"[A-Z]\w*", re.ASCII), re.compile(r"[a-z_]\w*", re.ASCII)
_TOP = ("const", "range", "set", "progress", "fluent", "assert", "constraint", "menu", "import", *MODIFIERS)
_WORDS = {
    Place.TOP: Words(_TOP),
    Place.PROCESS: Words(
        ("when", "if", "then", "else", "forall", *sorted(BUILT_IN)),
        (
            ("->", "then"),
            ("|", "or"),
            ("||", "in parallel"),
            ("::", "shared by"),
            ("\\", "hiding"),
            ("@", "hiding all others"),
            ("<<", "with high priority"),
            (">>", "with low priority"),
        ),
    ),
    Place.EXPRESSION: Words(),
    Place.FORMULA: Words(
        ("forall", "exists", "rigid"),
        TEMPORAL_OPERATORS,
    ),
}
_FORMULAS, _LABELS = ("assert", "constraint"), ("set", "progress", "fluent", "menu")


#: operators with a blank on either side
_SPACED = frozenset(("->", "=", "==", "!=", "<=", ">=", "&&", "||", "|", "<->"))


def _begins_local(pieces: Bracketed, index: int) -> bool:
    """Whether a local process is defined here: it stands at the margin as the process does."""
    return pieces.parent[index] < 0 and pieces.word(index - 1) == "," and pieces.is_name(index)


def _is_kept(pieces: Bracketed, index: int) -> bool:
    """Where both ways are common: sets, sequences, defaults; the bars before the name of a composite."""
    opening = pieces.parent[index]
    match pieces.word(index):
        case "||":
            return opening < 0
        case ",":
            return pieces.word(opening) == "{"
        case "=":
            return opening >= 0
        case word:
            return word == ";"


class FspEditing:
    """What editors ask about FSP."""

    language = "FSP"
    reserved = RESERVED | BUILT_IN | FORMULA_WORDS | frozenset(("tau", "any"))

    def analyse(self, text: str, outer: Callable[[str], Symbol | None]) -> Analysis:
        """The names and tokens of a text; FSP includes no others."""
        return Reader(text).analysis()

    def is_name(self, text: str, kind: SymbolKind) -> bool:
        """Actions and variables begin with a lower-case letter, all others with an upper-case one."""
        return (_LOWER if kind in _LOWER_KINDS else _UPPER).fullmatch(text) is not None

    def words(self, place: Place) -> Words:
        """The keywords and operators of a place."""
        return _WORDS.get(place, Words())

    def formatted(self, text: str) -> str:
        """The text with its blanks in order."""
        try:
            parse(Source("", text))
        except FairleadError:
            return text
        parts = self.analyse(text, lambda _: None).parts
        return formatted(text, Style(pieces_of, _SPACED, _begins_local, _is_kept), parts)

    def place(self, analysis: Analysis, offset: int) -> Place:
        """What can be written at an offset."""
        if in_words_of_nobody(analysis, offset):
            return Place.NOTHING
        pieces = code_of(analysis)
        index = bisect_left(pieces.starts, offset)
        if index and pieces.pieces[index - 1].end >= offset and pieces.word(index - 1)[0].isalpha():
            index -= 1
        part = part_at(analysis.parts, offset - 1)
        first = index if part is None else bisect_left(pieces.starts, part.start)
        while pieces.word(first) in MODIFIERS:
            first += 1
        if index <= first:
            return Place.TOP
        word = pieces.word(first)
        if pieces.word(index - 1) == "." and "\n" in analysis.text[pieces.pieces[index - 1].end : offset]:
            return Place.TOP
        if not any(pieces.word(at) == "=" and pieces.parent[at] < 0 for at in range(first, index)):
            return Place.NEW_NAME if index == first + 1 else Place.EXPRESSION
        opening = pieces.parent[min(index, len(pieces.pieces) - 1)]
        if opening >= 0 and pieces.word(opening) == "[":
            return Place.EXPRESSION
        if word in _FORMULAS:
            return Place.FORMULA
        if word in _LABELS:
            return Place.EVENTS
        return Place.EXPRESSION if word in ("const", "range") else Place.PROCESS


EDITING = FspEditing()
