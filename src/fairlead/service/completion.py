"""What can be written at a place, and which arguments a call takes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from fairlead.base.records import dataclass
from fairlead.lang.editing import Analysis, Editing, Extent, Place, Symbol, SymbolKind, TokenKind
from fairlead.lang.lexemes import Bracketed, code_of
from fairlead.present.explain import Kind, topic
from fairlead.service.documents import Document, Workspace

_VALUES = (
    SymbolKind.PARAMETER,
    SymbolKind.INDEX,
    SymbolKind.RECEIVED,
    SymbolKind.LOCAL_VARIABLE,
    SymbolKind.VARIABLE,
    SymbolKind.CONSTANT,
    SymbolKind.MACRO,
    SymbolKind.RANGE,
    SymbolKind.SET,
)
_PROCESSES = (SymbolKind.LOCAL_PROCESS, SymbolKind.PROCESS, SymbolKind.COMPOSITE)
#: the kinds of names that can stand in a place, the likely ones first
_KINDS: dict[Place, tuple[SymbolKind, ...]] = {
    Place.PROCESS: (*_PROCESSES, SymbolKind.EVENT, SymbolKind.CHANNEL, *_VALUES),
    Place.EXPRESSION: (*_VALUES, SymbolKind.CHANNEL),
    Place.PROGRAM: (*_VALUES, SymbolKind.CHANNEL),
    Place.FORMULA: (
        SymbolKind.EVENT,
        SymbolKind.FLUENT,
        SymbolKind.ASSERTION,
        SymbolKind.CONSTANT,
        SymbolKind.VARIABLE,
        SymbolKind.CHANNEL,
        SymbolKind.SET,
        SymbolKind.RANGE,
        SymbolKind.INDEX,
        *_PROCESSES,
    ),
    Place.EVENTS: (SymbolKind.EVENT, SymbolKind.SET, SymbolKind.RANGE, SymbolKind.INDEX, SymbolKind.CONSTANT),
    Place.QUESTION: (SymbolKind.CONSTANT, SymbolKind.PROCESS),
}
_WORD_BEFORE = re.compile(r"#?[A-Za-z_]\w*\Z|#\Z")
_FAIRNESS = re.compile(r"--fairness[= ]+(?:[\w-]+,)*(?P<word>[\w-]*)\Z")


@dataclass(frozen=True)
class Item:
    """A proposal: what is shown, what is written instead of `at`, and what it is."""

    label: str
    text: str
    at: Extent
    kind: SymbolKind | TokenKind
    detail: str = ""


def completion(workspace: Workspace, document: Document, offset: int) -> tuple[Item, ...]:
    """What can be written at an offset, the likely proposals first."""
    editing, analysis = workspace.editing(document), workspace.analysis(document)
    if editing is None or analysis is None:
        return ()
    before = document.text[document.text.rfind("\n", 0, offset) + 1 : offset]
    place = editing.place(analysis, offset)
    if place is Place.NOTHING:
        return tuple(_notions(before, offset))
    match = _WORD_BEFORE.search(before)
    word = "" if match is None else match.group()
    at = Extent(offset - len(word), offset)
    found = [*_names(workspace, document, analysis, place, at), *_words(editing, place, at)]
    wanted = word.lower()
    chosen = [item for item in found if item.label.lower().startswith(wanted)]
    return tuple({(item.label, item.text): item for item in chosen}.values())


def _notions(before: str, offset: int) -> Iterator[Item]:
    """The notions of fairness, in a command that a comment shows."""
    match = _FAIRNESS.search(before)
    if match is None:
        return
    at = Extent(offset - len(match["word"]), offset)
    for name in (*Kind.NOTION.names, "all"):
        if name.startswith(match["word"]):
            detail = topic(name).summary if name != "all" else ""
            yield Item(name, name, at, TokenKind.KEYWORD, detail)


def _names(
    workspace: Workspace, document: Document, analysis: Analysis, place: Place, at: Extent
) -> Iterator[Item]:
    known = [symbol for symbol in analysis.symbols if _holds(symbol, at)]
    for other in workspace.included(document):
        included = workspace.analysis(other)
        known += () if included is None else included.outer.values()
    is_csp = document.suffix == ".csp"
    for kind in _KINDS.get(place, ()):
        for symbol in known:
            if symbol.kind is not kind or not symbol.name or " " in symbol.name:
                continue
            if symbol.kind is SymbolKind.ASSERTION and is_csp:
                continue  # the words of an assertion of CSP# are not names
            if symbol.name_at.start != at.start:  # not the word that is just typed
                yield Item(_label(symbol), _written(symbol, is_csp), at, kind, _about(symbol))


def _holds(symbol: Symbol, at: Extent) -> bool:
    return symbol.scope is None or symbol.scope.start <= at.start <= symbol.scope.end


def _label(symbol: Symbol) -> str:
    if symbol.kind is SymbolKind.EVENT:
        return symbol.detail or symbol.name
    return f"{symbol.name}({', '.join(symbol.parameters)})" if symbol.parameters else symbol.name


def _written(symbol: Symbol, is_csp: bool) -> str:
    match symbol.kind:
        case SymbolKind.EVENT:
            return symbol.detail or symbol.name
        case SymbolKind.PROCESS if is_csp:
            return f"{symbol.name}(" if symbol.parameters else f"{symbol.name}()"
        case SymbolKind.MACRO if symbol.parameters is not None:
            return f"call({symbol.name}" + (", " if symbol.parameters else ")")
    return symbol.name


def _about(symbol: Symbol) -> str:
    is_shown = symbol.detail and symbol.kind is not SymbolKind.EVENT
    return f"{symbol.kind.value}: {symbol.detail}" if is_shown else symbol.kind.value


def _words(editing: Editing, place: Place, at: Extent) -> Iterator[Item]:
    words = editing.words(place)
    for word in words.keywords:
        yield Item(word, word, at, TokenKind.KEYWORD)
    for operator, meaning in words.operators:
        yield Item(operator, operator, at, TokenKind.OPERATOR, meaning)


# ---------------------------------------------------------------- arguments


@dataclass(frozen=True)
class Signature:
    """What is called, with its parameters, and which of them is being written (from 0)."""

    symbol: Symbol
    parameters: tuple[str, ...]
    active: int

    @property
    def label(self) -> str:
        """The call as it is shown."""
        if self.symbol.kind is SymbolKind.EVENT:
            return self.symbol.detail or self.symbol.name
        return f"{self.symbol.name}({', '.join(self.parameters)})"


def signature(workspace: Workspace, document: Document, offset: int) -> Signature | None:
    """The call around an offset, if it has parameters; or the event whose arguments are written."""
    analysis = workspace.analysis(document)
    if analysis is None:
        return None
    pieces = code_of(analysis)
    index = bisect_left(pieces.starts, offset)  # the first piece after the offset
    meant = {one.at.start: one.symbol for one in analysis.references}
    opening = _opening(pieces, index)
    while opening >= 0:
        if pieces.word(opening) == "(":
            name = opening + 1 if pieces.word(opening - 1) == "call" else opening - 1
            found = meant.get(pieces.pieces[name].start) if pieces.is_name(name) else None
            if found is not None and found.parameters:
                commas = _commas(pieces, opening, index) - (name > opening)
                active = max(0, min(commas, len(found.parameters) - 1))
                return Signature(found, found.parameters, active)
        opening = pieces.parent[opening]
    return _event(pieces, index, meant)


def _opening(pieces: Bracketed, index: int) -> int:
    """The innermost bracket that is open before a piece."""
    if not index:
        return -1
    last = index - 1
    if pieces.word(last) in ("(", "[", "{"):
        return last
    if pieces.word(last) in (")", "]", "}") and pieces.partner[last] >= 0:
        return pieces.parent[pieces.partner[last]]
    return pieces.parent[last]


def _commas(pieces: Bracketed, opening: int, end: int) -> int:
    return sum(
        pieces.word(index) == "," and pieces.parent[index] == opening for index in range(opening + 1, end)
    )


def _event(pieces: Bracketed, index: int, meant: dict[int, Symbol | None]) -> Signature | None:
    place = index - 1
    dots = 0
    while place > 0 and (pieces.word(place) == "." or pieces.word(place - 1) == "."):
        dots += pieces.word(place) == "."
        place -= 1
    found = meant.get(pieces.pieces[place].start) if dots and pieces.is_name(place) else None
    if found is None or found.kind is not SymbolKind.EVENT or not found.parameters:
        return None
    return Signature(found, found.parameters, min(dots, len(found.parameters)) - 1)
