"""Translates places in a text as editors count them: lines from 0, characters in a line from 0."""

from __future__ import annotations

from bisect import bisect_right
from enum import StrEnum

from fairlead.base.records import dataclass


class Units(StrEnum):
    """In what an editor counts the characters of a line, as the language server protocol says it."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    CODE_POINTS = "utf-32"


@dataclass(frozen=True, order=True)
class Position:
    """A place between two characters."""

    line: int
    character: int


@dataclass(frozen=True)
class Range:
    """From one place to another."""

    start: Position
    end: Position


class Lines:
    """The lines of a text; translates between offsets and positions."""

    def __init__(self, text: str, units: Units = Units.UTF16) -> None:
        self._text = text
        self._units = units
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def offset(self, position: Position) -> int:
        """The offset of a position; one beyond the end of its line, or of the text, is the end."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self._text)
        start, end = self._starts[position.line], self._end(position.line)
        if self._units is Units.CODE_POINTS or self._text[start:end].isascii():
            return min(start + max(0, position.character), end)
        left = position.character
        for offset in range(start, end):
            left -= self._width(self._text[offset])
            if left < 0:
                return offset
        return end

    def position(self, offset: int) -> Position:
        """The position of an offset."""
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[line] : offset]
        if self._units is Units.CODE_POINTS or before.isascii():
            return Position(line, len(before))
        return Position(line, sum(self._width(character) for character in before))

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets."""
        return Range(self.position(start), self.position(end))

    def _end(self, line: int) -> int:
        return self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self._text)

    def _width(self, character: str) -> int:
        if self._units is Units.UTF8:
            return len(character.encode("utf-8", "surrogatepass"))
        return 1 if self._units is Units.CODE_POINTS or ord(character) <= 0xFFFF else 2
