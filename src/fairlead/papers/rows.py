"""Published tables as data: what a paper says of a system, and how our model of that system is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness


class Unbounded(Enum):
    """A size that is not a number."""

    ANY = "∞"  # any number of processes


#: how large a system is, in the paper's count; None where it has one size only
Size = int | Unbounded | None


@dataclass(frozen=True)
class Time:
    """The seconds that a tool took, as they are printed: `4.7`, `< 0.1`, `> 671`, `NF` or `−`."""

    tool: str
    printed: str

    @property
    def seconds(self) -> float | None:
        """The number, where just a number is printed."""
        return float(self.printed) if re.fullmatch(r"\d+(\.\d+)?", self.printed) else None


@dataclass(frozen=True)
class Ending:
    """How progress is violated: a trace to a terminal set of states, and the actions in that set."""

    trace: tuple[str, ...]
    actions: frozenset[str]


@dataclass(frozen=True)
class Published:
    """What a paper states, and where: a verdict (if any), times, a number of states, a violation."""

    source: str
    verdict: bool | None = None
    times: tuple[Time, ...] = ()
    states: int | None = None
    ending: Ending | None = None

    @property
    def is_comparable(self) -> bool:
        """Whether there is anything that an answer could agree with; times are of other machines."""
        return self.verdict is not None or self.states is not None or self.ending is not None


class Logic(Enum):
    """How a question is written."""

    ASSERTION = "assertion"  # as in a model file, `System() |= []<> a`
    CTL = "ctl"
    CTL_FINITE_PATHS = "ctl, finite paths end"


@dataclass(frozen=True)
class Counted:
    """Identical processes are counted. There are `any_number` of those with this name, or else so many
    as the model says; more than `cutoff` in one place are just many."""

    any_number: str | None = None
    cutoff: int = 2


@dataclass(frozen=True)
class Question:
    """What our model is asked. `model` is a file among the examples, `constants` are what -D would give."""

    model: str
    text: str
    fairness: Fairness | None = None
    constants: tuple[tuple[str, int], ...] = ()
    logic: Logic = Logic.ASSERTION
    fair: str | None = None
    counted: Counted | None = None


class Extent(Enum):
    """Whether a row is checked unless sizes are given."""

    USUAL = "usual"
    LARGE = "large"  # takes long


@dataclass(frozen=True)
class Row:
    """One entry of a table.

    `fairness` and `claim` (the property) are as they are shown. `reconstruction` says what of the model is
    ours because the paper does not give it; `difference` explains why our verdict is another than the
    published one, where that is known; `remark` is what else is worth knowing about the entry.
    """

    system: str
    size: Size
    claim: str
    fairness: str
    question: Question
    published: Published | None = None
    reconstruction: str | None = None
    difference: str | None = None
    remark: str | None = None
    extent: Extent = Extent.USUAL

    @property
    def expected(self) -> bool | None:
        """The verdict that our model must have; None if the paper states none."""
        stated = None if self.published is None else self.published.verdict
        return stated if stated is None or self.difference is None else not stated

    @property
    def notes(self) -> tuple[str, ...]:
        """All remarks on the row."""
        found = (
            self.reconstruction and f"Reconstructed. {self.reconstruction}",
            self.difference and f"Differs. {self.difference}",
            self.remark,
        )
        return tuple(note for note in found if note)

    @property
    def name(self) -> str:
        """System and size, such as `LE_C 5`."""
        return self.system if self.size is None else f"{self.system} {size_text(self.size)}"


@dataclass(frozen=True)
class Table:
    """A table of a paper (or its claims in words): its rows, and what has to be known to read them."""

    name: str
    title: str
    paper: str
    about: str
    rows: tuple[Row, ...]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools whose times are printed."""
        times = (time for row in self.rows if row.published for time in row.published.times)
        return tuple(dict.fromkeys(time.tool for time in times))


def size_text(size: Size) -> str:
    """A size as it is shown."""
    if size is None:
        return ""
    return size.value if isinstance(size, Unbounded) else str(size)


def times(tools: Sequence[str], printed: Sequence[str]) -> tuple[Time, ...]:
    """One time for each tool; `_` stands for a blank in what is printed."""
    return tuple(Time(tool, text.replace("_", " ")) for tool, text in zip(tools, printed, strict=True))
