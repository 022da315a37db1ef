"""A studio in this process, asked as pages ask it, and one that is started as a command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from fairlead.studio.guard import HEADER
from fairlead.studio.serving import Settings, guarded

TOKEN = "the-token-of-the-tests"
PORT = 8765
#: seconds after which something will not come any more
PATIENCE = 90.0
MODEL = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
#assert P() deadlockfree;
"""
#: more states than anyone waits for
HUGE = """\
var a[9]:{0..9};
Count(i) = [a[i] < 9] up.i{a[i] = a[i] + 1;} -> Count(i) [] [a[i] > 0] down.i{a[i] = a[i] - 1;} -> Count(i);
All() = ||| i:{0..8} @ Count(i);
#assert All() deadlockfree;
"""
Json = dict[str, Any]


@contextmanager
def studio(folder: Path, **given: Any) -> Iterator[TestClient]:
    """A client that knows the token."""
    settings = Settings(folder, token=TOKEN, cache=folder.parent / f"{folder.name}-cache", **given)
    app, _ = guarded(settings, PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}", headers={HEADER: TOKEN}) as client:
        yield client


@contextmanager
def socket(client: TestClient, path: str, **headers: str) -> Iterator[WebSocketTestSession]:
    """A WebSocket of a page of the studio; when it leaves, the test client cancels what answers it."""
    given = {"origin": f"http://127.0.0.1:{PORT}", **headers}
    session = client.websocket_connect(f"ws://127.0.0.1:{PORT}{path}", headers=given)
    with suppress(CancelledError), session as page:
        yield page


def asked(client: TestClient, method: str, path: str, body: Json | None = None, **query: Any) -> Json:
    """The answer to a request that must be granted."""
    answer = client.request(method, path, json=body, params=query)
    assert answer.status_code < 300, answer.text
    found: Json = answer.json()
    return found


def ended(client: TestClient, job: str) -> Json:
    """A job when it has ended."""
    return until(
        lambda: asked(client, "GET", f"/api/jobs/{job}"),
        lambda one: one["stage"] not in ("waiting", "running"),
    )


def until(look: Callable[[], Any], is_so: Callable[[Any], bool]) -> Any:
    """What is seen when something is so."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if is_so(found):
            return found
        time.sleep(0.03)
    raise AssertionError(f"it was never so: {str(found)[:500]}")


@contextmanager
def started(
    folder: Path, cache: Path, *options: str, port: int = 0
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process of `fairlead studio`, and the address that it prints."""
    command = [sys.executable, "-m", "fairlead", "studio", str(folder), "--no-browser", "--port", str(port)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", first)
        assert found is not None, first + (process.stderr.read() if process.stderr else "")
        yield process, found[0]
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=20)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
