"""SPIN on a Promela model: its verifier is made, compiled, run, and its report read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from bench.measuring import Measurement
from bench.programs import Finished, RunError, execute
from bench.promela import MODELS
from bench.promela_text import Promela

#: with more processes, or longer channels, a state does not fit into the kilobyte SPIN has for it
_MANY_PROCESSES = 20
_LONG_CHANNEL = 10


class Search(Enum):
    """What the verifier looks for."""

    ALL_STATES = "all states"  # asserts of the model are examined, deadlocks are not
    DEADLOCK = "deadlock"
    CYCLE = "cycle"
    FAIR_CYCLE = "fair cycle"


@dataclass(frozen=True)
class SpinModel:
    """A model of promela.py with its sizes, and the property that is asked about (None: no property)."""

    name: str
    size: int
    further: tuple[tuple[str, int], ...] = ()
    property: str | None = None

    def promela(self) -> Promela:
        return MODELS[self.name](self.size, **{name.lower(): value for name, value in self.further})


@dataclass(frozen=True)
class SpinEntrant:
    """One way to use SPIN on one model."""

    label: str
    model: SpinModel
    search: Search
    depth: int = 1_000_000
    hash_bits: int = 20
    reduction: bool = False
    collapse: bool = False
    #: whether the verifier is made for each run, because the time of the whole command is what counts
    made_anew: bool = False
    once: bool = False
    extra_states: int = 0

    def compiling(self, promela: Promela) -> list[str]:
        """The options of gcc."""
        options = ["-w", "-O2"]
        if promela.processes > _MANY_PROCESSES or any(
            size >= _LONG_CHANNEL for _, size in self.model.further
        ):
            options.append("-DVECTORSZ=4096")
        match self.search:
            case Search.ALL_STATES | Search.DEADLOCK:
                options += ["-DSAFETY", "-DNOCLAIM"]
            case Search.CYCLE:
                options += ["-DNOFAIR"]
            case Search.FAIR_CYCLE:
                options += [f"-DNFAIR={(promela.processes + 6) // 4 + 1}"]
        if not self.reduction:
            options.append("-DNOREDUCE")
        if self.collapse:
            options.append("-DCOLLAPSE")
        return options

    def running(self) -> list[str]:
        """The options of the verifier."""
        flags = {
            Search.ALL_STATES: ["-E"],
            Search.DEADLOCK: [],
            Search.CYCLE: ["-a"],
            Search.FAIR_CYCLE: ["-a", "-f"],
        }
        return [f"-m{self.depth}", f"-w{self.hash_bits}", *flags[self.search]]


class Spin:
    """A verifier, compiled in a folder of its own."""

    def __init__(self, entrant: SpinEntrant, folder: Path, timeout: float) -> None:
        self._entrant = entrant
        self._folder = folder
        self._timeout = timeout
        self._promela = entrant.model.promela()
        (folder / "model.pml").write_text(self._promela.source(entrant.model.property))
        self._making_seconds = 0.0 if entrant.made_anew else self._make()

    def _make(self) -> float:
        return sum(
            self._do(command)
            for command in (
                ["spin", "-a", "model.pml"],
                ["gcc", *self._entrant.compiling(self._promela), "-o", "pan", "pan.c"],
            )
        )

    def _do(self, command: list[str]) -> float:
        done = execute(command, self._folder, self._timeout)
        if done.code != 0:
            raise RunError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-300:]}")
        return done.wall_seconds

    def run(self) -> Measurement:
        """Runs the verifier once."""
        making = self._make() if self._entrant.made_anew else self._making_seconds
        done = execute(["./pan", *self._entrant.running()], self._folder, self._timeout)
        return read_report(done, making)


def read_report(done: Finished, making_seconds: float) -> Measurement:
    """What the verifier's report says. A search that was cut short counts only if it found an error."""
    text = done.stdout + done.stderr
    errors = re.search(r"errors: (\d+)", text)
    stored = re.search(r"([\d.e+]+) states, stored", text)
    transitions = re.search(r"([\d.e+]+) transitions \(=", text)
    if not (errors and stored and transitions):
        raise RunError(f"cannot read SPIN's output: {text.strip()[-300:]}")
    found = errors.group(1) != "0"
    if "max search depth too small" in text and not found:
        raise RunError("SPIN's depth bound was too small: the run does not count")
    if "out of memory" in text and not found:
        raise RunError("SPIN had too little memory: the run does not count")
    used = re.search(r"([\d.]+)\s+actual memory usage for states", text)
    total = re.search(r"([\d.]+)\s+total actual memory usage", text)
    return Measurement(
        verdict="violated" if found else "holds",
        states=int(float(stored.group(1))),
        # SPIN counts the initial state among its transitions; here it is left out
        transitions=int(float(transitions.group(1))) - 1,
        seconds=done.wall_seconds,
        command_seconds=making_seconds + done.wall_seconds,
        cpu_seconds=done.cpu_seconds,
        total_bytes=int(float(total.group(1)) * 2**20) if total else done.peak_bytes,
        state_bytes=int(float(used.group(1)) * 2**20) if used else None,
        peak_bytes=done.peak_bytes,
    )
