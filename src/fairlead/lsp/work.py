"""Runs jobs for a client: reports their progress through the protocol, and lets the client cancel them."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from fairlead.outcome.events import Progress
from fairlead.service.jobs import Event, Outcome, progress_text
from fairlead.service.pool import Pool
from fairlead.service.requests import Request

Token = str | int


class Work:
    """The jobs of one client."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._pool = Pool()
        self._tasks: dict[Token, asyncio.Task[object]] = {}
        #: the questions that are being answered, by their bases
        self.under_way: Counter[str] = Counter()

    async def do(self, asked: Request, progress: Shower, heard: Callable[[Event], None]) -> Outcome:
        """Does a job; `heard` gets its events. When the task is cancelled, the process is ended."""

        def hear(event: Event) -> None:
            if isinstance(event, Progress):
                progress.report(event)
            else:
                heard(event)

        return await self._pool.do(asked, hear)

    @contextmanager
    def answering(self, bases: Iterable[str]) -> Iterator[None]:
        """Inside, questions are being answered."""
        kept = list(bases)
        self.under_way.update(kept)
        try:
            yield
        finally:
            self.under_way.subtract(kept)
            self.under_way += Counter()  # without those that are zero

    @contextmanager
    def shown(self, title: str, token: Token | None, can_create: bool) -> Iterator[Shower]:
        """Inside, the client shows progress, under a token that it gave or, if it can, one of ours."""
        task = asyncio.current_task()
        shower = Shower(self._server, title)
        if token is not None:
            shower.begin(token)
        elif can_create:
            token = str(uuid.uuid4())
            shower.create(token)
        if token is not None and task is not None:
            self._tasks[token] = task
        message = "cancelled"
        try:
            yield shower
            message = shower.result
        finally:
            if token is not None:
                self._tasks.pop(token, None)
            shower.end(message)

    def cancel(self, token: Token) -> None:
        """The client wants no more of what a token stands for."""
        task = self._tasks.get(token)
        if task is not None:
            task.cancel()

    def cancel_all(self) -> int:
        """Ends all jobs; how many there were."""
        return self._pool.cancel_all()

    def close(self) -> None:
        """Ends all jobs, and takes no more."""
        self._pool.close()


class Shower:
    """Shows at the client how far a job is."""

    def __init__(self, server: LanguageServer, title: str) -> None:
        self._server = server
        self._title = title
        self._token: Token | None = None
        self._creating: asyncio.Task[None] | None = None
        self._is_over = False
        #: the last message
        self.result = ""

    def create(self, token: Token) -> None:
        """Asks the client for a place to show it, and begins when there is one."""

        async def begin_when_created() -> None:
            params = types.WorkDoneProgressCreateParams(token)
            created = self._server.window_work_done_progress_create_async(params)
            with suppress(JsonRpcException):  # the client need not have one
                await created
                if not self._is_over:
                    self.begin(token)

        self._creating = asyncio.get_running_loop().create_task(begin_when_created())

    def begin(self, token: Token) -> None:
        """Begins under a token that the client knows."""
        self._token = token
        self._send(types.WorkDoneProgressBegin(self._title, cancellable=True))

    def report(self, progress: Progress) -> None:
        """Tells how far it is."""
        self._send(types.WorkDoneProgressReport(message=progress_text(progress), cancellable=True))

    def end(self, message: str) -> None:
        """It is over."""
        self._is_over = True
        self._send(types.WorkDoneProgressEnd(message=message or None))
        self._token = None

    def _send(self, value: object) -> None:
        if self._token is not None:
            self._server.protocol.notify(types.PROGRESS, types.ProgressParams(self._token, value))
