"""Judges claims about how a process behaves: that it stops, branches under one event, or diverges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairlead.base.records import dataclass
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.validate import HAS_STEPS, NO_LOOP, VISIBLE_STEP, Claim
from fairlead.model.labels import TAU, is_internal
from fairlead.model.run import Run
from fairlead.model.system import Step, System


@dataclass(frozen=True)
class ReachesStop(Claim):
    """The run ends in a state without steps."""

    def judge(self, system: System, run: Run) -> str | None:
        """Looks at the last state."""
        return HAS_STEPS if system.steps(run.loop_start) else None


@dataclass(frozen=True)
class LoopsInternally(Claim):
    """The run ends in a loop of internal steps."""

    def judge(self, system: System, run: Run) -> str | None:
        """Looks at the events of the loop."""
        if not run.loop:
            return NO_LOOP
        visible = [step.event for step in run.loop if not is_internal(step.event)]
        return f"{VISIBLE_STEP} ({visible[0]})" if visible else None


@dataclass(frozen=True)
class BranchesUnderOneEvent(Claim):
    """The last state has two different successors under one label, all internal steps having the same."""

    def judge(self, system: System, run: Run) -> str | Explanation:
        """Looks for two such steps."""
        seen: dict[str, Step] = {}
        for step in system.steps(run.loop_start):
            event = TAU if is_internal(step.event) else step.event
            first = seen.setdefault(event, step)
            if first.target != step.target:
                return TwoSuccessors(system, event, first, step)
        return "the last state has one successor for each event"


@dataclass(frozen=True)
class TwoSuccessors(Explanation):
    """A state can go two ways under one event."""

    system: System
    event: str
    first: Step
    second: Step

    def lines(self) -> Iterator[str]:
        """Both ways, by what is different after them."""
        yield f"then {self.event} leads to two different states:"
        after = [self.system.describe(step.target) for step in (self.first, self.second)]
        parts = [_parts(description) for description in after]
        for step, own, other in zip((self.first, self.second), parts, reversed(parts), strict=True):
            shown = [f"{name}: {text}" for name, text in own.items() if other.get(name) != text]
            who = ", ".join(sorted(step.processes))
            yield f"  {step.event.rpartition('@')[0] or step.event} by {who}  {'; '.join(shown)}".rstrip()

    def to_json(self) -> dict[str, Any]:
        """The event and both steps."""
        return {
            "kind": "nondeterminism",
            "event": self.event,
            "steps": [
                {
                    "event": step.event,
                    "processes": sorted(step.processes),
                    "state": self.system.describe(step.target),
                }
                for step in (self.first, self.second)
            ],
        }


def _parts(description: dict[str, Any]) -> dict[str, str]:
    """A description of a state, as names and texts."""
    found: dict[str, str] = {}
    for key, value in description.items():
        if isinstance(value, dict):
            found |= {str(name): str(entry) for name, entry in value.items()}
        else:
            found[key] = str(value)
    return found
