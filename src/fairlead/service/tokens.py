"""Classifies the tokens of a document by their meaning, for colours."""

from __future__ import annotations

from typing import NamedTuple

from fairlead.lang.editing import Analysis, Extent, SymbolKind, TokenKind


class SemanticToken(NamedTuple):
    """A piece of the text; a name that is known has the kind of its symbol."""

    at: Extent
    kind: TokenKind | SymbolKind
    is_declaration: bool = False


def semantic_tokens(analysis: Analysis) -> tuple[SemanticToken, ...]:
    """The tokens in the order of the text; none overlaps another."""
    meant = {one.at.start: one.symbol for one in analysis.references}
    found: list[SemanticToken] = []
    for piece in analysis.lexemes:
        at = Extent(piece.start, piece.end)
        symbol = meant.get(piece.start)
        if piece.kind is TokenKind.NAME and symbol is not None:
            declares = symbol.name_at.start == piece.start
            found.append(SemanticToken(at, symbol.kind, declares))
        else:
            found.append(SemanticToken(at, piece.kind))
    return tuple(found)
