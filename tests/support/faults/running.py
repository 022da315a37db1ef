"""Commands as processes of their own, with state and cache in folders of the test."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.support.faults.commands import OLD, Written, prepare
from tests.support.places import ROOT

PROGRAM = (sys.executable, "-m", "fairlead")
#: SIGHUP, SIGINT, SIGTERM
_LISTENED = (1, 2, 15)


@dataclass(frozen=True)
class Place:
    """Where commands run: a folder with what they read, and whatever they keep for themselves."""

    folder: Path
    home: Path
    #: what `validate` reads
    found: str

    def prepare(self, command: Written) -> set[str]:
        """Writes what the command reads; the names of all files."""
        return prepare(self.folder, self.found, command)

    @property
    def names(self) -> set[str]:
        """The files that there are."""
        return {path.name for path in self.folder.iterdir()}

    @contextmanager
    def started(
        self,
        *arguments: str,
        stdout: IO[bytes] | int = subprocess.PIPE,
        before: Callable[[], None] | None = None,
    ) -> Iterator[subprocess.Popen[bytes]]:
        """A command that runs; it does not outlive the block."""
        with subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=environment(self.home),
            preexec_fn=before,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def run(self, *arguments: str, before: Callable[[], None] | None = None) -> tuple[int, str, str]:
        """Status, output and messages of a command."""
        with self.started(*arguments, before=before) as process:
            out, err = process.communicate()
        return process.returncode, out.decode(), err.decode()


def environment(home: Path) -> dict[str, str]:
    """The environment of commands: nothing of the user's own is read or written."""
    own = {"XDG_STATE_HOME": str(home / "state"), "XDG_CACHE_HOME": str(home / "cache")}
    return os.environ | own | {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}


def wait_until_listening(process: subprocess.Popen[bytes]) -> None:
    """Returns when the process catches signals, or has ended; before, Python itself is being started."""
    while process.poll() is None:
        try:
            lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
        except OSError:
            time.sleep(0.3)  # a system without /proc, or the end
            return
        caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt:")), 0)
        if all(caught >> (number - 1) & 1 for number in _LISTENED):
            return
        time.sleep(0.001)


def assert_no_bug(messages: str) -> None:
    """No traceback in any form, and no message that calls it a bug."""
    for sign in ("Traceback", "Exception ignored", "error[internal]"):
        assert sign not in messages, messages


def assert_old_or_new(place: Place, command: Written) -> None:
    """Each file is the one of before, or a whole new one."""
    for name, is_whole in command.files.items():
        data = (place.folder / name).read_bytes()
        assert data == OLD.encode() or is_whole(data.decode(errors="replace")), (name, data[-200:])
