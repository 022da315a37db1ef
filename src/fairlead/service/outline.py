"""Lists the declarations of a document, and what folds."""

from __future__ import annotations

from fairlead.base.records import dataclass
from fairlead.lang.editing import LOCAL_KINDS, Analysis, Extent, Symbol, SymbolKind


@dataclass(frozen=True)
class Entry:
    """A declaration in the outline, with those inside of it."""

    symbol: Symbol
    children: tuple[Entry, ...] = ()


def outline(analysis: Analysis) -> tuple[Entry, ...]:
    """The declarations in the order of the text; a broken one is there by its name."""
    shown = [
        symbol
        for symbol in analysis.symbols
        if symbol.kind is not SymbolKind.EVENT and symbol.kind not in LOCAL_KINDS
    ]
    inner: dict[Extent | None, list[Entry]] = {}
    for symbol in shown:
        if symbol.kind is SymbolKind.LOCAL_PROCESS:
            inner.setdefault(symbol.scope, []).append(Entry(symbol))
    return tuple(
        Entry(symbol, tuple(inner.get(symbol.whole, ())))
        for symbol in sorted(shown, key=lambda one: one.name_at.start)
        if symbol.kind is not SymbolKind.LOCAL_PROCESS
    )


def folding(analysis: Analysis) -> tuple[Extent, ...]:
    """What can be folded: declarations, brackets and comments of several lines."""
    return analysis.folds
