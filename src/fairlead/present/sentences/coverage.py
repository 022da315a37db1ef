"""Has the sentences about coverage, for text and for pages."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.allowance import LimitKind
from fairlead.base.diagnostics import counted
from fairlead.model.coverable import PlaceKind
from fairlead.outcome.coverage import Coverage, CoveredPlace

#: the list of what no transition executes
NEVER_EXECUTED = "never executed"


def headline(coverage: Coverage) -> str:
    """What was explored, and how much of the text that has executed."""
    size = f"{coverage.states:,} states, {coverage.transitions:,} transitions"
    so_far = "" if coverage.complete else " so far"
    return f"coverage of {', '.join(coverage.processes)}{so_far}: {size}{_share(coverage)}"


def _share(coverage: Coverage) -> str:
    total = len(coverage.places)
    return f", {total - len(coverage.uncovered)} of {counted(total, 'place')} executed" if total else ""


def remarks(coverage: Coverage) -> Iterator[str]:
    """What limits the meaning of the numbers."""
    if coverage.stopped is not None:
        more = "; --max-states N explores more" if coverage.stopped == LimitKind.STATES.value else ""
        yield f"{coverage.stopped} reached: other states may execute more{more}"
    if coverage.failures:
        number, first = len(coverage.failures), coverage.failures[0]
        places = counted(number, "place")
        where = "" if first.span is None else f" ({first.span})"
        yield f"steps that fail at run time are not counted: at {places}, first: {first.message}{where}"
    uncounted = [definition for definition in coverage.definitions if definition.uncounted]
    if uncounted:
        number = sum(definition.uncounted for definition in uncounted)
        names = ", ".join(definition.name for definition in uncounted)
        yield f"{counted(number, 'place')} of {names} cannot be counted: steps do not distinguish them"
    if not coverage.definitions:
        yield "a graph has no text: its events are counted"


def kind_text(place: CoveredPlace) -> str:
    """What a place is, in the words of the text."""
    return "no else" if place.kind is PlaceKind.MISSING_BRANCH else place.kind.value
