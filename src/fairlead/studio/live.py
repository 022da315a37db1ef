"""Tells all pages what happens: how far jobs are, which verdicts are new, which models changed on disk."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from fairlead.base.files import Stamp, stamp_of
from fairlead.studio.folder import Folder

#: seconds between two looks at the models on disk
_LOOK_EVERY = 1.5
#: a page that does not listen misses what comes after so many messages, and then asks again
_MOST_WAITING = 1_000


class Live:
    """The pages that listen; to be used in the thread of an event loop."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._pages: set[asyncio.Queue[str | None]] = set()

    def tell(self, event: dict[str, Any]) -> None:
        """Tells all pages."""
        text = json.dumps(event)
        for queue in self._pages:
            if queue.qsize() < _MOST_WAITING:
                queue.put_nowait(text)

    async def serve(self, socket: WebSocket, first: dict[str, Any]) -> None:
        """Tells one page all that happens, until it leaves."""
        await socket.accept()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        queue.put_nowait(json.dumps(first))
        self._pages.add(queue)
        sending = asyncio.ensure_future(_send(socket, queue))
        hearing = asyncio.ensure_future(_hear(socket))
        try:
            await asyncio.wait([sending, hearing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._pages.discard(queue)
            for task in (sending, hearing):
                task.cancel()
            await asyncio.gather(sending, hearing, return_exceptions=True)
            if socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await socket.close()

    def close(self) -> None:
        """The studio ends."""
        for queue in self._pages:
            queue.put_nowait(None)

    async def watch(self) -> None:
        """Looks at the models on disk, as long as a page listens."""
        before: dict[str, Stamp] | None = None
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if not self._pages:
                before = None
                continue
            now = await asyncio.get_running_loop().run_in_executor(None, self._stamps)
            if before is not None and now != before:
                changed = [name for name in {*now, *before} if now.get(name) != before.get(name)]
                self.tell({"files": True, "changed": sorted(changed)})
            before = now

    def _stamps(self) -> dict[str, Stamp]:
        return {name: stamp_of(Path(self._folder.root, name)) for name in self._folder.names()}


async def _send(socket: WebSocket, queue: asyncio.Queue[str | None]) -> None:
    while (text := await queue.get()) is not None:
        await socket.send_text(text)


async def _hear(socket: WebSocket) -> None:
    """What a page says here does not matter, only that it leaves."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
