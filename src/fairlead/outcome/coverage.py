"""Coverage: how often the transitions of a system execute each place in the text of its model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from fairlead.base.diagnostics import Diagnostic
from fairlead.base.display import presenter
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.coverable import PlaceKind


@dataclass(frozen=True)
class CoveredPlace:
    """A place in the text, and how many transitions execute it."""

    kind: PlaceKind
    span: Span
    count: int

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        line, column = self.span.end_position
        end = {"end_line": line, "end_column": column}
        return {"kind": self.kind.value, **self.span.to_json(), **end, "count": self.count}


@dataclass(frozen=True)
class CoveredDefinition:
    """A definition of the text, with its places in the order of the text.

    There are so many more that are `uncounted`: the steps do not tell which of them is executed.
    """

    name: str
    span: Span
    places: tuple[CoveredPlace, ...]
    uncounted: int = 0

    @property
    def covered(self) -> int:
        """How many of its places are executed."""
        return sum(place.count > 0 for place in self.places)

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "name": self.name,
            **self.span.to_json(),
            "covered": self.covered,
            "total": len(self.places),
            **({"uncounted": self.uncounted} if self.uncounted else {}),
            "places": [place.to_json() for place in self.places],
        }


@dataclass(frozen=True)
class Coverage:
    """How often each place is executed by the transitions between the states that were explored.

    They are those of all `processes` together. `stopped` tells which limit ended the exploration, if one did:
    then places that are not covered may be executed by what was not explored. `events` has the number of
    transitions for each event, and `failures` are the alternatives that failed at run time, which are not
    transitions.
    """

    processes: tuple[str, ...]
    states: int
    transitions: int
    definitions: tuple[CoveredDefinition, ...]
    events: Mapping[str, int] = field(repr=False)
    failures: tuple[Diagnostic, ...] = ()
    stopped: str | None = None

    @property
    def complete(self) -> bool:
        """Whether all reachable states were explored."""
        return self.stopped is None

    @property
    def places(self) -> Sequence[CoveredPlace]:
        """The places of all definitions."""
        return [place for definition in self.definitions for place in definition.places]

    @property
    def uncovered(self) -> Sequence[CoveredPlace]:
        """The places that no transition executes."""
        return [place for place in self.places if not place.count]

    def to_json(self) -> dict[str, Any]:
        """For programs (docs/reference/json.md)."""
        return {
            "processes": list(self.processes),
            "states": self.states,
            "transitions": self.transitions,
            "complete": self.complete,
            **({} if self.stopped is None else {"reason": self.stopped}),
            "definitions": [definition.to_json() for definition in self.definitions],
            "events": dict(self.events),
            **({"failures": [one.to_json() for one in self.failures]} if self.failures else {}),
        }

    def __str__(self) -> str:
        return presenter().text(self)

    def _repr_html_(self) -> str:
        return presenter().notebook(self)
