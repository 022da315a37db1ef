"""Starts and ends the server of the studio: port, token, browser, signals."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvicorn

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.outcome.limits import Limits
from fairlead.service.serving import settle
from fairlead.studio.app import Studio, built
from fairlead.studio.folder import Folder
from fairlead.studio.guard import Guard
from fairlead.studio.memory import Memory
from fairlead.studio.workbench import Workbench

HOST = "127.0.0.1"
#: the port that is tried first, so that the address stays the same from day to day
USUAL_PORT = 8765


@dataclass(frozen=True)
class Settings:
    """What a studio is started with; `port` 0 takes a free one, None the usual one if that is free."""

    folder: Path
    first: str = ""
    port: int | None = None
    python: tuple[Path, ...] = ()
    limits: Limits = Limits()
    token: str | None = None
    cache: Path | None = None


def guarded(settings: Settings, port: int) -> tuple[Guard, str]:
    """The application for a port, and its token."""
    folder = Folder(settings.folder)
    memory = Memory(folder.root, settings.cache)
    token = settings.token or secrets.token_urlsafe(24)

    def make(tell: Callable[[dict[str, Any]], None]) -> Workbench:
        return Workbench(folder, memory, tell, settings.python, settings.limits)

    studio = Studio(folder, make, settings.first)
    return Guard(studio.application(), token, port), token


def listener(port: int | None) -> socket.socket:
    """A socket on this machine alone; without a port the usual one, or another if that is taken."""
    tried: Sequence[int] = (USUAL_PORT, 0) if port is None else (port,)
    for number, one in enumerate(tried):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1) if os.name == "posix" else None
        try:
            found.bind((HOST, one))
            found.listen(128)
        except OSError as error:
            found.close()
            if number + 1 < len(tried):
                continue
            problem = f"cannot listen on {HOST}:{one}: {error.strerror}"
            raise input_error(Code.USAGE, problem, hint="choose another port with --port") from None
        return found
    raise AssertionError(tried)


def serve(settings: Settings, told: Callable[[str], None], *, opens_browser: bool) -> int:
    """Serves until a signal ends the process; `told` hears the address."""
    if not built():
        raise input_error(
            Code.USAGE,
            "the page of the studio is not built",
            hint="in a clone, `make studio` builds it, with npm",
        )
    with contextlib.closing(listener(settings.port)) as sock:
        port = sock.getsockname()[1]
        app, token = guarded(settings, port)
        address = f"http://{HOST}:{port}/?token={token}"
        config = uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
            ws_max_size=16 << 20,
        )
        server = _Server(config)
        settle()
        told(address)
        if opens_browser:
            threading.Thread(target=_open, args=(address,), daemon=True).start()
        server.run(sockets=[sock])
    return 0


class _Server(uvicorn.Server):
    """Ends at the first signal, in good order, and does not raise it again afterwards."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Inside, Ctrl-C and SIGTERM end the server."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        caught = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self.handle_exit) for one in caught}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def _open(address: str) -> None:
    with contextlib.suppress(Exception):  # a machine without a browser is none the worse for it
        webbrowser.open(address)
