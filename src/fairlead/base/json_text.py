"""Reads JSON from files that may hold anything: whatever is wrong is one error, with its place."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

#: Python reads no longer numbers, and nothing that fairlead writes has one
MOST_DIGITS = 400
_LONG_NUMBER = re.compile(rf"\d{{{MOST_DIGITS + 1},}}")
_CONSTANT = re.compile(r"\bNaN\b|-?\bInfinity\b")


class NotJson(Exception):
    """A text is not JSON: what is wrong, and where in the text, as far as that is known."""

    def __init__(self, message: str, place: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


def parse_json(text: str) -> Any:
    """The value of a text; raises `NotJson`.

    Unlike Python's own reader it refuses what JSON does not have (`NaN`, half a character), and what would be
    read in one of several ways: an object in which a name stands twice.
    """
    long = _LONG_NUMBER.search(text)  # perhaps in a text
    whole = int if long is None else _whole
    try:
        value = json.loads(text, parse_int=whole, parse_constant=_no_constant, object_pairs_hook=_object_of)
    except json.JSONDecodeError as error:
        raise NotJson(error.msg, error.pos) from None
    except _LongNumber:
        place = None if long is None else long.start()
        raise NotJson(f"a number has more than {MOST_DIGITS} digits", place) from None
    except _NoConstant as error:
        found = _CONSTANT.search(text)
        raise NotJson(f"{error} is not a number", None if found is None else found.start()) from None
    except _Repeated as error:
        raise NotJson(f"{error} occurs twice in one object") from None
    except RecursionError:
        raise NotJson("nested too deeply") from None
    place = _half_character(text)
    if place is not None and not _is_text(value):
        raise NotJson("half a character in a text (a lone \\ud…)", place)
    return value


class _LongNumber(Exception):
    pass


class _NoConstant(Exception):
    pass


class _Repeated(Exception):
    pass


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise _LongNumber
    return int(text)


def _no_constant(text: str) -> NoReturn:
    raise _NoConstant(text)


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Repeated(repr(next(name for name in names if names.count(name) > 1)))
    return found


def _half_character(text: str) -> int | None:
    """Where half a character may stand."""
    place = text.lower().find("\\ud")
    return None if place < 0 else place


def _is_text(value: Any) -> bool:
    """Whether all texts in JSON data can be written."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
