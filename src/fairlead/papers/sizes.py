"""Reads which sizes of the systems are checked: `3-6`, `3,5,inf`, `all`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.papers.rows import Extent, Row, Size, Table, Unbounded, size_text


class Sizes(Enum):
    """Sizes that are not listed one by one."""

    USUAL = "usual"  # those that take seconds
    ALL = "all"


@dataclass(frozen=True)
class ListedSizes:
    """Ranges of numbers with both ends, and perhaps any number of processes."""

    text: str
    ranges: tuple[tuple[int, int], ...]
    any_number: bool

    def contains(self, size: Size) -> bool:
        """Whether a size is listed. Systems of one size only are never."""
        if size is None or isinstance(size, Unbounded):
            return size is not None and self.any_number
        return any(low <= size <= high for low, high in self.ranges)


def parse_sizes(text: str | None) -> Sizes | ListedSizes:
    """What `--sizes` says."""
    if text is None:
        return Sizes.USUAL
    if text.strip() == Sizes.ALL.value:
        return Sizes.ALL
    ranges: list[tuple[int, int]] = []
    any_number = False
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,18})\s*(?:-\s*(\d{1,18})\s*)?", part)
        if part.strip() in ("inf", Unbounded.ANY.value):
            any_number = True
        elif match is None or int(match[2] or match[1]) < int(match[1]):
            raise input_error(
                Code.USAGE,
                f"--sizes {text}: expected sizes such as 3-6, '3,5,inf' or all, not '{part.strip()}'",
            )
        else:
            ranges.append((int(match[1]), int(match[2] or match[1])))
    return ListedSizes(text, tuple(ranges), any_number)


def rows_of(table: Table, sizes: Sizes | ListedSizes) -> tuple[Row, ...]:
    """The rows of a table that have such sizes."""
    match sizes:
        case Sizes.ALL:
            return table.rows
        case Sizes.USUAL:
            return tuple(row for row in table.rows if row.extent is Extent.USUAL)
        case listed:
            return tuple(row for row in table.rows if listed.contains(row.size))


def check_any(chosen: Iterable[Row], tables: Sequence[Table], sizes: Sizes | ListedSizes) -> None:
    """Refuses sizes that no row has."""
    if any(True for _ in chosen) or not isinstance(sizes, ListedSizes):
        return
    known = {row.size for table in tables for row in table.rows if row.size is not None}
    shown = ", ".join(size_text(size) for size in sorted(known, key=_order))
    names = " and ".join(table.name for table in tables)
    hint = f"there are {shown}" if known else f"the systems of {names} have one size each; leave --sizes out"
    raise input_error(Code.USAGE, f"--sizes {sizes.text}: no row has such a size", hint=hint)


def _order(size: Size) -> tuple[bool, int]:
    return (not isinstance(size, int), size if isinstance(size, int) else 0)
