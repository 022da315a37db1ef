"""Finds the names that hold in a part of a CSP# declaration only, such as parameters and indices.

Where the declaration can be read, the syntax tree says how far each name reaches; else the brackets do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from fairlead.lang.csp import syntax
from fairlead.lang.csp.walk import nodes_of
from fairlead.lang.editing import Extent, Symbol, SymbolKind
from fairlead.lang.lexemes import Bracketed, shortened

#: what a received value is compared with, if it has the name of one of these
_COMPARED = (SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.MACRO)
Outer = Callable[[str], Symbol | None]


class Binders:
    """Collects the local names of one declaration, those around before those inside."""

    def __init__(self, pieces: Bracketed, container: str, outer: Outer) -> None:
        self._pieces = pieces
        self._container = container
        self._outer = outer
        self.found: list[Symbol] = []

    def add(self, name: str, kind: SymbolKind, at: Extent, scope: Extent, detail: str = "") -> None:
        """Adds a name."""
        self.found.append(Symbol(name, kind, at, at, None, detail, self._container, scope))

    def local(self, name: str, offset: int) -> Symbol | None:
        """The innermost local name that holds at an offset."""
        best: Symbol | None = None
        for symbol in self.found:
            scope = symbol.scope
            if symbol.name != name or scope is None or not scope.start <= offset < scope.end:
                continue
            if best is None or best.scope is None or scope.start >= best.scope.start:
                best = symbol
        return best

    # ------------------------------------------------------------ declarations that can be read

    def read(self, declarations: Sequence[syntax.Declaration]) -> None:
        """Takes the names from the syntax tree."""
        for node in nodes_of(declarations):
            match node:
                case (
                    syntax.IndexedChoice(ranges=ranges)
                    | syntax.IndexedParallel(ranges=ranges)
                    | syntax.IndexedExpression(ranges=ranges)
                    | syntax.IndexedEvent(ranges=ranges)
                ):
                    for index in ranges:
                        at = Extent(index.span.start, index.span.start + len(index.name))
                        detail = shortened(index.span.text[len(index.name) :].lstrip(" :"))
                        self.add(index.name, SymbolKind.INDEX, at, _extent(node), detail)
                case syntax.Input():
                    self._received(node)
                case syntax.Block(statements=statements):
                    for statement in statements:
                        if isinstance(statement, syntax.LocalVariable):
                            self._local_variable(statement, node.span.end)

    def _received(self, node: syntax.Input) -> None:
        for pattern in node.patterns:
            if isinstance(pattern, syntax.Name) and not self._is_known(pattern.name, pattern.span.start):
                at = Extent(pattern.span.start, pattern.span.end)
                channel = f"from {node.channel.name}"
                self.add(pattern.name, SymbolKind.RECEIVED, at, _extent(node), channel)

    def _is_known(self, name: str, offset: int) -> bool:
        if self.local(name, offset) is not None:
            return True
        known = self._outer(name)
        return known is not None and known.kind in _COMPARED

    def _local_variable(self, node: syntax.LocalVariable, end: int) -> None:
        for piece in self._pieces.pieces:
            if piece.start >= node.span.start and piece.text == node.name:
                scope = Extent(node.span.start, end)
                self.add(node.name, SymbolKind.LOCAL_VARIABLE, Extent(piece.start, piece.end), scope)
                return

    # ------------------------------------------------------------ declarations that are broken

    def guess(self, first: int, last: int, end: int) -> None:
        """Takes the names from the pieces `first` to `last`; `end` is the offset where they end."""
        pieces = self._pieces
        for index in range(first, last):
            if not pieces.is_name(index):
                continue
            name, at = pieces.word(index), pieces.extent(index)
            scope = Extent(at.start, pieces.end_around(index, end))
            before, after = pieces.word(index - 1), pieces.word(index + 1)
            if after == ":" and pieces.word(index + 2) == "{":
                self.add(name, SymbolKind.INDEX, at, scope)
            elif before == "var" and index - 1 > first:
                self.add(name, SymbolKind.LOCAL_VARIABLE, at, scope)
            elif self._is_received(index, first) and not self._is_known(name, at.start):
                self.add(name, SymbolKind.RECEIVED, at, scope)

    def _is_received(self, index: int, first: int) -> bool:
        while index > first and self._pieces.word(index - 1) == ".":
            index -= 2
        return self._pieces.word(index - 1) == "?"


def _extent(node: syntax.Node) -> Extent:
    return Extent(node.span.start, node.span.end)


def events_at(declarations: Sequence[syntax.Declaration], pieces: Bracketed) -> Iterator[tuple[int, int]]:
    """The offsets where names of events stand, each with the number of its arguments."""
    for node in nodes_of(declarations):
        if isinstance(node, syntax.Event) and node.name != "tau":
            start = node.span.start
            if node.annotation is not None:  # `wf(a)`
                index = bisect_left(pieces.starts, start) + 2
                start = pieces.starts[index] if pieces.word(index) == node.name else start
            yield start, len(node.arguments)
