"""Progress, cancelling, and what is left behind when a client, the server or a job is killed: nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp.client import PATIENCE, Client, ServerError, client_of, start
from tests.support.processes import children, ends, happens

#: more states than anyone waits for
HUGE = """\
var a[9]:{0..9};
Count(i) = [a[i] < 9] up.i{a[i] = a[i] + 1;} -> Count(i) [] [a[i] > 0] down.i{a[i] = a[i] - 1;} -> Count(i);
All() = ||| i:{0..8} @ Count(i);
#assert All() deadlockfree;
#assert All() |= []<> up.0;
"""
LIMITS = {"timeout": 600, "maxStates": None}


def order(uri: str) -> Any:
    place = {"line": 3, "character": 0}
    return {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "limits": LIMITS}


def begin(client: Client, uri: str, **given: Any) -> int:
    """A check that goes on and on; returns when it explores."""
    params = {"command": "fairlead.check", "arguments": [order(uri)], **given}
    number = client.send("workspace/executeCommand", params)
    await_progress(client, "report", "exploring, ")
    return number


def await_progress(client: Client, kind: str, message: str = "") -> Any:
    def is_wanted(told: Any) -> bool:
        return told["value"]["kind"] == kind and message in (told["value"].get("message") or "")

    return client.await_notification("$/progress", is_wanted)


def refused(client: Client, number: int) -> int:
    with pytest.raises(ServerError) as caught:
        client.answer(number)
    code: int = caught.value.code
    return code


CANCELLED = -32800


def test_progress_is_told_and_a_request_cancelled(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", HUGE)
    number = begin(client, uri)
    assert "checking … (cancel)" in [one["command"]["title"] for one in client.about("codeLens", uri)]
    begun = await_progress(client, "begin")
    assert begun["value"]["title"] == "check All() deadlockfree" and begun["value"]["cancellable"]
    client.notify("$/cancelRequest", {"id": number})
    assert refused(client, number) == CANCELLED
    assert await_progress(client, "end")["token"] == begun["token"]
    assert "check" in [one["command"]["title"] for one in client.about("codeLens", uri)]


def test_progress_is_cancelled_by_its_token(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", HUGE)
    client.heard.clear()
    number = begin(client, uri, workDoneToken="mine")
    assert await_progress(client, "begin")["token"] == "mine"
    client.notify("window/workDoneProgress/cancel", {"token": "mine"})
    client.notify("window/workDoneProgress/cancel", {"token": "never heard of"})
    assert refused(client, number) == CANCELLED


def test_all_jobs_are_cancelled_by_a_command(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", HUGE)
    client.heard.clear()
    numbers = [begin(client, uri)]
    params = {"command": "fairlead.check", "arguments": [order(uri)]}
    numbers += [client.send("workspace/executeCommand", params) for _ in range(3)]  # some of them wait
    assert happens(lambda: client.command("fairlead.cancel") == 4)
    assert [refused(client, number) for number in numbers] == [CANCELLED] * 4


def test_answers_come_while_a_job_runs(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", HUGE)
    client.heard.clear()
    number = begin(client, uri)
    assert client.at("hover", uri, 2, 1)["contents"]["value"].startswith("process All")
    client.change(uri, 2, HUGE.replace("All", "Every"))
    assert client.problems(uri, 2) == []
    client.notify("$/cancelRequest", {"id": number})
    assert refused(client, number) == CANCELLED


def test_a_killed_job_is_told(client: Client, folder: Path) -> None:
    uri = client.open(folder / "m.csp", HUGE)
    client.heard.clear()
    number = begin(client, uri)
    for child in children(os.getpid()):
        command = Path(f"/proc/{child}/cmdline").read_bytes()
        if b"fairlead.service.worker" in command:
            os.kill(child, signal.SIGKILL)
    with pytest.raises(ServerError, match="ended with status -9"):
        client.answer(number)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes in /proc")
@pytest.mark.parametrize("manner", ["client", "kill", "terminate", "shutdown", "exit"])
def test_no_process_and_no_file_is_left_behind(folder: Path, manner: str) -> None:
    """A check and a simulation are under way when the server, or its client, ends in one way or another."""
    process = start()
    client = client_of(process)
    client.initialize(folder)
    uri = client.open(folder / "m.csp", HUGE)
    client.request("fairlead/simulation/begin", {"textDocument": {"uri": uri}, "process": "All()"})
    begin(client, uri)
    workers = children(process.pid)
    assert len(workers) >= 2
    match manner:
        case "client":
            assert process.stdin is not None
            process.stdin.close()
        case "kill":
            process.kill()
        case "terminate":
            process.terminate()
        case "shutdown":
            client.leave()
        case "exit":
            client.notify("exit")
    process.wait(PATIENCE)
    assert all(ends(worker) for worker in workers)
    assert list(folder.iterdir()) == []
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()


@pytest.mark.skipif(os.name != "posix", reason="looks whether another process is there")
def test_a_server_ends_when_the_process_of_its_client_does(folder: Path) -> None:
    """Though somebody else holds the other end of its pipe."""
    import subprocess
    import sys

    owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    server = start()
    client = client_of(server)
    params = {"processId": owner.pid, "rootUri": folder.as_uri(), "capabilities": {}}
    client.request("initialize", params)
    owner.kill()
    owner.wait()
    assert server.wait(PATIENCE) == 1
    server.communicate()
    assert owner.stdin is not None
    owner.stdin.close()
