"""The processes in which jobs run: started, told lines of JSON, heard, ended.

A process can be ended at once whatever it is doing, on every system, and takes its memory with it; a thread
cannot. It is started as a fresh interpreter, not by `multiprocessing`: that would run the main
module of the face again. Requests and events are lines of JSON, since JSON is what faces pass on. The
process watches its standard input, which ends with the process that started it; so none is left behind.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from fairlead.service.requests import Request

#: takes its modules from where this process has them, and from nowhere else: not from the folder of a model
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from fairlead.service.worker import main; main()"
)


class Worker:
    """A process that does what a request says."""

    def __init__(self, asked: Request) -> None:
        path = json.dumps([entry for entry in sys.path if entry])
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _START, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        self.is_cancelled = False
        self._reading = threading.Lock()
        self.tell(asked.to_line())

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def tell(self, line: str) -> None:
        """Sends a line; one that has ended already hears nothing."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def events(self) -> Iterator[dict[str, Any]]:
        """What the process tells until it ends."""
        assert self._process.stdout is not None
        with self._reading:
            for line in () if self._process.stdout.closed else self._process.stdout:
                with suppress(ValueError):  # it was ended in the middle of a line
                    yield json.loads(line)

    def wait(self) -> int:
        """Waits for the end; the status."""
        status = self._process.wait()
        self.close()
        return status

    def end(self) -> None:
        """Ends the process now, whatever it does; one that has ended stays as it is."""
        self.is_cancelled = True
        with suppress(OSError):
            self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Gives the pipes back."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.close()
