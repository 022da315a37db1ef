"""Checks the entries of a certificate: each section is examined, and settled part by part."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from fairlead.base.allowance import Stopped, tick
from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass
from fairlead.certify.container import Certificate, Rejected
from fairlead.certify.linear import Product
from fairlead.certify.meanings import as_system
from fairlead.certify.progress import Ways
from fairlead.certify.proof import Need, Reachable, Section
from fairlead.certify.questions import Asked, Facts, ModelFile
from fairlead.certify.refinement import Pairs
from fairlead.certify.simple import SIMPLE, AllStates, InternalSteps, check_run, wanted
from fairlead.model.assertion import (
    AllProgress,
    DivergenceFree,
    Progresses,
    Reaches,
    ReachesOptimum,
    Refines,
    Satisfies,
)
from fairlead.model.canonical.numbers import NotCanonical

Found = TypeVar("Found")
Make = Callable[[Facts], Section]
#: records are written to a file in lots of so many
_LOT = 8192


def sections_of(asked: Asked) -> list[Make]:
    """What the sections of an entry must be, by its question; later ones use the facts of earlier ones."""
    question, verdict = asked.question, wanted(asked)
    if isinstance(question, Reaches | ReachesOptimum):
        if verdict == "holds":
            check_run(asked)
        is_run_enough = verdict == "holds" and isinstance(question, Reaches)
        return [] if is_run_enough else [lambda _: AllStates(asked)]
    if verdict != "holds":
        raise Rejected("a violation is shown by a run, not by a certificate")
    match question:
        case Progresses() | AllProgress() if asked.is_fair_choice:
            return [lambda _: Ways(asked)]
        case Satisfies() | Progresses():
            known: list[Make] = [lambda _: Reachable(asked)]
            if not asked.needs_facts(as_system(asked.found)):
                known = []
            return [*known, lambda facts: Product(asked, facts)]
        case Refines():
            return [lambda _: Pairs(asked)]
        case DivergenceFree():
            return [lambda _: InternalSteps(asked)]
    if not isinstance(question, SIMPLE):
        raise Rejected("there are no certificates for such a question")
    return [lambda _: AllStates(asked)]


class Shelves:
    """What is listed and what is demanded, in parts: by the state that it is about.

    In memory, or in files of a folder to which several processes write, each its own.
    """

    def __init__(self, parts: int, folder: Path | None, writer: int) -> None:
        self._parts = parts
        self._folder = folder
        self._writer = writer
        self._lots: list[list[tuple[bytes, Any]]] = [[] for _ in range(parts)]

    def listed(self, data: bytes, note: bytes) -> None:
        """A state is listed."""
        self._put(data, (note,))

    def demanded(self, data: bytes, need: Need) -> None:
        """Something is demanded of a state."""
        self._put(data, [need])

    def _put(self, data: bytes, record: tuple[bytes] | list[Need]) -> None:
        tick()
        part = zlib.crc32(data) % self._parts
        lot = self._lots[part]
        lot.append((data, record))
        if self._folder is not None and len(lot) >= _LOT:
            self._write(part)

    def _write(self, part: int) -> None:
        assert self._folder is not None
        with (self._folder / f"{part}-{self._writer}").open("ab") as file:
            marshal.dump(self._lots[part], file)
        self._lots[part].clear()

    def flush(self) -> None:
        """Writes what has not been written yet."""
        for part in range(self._parts if self._folder is not None else 0):
            self._write(part)

    def records(self, part: int) -> Iterator[tuple[bytes, Any]]:
        """All that was put into a part, by whichever process."""
        yield from self._lots[part]
        for path in [] if self._folder is None else sorted(self._folder.glob(f"{part}-*")):
            with path.open("rb") as file:
                while file.peek(1):
                    yield from marshal.load(file)
            path.unlink()


class Worker:
    """Looks at states and settles what is demanded of them, for one section after the other."""

    def __init__(
        self, file: ModelFile, certificate: Path, number: int, folder: Path | None, parts: int
    ) -> None:
        self.loaded, self.digest = file.load()
        self.certificate = Certificate(certificate)
        self._number = number
        self._folder = folder
        self._parts = parts

    def begin(self, entry: int, section: int, facts: Facts) -> int:
        """Goes to a section; how many there are in the entry."""
        listed = self.certificate.entries[entry]
        asked = Asked.of(self.loaded, listed.claim)
        makes = guarded(lambda: sections_of(asked))
        check_sections(len(makes), len(listed.sections))
        if section < len(makes):
            self._section = guarded(lambda: makes[section](facts))
            self._frames = listed.sections[section]
            self._shelves = Shelves(self._parts, self._folder, self._number)
        return len(makes)

    def look(self, frame: int | None) -> int:
        """Looks at the states in a frame, or at the initial states if it is None; how many were listed."""
        shelves, section = self._shelves, self._section
        if frame is None:
            guarded(lambda: section.begin(shelves.demanded))
            return 0
        count = 0
        for data, note in self.certificate.rows(self._frames[frame]):
            shelves.listed(data, note)
            guarded(lambda data=data, note=note: section.look(data, note, shelves.demanded))  # type: ignore[misc]
            count += 1
        return count

    def flush(self) -> Facts:
        """Ends looking; what was found out."""
        self._shelves.flush()
        return self._section.facts

    def settle(self, part: int) -> int:
        """Settles what is demanded of the states in one part; how many demands there are."""
        listed: dict[bytes, bytes] = {}
        needs: dict[bytes, set[Need]] = {}
        for data, record in self._shelves.records(part):
            tick()
            if isinstance(record, list):
                needs.setdefault(data, set()).add(record[0])
            elif data in listed:
                raise Rejected("a state is listed twice")
            else:
                listed[data] = record[0]
        if not needs.keys() <= listed.keys():
            raise Rejected("a step leads to a state that is not listed")
        for data, note in listed.items():
            tick()
            found = tuple(needs.get(data, ()))
            guarded(lambda data=data, note=note, found=found: self._section.settle(data, note, found))  # type: ignore[misc]
        return sum(map(len, needs.values()))


def guarded(work: Callable[[], Found]) -> Found:
    """Rejects whatever goes wrong: forged bytes may decode to what no execution meets."""
    try:
        return work()
    except (Rejected, Stopped, MemoryError):
        raise
    except NotCanonical as problem:
        raise Rejected(f"there is no state with such an encoding: {problem}") from None
    except FairleadError as error:
        raise Rejected(f"the model fails: {error.diagnostics[0].message}") from None
    except Exception as error:
        raise Rejected(f"what is listed does not fit the model ({type(error).__name__}: {error})") from None


def check_sections(needed: int, listed: int) -> None:
    """Rejects an entry with other lists of states than its assertion needs."""
    if needed != listed:
        raise Rejected("the entry has not the lists of states that its assertion needs")


@dataclass(frozen=True)
class Checked:
    """What became of one entry: how much was examined, or why it was rejected."""

    assertion: str
    fairness: str
    verdict: str
    states: int
    demands: int
    problem: str | None = None


def claimed(claim: dict[str, Any]) -> tuple[str, str, str]:
    """What an entry says that it is about: for messages."""
    fair, ends = claim.get("fair"), claim.get("finite_paths") is True
    assertion = str(claim.get("assertion")) + (" (paths may end)" if ends else "")
    fairness = str(claim.get("fairness")) + ("" if fair is None else f" and {fair}")
    return _shown(assertion), _shown(fairness), _shown(str(claim.get("verdict")))


def _shown(text: str) -> str:
    """A text from the file, as it can be written to a terminal."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[:2000])
    return plain.encode(errors="backslashreplace").decode()


def check_alone(worker: Worker, entry: int) -> Checked:
    """Checks an entry in this process."""
    names = claimed(worker.certificate.entries[entry].claim)
    states = demands = 0
    try:
        facts, section = Facts(), 0
        while section < worker.begin(entry, section, facts):
            frames: Iterable[int | None] = (
                None,
                *range(len(worker.certificate.entries[entry].sections[section])),
            )
            states += sum(map(worker.look, frames))
            facts |= worker.flush()
            demands += worker.settle(0)
            section += 1
    except Rejected as problem:
        return Checked(*names, states, demands, str(problem))
    return Checked(*names, states, demands)
