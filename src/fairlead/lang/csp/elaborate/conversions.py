"""Converts values of one type where another is expected, and reports what cannot be converted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.source import Span
from fairlead.model.expression import Converted, Expression
from fairlead.model.folding import fold
from fairlead.model.types import Type
from fairlead.model.values import ArrayType

PLAIN = (Type.INT, Type.BOOL)


class _Nothing(Type):
    """Of an expression that always fails, so that it can stand where a value of any type is expected."""

    def value(self, word: int) -> Any:
        raise AssertionError(word)

    def word(self, value: Any) -> int:
        raise AssertionError(value)


NOTHING = _Nothing("nothing", "no value")


def fits(found: Type, expected: Type) -> bool:
    """Whether every value of a type is one of another, or becomes one."""
    return found in (expected, NOTHING) or (expected is Type.MIXED and found in PLAIN)


def never_equal(left: Type, right: Type) -> bool:
    """Whether no value of the one type equals any of the other."""
    either = {left, right}
    return len(either) > 1 and NOTHING not in either and not (Type.MIXED in either and either & {*PLAIN})


def converted(value: Expression, expected: Type, span: Span) -> Expression:
    """The value as one of a type, which it must have, or may have where integers and booleans are mixed."""
    if value.type is expected:
        return value
    if value.type is NOTHING:
        return replace(value, type=expected)
    if fits(value.type, expected) or (value.type is Type.MIXED and expected in PLAIN):
        return fold(Converted(value, expected, span))
    raise mismatch(span, expected, value.type)


def mismatch(span: Span, expected: Type, found: Type) -> InputError:
    """The error for a value of the wrong type."""
    if isinstance(found, ArrayType) and found.element is expected:
        return input_error(Code.TYPE, f"'{shorten(span.text)}' is an array; give an index", span)
    hint = None
    if expected is Type.BOOL and found is Type.INT:
        hint = f"write '{span.text} != 0' if that is meant" if len(span.text) < 40 else None
    return input_error(
        Code.TYPE,
        f"expected {expected.phrase}, '{shorten(span.text)}' is {found.phrase}",
        span,
        hint,
    )


def shorten(text: str) -> str:
    """A text on one line, cut if it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= 40 else flat[:39] + "…"
