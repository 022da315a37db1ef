"""Represents the subject of a check: a system with its reference semantics and its graphs in the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from fairlead.base.allowance import LimitKind, Stopped, enter_phase
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.engine.annotations import EngineAnnotations
from fairlead.engine.journal import Journal
from fairlead.engine.network import EngineNetwork
from fairlead.model.counting import counted_nodes
from fairlead.model.evaluation import Fault
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.expression import Expression
from fairlead.model.network import Network
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Proposition, State, Step, System
from fairlead.model.tree import Configuration
from fairlead.outcome.events import Listener, Note, Phase, Progress, Reporter, Tables
from fairlead.outcome.finding import Statistics
from fairlead.outcome.limits import Clock, Limits
from fairlead.search.checkpoint import Checkpointing, Checkpoints
from fairlead.search.disk import engine_context
from fairlead.search.engine_limits import engine_limit

Goal = _native.Goal

#: also stands for the step into the start, which is none
IDLE_ACTION = _native.IDLE_ACTION

#: an action with the state after it
RawStep = tuple[int, int]
RawSteps = list[RawStep]
#: a start, a stem and a loop
RawLasso = tuple[int, RawSteps, RawSteps]


@dataclass(frozen=True)
class Diving:
    """Whether runs that may not be shortest ones are searched for as well, and with which random choices."""

    is_allowed: bool = True
    seed: int = 0


class Target(ABC):
    """A system and its graph in the engine. What was explored for one question serves the next.

    A target that is examined together with another one shares its memory limit and its clock.
    """

    system: System

    def __init__(self, limits: Limits, beside: Target | None = None) -> None:
        self.limits = limits
        self.reporter: Reporter | None = None
        self.diving = Diving()
        #: searches stop at so many states even if the limits allow more; the graph is kept, to continue later
        self.pause_at: int | None = None
        #: whether components may be evidence
        self.shows_components = False
        self._context: _native.Context = (
            engine_context(limits, tuning().least_work) if beside is None else beside._context
        )
        self._checkpointing: Checkpointing | None = None
        #: kept by search/assumptions.py between questions
        self.assumptions: object = None
        #: kept by search/progress.py
        self.terminal_sets: object = None
        #: kept by search/ctl/branching.py
        self.labelled: object = None

    @property
    def most_states(self) -> int:
        """Up to how many states a search may go."""
        return self.limits.states if self.pause_at is None else min(self.limits.states, self.pause_at)

    @property
    def _is_paused(self) -> bool:
        """Whether searches stop before the limit on states is reached."""
        return self.pause_at is not None and self.pause_at < self.limits.states

    @abstractmethod
    def graph(self) -> _native.Graph:
        """The graph with its transitions, explored as far as it has been."""

    def known_graph(self) -> _native.Graph | None:
        """The graph that was explored for the last question, if it is still there."""
        return self.graph()

    @abstractmethod
    def explore(self, state_limit: int, until_stop: bool = False) -> bool:
        """Explores the graph further, up to a number of states; whether it is complete.

        With `until_stop` it pauses at the next state that has no transitions.
        """

    def explore_all(self, clock: Clock) -> _native.Graph:
        """The complete graph; raises `Stopped` if a limit does not allow it."""
        graph = self.graph()
        with self.working(Phase.EXPLORING, clock, graph):
            if not self.explore(self.most_states):
                raise Stopped(LimitKind.STATES)
        return graph

    @abstractmethod
    def proposition(self, proposition: Proposition) -> int:
        """The engine's number of a state proposition."""

    @abstractmethod
    def state(self, graph: _native.Graph, number: int) -> State:
        """The state with a number in a graph."""

    @abstractmethod
    def annotations(self, graph: _native.Graph) -> EngineAnnotations:
        """What is annotated in the states of the graph, which must be complete."""

    @property
    def conserved(self) -> Sequence[str]:
        """Local states of unboundedly many processes that are left forever iff they are entered."""
        return ()

    @property
    def has_unbounded(self) -> bool:
        """Whether there are unboundedly many processes, so that some runs are of no number of them."""
        return False

    @property
    def is_reduced(self) -> bool:
        """Whether the transitions of a state are known only when everything is explored."""
        return False

    @property
    def is_whole(self) -> bool:
        """Whether its graph has all states and steps of the system, each for itself."""
        return True

    @abstractmethod
    def explored(self) -> _native.Graph | None:
        """A graph that is known to be complete, if there is one."""

    def keeps_steps(self, graph: _native.Graph) -> bool:
        """Whether one of its graphs has transitions, or just states."""
        return True

    def counts(self, graph: _native.Graph) -> tuple[int, int]:
        """How many states and transitions of the system a graph has."""
        return graph.state_count, graph.transition_count

    @property
    def memory_used(self) -> int:
        """What the engine holds now, in bytes."""
        return self._context.memory_used

    # ------------------------------------------------------------ working with the engine

    def report(self, phase: Phase, clock: Clock, graph: _native.Graph | None, nodes: int = 0) -> None:
        """Tells the reporter, if there is one, how far the work is; messages about limits name the phase."""
        enter_phase(phase)
        if self.reporter is None:
            return
        states, transitions = (0, 0) if graph is None else self.counts(graph)
        depth = 0 if graph is None else _depth(graph)
        memory, limit = self._context.memory_used, self.limits.max_memory
        self.reporter(Progress(phase, states, transitions, memory, clock.seconds, depth, nodes, limit))

    def note(self, note: Note) -> None:
        """Tells the reporter, if it wants to know, how a question is answered."""
        if isinstance(self.reporter, Listener):
            self.reporter.note(note)

    def note_tables(self) -> None:
        """Tells what is held of the system, if the reporter wants to know."""
        graph = self.known_graph()
        if graph is not None:
            of = graph.bytes
            used, depth = self._context.memory_used, _depth(graph)
            self.note(Tables(of.records, of.table, of.parents, of.edges, used, depth))

    @contextmanager
    def working(
        self, phase: Phase, clock: Clock, graph: _native.Graph, nodes: Callable[[], int] = lambda: 0
    ) -> Iterator[None]:
        """While inside, the engine reports progress, keeps the limits and can be interrupted.

        `nodes` tells how many nodes a search has visited.
        """

        def tick() -> None:
            clock.check()
            if self._checkpointing is not None and self._checkpointing.is_due:
                self.report(Phase.SAVING, clock, graph)
                self._checkpointing.save(graph)
            self.report(phase, clock, graph, nodes())

        self._context.set_memory_limit(self.limits.memory(self._context.memory_used))
        self._context.set_ticker(tick)
        try:
            with self._within_limits():
                if self._checkpointing is not None and self._checkpointing.is_waiting:
                    self.report(Phase.RESUMING, clock, graph)
                    self._checkpointing.resume(graph)
                self.report(phase, clock, graph, nodes())
                yield
        except BaseException as error:
            if self._checkpointing is not None and not isinstance(error, _native.EngineFault):
                self._checkpointing.save(graph)
            # the engine may have been stopped between two states of a batch: what it holds is not to be
            # taken for an explored graph by a later question. Numbers of states are compared between batches
            # only: where the search pauses at one, the graph is sound, and can be explored further.
            if not (self._is_paused and isinstance(error, Stopped) and error.kind is LimitKind.STATES):
                self.discard()
            if isinstance(error, _native.EngineFault):
                error = self.fault(error)
            if isinstance(error, Fault) and error.run is None:
                error.run = self.run_to_fault(graph)
            raise error from None
        finally:
            self._context.clear_ticker()

    @contextmanager
    def _within_limits(self) -> Iterator[None]:
        """While inside, a limit of the engine is one of the check."""
        try:
            yield
        except _native.EngineLimit as limit:
            raise engine_limit(limit) from None

    @abstractmethod
    def discard(self) -> None:
        """Forgets graphs that may be incomplete in ways they do not know."""

    @property
    def checkpoint_problem(self) -> str | None:
        """Why the last checkpoint could not be written."""
        return None if self._checkpointing is None else self._checkpointing.problem

    def fault(self, error: _native.EngineFault) -> Fault:
        """A run-time error of the engine, in the model's words."""
        raise AssertionError(error)  # an explicit graph has no code that could fail

    def run_to_fault(self, graph: _native.Graph) -> Run | None:
        """A way to the state examined last; of no use where something else than a step has failed."""
        return None

    def run(self, graph: _native.Graph, start: int, stem: RawSteps, loop: RawSteps) -> Run:
        """A run of the engine as a run of the system."""

        def step(action: int, number: int) -> Step:
            event, processes = graph.action(action)
            return Step(event, frozenset(processes), self.state(graph, number))

        return Run(
            self.state(graph, start),
            tuple(step(action, number) for action, number in stem),
            tuple(step(action, number) for action, number in loop),
        )

    def statistics(
        self, graph: _native.Graph, clock: Clock, product_nodes: int = 0, complete: bool = True
    ) -> Statistics:
        """What has been examined."""
        states, transitions = self.counts(graph)
        memory = self._context.memory_peak
        return Statistics(states, transitions, clock.seconds, memory, product_nodes, complete)


class NetworkTarget(Target):
    """A network. Reachability explores without keeping transitions; everything else keeps them."""

    def __init__(
        self,
        network: Network,
        limits: Limits,
        beside: Target | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        super().__init__(limits, beside)
        self._engine = EngineNetwork(network, None if checkpoints is None else Journal())
        if checkpoints is not None:
            self._checkpointing = Checkpointing(checkpoints, self._engine)
        self._network = network
        self._plain: _native.NetworkGraph | None = None
        self._full: _native.NetworkGraph | None = None
        self.system = NetworkSystem(network)

    @property
    def conserved(self) -> Sequence[str]:
        """Those that have been seen; all, when the graph is complete."""
        return () if self._network.counting is None else self._network.counting.conserved()

    @property
    def has_unbounded(self) -> bool:
        """Whether the number of some processes is known up to a cutoff only."""
        if self._network.counting is None:
            return False
        states = NetworkSystem(self._network).initial_states()
        return any(node.cutoff is not None for state in states for node in counted_nodes(state.tree))

    @property
    def is_whole(self) -> bool:
        """Whether no processes are counted or exchanged, and no steps left out."""
        return not self.is_reduced and self._network.counting is None and self._network.interchange is None

    def explored(self) -> _native.NetworkGraph | None:
        """Preferably the one with transitions."""
        known = (self._full, self._plain)
        return next((graph for graph in known if graph is not None and graph.complete), None)

    def keeps_steps(self, graph: _native.Graph) -> bool:
        """Not the one for reachability."""
        return graph is self._full

    def graph(self) -> _native.NetworkGraph:
        """The graph with its transitions.

        With checkpoints it is complete: searches that run ahead of the exploration would number states in
        another order after a pause.
        """
        if self._full is None:
            self._plain = None  # its memory is needed
            full = self._full = self._new_graph(keep_edges=True)
            if self._checkpointing is not None:
                self._explore_whole(full)
            return full
        return self._full

    def _explore_whole(self, graph: _native.NetworkGraph) -> None:
        clock = Clock(self.limits)
        try:
            self.explore_all(clock)
        except Stopped as stop:
            stop.statistics = self.statistics(graph, clock, complete=False)
            raise

    def plain_graph(self) -> _native.NetworkGraph:
        """The graph without its transitions, for reachability."""
        if self._plain is None:
            self._plain = self._new_graph(keep_edges=False)
        return self._plain

    def encoder(self) -> _native.CanonicalEncoder:
        """What gives the canonical encoding of states."""
        return self._engine.encoder(self._context)

    def new_graph_for_dives(self) -> _native.NetworkGraph:
        """A graph with the initial states and all their steps, without reduction; it is not kept."""
        with self._within_limits():
            return self._engine.graph(self._context, keep_edges=True)

    def new_graph_for_walks(self, begin: State | None) -> _native.NetworkGraph:
        """A graph with the initial states, or with the state that a walk continues from; it is not kept."""
        assert begin is None or isinstance(begin, Configuration)
        with self._within_limits():
            return self._engine.graph(self._context, keep_edges=True, begin=begin)

    def code(self, expression: Expression) -> int:
        """The code of an expression over shared variables."""
        return self._engine.condition(expression)

    def known_graph(self) -> _native.Graph | None:
        """The one with transitions, or else the one without."""
        return self._full or self._plain

    def discard(self) -> None:
        """Both graphs are made again when they are asked for."""
        self._plain = self._full = self.assumptions = self.terminal_sets = self.labelled = None

    def _new_graph(self, keep_edges: bool) -> _native.NetworkGraph:
        with self._within_limits():
            graph = self._engine.graph(self._context, keep_edges)
        most_kept = tuning().most_kept
        if most_kept is not None:
            graph.keep_at_most(most_kept)
        return graph

    def explore(self, state_limit: int, until_stop: bool = False) -> bool:
        """Explores breadth first, in batches."""
        graph = self.graph()
        graph.explore(Goal.STOP if until_stop else Goal.NONE, _native.NO_CODE, state_limit)
        return graph.complete

    def proposition(self, proposition: Proposition) -> int:
        """The code of a condition over shared variables."""
        return self.code(proposition.meaning)

    def state(self, graph: _native.Graph, number: int) -> State:
        """The configuration with a number."""
        assert isinstance(graph, _native.NetworkGraph)
        with self._within_limits():
            return self._engine.configuration(graph, number)

    def exchange(self, configuration: Configuration) -> tuple[int, ...]:
        """How the members of the network's interchange are exchanged where a configuration is replaced."""
        with self._within_limits():
            return self._engine.exchange(self._full or self.plain_graph(), configuration)

    def annotations(self, graph: _native.Graph) -> EngineAnnotations:
        """Looks at every state for the annotated steps that are ready in it."""
        assert isinstance(graph, _native.NetworkGraph)
        with self._within_limits():
            found = _native.Annotations(graph)
            found.find(graph)
        return EngineAnnotations(graph, found)

    def counts(self, graph: _native.Graph) -> tuple[int, int]:
        """An ERROR is not a state, but what leads to it is a transition."""
        assert isinstance(graph, _native.NetworkGraph)
        return graph.state_count - graph.error_count, graph.transition_count

    def fault(self, error: _native.EngineFault) -> Fault:
        """Where the model went wrong, and how."""
        return self._engine.fault(error)

    def run_to_fault(self, graph: _native.Graph) -> Run | None:
        """Through what was expanded; None if there is no time or memory left for it."""
        assert isinstance(graph, _native.NetworkGraph)
        try:
            with self._within_limits():
                path = graph.path_to(graph.current)
        except Stopped:
            return None
        is_known = path[0][1] in graph.initial
        return self.run(graph, path[0][1], path[1:], []) if is_known else None


def _depth(graph: _native.Graph) -> int:
    return max(0, graph.level_count - 1)


def target_of(
    system: Network | ExplicitGraph,
    limits: Limits,
    beside: Target | None = None,
    checkpoints: Checkpoints | None = None,
) -> Target:
    """A system as something to be checked."""
    if isinstance(system, Network):
        return NetworkTarget(system, limits, beside, checkpoints)
    from fairlead.search.explicit_target import ExplicitTarget  # most models are not graphs

    return ExplicitTarget(system, limits, beside)
