"""Programs that are run as processes of their own, with what they cost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class RunError(Exception):
    """A tool could not be run, or its run does not count. The message says why."""


class TooLong(RunError):
    """A run took longer than it was given."""


@dataclass(frozen=True)
class Finished:
    """A process that has ended: its output and its cost."""

    stdout: str
    stderr: str
    code: int
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int


def _environment() -> dict[str, str]:
    """Programs in Python keep their byte code, as they do where they are installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def execute(command: Sequence[str | Path], folder: Path, timeout: float) -> Finished:
    """Run a command and read its cost from the operating system."""
    name = Path(str(command[0])).name
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.perf_counter()
        try:
            child = subprocess.Popen(
                [str(part) for part in command], cwd=folder, stdout=out, stderr=err, env=_environment()
            )
        except OSError as failure:
            raise RunError(f"cannot run {name}: {failure.strerror}") from failure
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() - begin > timeout:
                child.kill()
                os.wait4(child.pid, 0)
                child.returncode = -9
                raise TooLong(f"{name} ran longer than {timeout:.0f} s")
            time.sleep(0.001)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        rss_unit = 1 if sys.platform == "darwin" else 1024
        return Finished(
            stdout=out.read(),
            stderr=err.read(),
            code=child.returncode,
            wall_seconds=wall,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_bytes=usage.ru_maxrss * rss_unit,
        )


def first_line(command: Sequence[str]) -> str:
    """The first line a program says, such as its version."""
    try:
        done = execute(command, Path.cwd(), 60.0)
    except RunError:
        return "not found"
    said = (done.stdout or done.stderr).strip()
    return said.splitlines()[0] if said and done.code == 0 else "unknown"
