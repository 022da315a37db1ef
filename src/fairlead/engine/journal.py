"""What the engine asked about a network, in order, so that its tables can be made again, numbered the same.

Positions, shapes and values are numbered as they are found, on both sides. Which are found, and in which
order, depends only on what the engine asks and on the local states it knows by then. So if the same is asked
again, and the engine is given the same local states, labels and actions, all have the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from fairlead.base.records import dataclass
from fairlead.engine import _native


class Mismatch(Exception):
    """Something is not as it was when the journal was written."""


@dataclass(frozen=True)
class Entry:
    """A question of the engine, how many local states it knew, and the answer."""

    question: str
    arguments: list[Any]
    known_locals: int
    answer: Any


@dataclass
class Journal:
    """The questions whose answers made tables grow. `digest` is of what positions look like."""

    entries: list[Entry] = field(default_factory=list)
    is_whole: bool = True
    _hash: Any = field(default_factory=lambda: _new_hash())

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While inside a question is answered; if that is broken off, nobody knows what has been found."""
        self.is_whole = False
        yield
        self.is_whole = True

    def note(self, *facts: object) -> None:
        """Adds facts about positions to the digest."""
        self._hash.update(repr(facts).encode())

    @property
    def digest(self) -> str:
        """Of everything noted."""
        return str(self._hash.hexdigest())

    def to_json(self) -> list[list[Any]]:
        """The entries, for programs."""
        return [[entry.question, entry.arguments, entry.known_locals, entry.answer] for entry in self.entries]


def tables_of(native: _native.Network) -> dict[str, Any]:
    """What has a number in the engine, in the order of numbers."""
    locals_ = [native.local(number) for number in range(native.local_count)]
    return {
        "labels": native.labels,
        "processes": native.processes,
        "actions": [native.action_parts(number) for number in range(native.action_count)],
        "locals": [[position, *parameters] for position, parameters in locals_],
    }


class TableFiller:
    """Gives an engine the tables of another one; raises `Mismatch` where that cannot be."""

    def __init__(self, native: _native.Network, tables: dict[str, Any]) -> None:
        self._native = native
        self._locals = tables["locals"]
        self._filled = 0
        for number, text in enumerate(tables["labels"]):
            _expect(native.label(text) == number)
        for number, name in enumerate(tables["processes"]):
            _expect(native.process(name) == number)
        for number, (label, processes) in enumerate(tables["actions"]):
            _expect(native.action(label, processes) == number)

    def fill_locals(self, count: int) -> None:
        """The first local states, up to a number of them."""
        _expect(self._native.local_count <= count <= len(self._locals))
        for number in range(self._filled, count):
            position, *parameters = self._locals[number]
            _expect(self._native.intern_local(position, parameters) == number)
        self._filled = count

    def finish(self) -> None:
        """All of them, and nothing else."""
        self.fill_locals(len(self._locals))
        _expect(self._native.local_count == len(self._locals))


def _new_hash() -> Any:
    import hashlib  # seldom needed

    return hashlib.blake2b(digest_size=16)


def _expect(condition: bool) -> None:
    if not condition:
        raise Mismatch
