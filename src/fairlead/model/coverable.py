"""Lists what of a model's text can be executed: the places that coverage counts."""

from __future__ import annotations

from enum import Enum

from fairlead.base.records import dataclass
from fairlead.base.source import Span


class PlaceKind(Enum):
    """What a place is; the value says it to people and programs."""

    EVENT = "event"
    BRANCH = "branch"
    #: an else or a default that is not written
    MISSING_BRANCH = "missing branch"
    STATEMENT = "statement"


@dataclass(frozen=True)
class CoverablePlace:
    """A place in the text that a transition can execute."""

    kind: PlaceKind
    span: Span


@dataclass(frozen=True)
class Definition:
    """A definition of the text with its places, in the order of the text.

    There are so many more that are `uncounted`, since the steps of the system do not tell which of them is
    executed.
    """

    name: str
    span: Span
    places: tuple[CoverablePlace, ...]
    uncounted: int = 0


def in_order(places: list[CoverablePlace]) -> tuple[CoverablePlace, ...]:
    """The places in the order of the text, each one once."""
    found = {place.span.key: place for place in reversed(places)}
    return tuple(sorted(found.values(), key=lambda place: (place.span.start, -place.span.end)))
