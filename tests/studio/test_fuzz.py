"""Random requests and messages: none makes an internal error, leaves the folder, or is answered unasked."""

from __future__ import annotations

import asyncio
import json
import random
import string
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from fairlead.studio.app import HANDLERS
from fairlead.studio.folder import Folder
from fairlead.studio.guard import HEADER, Guard
from fairlead.studio.language import refused
from fairlead.studio.serving import Settings, guarded
from tests.support.studio.studios import MODEL, PORT, TOKEN

SECRET = "the-secret-outside"
NAMES = [
    "m.csp",
    "ring/r.lts",
    "none.csp",
    "../outside.csp",
    "link.csp",
    "",
    "..",
    "m.csp\0",
    "a" * 300,
    "é.csp",
]
PIECES = [
    "api",
    "file",
    "files",
    "jobs",
    "assets",
    "..",
    "%2e%2e",
    "%2f",
    "lsp",
    "live",
    "run.js",
    "x",
    "",
    "\\",
]
VALUES = [
    None,
    True,
    False,
    0,
    -1,
    10**30,
    1.5,
    "",
    "x",
    "m.csp",
    "../outside.csp",
    [],
    {},
    [1],
    {"a": 1},
    "\ud800",
]
KEYS = ["name", "text", "version", "base", "question", "fairness", "fair", "process", "command", "verdicts"]


class Client:
    """Sends requests as they come over the wire, and keeps what is said."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(folder, token=TOKEN, cache=folder.parent / "cache")
        self.app: Guard = guarded(settings, PORT)[0]

    async def request(
        self, method: str, path: bytes, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> tuple[int, bytes]:
        target, _, query = path.partition(b"?")
        scope: MutableMapping[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": _unquoted(target),
            "raw_path": target,
            "query_string": query,
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", PORT),
            "state": {},
        }
        parts = [{"type": "http.request", "body": body, "more_body": False}]
        said: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return parts.pop() if parts else {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            said.append(message)

        await self.app(scope, receive, send)
        return said[0]["status"], b"".join(message.get("body", b"") for message in said[1:])


def _unquoted(path: bytes) -> str:
    from urllib.parse import unquote

    return unquote(path.decode("latin-1"))


def random_value(generator: random.Random, depth: int = 0) -> Any:
    kind = generator.random()
    if kind < 0.15 and depth < 3:
        return {
            generator.choice(KEYS): random_value(generator, depth + 1) for _ in range(generator.randint(0, 3))
        }
    if kind < 0.25 and depth < 3:
        return [random_value(generator, depth + 1) for _ in range(generator.randint(0, 3))]
    return generator.choice(VALUES + NAMES)


def random_path(generator: random.Random) -> bytes:
    if generator.random() < 0.7:
        path = generator.choice(list(HANDLERS))[1].format(job="x", name="x")
    else:
        path = "/" + "/".join(generator.choice(PIECES) for _ in range(generator.randint(0, 5)))
    if generator.random() < 0.5:
        key = generator.choice([*KEYS, "basis", "assertion", "token"])
        path += f"?{key}=" + generator.choice([*NAMES, "%00", "%ff", "%2e%2e%2foutside.csp"])
    return path.encode("utf-8", "replace")


def random_body(generator: random.Random) -> bytes:
    kind = generator.random()
    if kind < 0.15:
        return bytes(generator.randrange(256) for _ in range(generator.randint(0, 40)))
    if kind < 0.2:
        return b"[" * 5000
    body = {key: random_value(generator) for key in generator.sample(KEYS, generator.randint(0, 6))}
    if kind < 0.6:
        body["name"] = generator.choice(NAMES)
    return json.dumps(body).encode()


def headers_of(generator: random.Random, *, known: bool) -> list[tuple[bytes, bytes]]:
    headers = [(b"host", f"127.0.0.1:{PORT}".encode())]
    if generator.random() < 0.9:
        headers.append((b"content-type", b"application/json"))
    if known:
        return [*headers, (HEADER.encode(), TOKEN.encode())]
    wrong = generator.choice([b"", TOKEN[:-1].encode(), b"\xff\xfe", TOKEN.upper().encode(), b"x" * 5000])
    kind = generator.randrange(4)
    if kind == 0:
        return [*headers, (HEADER.encode(), wrong)]
    if kind == 1:
        return [*headers, (b"cookie", f"fairlead_studio_{PORT}=".encode() + wrong)]
    if kind == 2:  # the right token, from the page of another server
        return [*headers, (HEADER.encode(), TOKEN.encode()), (b"origin", b"http://example.org")]
    return [(b"host", b"example.org"), (HEADER.encode(), TOKEN.encode())]


def folder_in(place: Path) -> Path:
    folder = place / "models"
    (folder / "ring").mkdir(parents=True)
    (folder / "m.csp").write_text(MODEL)
    (folder / "ring" / "r.lts").write_text("R = (a -> R).\n")
    (place / "outside.csp").write_text(f"// {SECRET}\n")
    (folder / "link.csp").symlink_to(place / "outside.csp")
    return folder


def tree_of(place: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file() and "models" not in path.parts and "cache" not in path.parts
    }


async def storm(place: Path, seed: int, count: int) -> None:
    generator = random.Random(seed)
    client = Client(folder_in(place))
    before = tree_of(place)
    statuses: set[int] = set()
    for number in range(count):
        known = generator.random() < 0.6
        method = generator.choice(["GET", "PUT", "POST", "DELETE", "GET", "HEAD", "OPTIONS", "X"])
        path, body = random_path(generator), random_body(generator)
        if method == "POST" and path.startswith(b"/api/simulations") and known:
            continue  # each would be a process
        status, said = await client.request(method, path, headers_of(generator, known=known), body)
        about = f"seed {seed}, request {number}: {method} {path!r} {body[:200]!r} → {status} {said[:300]!r}"
        statuses.add(status)
        assert SECRET.encode() not in said, about
        assert b"Traceback" not in said and status < 500, about
        if not known:
            assert status == 403 and b"printed" in said, about
    assert {200, 403, 404} <= statuses
    assert tree_of(place) == before


def random_message(generator: random.Random, folder: Path) -> str:
    uris = [
        (folder / "m.csp").as_uri(),
        (folder.parent / "outside.csp").as_uri(),
        (folder / "link.csp").as_uri(),
        f"{folder.as_uri()}/../outside.csp",
        f"{folder.as_uri()}/%2e%2e/outside.csp",
        "file:///etc/passwd",
        "file://host/etc/passwd",
        "http://example.org/m.csp",
        "untitled:1",
        "",
        7,
        None,
    ]
    if generator.random() < 0.2:
        return "".join(generator.choice(string.printable) for _ in range(generator.randint(0, 60)))
    uri = generator.choice(uris)
    params: Any = generator.choice(
        [
            {"textDocument": {"uri": uri}},
            {"textDocument": {"uri": uri, "languageId": "csp", "version": 1, "text": MODEL}},
            {"rootUri": uri},
            {"changes": {str(uri): []}},
            {"edits": [{"x": {"uri": uri}}]},
            random_value(generator),
        ]
    )
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": "textDocument/hover", "params": params}
    if generator.random() < 0.7:
        message["id"] = generator.choice([1, "a", None, 2.5])
    return json.dumps(message)


def messages(place: Path, seed: int, count: int) -> None:
    """What passes to the language server names models of the folder alone."""
    generator = random.Random(seed)
    folder = folder_in(place)
    watched = Folder(folder)
    passed = 0
    for number in range(count):
        text = random_message(generator, folder.resolve())
        answer = refused(text, watched)
        if answer:
            assert "below the folder" in json.loads(answer)["error"]["message"]
        if answer is None:
            passed += 1
            for name in ("outside", "passwd", "link.csp", "example.org", "untitled"):
                assert not any(name in json.dumps(value) for value in _uris(json.loads(text))), (
                    f"seed {seed}, message {number}: {text}"
                )
    assert passed > count // 50


def _uris(message: Any) -> list[Any]:
    if isinstance(message, dict):
        own = [value for key, value in message.items() if key in ("uri", "rootUri")]
        keys = list(message["changes"]) if isinstance(message.get("changes"), dict) else []
        return own + keys + [found for value in message.values() for found in _uris(value)]
    if isinstance(message, list):
        return [found for value in message for found in _uris(value)]
    return []


def test_random_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(storm(tmp_path, 1, 2500))
    assert "internal error" not in capsys.readouterr().err


def test_random_messages(tmp_path: Path) -> None:
    messages(tmp_path, 1, 2500)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_requests(tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int) -> None:
    asyncio.run(storm(tmp_path, seed, 7000))
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_random_messages(tmp_path: Path, seed: int) -> None:
    messages(tmp_path, seed, 3000)
