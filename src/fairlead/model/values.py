"""Values that are no integers: each has a number in the table of its model, and is shown by its type.

Equal values of one type have the same number, and numbers are never given to another value. So comparing,
storing and hashing values is comparing, storing and hashing numbers; a model's states stay words.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from fairlead.base.diagnostics import Code
from fairlead.model.types import CallFailed, Function, Type, index_detail, kind_of, out_of_bounds


class ValueTable:
    """The values of one model, numbered in the order they are met."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Type, Any], int] = {}
        self._values: list[tuple[Type, Any]] = []
        self.bytes = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._values)

    def number(self, kind: Type, value: Any) -> int:
        """The number of a (hashable) value."""
        key = (kind, value)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._values)
            self._values.append(key)
            self.bytes += 160 + _size(value)  # the value, the pair, and its places in dictionary and list
        return number

    def value(self, number: int) -> Any:
        """The value with a number."""
        return self._values[number][1]

    def text(self, number: int) -> str:
        """The value with a number, as it stands in event names."""
        return self._values[number][0].text(number)


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
    """A type whose values lie in a table."""

    def __init__(self, name: str, phrase: str, table: ValueTable) -> None:
        super().__init__(name, phrase)
        self.table = table

    def value(self, word: int) -> Any:
        """The Python value with a number."""
        return self.table.value(word)

    def plain(self, word: int) -> Any:
        """The text, since JSON has no such types."""
        return self.text(word)


class ArrayType(ObjectType):
    """Arrays of integers or booleans of any length, as tuples."""

    def __init__(self, element: Type, table: ValueTable) -> None:
        short = "int" if element is Type.INT else "bool"
        super().__init__(f"{short}[]", f"an array of {element.name}s", table)
        self.element = element
        self.gather = Function("array", self._gathered)
        self._elements: dict[str, Function] = {}

    def word(self, value: Any) -> int:
        """The number of a tuple of elements."""
        if type(value) is not tuple:
            raise CallFailed(f"expected a tuple of {self.element.name}s, got {kind_of(value)}")
        for item in value:
            self.element.word(item)
        return self.table.number(self, value)

    def text(self, word: int) -> str:
        """`[0, 5, 0]`."""
        elements = (self.element.text(int(item)) for item in self.value(word))
        return f"[{', '.join(elements)}]"

    def plain(self, word: int) -> list[Any]:
        """A list."""
        return list(self.value(word))

    # ------------------------------------------------------------ functions on arrays

    def _gathered(self, words: Sequence[int]) -> int:
        return self.table.number(self, tuple(self.element.value(word) for word in words))

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

        return Function(name, element)

    def replacing(self, name: str) -> Function:
        """The array with another element at an index."""

        def replaced(words: Sequence[int]) -> int:
            items, index = self.value(words[0]), words[1]
            _check_index(name, items, index)
            new = (*items[:index], self.element.value(words[2]), *items[index + 1 :])
            return self.table.number(self, new)

        return Function(name, replaced)

    def fitting(self, name: str, size: int) -> Function:
        """The array itself, if it has as many elements as the variable it is assigned to."""

        def checked(words: Sequence[int]) -> int:
            found = len(self.value(words[0]))
            if found != size:
                raise CallFailed(f"'{name}' has {size} elements, the array assigned to it has {found}")
            return words[0]

        return Function(name, checked)


def _check_index(name: str, items: tuple[Any, ...], index: int) -> None:
    if not 0 <= index < len(items):
        raise CallFailed(out_of_bounds(index_detail(name, len(items), index)), Code.INDEX_OUT_OF_BOUNDS)
