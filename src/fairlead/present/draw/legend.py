"""The legend of a picture: what its colours and borders mean, of those that occur in it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.present.draw.emphasis import Mark
from fairlead.present.draw.picture import Ending, Picture
from fairlead.present.draw.style import tint_class
from fairlead.present.draw.text import LONGEST_HEADING, shortened, width


class Swatch(Enum):
    """What a line of the legend explains."""

    NOTHING = 0
    ARROW = 1
    STATE = 2
    DOUBLE_STATE = 3


@dataclass(frozen=True)
class Entry:
    """One line: what is shown, with its classes, and what it means; all of it, if the line is shortened."""

    swatch: Swatch
    classes: str
    text: str
    tooltip: str | None = None

    @property
    def indent(self) -> float:
        """Where the text begins."""
        return 0.0 if self.swatch is Swatch.NOTHING else 34.0

    @property
    def width(self) -> float:
        """How wide the line is."""
        return self.indent + width(self.text)


def legend_of(picture: Picture) -> list[Entry]:
    """The lines that a picture needs."""
    entries: list[Entry] = []
    marks = {state.mark for state in picture.states}
    if Mark.STEM in marks or any(arrow.mark is Mark.STEM for arrow in picture.arrows):
        text = "the run" if Mark.LOOP not in marks else "the run: stem"
        entries.append(Entry(Swatch.ARROW, "arrow stem", text))
    if Mark.LOOP in marks:
        entries.append(Entry(Swatch.ARROW, "arrow loop", "the run: loop, which repeats forever"))
    endings = {state.ending for state in picture.states}
    if Ending.TERMINATED in endings:
        entries.append(Entry(Swatch.DOUBLE_STATE, "state", "terminated"))
    if Ending.DEADLOCK in endings:
        entries.append(Entry(Swatch.STATE, "state deadlock", "deadlock"))
    if Ending.ERROR in endings:
        entries.append(Entry(Swatch.STATE, "state error", "error"))
    entries += [_heading(line) for line in picture.grouping.heading]
    for group in picture.grouping.groups:
        entries.append(Entry(Swatch.STATE, f"state {tint_class(group.tint)}", group.legend))
    return entries


def _heading(line: str) -> Entry:
    text = shortened(line, LONGEST_HEADING)
    return Entry(Swatch.NOTHING, "", text, None if text == line else line)


def swatch(entry: Entry, x: float, y: float) -> Iterator[str]:
    """The thing that a line of the legend explains."""
    if entry.swatch is Swatch.NOTHING:
        return
    if entry.swatch is Swatch.ARROW:
        yield f'<path class="{entry.classes}" d="M{x:.1f},{y:.1f}h24"/>'
        return
    yield f'<circle class="{entry.classes}" cx="{x + 12:.1f}" cy="{y:.1f}" r="6.5"/>'
    if entry.swatch is Swatch.DOUBLE_STATE:
        yield f'<circle class="inner" cx="{x + 12:.1f}" cy="{y:.1f}" r="4"/>'
