"""Jobs: checks and other work about documents, each in a process of its own.

A process can be ended at once whatever it is doing, on every system, and takes its memory with it; a thread
cannot. It is started as a fresh interpreter, not by `multiprocessing`: that would run the main module of
whoever uses this package again. Requests and events are lines of JSON, since JSON is what faces pass on. The
process watches its standard input, which ends with the process that started it; so none is left behind.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

from fairlead.base.records import dataclass
from fairlead.outcome.events import Phase, Progress
from fairlead.service.requests import Request

#: takes its modules from where this process has them, and from nowhere else: not from the folder of a model
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from fairlead.service.worker import main; main()"
)


class Status(StrEnum):
    """How a job ended."""

    DONE = "done"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class Outcome:
    """What a job came to: the record that `--json` writes, or a message if there is none."""

    status: Status
    record: dict[str, Any] | None = None
    message: str = ""


@dataclass(frozen=True)
class ResultEvent:
    """One of several answers, as soon as it is there."""

    result: dict[str, Any]


Event = Progress | ResultEvent


class Job:
    """A job that runs; `events` tells how far it is, and `outcome` waits for its end."""

    def __init__(self, asked: Request) -> None:
        path = json.dumps([entry for entry in sys.path if entry])
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _START, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        self.request = asked
        self._is_cancelled = False
        self._outcome: Outcome | None = None
        self._reading = threading.Lock()
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended already; the outcome will tell
            self._process.stdin.write(asked.to_line() + "\n")
            self._process.stdin.flush()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def events(self) -> Iterator[Event]:
        """What the job tells until it ends."""
        assert self._process.stdout is not None
        with self._reading:
            for line in () if self._process.stdout.closed else self._process.stdout:
                event = self._read(line)
                if event is not None:
                    yield event
            self._end()

    def outcome(self, heard: Callable[[Event], None] = lambda event: None) -> Outcome:
        """Waits for the end; `heard` is told the events."""
        for event in self.events():
            heard(event)
        assert self._outcome is not None
        return self._outcome

    def cancel(self) -> None:
        """Ends the process now, whatever it does; one that has ended stays as it is."""
        self._is_cancelled = True
        with suppress(OSError):
            self._process.kill()
        self._process.wait()

    def _read(self, line: str) -> Event | None:
        try:
            data = json.loads(line)
        except ValueError:  # it was ended in the middle of a line
            return None
        match data.pop("event"):
            case "progress":
                return Progress(**data | {"phase": Phase(data["phase"])})
            case "result":
                return ResultEvent(data["result"])
            case "record":
                self._outcome = Outcome(Status.DONE, data["record"])
            case "refused":
                messages = [problem["message"] for problem in data["problems"]]
                self._outcome = Outcome(Status.REFUSED, data["record"], "; ".join(messages))
            case "failed":
                self._outcome = Outcome(Status.FAILED, None, data["message"])
        return None

    def _end(self) -> None:
        status = self._process.wait()
        self._close()
        if self._outcome is None and self._is_cancelled:
            self._outcome = Outcome(Status.CANCELLED)
        elif self._outcome is None:
            self._outcome = Outcome(Status.FAILED, None, f"the process ended with status {status}")

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()
        self._close()
