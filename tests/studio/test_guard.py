"""Nobody is answered who has not the token, comes from another page, or means another host."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fairlead.studio.app import HANDLERS
from fairlead.studio.guard import HEADER
from tests.support.studio.studios import MODEL, PORT, TOKEN, socket, studio

#: every address that is answered
ADDRESSES = [("GET", "/"), ("GET", "/assets/run.js"), ("GET", "/assets/studio.js"), *HANDLERS]
ORIGIN, SOCKETS = f"http://127.0.0.1:{PORT}", f"ws://127.0.0.1:{PORT}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    (place / "m.csp").write_text(MODEL)
    return place


def stranger(client: TestClient, **headers: str) -> TestClient:
    """A client of the same studio, without its token."""
    return TestClient(
        client.app, base_url=ORIGIN, headers=headers, raise_server_exceptions=False, follow_redirects=False
    )


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_nothing_is_answered_without_the_token(folder: Path, method: str, path: str) -> None:
    with studio(folder) as client:
        for headers in ({}, {HEADER: ""}, {HEADER: TOKEN[:-1]}, {"cookie": f"fairlead_studio_{PORT}=x"}):
            answer = stranger(client, **headers).request(method, path.format(job="x", name="x"), json={})
            assert answer.status_code == 403 and "printed" in answer.text
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", f"localhost:{PORT + 1}", f"[::1]:{PORT}", ""])
def test_another_host_is_refused(folder: Path, host: str) -> None:
    """A name that somebody else owns can be made to mean this machine."""
    with studio(folder) as client:
        assert client.get("/api/files").status_code == 200
        assert client.get("/api/files", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://example.org", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1"]
)
def test_pages_of_others_are_refused(folder: Path, origin: str) -> None:
    with studio(folder) as client:
        assert client.get("/api/files", headers={"origin": ORIGIN}).status_code == 200
        assert client.get("/api/files", headers={"origin": origin}).status_code == 403
        for path in ("/lsp", "/live"):
            with (
                pytest.raises(WebSocketDisconnect) as refused,
                client.websocket_connect(SOCKETS + path, headers={"origin": origin}),
            ):
                pass
            assert refused.value.code == 4403


@pytest.mark.parametrize("path", ["/lsp", "/live"])
def test_sockets_need_token_and_origin(folder: Path, path: str) -> None:
    with studio(folder) as client:
        with socket(client, path):
            pass
        for other in (stranger(client, origin=ORIGIN), stranger(client, **{HEADER: TOKEN})):
            with pytest.raises(WebSocketDisconnect), other.websocket_connect(SOCKETS + path):
                pass


def test_the_address_gives_a_cookie_once(folder: Path) -> None:
    with studio(folder) as client:
        page = stranger(client)
        answer = page.get(f"/?token={TOKEN}&model=m.csp")
        assert answer.status_code == 303 and answer.headers["location"] == "/?model=m.csp"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert page.get("/api/files").status_code == 200
        for wrong in ("/?token=", "/?token=x", f"/?token={TOKEN}&token={TOKEN}", f"/api/files?token={TOKEN}"):
            assert stranger(client).get(wrong).status_code == 403


def test_every_answer_says_what_may_be_loaded(folder: Path) -> None:
    with studio(folder) as client:
        for path in ("/", "/api/files", "/assets/run.js", "/api/file?name=nothing.csp"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy and "http:" not in policy
            assert headers["x-content-type-options"] == "nosniff" and headers["cache-control"] == "no-store"
            assert headers["x-frame-options"] == "DENY" and headers["referrer-policy"] == "no-referrer"


def test_the_page_has_a_nonce_of_its_own(folder: Path) -> None:
    with studio(folder) as client:
        pages = [client.get("/") for _ in range(2)]
        if any(page.status_code == 404 for page in pages):
            pytest.skip("the page is not built: make studio")
        policies = [page.headers["content-security-policy"] for page in pages]
        assert policies[0] != policies[1]
        nonce = policies[0].partition("'nonce-")[2].partition("'")[0]
        assert f'content="{nonce}"' in pages[0].text and "<script>" not in pages[0].text


def test_tokens_are_compared_in_constant_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []
    compare = secrets.compare_digest

    def noted(one: Any, other: Any) -> bool:
        compared.append((one, other))
        return compare(one, other)

    monkeypatch.setattr(secrets, "compare_digest", noted)
    with studio(folder) as client:
        assert stranger(client, **{HEADER: "x"}).get("/api/files").status_code == 403
        assert client.get("/api/files").status_code == 200
    assert [other for _, other in compared] == [TOKEN.encode()] * 2
