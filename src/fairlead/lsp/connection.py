"""Carries messages over standard input and output, over TCP, or one by one from another transport."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import InvalidStateError
from contextlib import suppress
from typing import Any, BinaryIO, Protocol

from pygls.exceptions import JsonRpcException

from fairlead.lsp.server import Server
from fairlead.service.serving import settle

_log = logging.getLogger(__name__)
#: seconds between two looks whether the process that started the server is still there
_LOOK_EVERY = 2.0
_PART = 1 << 16
#: no message is longer; a client that announces one is broken or hostile
_LONGEST = 1 << 28
_LENGTH = re.compile(rb"content-length:\s*(\d{1,12})\s*", re.IGNORECASE)


class Writer(Protocol):
    """Takes what the server says."""

    def write(self, data: bytes) -> Any:
        """Sends a message."""
        ...

    def close(self) -> Any:
        """There are no more."""
        ...


class Connection:
    """One client, over any transport; to be used in the thread of an event loop.

    The writer is given each message of the server; those with `headers` can follow each other in a stream.
    """

    def __init__(self, writer: Writer, *, headers: bool) -> None:
        self.server = Server()
        self.server.protocol.set_writer(writer, include_headers=headers)

    def receive(self, message: str | bytes) -> None:
        """Takes a message of the client; one that cannot be read is passed over, or refused if it asks."""
        protocol = self.server.protocol
        data: object = None
        with suppress(ValueError, RecursionError):
            data = json.loads(message)
        if not isinstance(data, dict) or "jsonrpc" not in data:
            return
        try:
            protocol.handle_message(protocol.structure_message(data))
        except JsonRpcException as error:
            if isinstance(data.get("id"), int | str) and "method" in data:
                protocol._send_response(data["id"], error=error.to_response_error())
        except InvalidStateError:
            return  # it answers a question that was withdrawn
        except Exception:  # one message is lost, not the client
            _log.exception("a message could not be handled")

    async def left(self) -> None:
        """Returns when the client wants nothing more."""
        await self.server.has_left.wait()

    def close(self) -> int:
        """The client has gone: ends what is under way for it. 0 if it left in good order, 1 otherwise."""
        self.server.close()
        return 0 if self.server.was_shut_down else 1


class Sender:
    """A writer that calls a function with each message as text, such as the `send` of a WebSocket."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Sends a message."""
        self._send(data.decode())

    def close(self) -> None:
        """The owner of the connection closes it."""


# ---------------------------------------------------------------- streams


async def converse(reader: asyncio.StreamReader, writer: Writer, *, watch_parent: bool = False) -> int:
    """Answers one client until it leaves or is gone; 0 if it left in good order, 1 otherwise."""
    connection = Connection(writer, headers=True)

    async def read() -> None:
        with suppress(OSError):
            async for message in _messages(reader):
                connection.receive(message)

    ends = [asyncio.ensure_future(read()), asyncio.ensure_future(connection.left())]
    if watch_parent:
        ends.append(asyncio.ensure_future(_orphaned(connection.server)))
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in ends:
            task.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        status = connection.close()
    return status


async def _messages(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The messages in a stream, each after a header that says how long it is; ends where there is none."""
    length = 0
    while True:
        try:
            line = await reader.readline()
            if not line:
                return
            match = _LENGTH.fullmatch(line.strip())
            length = length if match is None else int(match[1])
            if line.strip() or not length:
                continue
            if length > _LONGEST:
                return
            yield await reader.readexactly(length)
        except (asyncio.IncompleteReadError, ValueError):
            return
        length = 0


async def _orphaned(server: Server) -> None:
    """Returns when the process has gone that the client says it is; pipes may be kept open by others."""
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        process = server.process_id
        if process is None or os.name != "posix":
            continue
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        except OSError:
            continue


# ---------------------------------------------------------------- standard input and output


def serve_standard() -> int:
    """Answers the client that has started this process; the exit status."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may come between the messages
    settle()
    return asyncio.run(_standard(output))


async def _standard(output: BinaryIO) -> int:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    # a thread that may wait for input as long as it likes: it does not keep the process from ending
    threading.Thread(target=_pump, args=(sys.stdin.fileno(), reader, loop), daemon=True).start()
    return await converse(reader, _Output(output), watch_parent=True)


def _pump(descriptor: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    """Feeds the reader with what comes in."""
    with suppress(RuntimeError):  # the loop has ended
        while True:
            try:
                data = os.read(descriptor, _PART)
            except OSError:
                data = b""
            if not data:
                loop.call_soon_threadsafe(reader.feed_eof)
                return
            loop.call_soon_threadsafe(reader.feed_data, data)


class _Output:
    """Standard output. When the client reads no more, its end of the other pipe will tell."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        with suppress(BrokenPipeError):
            self._stream.write(data)
            self._stream.flush()

    def close(self) -> None:
        self._stream.close()


# ---------------------------------------------------------------- TCP


def serve_tcp(host: str, port: int, listening: Callable[[str, int], None]) -> None:
    """Answers every client that connects, until the process is ended; `listening` hears where."""
    settle()
    asyncio.run(_tcp(host, port, listening))


async def _tcp(host: str, port: int, listening: Callable[[str, int], None]) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await converse(reader, writer)
        writer.close()

    server = await asyncio.start_server(connected, host, port)
    for address in (one.getsockname() for one in server.sockets):
        listening(address[0], address[1])
    async with server:
        await server.serve_forever()
