"""The text of the model on a page: once, with a name for each line, so that every run can point into it.

The script of the page puts a copy next to each run, and marks in it what the chosen step executes. Without
it, steps have links to the lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.checker.result import Result
from fairlead.present.html.markup import Markup, joined, separated, tag
from fairlead.present.html.page import Section

#: steps that execute more lines have links to the first ones
SHOWN_LINES = 4


@dataclass(frozen=True)
class LinePart:
    """A part of one line: the number of its text, the line, and the columns before and behind it."""

    text: int
    line: int
    start: int
    end: int

    def to_json(self) -> list[int]:
        """For the script."""
        return [self.text, self.line, self.start, self.end]


class ModelText:
    """The texts that the runs of a page point into, numbered as they are met."""

    def __init__(self, name: str, main: Source | None = None) -> None:
        """`name` begins the names of the lines in the page; `main` is the text that includes the others."""
        self._name = name
        self._main = main
        self._sources: dict[str, Source] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the texts, by their numbers."""
        return tuple(self._sources)

    def part(self, span: Span) -> LinePart:
        """A place in a text; of one that goes over several lines, what is on its first line."""
        if self._main is not None:
            self._sources.setdefault(self._main.name, self._main)
        self._sources.setdefault(span.source.name, span.source)
        numbers = list(self._sources)
        line, column = span.line, span.column
        length = len(span.source.line(line))
        end = min(length, column - 1 + span.end - span.start)
        return LinePart(numbers.index(span.source.name), line, column - 1, end)

    def parts(self, spans: Iterable[Span]) -> list[list[int]]:
        """Places for the script."""
        return [self.part(span).to_json() for span in spans]

    def links(self, spans: Iterable[Span]) -> Markup:
        """Links to the lines of places; another text than the first is named."""
        lines = list(dict.fromkeys((part.text, part.line) for part in map(self.part, spans)))
        shown = (self._link(text, line) for text, line in lines[:SHOWN_LINES])
        return joined(separated(shown), " …" if len(lines) > SHOWN_LINES else None)

    def _link(self, text: int, line: int) -> Markup:
        name = _shown_name(list(self._sources.values())[text])
        named = f"{PurePath(name).name}:{line}" if text else str(line)
        return tag("a", named, href=f"#{self._line_name(text, line)}", title=f"line {line} of the model")

    def _line_name(self, text: int, line: int) -> str:
        return f"{self._name}-{text}-{line}"

    def section(self) -> Section | None:
        """The texts that were pointed into; None if there are none."""
        if not self._sources:
            return None
        return Section(self._name, "The text of the model", joined(self._figures()))

    def _figures(self) -> Iterator[Markup]:
        for number, source in enumerate(self._sources.values()):
            rows = (
                tag(
                    "tr",
                    tag("td", str(line), class_="fl-count fl-quiet"),
                    tag("td", tag("code", text)),
                    id=self._line_name(number, line),
                )
                for line, text in enumerate(source.text.rstrip("\n").split("\n"), 1)
            )
            heads = (tag("th", head, scope="col") for head in ("line", _shown_name(source)))
            yield tag(
                "div",
                tag(
                    "table", tag("thead", tag("tr", *heads)), tag("tbody", rows), class_="fl-coverage fl-text"
                ),
                class_="fl-scroll fl-source",
                data_text=number,
            )


def main_text(results: Iterable[Result]) -> Source | None:
    """The text in which the questions stand, if they stand in one."""
    spans = (result.subject.span for result in results if result.subject is not None)
    return next((span.source for span in spans if span is not None), None)


def _shown_name(source: Source) -> str:
    """The name of a text as it was given; a path of this machine means nothing on another one."""
    path = PurePath(source.name)
    return path.name if path.is_absolute() else source.name
