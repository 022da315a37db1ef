"""Implements the types of PAT's standard library as immutable values, with the names their users know.

They follow the protocol for types written in Python (docs/reference/python-types.md): a method that returns
`Self` changes the object, one that returns `tuple[X, Self]` gives a value as well, any other only gives a
value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Self

from fairlead.model.types import DOES_NOT_FIT


class _Sequence(tuple[int, ...]):
    """What containers that keep their elements in a row have in common; a tuple, so that hashing is fast."""

    __slots__ = ()

    def __new__(cls, items: tuple[int, ...] = ()) -> Self:
        return super().__new__(cls, items)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self))}]"

    def Count(self) -> int:
        return len(self)

    def Size(self) -> int:
        return len(self)

    def IsEmpty(self) -> bool:
        return not self

    def Contains(self, element: int) -> bool:
        return element in self

    def Clear(self) -> Self:
        return type(self)()

    def ToArray(self) -> tuple[int, ...]:
        return tuple(self)

    def _at(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise LookupError(f"there are {len(self)} elements, index is {index}")
        return self[index]


class List(_Sequence):
    """Elements in the order they were added."""

    __slots__ = ()

    def Add(self, element: int) -> Self:
        return type(self)((*self, element))

    def Insert(self, index: int, element: int) -> Self:
        if index != len(self):
            self._at(index)
        return type(self)((*self[:index], element, *self[index:]))

    def Get(self, index: int) -> int:
        return self._at(index)

    def Set(self, index: int, element: int) -> Self:
        self._at(index)
        return type(self)((*self[:index], element, *self[index + 1 :]))

    def IndexOf(self, element: int) -> int:
        return self.index(element) if element in self else -1

    def Remove(self, element: int) -> tuple[bool, Self]:
        """Takes the first such element away; whether there was one."""
        if element not in self:
            return False, self
        return True, self.RemoveAt(self.index(element))

    def RemoveAt(self, index: int) -> Self:
        self._at(index)
        return type(self)(self[:index] + self[index + 1 :])

    def Concat(self, first: List, second: List | None = None) -> List:
        """`first` followed by `second`; with one list, this one followed by it."""
        return List((*self, *first) if second is None else (*first, *second))


class Queue(_Sequence):
    """First in, first out; `new Queue(a)` has a[0] as its first."""

    __slots__ = ()

    def Enqueue(self, element: int) -> Self:
        return type(self)((*self, element))

    def Dequeue(self) -> tuple[int, Self]:
        return self.First(), type(self)(self[1:])

    def First(self) -> int:
        return self._end(0)

    def Peek(self) -> int:
        return self.First()

    def Last(self) -> int:
        return self._end(-1)

    def _end(self, index: int) -> int:
        if not self:
            raise LookupError("the queue is empty")
        return self[index]

    def Concat(self, first: Queue, second: Queue | None = None) -> Queue:
        """`first` followed by `second`; with one queue, this one followed by it."""
        return Queue((*self, *first) if second is None else (*first, *second))


class Stack(_Sequence):
    """Last in, first out; elements are kept and shown from the top down, as PAT shows them."""

    __slots__ = ()

    def Push(self, element: int) -> Self:
        return type(self)((element, *self))

    def Pop(self) -> tuple[int, Self]:
        return self.Peek(), type(self)(self[1:])

    def Peek(self) -> int:
        if not self:
            raise LookupError("the stack is empty")
        return self[0]

    def Top(self) -> int:
        return self.Peek()


class Set(_Sequence):
    """A set of integers, kept in ascending order, so that equal sets are equal values."""

    __slots__ = ()

    def __new__(cls, items: tuple[int, ...] = ()) -> Self:
        return super().__new__(cls, tuple(sorted(set(items))))

    def Add(self, element: int) -> tuple[bool, Self]:
        """Whether the element is new."""
        return (False, self) if element in self else (True, type(self)((*self, element)))

    def Remove(self, element: int) -> tuple[bool, Self]:
        """Whether the element was there."""
        if element not in self:
            return False, self
        return True, type(self)(tuple(item for item in self if item != element))

    def Get(self, index: int) -> int:
        """The element at an index in ascending order."""
        return self._at(index)

    def GetSubsetByIndex(self, index: int) -> tuple[tuple[int, ...], Self]:
        """Keeps the elements whose bits are set in the index, and gives them."""
        kept = tuple(item for place, item in enumerate(self) if index > 0 and index >> place & 1)
        return kept, type(self)(kept)

    def GetData(self) -> int:
        """Elements from 0 to 3 as the digits of one number, the largest last: what PAT's models print."""
        packed = 0
        for item in self:
            packed = packed << 2 | item
        if not 0 <= packed < 1 << 31:
            raise OverflowError("too many elements, or not from 0 to 3")
        return sum((packed >> 2 * place & 3) * 10**place for place in range(16))

    # with two sets as in PAT; with one, of this set and that

    def Union(self, first: Set, second: Set | None = None) -> Set:
        left, right = self._pair(first, second)
        return Set(tuple(left | right))

    def Intersect(self, first: Set, second: Set | None = None) -> Set:
        left, right = self._pair(first, second)
        return Set(tuple(left & right))

    def Substract(self, first: Set, second: Set | None = None) -> Set:
        left, right = self._pair(first, second)
        return Set(tuple(left - right))

    def Subtract(self, first: Set, second: Set | None = None) -> Set:
        return self.Substract(first, second)

    def IsOverlapping(self, other: Set) -> bool:
        return not self.IsDisjoint(other)

    def IsDisjoint(self, other: Set) -> bool:
        return set(self).isdisjoint(other)

    def _pair(self, first: Set, second: Set | None) -> tuple[set[int], set[int]]:
        return (set(self), set(first)) if second is None else (set(first), set(second))


@dataclass(frozen=True, init=False)
class HashTable:
    """Integers by integer keys, kept in ascending order of the keys."""

    entries: tuple[tuple[int, int], ...]

    def __init__(self, capacity: int = 0) -> None:
        object.__setattr__(self, "entries", ())  # the capacity is accepted, as in PAT, and means nothing

    def __str__(self) -> str:
        return f"[{', '.join(f'{key}={value}' for key, value in self.entries)}]"

    def _with(self, table: dict[int, int]) -> Self:
        new = type(self)()
        object.__setattr__(new, "entries", tuple(sorted(table.items())))
        return new

    def Add(self, key: int, value: int) -> Self:
        """A key that is there keeps its value, as in PAT."""
        return self if self.ContainsKey(key) else self._with({**dict(self.entries), key: value})

    def SetValue(self, key: int, value: int) -> Self:
        return self._with({**dict(self.entries), key: value})

    def Remove(self, key: int) -> tuple[bool, Self]:
        table = dict(self.entries)
        return (False, self) if table.pop(key, None) is None else (True, self._with(table))

    def ContainsKey(self, key: int) -> bool:
        return any(known == key for known, _ in self.entries)

    def GetValue(self, key: int) -> int:
        table = dict(self.entries)
        if key not in table:
            raise LookupError(f"there is no key {key}")
        return table[key]

    def Count(self) -> int:
        return len(self.entries)

    def IsEmpty(self) -> bool:
        return not self.entries

    def Clear(self) -> Self:
        return self._with({})


CONTAINERS: tuple[type, ...] = (Set, List, Queue, Stack, HashTable)


def words_of(value: Any) -> tuple[int, ...]:
    """The elements of a container, in order; keys and values in turn."""
    if isinstance(value, HashTable):
        return tuple(word for entry in value.entries for word in entry)
    assert isinstance(value, _Sequence)
    return value


def from_words(python: Any, words: Sequence[int]) -> Any:
    """The container with these words."""
    if issubclass(python, HashTable):
        return python()._with(dict(zip(words[::2], words[1::2], strict=True)))
    return python(tuple(words))


# ---------------------------------------------------------------- functions of PAT.Math


def Abs(number: int) -> int:
    return abs(number)


def Max(first: int, second: int) -> int:
    return max(first, second)


def Min(first: int, second: int) -> int:
    return min(first, second)


def Pow(base: int, exponent: int) -> int:
    if exponent < 0:
        raise ValueError(f"the exponent {exponent} is negative")
    if abs(base) > 1 and exponent > 31:
        raise OverflowError(DOES_NOT_FIT)
    return int(base**exponent)


def Sqrt(number: int) -> int:
    if number < 0:
        raise ValueError(f"{number} is negative")
    return isqrt(number)


FUNCTIONS: tuple[Callable[..., Any], ...] = (Abs, Max, Min, Pow, Sqrt)
