"""Source texts and places in them, shared by every language and by the formula parsers."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from functools import cached_property
from pathlib import Path

from fairlead.base.records import dataclass


@dataclass(frozen=True)
class Source:
    """A text with a name, so that a place in it can be shown to its author; and its file, if it is one."""

    name: str
    text: str = field(repr=False)
    path: Path | None = field(default=None, repr=False, compare=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        for offset, character in enumerate(self.text):
            if character == "\n":
                starts.append(offset + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of an offset."""
        line = bisect_right(self._line_starts, offset) - 1
        return line + 1, offset - self._line_starts[line] + 1

    def line_start(self, number: int) -> int:
        """The offset at which a 1-based line begins; that of the last line, if there are fewer lines."""
        return self._line_starts[min(number, len(self._line_starts)) - 1]

    def line(self, number: int) -> str:
        """The text of a 1-based line, without its newline."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def span(self, start: int, end: int) -> Span:
        """The part of this text from offset `start` to offset `end` (exclusive)."""
        return Span(self, start, end)


@dataclass(frozen=True)
class Span:
    """A part of a source text."""

    source: Source = field(repr=False, compare=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        """1-based line of the first character."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """1-based column of the first character."""
        return self.source.position(self.start)[1]

    @property
    def end_position(self) -> tuple[int, int]:
        """The 1-based line and column behind the last character."""
        return self.source.position(self.end)

    @property
    def key(self) -> tuple[str, int, int]:
        """Tells this part from all others, those of other texts included."""
        return self.source.name, self.start, self.end

    @property
    def left_out(self) -> Span:
        """The place of what a construct leaves out, such as an else: an empty part at its beginning."""
        return Span(self.source, self.start, self.start)

    @property
    def text(self) -> str:
        """The characters of this part."""
        return self.source.text[self.start : self.end]

    def to_json(self) -> dict[str, str | int]:
        """The place for programs."""
        return {"file": self.source.name, "line": self.line, "column": self.column}

    def to(self, other: Span) -> Span:
        """The part from the start of this one to the end of the other."""
        return Span(self.source, self.start, other.end)

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"
