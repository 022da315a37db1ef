"""A small client of the language server: writes and reads JSON over pipes or a socket."""

from __future__ import annotations

import json
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

Json = Any
#: seconds after which an answer will not come any more
PATIENCE = 60.0

#: what a modern editor can do
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "codeLens": {"refreshSupport": True},
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "rename": {"prepareSupport": True},
        "codeLens": {},
        "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}},
    },
}


class ServerError(Exception):
    """The server refused a request."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    """Talks to a server. Its own requests are answered with nothing; `asked` and `heard` keep what came."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._kept: dict[int, dict[str, Any]] = {}
        self._number = 0
        self._changed = threading.Condition()
        #: notifications and requests of the server, in their order
        self.heard: list[tuple[str, Any]] = []
        self.asked: list[tuple[str, Any]] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ what the protocol has

    def request(self, method: str, params: Json = None) -> Json:
        """Sends a request and waits for the answer."""
        return self.answer(self.send(method, params))

    def send(self, method: str, params: Json = None) -> int:
        """Sends a request; its number."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> Json:
        """Waits for the answer to a request."""
        while number not in self._kept:
            message = self._answers.get(timeout=PATIENCE)
            if message is None:
                raise EOFError("the server has gone")
            self._kept[message["id"]] = message
        message = self._kept.pop(number)
        if "error" in message:
            raise ServerError(message["error"])
        return message["result"]

    def notify(self, method: str, params: Json = None) -> None:
        """Sends a notification."""
        self._write({"method": method, "params": params})

    def await_notification(self, method: str, wanted: Callable[[Any], bool] = lambda params: True) -> Json:
        """The last notification of a kind, once there is one that is wanted."""
        return self._await(self.heard, method, wanted)

    def await_request(self, method: str, wanted: Callable[[Any], bool] = lambda params: True) -> Json:
        """The last request of the server of a kind, once there is one that is wanted."""
        return self._await(self.asked, method, wanted)

    def _await(self, came: list[tuple[str, Any]], method: str, wanted: Callable[[Any], bool]) -> Json:
        ends = time.monotonic() + PATIENCE
        with self._changed:
            while True:
                found = [params for name, params in came if name == method and wanted(params)]
                if found:
                    return found[-1]
                if not self._changed.wait(ends - time.monotonic()):
                    raise TimeoutError(f"no {method}; heard {came[-5:]}")

    # ------------------------------------------------------------ a session

    def initialize(self, root: Path, capabilities: Json = None, **options: Any) -> Json:
        """Begins; what the server can do."""
        given = CAPABILITIES if capabilities is None else capabilities
        params = {"processId": None, "rootUri": root.as_uri(), "capabilities": given, **options}
        found = self.request("initialize", params)
        self.notify("initialized", {})
        return found["capabilities"]

    def open(self, path: Path, text: str, version: int = 1) -> str:
        """Opens a document; its address."""
        language = {".csp": "csp", ".lts": "fsp"}.get(path.suffix, "plaintext")
        item = {"uri": path.as_uri(), "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def change(self, uri: str, version: int, *changes: Json) -> None:
        """Changes a document: a new text, or new texts for ranges."""
        told = [{"text": change} if isinstance(change, str) else change for change in changes]
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": told})

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Json:
        """Asks about a place."""
        place = {"line": line, "character": character}
        document = {"uri": uri}
        return self.request(f"textDocument/{method}", {"textDocument": document, "position": place, **more})

    def about(self, method: str, uri: str, **more: Any) -> Json:
        """Asks about a document."""
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})

    def problems(self, uri: str, version: int | None = None) -> list[Any]:
        """What the server publishes about a document, once it knows this version."""

        def is_wanted(params: Any) -> bool:
            return params["uri"] == uri and (version is None or params.get("version") == version)

        found: list[Any] = self.await_notification("textDocument/publishDiagnostics", is_wanted)[
            "diagnostics"
        ]
        return found

    def command(self, name: str, *arguments: Any) -> Json:
        """Has the server do something."""
        return self.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    def leave(self) -> None:
        """Ends in good order."""
        self.request("shutdown")
        self.notify("exit")

    # ------------------------------------------------------------ bytes

    def _write(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._sink.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._sink.flush()

    def _read(self) -> None:
        try:
            for message in _messages(self._source):
                if "method" not in message:
                    self._answers.put(message)
                    continue
                if "id" in message:
                    self._write({"id": message["id"], "result": None})
                with self._changed:
                    came = self.asked if "id" in message else self.heard
                    came.append((message["method"], message.get("params")))
                    self._changed.notify_all()
        except (OSError, ValueError):
            pass
        self._answers.put(None)


def _messages(source: BinaryIO) -> Iterator[dict[str, Any]]:
    length = 0
    while line := source.readline():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        elif not line.strip():
            yield json.loads(source.read(length))


# ---------------------------------------------------------------- servers

COMMAND = (sys.executable, "-m", "fairlead", "lsp")


def start(*arguments: str, **given: Any) -> subprocess.Popen[bytes]:
    """A server with pipes."""
    return subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **given
    )


def client_of(process: subprocess.Popen[bytes]) -> Client:
    """The client of a server with pipes."""
    assert process.stdin is not None and process.stdout is not None
    return Client(process.stdout, process.stdin)


@contextmanager
def served(*arguments: str, **given: Any) -> Iterator[Client]:
    """A server of our own, which must leave in good order and have nothing to complain about."""
    process = start(*arguments, **given)
    try:
        client = client_of(process)
        yield client
        client.leave()
        status = process.wait(PATIENCE)
        assert process.stderr is not None
        complaints = process.stderr.read().decode()
        assert (status, complaints) == (0, ""), complaints
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def connected(host: str, port: int) -> tuple[Client, socket.socket]:
    """A client over TCP."""
    connection = socket.create_connection((host, port), PATIENCE)
    return Client(connection.makefile("rb"), connection.makefile("wb")), connection
