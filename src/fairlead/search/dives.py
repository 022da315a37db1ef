"""Runs dives: searches that go deep at once, alternating with an exhaustive search.

The exhaustive search goes first, and dives begin when it has met more than a small number of states. They
have a graph of their own, so the exhaustive search is not affected by them. Which of them is next depends on
the amount of work done, never on the time: the same seed finds the same run.
"""

from __future__ import annotations

from collections.abc import Callable

from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.model.expression import Expression
from fairlead.model.run import Run
from fairlead.outcome.events import Phase, Way
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock
from fairlead.search.closeness import closeness_of
from fairlead.search.target import Goal, NetworkTarget, Target

DiveOrder = _native.DiveOrder

_METHODS = {
    DiveOrder.FIRST: "depth-first dive",
    DiveOrder.LAST: "depth-first dive, last steps first",
    DiveOrder.RANDOM: "random dive",
    DiveOrder.DOWNHILL: "dive towards the goal",
    DiveOrder.NEAREST: "best-first search",
}
#: dives that begin again now and then: the next one may choose better
_RANDOM = (DiveOrder.RANDOM, DiveOrder.DOWNHILL)
#: what the others do not find in so many turns is left to these
_PLAIN_TURNS = 50
#: on a memory that is used up to this share dives end: the rest is for the exhaustive search
_MEMORY_SHARE = 4


@dataclass(frozen=True)
class Sought:
    """What dives look for.

    A goal of the system (with the code of a condition, if it is one), or a state of the automaton of
    `product` that is `accepting`. The condition, if there is one, is a `guide` to where it is true.
    """

    product: Callable[[_native.Graph], _native.Product]
    goal: Goal = Goal.NONE
    condition: int = _native.NO_CODE
    guide: Expression | None = None
    accepting: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Found:
    """A run that a dive found, how it was found, and how many states and transitions were examined."""

    run: Run
    method: str
    states: int
    transitions: int

    def finding(self, verdict: Verdict, other: Statistics, is_shortest: bool) -> Finding:
        """The run as an answer; `other` is what the exhaustive search has examined."""
        statistics = Statistics(
            self.states + other.states,
            self.transitions + other.transitions,
            other.seconds,
            other.memory_bytes,
            other.product_nodes,
            complete=False,
        )
        return Finding(verdict, self.run, statistics, None, self.method, is_shortest=is_shortest)


def whole_system(graph: _native.Graph) -> _native.Product:
    """A graph without a formula."""
    return _native.Product(_native.Atoms(graph, None), _native.Automaton.everything())


class Dives:
    """The dives of one search."""

    def __init__(self, target: NetworkTarget, sought: Sought, clock: Clock) -> None:
        self._target = target
        self._sought = sought
        self._clock = clock
        self._pools = 0
        self._work = 0
        self._pool: _Pool | None = None
        self._is_over = False
        self._begun = False

    @classmethod
    def beside(cls, target: Target, sought: Sought, clock: Clock) -> Dives | None:
        """Dives that alternate with an exhaustive search, unless a shortest run is required.

        Nor are there any for unboundedly many processes: short runs are the ones of few processes.
        """
        if not isinstance(target, NetworkTarget) or not target.diving.is_allowed or target.has_unbounded:
            return None
        return cls(target, sought, clock)

    def next_turn(self, states: int) -> int:
        """Up to how many states the exhaustive search is to continue, which has met some."""
        first = tuning().first_dives_at
        if self._is_over:
            return self._target.most_states
        return min(self._target.most_states, first if states < first else states + states // 2)

    def turn(self, states: int) -> Found | None:
        """Dives, for a time that is short compared with a search that has met so many states."""
        if self._is_over:
            return None
        if not self._begun:
            self._begun = True
            self._target.note(Way("dives", "they take turns with the exploration, to find deep states early"))
        graph = self._target.known_graph()
        assert graph is not None
        with self._target.working(Phase.DIVING, self._clock, graph, lambda: self._work):
            try:
                found = self._dive(states)
            except _native.EngineFault as error:
                fault = self._target.fault(error)
                if self._pool is not None:
                    fault.run = self._pool.run_to_fault()
                raise fault from None
            except _native.EngineLimit as limit:
                if limit.args[0] is not _native.Limit.MEMORY:
                    raise
                found = None
                self._end()
        if self._is_memory_short():
            self._end()
        return found

    def _is_memory_short(self) -> bool:
        limit = self._target.limits.memory(self._target.memory_used)
        return self._target.memory_used > limit // _MEMORY_SHARE

    def _end(self) -> None:
        self._is_over = True
        self._pool = None

    def _dive(self, states: int) -> Found | None:
        pool = self._pool
        if pool is None or pool.states > tuning().first_dives_at + states:
            pool = self._pool = None  # its memory first
            pool = self._pool = _Pool(self._target, self._sought, self._target.diving.seed, self._pools)
            self._pools += 1
        at_once = (pool.orders if pool.is_guided else 1) * tuning().first_dive
        allowed = at_once + _allowed(states, is_guided=pool.is_guided)
        while self._work < allowed:
            before = pool.work
            order = pool.dive()
            self._work += pool.work - before
            if order is not None:
                effort = max(self._work, states // tuning().shortening_share)
                return pool.found(order, effort)
            if pool.is_exhausted:
                self._end()
                return None
        return None


class _Pool:
    """A graph with dives in it, each with a share of the visits."""

    def __init__(self, target: NetworkTarget, sought: Sought, seed: int, before: int) -> None:
        """`before` is how many pools there were before, whose orders are not to be repeated."""
        self._target = target
        self._graph = target.new_graph_for_dives()
        closeness = None if sought.guide is None else closeness_of(sought.guide, target.code)
        self._goal = _native.DiveGoal(
            self._graph, sought.product(self._graph), sought.goal, sought.condition, sought.accepting
        )
        orders = [DiveOrder.RANDOM] if closeness is None else [DiveOrder.DOWNHILL, DiveOrder.NEAREST]
        if before == 0:
            orders += [DiveOrder.FIRST, *([DiveOrder.LAST] if closeness is None else [])]
        self.orders = len(orders)
        self.is_guided = closeness is not None
        first = (seed << 16) + (before << 8)
        self._waiting = [
            _Lane(self._goal, order, closeness, first + number) for number, order in enumerate(orders)
        ]
        self.work = 0

    @property
    def states(self) -> int:
        """How many states there are in the graph."""
        return self._graph.state_count

    def run_to_fault(self) -> Run | None:
        """A way to the state in which a dive has met a run-time error."""
        return self._target.run_to_fault(self._graph)

    @property
    def is_exhausted(self) -> bool:
        """Whether no dive has anything left to visit."""
        return not self._waiting

    def dive(self) -> DiveOrder | None:
        """Continues the dive that is next; returns the order in which it found the goal, if it did."""
        lane = self._waiting.pop(0)
        status, done = lane.go_on(tuning().first_dive)
        self.work += done
        if status is _native.SearchStatus.FOUND:
            return lane.order
        if status is _native.SearchStatus.PAUSED and not lane.is_over:
            self._waiting.append(lane)
        return None

    def found(self, order: DiveOrder, effort: int) -> Found:
        """The run that was found, shortened within an effort."""
        start, stem, loop = self._goal.shortened_run(effort)
        run = self._target.run(self._graph, start, stem, loop)
        states, transitions = self._target.counts(self._graph)
        return Found(run, _METHODS[order], states, transitions)


class _Lane:
    """Dives in one order. A random one that finds nothing begins again, each time with twice as much work."""

    def __init__(
        self, goal: _native.DiveGoal, order: DiveOrder, closeness: _native.Closeness | None, seed: int
    ) -> None:
        self.order = order
        self._goal = goal
        self._closeness = closeness
        self._seed = seed << 8
        self._turns = 1 if order in _RANDOM else _PLAIN_TURNS
        self._left = self._turns
        self._dive = self._new_dive()

    @property
    def is_over(self) -> bool:
        """Whether another order is to continue instead."""
        return self._left <= 0 and self.order in (DiveOrder.FIRST, DiveOrder.LAST)

    def go_on(self, work: int) -> tuple[_native.SearchStatus, int]:
        """Does some more work; how that ended, and how much it was."""
        before = self._dive.work
        status = self._dive.run(work)
        done = self._dive.work - before
        self._left -= 1
        if status is _native.SearchStatus.PAUSED and self._left == 0 and self.order in _RANDOM:
            self._seed += 1
            self._turns *= 2
            self._left = self._turns
            self._dive = self._new_dive()
        return status, done

    def _new_dive(self) -> _native.Dive:
        return _native.Dive(self._goal, self.order, self._seed, tuning().deepest_dive, self._closeness)


def _allowed(states: int, *, is_guided: bool) -> int:
    """How much work dives may do besides a search that has met so many states.

    A visit of a dive takes about twice the time of a state of the exhaustive search. A goal with a condition
    can mostly be reached, so that dives towards it are worth more than those for any deadlock.
    """
    if is_guided:
        until, before, beyond = tuning().eager_dives_until, tuning().dive_part, 2 * tuning().dive_part
    else:
        until, before = tuning().unguided_dives_until, tuning().unguided_dive_part
        beyond = tuning().late_unguided_dive_part
    first = min(states, until)
    return first // before + (states - first) // beyond
