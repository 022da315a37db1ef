"""What work for a user may take: one deadline, one memory budget, and a watchdog behind both.

Every loop whose length the input decides calls `tick`, which raises `Stopped` when the time or the memory of
the innermost `allowed` block of its thread is used up. A loop that does not is stopped by the watchdog: a
thread that looks at the clock and at the memory of the process, and raises the same exception in the thread
that overran. Such a stop is *abrupt*: it can come between any two instructions, so that what was being
built must not be used any more.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

#: what Python's own objects may take beyond a memory budget, which is mostly the engine's
SLACK = 64 << 20
#: how much further memory may grow before the watchdog intervenes
_MEMORY_GRACE = 16 << 20
#: how many calls of `tick` look at the clock once
_CALLS = 32
#: seconds between two looks of the watchdog
_PERIOD = 0.05
#: what there is for putting together what is known, after a limit has been reached
_RESERVE_SECONDS = 0.6
_RESERVE_BYTES = 32 << 20
#: seconds after which the watchdog raises again, in case the exception was swallowed
_AGAIN = 2.0

_FOREVER = float("inf")
_UNBOUNDED = 1 << 62


class LimitKind(Enum):
    """What ran out."""

    STATES = "max-states"
    MEMORY = "max-memory"
    TIME = "timeout"
    DISK = "disk-limit"


class Stopped(Exception):
    """The work reached a limit: a verdict is unknown, another answer is not given."""

    def __init__(self, kind: LimitKind, *, is_abrupt: bool = False) -> None:
        super().__init__(kind.value)
        self.kind = kind
        #: what was being done
        self.phase = current_phase()
        #: whether it came at an arbitrary moment, so that data structures may be half changed
        self.is_abrupt = is_abrupt
        #: what had been explored (`Statistics`), if that is known where it is raised
        self.statistics: object = None


class _Overtime(Stopped):
    """Raised by the watchdog when the time is up."""

    def __init__(self) -> None:
        super().__init__(LimitKind.TIME, is_abrupt=True)


class _Overweight(Stopped):
    """Raised by the watchdog when the memory is used up."""

    def __init__(self) -> None:
        super().__init__(LimitKind.MEMORY, is_abrupt=True)


class Allowance:
    """What the work in an `allowed` block of one thread may take."""

    def __init__(self, deadline: float, ceiling: int, phase: str, outer: Allowance | None) -> None:
        """`deadline` is a time of `time.perf_counter`, `ceiling` the most memory of the whole process."""
        #: set by another thread that wants the work to stop; blocks inside inherit it
        self.interruption: threading.Event | None = None if outer is None else outer.interruption
        self.deadline = deadline
        self.ceiling = ceiling
        self.phase = phase
        self.outer = outer
        #: whether a limit was reached at an arbitrary moment
        self.was_abrupt = False
        self._has_reserve = True
        self.thread = threading.get_ident()
        #: when the watchdog intervened last
        self.fired: float | None = None

    def check(self) -> None:
        """Raises `Stopped` if a limit has been reached."""
        is_interrupted = self.interruption is not None and self.interruption.is_set()
        if is_interrupted or time.perf_counter() > self.deadline:
            self.open_reserve()
            raise Stopped(LimitKind.TIME)
        if _watchdog.resident > self.ceiling:
            _watchdog.resident = resident_memory()
            if _watchdog.resident > self.ceiling:
                self.open_reserve()
                raise Stopped(LimitKind.MEMORY)

    def open_reserve(self) -> None:
        """Once a limit has been reached, gives a small reserve, once, to put partial results together."""
        now = time.perf_counter()
        around: Allowance | None = self
        while around is not None:
            if around._has_reserve:
                around._has_reserve = False
                around.deadline = max(around.deadline, now + _RESERVE_SECONDS)
                around.ceiling = max(around.ceiling, _watchdog.resident + _RESERVE_BYTES)
            around = around.outer

    @property
    def seconds_left(self) -> float | None:
        """Until the deadline; None if there is none."""
        return None if self.deadline == _FOREVER else max(0.0, self.deadline - time.perf_counter())


class _Local(threading.local):
    current: Allowance | None = None
    calls: int = 0


_local = _Local()


def tick() -> None:
    """Raises `Stopped` if time or memory is used up: for every loop whose length the input decides."""
    _local.calls += 1
    if _local.calls % _CALLS == 0 and _local.current is not None:
        _local.current.check()


def check_limits() -> None:
    """As `tick`, but looks at the clock in any case: for loops with long rounds."""
    if _local.current is not None:
        _local.current.check()


def enter_phase(phase: str) -> None:
    """Says what is done from now on, for messages about limits."""
    if _local.current is not None:
        _local.current.phase = phase


def current_phase() -> str | None:
    """What is being done, where limits are kept."""
    return None if _local.current is None else _local.current.phase


@contextmanager
def allowed(phase: str, *, timeout: float | None = None, memory: int | None = None) -> Iterator[Allowance]:
    """Keeps limits while inside: a time in seconds from now, and so many bytes more than are in use now.

    Blocks nest, and an inner one never allows more than those around it. Raises `Stopped`, also where Python
    itself has run out of memory.
    """
    outer = _local.current
    deadline = _FOREVER if timeout is None else time.perf_counter() + timeout
    ceiling = _UNBOUNDED if memory is None else resident_memory() + memory + SLACK
    if outer is not None:
        deadline, ceiling = min(deadline, outer.deadline), min(ceiling, outer.ceiling)
    own = Allowance(deadline, ceiling, phase, outer)
    _local.current = own
    _watchdog.watch(own)
    try:
        yield own
    except MemoryError:
        own.was_abrupt = True
        raise out_of_memory() from None
    finally:
        _leave(own, outer)


def _leave(own: Allowance, outer: Allowance | None) -> None:
    """Ends an allowance, although the watchdog may raise in the midst of it.

    If that left the allowance in place, the watchdog would raise again later, in whatever is done then.
    """
    late: Stopped | None = None
    while True:
        try:
            _watchdog.leave(own, outer)
            _local.current = outer
            break
        except Stopped as stop:
            late = stop
    if late is not None:
        raise late


def out_of_memory() -> Stopped:
    """The exception for a failed allocation; makes room for reporting it."""
    _reserve.open()
    release_memory()
    return Stopped(LimitKind.MEMORY, is_abrupt=True)


def release_memory() -> None:
    """Gives unused memory back to the system."""
    gc.collect()
    try:
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)
    except (ImportError, OSError, AttributeError):  # not every system has it
        pass
    _watchdog.resident = resident_memory()


def resident_memory() -> int:
    """The memory of its own that this process has now, in bytes; 0 where the system does not tell.

    Files that are mapped into memory, such as programs and `--disk`, do not count.
    """
    found = _statm()
    return 0 if found is None else found[1] - found[2]


def _statm() -> tuple[int, ...] | None:
    """The sizes of this process in bytes: address space, resident, shared, code, unused, data."""
    try:
        fields = _STATM.read_bytes().split()
        return tuple(int(field) * _PAGE for field in fields)
    except (OSError, ValueError):
        return None


_STATM = Path("/proc/self/statm")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


# ---------------------------------------------------------------- the watchdog


class _Watchdog:
    """Intervenes where the work has exceeded its limits and has not noticed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._innermost: dict[int, Allowance] = {}
        self._thread: threading.Thread | None = None
        self._wake = threading.Event()
        #: the memory of the process as it was seen last
        self.resident = 0

    def watch(self, allowance: Allowance) -> None:
        """Begins to look after an allowance, instead of the one around it."""
        if allowance.deadline == _FOREVER and allowance.ceiling == _UNBOUNDED:
            return
        with self._lock:
            self._innermost[allowance.thread] = allowance
            if self._thread is None or not self._thread.is_alive():  # it does not survive a fork
                self._thread = threading.Thread(target=self._run, name="fairlead limits", daemon=True)
                self._thread.start()
        self._wake.set()

    def leave(self, allowance: Allowance, outer: Allowance | None) -> None:
        """Goes back to the allowance around one that has ended."""
        with self._lock:
            if self._innermost.get(allowance.thread) is allowance:
                del self._innermost[allowance.thread]
                if outer is not None and (outer.deadline != _FOREVER or outer.ceiling != _UNBOUNDED):
                    self._innermost[allowance.thread] = outer
            if allowance.fired is not None:
                _raise_in(allowance.thread, None)  # in case it has not arrived yet

    def _run(self) -> None:
        while True:
            self._wake.wait()
            with self._lock:
                if not self._innermost:
                    self._wake.clear()
                    continue
                self.resident = resident_memory()
                for allowance in self._innermost.values():
                    self._look_at(allowance)
            time.sleep(_PERIOD)

    def _look_at(self, allowance: Allowance) -> None:
        now = time.perf_counter()
        if allowance.fired is not None and now - allowance.fired < _AGAIN:
            return
        if allowance.interruption is not None and allowance.interruption.is_set():
            allowance.deadline = min(allowance.deadline, now)
        kind: type[Stopped] | None = None
        if now > allowance.deadline + 0.25:
            kind = _Overtime
        elif self.resident > allowance.ceiling + _MEMORY_GRACE:
            kind = _Overweight
        if kind is not None:
            allowance.fired = now
            allowance.was_abrupt = True
            allowance.open_reserve()
            _raise_in(allowance.thread, kind)


def _raise_in(thread: int, exception: type[Stopped] | None) -> None:
    """Has a thread raise an exception as soon as it executes Python code; None takes one back."""
    import ctypes  # rarely needed

    raised = None if exception is None else ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


_watchdog = _Watchdog()


# ---------------------------------------------------------------- the limit that the system keeps


class _Reserve:
    """A limit of the operating system on the data of this process, of which a part is kept for reporting."""

    #: for the messages and files after memory has run out
    _BYTES = 48 << 20

    def __init__(self) -> None:
        self._soft: int | None = None

    def close(self, most: int) -> None:
        """From now on the process can have so many bytes more than it has; beyond, allocations fail."""
        found = _statm()
        if found is None or len(found) < 6:
            return
        try:
            import resource

            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            soft = found[5] + most
            soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
            self._soft = soft
        except (ImportError, ValueError, OSError):  # then the watchdog alone keeps it
            return

    def open(self) -> None:
        """Lets the process have the reserve."""
        if self._soft is None:
            return
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = self._soft + self._BYTES
        resource.setrlimit(
            resource.RLIMIT_DATA, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
        )


_reserve = _Reserve()
_is_own_process = False


def own_process() -> None:
    """Says that this process is fairlead's own, so that `cap_process` may limit it."""
    global _is_own_process
    _is_own_process = True


def cap_process(memory: int, threads: int) -> None:
    """Has the system refuse this process more than a memory budget and some slack, if it is fairlead's own.

    Private data counts, not files on disk that are mapped. Stacks of threads count in full.
    """
    if _is_own_process:
        _reserve.close(memory + memory // 10 + SLACK + (16 << 20) + threads * (9 << 20))
