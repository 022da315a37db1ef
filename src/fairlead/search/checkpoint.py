"""Saves what has been explored in a checkpoint, so that another run can continue from there.

Whatever is read from a file is compared with the network before the engine works on it: types and sizes here
and in `engine/stored_tables.py`, the meaning of numbers in `engine/state_rules.py`, states and transitions in
the engine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from fairlead.base.diagnostics import InputError, InternalError
from fairlead.base.files import cannot_read
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.engine.journal import Mismatch, expect
from fairlead.engine.network import EngineNetwork
from fairlead.engine.stored_tables import ValueFiller, fill_tables, stored_tables, tables_of
from fairlead.engine.values import native_values
from fairlead.search.checkpoint_file import (
    check_writable,
    claimed,
    damaged,
    opened_checkpoint,
    refused,
    write_checkpoint,
)

EVERY = 600.0
_FACTS = {"model", "system", "transitions", "digest", "sizes", "journal", "tables"}


@dataclass(frozen=True)
class Checkpoints:
    """Where a check saves what it has explored, and how often; and the file that it continues from.

    `identity` distinguishes models: a checkpoint of one is of no use for another.
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
        try:
            write_checkpoint(self._how.save, self._facts(graph), graph.save)
            self.problem = None
        except OSError as error:
            # the check continues: it is worth more than its checkpoint
            self.problem = f"cannot write '{self._how.save}': {error.strerror}"
        except InputError as error:
            self.problem = error.diagnostics[0].message
        self._last = time.monotonic()

    def _facts(self, graph: _native.NetworkGraph) -> dict[str, Any]:
        journal = self._engine.journal
        assert journal is not None
        return {
            **self._about(graph),
            "digest": journal.digest,
            "sizes": self._engine.sizes(),
            "journal": journal.to_json(),
            "tables": tables_of(self._engine.native, self._values),
        }

    def _about(self, graph: _native.NetworkGraph) -> dict[str, Any]:
        """What must be the same in the run that continues."""
        network = self._engine.network
        variables = [variable.name for variable in network.variables]
        return {
            "model": self._how.identity,
            "system": [network.name, variables, [list(values) for values in network.initial_values]],
            "transitions": graph.keeps_edges,
        }

    # ------------------------------------------------------------ resuming

    @property
    def is_waiting(self) -> bool:
        """Whether there is a file to continue from, and this is the first graph."""
        return not self._ready

    def resume(self, graph: _native.Graph) -> None:
        """Continues from the file."""
        path = self._how.resume
        assert path is not None and isinstance(graph, _native.NetworkGraph)
        with opened_checkpoint(path) as (file, facts):
            try:
                self._compare(facts, graph, path)
                self._fill_tables(facts)
                rules = self._engine.state_rules()
                os.lseek(file.fileno(), file.tell(), os.SEEK_SET)
                graph.load(file.fileno(), rules)
            except OSError as error:
                raise cannot_read(path, error) from None
            except Mismatch:
                raise refused(
                    path, "it is of another model or question, or of another version of fairlead"
                ) from None
            except ValueError:
                raise damaged(path) from None
        self._ready = True
        self._last = time.monotonic()

    def _compare(self, facts: Any, graph: _native.NetworkGraph, path: str) -> None:
        expect(isinstance(facts, dict) and facts.keys() == _FACTS)
        expected = self._about(graph)
        if facts["model"] != expected["model"] or facts["system"] != expected["system"]:
            raise refused(path, "it is of another model")
        if facts["transitions"] is not expected["transitions"]:
            kind = "with" if facts["transitions"] else "without"
            raise refused(path, f"it was made for another kind of question: states {kind} their transitions")

    def _fill_tables(self, facts: dict[str, Any]) -> None:
        tables = stored_tables(facts["tables"])
        fill_tables(self._engine.native, tables)
        expect(isinstance(facts["journal"], list))
        self._engine.replay(facts["journal"], ValueFiller(self._values, tables.values))
        assert self._engine.journal is not None
        expect(self._engine.journal.digest == facts["digest"])
        expect(list(self._engine.sizes()) == facts["sizes"])


def check_checkpoints(how: Checkpoints) -> None:
    """Complains early about files that cannot be read or written."""
    if how.save is not None:
        check_writable(how.save)
    if how.resume is not None:
        with opened_checkpoint(how.resume):
            pass


@contextmanager
def using_checkpoints(how: Checkpoints | None) -> Iterator[None]:
    """While inside, no other run saves to the same file, and contradictions are blamed on what is resumed."""
    saved = None if how is None else how.save
    with nullcontext() if saved is None else claimed(saved), contradictions_blamed(how):
        yield


@contextmanager
def contradictions_blamed(how: Checkpoints | None) -> Iterator[None]:
    """While inside, a check that continues from a file and contradicts itself blames the file.

    States and transitions that have the right form may still be none of the model's.
    """
    try:
        yield
    except (InternalError, RuntimeError) as error:
        if how is None or how.resume is None or isinstance(error, RecursionError | NotImplementedError):
            raise
        raise refused(
            how.resume,
            "what it says does not agree with the model",
            "start again without it; if fairlead itself wrote it, this is a bug: please report it",
        ) from error
