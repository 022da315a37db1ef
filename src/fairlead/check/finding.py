"""What a check found: a verdict, a run that shows it, and what was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fairlead.model.run import Run


class Verdict(Enum):
    """The three possible answers."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Statistics:
    """What a check looked at: states and transitions of the system, and nodes of the product, if any."""

    states: int
    transitions: int
    seconds: float
    memory_bytes: int
    product_nodes: int = 0
    complete: bool = True


@dataclass(frozen=True)
class Finding:
    """The outcome of one check.

    `reason` says why a verdict is unknown, `optimum` is the best value of a quantity that was asked for.
    """

    verdict: Verdict
    run: Run | None
    statistics: Statistics
    reason: str | None = None
    method: str = ""
    optimum: int | None = None
