"""Represents values that are not integers: each has a number in the table of its model.

Equal values of one type have the same number, and numbers are never given to another value. So comparing,
storing and hashing values is comparing, storing and hashing numbers; a model's states stay words.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Protocol

from fairlead.base.diagnostics import Code
from fairlead.model.canonical.numbers import NotCanonical, Reader, signed
from fairlead.model.types import (
    INT_MAX,
    INT_MIN,
    CallFailed,
    Function,
    Type,
    index_detail,
    kind_of,
    out_of_bounds,
)


class ContainerStore(Protocol):
    """Keeps containers in a table's stead, as words, and gives all values their numbers."""

    @property
    def count(self) -> int:
        """How many numbers have been given."""

    def container_number(self, name: str, words: Sequence[int]) -> int:
        """The number of a container of the type with a name."""

    def container(self, number: int) -> tuple[str, Sequence[int]]:
        """The name of its type, and its words."""

    def other_number(self) -> int:
        """The number of a new value that is not a container."""


class ValueTable:
    """The values of one model, numbered in the order they are met.

    Once the engine works on the model it numbers them, and keeps containers, which it makes too; here they
    are then read back as they are needed.
    """

    #: how many containers that were read back are remembered
    REMEMBERED = 50_000

    def __init__(self) -> None:
        self._numbers: dict[tuple[Type, Any], int] = {}
        self._values: dict[int, tuple[Type, Any]] = {}
        self._read: dict[int, tuple[Type, Any]] = {}
        self._containers: dict[str, ObjectType] = {}
        self.store: ContainerStore | None = None
        self.bytes = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._values) if self.store is None else self.store.count

    def number(self, kind: Type, value: Any) -> int:
        """The number of a (hashable) value."""
        if self.store is not None and isinstance(kind, ObjectType) and kind.container is not None:
            return self.store.container_number(kind.container, kind.words_of(value))
        key = (kind, value)
        number = self._numbers.get(key)
        if number is None:
            number = len(self._values) if self.store is None else self.store.other_number()
            self._numbers[key] = number
            self._values[number] = key
            self.bytes += 160 + _size(value)  # the value, the pair, and its places in both dictionaries
        return number

    def value(self, number: int) -> Any:
        """The value with a number."""
        return self._entry(number)[1]

    def type_of(self, number: int) -> ObjectType:
        """The type of the value with a number."""
        kind = self._entry(number)[0]
        assert isinstance(kind, ObjectType)
        return kind

    def text(self, number: int) -> str:
        """The value with a number, as it stands in event names."""
        return self._entry(number)[0].text(number)

    def numbers_of(self, kind: ObjectType) -> list[int]:
        """The numbers of all values of a type that no store holds."""
        return [number for number, (own, _) in self._values.items() if own is kind]

    def add_container_type(self, kind: ObjectType) -> None:
        """Notes the type of containers that a store may hold."""
        assert kind.container is not None
        self._containers[kind.container] = kind

    def move_to(self, store: ContainerStore) -> None:
        """From now on the store gives the numbers; all values keep those they have."""
        assert self.store is None
        values, self.store = self._values, store
        self._values, self._numbers = {}, {}
        for expected, (kind, value) in values.items():
            number = self.number(kind, value)
            assert number == expected

    def _entry(self, number: int) -> tuple[Type, Any]:
        entry = self._values.get(number) or self._read.get(number)
        if entry is None:
            if self.store is None:
                raise LookupError(number)
            name, words = self.store.container(number)
            kind = self._containers[name]
            entry = (kind, kind.from_words(words))
            if len(self._read) >= self.REMEMBERED:
                self._read.clear()
            self._read[number] = entry
        return entry


def _size(value: Any) -> int:
    """About how much memory a value takes; parts that it shares with others count too."""
    if isinstance(value, tuple) and (not value or type(value[0]) is int):  # an array or a built-in container
        return sys.getsizeof(value)
    total, pending = 0, [value]
    while pending and len(pending) < 100_000:
        part = pending.pop()
        total += sys.getsizeof(part, 64)
        if isinstance(part, tuple | frozenset):
            if not (part and all(type(item) is int for item in part)):
                pending += part
        elif hasattr(part, "__dict__"):
            total += sys.getsizeof(part.__dict__)
            pending += part.__dict__.values()
    return total


class ObjectType(Type):
    """A type whose values lie in a table.

    Values of a type with a `container` name are sequences of words, and known to the engine.
    """

    def __init__(self, name: str, phrase: str, table: ValueTable, container: str | None = None) -> None:
        super().__init__(name, phrase)
        self.table = table
        self.container = container
        if container is not None:
            table.add_container_type(self)

    def words_of(self, value: Any) -> Sequence[int]:
        """The words of a container."""
        raise NotImplementedError(self.name)

    def from_words(self, words: Sequence[int]) -> Any:
        """The container with these words."""
        raise NotImplementedError(self.name)

    def value(self, word: int) -> Any:
        """The Python value with a number."""
        return self.table.value(word)

    def encoded(self, word: int) -> bytes:
        """The value with a number in its canonical encoding."""
        return b"".join(map(signed, self.words_of(self.value(word))))

    def decoded(self, data: bytes) -> int:
        """The number of the value with an encoding; raises `NotCanonical` if none has it."""
        reader = Reader(data)
        words: list[int] = []
        while not reader.is_at_end:
            words.append(reader.signed())
        if not all(INT_MIN <= word <= INT_MAX for word in words):
            raise NotCanonical(f"{self.phrase} has a number that is too large")
        number = self.table.number(self, self.from_words(words))
        if self.encoded(number) != data:
            raise NotCanonical(f"{self.phrase} is written otherwise")
        return number

    def plain(self, word: int) -> Any:
        """The text, since JSON has no such types."""
        return self.text(word)


class ArrayType(ObjectType):
    """Arrays of integers or booleans of any length, as tuples."""

    def __init__(self, element: Type, table: ValueTable) -> None:
        short = "int" if element is Type.INT else "bool"
        super().__init__(f"{short}[]", f"an array of {element.name}s", table, f"{short}[]")
        self.element = element
        self.gather = Function("array", self._gathered, f"gather {self.name}")
        self._elements: dict[str, Function] = {}

    def word(self, value: Any) -> int:
        """The number of a tuple of elements."""
        if type(value) is not tuple:
            raise CallFailed(f"expected a tuple of {self.element.name}s, got {kind_of(value)}")
        for item in value:
            self.element.word(item)
        return self.table.number(self, value)

    def words_of(self, value: tuple[int, ...]) -> Sequence[int]:
        """The elements."""
        return value

    def from_words(self, words: Sequence[int]) -> tuple[Any, ...]:
        """A tuple of elements."""
        return tuple(self.element.value(word) for word in words)

    def text(self, word: int) -> str:
        """`[0, 5, 0]`."""
        elements = (self.element.text(int(item)) for item in self.value(word))
        return f"[{', '.join(elements)}]"

    def plain(self, word: int) -> list[Any]:
        """A list."""
        return list(self.value(word))

    # ------------------------------------------------------------ functions on arrays

    def _gathered(self, words: Sequence[int]) -> int:
        return self.table.number(self, self.from_words(words))

    def element_of(self, name: str) -> Function:
        """The element of an array, called `name` in messages, at an index."""
        if name not in self._elements:
            self._elements[name] = self._reading(name)
        return self._elements[name]

    def _reading(self, name: str) -> Function:
        def element(words: Sequence[int]) -> int:
            items, index = self.value(words[0]), words[1]
            _check_index(name, items, index)
            return int(items[index])

        return Function(name, element, f"element {self.name}")

    def replacing(self, name: str) -> Function:
        """The array with another element at an index."""

        def replaced(words: Sequence[int]) -> int:
            items, index = self.value(words[0]), words[1]
            _check_index(name, items, index)
            new = (*items[:index], self.element.value(words[2]), *items[index + 1 :])
            return self.table.number(self, new)

        return Function(name, replaced, f"replacing {self.name}")

    def fitting(self, name: str, size: int) -> Function:
        """The array itself, if it has as many elements as the variable it is assigned to.

        The number of elements is an argument as well, which the engine needs.
        """

        def checked(words: Sequence[int]) -> int:
            found = len(self.value(words[0]))
            if found != size:
                raise CallFailed(f"'{name}' has {size} elements, the array assigned to it has {found}")
            return words[0]

        return Function(name, checked, f"fitting {self.name}")


def _check_index(name: str, items: tuple[Any, ...], index: int) -> None:
    if not 0 <= index < len(items):
        raise CallFailed(out_of_bounds(index_detail(name, len(items), index)), Code.INDEX_OUT_OF_BOUNDS)
