"""The notions of fairness (docs/explanation/semantics.md): what each demands of an execution.

All but strong global fairness are conjunctions over subjects (events or processes) x: weak fairness is
Inf(x not enabled) | Inf(x engaged), strong fairness is Fin(x enabled) | Inf(x engaged). Impartiality, which
is Inf(x engaged) for every process x, is the fairness formula `impartial` (`fairness_formula.py`).
"""

from __future__ import annotations

from enum import Enum

from fairlead.base.diagnostics import Code, input_error, nearest


class Subject(Enum):
    """Whom a notion is fair to."""

    NOBODY = 0
    EVENTS = 1
    PROCESSES = 2


class Fairness(Enum):
    """A named notion of fairness; the value is its short name."""

    NONE = "none"
    EVENT_WEAK = "ewf"
    EVENT_STRONG = "esf"
    PROCESS_WEAK = "pwf"
    PROCESS_STRONG = "psf"
    STRONG_GLOBAL = "sgf"
    IMPARTIAL = "impartial"

    @property
    def subject(self) -> Subject:
        """Events, processes, or nobody (none, strong global, and impartial, which is a fairness formula)."""
        if self in (Fairness.EVENT_WEAK, Fairness.EVENT_STRONG):
            return Subject.EVENTS
        if self in (Fairness.PROCESS_WEAK, Fairness.PROCESS_STRONG):
            return Subject.PROCESSES
        return Subject.NOBODY

    @property
    def is_strong(self) -> bool:
        """Whether what is enabled again and again must be taken (not only what stays enabled)."""
        return self in (Fairness.EVENT_STRONG, Fairness.PROCESS_STRONG)

    @property
    def is_global(self) -> bool:
        """Whether every transition of a state visited for ever must be taken for ever."""
        return self is Fairness.STRONG_GLOBAL

    @property
    def continues_every_run(self) -> bool:
        """Whether every finite run is the beginning of a fair execution, whatever the system."""
        return self is not Fairness.IMPARTIAL

    @property
    def title(self) -> str:
        """The name in words."""
        return _TITLES[self]


_TITLES = {
    Fairness.NONE: "no fairness",
    Fairness.EVENT_WEAK: "event-level weak fairness",
    Fairness.EVENT_STRONG: "event-level strong fairness",
    Fairness.PROCESS_WEAK: "process-level weak fairness",
    Fairness.PROCESS_STRONG: "process-level strong fairness",
    Fairness.STRONG_GLOBAL: "strong global fairness",
    Fairness.IMPARTIAL: "impartiality",
}

#: the notions that `all` stands for: those under which every finite run can be continued fairly
CLASSIC = tuple(notion for notion in Fairness if notion.continues_every_run)


def parse_fairness(text: str) -> tuple[Fairness, ...]:
    """Names separated by commas; `all` stands for all but impartiality."""
    found: dict[Fairness, None] = {}
    for name in text.split(","):
        short = name.strip()
        try:
            found |= dict.fromkeys(CLASSIC if short == "all" else (Fairness(short),))
        except ValueError:
            names = [notion.value for notion in Fairness]
            raise input_error(
                Code.USAGE,
                f"unknown fairness '{short}'; known are {', '.join(names)} and all",
                hint=nearest(short, [*names, "all"]),
            ) from None
    return tuple(found)
