"""Finds where names are declared and used, across the files that include each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairlead.base.records import dataclass
from fairlead.lang.editing import Analysis, Extent, Reference, Symbol, SymbolKind
from fairlead.service.documents import Document, Workspace


@dataclass(frozen=True)
class Location:
    """A part of a file."""

    path: Path
    at: Extent


def reference_at(analysis: Analysis, offset: int) -> Reference | None:
    """The name at an offset, or just before it."""
    found = [one for one in analysis.references if one.at.start <= offset <= one.at.end]
    return next((one for one in found if offset < one.at.end), found[0] if found else None)


def home(workspace: Workspace, document: Document, symbol: Symbol) -> Document:
    """The document that declares a symbol which a document uses."""
    for other in (document, *workspace.included(document)):
        analysis = workspace.analysis(other)
        if analysis is not None and any(one is symbol or one == symbol for one in analysis.symbols):
            return other
    return document


def definition(workspace: Workspace, document: Document, offset: int) -> Location | None:
    """Where the name at an offset is declared; for the path in an `#include`, the beginning of the file."""
    analysis = workspace.analysis(document)
    if analysis is None:
        return None
    for at, written in analysis.includes:
        if at.start <= offset <= at.end:
            return _included(workspace, document, written)
    found = reference_at(analysis, offset)
    if found is None:
        return None
    if found.symbol is not None:
        return Location(home(workspace, document, found.symbol).path, found.symbol.name_at)
    for other in workspace.family(document):  # an included file uses what the one around it declares
        known = workspace.analysis(other)
        if known is not None and found.name in known.outer:
            return Location(other.path, known.outer[found.name].name_at)
    return None


def _included(workspace: Workspace, document: Document, written: str) -> Location | None:
    from fairlead.lang.included_files import find_included

    with workspace.overlay():
        path = find_included(written, document.path.parent, document.path.parent)
    return None if path is None else Location(path, Extent(0, 0))


def references(workspace: Workspace, document: Document, offset: int) -> tuple[Location, ...]:
    """All places where the name at an offset means the same, its declaration among them."""
    analysis = workspace.analysis(document)
    found = None if analysis is None else reference_at(analysis, offset)
    if found is None:
        return ()
    symbol = found.symbol
    if symbol is None:
        place = definition(workspace, document, offset)
        other = None if place is None else workspace.document(place.path)
        outer = None if other is None else workspace.analysis(other)
        symbol = None if outer is None else outer.outer.get(found.name)
        if symbol is None or other is None:
            return ()
        return tuple(uses(workspace, other, symbol))
    return tuple(uses(workspace, document, symbol))


def uses(workspace: Workspace, document: Document, symbol: Symbol) -> Iterator[Location]:
    """The places where a symbol that a document knows is meant."""
    if symbol.scope is not None:
        analysis = workspace.analysis(document)
        for one in () if analysis is None else analysis.references:
            if one.symbol == symbol:
                yield Location(document.path, one.at)
        return
    origin = home(workspace, document, symbol).path
    for other in workspace.family(document):
        analysis = workspace.analysis(other)
        for one in () if analysis is None else analysis.references:
            if one.name != symbol.name or (one.symbol is not None and one.symbol.scope is not None):
                continue
            if _means(workspace, other, one, symbol, origin):
                yield Location(other.path, one.at)


def _means(workspace: Workspace, document: Document, one: Reference, symbol: Symbol, origin: Path) -> bool:
    if one.symbol is None:
        return True  # what is declared in another file of the family
    if symbol.kind is SymbolKind.EVENT or one.symbol.kind is SymbolKind.EVENT:
        return one.symbol.kind is symbol.kind  # events are known by their names
    return one.symbol == symbol and home(workspace, document, one.symbol).path == origin
