"""Limits of a check, and how it is stopped."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path

from fairlead.base.allowance import Allowance, LimitKind, Stopped, allowed, check_limits
from fairlead.base.arguments import FOLDER, NOTHING, Expected
from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.base.records import dataclass

#: what a text with a size looks like
A_SIZE = "a size such as 500M or 8G"
#: larger limits are none: no machine has that much, and the engine counts with 64 bits
MOST_STATES = MOST_BYTES = 1 << 62
MOST_THREADS = 1024
#: more threads only wait for each other, and that takes time
_THREADS_PER_CORE = 4
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

#: why a verdict is unknown if its run would have too many steps
TOO_LONG = "limit of steps in a counterexample"


_WHOLE = "a whole number"
_BYTES = "a number of bytes"
_AS_TEXT = "check() also takes max_memory='8G'"
_EXPECTED = {
    "max_states": Expected(_WHOLE, (int, NOTHING), least=0, most=MOST_STATES),
    "max_memory": Expected(_BYTES, (int, NOTHING), hint=_AS_TEXT, least=0, most=MOST_BYTES),
    "timeout": Expected("a number of seconds", (int, float, NOTHING), least=0),
    "threads": Expected(_WHOLE, (int, NOTHING), least=1, most=MOST_THREADS),
    "disk": FOLDER,
    "disk_limit": Expected(_BYTES, (int, NOTHING), least=0, most=MOST_BYTES),
}


@dataclass(frozen=True)
class Limits:
    """What a check may use.

    `max_memory` is in bytes; None takes most of what the machine has free. `threads` None is one for each
    core, and of more than four for each the rest is not started; how many there are changes nothing but the
    time. With a folder `disk`, what does not fit into
    `max_memory` continues in a nameless file there, of up to `disk_limit` bytes; None takes most of what is
    free.
    """

    max_states: int | None = None
    max_memory: int | None = None
    timeout: float | None = None
    threads: int | None = None
    disk: str | None = None
    disk_limit: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            _EXPECTED[name].check("Limits", name, value)

    @property
    def states(self) -> int:
        """The limit on states, as the engine wants it."""
        return self.max_states if self.max_states is not None else 1 << 62

    @property
    def workers(self) -> int:
        """How many threads search."""
        cores = available_cores()
        return cores if self.threads is None else min(self.threads, _THREADS_PER_CORE * cores)

    def memory(self, used: int = 0) -> int:
        """The limit on memory in bytes, for a check that uses some already."""
        return self.max_memory if self.max_memory is not None else used + default_memory_limit()


@dataclass
class Clock:
    """The time of one check against its limit."""

    limits: Limits
    started: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> Limits:
        """The limits of another check that is part of this one."""
        if self.limits.timeout is None:
            return self.limits
        return replace(self.limits, timeout=max(0.0, self.limits.timeout - self.seconds))

    def check(self) -> None:
        """Raises `Stopped` when the time is up, or a limit on the work around it has been reached."""
        check_limits()
        if self.limits.timeout is not None and self.seconds > self.limits.timeout:
            raise Stopped(LimitKind.TIME)


def limit_reached(stop: Stopped, what: str | None = None) -> LimitReached:
    """The error for work that a limit has ended, where there is no verdict that could be unknown."""
    doing = stop.phase if what is None else what
    during = "" if doing is None else f" while {doing}"
    hint = f"--{stop.kind.value} sets the limit; in Python it is one of `limits`"
    return LimitReached((Diagnostic(Code.LIMIT, f"{stop.kind.value} reached{during}", hint=hint),))


@contextmanager
def within(
    limits: Limits | None, phase: str, interruption: threading.Event | None = None
) -> Iterator[Allowance]:
    """Keeps the limits while inside; reaching one is a `LimitReached`.

    Another thread can set the `interruption`, which ends the work as if its time were up.
    """
    kept = limits or Limits()
    try:
        with allowed(phase, timeout=kept.timeout, memory=kept.memory()) as allowance:
            if interruption is not None:
                allowance.interruption = interruption
            yield allowance
    except Stopped as stop:
        raise limit_reached(stop) from None


def size_of(text: str) -> int | None:
    """`500M`, `8G`, or a number of bytes; None if it is none of these, or more than any machine has."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        return None
    size = float(match[1]) * _UNITS[match[2].upper()]
    return int(size) if size <= MOST_BYTES else None


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_memory_limit() -> int:
    """Four fifths of the memory that is free now, so that the machine never runs out because of us."""
    return int(_available_memory() * 0.8)


def _available_memory() -> int:
    found = [_from_meminfo(), _from_cgroup()]
    known = [amount for amount in found if amount is not None]
    if known:
        return min(known)
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


def _from_meminfo() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None


def _from_cgroup() -> int | None:
    folder = Path("/sys/fs/cgroup")
    try:
        limit = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = int((folder / "memory.current").read_text(encoding="ascii"))
        return None if limit == "max" else max(0, int(limit) - used)
    except (OSError, ValueError):
        return None
