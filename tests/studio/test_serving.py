"""`fairlead studio` as a process: its address, its port, its end, and what is there when it starts again."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairlead.studio.app
from fairlead.base.diagnostics import InputError
from fairlead.cli.main import run
from fairlead.cli.studio import studio as command
from fairlead.studio import serving
from tests.support.processes import ends
from tests.support.studio.studios import HUGE, MODEL, TOKEN, started, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of Unix")
needs_page = pytest.mark.skipif(
    not fairlead.studio.app.built(), reason="the page is not built (make studio, which needs npm)"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    (place / "m.csp").write_text(MODEL)
    (place / "huge.csp").write_text(HUGE)
    return place


class Page:
    """Asks a studio over the wire, with the token of its address."""

    def __init__(self, address: str) -> None:
        self.base, _, self.token = address.partition("/?token=")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"x-fairlead-token": self.token, "content-type": "application/json"}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=60) as answer:
            return json.load(answer)


@needs_page
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_jobs(folder: Path, tmp_path: Path, number: int) -> None:
    with started(folder, tmp_path / "cache", "--max-states", "1000000000") as (process, address):
        page = Page(address)
        page.ask("POST", "/api/jobs", {"name": "huge.csp", "kind": "check"})
        until(lambda: page.ask("GET", "/api/jobs")["jobs"][0], lambda job: job["stage"] == "running")
        workers = children(process.pid)
        assert workers
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "") and "Traceback" not in out
        assert all(ends(worker) for worker in workers)


@needs_page
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="children are found in /proc")
def test_nothing_is_lost_when_it_is_killed_but_running_jobs_which_say_so(
    folder: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    with started(folder, cache) as (process, address):
        page = Page(address)
        job = page.ask(
            "POST", "/api/jobs", {"name": "m.csp", "kind": "check", "question": 0, "fairness": "none,esf"}
        )
        until(lambda: page.ask("GET", f"/api/jobs/{job['id']}"), lambda one: one["stage"] == "done")
        text = f"{MODEL}// not saved\n"
        page.ask("PUT", "/api/draft", {"name": "m.csp", "text": text, "base": None})
        page.ask("POST", "/api/jobs", {"name": "huge.csp", "kind": "check"})
        workers = until(lambda: children(process.pid), bool)
        process.kill()
        process.wait()
        assert all(ends(worker) for worker in workers)
    with started(folder, cache) as (process, address):
        page = Page(address)
        assert page.ask("GET", "/api/file?name=m.csp")["draft"] == text
        verdicts = page.ask("GET", "/api/questions?name=m.csp")["questions"][0]["verdicts"]
        assert [one["result"]["verdict"] for one in verdicts] == ["violated", "holds"]
        jobs = page.ask("GET", "/api/jobs")["jobs"]
        assert [(one["name"], one["stage"]) for one in jobs] == [("huge.csp", "interrupted")]


def children(process: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(entry.parent.name))
    return found


@needs_page
def test_it_listens_on_this_machine_alone(folder: Path, tmp_path: Path) -> None:
    with started(folder, tmp_path / "cache") as (_, address):
        port = int(address.split(":")[2].split("/")[0])
        with pytest.raises(urllib.error.HTTPError) as refused:
            Page(f"http://127.0.0.1:{port}/?token=wrong").ask("GET", "/api/files")
        assert refused.value.code == 403
        refused.value.close()
        others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)}
        for other in others - {"127.0.0.1"}:
            with socket.socket() as one:
                assert one.connect_ex((other, port)) != 0


def test_ports() -> None:
    with serving.listener(0) as one:
        taken = one.getsockname()[1]
        assert one.getsockname()[0] == "127.0.0.1" and taken
        with pytest.raises(InputError) as refused:
            serving.listener(taken)
        assert "cannot listen on 127.0.0.1" in refused.value.diagnostics[0].message
        assert "--port" in (refused.value.diagnostics[0].hint or "")


def test_another_port_is_taken_where_the_usual_one_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving.listener(0) as one:
        monkeypatch.setattr(serving, "USUAL_PORT", one.getsockname()[1])
        with serving.listener(None) as other:
            assert other.getsockname()[1] not in (0, one.getsockname()[1])


def wrong(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["studio", *arguments]) == 2
    err = capsys.readouterr().err
    assert "Traceback" not in err
    return err


def test_messages(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "there is no folder or model 'nothing'" in wrong(capsys, "nothing")
    assert "--max-memory" in wrong(capsys, str(folder), "--max-memory", "lots")
    assert "does not exist" in wrong(capsys, str(folder), "--allow-python", "none.py")
    monkeypatch.setattr("fairlead.studio.serving.built", lambda: False)
    assert "make studio" in wrong(capsys, str(folder))
    monkeypatch.setattr("fairlead.cli.studio.find_spec", lambda name: None if name == "uvicorn" else True)
    told = wrong(capsys, str(folder))
    assert "the studio needs uvicorn" in told and "pip install 'fairlead[studio]'" in told


def test_what_the_command_starts(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[serving.Settings, bool]] = []

    def serve(settings: serving.Settings, told: Callable[[str], None], *, opens_browser: bool) -> int:
        seen.append((settings, opens_browser))
        told("http://127.0.0.1:1/?token=x")
        return 0

    monkeypatch.setattr(serving, "serve", serve)
    assert run(["studio", str(folder / "m.csp"), "--port", "1234", "--no-browser", "--timeout", "5"]) == 0
    assert "the studio is at http://127.0.0.1:1/?token=x" in capsys.readouterr().out
    settings, opens = seen[0]
    assert (settings.folder, settings.first, settings.port, opens) == (folder.resolve(), "m.csp", 1234, False)
    limits = settings.limits
    assert (limits.timeout, limits.max_memory, limits.max_states) == (5.0, 2 << 30, 5_000_000)
    assert settings.python == () and command.name == "studio"


def test_every_studio_has_a_token_of_its_own(folder: Path, tmp_path: Path) -> None:
    settings = serving.Settings(folder, cache=tmp_path)
    tokens = {serving.guarded(settings, 1)[1] for _ in range(20)}
    assert len(tokens) == 20 and min(map(len, tokens)) >= 32
    assert serving.guarded(serving.Settings(folder, token=TOKEN, cache=tmp_path), 1)[1] == TOKEN
