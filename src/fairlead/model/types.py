"""Defines the static types of values, and pure functions on them.

A value is one 32-bit word: an integer itself, a boolean as 0 or 1, anything else as its number in a table of
values (see `values`). A type says how its words are read, checked and shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from fairlead.base.diagnostics import Code
from fairlead.base.records import dataclass

INT_MIN = -(2**31)
INT_MAX = 2**31 - 1
#: the text of an overflow
DOES_NOT_FIT = "the result does not fit into 32 bits"


def index_detail(name: str, size: int, index: int) -> str:
    """What is wrong with an index into an array."""
    return f"'{name}' has {size} elements, index is {index}"


def out_of_bounds(detail: str) -> str:
    """The text of the run-time error for a wrong index."""
    return f"index out of bounds: {detail}"


class CallFailed(Exception):
    """A function has no value for its arguments: the code and the text of the run-time error."""

    def __init__(self, message: str, code: Code = Code.CALL_FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class Type(ABC):
    """A type; there is one object for each, so that types are compared by identity.

    `phrase` is how messages name it ("an integer").
    """

    INT: ClassVar[Type]
    BOOL: ClassVar[Type]
    MIXED: ClassVar[Type]

    def __init__(self, name: str, phrase: str) -> None:
        self.name = name
        self.phrase = phrase

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def text(self, word: int) -> str:
        """A value as it stands in event names."""
        return str(self.value(word))

    def plain(self, word: int) -> Any:
        """A value for JSON."""
        return self.value(word)

    @abstractmethod
    def value(self, word: int) -> Any:
        """The Python value a word stands for."""

    @abstractmethod
    def word(self, value: Any) -> int:
        """The word of a Python value; raises `CallFailed` if it is not of this type."""


class _Integers(Type):
    def value(self, word: int) -> int:
        return word

    def word(self, value: Any) -> int:
        if type(value) is not int:
            raise CallFailed(f"expected an integer, got {kind_of(value)}")
        if not INT_MIN <= value <= INT_MAX:
            raise CallFailed(DOES_NOT_FIT, Code.OVERFLOW)
        return value


class _Booleans(Type):
    def text(self, word: int) -> str:
        return "true" if word else "false"

    def value(self, word: int) -> bool:
        return bool(word)

    def word(self, value: Any) -> int:
        if type(value) is not bool:
            raise CallFailed(f"expected a boolean, got {kind_of(value)}")
        return int(value)


#: the words of `false` and of `true` where integers are possible as well
MIXED_FALSE, MIXED_TRUE = INT_MIN, INT_MIN + 1


class _Mixed(Type):
    """Of a variable that is given integers in one place and booleans in another."""

    def text(self, word: int) -> str:
        return str(self.value(word)).lower()

    def value(self, word: int) -> int | bool:
        return word == MIXED_TRUE if word in (MIXED_FALSE, MIXED_TRUE) else word

    def word(self, value: Any) -> int:
        if type(value) is bool:
            return MIXED_TRUE if value else MIXED_FALSE
        word = Type.INT.word(value)
        if word in (MIXED_FALSE, MIXED_TRUE):
            raise CallFailed("the result does not fit", Code.OVERFLOW)
        return word


Type.MIXED = _Mixed("integer or boolean", "an integer or a boolean")
Type.INT = _Integers("integer", "an integer")
Type.BOOL = _Booleans("boolean", "a boolean")


def kind_of(value: object) -> str:
    """How messages name the type of a Python value."""
    return f"a Python '{type(value).__name__}'"


@dataclass(frozen=True, eq=False)
class Function:
    """A pure function from words to a word; where it has no value it raises `CallFailed`.

    `built_in` is its name among those that the engine has too; it then need not call this one, except to
    be told why there is no value.
    """

    name: str
    apply: Callable[[Sequence[int]], int]
    built_in: str | None = None
