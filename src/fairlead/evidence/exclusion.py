"""What would have excluded an execution: the notions and the single assumptions by which a loop is unfair."""

from __future__ import annotations

from typing import Any, Protocol

from fairlead.base.records import dataclass
from fairlead.evidence.fair_loop import fairness_reasons, is_fair
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject, strong_fairness_to
from fairlead.model.run import Run
from fairlead.model.system import System


class Told(Protocol):
    """A reason of any kind, in words."""

    def text(self) -> str: ...


@dataclass(frozen=True)
class Grievance:
    """A process or event to which a loop is unfair: strongly, and perhaps weakly too."""

    subject: Subject
    name: str
    is_weak: bool
    reason: Told

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The single assumptions that exclude the loop."""
        return (f"wf({self.name})", f"sf({self.name})") if self.is_weak else (f"sf({self.name})",)

    @property
    def brief(self) -> str:
        """The weakest assumption that excludes it, and why."""
        return f"{self.assumptions[0]}: {self.reason.text().removeprefix(f'{self.name}: ')}"

    @property
    def text(self) -> str:
        """In words."""
        kind = "process" if self.subject is Subject.PROCESSES else "event"
        return f"unfair to {kind} {self.reason.text()}"

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        kind = "process" if self.subject is Subject.PROCESSES else "event"
        return {"kind": kind, "name": self.name, "assumptions": list(self.assumptions), "text": self.text}


@dataclass(frozen=True)
class Exclusion:
    """The notions by which a loop is unfair, and those to whom it is."""

    notions: tuple[Fairness, ...]
    grievances: tuple[Grievance, ...]

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "notions": [notion.value for notion in self.notions],
            "unfair_to": [grievance.to_json() for grievance in self.grievances],
        }


def exclusion_of(system: System, run: Run) -> Exclusion:
    """What excludes the execution that repeats a loop forever."""
    grievances: list[Grievance] = []
    for subject in (Subject.PROCESSES, Subject.EVENTS):
        grievances += [
            Grievance(subject, reason.subject, reason.disabled is None, reason)
            for reason in fairness_reasons(system, run, strong_fairness_to(subject))
            if not reason.is_fair
        ]

    def is_excluded_by(notion: Fairness) -> bool:
        if notion.subject is Subject.NOBODY:
            return not is_fair(system, run, notion)
        return any(one.subject is notion.subject and (one.is_weak or notion.is_strong) for one in grievances)

    return Exclusion(tuple(filter(is_excluded_by, CLASSIC)), tuple(grievances))
