"""fairlead's command line on one question: what is asked, with which settings, and how its answer is read."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.measuring import Measurement
from bench.programs import Finished, RunError, execute

ROOT = Path(__file__).resolve().parent.parent
MODELS = Path("bench/models")
EXAMPLES = Path("examples")


@dataclass(frozen=True)
class Setting:
    """An option and its value. Without an optional one a program that lacks it does the same anyway."""

    option: str
    value: str
    optional: bool


@dataclass(frozen=True)
class Manner:
    """A way to run fairlead: its label and its settings."""

    label: str
    settings: tuple[Setting, ...] = ()

    def options(self, known: frozenset[str]) -> tuple[str, ...] | None:
        """The options for a program that knows these; None if it cannot be run in this manner."""
        chosen: list[str] = []
        for setting in self.settings:
            if setting.option in known:
                chosen += [setting.option, setting.value]
            elif not setting.optional:
                return None
        return tuple(chosen)


CORES = os.cpu_count() or 1
_ONE_THREAD = Setting("--threads", "1", optional=True)
_ALL_THREADS = Setting("--threads", str(CORES), optional=False)
_NO_REDUCTION = Setting("--reduction", "none", optional=True)

ONE = Manner("fairlead", (_ONE_THREAD, _NO_REDUCTION))
ALL = Manner("fairlead, all cores", (_ALL_THREADS, _NO_REDUCTION))
REDUCED = Manner("fairlead, reduction", (_ONE_THREAD, Setting("--reduction", "auto", optional=False)))
#: as a user runs it who says nothing
PLAIN = Manner("fairlead, as it comes")


@dataclass(frozen=True)
class Asked:
    """A model (by its path from the root of the repository) and its sizes, what is asked, and how."""

    model: Path
    assertions: tuple[str, ...]
    fairness: str | None = "none"
    sizes: tuple[tuple[str, int], ...] = ()
    options: tuple[str, ...] = ()
    #: which answer counts, if several things are asked
    answer: int = 0

    def command(self, program: str) -> list[str]:
        command = [program, "check", str(self.model), *self.assertions, "--json"]
        if self.fairness is not None:
            command += ["--fairness", self.fairness]
        for name, value in self.sizes:
            command += ["-D", f"{name}={value}"]
        return [*command, *self.options]


@dataclass(frozen=True)
class OurEntrant:
    """One way to ask fairlead one question."""

    label: str
    asked: Asked
    manner: Manner = ONE
    extra_states: int = 0
    once: bool = False


@dataclass(frozen=True)
class Program:
    """An installed fairlead and the options of its `check`."""

    path: str
    known_options: frozenset[str]


@dataclass(frozen=True)
class Fairlead:
    """The command line that asks one question."""

    command: tuple[str, ...]
    answer: int
    timeout: float

    def run(self) -> Measurement:
        """Asks once."""
        return read_answer(execute(self.command, ROOT, self.timeout), self.answer)


def prepared(entrant: OurEntrant, program: Program, timeout: float) -> Fairlead | None:
    """The command for an entrant; None if the program has no such option yet."""
    options = entrant.manner.options(program.known_options)
    if options is None:
        return None
    return Fairlead((*entrant.asked.command(program.path), *options), entrant.asked.answer, timeout)


def read_answer(done: Finished, answer: int = 0) -> Measurement:
    """What the JSON says that `fairlead check --json` writes."""
    try:
        result = json.loads(done.stdout)["results"][answer]
        if result["verdict"] == "unknown":
            raise RunError(f"gave up: {result.get('reason', 'verdict unknown')}")
        return Measurement(
            verdict=str(result["verdict"]),
            states=int(result["states"]),
            transitions=int(result["transitions"]),
            seconds=float(result["seconds"]),
            command_seconds=done.wall_seconds,
            cpu_seconds=done.cpu_seconds,
            total_bytes=int(result["memory_bytes"] or 0),
            state_bytes=None,
            peak_bytes=done.peak_bytes,
        )
    except (ValueError, KeyError, IndexError, TypeError) as error:
        said = (done.stderr or done.stdout).strip()[-300:]
        raise RunError(f"cannot read fairlead's answer ({error!r}): {said}") from error


def find_program() -> str:
    """fairlead beside the Python that runs this, or on the path."""
    beside = Path(sys.executable).parent / "fairlead"
    return str(beside) if beside.exists() else "fairlead"


def inspect(path: str) -> Program:
    """The program, with the options it has."""
    said = execute([path, "check", "--help"], ROOT, 60.0)
    if said.code != 0:
        raise RunError(f"{Path(path).name} does not run: {(said.stderr or said.stdout).strip()[-300:]}")
    return Program(path, frozenset(re.findall(r"--[a-z][a-z-]+", said.stdout)))
