"""The progress line: shown on the terminal's error stream while a check works, gone afterwards."""

from __future__ import annotations

import sys
from types import TracebackType

from fairlead.check.limits import Progress

#: nothing is shown for checks that are over before this many seconds
PATIENCE = 0.3


class ProgressLine:
    """A reporter that rewrites one line; silent where nobody would see it."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr.isatty()
        self._shown = 0
        self.title = ""
        self.last: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Shows how far a check is."""
        self.last = progress
        if not self._enabled or progress.seconds < PATIENCE:
            return
        rate = progress.states / progress.seconds if progress.seconds else 0
        text = (
            f"{self.title}{progress.phase}: {progress.states:,} states, "
            f"{progress.transitions:,} transitions, {rate:,.0f}/s, {progress.memory_bytes >> 20:,} MB"
        )
        self._write(text[:118])

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        padding = " " * max(0, self._shown - len(text))
        sys.stderr.write(f"\r{text}{padding}" if text else f"\r{padding}\r")
        sys.stderr.flush()
        self._shown = len(text)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.clear()
