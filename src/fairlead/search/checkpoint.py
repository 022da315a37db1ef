"""Checkpoints: what has been explored, in a file, so that another run can go on from there.

A file has a line that says what it is, a line with the length and the digest of what follows, that much JSON
(the numbers of everything that has one), and then the states as the engine packs them, with a checksum of
their own.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from fairlead.base.diagnostics import Code, FairleadError, input_error
from fairlead.base.files import cannot_read
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.engine.journal import Entry, Mismatch, ValueFiller, fill_tables, tables_of
from fairlead.engine.network import EngineNetwork
from fairlead.engine.values import native_values

#: to be changed whenever files of before cannot be read any more
_MAGIC = b"fairlead checkpoint 3\n"
EVERY = 600.0


@dataclass(frozen=True)
class Checkpoints:
    """Where a check saves what it has explored, and how often; and the file that it goes on from.

    `identity` tells models apart: what was saved for one is of no use for another.
    """

    save: str | None = None
    resume: str | None = None
    every: float = EVERY
    identity: str = ""


class Checkpointing:
    """The checkpoints of one system while it is explored."""

    def __init__(self, how: Checkpoints, engine: EngineNetwork) -> None:
        self._how = how
        self._engine = engine
        self._last = time.monotonic()
        #: whether the graph is what it should be: not before it has been resumed
        self._ready = how.resume is None
        #: why the last attempt to save failed
        self.problem: str | None = None

    @property
    def _values(self) -> _native.Values:
        return native_values(self._engine.network.values)

    # ------------------------------------------------------------ saving

    @property
    def is_due(self) -> bool:
        """Whether it is time to save."""
        return self._how.save is not None and time.monotonic() - self._last >= self._how.every

    def save(self, graph: _native.Graph) -> None:
        """Saves what can be saved now; the file of before stays until the new one is whole."""
        journal = self._engine.journal
        assert journal is not None and isinstance(graph, _native.NetworkGraph)
        if self._how.save is None or not (self._ready and graph.can_save and journal.is_whole):
            return
        beside = _beside(self._how.save)
        try:
            with beside.open("wb") as file:
                self._write(file, graph)
            beside.replace(self._how.save)
            self.problem = None
        except OSError as error:
            # the check goes on: it is worth more than its checkpoint
            self.problem = f"cannot write '{self._how.save}': {error.strerror}"
        finally:
            with suppress(OSError):
                beside.unlink()
        self._last = time.monotonic()

    def _write(self, file: BinaryIO, graph: _native.NetworkGraph) -> None:
        import json  # seldom needed

        journal = self._engine.journal
        assert journal is not None
        facts = {
            **self._about(graph),
            "digest": journal.digest,
            "sizes": self._engine.sizes(),
            "journal": journal.to_json(),
            "tables": tables_of(self._engine.native, self._values),
        }
        text = json.dumps(facts, separators=(",", ":")).encode()
        file.write(_MAGIC + f"{len(text)} {_digest(text)}\n".encode() + text)
        file.flush()
        graph.save(file.fileno())
        os.fsync(file.fileno())

    def _about(self, graph: _native.NetworkGraph) -> dict[str, Any]:
        """What must be the same in the run that goes on."""
        network = self._engine.network
        variables = [variable.name for variable in network.variables]
        return {
            "model": self._how.identity,
            "system": [network.name, variables, [list(values) for values in network.initial_values]],
            "transitions": graph.keeps_edges,
        }

    # ------------------------------------------------------------ going on

    @property
    def is_waiting(self) -> bool:
        """Whether there is a file to go on from, and this is the first graph."""
        return not self._ready

    def resume(self, graph: _native.Graph) -> None:
        """Goes on from the file."""
        path = self._how.resume
        assert path is not None and isinstance(graph, _native.NetworkGraph)
        try:
            with Path(path).open("rb") as file:
                facts = _facts(file, path)
                self._compare(facts, graph, path)
                self._fill_tables(facts)
                os.lseek(file.fileno(), file.tell(), os.SEEK_SET)
                graph.load(file.fileno())
        except OSError as error:
            raise cannot_read(path, error) from None
        except Mismatch:
            raise _refused(
                path, "it is of another model or question, or of another version of fairlead"
            ) from None
        except ValueError:
            raise _damaged(path) from None
        self._ready = True
        self._last = time.monotonic()

    def _compare(self, facts: dict[str, Any], graph: _native.NetworkGraph, path: str) -> None:
        expected = self._about(graph)
        if facts["model"] != expected["model"] or facts["system"] != expected["system"]:
            raise _refused(path, "it is of another model")
        if facts["transitions"] != expected["transitions"]:
            kind = "with" if facts["transitions"] else "without"
            raise _refused(path, f"it was made for another kind of question: states {kind} their transitions")

    def _fill_tables(self, facts: dict[str, Any]) -> None:
        tables = facts["tables"]
        fill_tables(self._engine.native, tables)
        filler = ValueFiller(self._values, tables["values"])
        self._engine.replay([Entry(*entry) for entry in facts["journal"]], filler)
        assert self._engine.journal is not None
        if self._engine.journal.digest != facts["digest"] or list(self._engine.sizes()) != facts["sizes"]:
            raise Mismatch


def check_checkpoints(how: Checkpoints) -> None:
    """Complains early about files that cannot be read or written."""
    if how.save is not None:
        try:
            if Path(how.save).is_dir():
                raise IsADirectoryError(0, "it is a folder")
            _beside(how.save).touch()
            _beside(how.save).unlink()
        except OSError as error:
            raise input_error(Code.FILE, f"cannot write '{how.save}': {error.strerror}") from None
    if how.resume is not None:
        try:
            with Path(how.resume).open("rb") as file:
                _facts(file, how.resume)
        except OSError as error:
            raise cannot_read(how.resume, error) from None


def _facts(file: BinaryIO, path: str) -> dict[str, Any]:
    """The JSON at the beginning of a file."""
    if file.readline(100) != _MAGIC:
        raise _refused(path, "it is no checkpoint, or of another version of fairlead")
    import json  # seldom needed

    try:
        length, digest = file.readline(100).split()
        text = file.read(int(length))
        if _digest(text) != digest.decode():
            raise _damaged(path)
        found: dict[str, Any] = json.loads(text)
    except ValueError:
        raise _damaged(path) from None
    return found


def _beside(path: str) -> Path:
    """Where a checkpoint is written before it takes the place of the last one."""
    return Path(f"{path}.tmp")


def _digest(text: bytes) -> str:
    import hashlib  # seldom needed

    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _damaged(path: str) -> FairleadError:
    return _refused(path, "it is damaged")


def _refused(path: str, why: str) -> FairleadError:
    return input_error(Code.CHECKPOINT, f"'{path}' cannot be resumed: {why}")
