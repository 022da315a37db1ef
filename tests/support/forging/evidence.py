"""Results in JSON, altered: something else in the place of each value."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

#: in the place of anything; texts stand for what has a meaning in results
OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    10**30,
    10**399,
    1.5,
    -1e308,
    "",
    "x",
    "none",
    "((",
    "a" * 5_000,
    "7" * 5_000,
    "τ\0\n",
    [],
    [[]],
    [None],
    {},
    {"x": {}},
    {"": None},
)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All places in JSON data."""
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*place, key))


def altered(document: Any, place: tuple[Any, ...], other: Any) -> Any:
    """The document with something else at a place."""
    if not place:
        return other
    found = copy.deepcopy(document)
    inner = found
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = other
    return found


def without(document: Any, place: tuple[Any, ...]) -> Any:
    """The document without what is at a place."""
    found = copy.deepcopy(document)
    inner = found
    for step in place[:-1]:
        inner = inner[step]
    del inner[place[-1]]
    return found


def all_alterations(document: Any) -> Iterator[tuple[str, Any]]:
    """Each value in turn left out, or something else; and what that was."""
    for place in places(document):
        if place:
            yield f"{place} left out", without(document, place)
        for other in OTHERS:
            yield f"{place} = {str(other)[:20]!r}", altered(document, place, other)


def some_alterations(document: Any, chance: random.Random, count: int) -> Iterator[tuple[str, Any]]:
    """Some of them."""
    known = [place for place in places(document) if place]
    for _ in range(count):
        place, other = chance.choice(known), chance.choice((*OTHERS, ...))
        if other is ...:
            yield f"{place} left out", without(document, place)
        else:
            yield f"{place} = {str(other)[:20]!r}", altered(document, place, other)
