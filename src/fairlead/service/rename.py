"""Gives a name another name, wherever it is used, or says why not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fairlead.base.records import dataclass
from fairlead.lang.editing import Analysis, Extent, Reference, Symbol, SymbolKind
from fairlead.service.documents import Document, Workspace
from fairlead.service.names import reference_at, references


@dataclass(frozen=True)
class Edit:
    """A new text for a part of a file."""

    path: Path
    at: Extent
    text: str


@dataclass(frozen=True)
class Refused:
    """Why a name cannot be changed."""

    reason: str


def renamable(workspace: Workspace, document: Document, offset: int) -> Reference | Refused:
    """The name at an offset, if it can have another one."""
    analysis = workspace.analysis(document)
    found = None if analysis is None else reference_at(analysis, offset)
    if found is None or analysis is None:
        return Refused("there is no name here that could be changed")
    if not references(workspace, document, offset):
        return Refused(f"'{found.name}' is not declared in the model")
    symbol = found.symbol
    if symbol is not None and symbol.kind is SymbolKind.EVENT and _has_graphs(analysis):
        return Refused("an imported graph may have this action, and keeps its own names")
    if _is_ambiguous(workspace, document, found):
        return Refused(f"'{found.name}' is the name of an event and of something else")
    return found


def rename(
    workspace: Workspace, document: Document, offset: int, new_name: str
) -> tuple[Edit, ...] | Refused:
    """The edits that give the name at an offset another one in all files that include each other."""
    found = renamable(workspace, document, offset)
    editing = workspace.editing(document)
    if isinstance(found, Refused) or editing is None:
        return found if isinstance(found, Refused) else Refused("")
    kind = SymbolKind.OTHER if found.symbol is None else found.symbol.kind
    if new_name in editing.reserved:
        return Refused(f"'{new_name}' is a word of {editing.language}")
    if not editing.is_name(new_name, kind):
        return Refused(f"'{new_name}' cannot be the name of this {kind.value}")
    if new_name == found.name:
        return ()
    if new_name in set(_words(workspace, document)):
        return Refused(f"there is a '{new_name}' already")
    places = references(workspace, document, offset)
    return tuple(Edit(place.path, place.at, new_name) for place in places)


def _words(workspace: Workspace, document: Document) -> Iterator[str]:
    for other in workspace.family(document):
        analysis = workspace.analysis(other)
        if analysis is not None:
            yield from (piece.text for piece in analysis.lexemes)
            yield from (one.name for one in analysis.references)


def _has_graphs(analysis: Analysis) -> bool:
    text = analysis.text
    return any(
        symbol.kind is SymbolKind.PROCESS and text.startswith("import", symbol.whole.start)
        for symbol in analysis.symbols
    )


def _is_ambiguous(workspace: Workspace, document: Document, found: Reference) -> bool:
    if found.symbol is not None and found.symbol.scope is not None:
        return False
    kinds: set[SymbolKind] = set()
    for other in workspace.family(document):
        analysis = workspace.analysis(other)
        symbols: tuple[Symbol, ...] = () if analysis is None else analysis.symbols
        kinds |= {one.kind for one in symbols if one.name == found.name and one.scope is None}
    return SymbolKind.EVENT in kinds and len(kinds) > 1


def applied(text: str, edits: tuple[Edit, ...], path: Path) -> str:
    """The text of a file after edits."""
    for edit in sorted(edits, key=lambda one: one.at.start, reverse=True):
        if edit.path == path:
            text = text[: edit.at.start] + edit.text + text[edit.at.end :]
    return text
