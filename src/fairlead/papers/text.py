"""Rows and answers as text: the cells of a table, its footnotes, and lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.papers.rows import Ending, Row, Table, size_text
from fairlead.papers.run import Agreement, Outcome

#: where nothing is stated
NOTHING = "-"
_GAP = "  "
_WIDTH = 118
#: published verdicts in our words
VERDICTS = {True: "holds", False: "violated", None: None}
_OURS = ("ours", "seconds", "states", "compared")
#: the longest text of each of these, for rows that are not checked yet
_ROOM = ("unknown (memory)", "99999.999", "999,999,999", Agreement.EXPLAINED.value)


def published_text(row: Row) -> str:
    """What is stated, in a few words."""
    published = row.published
    if published is None:
        return NOTHING
    states = None if published.states is None else counted(published.states, "state")
    return ", ".join(part for part in (VERDICTS[published.verdict], states) if part) or NOTHING


def time_texts(row: Row, tools: Sequence[str]) -> tuple[str, ...]:
    """The published times of these tools."""
    known = {} if row.published is None else {time.tool: time.printed for time in row.published.times}
    return tuple(known.get(tool, NOTHING) for tool in tools)


def verdict_text(outcome: Outcome) -> str:
    """Our verdict."""
    because = "" if outcome.short_of is None else f" ({outcome.short_of})"
    return f"{outcome.verdict.value}{because}"


def ending_text(ending: Ending) -> str:
    """A trace and its terminal set."""
    return f"{', '.join(ending.trace)} → {{{', '.join(sorted(ending.actions))}}}"


class Notes:
    """The footnotes of some rows, numbered in the order in which they are needed."""

    def __init__(self, rows: Iterable[Row]) -> None:
        texts = dict.fromkeys(note for row in rows for note in row.notes)
        self._numbers = {text: number for number, text in enumerate(texts, 1)}

    def marks(self, row: Row) -> str:
        """Which of them belong to a row."""
        return ", ".join(str(self._numbers[note]) for note in row.notes)

    @property
    def numbered(self) -> Iterable[tuple[int, str]]:
        """All of them."""
        return ((number, text) for text, number in self._numbers.items())


@dataclass(frozen=True)
class Columns:
    """The columns of a table, and the texts in them. There are no sizes where no row has one."""

    tools: tuple[str, ...]
    sizes: bool
    notes: Notes

    @property
    def heads(self) -> tuple[str, ...]:
        """The lines above them."""
        size = ("size",) if self.sizes else ()
        return ("system", *size, "property", "fairness", "published", *self.tools, *_OURS, "notes")

    @property
    def are_numbers(self) -> tuple[bool, ...]:
        """Which of them are aligned to the right."""
        numbers = {"size", *self.tools, "seconds", "states"}
        return tuple(head in numbers for head in self.heads)

    def given(self, row: Row) -> tuple[str, ...]:
        """What is known of a row before it is checked."""
        return (
            row.system,
            *((size_text(row.size),) if self.sizes else ()),
            row.claim,
            row.fairness,
            published_text(row),
            *time_texts(row, self.tools),
        )

    def cells(self, outcome: Outcome) -> tuple[str, ...]:
        """A whole row."""
        return (
            *self.given(outcome.row),
            verdict_text(outcome),
            f"{outcome.seconds:.3f}",
            f"{outcome.states:,}",
            outcome.agreement.value,
            self.notes.marks(outcome.row),
        )


def columns_of(table: Table, rows: Sequence[Row]) -> Columns:
    """The columns for some rows of a table."""
    return Columns(table.tools, any(row.size is not None for row in rows), Notes(rows))


class Lines:
    """Rows as lines of equal columns, which can be written one by one while the answers come."""

    def __init__(self, table: Table, rows: Sequence[Row]) -> None:
        self.columns = columns_of(table, rows)
        room = [(*self.columns.given(row), *_ROOM, "") for row in rows]
        self._widths = [max(map(len, column)) for column in zip(self.columns.heads, *room, strict=True)]

    @property
    def head(self) -> str:
        """The line above all others."""
        return self._line(self.columns.heads)

    def line(self, outcome: Outcome) -> tuple[str, str, str]:
        """A row in three parts, of which the middle one, how the answer compares, may be coloured."""
        *before, compared, marks = self.columns.cells(outcome)
        shown = self._line((*before, compared, f"[{marks}]" if marks else ""))
        begin = sum(self._widths[: len(before)]) + len(_GAP) * len(before)
        end = begin + len(compared)
        return shown[:begin], shown[begin:end], shown[end:]

    def _line(self, cells: Sequence[str]) -> str:
        padded = (
            f"{cell:>{width}}" if number else f"{cell:<{width}}"
            for cell, width, number in zip(cells, self._widths, self.columns.are_numbers, strict=True)
        )
        return _GAP.join(padded).rstrip()


def detail_lines(outcome: Outcome) -> Iterator[str]:
    """How progress is violated, there and here."""
    published = outcome.row.published
    if published is not None and published.ending is not None:
        yield f"published: {ending_text(published.ending)}"
        if outcome.ending is not None:
            yield f"ours:      {ending_text(outcome.ending)}"


def wrapped(text: str, *, hanging: int = 0) -> str:
    """A longer text as lines of the terminal, the first one hanging over the others to the left."""
    indent = " " * hanging
    return fill(text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def summary(outcomes: Sequence[Outcome]) -> str:
    """How many rows agree, and how many do not."""
    found = [outcome.agreement for outcome in outcomes]
    numbers = ((agreement, found.count(agreement)) for agreement in Agreement)
    parts = [f"“{agreement.value}” {number}" for agreement, number in numbers if number]
    return f"{counted(len(outcomes), 'row')}: {', '.join(parts)}"
