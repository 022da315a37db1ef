"""The progress line: shown on the terminal's error stream while a check works, gone afterwards."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.outcome.events import Phase, Progress

if TYPE_CHECKING:
    from threading import Event, Lock, Thread

    from fairlead.checker.result import Result
    from fairlead.cli.verbose import Account
    from fairlead.outcome.limits import Limits

#: nothing is shown for checks that are over before this many seconds
PATIENCE = 0.3
#: the line is drawn again after this many seconds
INTERVAL = 0.25
#: "recent" is the last so many seconds
RECENT = 3.0

_GIGABYTE = 1 << 30
_MEGABYTE = 1 << 20


# ---------------------------------------------------------------- numbers as texts


def size_text(count: int) -> str:
    """An amount of memory: `200 kB`, `12 MB`, `3.4 GB`."""
    if count >= _GIGABYTE:
        return f"{count / _GIGABYTE:.1f} GB"
    return f"{count / _MEGABYTE:.0f} MB" if count >= _MEGABYTE else f"{count / 1024:.0f} kB"


def rate_text(rate: float) -> str:
    """A number per second: `870/s`, `45k/s`, `1.2M/s`."""
    if rate >= 999_500:
        return f"{rate / 1e6:.1f}M/s"
    return f"{rate / 1e3:.0f}k/s" if rate >= 999.5 else f"{rate:.0f}/s"


def time_text(seconds: float) -> str:
    """A length of time: `0:07`, `12:34`, `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class RecentRate:
    """How fast a count grows, over the last few seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def add(self, now: float, count: int) -> None:
        """Notes a count. One that has become smaller counts something else: it begins again."""
        if self._seen and count < self._seen[-1][1]:
            self._seen.clear()
        self._seen.append((now, count))
        while len(self._seen) > 2 and self._seen[1][0] <= now - RECENT:
            self._seen.popleft()

    @property
    def per_second(self) -> float:
        """Between the first and the last count that are recent."""
        if len(self._seen) < 2:
            return 0.0
        (first, before), (last, after) = self._seen[0], self._seen[-1]
        return (after - before) / (last - first) if last > first else 0.0


# ---------------------------------------------------------------- the line as a text


@dataclass(frozen=True)
class Shown:
    """The content of a line: the question, its progress, the recent speed, and the time."""

    title: str
    progress: Progress
    states_per_second: float
    nodes_per_second: float
    seconds: float


def line_text(shown: Shown, width: int) -> str:
    """The line, no longer than `width`: what matters least is left out first."""
    parts = dict(_parts(shown))
    for name in ("transitions", "nodes", "memory", "depth", "seconds", "title", "rate", "states"):
        if len(_joined(parts)) <= width:
            break
        parts.pop(name, None)
    text = _joined(parts)
    return text if len(text) <= width else text[: max(0, width - 1)] + "…" * (width > 0)


def _parts(shown: Shown) -> Iterator[tuple[str, str]]:
    """The parts of the line by name, in the order in which they are shown."""
    progress = shown.progress
    if shown.title:
        yield "title", shown.title
    yield "phase", progress.phase.value
    if progress.states:
        yield "states", f"{progress.states:,} states"
        if shown.states_per_second or not shown.nodes_per_second:
            yield "rate", rate_text(shown.states_per_second)
        else:
            yield "rate", f"{rate_text(shown.nodes_per_second)} nodes"
        yield "depth", f"depth {progress.depth:,}"
        yield "transitions", f"{progress.transitions:,} transitions"
    if progress.nodes:
        yield "nodes", f"{progress.nodes:,} nodes"
    if progress.memory_bytes:
        budget = "" if progress.memory_limit is None else f" of {size_text(progress.memory_limit)}"
        yield "memory", size_text(progress.memory_bytes) + budget
    yield "seconds", time_text(shown.seconds)


def _joined(parts: dict[str, str]) -> str:
    title = f"[{parts['title']}] " if "title" in parts else ""
    numbers = ", ".join(text for name, text in parts.items() if name not in ("title", "phase"))
    return f"{title}{parts['phase']}" + (f": {numbers}" if numbers else "")


# ---------------------------------------------------------------- the line on the terminal


class ProgressLine:
    """A reporter that redraws one line; silent where standard error is not a terminal.

    While it is entered, a thread draws the line even if nothing is reported, so that the time continues.
    """

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._title = ""
        self._began = self._drawn = 0.0
        self._states, self._nodes = RecentRate(), RecentRate()
        self._visible: Progress | None = None  # what is to be drawn
        self._length = 0  # of what is on the terminal
        self.last: Progress | None = None
        self._lock: Lock | None = None
        self._ended: Event | None = None
        self._thread: Thread | None = None

    def begin(self, title: str, phase: Phase) -> None:
        """Begins to work on something else; `title` says on what."""
        self._title = title
        self._began = time.monotonic()
        self._states, self._nodes = RecentRate(), RecentRate()
        self(Progress(phase, 0, 0, 0, 0.0))
        self.last = None  # nothing has been examined

    def __call__(self, progress: Progress) -> None:
        """Hears how far a check is."""
        self.last = progress
        if self._lock is None:
            return
        with self._lock:
            now = time.monotonic()
            self._states.add(now, progress.states)
            self._nodes.add(now, progress.nodes)
            self._visible = progress
            if now - self._drawn >= INTERVAL:
                self._draw()

    def clear(self) -> None:
        """Takes the line away, until something is reported again."""
        if self._lock is not None:
            with self._lock:
                self._visible = None
                self._write("")

    def lines(self, result: Result, limits: Limits) -> tuple[str, ...]:
        """What to report when a question is answered: nothing."""
        return ()

    # ------------------------------------------------------------ drawing

    def _draw(self) -> None:
        now = time.monotonic()
        if self._visible is None or now - self._began < PATIENCE:
            return
        self._drawn = now
        states, nodes = self._states.per_second, self._nodes.per_second
        shown = Shown(self._title, self._visible, states, nodes, now - self._began)
        self._write(line_text(shown, _width() - 1))

    def _write(self, text: str) -> None:
        if not text and not self._length:
            return
        # if the terminal has become narrower, the line continues in the rows below
        above = max(0, self._length - 1) // max(1, _width())
        up = f"\x1b[{above}A" if above else ""
        try:
            sys.stderr.write(f"{up}\r\x1b[J{text}")
            sys.stderr.flush()
        except OSError:  # the terminal has gone; the check continues
            self._visible = None
        self._length = len(text)

    def _redraw(self, lock: Lock, ended: Event) -> None:
        while not ended.wait(INTERVAL):
            with lock:
                if time.monotonic() - self._drawn >= INTERVAL / 2:
                    self._draw()

    def __enter__(self) -> ProgressLine:
        if self._enabled:
            from threading import Event, Lock, Thread  # only on a terminal

            self._lock, self._ended = Lock(), Event()
            self._began = time.monotonic()
            self._thread = Thread(target=self._redraw, args=(self._lock, self._ended), daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.clear()
        if self._thread is not None and self._ended is not None:
            self._ended.set()
            self._thread.join()
            self._lock = self._ended = self._thread = None


def reporter_of(quiet: bool, as_json: bool, verbose: bool) -> ProgressLine | Account:
    """Who hears how far checks are, and how they are done."""
    line = ProgressLine(not quiet and not as_json)
    if not verbose:
        return line
    if quiet:
        raise input_error(Code.USAGE, "--quiet and --verbose cannot be used together")
    from fairlead.cli.verbose import Account  # rarely needed

    return Account(line)


def _width() -> int:
    """How wide the terminal is now."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):
        return 80
