"""The legend of a picture: what its colours and borders mean, of those that occur in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from fairlead.drawing.emphasis import Mark
from fairlead.drawing.picture import Ending, Picture
from fairlead.drawing.style import LIGHT
from fairlead.drawing.text import width
from fairlead.errors import counted


@dataclass(frozen=True)
class Entry:
    """One line: the classes of the thing shown, whether it is an arrow, and what it means."""

    classes: str
    is_arrow: bool
    text: str
    inner: bool = False
    indent: ClassVar[float] = 34.0

    @property
    def width(self) -> float:
        """How wide the line is."""
        return self.indent + width(self.text)


def legend_of(picture: Picture) -> list[Entry]:
    """The lines that a picture needs."""
    entries: list[Entry] = []
    marks = {state.mark for state in picture.states}
    if Mark.STEM in marks or any(arrow.mark is Mark.STEM for arrow in picture.arrows):
        entries.append(Entry("arrow stem", True, "the run" if Mark.LOOP not in marks else "the run: stem"))
    if Mark.LOOP in marks:
        entries.append(Entry("arrow loop", True, "the run: loop, which repeats for ever"))
    endings = {state.ending for state in picture.states}
    if Ending.TERMINATED in endings:
        entries.append(Entry("state", False, "terminated", inner=True))
    if Ending.DEADLOCK in endings:
        entries.append(Entry("state deadlock", False, "deadlock"))
    if Ending.ERROR in endings:
        entries.append(Entry("state error", False, "error"))
    sizes = Counter(state.component for state in picture.states if state.component is not None)
    for component in sorted(sizes):
        text = f"terminal component {component + 1}: {counted(sizes[component], 'state')}"
        entries.append(Entry(f"state tint{component % len(LIGHT.tints)}", False, text))
    return entries


def swatch(entry: Entry, x: float, y: float) -> Iterator[str]:
    """The thing that a line of the legend explains."""
    if entry.is_arrow:
        yield f'<path class="{entry.classes}" d="M{x:.1f},{y:.1f}h24"/>'
        return
    yield f'<circle class="{entry.classes}" cx="{x + 12:.1f}" cy="{y:.1f}" r="6.5"/>'
    if entry.inner:
        yield f'<circle class="inner" cx="{x + 12:.1f}" cy="{y:.1f}" r="4"/>'
