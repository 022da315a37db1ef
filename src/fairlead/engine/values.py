"""The values of a model in the engine: it numbers all of them, and keeps containers itself."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.engine import _native
from fairlead.model.values import ValueTable

_KINDS = {
    "int[]": _native.ValueKind.INTEGERS,
    "bool[]": _native.ValueKind.BOOLEANS,
    "Set": _native.ValueKind.SET,
    "List": _native.ValueKind.LIST,
    "Queue": _native.ValueKind.QUEUE,
    "Stack": _native.ValueKind.STACK,
    "HashTable": _native.ValueKind.HASH_TABLE,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class NativeStore:
    """Containers in the engine, by the names of their types."""

    def __init__(self) -> None:
        self.native = _native.Values()

    @property
    def count(self) -> int:
        """How many numbers have been given."""
        return self.native.count

    def container_number(self, name: str, words: Sequence[int]) -> int:
        """The number of a container of the type with a name."""
        return self.native.intern(_KINDS[name], words)

    def container(self, number: int) -> tuple[str, Sequence[int]]:
        """The name of its type, and its words."""
        return _NAMES[self.native.kind(number)], self.native.words(number)

    def other_number(self) -> int:
        """The number of a new value that is not a container."""
        return self.native.add_opaque()


def kind_of_container(name: str) -> _native.ValueKind:
    """What containers are in the engine, by the name of their type."""
    return _KINDS[name]


def native_values(table: ValueTable) -> _native.Values:
    """The values of a table in the engine, which numbers them from now on."""
    if table.store is None:
        table.move_to(NativeStore())
    assert isinstance(table.store, NativeStore)
    return table.store.native
