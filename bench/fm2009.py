"""The table of Sun, Liu, Roychoudhury, Liu and Dong (FM 2009) for the benchmark, and sizes beyond it.

What the paper says, and our models, are those of `fairlead papers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.ours import EXAMPLES
from fairlead.papers.fm2009 import KV, LE, ML, ROWS, STACK, SYSTEMS, System
from fairlead.papers.fm2009 import NOTIONS as _FAIRNESS
from fairlead.papers.rows import Counted, Row, Size, size_text

#: the notions in the order of the paper's columns
NOTIONS = tuple(fairness.value for fairness in _FAIRNESS)


@dataclass(frozen=True)
class Line:
    """A system of one size: under each notion the verdict. None: not known."""

    system: System
    processes: Size
    verdicts: tuple[bool | None, ...]

    @property
    def size(self) -> str:
        """The number of processes as it is shown."""
        return size_text(self.processes)

    @property
    def model(self) -> Path:
        return EXAMPLES / self.system.model

    @property
    def sizes(self) -> dict[str, int]:
        return dict(self.system.question(self.processes, _FAIRNESS[0]).constants)

    @property
    def options(self) -> tuple[str, ...]:
        counted = self.system.question(self.processes, _FAIRNESS[0]).counted or Counted()
        if counted.any_number is None:
            return ("--counters",)
        return "--counters", "--processes", f"{counted.any_number}=inf", "--cutoff", str(counted.cutoff)


def _lines() -> Iterator[Line]:
    """The lines of the paper's table: it has the notions side by side."""
    found: dict[tuple[str, Size], list[Row]] = {}
    for row in ROWS:
        found.setdefault((row.system, row.size), []).append(row)
    for (name, size), rows in found.items():
        yield Line(SYSTEMS[name], size, tuple(row.published and row.published.verdict for row in rows))


LINES = tuple(_lines())

#: larger than what is in the paper; the verdicts are those of its smaller sizes
BEYOND = (
    Line(LE, 100_000, (False, True, True)),
    Line(KV, 6, (False, True, True)),
    Line(KV, 7, (False, True, True)),
    Line(KV, 8, (False, True, True)),
    Line(STACK, 12, (False, False, False)),
    Line(ML, 10_000, (True, True, True)),
)


def seconds_of(system: str, size: str, notion: str) -> str:
    """What the paper says about one entry; nothing for sizes that are not in it."""
    for row in ROWS:
        if (row.system, size_text(row.size), row.fairness) == (system, size, notion) and row.published:
            time = next(time for time in row.published.times if time.tool == "PAT")
            return "not feasible" if time.seconds is None else f"{time.seconds:g}"
    return ""
