"""Fairness on single events: the annotations `f(a)`, `wf(a)`, `sf(a)`, `wl(a)`, `sl(a)`."""

from __future__ import annotations

import re
from enum import Enum

from fairlead.base.records import dataclass


class Demand(Enum):
    """What must be for a subject to be taken infinitely often."""

    WEAK = "wanted from some point on"
    STRONG = "wanted infinitely often"
    UNCONDITIONAL = "nothing"


class Annotation(Enum):
    """The kinds of annotations; the value is how one is written."""

    UNCONDITIONAL = "f"
    WEAK = "wf"
    STRONG = "sf"
    WEAK_LIVE = "wl"
    STRONG_LIVE = "sl"

    @property
    def demand(self) -> Demand:
        """Whether the event must be wanted all the time, infinitely often, or not at all."""
        if self is Annotation.UNCONDITIONAL:
            return Demand.UNCONDITIONAL
        return Demand.WEAK if self in (Annotation.WEAK, Annotation.WEAK_LIVE) else Demand.STRONG

    @property
    def looks_at_readiness(self) -> bool:
        """Whether it is enough that one process is ready for the event, its partners or not."""
        return self in (Annotation.WEAK_LIVE, Annotation.STRONG_LIVE)

    @property
    def may_be_unsatisfiable(self) -> bool:
        """Whether there may be states from which no execution is fair.

        There are none for `wf` and `sf`: an execution that takes every transition of a set of states that
        cannot be left takes everything that is enabled there.
        """
        return self not in (Annotation.WEAK, Annotation.STRONG)


@dataclass(frozen=True, order=True)
class Annotated:
    """An annotation of one label, such as `wf(get.1)`."""

    label: str
    kind: str

    @property
    def annotation(self) -> Annotation:
        """The kind of annotation."""
        return Annotation(self.kind)

    def __str__(self) -> str:
        return f"{self.kind}({self.label})"


_TEXT = re.compile(r"(f|wf|sf|wl|sl)\((.+)\)")


def parse_annotated(text: str) -> Annotated | None:
    """The annotation written as `wf(get.1)`, or None."""
    match = _TEXT.fullmatch(text)
    return None if match is None else Annotated(match[2], match[1])
