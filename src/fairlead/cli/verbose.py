"""`--verbose`: what was done to answer a question, and what took the time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import TracebackType

from fairlead.base.diagnostics import counted
from fairlead.checker.result import Result
from fairlead.cli.progress import ProgressLine, size_text
from fairlead.outcome.events import Note, Phase, Progress, Tables, Translated, Way
from fairlead.outcome.limits import Limits

#: shorter phases are not told
SHORTEST = 0.0005


class Account:
    """A reporter that keeps what it hears of a question, and passes it on to the progress line."""

    def __init__(self, line: ProgressLine) -> None:
        self._line = line
        self._times: dict[Phase, float] = {}
        self._phase: Phase | None = None
        self._since = 0.0
        self._notes: list[Note] = []

    def begin(self, title: str, phase: Phase) -> None:
        """Another question; what came before the first of them counts to it."""
        self._line.begin(title, phase)
        self._enter(phase)
        self._notes = []

    @property
    def last(self) -> Progress | None:
        """What was heard last of the question."""
        return self._line.last

    def __call__(self, progress: Progress) -> None:
        """Hears how far a check is."""
        self._enter(progress.phase)
        self._line(progress)

    def note(self, note: Note) -> None:
        """Hears how a question is answered."""
        self._notes.append(note)

    def clear(self) -> None:
        """Takes the progress line away."""
        self._line.clear()

    def lines(self, result: Result, limits: Limits) -> tuple[str, ...]:
        """What was done to find a result."""
        self._enter(None)
        times, self._times = self._times, {}
        told = _Told(result, limits, tuple(self._notes), times)
        return tuple(f"  {heading:<10} {text}" for heading, text in told.lines())

    def _enter(self, phase: Phase | None) -> None:
        now = time.perf_counter()
        if self._phase is not None:
            self._times[self._phase] = self._times.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now

    def __enter__(self) -> Account:
        self._line.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._line.__exit__(kind, error, traceback)


class _Told:
    """The account of one result."""

    def __init__(
        self, result: Result, limits: Limits, notes: tuple[Note, ...], times: dict[Phase, float]
    ) -> None:
        self._result = result
        self._limits = limits
        self._notes = notes
        self._times = times
        self._tables = next((note for note in reversed(notes) if isinstance(note, Tables)), None)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Headings and texts; a line that belongs to the one before it has no heading."""
        yield from self._translation()
        yield from self._method()
        yield "explored", self._size()
        phases = ", ".join(
            f"{phase.value} {seconds:.3f}" for phase, seconds in self._times.items() if seconds >= SHORTEST
        )
        yield "seconds", f"{sum(self._times.values()):.3f}" + (f": {phases}" if phases else "")
        yield "memory", self._memory()
        chosen = "" if self._limits.threads is not None else ", one for each core"
        yield "threads", f"{self._limits.workers}{chosen}"

    def _translation(self) -> Iterator[tuple[str, str]]:
        for note in self._notes:
            if isinstance(note, Translated):
                size = f"{counted(note.states, 'state')}, {counted(note.transitions, 'transition')}"
                sets = counted(note.acceptance_sets, "acceptance set")
                yield "automaton", f"of the negated formula: {size}, {sets} ({note.strength})"
                return

    def _method(self) -> Iterator[tuple[str, str]]:
        heading = "method"
        if self._result.method:
            yield heading, self._result.method
            heading = ""
        for way in dict.fromkeys(note for note in self._notes if isinstance(note, Way)):
            yield heading, f"{way.what}: {way.why}"
            heading = ""

    def _size(self) -> str:
        statistics = self._result.statistics
        depth = f" to depth {self._tables.depth:,}" if self._tables is not None and self._tables.depth else ""
        nodes = f", {statistics.product_nodes:,} nodes of the search" if statistics.product_nodes else ""
        rest = "" if statistics.complete else "; there is more"
        return f"{statistics.states:,} states{depth}, {statistics.transitions:,} transitions{nodes}{rest}"

    def _memory(self) -> str:
        peak = f"at most {size_text(self._result.statistics.memory_bytes)}"
        tables = self._tables
        if tables is None:
            return peak
        known = {
            "states": tables.records,
            "hash table": tables.table,
            "predecessors": tables.parents,
            "transitions": tables.transitions,
        }
        known["other"] = max(0, tables.used - sum(known.values()))
        return f"{peak}; {', '.join(f'{name} {size_text(size)}' for name, size in known.items() if size)}"
