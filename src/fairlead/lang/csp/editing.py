"""CSP# for editors."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable

from fairlead.base.diagnostics import FairleadError
from fairlead.base.source import Source
from fairlead.lang.csp.editing_names import ANNOTATIONS, FORMULA_WORDS, RESERVED, Reader, formulas, pieces_of
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.recovering import declaration_parts
from fairlead.lang.csp.roles import ASSERTION_WORDS
from fairlead.lang.editing import (
    TEMPORAL_OPERATORS,
    Analysis,
    Extent,
    Place,
    Symbol,
    SymbolKind,
    TokenKind,
    Words,
)
from fairlead.lang.formatting import Style, formatted
from fairlead.lang.lexemes import Bracketed, bracketed, code_of, in_words_of_nobody

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOP = ("var", "hvar", "counter", "channel", "enum")
_DIRECTIVES = ("#define", "#assert", "#alphabet", "#include", "#import")
_PROCESS_WORDS = ("Skip", "Stop", "if", "ifa", "ifb", "else", "case", "default", "atomic", "interrupt", "tau")
_PROCESS_OPERATORS = (
    ("->", "then"),
    ("[]", "choice"),
    ("<>", "internal choice"),
    ("[*]", "external choice"),
    ("|||", "interleaving"),
    ("||", "in parallel, with events in common"),
    (";", "then, once it has ended"),
    ("\\", "hiding"),
)
_EXPRESSION_WORDS = ("true", "false", "call", "new", "xor")
_FORMULA_OPERATORS = (
    *TEMPORAL_OPERATORS,
    ("R", "release"),
    ("enabled", "a process or an event can take a step"),
    ("executed", "a process or an event has taken the step"),
)
_WORDS = {
    Place.TOP: Words((*_TOP, *_DIRECTIVES)),
    Place.PROCESS: Words(_PROCESS_WORDS, _PROCESS_OPERATORS),
    Place.EXPRESSION: Words(_EXPRESSION_WORDS),
    Place.PROGRAM: Words(("var", "if", "else", "while", "assert", *_EXPRESSION_WORDS)),
    Place.FORMULA: Words(("true", "false"), _FORMULA_OPERATORS),
    Place.QUESTION: Words((*ASSERTION_WORDS, "with"), (("|=", "satisfies a formula"),)),
}


#: operators with a blank on either side
_SPACED = frozenset(
    ("->", "=", "==", "!=", "<=", ">=", "&&", "||", "|||", "[]", "<>", "[*]", "|=", "@", "\\", "interrupt")
)


def _is_in_formula(text: str) -> Callable[[Bracketed, int], bool]:
    """Says which pieces are in formulas, where blanks are a matter of taste: `[]<> a`."""
    found = list(formulas(bracketed(text, pieces_of(text))))

    def is_inside(pieces: Bracketed, index: int) -> bool:
        start = pieces.pieces[index].start
        place = bisect_left(found, (start + 1, 0)) - 1
        return place >= 0 and start < found[place][1]

    return is_inside


class CspEditing:
    """What editors ask about CSP#."""

    language = "CSP#"
    #: words that would mean something else in some place count as well
    reserved = RESERVED | FORMULA_WORDS | ANNOTATIONS | frozenset((*ASSERTION_WORDS, "counter", "terminate"))

    def analyse(self, text: str, outer: Callable[[str], Symbol | None]) -> Analysis:
        """The names and tokens of a text."""
        return Reader(text, outer).analysis()

    def is_name(self, text: str, kind: SymbolKind) -> bool:
        """All names look the same."""
        return _NAME.fullmatch(text) is not None

    def words(self, place: Place) -> Words:
        """The keywords and operators of a place."""
        return _WORDS.get(place, Words())

    def formatted(self, text: str) -> str:
        """The text with its blanks in order."""
        source = Source("", text)
        try:
            parse_specification(source)
        except FairleadError:
            return text
        parts = [Extent(start, end) for start, end in declaration_parts(source)]
        style = Style(pieces_of, _SPACED, lambda pieces, index: False, _is_in_formula(text))
        return formatted(text, style, parts)

    def place(self, analysis: Analysis, offset: int) -> Place:
        """What can be written at an offset."""
        if in_words_of_nobody(analysis, offset):
            return Place.NOTHING
        pieces = code_of(analysis)
        index = bisect_left(pieces.starts, offset)
        if any(start <= offset <= end for start, end in formulas(pieces)):
            return Place.FORMULA
        if index and pieces.word(index - 1) == "[]" and pieces.pieces[index - 1].end > offset:
            return Place.EXPRESSION  # between the brackets of a guard that is just begun
        if index and pieces.is_name(index - 1) and pieces.pieces[index - 1].end >= offset:
            index -= 1  # the word that is being typed
        elif index and pieces.pieces[index - 1].kind is TokenKind.KEYWORD:
            index -= pieces.pieces[index - 1].end == offset
        start = next((part.start for part in reversed(analysis.parts) if part.start < offset), None)
        first = index if start is None else bisect_left(pieces.starts, start)
        return _place(pieces, first, index, offset)


def _place(pieces: Bracketed, first: int, index: int, offset: int) -> Place:
    """The place before piece `index` of the declaration that begins with piece `first`."""
    if index <= first:
        return Place.TOP
    before = pieces.word(index - 1)
    if before == "#" and pieces.parent[index - 1] < 0 and pieces.word(index - 2) in ("", ";"):
        return Place.TOP  # a directive that is just begun
    if before == ";" and pieces.parent[index - 1] < 0:
        is_line = "\n" in pieces.text[pieces.pieces[index - 1].end : offset]
        is_process = pieces.is_name(first)
        return Place.PROCESS if is_process and not is_line else Place.TOP
    match pieces.word(first), pieces.word(first + 1):
        case "#", "assert":
            at_start = index == first + 2 or before in ("refines", ">")
            return Place.PROCESS if at_start else _in_brackets(pieces, index, Place.QUESTION)
        case "#", "define":
            return Place.NEW_NAME if index == first + 2 else _in_brackets(pieces, index, Place.EXPRESSION)
        case "#", "alphabet":
            return Place.PROCESS if index == first + 2 else Place.EVENTS
        case "#", _:
            return Place.TOP if index == first + 1 else Place.NOTHING
        case (("var" | "hvar" | "channel" | "counter" | "enum"), _):
            is_new = index == first + 1 or pieces.word(first) == "enum"
            return Place.NEW_NAME if is_new else Place.EXPRESSION
    equals = next((at for at in range(first, index) if pieces.word(at) == "="), None)
    return Place.NEW_NAME if equals is None else _in_brackets(pieces, index, Place.PROCESS)


def _in_brackets(pieces: Bracketed, index: int, outside: Place) -> Place:
    before = pieces.word(index - 1)
    if before in (".", "!", "?", ":") and outside is Place.PROCESS:
        return Place.EXPRESSION
    opening = pieces.parent[index] if index < len(pieces.pieces) else _open_at_end(pieces)
    while opening >= 0 and pieces.word(opening) == "(" and not _is_call(pieces, opening):
        opening = pieces.parent[opening]  # it only groups
    if opening < 0:
        return outside
    match pieces.word(opening), pieces.word(opening - 1):
        case "[" | "(", _:
            return Place.EXPRESSION
        case _, ":" | "|||":
            return Place.EXPRESSION
        case _, "\\":
            return Place.EVENTS
        case _, ")" | "else" | "atomic" | "case" if outside is Place.PROCESS and _holds_process(
            pieces, opening
        ):
            return Place.PROCESS
    return Place.PROGRAM if outside is Place.PROCESS else outside


def _open_at_end(pieces: Bracketed) -> int:
    if not pieces.pieces:
        return -1
    last = len(pieces.pieces) - 1
    is_open = pieces.word(last) in ("(", "[", "{")
    return last if is_open else pieces.parent[last]


def _is_call(pieces: Bracketed, opening: int) -> bool:
    before = pieces.word(opening - 1)
    return pieces.is_name(opening - 1) or before in ("if", "ifa", "ifb", "while", "call", "assert")


def _holds_process(pieces: Bracketed, opening: int) -> bool:
    if pieces.word(opening - 1) != ")":
        return True
    condition = pieces.partner[opening - 1]
    return pieces.word(condition - 1) in ("if", "ifa", "ifb")


EDITING = CspEditing()
