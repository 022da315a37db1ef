"""Checks the entries of a certificate on all cores: processes that look at frames and settle parts."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fairlead.base.allowance import LimitKind, Stopped, allowed, check_limits
from fairlead.base.diagnostics import FairleadError
from fairlead.certify.container import Rejected
from fairlead.certify.questions import Facts, ModelFile
from fairlead.certify.run import Checked, Worker, check_alone, check_sections, claimed
from fairlead.model.annotation import Annotated

#: a section is worth starting processes for if its lists have so many bytes
WORTH_IT = 2 << 20
#: how many parts of a section each process settles
_PARTS_EACH = 4
#: a fresh interpreter, which takes its modules from where this process has them and from nowhere else
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from fairlead.certify.workers import serve; serve()"
)
#: seconds between two looks at the limits while others work
_LOOK_EVERY = 0.05


class Crew:
    """Processes that check together; they end with the block that uses them."""

    def __init__(self, file: ModelFile, certificate: Path, count: int, limits: Mapping[str, Any]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fairlead-")
        self.parts = count * _PARTS_EACH
        self._workers = [
            _Remote(
                {
                    "path": str(file.path),
                    "definitions": dict(file.definitions),
                    "processes": dict(file.processes),
                    "python": [str(path) for path in file.python],
                    "certificate": str(certificate),
                    "folder": self._folder.name,
                    "parts": self.parts,
                    "number": number,
                    "limits": dict(limits),
                }
            )
            for number in range(count)
        ]

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()
        with suppress(OSError):
            self._folder.cleanup()

    def all_do(self, job: Sequence[Any]) -> list[Any]:
        """Every process does the job."""
        return self._done([[list(job)] for _ in self._workers])

    def share(self, jobs: Iterable[Sequence[Any]]) -> list[Any]:
        """Each job is done by one of the processes, by whichever has time."""
        waiting: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
        for job in jobs:
            waiting.put(list(job))
        return self._done([_taken_from(waiting) for _ in self._workers])

    def _done(self, jobs: Sequence[Iterable[list[Any]]]) -> list[Any]:
        found: list[Any] = []
        problems: list[BaseException] = []

        def work(worker: _Remote, own: Iterable[list[Any]]) -> None:
            try:
                for job in own:
                    if problems:
                        return
                    found.append(worker.ask(job))
            except BaseException as problem:  # told to the thread that waits
                problems.append(problem)

        threads = [
            threading.Thread(target=work, args=pair, daemon=True)
            for pair in zip(self._workers, jobs, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(_LOOK_EVERY)
                check_limits()
                if problems:  # the others need not continue
                    raise problems[0]
        if problems:
            raise problems[0]
        return found


def _taken_from(waiting: queue.SimpleQueue[list[Any]]) -> Iterable[list[Any]]:
    with suppress(queue.Empty):
        while True:
            yield waiting.get_nowait()


class _Remote:
    """A process with a `Worker`, which gets its jobs as lines of JSON."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        path = json.dumps([entry for entry in sys.path if entry])
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", _START, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        self._tell(setup)

    def _tell(self, line: object) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # one that has ended gives no answer either
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()

    def ask(self, job: list[Any]) -> Any:
        """What the process answers to a job."""
        self._tell(job)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        match json.loads(line) if line.endswith("\n") else None:
            case {"done": found}:
                return found
            case {"rejected": str(problem)}:
                raise Rejected(problem)
            case {"limit": str(kind)}:
                raise Stopped(LimitKind(kind))
        raise Rejected("a process that checks has ended before its time")

    def end(self) -> None:
        """Ends the process now, whatever it does."""
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.close()


# ---------------------------------------------------------------- in the process


def serve() -> None:
    """What such a process does: it reads what it works on, then one job after the other."""
    setup = json.loads(sys.stdin.readline())
    limits = setup["limits"]
    worker: Worker | None = None
    for line in sys.stdin:
        try:
            with allowed("checking", timeout=limits.get("timeout"), memory=limits.get("memory")):
                if worker is None:
                    worker = _worker(setup)
                answer: dict[str, Any] = {"done": _do(worker, json.loads(line))}
        except Rejected as problem:
            answer = {"rejected": str(problem)}
        except FairleadError as error:
            answer = {"rejected": error.diagnostics[0].message}
        except Stopped as stop:
            answer = {"limit": stop.kind.value}
        print(json.dumps(answer), flush=True)


def _worker(setup: Mapping[str, Any]) -> Worker:
    python = tuple(map(Path, setup["python"]))
    file = ModelFile(Path(setup["path"]), setup["definitions"], setup["processes"], python)
    folder = Path(setup["folder"])
    return Worker(file, Path(setup["certificate"]), setup["number"], folder, setup["parts"])


def _do(worker: Worker, job: list[Any]) -> Any:
    match job:
        case ["begin", entry, section, facts]:
            if worker.digest != worker.certificate.header.get("digest"):
                raise Rejected("the model has changed meanwhile")
            return worker.begin(entry, section, _facts(facts))
        case ["look", frame]:
            return worker.look(frame)
        case ["flush"]:
            return _plain(worker.flush())
        case ["settle", part]:
            return worker.settle(part)
    raise AssertionError(job)


def _plain(facts: Facts) -> list[list[Any]]:
    """Facts as JSON has them."""
    annotated = [[one.label, one.kind] for one in sorted(facts.annotated)]
    return [sorted(facts.processes), sorted(facts.events), annotated]


def _facts(plain: list[list[Any]]) -> Facts:
    processes, events, annotated = plain
    return Facts(frozenset(processes), frozenset(events), frozenset(Annotated(*one) for one in annotated))


# ---------------------------------------------------------------- one entry


def check_entry(worker: Worker, entry: int, crew: Callable[[], Crew]) -> Checked:
    """Checks an entry: in this process if it is small, otherwise together with others."""
    listed = worker.certificate.entries[entry]
    if sum(frame.raw for frames in listed.sections for frame in frames) < WORTH_IT:
        return check_alone(worker, entry)
    names = claimed(listed.claim)
    states = demands = 0
    try:
        others, facts = crew(), Facts()
        for section, frames in enumerate(listed.sections):
            counts = others.all_do(("begin", entry, section, _plain(facts)))
            check_sections(max(counts), len(listed.sections))
            states += sum(others.share([("look", None), *(("look", place) for place in range(len(frames)))]))
            for found in others.all_do(("flush",)):
                facts |= _facts(found)
            demands += sum(others.share(("settle", part) for part in range(others.parts)))
    except Rejected as problem:
        return Checked(*names, states, demands, str(problem))
    return Checked(*names, states, demands)
