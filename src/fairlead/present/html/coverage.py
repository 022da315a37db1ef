"""Coverage on a page: the text of the model with counts in the margin, and marks where nothing came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.source import Source
from fairlead.outcome.coverage import Coverage, CoveredPlace
from fairlead.present.html.markup import Content, Markup, joined, tag
from fairlead.present.html.page import Contents, Section
from fairlead.present.sentences.coverage import NEVER_EXECUTED, headline, kind_text, remarks


def coverage_contents(coverage: Coverage) -> Contents:
    """Coverage as a part of a page."""
    return Contents(_body(coverage))


def coverage_section(coverage: Coverage, name: str = "coverage") -> Section:
    """Coverage as a section of a page."""
    return Section(name, "Coverage", _body(coverage))


def _body(coverage: Coverage) -> Markup:
    title = headline(coverage)
    return joined(
        tag("p", f"{title[0].upper()}{title[1:]}.", class_="fl-lead"),
        (tag("p", remark, class_="fl-notice", role="note") for remark in remarks(coverage)),
        _definitions(coverage) if coverage.definitions else _events(coverage),
        (_text(source, places) for source, places in _by_source(coverage)),
    )


def _definitions(coverage: Coverage) -> Markup:
    rows = (
        tag(
            "tr",
            tag("th", tag("code", definition.name), scope="row"),
            tag("td", str(definition.covered), class_="fl-count"),
            tag("td", str(len(definition.places)), class_="fl-count"),
        )
        for definition in coverage.definitions
        if definition.places
    )
    return _table(("definition", "executed", "places"), rows, "fl-verdicts")


def _events(coverage: Coverage) -> Markup:
    rows = (
        tag("tr", tag("th", tag("code", event), scope="row"), tag("td", f"{count:,}", class_="fl-count"))
        for event, count in coverage.events.items()
    )
    return _table(("event", "transitions"), rows, "fl-verdicts")


def _table(heads: Sequence[str], rows: Iterator[Markup], name: str) -> Markup:
    head = tag("thead", tag("tr", (tag("th", text, scope="col") for text in heads)))
    return tag("div", tag("table", head, tag("tbody", rows), class_=name), class_="fl-scroll")


def _by_source(coverage: Coverage) -> list[tuple[Source, list[CoveredPlace]]]:
    found: dict[str, tuple[Source, list[CoveredPlace]]] = {}
    for place in coverage.places:
        found.setdefault(place.span.source.name, (place.span.source, []))[1].append(place)
    return list(found.values())


def _text(source: Source, places: Sequence[CoveredPlace]) -> Markup:
    """A text: for each line, how often what begins on it is executed, its number, and the line itself."""
    counts: dict[int, int] = {}
    for place in places:
        line = place.span.line
        counts[line] = max(counts.get(line, 0), place.count)
    never = [place for place in places if not place.count]
    marked = bytearray(len(source.text))
    for place in never:
        marked[place.span.start : place.span.end] = b"\1" * (place.span.end - place.span.start)
    missing = {place.span.start: kind_text(place) for place in never if place.span.start == place.span.end}
    rows = []
    start = 0
    for number, text in enumerate(source.text.split("\n"), 1):
        count = counts.get(number)
        rows.append(
            tag(
                "tr",
                tag("td", "" if count is None else f"{count:,}", class_="fl-count"),
                tag("td", str(number), class_="fl-count fl-quiet"),
                tag("td", tag("code", _pieces(text, start, marked, missing))),
                class_="fl-never" if count == 0 else None,
            )
        )
        start += len(text) + 1
    heads = ("executed", "line", source.name)
    return _table(heads, iter(rows), "fl-coverage")


def _pieces(line: str, start: int, marked: bytearray, missing: dict[int, str]) -> Iterator[Content]:
    """A line in pieces that are marked or not; an omitted part that is never executed is inserted."""
    begin = 0
    for end in range(1, len(line) + 1):
        if start + begin in missing and end == begin + 1:
            yield tag("mark", missing[start + begin], class_="fl-missing", title=NEVER_EXECUTED)
        at_edge = end == len(line) or marked[start + end] != marked[start + begin] or start + end in missing
        if at_edge:
            piece = line[begin:end]
            yield tag("mark", piece, title=NEVER_EXECUTED) if marked[start + begin] else piece
            begin = end
