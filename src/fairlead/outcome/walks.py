"""Represents how random walks end, and what they have done."""

from __future__ import annotations

from enum import Enum

from fairlead.base.records import dataclass


class Ending(Enum):
    """Where a walk ended; the value is for programs."""

    MET = "condition"
    STEPS = "steps"
    DEADLOCK = "deadlock"
    TERMINATED = "terminated"
    ERROR = "error"
    FAULT = "fault"

    @property
    def is_wrong(self) -> bool:
        """Whether something went wrong there."""
        return self in (Ending.DEADLOCK, Ending.ERROR, Ending.FAULT)


@dataclass(frozen=True)
class Tally:
    """What was done: complete walks and all steps, how many different states were visited, and the time.

    `is_exact` is False if it may have been more states. `terminated` is how many walks have terminated.
    `limit` is the limit that ended the work, if one did.
    """

    walks: int
    steps: int
    states: int
    is_exact: bool
    terminated: int
    seconds: float
    limit: str | None = None
