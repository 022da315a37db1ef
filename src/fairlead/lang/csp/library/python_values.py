"""Encodes values of types written in Python: by what they hold, not by hash or address.

What can be encoded is an integer, a boolean, a text, None, a tuple or frozen set of such, a member of an
enumeration, or an instance of a frozen data class with fields of such; classes must be those of the file.
"""

from __future__ import annotations

import dataclasses
import sys
from enum import Enum
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.model.canonical.numbers import NotCanonical, Reader, prefixed, text_bytes, unsigned
from fairlead.model.tree import NESTING_LIMIT

_NONE, _FALSE, _TRUE, _INTEGER, _TEXT, _TUPLE, _SET, _MEMBER, _OBJECT = range(9)


def encoded(value: Any, module: str) -> bytes:
    """A value, whose classes are those of a module."""
    match value:
        case None:
            return bytes((_NONE,))
        case bool():
            return bytes((_TRUE if value else _FALSE,))
        case Enum() if type(value).__module__ == module:
            return bytes((_MEMBER,)) + text_bytes(type(value).__qualname__) + text_bytes(value.name)
    if type(value) is int:
        size = (value.bit_length() + 8) // 8
        return bytes((_INTEGER,)) + prefixed(value.to_bytes(size, "little", signed=True))
    if type(value) is str:
        return bytes((_TEXT,)) + text_bytes(value)
    if type(value) is tuple:
        return bytes((_TUPLE,)) + unsigned(len(value)) + b"".join(encoded(item, module) for item in value)
    if type(value) is frozenset:
        items = sorted(encoded(item, module) for item in value)
        return bytes((_SET,)) + unsigned(len(items)) + b"".join(items)
    if _is_plain_dataclass(type(value), module):
        own = [encoded(getattr(value, item.name), module) for item in dataclasses.fields(value)]
        return bytes((_OBJECT,)) + text_bytes(type(value).__qualname__) + b"".join(own)
    what = f"a value with a Python '{type(value).__name__}' in it"
    hint = "values of frozen data classes with integers, texts, tuples and frozen sets can be encoded"
    raise input_error(Code.UNSUPPORTED, f"{what} has no canonical encoding", hint=hint)


def decoded(data: bytes, module: str) -> Any:
    """The value with an encoding; raises `NotCanonical` if there is none."""
    reader = Reader(data)
    value = _read(reader, module, 0)
    if not reader.is_at_end:
        raise NotCanonical("something follows a value")
    return value


def _read(reader: Reader, module: str, depth: int) -> Any:
    if depth > NESTING_LIMIT:
        raise NotCanonical("a value is nested too deeply")
    kind = reader.byte()
    match kind:
        case 0:
            return None
        case 1 | 2:
            return kind == _TRUE
        case 3:
            return int.from_bytes(reader.prefixed(), "little", signed=True)
        case 4:
            return reader.text()
        case 5 | 6:
            items = (_read(reader, module, depth + 1) for _ in range(reader.unsigned()))
            return tuple(items) if kind == _TUPLE else frozenset(items)
        case 7:
            found = _class(module, reader.text())
            name = reader.text()
            if not (isinstance(found, type) and issubclass(found, Enum)) or name not in found.__members__:
                raise NotCanonical(f"there is no member '{name}'")
            return found.__members__[name]
        case 8:
            return _read_object(reader, module, depth)
    raise NotCanonical(f"no value begins with {kind}")


def _read_object(reader: Reader, module: str, depth: int) -> Any:
    name = reader.text()
    found = _class(module, name)
    if not isinstance(found, type) or not _is_plain_dataclass(found, module):
        raise NotCanonical(f"there is no class '{name}'")
    value: Any = object.__new__(found)
    for item in dataclasses.fields(found):
        object.__setattr__(value, item.name, _read(reader, module, depth + 1))
    return value


def _is_plain_dataclass(kind: type, module: str) -> bool:
    """Whether instances are what their fields are."""
    return kind.__module__ == module and dataclasses.is_dataclass(kind) and kind.__mro__[1:] == (object,)


def _class(module: str, name: str) -> Any:
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
