"""What the engine asked about a network, in order, so that its tables can be made again, numbered the same.

Positions and values are numbered here as they are found, in an order that depends on what the engine asks and
on the values it knows by then. So if the same is asked again, they have the same numbers. What is numbered in
the engine (labels, local states, trees, shapes, containers) is written down and given to it again as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from fairlead.base.records import dataclass


class Mismatch(Exception):
    """Something is not as it was when the journal was written."""


@dataclass(frozen=True)
class Entry:
    """A question of the engine, how many values there were, and the answer."""

    question: str
    arguments: list[Any]
    known_values: int
    answer: Any


@dataclass
class Journal:
    """The questions whose answers made tables grow. `digest` is of what positions look like."""

    entries: list[Entry] = field(default_factory=list)
    is_whole: bool = True
    _hash: Any = field(default_factory=lambda: _new_hash())

    @contextmanager
    def asking(self) -> Iterator[None]:
        """While inside, a question is answered; if that is interrupted, the findings are unknown."""
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
        return [[entry.question, entry.arguments, entry.known_values, entry.answer] for entry in self.entries]


def _new_hash() -> Any:
    import hashlib  # rarely needed

    return hashlib.blake2b(digest_size=16)


def expect(condition: bool) -> None:
    """Raises `Mismatch` unless something is so."""
    if not condition:
        raise Mismatch
