"""Finds what the names of a CSP# text declare and mean, however broken the text is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from fairlead.base.diagnostics import FairleadError
from fairlead.base.source import Source
from fairlead.lang.csp.editing_binders import Binders, events_at
from fairlead.lang.csp.lexing import DIRECTIVES, KEYWORDS, OPERATORS
from fairlead.lang.csp.parse import parse_declarations
from fairlead.lang.csp.recovering import declaration_parts
from fairlead.lang.csp.roles import ASSERTION_WORDS
from fairlead.lang.editing import Analysis, Extent, Lexeme, Question, Reference, Symbol, SymbolKind, TokenKind
from fairlead.lang.lexemes import Bracketed, bracketed, folds, lexemes, pattern, shortened

RESERVED = frozenset(KEYWORDS)
#: the operators of formulas that are words
FORMULA_WORDS = frozenset(
    ("X", "U", "R", "V", "W", "F", "G", "GF", "FG", "Finf", "Ginf", "A", "E", "enabled", "executed")
)
ANNOTATIONS = frozenset(("f", "wf", "sf", "wl", "sl"))
_OPERATORS = [word for word in OPERATORS if word not in set("()[]{}")]
_PIECES = pattern(r"[A-Za-z_][A-Za-z0-9_]*", r"[0-9]+", _OPERATORS)
_QUOTED_NAME = re.compile(r"[A-Za-z_]\w*")
_BEFORE_EVENT = frozenset(
    ("=", "->", "[]", "<>", "[*]", "|||", "||", ";", "@", "(", "{", "]", ":", "interrupt")
)
Outer = Callable[[str], Symbol | None]


def pieces_of(text: str) -> list[Lexeme]:
    """The pieces of a CSP# text."""
    return lexemes(text, _PIECES, RESERVED)


class Reader:
    """Reads one text."""

    def __init__(self, text: str, outer: Outer) -> None:
        self._text = text
        self._included = outer
        self._lexemes = pieces_of(text)
        self._pieces = bracketed(text, self._lexemes)
        self._formulas = list(formulas(self._pieces))
        self._source = Source("", text)
        parts = [Extent(start, end) for start, end in declaration_parts(self._source)]
        self._parts = [Part(self._pieces, part, self._source) for part in parts]
        self._outer: dict[str, Symbol] = {}
        self._events: dict[str, Symbol] = {}
        self._locals: list[Symbol] = []
        self._references: list[Reference] = []

    def analysis(self) -> Analysis:
        """What the text declares and uses."""
        declared = [symbol for part in self._parts for symbol in part.declared]
        for symbol in declared:
            if symbol.kind not in (SymbolKind.ASSERTION, SymbolKind.FILE):
                self._outer.setdefault(symbol.name, symbol)
        for part in self._parts:
            self._note_events(part)
        for part in self._parts:
            self._resolve(part)
        extents = tuple(part.extent for part in self._parts)
        symbols = (*declared, *self._events.values(), *self._locals)
        references = sorted(self._references, key=lambda one: one.at.start)
        included = tuple(place for part in self._parts for place in part.includes)
        named = folds(self._pieces, self._lexemes, extents)
        asked = tuple(part.question for part in self._parts if part.question is not None)
        return Analysis(
            self._text, symbols, tuple(references), tuple(self._lexemes), named, extents, included, asked
        )

    def _known(self, name: str) -> Symbol | None:
        return self._outer.get(name) or self._included(name)

    # ------------------------------------------------------------ events

    def _note_events(self, part: Part) -> None:
        for start, count in part.events.items():
            index = part.index_at(start)
            name = self._pieces.word(index)
            if not self._pieces.is_name(index):
                continue  # it is written in a way that only the parser reads
            at = self._pieces.extent(index)
            arguments = tuple(_arguments(self._pieces, index)) if count else ()
            if name not in self._events:
                shown = ".".join((name, *arguments))
                self._events[name] = Symbol(
                    name, SymbolKind.EVENT, at, at, arguments, shown, part.name, None, part.is_broken
                )

    # ------------------------------------------------------------ names

    def _resolve(self, part: Part) -> None:
        binders = Binders(self._pieces, part.name, self._known)
        for name, kind, at, scope, detail in part.parameters:
            binders.add(name, kind, at, scope, detail)
        if part.is_broken:
            binders.guess(part.first, part.last, part.extent.end)
        else:
            binders.read(part.declarations)
        self._locals += binders.found
        named = (one for one in part.declared if one.kind is not SymbolKind.ASSERTION)
        own = {symbol.name_at.start: symbol for symbol in (*named, *binders.found)}
        for index in range(part.first, part.last):
            piece = self._pieces.pieces[index]
            if piece.kind is TokenKind.STRING:
                self._quoted(piece)
            if piece.kind is not TokenKind.NAME or part.is_special(index, self._in_formula(piece.start)):
                continue
            symbol = own.get(piece.start) or self._meaning(part, binders, index)
            self._references.append(Reference(self._pieces.extent(index), piece.text, symbol))

    def _meaning(self, part: Part, binders: Binders, index: int) -> Symbol | None:
        piece = self._pieces.pieces[index]
        if piece.start in part.events:
            return self._events.get(piece.text)
        known = binders.local(piece.text, piece.start) or self._of_alphabet(part, piece.text)
        known = known or self._known(piece.text)
        if not self._in_formula(piece.start):
            return known
        is_argument = self._pieces.word(index - 1) == "."
        event = None if is_argument else self._events.get(piece.text) or self._event_of_included(piece.text)
        compares = {self._pieces.word(index - 1), self._pieces.word(index + 1)} & _COMPARING
        if event is not None and (known is None or (known.kind is SymbolKind.VARIABLE and not compares)):
            return event
        return known

    def _of_alphabet(self, part: Part, name: str) -> Symbol | None:
        """A parameter of the process that an alphabet is for: it can be used there as well."""
        if part.alphabet_of is None:
            return None
        for other in self._parts:
            if other.name == part.alphabet_of:
                for parameter, kind, at, scope, detail in other.parameters:
                    if parameter == name:
                        return Symbol(name, kind, at, at, None, detail, other.name, scope)
        return None

    def _event_of_included(self, name: str) -> Symbol | None:
        known = self._included(name)
        return known if known is not None and known.kind is SymbolKind.EVENT else None

    def _quoted(self, piece: Lexeme) -> None:
        """What happens on a channel is written in quotes, in formulas."""
        if not self._in_formula(piece.start):
            return
        for match in _QUOTED_NAME.finditer(piece.text):
            at = Extent(piece.start + match.start(), piece.start + match.end())
            symbol = self._known(match.group()) or self._events.get(match.group())
            self._references.append(Reference(at, match.group(), symbol))

    def _in_formula(self, offset: int) -> bool:
        place = bisect_left(self._formulas, (offset + 1, 0)) - 1
        return place >= 0 and self._formulas[place][0] <= offset < self._formulas[place][1]


_COMPARING = frozenset(("==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "["))


def _arguments(pieces: Bracketed, index: int) -> Iterator[str]:
    """The arguments of an event as they are written."""
    index += 1
    while pieces.word(index) == ".":
        start = end = index + 1
        while pieces.word(end) not in (".", "->", "{", "}", ",", ")", ";", ""):
            end = pieces.after(end)
        if end == start or end > len(pieces.pieces):
            return
        yield shortened(pieces.text[pieces.pieces[start].start : pieces.pieces[end - 1].end], 20)
        index = end


def formulas(pieces: Bracketed) -> Iterator[tuple[int, int]]:
    """From where to where the formulas after `|=` go."""
    index = 0
    while index < len(pieces.pieces):
        if pieces.word(index) != "|=":
            index += 1
            continue
        start, index = pieces.pieces[index].end, index + 1
        while index < len(pieces.pieces) and not _ends_formula(pieces, index):
            index = pieces.after(index)
        yield start, pieces.pieces[index].start if index < len(pieces.pieces) else len(pieces.text) + 1


def _ends_formula(pieces: Bracketed, index: int) -> bool:
    word = pieces.word(index)
    return word in (";", "|=") or (word == "#" and pieces.word(index + 1) in DIRECTIVES)


Local = tuple[str, SymbolKind, Extent, Extent, str]


class Part:
    """One declaration, be it whole or broken."""

    def __init__(self, pieces: Bracketed, extent: Extent, source: Source) -> None:
        self._pieces = pieces
        self.first = bisect_left(pieces.starts, extent.start)
        self.last = bisect_left(pieces.starts, extent.end)
        end = pieces.pieces[self.last - 1].end if self.last > self.first else extent.end
        self.extent = Extent(extent.start, end)
        try:
            self.declarations = parse_declarations(source, extent.start, extent.end)
            self.is_broken = False
        except FairleadError:
            self.declarations, self.is_broken = (), True
        self.declared: list[Symbol] = []
        self.parameters: list[Local] = []
        self.includes: list[tuple[Extent, str]] = []
        self.question: Question | None = None
        self._directive = pieces.word(self.first + 1) if pieces.word(self.first) == "#" else ""
        self.alphabet_of = pieces.word(self.first + 2) if self._directive == "alphabet" else None
        self._head()
        self.name = self.declared[0].name if self.declared else ""
        self.events = dict(events_at(self.declarations, pieces)) if not self.is_broken else self._guessed()

    def index_at(self, offset: int) -> int:
        """The piece that begins at an offset."""
        return bisect_left(self._pieces.starts, offset)

    # ------------------------------------------------------------ what is declared

    def _head(self) -> None:
        word = self._pieces.word(self.first)
        if self._directive == "define":
            self._define(self.first + 2)
        elif self._directive == "assert":
            self._assertion()
        elif self._directive in ("include", "import"):
            self._file(self.first + 2)
        elif word in ("var", "hvar", "counter", "channel") and not self._is_process():
            self._variable(word)
        elif word == "enum":
            for index in range(self.first + 1, self.last):
                self._declare(index, SymbolKind.CONSTANT, detail=self._rest(self.first))
        elif not self._directive:
            self._process()

    def _is_process(self) -> bool:
        return self._pieces.word(self.first + 1) in ("(", "=")

    def _declare(
        self, index: int, kind: SymbolKind, parameters: tuple[str, ...] | None = None, detail: str = ""
    ) -> None:
        if index < self.last and self._pieces.is_name(index):
            name, at = self._pieces.word(index), self._pieces.extent(index)
            self.declared.append(
                Symbol(name, kind, at, self.extent, parameters, detail, is_broken=self.is_broken)
            )

    def _rest(self, index: int) -> str:
        """The text from a piece on, without the `;` at the end."""
        if index >= self.last:
            return ""
        return shortened(self._pieces.text[self._pieces.pieces[index].start : self.extent.end].rstrip("; \n"))

    def _define(self, index: int) -> None:
        opening = index + 1
        is_list = self._pieces.word(opening) == "(" and self._names_only(opening)
        names = tuple(self._parameters(opening)) if is_list else None
        body = self._rest(self._pieces.after(opening) if is_list else opening)
        is_program = body.startswith("{")
        kind = SymbolKind.MACRO if names is not None or is_program else SymbolKind.CONSTANT
        self._declare(index, kind, names, body)

    def _names_only(self, opening: int) -> bool:
        closing = self._pieces.partner[opening]
        inside = range(opening + 1, closing)
        return self._pieces.after(opening) < self.last and all(
            self._pieces.is_name(index) if place % 2 == 0 else self._pieces.word(index) == ","
            for place, index in enumerate(inside)
        )

    def _parameters(self, opening: int) -> Iterator[str]:
        """The parameters between brackets, each with its range; they hold in the whole declaration."""
        closing = self._pieces.after(opening) - 1
        index = opening + 1
        while index < min(closing, self.last):
            start = index
            while index < closing and self._pieces.word(index) != ",":
                index = self._pieces.after(index)
            if self._pieces.is_name(start):
                at = self._pieces.extent(start)
                shown = self._pieces.text[at.start : self._pieces.pieces[index - 1].end]
                detail = shortened(shown[len(self._pieces.word(start)) :].lstrip(" :"))
                self.parameters.append(
                    (self._pieces.word(start), SymbolKind.PARAMETER, at, self.extent, detail)
                )
                yield shortened(shown)
            index += 1

    def _process(self) -> None:
        opening = self.first + 1
        if self._pieces.word(opening) == "(":
            self._declare(self.first, SymbolKind.PROCESS, tuple(self._parameters(opening)))
        elif self._pieces.word(opening) == "=":
            self._declare(self.first, SymbolKind.PROCESS, ())

    def _variable(self, word: str) -> None:
        index = self.first + 1
        if self._pieces.word(index) == "<":
            index += 3
        kind = SymbolKind.CHANNEL if word == "channel" else SymbolKind.VARIABLE
        name = self._pieces.word(index)
        self._declare(index, kind, None, self._rest(self.first).replace(f" {name}", "", 1))

    def _assertion(self) -> None:
        text = self._rest(self.first + 2)
        at = self._pieces.extent(min(self.first + 2, self.last - 1))
        inside = range(self.first + 2, self.last)
        whole = self._pieces.text[at.start : self.extent.end].rstrip("; \n")
        has_formula = any(self._pieces.word(index) == "|=" for index in inside)
        self.question = Question(" ".join(whole.split()), at, self.extent, has_formula)
        self.declared.append(
            Symbol(text, SymbolKind.ASSERTION, at, self.extent, None, "", is_broken=self.is_broken)
        )

    def _file(self, index: int) -> None:
        if index < self.last and self._pieces.pieces[index].kind is TokenKind.STRING:
            at, name = self._pieces.extent(index), self._pieces.word(index).strip('"')
            self.declared.append(Symbol(name, SymbolKind.FILE, at, self.extent, None, self._directive))
            if self._directive == "include":
                self.includes.append((at, name))

    # ------------------------------------------------------------ what names are

    def _guessed(self) -> dict[int, int]:
        """Where names of events may stand in a broken declaration."""
        found: dict[int, int] = {}
        if self._directive in ("define", "assert", "include", "import"):
            return found
        for index in range(self.first + 1, self.last):
            is_first = self._pieces.word(index - 1) in _BEFORE_EVENT or self._is_annotated(index)
            if not self._pieces.is_name(index) or not is_first:
                continue
            after, in_set = self._pieces.word(index + 1), self._in_event_set(index)
            if after in ("->", ".") or in_set or (after == ")" and self._is_annotated(index)):
                found[self._pieces.pieces[index].start] = 1 if after == "." else 0
            elif after == "{" and self._pieces.word(self._pieces.after(index + 1)) in ("->", ""):
                found[self._pieces.pieces[index].start] = 0
        return found

    def _is_annotated(self, index: int) -> bool:
        return self._pieces.word(index - 1) == "(" and self._pieces.word(index - 2) in ANNOTATIONS

    def _in_event_set(self, index: int) -> bool:
        opening = self._pieces.parent[index]
        if opening < 0 or self._pieces.word(opening) != "{":
            return False
        before = self._pieces.word(opening - 1)
        return (before == "\\" or self._pieces.word(opening - 2) == "alphabet") and self._pieces.word(
            index - 1
        ) in ("{", ",", "@")

    def is_special(self, index: int, in_formula: bool) -> bool:
        """Whether a name is a word of the language here, or names something of a library."""
        word, before, after = (self._pieces.word(place) for place in (index, index - 1, index + 1))
        if in_formula:
            return word in FORMULA_WORDS and before != "."
        if before in ("$", "new") or (before == "#" and word in DIRECTIVES and index == self.first + 1):
            return True
        if before == "." and after == "(" and self._pieces.word(index - 2) not in ("", ")"):
            return True
        if word in ANNOTATIONS and after == "(" and self._pieces.pieces[index + 2 : index + 3]:
            return self._pieces.pieces[index + 2].start in self.events
        if before == "<" and after == ">":
            return self._directive == "assert" or index == self.first + 2
        if index == self.first:
            return word == "counter" and not self._is_process()
        if self._directive == "assert":
            at_word = self._pieces.word(index - 1) == ")" or index == self.first + 3
            is_optimum = word in ("with", "min", "max")
            return (word in ASSERTION_WORDS and at_word) or (is_optimum and self._pieces.parent[index] < 0)
        return False
