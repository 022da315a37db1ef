"""Who may ask the studio anything: only pages of its own, which know the token, under its own name.

Any web page can send requests to a port of this machine, and a name that it owns can be made to mean this
machine. So every request must have the token and the right `Host`, and the right `Origin` if it has one.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: what every answer says to browsers; the page itself adds what it may load
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_POLICY = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_REFUSED = b"Open the address that fairlead studio has printed: it has the token.\n"
HEADER = "x-fairlead-token"


class Guard:
    """Lets requests through to the application that may ask it; refuses all others with status 403."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        if port == 80:
            self._hosts |= {"127.0.0.1", "localhost"}
        self.cookie = f"fairlead_studio_{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        if not self._is_ours(scope, headers):
            await _refuse(scope, receive, send)
        elif self._is_known(headers):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "http" and self._brings_token(scope):
            await self._welcome(scope, send)
        else:
            await _refuse(scope, receive, send)

    def _is_ours(self, scope: Scope, headers: dict[str, list[str]]) -> bool:
        """Whether it is meant for this server, and does not come from the page of another one."""
        hosts, origins = headers.get("host", []), headers.get("origin", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return False
        if any(origin.removeprefix("http://").lower() not in self._hosts for origin in origins):
            return False
        return scope["type"] != "websocket" or len(origins) == 1

    def _is_known(self, headers: dict[str, list[str]]) -> bool:
        given = headers.get(HEADER, [])
        for text in headers.get("cookie", []):
            try:
                cookies = SimpleCookie(text)
            except CookieError:
                continue
            if self.cookie in cookies:
                given = [*given, cookies[self.cookie].value]
        return any(self._fits(one) for one in given)

    def _brings_token(self, scope: Scope) -> bool:
        """Whether this is the address that was printed."""
        if scope["method"] != "GET" or scope["path"] != "/":
            return False
        try:
            given = parse_qs(scope["query_string"].decode("ascii")).get("token", [])
        except ValueError:
            return False
        return len(given) == 1 and self._fits(given[0])

    def _fits(self, given: str) -> bool:
        return secrets.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """Keeps the token in a cookie that scripts cannot read, and takes it out of the address."""
        rest = parse_qs(scope["query_string"].decode("ascii"))
        rest.pop("token", None)
        query = urlencode(rest, doseq=True)
        cookie = f"{self.cookie}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [
            (b"location", f"/?{query}".encode() if query else b"/"),
            (b"set-cookie", cookie.encode()),
            *_HEADERS,
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", ())}
            more = [*_HEADERS, (b"content-security-policy", _POLICY)]
            message["headers"] = [
                *message.get("headers", ()),
                *(one for one in more if one[0] not in given),
            ]
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": "no token"})
        return
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(_REFUSED)).encode()),
        (b"content-security-policy", _POLICY),
        *_HEADERS,
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": _REFUSED})
