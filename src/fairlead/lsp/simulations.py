"""Keeps the simulations that a client steps through; each is a process of its own."""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from fairlead.service.requests import Request
from fairlead.service.stepping import Answer, NotDone, Stepping

#: so many are kept; of more, the one that was used longest ago is ended
MOST = 8


class Simulations:
    """The simulations of one client."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, Stepping] = OrderedDict()
        self._threads = ThreadPoolExecutor(MOST, "fairlead simulations")
        self._is_closed = False

    async def begin(self, asked: Request) -> tuple[str, Answer]:
        """Begins one; its name, and the state that it begins in."""
        name = str(uuid.uuid4())
        loop = asyncio.get_running_loop()
        session = await loop.run_in_executor(self._threads, Stepping, asked)
        if self._is_closed:  # meanwhile
            session.end()
        self._sessions[name] = session
        while len(self._sessions) > MOST:
            self._sessions.popitem(last=False)[1].end()
        answer = await loop.run_in_executor(self._threads, session.begin)
        if isinstance(answer, NotDone):
            self.end(name)
        return name, answer

    async def tell(self, name: str, command: str) -> Answer:
        """What a command leads to."""
        session = self._sessions.get(name)
        if session is None:
            return NotDone("there is no such simulation")
        self._sessions.move_to_end(name)
        return await asyncio.get_running_loop().run_in_executor(self._threads, session.tell, command)

    def end(self, name: str) -> None:
        """Ends one."""
        session = self._sessions.pop(name, None)
        if session is not None:
            session.end()

    def close(self) -> None:
        """Ends all."""
        self._is_closed = True
        for name in list(self._sessions):
            self.end(name)
        self._threads.shutdown(wait=False, cancel_futures=True)
