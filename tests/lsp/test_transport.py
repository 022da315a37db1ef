"""Standard input and output, TCP, and clients whose messages come one by one; damaged messages."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairlead.cli import lsp as command
from fairlead.cli.main import run
from fairlead.lsp.connection import Connection, Sender
from tests.support.lsp.client import PATIENCE, ServerError, client_of, connected, served, start


@contextmanager
def listening(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], str, int]]:
    process = start(*arguments)
    try:
        assert process.stderr is not None
        line = process.stderr.readline().decode()
        match = re.fullmatch(r"listening on (.+):(\d+)\n", line)
        assert match is not None, line
        yield process, match[1], int(match[2])
    finally:
        process.kill()
        process.communicate()


def test_two_clients_over_tcp_have_documents_of_their_own(folder: Path) -> None:
    with listening("--tcp", "127.0.0.1:0") as (_, host, port):
        for text, problems in (("P() = a -> ;\n", 1), ("P() = a -> P();\n", 0)):
            client, connection = connected(host, port)
            with connection:
                client.initialize(folder)
                uri = client.open(folder / "m.csp", text)
                assert len(client.problems(uri, 1)) == problems
                if problems:
                    client.leave()


def test_an_interrupt_ends_the_server(folder: Path) -> None:
    with listening("--tcp", "127.0.0.1:0") as (process, host, port):
        _, connection = connected(host, port)
        with connection:
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 130
    process = start()
    client = client_of(process)
    client.initialize(folder)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 143
    process.communicate()


def test_the_status_says_whether_the_client_has_left_in_good_order(folder: Path) -> None:
    for leave, status in (("exit", 1), (None, 1)):
        process = start()
        client = client_of(process)
        client.initialize(folder)
        if leave is None:
            assert process.stdin is not None
            process.stdin.close()
        else:
            client.notify(leave)
        assert process.wait(PATIENCE) == status
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def test_damaged_messages_are_passed_over(folder: Path) -> None:
    process = start()
    client = client_of(process)
    assert process.stdin is not None
    for body in (
        b"{",
        b"[]",
        b"null",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "method": 7}',
        b"\xff\xfe",
    ):
        process.stdin.write(b"content-LENGTH:%d\r\nContent-Type: x\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()
    for method, params in (("initialize", {"x": 1}), ("initialize", 7), ("textDocument/hover", None)):
        with pytest.raises(ServerError):
            client.request(method, params)
    client.initialize(folder)
    with pytest.raises(ServerError, match="Method Not Found"):
        client.request("no/such/method", {"x": [1]})
    client.notify("no/such/notification", [1])
    client.leave()
    assert process.wait(PATIENCE) == 0
    process.communicate()


def test_a_connection_that_somebody_else_has(folder: Path) -> None:
    """As a page would have it, over a WebSocket."""
    sent: list[dict[str, object]] = []

    async def talk() -> int:
        connection = Connection(Sender(lambda text: sent.append(json.loads(text))), headers=False)
        for number, (method, params) in enumerate(
            (
                ("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}),
                ("shutdown", None),
            )
        ):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            connection.receive(json.dumps(message))
        connection.receive(json.dumps({"jsonrpc": "2.0", "method": "exit"}))
        await asyncio.wait_for(connection.left(), PATIENCE)
        return connection.close()

    assert asyncio.run(talk()) == 0
    assert [message.get("id") for message in sent] == [0, 1]


def test_nothing_but_messages_is_written(folder: Path) -> None:
    with served("--stdio") as client:
        assert client.initialize(folder)["hoverProvider"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tcp", "here"], "expected HOST:PORT"),
        (["--tcp", "localhost:70000"], "expected HOST:PORT"),
        (["--stdio", "--tcp", "localhost:0"], "--stdio and --tcp cannot be used together"),
        (["--tcp", "203.0.113.1:2087"], "cannot listen on 203.0.113.1:2087"),
    ],
)
def test_wrong_options(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lsp", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_without_the_extra_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert run(["lsp"]) == 2
    told = capsys.readouterr().err
    assert "lsprotocol and pygls" in told and "pip install 'fairlead[lsp]'" in told
