"""A process that feeds one reader with inputs, and a watchdog that ends it where it must."""

from __future__ import annotations

import faulthandler
import hashlib
import mmap
import os
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.support.fuzz.coverage import Line, Tracer
from tests.support.fuzz.mutate import MOST_BYTES, minimised
from tests.support.fuzz.outcomes import Outcome, Verdict, judged, place_in_dump
from tests.support.fuzz.readers import SECONDS, Reader

#: processor time that one input may take: its limit, 10 % and a second
MOST_SECONDS = SECONDS * 1.1 + 1
#: what a process may have in memory: Python and its modules, and the budget of a check many times over
MOST_MEMORY = 600 << 20
#: a worker that has grown so large between two inputs makes room for another
WORN_OUT = 300 << 20
_HEADER = struct.Struct("dQQ")  # processor time when the input was begun, inputs so far, length of the input
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Places:
    """Where a campaign keeps what it finds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.finds = folder / "finds"
        self.finds.mkdir(parents=True, exist_ok=True)

    def corpus(self, reader: str) -> Path:
        """Inputs that reached something new."""
        found = self.folder / "corpus" / reader
        found.mkdir(parents=True, exist_ok=True)
        return found

    def coverage(self, reader: str) -> Path:
        """The lines that were reached."""
        return self.folder / f"coverage-{reader}.txt"

    def lines(self, reader: str) -> set[Line]:
        """The lines that were reached so far."""
        file = self.coverage(reader)
        if not file.exists():
            return set()
        pairs = (line.rpartition(":") for line in file.read_text(encoding="utf-8").splitlines())
        return {(name, int(number)) for name, _, number in pairs if number.isdigit()}

    def keep(self, reader: str, data: bytes, verdict: Verdict) -> bool:
        """Writes down a find, unless one like it is there already; whether it is new."""
        like = hashlib.blake2b(verdict.where.encode(), digest_size=4).hexdigest()
        file = self.finds / f"{reader}-{verdict.outcome.value}-{like}"
        if file.exists() and file.stat().st_size <= len(data):
            return False
        fresh = not file.exists()
        file.write_bytes(data)
        file.with_suffix(".txt").write_text(f"{verdict.where}\n\n{verdict.story}", encoding="utf-8")
        return fresh


class _Shared:
    """What the worker tells the watchdog, in memory that outlives it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _HEADER.size + MOST_BYTES * 4)

    def begin(self, count: int, data: bytes) -> None:
        stored = data[: MOST_BYTES * 4]
        self._memory[_HEADER.size : _HEADER.size + len(stored)] = stored
        self._memory[: _HEADER.size] = _HEADER.pack(time.process_time(), count, len(stored))

    def look(self) -> tuple[float, int, bytes]:
        began, count, length = _HEADER.unpack(self._memory[: _HEADER.size])
        return began, count, self._memory[_HEADER.size : _HEADER.size + length]


def fuzz(reader: Reader, places: Places, seconds: float, seed: int, say: Callable[[str], None]) -> int:
    """Feeds a reader for so many seconds, with as many workers as that takes; the number of executions."""
    with tempfile.TemporaryDirectory() as folder:
        # workers are copies of this process: what is loaded here need not be loaded in each
        judged(lambda: reader.read(reader.make(Random(0)), Path(folder)))
    end, executions = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        executions += _one_worker(reader, places, left, seed + executions, say)
    return executions


def _one_worker(reader: Reader, places: Places, seconds: float, seed: int, say: Callable[[str], None]) -> int:
    shared = _Shared()
    dump = tempfile.TemporaryFile()  # noqa: SIM115 - both processes have it open
    child = os.fork()
    if not child:
        status = 1
        try:
            faulthandler.register(signal.SIGUSR1, file=dump, all_threads=False)
            faulthandler.enable(file=dump, all_threads=False)
            _feed(reader, places, seconds, seed, shared)
            status = 0
        except BaseException as error:
            print(f"the fuzzer itself failed: {error!r}", file=sys.stderr)
        finally:
            os._exit(status)
    verdict = _watch(child, shared, dump.fileno(), seconds)
    _, count, data = shared.look()
    if verdict is not None and verdict.outcome is Outcome.OVERTIME:
        verdict = _confirmed(reader, data, verdict, say)
    if verdict is not None and places.keep(reader.name, data, verdict):
        say(f"{reader.name}: {verdict.outcome.value}: {verdict.where}")
    dump.close()
    return count


def _confirmed(reader: Reader, data: bytes, verdict: Verdict, say: Callable[[str], None]) -> Verdict | None:
    """An overrun, if the input overruns without the tracer and the first loading of modules as well."""
    if watched(reader, data).outcome is Outcome.OVERTIME:
        return verdict
    say(f"{reader.name}: overtime while it was traced only: {verdict.where}")
    return None


def watched(reader: Reader, data: bytes) -> Verdict:
    """What becomes of one input, in a process of its own."""
    shared, report = _Shared(), mmap.mmap(-1, 1 << 16)
    with tempfile.TemporaryFile() as dump, tempfile.TemporaryDirectory() as folder:
        judged(lambda: reader.read(reader.make(Random(0)), Path(folder)))
        child = os.fork()
        if not child:
            faulthandler.register(signal.SIGUSR1, file=dump, all_threads=False)
            faulthandler.enable(file=dump, all_threads=False)
            shared.begin(1, data)
            found = judged(lambda: reader.read(data, Path(folder)))
            told = f"{found.outcome.value}\n{found.where}\n{found.story}".encode()[: 1 << 15]
            report[: len(told)] = told
            os._exit(0)
        killed = _watch(child, shared, dump.fileno(), MOST_SECONDS)
    if killed is not None:
        return killed
    outcome, where, story = report[:].rstrip(b"\0").decode(errors="replace").split("\n", 2)
    return Verdict(Outcome(outcome), where, story)


def _watch(child: int, shared: _Shared, dump: int, seconds: float) -> Verdict | None:
    """Waits for a worker; what is wrong, if it did not end by itself."""
    end = time.monotonic() + seconds + 60
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            break
        began, count, _ = shared.look()
        used, memory = _used(child)
        if memory > MOST_MEMORY:
            return _killed(child, dump, Outcome.MEMORY)
        is_same = shared.look()[1] == count  # this process may have slept in between
        if began and is_same and used - began > MOST_SECONDS:
            return _killed(child, dump, Outcome.OVERTIME)
        if time.monotonic() > end:
            return _killed(child, dump, Outcome.OVERTIME)
        time.sleep(0.02)
    if os.WIFSIGNALED(status):
        story = _dumped(dump)
        name = signal.Signals(os.WTERMSIG(status)).name
        return Verdict(Outcome.SIGNAL, f"{name} in {place_in_dump(story)}", story)
    if os.WEXITSTATUS(status):
        raise RuntimeError("the worker failed by itself")
    return None


def _killed(child: int, dump: int, outcome: Outcome) -> Verdict:
    os.kill(child, signal.SIGUSR1)  # it writes down where it is
    time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    story = _dumped(dump)
    return Verdict(outcome, place_in_dump(story), story)


def _dumped(dump: int) -> str:
    return os.pread(dump, 1 << 20, 0).decode(errors="replace")


def _used(process: int) -> tuple[float, int]:
    """Processor time and resident memory of a process."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0, 0
    return (int(fields[11]) + int(fields[12])) / _TICK, int(fields[21]) * _PAGE


def _feed(reader: Reader, places: Places, seconds: float, seed: int, shared: _Shared) -> None:
    """What the worker does: seeds first, then what is made from those that reached something new."""
    random, end, kept = Random(seed), time.monotonic() + seconds, places.corpus(reader.name)
    tracer = Tracer(places.lines(reader.name))
    seeds = list(reader.seeds())
    corpus = [*seeds, *(path.read_bytes() for path in sorted(kept.iterdir()))]
    pending = seeds if not tracer.known else []
    with tempfile.TemporaryDirectory() as name, places.coverage(reader.name).open("a") as reached:
        folder, count = Path(name), 0
        while time.monotonic() < end and not (count % 64 == 0 and _used(os.getpid())[1] > WORN_OUT):
            data = pending.pop() if pending else reader.next(corpus, random)
            count += 1
            shared.begin(count, data)
            verdict: Verdict = tracer.run(lambda data=data: judged(lambda: reader.read(data, folder)))
            if tracer.fresh:
                reached.writelines(f"{file}:{line}\n" for file, line in sorted(tracer.fresh))
                reached.flush()
                corpus.append(data)
                digest = hashlib.blake2b(data, digest_size=8).hexdigest()
                (kept / digest).write_bytes(data)
            if verdict.outcome.is_find and places.keep(reader.name, data, verdict):
                _minimise(reader, places, data, verdict, folder, shared)


def _minimise(
    reader: Reader, places: Places, data: bytes, verdict: Verdict, folder: Path, shared: _Shared
) -> None:
    def fails(candidate: bytes) -> bool:
        shared.begin(shared.look()[1], candidate)
        return judged(lambda: reader.read(candidate, folder)).where == verdict.where

    places.keep(reader.name, minimised(data, fails), verdict)
    print(f"{reader.name}: {verdict.outcome.value}: {verdict.where}", flush=True)
