"""The checker of certificates as a program: `python -m fairlead.certify MODEL FILE`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from enum import IntEnum
from pathlib import Path

from fairlead.base.allowance import Stopped, allowed
from fairlead.base.diagnostics import FairleadError, counted
from fairlead.base.records import dataclass
from fairlead.certify.container import Rejected
from fairlead.certify.questions import ModelFile
from fairlead.certify.run import Worker
from fairlead.certify.workers import Crew, check_entry

#: what the checker does not check
ON_TRUST = (
    "taken on trust: reading the model, the reference semantics, the definitions of the questions and of "
    "fairness, this checker, Python"
)


class Status(IntEnum):
    """The exit status: all is accepted, something is rejected, the files are wrong, a limit was reached."""

    ACCEPTED = 0
    REJECTED = 1
    WRONG = 2
    LIMIT = 3
    INTERRUPTED = 130


@dataclass(frozen=True)
class Bounds:
    """What checking may take: seconds, bytes, and how many processes."""

    timeout: float | None = None
    memory: int | None = None
    processes: int | None = None

    @property
    def crew(self) -> int:
        """How many processes check together."""
        if self.processes is not None:
            return self.processes
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def certify(file: ModelFile, certificate: Path, bounds: Bounds, tell: Callable[[str], None]) -> Status:
    """Checks all that a certificate claims of a model; raises `Stopped`, and errors of the files."""
    with allowed("checking", timeout=bounds.timeout, memory=bounds.memory) as allowance, ExitStack() as ended:
        try:
            worker = Worker(file, certificate, 0, None, 1)
            _check_header(worker)
        except Rejected as problem:
            tell(f"REJECTED  {certificate}: {problem}")
            return Status.REJECTED
        crews: list[Crew] = []

        def crew() -> Crew:
            if not crews:
                each = None if bounds.memory is None else bounds.memory // max(1, bounds.crew)
                limits = {"timeout": allowance.seconds_left, "memory": each}
                crews.append(ended.enter_context(Crew(file, certificate, bounds.crew, limits)))
            return crews[0]

        chosen = {**file.definitions, **file.processes}
        if chosen:
            tell("with " + ", ".join(f"{name}={value}" for name, value in sorted(chosen.items())))
        rejected = states = 0
        entries = worker.certificate.entries
        for number in range(len(entries)):
            found = check_entry(worker, number, crew)
            states += found.states
            rejected += found.problem is not None
            named = f"{found.verdict:<8}  {found.fairness:<9}  {found.assertion}"
            if found.problem is None:
                tell(f"accepted  {named}  ({counted(found.states, 'state')})")
            else:
                tell(f"REJECTED  {named}: {found.problem}")
        if not entries:
            tell("the certificate claims nothing")
        listed = counted(states, "listed state")
        tell(f"checked: {counted(len(entries), 'assertion')}, {listed} with all steps")
        tell(ON_TRUST)
        return Status.REJECTED if rejected else Status.ACCEPTED


def _check_header(worker: Worker) -> None:
    header = worker.certificate.header
    if header.get("digest") != worker.digest:
        raise Rejected("it is for another model, or for other constants")


def stored_choices(certificate: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The constants and numbers of processes that a certificate says it was written with."""
    from fairlead.certify.container import Certificate

    header = Certificate(certificate).header
    found = []
    for name in ("definitions", "processes"):
        values = header.get(name)
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise Rejected(f"the header has no {name}")
        found.append(values)
    return found[0], found[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; the exit status."""
    given = _parser().parse_args(arguments)
    path = Path(given.certificate)
    try:
        definitions, processes = stored_choices(path)
        definitions |= dict(given.definition)
        python = tuple(map(Path, given.allow_python))
        file = ModelFile(Path(given.model), definitions, processes, python)
        bounds = Bounds(given.timeout, given.max_memory, given.processes)
        return certify(file, path, bounds, lambda line: print(line, flush=True))
    except Rejected as problem:
        print(f"REJECTED  {path}: {problem}")
        return Status.REJECTED
    except Stopped as stop:
        print(f"error[limit]: {stop.kind.value} reached while checking", file=sys.stderr)
        return Status.LIMIT
    except FairleadError as error:
        print(error, file=sys.stderr)
        return Status.WRONG
    except OSError as error:
        print(f"error[file]: cannot read '{error.filename or path}': {error.strerror}", file=sys.stderr)
        return Status.WRONG
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return Status.INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fairlead.certify", description="Check what a certificate claims of a model."
    )
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("certificate", metavar="FILE")
    parser.add_argument("-D", dest="definition", action="append", default=[], type=_definition, metavar="N=V")
    parser.add_argument("--allow-python", action="append", default=[], metavar="FILE")
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS")
    parser.add_argument("--max-memory", type=_size, metavar="SIZE", help="such as 500M or 8G")
    parser.add_argument("--processes", type=_count, metavar="N", help="how many processes check together")
    return parser


def _definition(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name.strip().isidentifier() or not value.strip():
        raise argparse.ArgumentTypeError("expected NAME=VALUE")
    return name.strip(), value.strip()


def _seconds(text: str) -> float:
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text):
        raise argparse.ArgumentTypeError("expected seconds, such as 60 or 0.5")
    return float(text)


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,2}", text):
        raise argparse.ArgumentTypeError("expected a number from 1 to 999")
    return int(text)


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d{1,12})([KMGT]?)", text.upper())
    if found is None:
        raise argparse.ArgumentTypeError("expected a size such as 500M or 8G")
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")
