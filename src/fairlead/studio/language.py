"""The language server of one page, over its WebSocket, for the models of the folder alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pygls.uris import to_fs_path
from starlette.websockets import WebSocket, WebSocketDisconnect

from fairlead.base.files import Confinement, confined
from fairlead.lang.registry import SUFFIXES
from fairlead.lsp.connection import Connection, Sender
from fairlead.studio.folder import Folder

#: no message of a page is longer
_LONGEST = 16 << 20
_URI_NAMES = frozenset(("uri", "rootUri", "targetUri", "oldUri", "newUri", "scopeUri", "baseUri"))
#: JSON-RPC: the request is not valid
_INVALID = -32600


async def converse(socket: WebSocket, folder: Folder) -> None:
    """Answers the messages of a page until it leaves."""
    await socket.accept()
    outgoing: asyncio.Queue[str] = asyncio.Queue()
    with confined(Confinement(folder.root)):
        await _converse(socket, folder, outgoing)


async def _converse(socket: WebSocket, folder: Folder, outgoing: asyncio.Queue[str]) -> None:
    connection = Connection(Sender(outgoing.put_nowait), headers=False)
    sending = asyncio.ensure_future(_send(socket, outgoing))
    leaving = asyncio.ensure_future(connection.left())
    reading = asyncio.ensure_future(_read(socket, folder, connection, outgoing))
    try:
        await asyncio.wait([sending, leaving, reading], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, leaving, reading):
            task.cancel()
        await asyncio.gather(sending, leaving, reading, return_exceptions=True)
        connection.close()
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _send(socket: WebSocket, outgoing: asyncio.Queue[str]) -> None:
    while True:
        await socket.send_text(await outgoing.get())


async def _read(
    socket: WebSocket, folder: Folder, connection: Connection, outgoing: asyncio.Queue[str]
) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text")
        if text is None or len(text) > _LONGEST:
            continue
        refusal = refused(text, folder)
        if refusal is None:
            connection.receive(text)
        elif refusal:
            outgoing.put_nowait(refusal)


def refused(text: str, folder: Folder) -> str | None:
    """The answer to a message about something else than the models of the folder; None if it may pass.

    Empty, if the message is not a request.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(message, dict):
        return ""
    if all(_is_below(address, folder) for address in _addresses(message)):
        return None
    if "id" not in message or "method" not in message:
        return ""
    error = {"code": _INVALID, "message": "this is not a model below the folder of the studio"}
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error})


def _addresses(message: object) -> Iterator[object]:
    """All addresses in a message; keys of edits are addresses as well."""
    pending: list[object] = [message]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            for name, value in part.items():
                if name in _URI_NAMES and value is not None:
                    yield value
                elif name in ("rootPath", "changes") and value is not None:
                    yield from value if isinstance(value, dict) else (_path_uri(value),)
                pending.append(value)
        elif isinstance(part, list):
            pending += part


def _path_uri(value: object) -> object:
    return value if isinstance(value, str) and value.startswith("file:") else None


def _is_below(address: object, folder: Folder) -> bool:
    if not isinstance(address, str) or not address.startswith("file:///"):
        return False
    try:
        name = to_fs_path(address)
        path = Path(name or "/").resolve()
    except (OSError, RuntimeError, ValueError):
        return False
    if path == folder.root:
        return True
    return folder.has(path) and path.suffix.lower() in SUFFIXES
