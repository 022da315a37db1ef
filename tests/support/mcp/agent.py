"""Calls tools of `fairlead mcp` over pipes, and waits for the answers."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

#: seconds after which an answer will not come any more
PATIENCE = 60.0
COMMAND = [sys.executable, "-P", "-m", "fairlead", "mcp"]
T = TypeVar("T")


class Agent:
    """A client whose calls wait for their answers."""

    def __init__(self, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self._loop = loop

    def call(self, tool: str, /, **arguments: Any) -> CallToolResult:
        """Calls a tool."""
        return self.do(self.client.call_tool(tool, arguments))

    def text(self, tool: str, /, **arguments: Any) -> str:
        """The words that a tool answers."""
        return words(self.call(tool, **arguments))

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begins to do something."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Does something and waits for it."""
        return self.begin(work).result(PATIENCE)


def words(result: CallToolResult) -> str:
    """The words of an answer."""
    (block,) = result.content
    return str(getattr(block, "text"))  # noqa: B009 — blocks of other kinds have none


@contextmanager
def agent(folder: Path, *options: str, mode: Any = "auto") -> Iterator[Agent]:
    """An agent whose server may read a folder."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    parameters = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "--folder", str(folder), *options], cwd=Path(__file__).parent
    )
    ends = asyncio.Event()
    ready: Future[Client] = Future()

    async def live() -> None:
        try:
            async with Client(parameters, mode=mode, read_timeout_seconds=PATIENCE) as client:
                ready.set_result(client)
                await ends.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    living = asyncio.run_coroutine_threadsafe(live(), loop)
    try:
        yield Agent(ready.result(PATIENCE), loop)
    finally:
        loop.call_soon_threadsafe(ends.set)
        living.exception(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()
