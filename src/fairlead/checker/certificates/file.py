"""The file that a certificate is written to, while questions are answered one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fairlead.base.allowance import Stopped, check_limits
from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.base.records import dataclass
from fairlead.base.version import __version__
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.search.target import Target

if TYPE_CHECKING:
    from tempfile import SpooledTemporaryFile

    from fairlead.checker.certificates.explored import Explored

#: so much of a certificate is kept in memory before it is complete
_IN_MEMORY = 16 << 20


@dataclass(frozen=True)
class Certified:
    """That an answer is in a certificate, and in which file; or why it is not."""

    file: str
    problem: str | None = None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        if self.problem is None:
            return {"file": self.file}
        return {"file": None, "reason": self.problem}


@dataclass(frozen=True)
class ModelIdentity:
    """What the header of a certificate says about the model."""

    digest: Callable[[], str]
    definitions: dict[str, str]
    processes: dict[str, str]


class CertificateFile:
    """Collects the entries of a certificate, and writes them whole at the end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._entries = 0
        #: the system that was asked about last
        self._explored: Explored | None = None
        self._frames: SpooledTemporaryFile[bytes] | None = None

    def add(self, query: Query[Any], target: Target, finding: Finding, clock: Clock) -> Certified | None:
        """Adds the entry of an answered question; None for an answer that no certificate is for."""
        if finding.verdict not in kind_of(query.question).certified:
            return None
        from fairlead.checker.certificates.entries import certificate_problem

        problem = certificate_problem(query)
        if problem is None:
            try:
                self._write(query, target, finding, clock)
            except Stopped as stop:
                problem = f"{stop.kind.value} reached while writing"
            except (InputError, LimitReached) as error:
                problem = error.diagnostics[0].message
        return Certified(self.path, problem)

    def _write(self, query: Query[Any], target: Target, finding: Finding, clock: Clock) -> None:
        from fairlead.certify.container import ENTRY, packed_json, packed_states
        from fairlead.checker.certificates.entries import entry_of
        from fairlead.checker.certificates.explored import Explored

        if self._explored is None or self._explored.graph is not target.known_graph():
            self._explored = Explored(target, clock)
        file = self._file()
        begin = file.tell()
        try:
            entry = entry_of(query, self._explored, finding)
            file.write(packed_json(ENTRY, entry.claim))
            for number, rows in enumerate(entry.sections):
                for frame in packed_states(number, rows):
                    check_limits()
                    file.write(frame)
        except BaseException:
            file.seek(begin)
            file.truncate()
            raise
        self._entries += 1

    def _file(self) -> IO[bytes]:
        if self._frames is None:
            from tempfile import SpooledTemporaryFile

            self._frames = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (`close` closes it)
        return self._frames

    def finish(self, identity: ModelIdentity) -> None:
        """Writes the file, if there is anything in it."""
        if self._frames is None or not self._entries:
            return
        import shutil

        from fairlead.base.writing import written_whole
        from fairlead.certify.container import END, HEADER, MAGIC, packed_json

        header = {
            "tool": f"fairlead {__version__}",
            "digest": identity.digest(),
            "definitions": identity.definitions,
            "processes": identity.processes,
        }
        self._frames.seek(0)
        with written_whole(Path(self.path)) as file:
            file.write(MAGIC)
            file.write(packed_json(HEADER, header))
            shutil.copyfileobj(self._frames, file)
            file.write(packed_json(END, {"entries": self._entries}))

    def close(self) -> None:
        """Gives up what was collected."""
        if self._frames is not None:
            self._frames.close()
        self._frames = self._explored = None


@contextmanager
def certifying(path: str | None, identity: ModelIdentity) -> Iterator[CertificateFile | None]:
    """A certificate that what is answered inside is added to; the file is written at the end of the block."""
    if path is None:
        yield None
        return
    from fairlead.base.writing import check_writable

    check_writable(Path(path))
    certificate = CertificateFile(path)
    try:
        yield certificate
        certificate.finish(identity)
    finally:
        certificate.close()
