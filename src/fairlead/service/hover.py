"""What a name is, and what a notion of fairness or the code of a diagnostic means."""

from __future__ import annotations

import re

from fairlead.base.diagnostics import Code
from fairlead.base.records import dataclass
from fairlead.lang.editing import Extent, Symbol, SymbolKind
from fairlead.lang.lexemes import shortened
from fairlead.present.explain import Kind, topic
from fairlead.service.documents import Document, Workspace
from fairlead.service.names import definition, home, reference_at

_WORD = re.compile(r"[\w-]+")
#: so much of a declaration is shown
_SHOWN = 400


@dataclass(frozen=True)
class Hover:
    """The text about a part of a model: a line, the declaration, and an explanation in Markdown."""

    at: Extent
    title: str
    declaration: str = ""
    explanation: str = ""


def hover(workspace: Workspace, document: Document, offset: int) -> Hover | None:
    """Describes the name or operator at an offset."""
    analysis = workspace.analysis(document)
    if analysis is None:
        return None
    found = reference_at(analysis, offset)
    if found is not None:
        symbol, origin = found.symbol, document
        if symbol is not None:
            origin = home(workspace, document, symbol)
        else:
            place = definition(workspace, document, offset)
            other = None if place is None else workspace.document(place.path)
            known = None if other is None else workspace.analysis(other)
            if known is not None and other is not None:
                symbol, origin = known.outer.get(found.name), other
        if symbol is not None:
            return Hover(found.at, _title(symbol), _declaration(symbol, origin))
    return _word(workspace, document, offset)


def explained(name: str) -> str | None:
    """What `fairlead explain` says about a notion, a diagnostic code or a verdict, in Markdown."""
    try:
        found = topic(name)
    except KeyError:
        return None
    return f"{found.summary}\n\n{found.body}"


def explained_code(code: Code) -> str:
    """What `fairlead explain` says about the code of a diagnostic."""
    return explained(code.value) or ""


def _title(symbol: Symbol) -> str:
    name = symbol.name
    if symbol.kind is SymbolKind.EVENT:
        name = symbol.detail or name
    elif symbol.parameters:
        name = f"{name}({', '.join(symbol.parameters)})"
    of = f" of {symbol.container}" if symbol.container and symbol.scope is not None else ""
    about = f": {symbol.detail}" if symbol.detail and symbol.kind is not SymbolKind.EVENT else ""
    return f"{symbol.kind.value} {name}{about}{of}"


def _declaration(symbol: Symbol, origin: Document) -> str:
    if symbol.scope is not None and symbol.kind is not SymbolKind.LOCAL_PROCESS:
        return ""
    if symbol.kind is SymbolKind.EVENT:
        line = origin.text.rfind("\n", 0, symbol.name_at.start) + 1
        return shortened(origin.text[line:].split("\n", 1)[0], _SHOWN)
    text = origin.text[symbol.whole.start : symbol.whole.end]
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _word(workspace: Workspace, document: Document, offset: int) -> Hover | None:
    """A notion of fairness in a comment, or a keyword."""
    line = document.text.rfind("\n", 0, offset) + 1
    end = document.text.find("\n", offset)
    for match in _WORD.finditer(document.text, line, len(document.text) if end < 0 else end):
        if match.start() <= offset <= match.end() and match.group() in Kind.NOTION.names:
            found = topic(match.group())
            return Hover(Extent(match.start(), match.end()), found.summary, "", found.body)
    editing, analysis = workspace.editing(document), workspace.analysis(document)
    if editing is None or analysis is None:
        return None
    for piece in analysis.lexemes:
        if piece.start <= offset < piece.end:
            meanings = dict(editing.words(editing.place(analysis, piece.end)).operators)
            if piece.text in meanings:
                return Hover(Extent(piece.start, piece.end), f"{piece.text}: {meanings[piece.text]}")
    return None
