"""`fairlead simulate` as a person uses it: a session in a pseudo-terminal."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")

INTERRUPTED = 130
COMMAND = [sys.executable, "-m", "fairlead", "simulate"]
MODEL = """\
var x:{0..2} = 0;
P() = up{x = x + 1;} -> P() [] tick -> P();
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.csp"
    path.write_text(MODEL, encoding="utf-8")
    return path


class Terminal:
    """A session in a pseudo-terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**kept, "TERM": "dumb", "FORCE_COLOR": "1", **environment},
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def answer(self, ending: str = "\n> ") -> str:
        """What appears until the next prompt."""
        deadline, found = time.monotonic() + 60, ""
        while not found.endswith(ending) and time.monotonic() < deadline:
            if not select.select([self.master], [], [], 1)[0]:
                continue
            try:
                read = os.read(self.master, 65536)
            except OSError:  # the other side was closed
                break
            if not read:
                break
            found += read.decode(errors="replace").replace("\r", "")
        return found

    def end(self) -> int:
        try:
            return self.process.wait(timeout=60)
        finally:
            os.close(self.master)


def test_a_session_in_a_terminal(model: Path) -> None:
    terminal = Terminal("m.csp")
    assert "\x1b[1mstart" in terminal.answer()
    terminal.type("up\n")
    assert "\x1b[33m* x = 1" in terminal.answer()
    terminal.type("nonsense\n")
    assert "neither a command nor an enabled event" in terminal.answer()
    terminal.type("\n")
    terminal.answer()
    terminal.type("back\n")
    assert "start" in terminal.answer()
    terminal.type("quit\n")
    terminal.answer("never")
    assert terminal.end() == 0


def test_no_colours_if_they_are_not_wanted(model: Path) -> None:
    terminal = Terminal("m.csp", NO_COLOR="1")
    assert "\x1b[1m" not in terminal.answer()
    terminal.type("up\n")
    shown = terminal.answer()
    assert "* x = 1" in shown and "\x1b[3" not in shown
    terminal.type("\x04")
    terminal.answer("never")
    assert terminal.end() == 0


def test_interrupting(model: Path) -> None:
    Path("m.csp").write_text("Q = tick -> Q;", encoding="utf-8")
    terminal = Terminal("m.csp", NO_COLOR="1")
    terminal.answer()
    terminal.type("random 1000000\n")
    time.sleep(1)
    terminal.process.send_signal(signal.SIGINT)
    assert "interrupted; nothing has changed" in terminal.answer()
    terminal.type("tick\n")
    assert "step 1: tick" in terminal.answer()
    while terminal.process.poll() is None:
        time.sleep(1)  # a signal that comes before the prompt waits for input is seen only with the next one
        terminal.process.send_signal(signal.SIGINT)
    assert "interrupted" in terminal.answer("never")
    assert terminal.end() == INTERRUPTED
