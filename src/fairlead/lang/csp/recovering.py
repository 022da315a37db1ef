"""Splits a text with mistakes into declarations, so that each is read by itself.

Declarations are found by how they begin: `#`, `var`, `channel` and similar words, and `P(…) =`. Where all
brackets match, only what stands outside of them counts; else only what begins a line does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fairlead.base.diagnostics import Diagnostic, InputError
from fairlead.base.records import dataclass
from fairlead.base.source import Source
from fairlead.lang.csp.lexing import DIRECTIVES, END_OF_TEXT, Lexed, lex
from fairlead.lang.csp.parse import parse_declarations
from fairlead.lang.csp.syntax import Declaration

_WORDS = ("VAR", "HVAR", "CHANNEL", "ENUM")
#: what begins a declaration at the beginning of a line, whatever the brackets before are
_BEGINNING = re.compile(
    rf"^(?:#\s*(?:{'|'.join(sorted(DIRECTIVES))})\b|(?:var|hvar|channel|enum)\b|counter\s+\w"
    r"|[A-Z]\w*\s*(?:\([\w\s,:.{}]*\))?\s*=(?!=))",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
#: words of a declaration that are not the name that it declares
_NOT_NAMES = {"var", "hvar", "channel", "enum", "counter", *DIRECTIVES}


@dataclass(frozen=True)
class Recovered:
    """The declarations that can be read, what is wrong with the others, and what those may declare."""

    declarations: tuple[Declaration, ...]
    problems: tuple[Diagnostic, ...]
    missing: frozenset[str]


def recover(source: Source, error: InputError) -> Recovered:
    """Reads each declaration by itself; `error` is what reading them all together said."""
    declarations: list[Declaration] = []
    problems = list(error.diagnostics)
    missing: set[str] = set()
    places = [span for span in _places(error) if span is not None]
    for start, end in declaration_parts(source):
        is_known = any(start <= place < end for place in places)
        try:
            declarations += parse_declarations(source, start, end)
        except InputError as other:
            missing |= _declared(source.text[start:end])
            if not is_known:
                problems += other.diagnostics
    return Recovered(tuple(declarations), tuple(problems), frozenset(missing))


def _places(error: InputError) -> Iterator[int]:
    """Where the problems are, and what was read just before: the mistake may be there."""
    for problem in error.diagnostics:
        for span in (problem.span, *(other.span for other in problem.related)):
            if span is not None:
                yield span.start
                yield len(span.source.text[: span.start].rstrip()) - 1


def declaration_parts(source: Source) -> Iterator[tuple[int, int]]:
    """Where each declaration begins and ends; what stands before the first is none."""
    try:
        lexed = lex(source)
    except InputError:
        starts = [match.start() for match in _BEGINNING.finditer(source.text)]
    else:
        starts = [lexed.tokens[index].start for index in _beginnings(lexed)]
    yield from pairwise((*starts, len(source.text)))


def _beginnings(lexed: Lexed) -> Iterator[int]:
    """The tokens that begin a declaration."""
    for index, token in enumerate(lexed.tokens):
        if lexed.parent[index] != -1 or token.kind == END_OF_TEXT:
            continue
        before = lexed.kind(index - 1)
        if token.kind in _WORDS:
            yield index
        elif token.kind == "HASH":
            if lexed.text(index + 1) in DIRECTIVES:
                yield index
        elif token.text == "counter" and lexed.kind(index + 1) in ("ID", "LT"):
            yield index
        elif token.kind == "ID" and before not in ("ID", "COMMA", *_WORDS, "GT", "RBRACK"):
            following = lexed.after(index + 1) if lexed.kind(index + 1) == "LPAR" else index + 1
            if lexed.kind(following) == "ASSIGN" and lexed.text(index - 1) not in DIRECTIVES:
                yield index


def _declared(text: str) -> set[str]:
    """The names that a declaration which cannot be read may declare."""
    head = text.split("=", 1)[0]
    names = [name for name in _NAME.findall(head) if name not in _NOT_NAMES]
    is_list = text.lstrip().startswith("enum") or "," in text.split(";", 1)[0].split("=", 1)[0]
    if is_list or text.lstrip().startswith(("var", "hvar")):
        names = _NAME.findall(text)
    return set(names)
