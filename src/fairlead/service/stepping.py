"""Runs sessions of the simulator: a process that has a simulation, and executes commands step by step."""

from __future__ import annotations

import threading
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.service.jobs import View, ended_with, said
from fairlead.service.processes import Worker
from fairlead.service.requests import JobKind, Request


@dataclass(frozen=True)
class State:
    """Where a session is: the record of the state, with the `steps` taken after the first `kept`."""

    record: dict[str, Any]
    shown: View | None = None


@dataclass(frozen=True)
class Why:
    """Why an event is not enabled."""

    record: dict[str, Any]


@dataclass(frozen=True)
class NotDone:
    """A command that made no sense, or reached a limit; the session is where it was."""

    message: str
    problems: tuple[dict[str, Any], ...] = ()


Answer = State | Why | NotDone


class Stepping:
    """A session. `begin` waits for the first state, `tell` for what a command leads to."""

    def __init__(self, asked: Request) -> None:
        if asked.kind is not JobKind.SESSION:
            raise input_error(Code.USAGE, f"a session is not asked to {asked.kind.value}")
        self._worker = Worker(asked)
        self._events = self._worker.events()
        self._asking = threading.Lock()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._worker.pid

    def begin(self) -> Answer:
        """The state that the session begins in."""
        with self._asking:
            return self._hear()

    def tell(self, command: str) -> Answer:
        """A command as in `fairlead simulate`: an event, its number, `back`, `random 5`, `why a`, …"""
        with self._asking:
            self._worker.tell(" ".join(command.splitlines()))
            return self._hear()

    def end(self) -> None:
        """Ends the session now, whatever it does."""
        self._worker.end()

    def _hear(self) -> Answer:
        for data in self._events:
            match data["event"]:
                case "state":
                    return State(data["record"], View.of_json(data.get("shown")))
                case "why":
                    return Why(data["record"])
                case "refused":
                    return NotDone(said(data["problems"]), tuple(data["problems"]))
                case "failed":
                    return NotDone(data["message"])
        return NotDone(ended_with(self._worker.wait()))
