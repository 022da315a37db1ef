"""A system whose reachable states are a decision diagram, and the sets of states that questions are about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fairlead.base.allowance import enter_phase
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.engine.symbolic import EngineSpace, StateSet
from fairlead.model.assertion import Enabled, Meaning, StepAtom
from fairlead.model.expression import Binary, Constant, Expression, Operator, Shared, Unary, UnaryOperator
from fairlead.model.meaning import is_step_of
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, Step
from fairlead.outcome.events import Phase, Progress, Reporter
from fairlead.outcome.finding import Statistics
from fairlead.outcome.limits import Clock, Limits
from fairlead.search.disk import engine_context
from fairlead.search.engine_limits import engine_limit

#: operators that have a value whatever their operands are
_SAFE = {
    Operator.OR,
    Operator.AND,
    Operator.EQUAL,
    Operator.UNEQUAL,
    Operator.LESS,
    Operator.GREATER,
    Operator.LESS_EQUAL,
    Operator.GREATER_EQUAL,
}

#: an event with the processes that take part
Action = tuple[str, frozenset[str]]


class NotEncodable(Exception):
    """A system or a question cannot be put into decision diagrams; the argument says why."""


class SymbolicTarget:
    """A network, its reachable states, and the clock and memory of the check that looks at them."""

    def __init__(self, network: Network, limits: Limits) -> None:
        self.network = network
        self.system = NetworkSystem(network)
        self.limits = limits
        self.reporter: Reporter | None = None
        self.clock = Clock(limits)
        self.is_explored = False
        #: whether only a shortest run will do where one is shown that is finite
        self.needs_shortest = False
        self._phase = Phase.EXPLORING
        self._context = engine_context(limits, tuning().least_work)
        self._space = EngineSpace(network, self._context, tuning().level_order)
        self.native = self._space.native
        self._conditions: dict[Expression, StateSet] = {}

    @contextmanager
    def working(self, clock: Clock, reporter: Reporter | None) -> Iterator[None]:
        """While inside, limits are kept, progress is reported, and the engine can be interrupted."""
        self.clock, self.reporter = clock, reporter
        self._context.set_memory_limit(self.limits.memory(self._context.memory_used))
        self._context.set_ticker(self._tick)
        try:
            yield
        except _native.EngineLimit as limit:
            raise engine_limit(limit) from None
        except _native.EngineFault:
            raise NotEncodable("a step fails at run time") from None
        finally:
            self._context.clear_ticker()

    def enter(self, phase: Phase) -> None:
        """Begins another part of the work."""
        self._phase = phase
        enter_phase(phase)
        self._tick()

    def _tick(self) -> None:
        self.clock.check()
        if self.reporter is not None:
            nodes = self.native.node_count
            memory, limit = self._context.memory_used, self.limits.max_memory
            self.reporter(
                Progress(self._phase, 0, 0, memory, self.clock.seconds, nodes=nodes, memory_limit=limit)
            )

    def explore(self) -> None:
        """Finds all reachable states; raises `NotEncodable` or `Stopped`."""
        if self.is_explored:
            return
        self.enter(Phase.EXPLORING)
        problem = self._space.explore()
        if problem is not None:
            raise NotEncodable(problem)
        self.is_explored = True
        self.reachable = self.native.reachable()
        self.initial = self.native.initial()
        self.nothing = self.native.nothing()
        self.all_steps = self._space.relation()
        self.stopped = self.subtract(self.reachable, self.native.pre(self.reachable, self.all_steps))

    def statistics(self, complete: bool = True) -> Statistics:
        """The number of states, where they are known, and what it took to find them."""
        states = self._space.count(self.reachable) if self.is_explored else 0
        memory = self._context.memory_peak
        return Statistics(states, 0, self.clock.seconds, memory, complete=complete and self.is_explored)

    # ------------------------------------------------------------ sets

    @property
    def actions(self) -> frozenset[Action]:
        """Those of the steps between reachable states."""
        return frozenset(self._space.actions)

    def relation(self, actions: frozenset[Action]) -> int:
        """The steps by some actions."""
        return self._space.relation(lambda event, processes: (event, processes) in actions)

    def unite(self, one: StateSet, other: StateSet) -> StateSet:
        """The union of two sets."""
        return self.native.unite(one, other)

    def intersect(self, one: StateSet, other: StateSet) -> StateSet:
        """The intersection of two sets."""
        return self.native.intersect(one, other)

    def subtract(self, one: StateSet, other: StateSet) -> StateSet:
        """What is in the first set alone."""
        return self.native.subtract(one, other)

    def complement(self, states: StateSet) -> StateSet:
        """The other reachable states."""
        return self.native.subtract(self.reachable, states)

    def contains(self, states: StateSet, state: object) -> bool:
        """Whether a state of the system is in a set."""
        return self._space.contains(states, state)  # type: ignore[arg-type]

    def first(self, states: StateSet) -> object:
        """A state of a set that is not empty."""
        return self._space.first(states)

    def single(self, state: object) -> StateSet:
        """The set of one reachable state."""
        return self._space.single(state)  # type: ignore[arg-type]

    def count(self, states: StateSet) -> int:
        """How many states a set has."""
        return self._space.count(states)

    # ------------------------------------------------------------ meanings

    def where(self, condition: Expression) -> StateSet:
        """The reachable states where a condition holds; raises `NotEncodable` if it reads too much."""
        if condition not in self._conditions:
            self._conditions[condition] = self._where(condition)
        return self._conditions[condition]

    def _where(self, condition: Expression) -> StateSet:
        match condition:
            case Unary(UnaryOperator.NOT, operand):
                return self.complement(self.where(operand))
            # the right side is evaluated only where it matters: elsewhere it could fail
            case Binary(Operator.AND, left, right) if not _can_fail(right):
                return self.intersect(self.where(left), self.where(right))
            case Binary(Operator.OR, left, right) if not _can_fail(right):
                return self.unite(self.where(left), self.where(right))
        found = self._space.holding(self.reachable, condition)
        if found is None:
            raise NotEncodable("a condition reads too many variables at once")
        return found

    def states_where(self, meaning: Meaning) -> StateSet:
        """The reachable states where an atom about states is true."""
        match meaning:
            case Proposition(meaning=condition):
                return self.where(condition)
            case Enabled(subject):
                return self.native.pre(self.reachable, self.relation(self.actions_of(subject)))
        raise NotEncodable("the formula speaks of annotations, or of processes that are counted")

    def actions_of(self, subject: StepAtom) -> frozenset[Action]:
        """The actions that an event or a process takes part in."""
        return frozenset(action for action in self.actions if is_step_of(subject, Step(*action, None)))


def _can_fail(condition: Expression) -> bool:
    """Whether evaluating a condition could fail, as far as its operators tell."""
    match condition:
        case Unary(UnaryOperator.NOT, operand):
            return _can_fail(operand)
        case Binary(operator, left, right) if operator in _SAFE:
            return _can_fail(left) or _can_fail(right)
    return not isinstance(condition, Constant | Shared)
