"""Jobs of one client: a few run at a time, the others wait for their turn, and each can be cancelled."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from fairlead.service.jobs import Event, Job, Outcome, Status
from fairlead.service.requests import Request

#: so many jobs run at a time: each may use all cores
AT_A_TIME = 2


class Pool:
    """The jobs of one client, for a face with an event loop."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_A_TIME, "fairlead jobs")
        self._pending: set[_Pending] = set()

    async def do(self, asked: Request, heard: Callable[[Event], None]) -> Outcome:
        """Does a job; `heard` gets its events. When the task is cancelled, the process is ended."""
        loop = asyncio.get_running_loop()

        def pass_on(event: Event) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(heard, event)

        pending = _Pending(asked, pass_on)
        self._pending.add(pending)
        try:
            return await loop.run_in_executor(self._threads, pending.run)
        finally:
            pending.cancel()
            self._pending.discard(pending)

    def cancel_all(self) -> int:
        """Ends all jobs; how many there were."""
        pending = list(self._pending)
        for one in pending:
            one.cancel()
        return len(pending)

    def close(self) -> None:
        """Ends all jobs, and takes no more."""
        self.cancel_all()
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Pending:
    """A job that waits for its turn, or runs in a thread; another one can cancel it at any time."""

    def __init__(self, asked: Request, heard: Callable[[Event], None]) -> None:
        self._asked, self._heard = asked, heard
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._job: Job | None = None

    def run(self) -> Outcome:
        """Does it."""
        with self._lock:
            if self._is_cancelled:
                return Outcome(Status.CANCELLED)
            self._job = job = Job(self._asked)
        with job:
            return job.outcome(self._heard)

    def cancel(self) -> None:
        """Ends it, or sees to it that it does not begin."""
        with self._lock:
            self._is_cancelled = True
            if self._job is not None:
                self._job.cancel()
