"""What once overran its limits keeps them: memory, a documented exit status, no traceback, and an end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.support.hostile import CASES, HOLDS, LIMIT, Hostile

SECONDS = 2
MEMORY = 300
#: the share beyond the limit on memory that may be used, and what comes on top, in MB
MOST = MEMORY * 5 // 4 + 100
#: seconds after which a command counts as hanging, on however busy a machine
PATIENCE = 180
FAIRLEAD = (sys.executable, "-m", "fairlead")


def peak_memory(process: int) -> int:
    """The most memory that a process had so far, in MB; 0 where that is not known."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
        return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def run(arguments: list[str], folder: Path) -> tuple[int, str, int]:
    """Exit status, what was printed, and the most memory in MB."""
    peak, end = 0, time.monotonic() + PATIENCE
    with (folder / "printed").open("w+b") as printed:
        with subprocess.Popen(
            [*FAIRLEAD, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
        ) as process:
            while process.poll() is None and time.monotonic() < end:
                peak = max(peak, peak_memory(process.pid))
                time.sleep(0.02)
            hangs = process.poll() is None
            process.kill()
        assert not hangs, "it does not end"
        printed.seek(0)
        return process.returncode, printed.read().decode(errors="replace"), peak


def prepared(case: Hostile, folder: Path) -> list[str]:
    """The arguments of the command, once its files are there."""
    model = folder / f"model.{case.suffix}"
    if case.text is None:
        model.symlink_to("/dev/zero")
    else:
        model.write_text(case.text(), encoding="utf-8")
    if case.before:
        first = [model.name if part == "{model}" else part for part in case.before]
        with (folder / "run.json").open("wb") as output:
            subprocess.run([*FAIRLEAD, *first], cwd=folder, check=False, stdout=output)
    return [case.command, model.name, *case.options]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in /proc")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if case.is_quick else pytest.mark.long, id=name)
        for name, case in CASES.items()
    ],
)
def test_limits_are_kept(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    arguments = prepared(case, tmp_path)
    limits = ["--timeout", str(SECONDS), "--max-memory", f"{MEMORY}M"]
    status, printed, peak = run([*arguments, *limits], tmp_path)
    assert status in case.statuses, printed[-2000:]
    assert "Traceback" not in printed, printed[-2000:]
    assert case.says in printed, printed[-2000:]
    assert peak <= MOST, f"{peak} MB"
    half_written = [path.name for path in tmp_path.iterdir() if path.name.endswith((".tmp", ".part"))]
    assert not half_written


needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


@needs_pipes
@pytest.mark.parametrize("command", [("check",), ("graph",), ("simulate", "--random", "5")])
def test_a_pipe_without_a_writer(command: tuple[str, ...], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.csp")
    status, printed, _ = run([command[0], "model.csp", *command[1:], "--timeout", "0.5"], tmp_path)
    assert (status, "timeout reached while reading the model" in printed) == (LIMIT, True), printed


@needs_pipes
def test_a_pipe_with_a_slow_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.csp")

    def write() -> None:
        with (tmp_path / "model.csp").open("w") as pipe:
            pipe.write("P() = a -> P();\n")
            pipe.flush()
            time.sleep(0.3)
            pipe.write("#assert P() deadlockfree;")

    writer = threading.Thread(target=write)
    writer.start()
    status, printed, _ = run(["check", "model.csp"], tmp_path)
    writer.join()
    assert status == HOLDS, printed


def test_standard_input_that_never_ends() -> None:
    command = [*FAIRLEAD, "check", "-", "--timeout", "0.5"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.wait(PATIENCE) == LIMIT
        assert process.stderr is not None
        assert b"timeout reached while reading the model" in process.stderr.read()


def test_a_sweep_gives_back_what_each_check_took(tmp_path: Path) -> None:
    text = "#define N 3; P(i) = [i < N] a.i -> P(i + 1) [] [i == N] b -> P(0); #assert P(0) deadlockfree;"
    (tmp_path / "model.csp").write_text(text)
    status, printed, _ = run(["check", "model.csp", "-D", "N=1..150", "--max-memory", "100M"], tmp_path)
    assert status == HOLDS, printed[-500:]
