"""Calls that are cancelled, servers that are ended, clients that are killed: nothing is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli import mcp as command
from fairlead.cli.main import run
from tests.support.mcp.agent import COMMAND, PATIENCE, Agent, agent
from tests.support.processes import children, ends, happens

#: more states than anyone waits for
HUGE = """\
var a[9]:{0..9};
Count(i) = [a[i] < 9] up.i{a[i] = a[i] + 1;} -> Count(i) [] [a[i] > 0] down.i{a[i] = a[i] - 1;} -> Count(i);
All() = ||| i:{0..8} @ Count(i);
#assert All() deadlockfree;
"""
in_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")


def workers_of(pid: int) -> set[int]:
    return {child for child in children(pid) if b"fairlead.service.worker" in command_line(child)}


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@in_proc
def test_progress_is_told_and_a_cancelled_call_ends_its_job(asked: Agent, folder: Path) -> None:
    told: list[str | None] = []

    async def call() -> Any:
        async def hear(progress: float, total: float | None, message: str | None) -> None:
            told.append(message)

        given = {"text": HUGE, "timeout": 600, "max_states": 50_000_000}
        return await asked.client.call_tool("check", given, progress_callback=hear)

    async def begun() -> asyncio.Task[Any]:
        return asyncio.ensure_future(call())

    async def cancelled(task: asyncio.Task[Any]) -> bool:
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    task = asked.do(begun())
    assert happens(lambda: any(message and "state" in message for message in told))
    workers = workers_of(os.getpid())
    assert len(workers) == 1
    assert asked.do(cancelled(task))
    assert all(ends(worker) for worker in workers)
    assert "holds" in asked.text("check", text="P() = a -> P();\n#assert P() deadlockfree;\n")


@in_proc
def test_a_killed_job_is_told(asked: Agent) -> None:
    calling = asked.begin(asked.client.call_tool("check", {"text": HUGE, "max_states": 50_000_000}))
    assert happens(lambda: len(workers_of(os.getpid())) == 1)
    for worker in workers_of(os.getpid()):
        os.kill(worker, signal.SIGKILL)
    answer = calling.result(PATIENCE)
    assert answer.is_error and "ended with status -9" in str(answer.content)


@in_proc
def test_a_client_that_leaves_while_it_waits(folder: Path) -> None:
    with agent(folder) as found:
        before = children(os.getpid())
        found.begin(found.client.call_tool("check", {"text": HUGE, "max_states": 50_000_000}))
        assert happens(lambda: any(workers_of(pid) for pid in (os.getpid(),)))
        mine = children(os.getpid()) | before
        workers = workers_of(os.getpid())
    assert all(ends(worker) for worker in workers & mine)


def begin_by_hand(folder: Path) -> subprocess.Popen[bytes]:
    """A server that checks for a client that is nobody but its pipes."""
    process = subprocess.Popen(
        [*COMMAND, "--folder", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None

    def send(**message: Any) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()

    client = {"clientInfo": {"name": "test", "version": "1"}, "capabilities": {}}
    send(id=1, method="initialize", params={"protocolVersion": "2025-06-18", **client})
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "fairlead"
    send(method="notifications/initialized")
    given = {"text": HUGE, "timeout": 600, "max_states": 50_000_000}
    send(id=2, method="tools/call", params={"name": "check", "arguments": given})
    return process


@in_proc
@pytest.mark.parametrize("manner", ["client", "kill", "terminate", "interrupt", "damaged"])
def test_no_process_and_no_file_is_left_behind(tmp_path: Path, manner: str) -> None:
    process = begin_by_hand(tmp_path)
    assert happens(lambda: len(workers_of(process.pid)) == 1)
    workers = workers_of(process.pid)
    assert process.stdin is not None
    match manner:
        case "client":
            process.stdin.close()
        case "kill":
            process.kill()
        case "terminate":
            process.terminate()
        case "interrupt":
            process.send_signal(signal.SIGINT)
        case "damaged":
            process.stdin.write(b"{\n[]\nnull\n\xff\xfe\n" + b"[" * 100_000 + b"\n")
            process.stdin.close()
    status = process.wait(PATIENCE)
    expected = {"client": 0, "damaged": 0, "kill": -9, "terminate": 143, "interrupt": 130}
    assert status == expected[manner]
    assert all(ends(worker) for worker in workers)
    assert list(tmp_path.iterdir()) == []
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert run(["mcp"]) == 2
    assert "pip install 'fairlead[mcp]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [["--folder", "no such folder"], ["--timeout", "0"], ["--max-memory", "lots"], ["--max-states", "0"]],
)
def test_wrong_options(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp", *options]) == 2
    assert "error" in capsys.readouterr().err.lower()


def test_the_room_and_the_package_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    """Also where a folder of the user's is in the way."""
    (tmp_path / "mcp.py").write_text("raise RuntimeError('not this one')\n")
    found = subprocess.run(
        [sys.executable, "-P", "-c", "import mcp, fairlead.mcp.server; print(mcp.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert "site-packages" in found.stdout
