"""Jobs: checks and other work about documents, each in a process of its own (`processes.py` says why)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from types import TracebackType
from typing import Any, Self

from fairlead.base.diagnostics import counted
from fairlead.base.records import dataclass
from fairlead.outcome.events import Phase, Progress
from fairlead.service.processes import Worker
from fairlead.service.requests import Request


class Status(StrEnum):
    """How a job ended."""

    DONE = "done"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class View:
    """An answer as people read it: as text, and as a part of a page whose runs point into the `files`.

    `steps` are those of its run, with the parts of the text that each executes.
    """

    text: str
    html: str
    files: tuple[str, ...] = ()
    steps: tuple[dict[str, Any], ...] = ()

    @staticmethod
    def of_json(data: dict[str, Any] | None) -> View | None:
        """What the process has sent, if it was asked for it."""
        if data is None:
            return None
        return View(data["text"], data["html"], tuple(data["files"]), tuple(data["steps"]))


@dataclass(frozen=True)
class Outcome:
    """What a job came to: the record that `--json` writes, or a message if there is none."""

    status: Status
    record: dict[str, Any] | None = None
    message: str = ""
    shown: View | None = None


@dataclass(frozen=True)
class ResultEvent:
    """One of several answers, as soon as it is there."""

    result: dict[str, Any]
    shown: View | None = None


Event = Progress | ResultEvent


class Job:
    """A job that runs; `events` tells how far it is, and `outcome` waits for its end."""

    def __init__(self, asked: Request) -> None:
        self.request = asked
        self._worker = Worker(asked)
        self._outcome: Outcome | None = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._worker.pid

    def events(self) -> Iterator[Event]:
        """What the job tells until it ends."""
        for data in self._worker.events():
            event = self._read(data)
            if event is not None:
                yield event
        self._end()

    def outcome(self, heard: Callable[[Event], None] = lambda event: None) -> Outcome:
        """Waits for the end; `heard` gets the events."""
        for event in self.events():
            heard(event)
        assert self._outcome is not None
        return self._outcome

    def cancel(self) -> None:
        """Ends the process now, whatever it does; one that has ended stays as it is."""
        self._worker.end()

    def _read(self, data: dict[str, Any]) -> Event | None:
        match data.pop("event"):
            case "progress":
                return progress_of(data)
            case "result":
                return ResultEvent(data["result"], View.of_json(data.get("shown")))
            case "record":
                self._outcome = Outcome(Status.DONE, data["record"], shown=View.of_json(data.get("shown")))
            case "refused":
                self._outcome = Outcome(Status.REFUSED, data["record"], said(data["problems"]))
            case "failed":
                self._outcome = Outcome(Status.FAILED, None, data["message"])
        return None

    def _end(self) -> None:
        status = self._worker.wait()
        if self._outcome is None and self._worker.is_cancelled:
            self._outcome = Outcome(Status.CANCELLED)
        elif self._outcome is None:
            self._outcome = Outcome(Status.FAILED, None, ended_with(status))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()
        self._worker.close()


def progress_of(data: dict[str, Any]) -> Progress:
    """How far a process is, as it has told."""
    return Progress(**data | {"phase": Phase(data["phase"])})


def progress_text(progress: Progress) -> str:
    """How far a check is, in a few words."""
    parts = [progress.phase.value]
    if progress.states:
        parts.append(counted(progress.states, "state"))
    return ", ".join(parts)


def said(problems: list[dict[str, Any]]) -> str:
    """Problems in one line."""
    return "; ".join(str(problem["message"]) for problem in problems)


def ended_with(status: int) -> str:
    """The problem of a process that has reported nothing."""
    return f"the process ended with status {status}"
