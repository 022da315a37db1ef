"""SPIN and fairlead as programs that are run and measured."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cases import LIVE, REACH, Case
from promela import MODELS

HERE = Path(__file__).resolve().parent


class RunError(Exception):
    """A tool could not be run, or its run does not count. The message says why."""


class TooLong(RunError):
    """A run took longer than it was given."""


@dataclass(frozen=True)
class Measurement:
    """What one run of one tool said and cost."""

    verdict: str
    states: int
    transitions: int
    seconds: float
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    state_bytes: float

    @property
    def peak_bytes_per_state(self) -> float:
        return self.peak_bytes / self.states if self.states else 0.0


@dataclass(frozen=True)
class Process:
    """A finished child process: its output and its cost."""

    stdout: str
    stderr: str
    code: int
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int


def execute(command: Sequence[str | Path], folder: Path, timeout: float) -> Process:
    """Run a command in its own process and read its cost from the operating system."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.perf_counter()
        child = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=out, stderr=err)
        deadline = begin + timeout
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() > deadline:
                child.kill()
                os.wait4(child.pid, 0)
                child.returncode = -9
                raise TooLong(f"{Path(str(command[0])).name} ran longer than {timeout:.0f} s")
            time.sleep(0.002)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        rss_unit = 1 if sys.platform == "darwin" else 1024
        return Process(
            out.read(),
            err.read(),
            child.returncode,
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * rss_unit,
        )


class Spin:
    """A Promela model compiled once, run as often as wanted."""

    def __init__(self, case: Case, folder: Path, reduction: bool, timeout: float) -> None:
        self.case = case
        self.folder = folder
        self.timeout = timeout
        model = MODELS[case.model](case.size, **{name.lower(): value for name, value in case.defines})
        (folder / "model.pml").write_text(model.source(case.question is LIVE))
        begin = time.perf_counter()
        self._do(["spin", "-a", "model.pml"])
        self._do(["gcc", "-w", "-O2", *self._defines(model.processes, reduction), "-o", "pan", "pan.c"])
        self.compile_seconds = time.perf_counter() - begin

    def _defines(self, processes: int, reduction: bool) -> list[str]:
        defines = ["-DVECTORSZ=4096"]
        if self.case.question is REACH:
            defines += ["-DSAFETY", "-DNOCLAIM", "-DNOREDUCE"]
        elif self.case.fairness == "none":
            defines += ["-DNOFAIR"]
        else:
            defines += [f"-DNFAIR={(processes + 6) // 4 + 1}"]
        if self.case.question is LIVE and not reduction:
            defines += ["-DNOREDUCE"]
        return defines

    def _do(self, command: list[str]) -> None:
        done = execute(command, self.folder, self.timeout)
        if done.code != 0:
            raise RunError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-300:]}")

    def run(self) -> Measurement:
        options = [f"-m{self.case.depth}", f"-w{self.case.hash_bits}"]
        if self.case.question is REACH:
            options.append("-E")
        else:
            options.append("-a")
            if self.case.fairness != "none":
                options.append("-f")
        done = execute(["./pan", *options], self.folder, self.timeout)
        return self._read(done)

    def _read(self, done: Process) -> Measurement:
        text = done.stdout + done.stderr
        if "max search depth too small" in text:
            raise RunError("SPIN's depth bound was too small: the run does not count")
        errors = re.search(r"errors: (\d+)", text)
        stored = re.search(r"([\d.e+]+) states, stored", text)
        transitions = re.search(r"([\d.e+]+) transitions \(=", text)
        if not (errors and stored and transitions):
            raise RunError(f"cannot read SPIN's output: {text.strip()[-300:]}")
        states = int(float(stored.group(1)))
        used = re.search(r"([\d.]+)\s+actual memory usage for states", text)
        # SPIN counts the initial state among its transitions; here it is left out.
        return Measurement(
            verdict="holds" if errors.group(1) == "0" else "violated",
            states=states,
            transitions=int(float(transitions.group(1))) - 1,
            seconds=done.wall_seconds,
            wall_seconds=done.wall_seconds,
            cpu_seconds=done.cpu_seconds,
            peak_bytes=done.peak_bytes,
            state_bytes=float(used.group(1)) * 2**20 / states if used and states else 0.0,
        )


@dataclass(frozen=True)
class Fairlead:
    """The command line of fairlead on one case."""

    case: Case
    program: str
    timeout: float

    def run(self) -> Measurement:
        sizes = dict((("N", self.case.size), *self.case.defines))
        model = HERE / "models" / f"{self.case.model}.csp"
        asked = Asked(model, self.case.assertion, self.case.fairness, sizes)
        return ask(self.program, asked, self.timeout)


@dataclass(frozen=True)
class Asked:
    """What fairlead is asked: a model and its sizes, an assertion, a notion of fairness, further options."""

    model: Path
    assertion: str
    fairness: str
    sizes: Mapping[str, int]
    options: tuple[str, ...] = ()


def ask(program: str, asked: Asked, timeout: float) -> Measurement:
    """Run `fairlead check` once."""
    command = [program, "check", str(asked.model), asked.assertion, "--fairness", asked.fairness, "--json"]
    for name, value in asked.sizes.items():
        command += ["-D", f"{name}={value}"]
    done = execute([*command, *asked.options], HERE, timeout)
    try:
        result = json.loads(done.stdout)["results"][0]
        if result["verdict"] == "unknown":
            raise RunError(f"gave up: {result.get('reason', 'verdict unknown')}")
        states = int(result["states"])
        return Measurement(
            verdict=str(result["verdict"]),
            states=states,
            transitions=int(result["transitions"]),
            seconds=float(result["seconds"]),
            wall_seconds=done.wall_seconds,
            cpu_seconds=done.cpu_seconds,
            peak_bytes=done.peak_bytes,
            state_bytes=float(result.get("memory_bytes") or 0) / states if states else 0.0,
        )
    except (ValueError, KeyError, IndexError, TypeError) as error:
        said = (done.stderr or done.stdout).strip()[-300:]
        raise RunError(f"cannot read fairlead's answer ({error!r}): {said}") from error
