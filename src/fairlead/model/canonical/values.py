"""Encodes values of all types as bytes."""

from __future__ import annotations

from fairlead.model.canonical.numbers import NotCanonical, Reader, prefixed, signed
from fairlead.model.types import INT_MAX, INT_MIN, Type
from fairlead.model.values import ObjectType


def value_bytes(kind: Type, word: int) -> bytes:
    """A value of a type, given as a word."""
    return prefixed(kind.encoded(word)) if isinstance(kind, ObjectType) else signed(word)


def read_value(reader: Reader, kind: Type) -> int:
    """A value of a type, as a word."""
    if isinstance(kind, ObjectType):
        return kind.decoded(reader.prefixed())
    word = reader.signed()
    if not INT_MIN <= word <= INT_MAX or (kind is Type.BOOL and word not in (0, 1)):
        raise NotCanonical(f"{word} is not {kind.phrase}")
    return word
