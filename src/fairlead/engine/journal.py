"""What the engine asked about a network, in order, so that its tables can be made again, numbered the same.

Positions and values are numbered here as they are found, in an order that depends on what the engine asks and
on the values it knows by then. So if the same is asked again, they have the same numbers. What is numbered in
the engine (labels, local states, trees, shapes, containers) is written down and given to it again as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

from fairlead.base.records import dataclass
from fairlead.engine import _native


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
        return [[entry.question, entry.arguments, entry.known_values, entry.answer] for entry in self.entries]


def tables_of(native: _native.Network, values: _native.Values) -> dict[str, Any]:
    """What has a number in the engine, in the order of numbers; of a value that is Python's, nothing."""
    locals_ = [native.local(number) for number in range(native.local_count)]
    trees = [native.tree(number) for number in range(native.tree_count)]
    return {
        "labels": native.labels,
        "processes": native.processes,
        "actions": [native.action_parts(number) for number in range(native.action_count)],
        "locals": [[position, *parameters] for position, parameters in locals_],
        "operators": [_described(native.operator(number)) for number in range(native.operator_count)],
        "trees": [[operator, *payload] for operator, payload in trees],
        "shapes": [native.shape_key(number) for number in range(native.shape_count)],
        "values": [values.encoded(number).hex() for number in range(values.count)],
    }


def fill_tables(native: _native.Network, tables: dict[str, Any]) -> None:
    """Gives an engine the tables of another one; raises `Mismatch` where that cannot be."""
    for number, text in enumerate(tables["labels"]):
        _expect(native.label(text) == number)
    for number, name in enumerate(tables["processes"]):
        _expect(native.process(name) == number)
    for number, (label, processes) in enumerate(tables["actions"]):
        _expect(label < len(tables["labels"]) and _are_below(processes, len(tables["processes"])))
        _expect(native.action(label, processes) == number)
    for number, (position, *parameters) in enumerate(tables["locals"]):
        _expect(native.intern_local(position, parameters) == number)
    for number, facts in enumerate(tables["operators"]):
        _expect(native.intern_operator(_operator(*facts)) == number)
    for number, (operator, *payload) in enumerate(tables["trees"]):
        _expect(operator < len(tables["operators"]))
        kind = native.operator(operator).kind
        children = payload[:-1] if kind in _WITH_LOCAL else payload
        _expect(_are_below(children, number) and _are_below(payload[len(children) :], len(tables["locals"])))
        _expect(native.intern_tree(operator, payload) == number)
    for number, key in enumerate(tables["shapes"]):
        _expect(native.intern_shape(key) == number)


class ValueFiller:
    """Gives an engine the values of another one, in order; raises `Mismatch` where that cannot be.

    Values that are Python's are made by the answers to questions, in between.
    """

    def __init__(self, values: _native.Values, encoded: Sequence[str]) -> None:
        self._values = values
        self._encoded = encoded
        self._filled = 0

    def fill(self, count: int) -> None:
        """The first values, up to a number of them: containers, and those that are there already."""
        _expect(self._values.count <= count <= len(self._encoded))
        for number in range(self._filled, count):
            run = bytes.fromhex(self._encoded[number])
            if number < self._values.count:
                _expect(self._values.encoded(number) == run)
            else:
                _expect(bool(run) and self._values.restore(run) == number)
        self._filled = count

    def finish(self) -> None:
        """All of them, and nothing else."""
        self.fill(len(self._encoded))


_WITH_LOCAL = (_native.NodeKind.LEAF, _native.NodeKind.SEQUEL, _native.NodeKind.GUARDED)


def _described(operator: _native.Operator) -> list[Any]:
    events = [[label, components] for label, components in operator.events.items()]
    numbers = [operator.process, operator.ending, operator.tag]
    return [operator.kind.name, *numbers, operator.synchronises, events, operator.ends]


def _operator(
    kind: str, process: int, ending: int, tag: int, synchronises: bool, *rest: Any
) -> _native.Operator:
    events, ends = rest
    return _native.Operator(_native.NodeKind[kind], process, ending, tag, synchronises, events, ends)


def _are_below(numbers: Sequence[int], limit: int) -> bool:
    return all(0 <= number < limit for number in numbers)


def _new_hash() -> Any:
    import hashlib  # seldom needed

    return hashlib.blake2b(digest_size=16)


def _expect(condition: bool) -> None:
    if not condition:
        raise Mismatch
