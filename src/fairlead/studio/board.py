"""The jobs of the studio: which wait, run and have ended, how far they are, and what they found.

They belong to the studio, not to a page: a page that is reloaded finds them where they are.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from fairlead.base.records import dataclass
from fairlead.outcome.events import Progress
from fairlead.service.jobs import Event, Outcome, ResultEvent, Status
from fairlead.service.pool import Pool
from fairlead.service.requests import Request
from fairlead.studio.memory import Memory

#: so many wait; more are refused
MOST_WAITING = 200
#: so many jobs that have ended are kept
MOST_ENDED = 60
#: progress is sent to pages at most so often, in seconds
_EVERY = 0.15
Json = dict[str, Any]


class Stage(StrEnum):
    """Where a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes of it."""
        return self not in (Stage.WAITING, Stage.RUNNING)


@dataclass(frozen=True)
class Order:
    """A job to be done: its subject, the requests one after the other, and the functions that hear of it.

    `about` is for the page: the model, the kind, the title, the questions. `heard` is called with results as
    they come; `finish` makes the answer of the job from the outcomes.
    """

    about: Json
    requests: tuple[Request, ...]
    heard: Callable[[ResultEvent], None]
    finish: Callable[[list[Outcome]], Json]


class Ticket:
    """A job on the board."""

    def __init__(self, about: Json, stage: Stage = Stage.WAITING) -> None:
        self.name = uuid.uuid4().hex
        self.about = about
        self.stage = stage
        self.progress: Json = {}
        self.message = ""
        self.answer: Json | None = None
        self.began = time.monotonic()
        self.results = 0
        self.task: asyncio.Task[None] | None = None

    def to_json(self) -> Json:
        """What the page shows."""
        return {
            **self.about,
            "id": self.name,
            "stage": self.stage.value,
            "progress": self.progress,
            "message": self.message,
            "results": self.results,
            "hasAnswer": self.answer is not None,
        }


class Board:
    """All jobs; to be used in the thread of an event loop. `changed` is called with each that changes."""

    def __init__(self, memory: Memory, changed: Callable[[Json], None]) -> None:
        self._memory, self._changed = memory, changed
        self._pool = Pool()
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()
        self._told: dict[str, float] = {}
        for about in memory.interrupted():
            ticket = Ticket(about, Stage.INTERRUPTED)
            ticket.message = "the studio was ended while this ran"
            self._tickets[ticket.name] = ticket

    def tickets(self) -> list[Json]:
        """All jobs, the oldest first."""
        return [ticket.to_json() for ticket in self._tickets.values()]

    def ticket(self, name: str) -> Ticket | None:
        """A job by its name."""
        return self._tickets.get(name)

    @property
    def waiting(self) -> int:
        """How many jobs have not ended."""
        return sum(not ticket.stage.is_over for ticket in self._tickets.values())

    def post(self, order: Order) -> Ticket:
        """Puts a job on the board."""
        ticket = Ticket(order.about)
        self._tickets[ticket.name] = ticket
        self._memory.keep_job(ticket.name, order.about)
        ticket.task = asyncio.get_running_loop().create_task(self._do(ticket, order))
        self._tell(ticket)
        return ticket

    def cancel(self, name: str) -> bool:
        """Ends a job, or removes one that has ended; whether there is one."""
        ticket = self._tickets.get(name)
        if ticket is None:
            return False
        if ticket.stage.is_over:
            del self._tickets[name]
            self._changed({"job": {"id": name, "stage": "gone"}})
            return True
        if ticket.task is not None:
            ticket.task.cancel()
        return True

    def close(self) -> None:
        """Ends all jobs, and takes no more."""
        for ticket in self._tickets.values():
            if ticket.task is not None:
                ticket.task.cancel()
        self._pool.close()

    # ------------------------------------------------------------ work

    async def _do(self, ticket: Ticket, order: Order) -> None:
        outcomes: list[Outcome] = []

        def hear(event: Event) -> None:
            if isinstance(event, Progress):
                self._note(ticket, event, len(outcomes), len(order.requests))
            elif isinstance(event, ResultEvent):
                ticket.results += 1
                order.heard(event)
                self._tell(ticket)

        try:
            for asked in order.requests:
                outcomes.append(await self._pool.do(asked, hear))
                if outcomes[-1].status in (Status.CANCELLED, Status.FAILED):
                    break
            await asyncio.sleep(0)  # what was passed on is heard before the end is reported
            self._finish(ticket, order, outcomes)
        except (RuntimeError, asyncio.CancelledError):  # it is cancelled, or the studio is being closed
            ticket.stage = Stage.CANCELLED
        finally:
            ticket.task = None
            self._memory.drop_job(ticket.name)
        self._tell(ticket)
        self._forget()

    def _finish(self, ticket: Ticket, order: Order, outcomes: list[Outcome]) -> None:
        last = outcomes[-1]
        ticket.answer = order.finish(outcomes)
        ticket.stage, ticket.message = Stage(last.status.value), last.message
        errors = (last.record or {}).get("errors", ())
        if errors and not ticket.message:
            ticket.message = "; ".join(dict.fromkeys(str(error["message"]) for error in errors))
            ticket.stage = Stage.REFUSED

    def _note(self, ticket: Ticket, progress: Progress, done: int, of: int) -> None:
        seconds = max(progress.seconds, 1e-3)
        ticket.stage = Stage.RUNNING
        ticket.progress = {
            "phase": progress.phase.value,
            "states": progress.states,
            "transitions": progress.transitions,
            "depth": progress.depth,
            "memory": progress.memory_bytes,
            "rate": round(progress.states / seconds),
            "seconds": round(progress.seconds, 2),
            "done": done,
            "of": of,
        }
        now = time.monotonic()
        if now - self._told.get(ticket.name, 0.0) >= _EVERY:
            self._tell(ticket)

    def _tell(self, ticket: Ticket) -> None:
        self._told[ticket.name] = time.monotonic()
        self._changed({"job": ticket.to_json()})

    def _forget(self) -> None:
        over = [name for name, ticket in self._tickets.items() if ticket.stage.is_over]
        for name in over[: max(0, len(over) - MOST_ENDED)]:
            del self._tickets[name]
            self._told.pop(name, None)
