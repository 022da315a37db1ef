"""Represents single assumptions about the scheduler: weak or strong fairness to one event or process."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.logic.fairness.demand import subject_conjunct
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Subject
from fairlead.model.annotation import Demand
from fairlead.model.assertion import EventAtom, ProcessAtom, StepAtom
from fairlead.model.labels import TERMINATE, is_internal

#: names that a formula can have without quotes
_PLAIN = re.compile(r"[A-Za-z_]\w*(?:\.-?\w+)*(?:\([\w\s,.-]*\))?(?:#\d+)?")


class Strength(Enum):
    """How much is assumed; the value is how it is written."""

    WEAK = "wf"
    STRONG = "sf"

    @property
    def function(self) -> str:
        """As a fairness formula has it."""
        return "weak" if self is Strength.WEAK else "strong"


@dataclass(frozen=True)
class Assumption:
    """The scheduler is weakly, or strongly, fair to one event or process."""

    subject: Subject
    name: str
    strength: Strength

    def __str__(self) -> str:
        return f"{self.strength.value}({self.name})"

    @property
    def sort_key(self) -> tuple[int, str, str]:
        """An order for people: processes before events, names as they are written."""
        return -self.subject.value, self.name, self.strength.value

    @property
    def can_be_written(self) -> bool:
        """Whether a formula can name the subject: internal steps and termination have no names there."""
        return self.subject is Subject.PROCESSES or not (is_internal(self.name) or self.name == TERMINATE)

    @property
    def weaker(self) -> Assumption | None:
        """Weak fairness to the same subject, if this one is strong."""
        return (
            Assumption(self.subject, self.name, Strength.WEAK) if self.strength is Strength.STRONG else None
        )

    @property
    def conjunct(self) -> Conjunct:
        """What it demands of an execution."""
        is_process = self.subject is Subject.PROCESSES
        atom: StepAtom = ProcessAtom(frozenset({self.name})) if is_process else EventAtom.of(self.name)
        return subject_conjunct(
            str(self), atom, Demand.STRONG if self.strength is Strength.STRONG else Demand.WEAK
        )

    def formula(self, ambiguous: Collection[str] = ()) -> str:
        """As a fairness formula; `ambiguous` are the names that an event and a process have."""
        name = self.name if _PLAIN.fullmatch(self.name) else f'"{self.name}"'
        if self.name in ambiguous:
            name = f"{'process' if self.subject is Subject.PROCESSES else 'event'} {name}"
        return f"{self.strength.function}({name})"


def in_order(assumptions: Iterable[Assumption]) -> tuple[Assumption, ...]:
    """Sorted for people."""
    return tuple(sorted(assumptions, key=lambda assumption: assumption.sort_key))
