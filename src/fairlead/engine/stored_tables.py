"""The tables of an engine in a checkpoint: written down, and given to another engine once they are checked.

The file may contain anything, since any program can write it. So nothing reaches the engine before it has the
right type, names only what comes before it, and is not deeper or larger than what the engine itself makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.engine.journal import expect
from fairlead.model.types import INT_MAX, INT_MIN

_Kind = _native.NodeKind
_NONE = _native.NONE
#: more than the engine ever nests, and more than a state has
_DEEPEST = 4 * _native.NESTING_LIMIT
_MOST_NODES = 10_000_000
#: how many parts an operator has, if that is fixed; all others have at least one
_PARTS = {
    _Kind.LEAF: 0,
    _Kind.SEQUEL: 1,
    _Kind.GUARDED: 1,
    _Kind.HIDDEN: 1,
    _Kind.ATOMIC: 1,
    _Kind.HIGH: 1,
    _Kind.LOW: 1,
    _Kind.INTERRUPT: 2,
}
_WITH_LOCAL = (_Kind.LEAF, _Kind.SEQUEL, _Kind.GUARDED)
_WITH_LABELS = (_Kind.HIDDEN, _Kind.HIGH, _Kind.LOW)
_TABLES = ("labels", "processes", "actions", "locals", "operators", "trees", "shapes", "values")


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


@dataclass(frozen=True)
class StoredTables:
    """Tables from a file: lists, of which nothing more is known yet."""

    labels: list[Any]
    processes: list[Any]
    actions: list[Any]
    locals: list[Any]
    operators: list[Any]
    trees: list[Any]
    shapes: list[Any]
    values: list[Any]


def stored_tables(found: object) -> StoredTables:
    """The tables in a file; raises `Mismatch` if these are none."""
    expect(isinstance(found, dict) and found.keys() == set(_TABLES))
    assert isinstance(found, dict)
    expect(all(isinstance(table, list) for table in found.values()))
    expect(all(isinstance(text, str) for text in found["values"]))
    return StoredTables(**found)


def fill_tables(native: _native.Network, tables: StoredTables) -> None:
    """Gives an engine the tables of another one; raises `Mismatch` where that cannot be."""
    _Filling(native, tables).fill()


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
        expect(self._values.count <= count <= len(self._encoded))
        for number in range(self._filled, count):
            run = bytes.fromhex(self._encoded[number])
            if number < self._values.count:
                expect(self._values.encoded(number) == run)
            else:
                expect(bool(run) and self._values.restore(run) == number)
        self._filled = count

    def finish(self) -> None:
        """All of them, and nothing else."""
        self.fill(len(self._encoded))


@dataclass(frozen=True)
class _OperatorForm:
    """What matters of an operator for the trees that have it: its kind, and how many parts it needs."""

    kind: _native.NodeKind
    least: int

    def allows(self, parts: int) -> bool:
        return parts == _PARTS.get(self.kind, parts) and parts >= self.least


class _Filling:
    """Fills the tables of one engine."""

    def __init__(self, native: _native.Network, tables: StoredTables) -> None:
        self._native = native
        self._tables = tables
        self._forms: list[_OperatorForm] = []

    def fill(self) -> None:
        native, tables = self._native, self._tables
        for number, text in enumerate(tables.labels):
            expect(native.label(_text(text)) == number)
        for number, name in enumerate(tables.processes):
            expect(native.process(_text(name)) == number)
        for number, action in enumerate(tables.actions):
            expect(isinstance(action, list) and len(action) == 2)
            label, processes = action
            expect(_is_below(label, len(tables.labels)) and _are_below(processes, len(tables.processes)))
            expect(native.action(label, processes) == number)
        for number, local in enumerate(tables.locals):
            expect(isinstance(local, list) and bool(local))
            position, *parameters = local
            expect(_is_below(position, _NONE) and are_words(parameters))
            expect(native.intern_local(position, parameters) == number)
        for number, facts in enumerate(tables.operators):
            operator = self._operator(facts)
            expect(native.intern_operator(operator) == number)
        self._fill_trees()
        for number, key in enumerate(tables.shapes):
            self._check_shape(key)
            expect(native.intern_shape(key) == number)

    def _operator(self, facts: object) -> _native.Operator:
        expect(isinstance(facts, list) and len(facts) == 7)
        assert isinstance(facts, list)
        name, process, ending, tag, synchronises, events, ends = facts
        expect(isinstance(name, str) and name in _Kind.__members__ and type(synchronises) is bool)
        kind = _native.NodeKind[name]
        least = self._check_events(events)
        if ends is not None:
            expect(_are_below(ends, _NONE))
            least = max(least, 1 + max(ends, default=-1))
        expect(_is_below(tag, _NONE + 1))
        owned = kind in (_Kind.LEAF, _Kind.SEQUEL)
        expect(_is_below(process, len(self._tables.processes)) if owned else process == _NONE)
        expect(_is_below(ending, len(self._tables.labels)) if kind == _Kind.SEQUEL else ending == _NONE)
        if kind != _Kind.PARALLEL:
            expect(not synchronises and ends is None and least == 0)
            expect(not events or kind in _WITH_LABELS)
            expect((tag != _NONE) == (kind == _Kind.SEQUEL))
        self._forms.append(_OperatorForm(kind, max(least, 0 if kind == _Kind.LEAF else 1)))
        return _native.Operator(kind, process, ending, tag, synchronises, events, ends)

    def _check_events(self, events: object) -> int:
        """How many parts a node must have for what the events of its operator say."""
        expect(isinstance(events, list))
        assert isinstance(events, list)
        least = 0
        for entry in events:
            expect(isinstance(entry, list) and len(entry) == 2)
            label, components = entry
            expect(_is_below(label, len(self._tables.labels)) and _are_below(components, _NONE))
            least = max(least, 1 + max(components, default=-1))
        expect(len({label for label, _ in events}) == len(events))
        return least

    def _fill_trees(self) -> None:
        sizes: list[int] = []
        depths: list[int] = []
        for number, tree in enumerate(self._tables.trees):
            expect(isinstance(tree, list) and bool(tree))
            operator, *payload = tree
            expect(_is_below(operator, len(self._forms)))
            form = self._forms[operator]
            children = payload[:-1] if form.kind in _WITH_LOCAL else payload
            expect(len(payload) > 0 and form.allows(len(children)) and _are_below(children, number))
            expect(_are_below(payload[len(children) :], len(self._tables.locals)))
            depths.append(1 + max((depths[child] for child in children), default=0))
            sizes.append(1 + sum(sizes[child] for child in children))
            expect(depths[-1] <= _DEEPEST and sizes[-1] <= _MOST_NODES)
            expect(self._native.intern_tree(operator, payload) == number)

    def _check_shape(self, key: object) -> None:
        """A shape is its nodes, each before its parts: an operator and how many, or a slot and its owner."""
        expect(isinstance(key, list) and len(key) % 2 == 0 and _are_below(key, _NONE + 1))
        assert isinstance(key, list)
        missing = [1]  # parts of the nodes above
        for first, second in zip(key[::2], key[1::2], strict=True):
            while missing and missing[-1] == 0:
                missing.pop()
            expect(0 < len(missing) <= _DEEPEST)
            missing[-1] -= 1
            if first == _NONE:
                expect(second < len(self._tables.processes))
            else:
                expect(first < len(self._forms))
                form = self._forms[first]
                expect(form.kind != _Kind.LEAF and form.allows(second))
                missing.append(second)
        expect(not any(missing))


def are_words(found: object) -> bool:
    """Whether something is a list of words of 32 bits."""
    return isinstance(found, list) and all(type(word) is int and INT_MIN <= word <= INT_MAX for word in found)


def _described(operator: _native.Operator) -> list[Any]:
    events = [[label, components] for label, components in operator.events.items()]
    numbers = [operator.process, operator.ending, operator.tag]
    return [operator.kind.name, *numbers, operator.synchronises, events, operator.ends]


def _text(found: object) -> str:
    expect(isinstance(found, str))
    assert isinstance(found, str)
    found.encode()  # a lone surrogate is not text: ValueError
    return found


def _is_below(number: object, limit: int) -> bool:
    return type(number) is int and 0 <= number < limit


def _are_below(numbers: object, limit: int) -> bool:
    return isinstance(numbers, list) and all(_is_below(number, limit) for number in numbers)
