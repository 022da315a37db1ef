"""Presents coverage as text: a table of definitions, then the lines with parts that are never executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.diagnostics import counted
from fairlead.base.source import Source
from fairlead.evidence.actions import ALL_WITH_JSON
from fairlead.outcome.coverage import Coverage, CoveredPlace
from fairlead.present.sentences.coverage import NEVER_EXECUTED, headline, kind_text, remarks

#: no more lines of the model than this are shown
SHOWN_LINES = 50
#: longer lines are cut
_WIDTH = 120


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """The coverage, line by line."""
    yield headline(coverage)
    yield from (f"note: {remark}" for remark in remarks(coverage))
    if not coverage.definitions:
        yield f"{'transitions':>11}  event"
        yield from (f"{count:>11,}  {event}" for event, count in coverage.events.items())
        return
    yield f"{'executed':>8} {'places':>7}  definition"
    for definition in (one for one in coverage.definitions if one.places):
        yield f"{definition.covered:>8} {len(definition.places):>7}  {definition.name}"
    if coverage.uncovered:
        yield f"{NEVER_EXECUTED}:"
        yield from _never(coverage.uncovered)


def _never(places: Sequence[CoveredPlace]) -> Iterator[str]:
    by_line: dict[tuple[str, int], list[CoveredPlace]] = {}
    for place in sorted(places, key=lambda place: place.span.key):
        by_line.setdefault((place.span.source.name, place.span.line), []).append(place)
    last = None
    for (name, line), found in list(by_line.items())[:SHOWN_LINES]:
        if name != last:
            yield f"{name}:"
            last = name
        yield from _marked(found[0].span.source, line, found)
    if len(by_line) > SHOWN_LINES:
        yield f"… {counted(len(by_line) - SHOWN_LINES, 'more line')} ({ALL_WITH_JSON})"


def _marked(source: Source, number: int, places: Sequence[CoveredPlace]) -> Iterator[str]:
    """A line of the model with the places marked below it: the part from the first of them, if it is long."""
    text = source.line(number)
    first = max(0, places[0].span.column - 21) if len(text) > _WIDTH else 0
    shown = "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
    shown = shown[first : first + _WIDTH]
    marks = ["\t" if c == "\t" else " " for c in shown]
    inside = [place for place in places if place.span.column - 1 - first < len(shown)]
    for place in inside:
        start = place.span.column - 1 - first
        width = max(1, min(place.span.end - place.span.start, len(shown) - start))
        marks[start : start + width] = "^" * width
    kinds = ", ".join(dict.fromkeys(map(kind_text, inside)))
    more = len(places) - len(inside)
    rest = f" and {counted(more, 'more place')}" if more else ""
    before, after = "…" if first else "", "…" if first + _WIDTH < len(text) else ""
    yield f"{number:>6} | {before}{shown.rstrip()}{after}"
    yield f"{'':>6} | {' ' * len(before)}{''.join(marks).rstrip()}  {kinds}{rest}"
