"""Puts the blanks of a text in order, and nothing else: every token and every comment stays.

Lines stay as they were divided. A declaration begins at the margin; a line that continues with it is indented
by at least the brackets around it. Blanks are set where there is one way to write them. Several blanks in a
row, and deeper indentation, align what belongs together: they stay, with tabs made blanks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.base.records import dataclass
from fairlead.lang.editing import Extent, Lexeme, TokenKind
from fairlead.lang.lexemes import Bracketed, bracketed

_STEP = "  "


@dataclass(frozen=True)
class Style:
    """How a language is written.

    `spaced` operators have a blank on both sides. `flush` says of a piece that it begins a line at the margin
    though it does not begin a declaration, and `kept` that the blanks around it stay as they are.
    """

    pieces: Callable[[str], list[Lexeme]]
    spaced: frozenset[str]
    flush: Callable[[Bracketed, int], bool]
    kept: Callable[[Bracketed, int], bool]


def formatted(text: str, style: Style, parts: Sequence[Extent]) -> str:
    """The text with its blanks in order."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    result = mark + _Formatter(text, style, parts).text()
    before, after = style.pieces(text), style.pieces(result)
    is_same = [_essence(piece) for piece in before] == [_essence(piece) for piece in after]
    return result if is_same else text


def _essence(piece: Lexeme) -> tuple[TokenKind, str]:
    return piece.kind, piece.text.rstrip() if piece.kind is TokenKind.COMMENT else piece.text


class _Formatter:
    def __init__(self, text: str, style: Style, parts: Sequence[Extent]) -> None:
        self._text = text
        self._style = style
        self._all = style.pieces(text)
        self._code = bracketed(text, self._all)
        self._starts = {part.start for part in parts}
        self._index = {piece.start: index for index, piece in enumerate(self._code.pieces)}

    def text(self) -> str:
        """Piece by piece."""
        result: list[str] = []
        end = 0
        for place, piece in enumerate(self._all):
            gap = self._text[end : piece.start]
            newlines = gap.count("\n")
            if not place:
                result.append("")
            elif newlines:
                written = gap.rpartition("\n")[2].expandtabs(8)
                result.append("\n" * min(newlines, 2) + self._indent(place, written))
            else:
                result.append(self._blank(place, gap))
            is_comment = piece.kind is TokenKind.COMMENT
            result.append(piece.text.rstrip() if is_comment else piece.text)
            end = piece.end
        return "".join(result).rstrip() + "\n" if result else ""

    # ------------------------------------------------------------ lines

    def _indent(self, place: int, written: str) -> str:
        """The blanks before the piece that begins a line, where some are written."""
        following = next((one for one in self._all[place:] if one.kind is not TokenKind.COMMENT), None)
        if following is None:
            return ""
        index = self._index[following.start]
        parent = self._code.parent[index]
        depth = 0
        while parent >= 0:
            depth, parent = depth + 1, self._code.parent[parent]
        is_comment = self._all[place].kind is TokenKind.COMMENT
        if self._code.partner[index] in range(index) and not is_comment:  # it closes a bracket
            return max(_STEP * depth, " " * len(written), key=len)
        if following.start in self._starts or self._style.flush(self._code, index):
            return ""
        return max(_STEP * max(1, depth), " " * len(written), key=len)

    # ------------------------------------------------------------ blanks in a line

    def _blank(self, place: int, gap: str) -> str:
        before, after = self._all[place - 1], self._all[place]
        if after.kind is TokenKind.COMMENT:
            return gap.expandtabs(8) or " "
        if before.kind is TokenKind.COMMENT:
            return " "
        if len(gap.expandtabs(8)) > 1:
            return " " * len(gap.expandtabs(8))
        kept = " " if gap else ""
        left, right = self._index[before.start], self._index[after.start]
        if after.text in (",", ";", "]") or before.text == "[":
            return ""
        if before.text in ("(", "{") or after.text in (")", "}"):
            return kept
        if before.text in (",", ";"):
            return kept if self._style.kept(self._code, left) else " "
        for index in (left, right):
            if self._code.word(index) in self._style.spaced and not self._style.kept(self._code, index):
                return " "
        return kept
