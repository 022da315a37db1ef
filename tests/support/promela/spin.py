"""SPIN on a Promela text: `spin -a`, a compiler, the verifier, and its report.

Reports are remembered in build/spin by everything they depend on: compiling takes a fifth of a second.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from tests.support.places import ROOT
from tests.support.promela.pan_report import PanReport, read_report

#: no merging of statements, no dead variables set to zero, variables that are only written kept in the state
PLAIN = ("-o1", "-o2", "-o3")
CACHE = ROOT / "build" / "spin"
NEEDED = ("spin", "gcc")
#: a program that takes longer than this is not meant for these tests
TIMEOUT = 120.0


class SpinRefuses(Exception):
    """SPIN, the C compiler or pan did not do what was asked; the message is theirs."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(f"{stage}: {message}")
        self.stage = stage
        self.message = message


@dataclass(frozen=True)
class Way:
    """One way to ask SPIN: options of `spin -a`, of gcc, and of pan."""

    generating: tuple[str, ...] = PLAIN
    compiling: tuple[str, ...] = ("-DNOREDUCE", "-DSAFETY", "-DNOCLAIM")
    running: tuple[str, ...] = ()

    def with_options(self, *options: str) -> Way:
        """The same with more options of pan."""
        return replace(self, running=(*self.running, *options))

    def for_claim(self, name: str) -> Way:
        """The same for one of several claims or ltl blocks."""
        return self.with_options("-N", name)


#: assertions, invalid end states and everything else that a finite run shows; stops at the first error
SAFETY = Way()
#: the same, but counts all errors, so that the whole state space is explored
COUNTING = Way(running=("-c0",))
#: all states, whatever goes wrong: -E and -A ignore invalid end states and assertions
EXPLORING = Way(running=("-E", "-A"))
#: a never claim as a safety property: can its end be reached, can an assertion in its scope fail?
CLAIM = Way(compiling=("-DNOREDUCE", "-DSAFETY"))
#: acceptance cycles of the program, or of the never claim or ltl block if there is one
ACCEPTANCE = Way(compiling=("-DNOREDUCE", "-DNOFAIR"), running=("-a",))
#: the same under weak fairness of processes
FAIR_ACCEPTANCE = Way(compiling=("-DNOREDUCE", "-DNFAIR=3"), running=("-a", "-f"))
#: non-progress cycles
NON_PROGRESS = Way(compiling=("-DNOREDUCE", "-DNP", "-DNOFAIR"), running=("-l",))
FAIR_NON_PROGRESS = Way(compiling=("-DNOREDUCE", "-DNP", "-DNFAIR=3"), running=("-l", "-f"))


def missing() -> str | None:
    """Why SPIN cannot be used here, if it cannot."""
    absent = [program for program in NEEDED if shutil.which(program) is None]
    return (
        f"{' and '.join(absent)} not found; tests/support/promela/spin_setup installs them"
        if absent
        else None
    )


needs_spin = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@cache
def version() -> str:
    """What `spin -V` says."""
    return subprocess.run(["spin", "-V"], capture_output=True, text=True, check=True).stdout.strip()


def verify(text: str, way: Way = SAFETY, depth: int = 10_000) -> PanReport:
    """The report of pan about a program; raises SpinRefuses if it does not get that far."""
    return read_report(output(text, way, depth))


def output(text: str, way: Way = SAFETY, depth: int = 10_000) -> str:
    """All that pan prints about a program."""
    key = "\0".join([version(), text, *way.generating, "+", *way.compiling, "+", *way.running, str(depth)])
    kept = CACHE / hashlib.sha256(key.encode()).hexdigest()
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="spin-") as folder:
        found = _made(text, way, depth, Path(folder))
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = kept.with_suffix(f".{id(found)}")
    fresh.write_text(found, encoding="utf-8")
    fresh.replace(kept)
    return found


def _made(text: str, way: Way, depth: int, folder: Path) -> str:
    (folder / "model.pml").write_text(text, encoding="utf-8")
    generated = _run(["spin", "-a", *way.generating, "model.pml"], folder)
    if generated.returncode != 0 or not (folder / "pan.c").exists():
        raise SpinRefuses("spin", _text(generated).strip())
    compiled = _run(["gcc", "-w", "-O0", *way.compiling, "-o", "pan", "pan.c"], folder)
    if compiled.returncode != 0:
        raise SpinRefuses("gcc", _text(compiled).strip())
    return _text(_run(["./pan", f"-m{depth}", "-w16", *way.running], folder))


def _text(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode(errors="replace")


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A program that has ended, with both its streams in one."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise SpinRefuses(command[0], f"took longer than {TIMEOUT:.0f} s") from late
    if done.returncode < 0:
        raise SpinRefuses(command[0], f"ended by signal {-done.returncode}")
    return done
