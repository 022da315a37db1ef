"""Finds what the names of an FSP text declare and mean, however broken the text is.

In FSP the letters tell: names of definitions begin with an upper-case letter, actions and the variables of
indices with a lower-case one. So pieces of the text are enough; a variable holds from where it is declared to
the next `|`, `||` or `,` on the same level, or to the end of the bracket around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from fairlead.lang.editing import Analysis, Extent, Lexeme, Question, Reference, Symbol, SymbolKind, TokenKind
from fairlead.lang.fsp.lexing import RESERVED
from fairlead.lang.lexemes import Bracketed, bracketed, folds, lexemes, pattern, shortened

# fmt: off
_OPERATORS = (
    "<->", "->", "..", "::", "||", "&&", "!=", "==", "<=", "<<", "<>", ">=", ">>", "[]", ":", "|", "&", "!",
    "=", "<", ">", "+", "-", "*", "/", "%", "^", "@", "\\", "'", "#", ",", ";", ".",
)
# fmt: on
_PIECES = pattern(r"[A-Za-z_]\w*", r"0[xX][0-9A-Fa-f]*|[0-9]+", _OPERATORS)
_KINDS = {
    "const": SymbolKind.CONSTANT,
    "range": SymbolKind.RANGE,
    "set": SymbolKind.SET,
    "progress": SymbolKind.PROGRESS,
    "menu": SymbolKind.OTHER,
    "animation": SymbolKind.OTHER,
    "import": SymbolKind.PROCESS,
    "fluent": SymbolKind.FLUENT,
    "assert": SymbolKind.ASSERTION,
    "constraint": SymbolKind.ASSERTION,
}
MODIFIERS = ("deterministic", "minimal", "compose", "property")
#: processes that every model has
BUILT_IN = frozenset(("STOP", "END", "ERROR"))
FORMULA_WORDS = frozenset(("X", "U", "W"))


def pieces_of(text: str) -> list[Lexeme]:
    """The pieces of an FSP text."""
    return lexemes(text, _PIECES, RESERVED | BUILT_IN)


class Reader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lexemes = pieces_of(text)
        self._pieces = bracketed(text, self._lexemes)
        starts = [*beginnings(self._pieces), len(self._pieces.pieces)]
        self._parts = [Part(self._pieces, first, last) for first, last in pairwise(starts)]
        self._actions: dict[str, Symbol] = {}
        self._references: list[Reference] = []
        self._locals: list[Symbol] = []

    def analysis(self) -> Analysis:
        """What the text declares and uses."""
        outer: dict[str, Symbol] = {}
        for part in self._parts:
            for symbol in part.declared:
                outer.setdefault(symbol.name, symbol)
        for part in self._parts:
            self._resolve(part, outer)
        extents = tuple(part.extent for part in self._parts)
        declared = [symbol for part in self._parts for symbol in (*part.declared, *part.inner)]
        symbols = (*declared, *self._actions.values(), *self._locals)
        named = folds(self._pieces, self._lexemes, extents)
        references = sorted(self._references, key=lambda one: one.at.start)
        asked = tuple(part.question for part in self._parts if part.question is not None)
        return Analysis(
            self._text, symbols, tuple(references), tuple(self._lexemes), named, extents, (), asked
        )

    def _resolve(self, part: Part, outer: dict[str, Symbol]) -> None:
        variables = list(part.variables())
        self._locals += variables
        inner = {symbol.name: symbol for symbol in reversed(part.inner) if symbol.name != part.name}
        for index in range(part.first, part.last):
            piece = self._pieces.pieces[index]
            if piece.kind is not TokenKind.NAME:
                continue
            if piece.text[0].isupper():
                if not (part.is_formula and piece.text in FORMULA_WORDS and index > part.name_index + 1):
                    symbol = part.own.get(piece.start) or inner.get(piece.text) or outer.get(piece.text)
                    self._references.append(Reference(self._pieces.extent(index), piece.text, symbol))
                continue
            found = part.variable(variables, index) if self._is_value(index) else None
            self._references.append(
                Reference(self._pieces.extent(index), piece.text, found or self._action(piece, part))
            )

    def _is_value(self, index: int) -> bool:
        """Whether a lower-case name may be a variable: no part of a label."""
        before, after = self._pieces.word(index - 1), self._pieces.word(index + 1)
        return before not in ("'", ".") and after not in (".", "->")

    def _action(self, piece: Lexeme, part: Part) -> Symbol:
        if piece.text not in self._actions:
            at = Extent(piece.start, piece.end)
            self._actions[piece.text] = Symbol(piece.text, SymbolKind.EVENT, at, at, None, "", part.name)
        return self._actions[piece.text]


def beginnings(pieces: Bracketed) -> Iterator[int]:
    """The pieces that begin a definition: after the one before has ended, or at the beginning of a line."""
    fresh = True
    index = 0
    while index < len(pieces.pieces):
        if _begins(pieces, index) and (fresh or _at_line_start(pieces, index)):
            yield index
            fresh = False
            while pieces.word(index) in (*_KINDS, *MODIFIERS, "||"):
                index += 1
        elif pieces.word(index) == ".":
            is_end = pieces.parent[index] < 0 and not pieces.is_name(index + 1)
            fresh = fresh or is_end or _begins(pieces, index + 1)
        index += 1


def _begins(pieces: Bracketed, index: int) -> bool:
    word = pieces.word(index)
    if word in _KINDS or word in MODIFIERS:
        return pieces.word(index - 1) not in ("compose", *MODIFIERS) or index == 0
    if word == "||":
        return pieces.is_name(index + 1) and _has_equals(pieces, index + 1)
    return word[:1].isupper() and pieces.is_name(index) and _has_equals(pieces, index)


def _has_equals(pieces: Bracketed, index: int) -> bool:
    after = index + 1
    if pieces.word(after) == "(":
        after = pieces.after(after)
    elif pieces.word(after) == "@":
        after += 1
    return pieces.word(after) == "="


def _at_line_start(pieces: Bracketed, index: int) -> bool:
    """Whether a definition may begin here although the one before has no end."""
    if pieces.word(index - 1) == ",":
        return False
    before = pieces.pieces[index - 1].end if index else 0
    return "\n" in pieces.text[before : pieces.pieces[index].start]


class Part:
    """One definition: with its local processes, if it is one of a process."""

    def __init__(self, pieces: Bracketed, first: int, last: int) -> None:
        self._pieces = pieces
        self.first, self.last = first, last
        self.extent = Extent(pieces.pieces[first].start, pieces.pieces[last - 1].end)
        self.declared: list[Symbol] = []
        #: local processes and parameters
        self.inner: list[Symbol] = []
        index = first
        while pieces.word(index) in MODIFIERS:
            index += 1
        word = pieces.word(index)
        self.is_formula = word in ("assert", "constraint")
        self.is_process = False
        if word in _KINDS:
            kind, index = _KINDS[word], index + 1
        elif word == "||":
            kind, index = SymbolKind.COMPOSITE, index + 1
        else:
            kind, self.is_process = SymbolKind.PROCESS, True
        self.name_index = index
        self.name = pieces.word(index) if index < last and pieces.is_name(index) else ""
        self._declare(kind)
        self.question = self._question(word, kind)
        self.own = {
            # a local process with the name of the process is called by that name as well
            symbol.name_at.start: self.declared[0] if symbol.name == self.name else symbol
            for symbol in (*self.declared, *self.inner)
        }

    def _declare(self, kind: SymbolKind) -> None:
        if not self.name:
            return
        index, pieces = self.name_index, self._pieces
        parameters: list[str] | None = [] if kind in (SymbolKind.PROCESS, SymbolKind.COMPOSITE) else None
        if pieces.word(index + 1) == "(":
            parameters = list(self._parameters(index + 1))
        detail = self._detail() if kind not in (SymbolKind.PROCESS, SymbolKind.COMPOSITE) else ""
        at = pieces.extent(index)
        given = None if parameters is None else tuple(parameters)
        is_broken = self.is_process and pieces.word(self.last - 1) != "."
        self.declared.append(Symbol(self.name, kind, at, self.extent, given, detail, is_broken=is_broken))
        if self.is_process:
            self._local_processes()

    def _question(self, word: str, kind: SymbolKind) -> Question | None:
        """Composite processes are safe, progress is made, assertions hold; a `constraint` is not asked."""
        at = self._pieces.extent(self.name_index) if self.name else self.extent
        if kind is SymbolKind.COMPOSITE and self.name:
            return Question(f"||{self.name}", at, self.extent, has_formula=False, only_asks=False)
        if word in ("progress", "assert"):
            text = " ".join(self._pieces.text[self.extent.start : self.extent.end].split())
            return Question(text, at, self.extent, has_formula=True)
        return None

    def _detail(self) -> str:
        for index in range(self.name_index, self.last):
            if self._pieces.word(index) == "=" and index + 1 < self.last:
                start = self._pieces.pieces[index + 1].start
                return shortened(self._pieces.text[start : self.extent.end])
        return ""

    def _parameters(self, opening: int) -> Iterator[str]:
        closing = self._pieces.after(opening) - 1
        index = opening + 1
        while index < min(closing, self.last):
            start = index
            while index < closing and self._pieces.word(index) != ",":
                index = self._pieces.after(index)
            if self._pieces.is_name(start):
                at = self._pieces.extent(start)
                shown = shortened(self._pieces.text[at.start : self._pieces.pieces[index - 1].end])
                default = shown.partition("=")[2].strip()
                given = self._pieces.word(start), SymbolKind.PARAMETER, at, at, None, default
                self.inner.append(Symbol(*given, self.name, self.extent))
                yield shown
            index += 1

    def _local_processes(self) -> None:
        index = self.name_index + 1
        while index < self.last:
            if self._pieces.word(index) == "," and self._is_local(index + 1):
                at, whole = self._pieces.extent(index + 1), self._segment(index + 1)
                self.inner.append(
                    Symbol(
                        self._pieces.word(index + 1),
                        SymbolKind.LOCAL_PROCESS,
                        at,
                        Extent(at.start, self._pieces.pieces[whole - 1].end),
                        None,
                        self._indices(index + 2),
                        self.name,
                        self.extent,
                    )
                )
            index = self._pieces.after(index)

    def _is_local(self, index: int) -> bool:
        if index >= self.last or not self._pieces.is_name(index) or not self._pieces.word(index)[0].isupper():
            return False
        return self._pieces.word(index + 1) in ("=", "[", "@", ".", "") or index + 1 >= self.last

    def _segment(self, index: int) -> int:
        """The piece after the local definition that begins at a piece."""
        while index < self.last and self._pieces.word(index) not in (",", "+", "/", "\\"):
            index = self._pieces.after(index)
        return min(index, self.last)

    def _indices(self, index: int) -> str:
        start = index
        while index < self.last and self._pieces.word(index) == "[":
            index = self._pieces.after(index)
        if index == start or index > self.last:
            return ""
        return shortened(
            self._pieces.text[self._pieces.pieces[start].start : self._pieces.pieces[index - 1].end]
        )

    # ------------------------------------------------------------ variables

    def variables(self) -> Iterator[Symbol]:
        """The variables of indices, with the part of the text in which they hold."""
        for index in range(self.first, self.last):
            word = self._pieces.word(index)
            if self._pieces.word(index - 1) != "[" or self._pieces.word(index + 1) != ":":
                continue
            if not self._pieces.is_name(index) or word[0].isupper():
                continue
            opening = index - 1
            domain_end = self._pieces.partner[opening]
            at = self._pieces.extent(index)
            end = self._scope_end(opening)
            detail = ""
            if domain_end > index:
                start, stop = self._pieces.pieces[index + 1].end, self._pieces.pieces[domain_end].start
                detail = shortened(self._pieces.text[start:stop])
            yield Symbol(word, SymbolKind.INDEX, at, at, None, detail, self.name, Extent(at.start, end))

    def _scope_end(self, opening: int) -> int:
        around = self._pieces.parent[opening]
        is_head = around < 0 and not self.is_process and not self._has_equals_before(opening)
        index = opening
        while index < self.last:
            if index != opening and self._pieces.parent[index] != around:
                return self._pieces.pieces[index].start  # the bracket around it is closed here
            if self._pieces.partner[index] >= 0 and self._pieces.partner[index] < index:
                return self._pieces.pieces[index].start
            if not is_head and self._pieces.word(index) in ("|", "||", ","):
                return self._pieces.pieces[index].start
            index = self._pieces.after(index)
        return self.extent.end + 1

    def _has_equals_before(self, opening: int) -> bool:
        return any(self._pieces.word(index) == "=" for index in range(self.name_index, opening))

    def variable(self, variables: list[Symbol], index: int) -> Symbol | None:
        """The innermost variable of that name that holds at a piece."""
        piece = self._pieces.pieces[index]
        holding = [
            symbol
            for symbol in variables
            if symbol.name == piece.text
            and symbol.scope is not None
            and symbol.scope.start <= piece.start < symbol.scope.end
        ]
        return max(holding, key=lambda symbol: symbol.name_at.start, default=None)


def part_at(parts: tuple[Extent, ...], offset: int) -> Extent | None:
    """The definition that an offset is in or just after."""
    place = bisect_left([part.start for part in parts], offset + 1) - 1
    return parts[place] if place >= 0 else None
