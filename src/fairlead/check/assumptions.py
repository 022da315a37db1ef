"""Annotations as assumptions of a check: which there are, and whether they can be satisfied.

Under `f`, `wl` and `sl` a finite run need not be the beginning of a fair execution. So it is asked from which
states some execution is fair: if from no initial state, everything holds vacuously.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.check.finding import Shortfall
from fairlead.check.limits import Clock
from fairlead.check.target import Target
from fairlead.engine import _native
from fairlead.engine.annotations import EngineAnnotations
from fairlead.logic.fairness import Fairness
from fairlead.model.annotation import Annotated


class Assumptions:
    """The annotations of a system whose graph is complete. What was computed is kept for later questions."""

    def __init__(self, target: Target, graph: _native.Graph, clock: Clock) -> None:
        self.graph = graph
        with target.working("reading annotations", clock, graph):
            self._annotations: EngineAnnotations = target.annotations(graph)
        self.annotated = self._annotations.annotated
        self.clauses = self._annotations.clauses(self.annotated)
        # every execution, read by an automaton of one state that accepts all of them
        self._everything = _native.Product(graph, 1, 0, 0, [(0, 0, 0, 0, 0)], [], [], [True])
        self._shortfalls: dict[Fairness, Shortfall | None] = {}

    def shortfall(self, target: Target, fairness: Fairness, clock: Clock) -> Shortfall | None:
        """What cannot be satisfied, if there are reachable states from which no execution is fair."""
        if not any(annotated.annotation.may_be_unsatisfiable for annotated in self.annotated):
            return None
        if fairness not in self._shortfalls:
            with target.working("looking for fair executions", clock, self.graph):
                self._shortfalls[fairness] = self._find_shortfall(target, fairness)
        return self._shortfalls[fairness]

    def _find_shortfall(self, target: Target, fairness: Fairness) -> Shortfall | None:
        region = self._region(fairness, self.annotated)
        if region.has_all:
            return None
        total = not region.has_start

        def falls_short(notion: Fairness, chosen: Sequence[Annotated]) -> bool:
            part = self._region(notion, chosen)
            return not (part.has_start if total else part.has_all)

        notion = Fairness.NONE if falls_short(Fairness.NONE, self.annotated) else fairness
        first_suspects = sorted(self.annotated, key=lambda one: not one.annotation.may_be_unsatisfiable)
        core = smallest_failing(first_suspects, lambda chosen: falls_short(notion, chosen))
        (_, start), *steps = region.way_out()
        return Shortfall(tuple(core), notion, total, target.run(self.graph, start, steps, []))

    def _region(self, fairness: Fairness, chosen: Sequence[Annotated]) -> _native.FairRegion:
        clauses = self._annotations.clauses(chosen)
        return _native.FairRegion(
            self._everything, fairness.subject.value, fairness.is_strong, fairness.is_global, clauses
        )


def smallest_failing(
    candidates: Sequence[Annotated], fails: Callable[[Sequence[Annotated]], bool]
) -> list[Annotated]:
    """A part of the candidates that fails and none of whose proper parts does; all of them together fail.

    What fails goes on failing with more added. So of the shortest failing beginning the last one is needed.
    """
    needed: list[Annotated] = []
    remaining = list(candidates)
    while not fails(needed):
        low, high = 1, len(remaining)
        while low < high:
            middle = (low + high) // 2
            if fails([*needed, *remaining[:middle]]):
                high = middle
            else:
                low = middle + 1
        needed.append(remaining[low - 1])
        remaining = remaining[: low - 1]
    return sorted(needed)


def assumptions_of(target: Target, clock: Clock) -> Assumptions:
    """The annotations of a system that has been explored completely."""
    graph = target.graph()
    known = target.assumptions
    if not isinstance(known, Assumptions) or known.graph is not graph:
        known = target.assumptions = Assumptions(target, graph, clock)
    return known
