"""What a check found: a verdict, a run that shows it, and what was examined."""

from __future__ import annotations

from enum import Enum

from fairlead.base.records import dataclass
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.annotation import Annotated
from fairlead.model.run import Run
from fairlead.outcome.component import Component
from fairlead.outcome.demonstration import Demonstration
from fairlead.outcome.vacuity import Vacuity


class Verdict(Enum):
    """The possible answers; an error is that the model fails at run time before there is one."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"
    ERROR = "error"


@dataclass(frozen=True)
class Statistics:
    """What a check examined: states and transitions of the system, and nodes of the product, if any."""

    states: int
    transitions: int
    seconds: float
    memory_bytes: int
    product_nodes: int = 0
    complete: bool = True


@dataclass(frozen=True)
class Shortfall:
    """Conditions that cannot be satisfied together: from the start, or from some reachable states on.

    `fairness` is the notion that they clash with, or none if they clash by themselves. `run` is a shortest
    way to a state from which no execution is fair.
    """

    conditions: tuple[str, ...]
    fairness: Fairness
    is_total: bool
    run: Run


@dataclass(frozen=True)
class TerminalSet:
    """A terminal set of states that violates a progress test.

    `actions` occur in it, `missing` are those that should (one of them, or all); both are sorted. Of the
    `total` terminal sets of the system `violating` do.
    """

    actions: tuple[str, ...]
    missing: tuple[str, ...]
    states: int
    violating: int
    total: int


@dataclass(frozen=True)
class Finding:
    """The outcome of one check.

    `reason` says why a verdict is unknown, `optimum` is the best value of a quantity that was asked for,
    `annotations` are those that the answer depends on, `shortfall` says if they cannot always be satisfied,
    `terminal` is the terminal set that the run of a progress violation ends in, `conjuncts` are what a
    fairness formula demands, `demonstration` are the runs that show a formula of branching time, `holds_in`
    is the number of states where it holds, `partly_in` of those where it does after some of the steps into
    them, and `all_end` says that no infinite path is fair where finite ones do not count. `vacuity` is a
    trivial reason why the verdict is that it holds, if one was searched for and found. `cycle` are the events
    of a cycle around which a cost changes without bound. `is_shortest` tells of a run whether it is
    known to be a shortest one; one that a dive found may not be. None: unsaid. `component` is the fair
    component in which the execution stays, where the loop of the run is only a cycle in it.
    """

    verdict: Verdict
    run: Run | None
    statistics: Statistics
    reason: str | None = None
    method: str = ""
    optimum: int | None = None
    annotations: tuple[Annotated, ...] = ()
    shortfall: Shortfall | None = None
    terminal: TerminalSet | None = None
    conjuncts: tuple[Conjunct, ...] = ()
    demonstration: Demonstration | None = None
    holds_in: int | None = None
    partly_in: int = 0
    all_end: bool = False
    vacuity: Vacuity | None = None
    cycle: tuple[str, ...] = ()
    is_shortest: bool | None = None
    component: Component | None = None

    @property
    def nothing_is_fair(self) -> bool:
        """Whether it is known that there is no fair execution at all."""
        return self.all_end or (self.shortfall is not None and self.shortfall.is_total)
