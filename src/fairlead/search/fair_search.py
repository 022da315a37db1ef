"""The search for a fair execution that the automaton of violations accepts, and the run that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.ltl import Atom
from fairlead.model.assertion import Meaning
from fairlead.model.meaning import meaning_holds
from fairlead.model.run import Run
from fairlead.model.system import State, Step
from fairlead.outcome.component import Component
from fairlead.outcome.events import Phase, Way
from fairlead.outcome.limits import Clock
from fairlead.search.component import ComponentNaming, RawTransition
from fairlead.search.target import IDLE_ACTION, Goal, RawLasso, Target

SearchStatus = _native.SearchStatus

ALL_STEPS = 1 << 62


class Violations(Protocol):
    """What is searched for: executions that an automaton accepts, whose atoms have meanings."""

    @property
    def violations(self) -> Automaton: ...

    @property
    def meanings(self) -> Mapping[Atom, Meaning]: ...


@dataclass(frozen=True)
class FoundPart:
    """The fair part in which a cycle was found: how large it is, and its transitions, unless it is closed."""

    states: int
    count: int
    transitions: list[RawTransition] | None


@dataclass(frozen=True)
class FairRun:
    """A run of the engine. With a part, its loop is a cycle there that need not be fair by itself.

    `is_shortest` tells whether no other lasso that is fair and violates the formula has fewer steps, as far
    as that is known.
    """

    lasso: RawLasso
    part: FoundPart | None = None
    is_shortest: bool = False

    @property
    def rank(self) -> tuple[bool, int]:
        """A loop that is fair by itself is preferred, then a short lasso."""
        _, stem, loop = self.lasso
        return self.part is not None, len(stem) + len(loop)


class FairSearch:
    """One search for a fair accepting component."""

    def __init__(
        self,
        target: Target,
        graph: _native.Graph,
        product: _native.Product,
        question: Violations,
        fairness: _native.Fairness,
        clock: Clock,
    ) -> None:
        self._target = target
        self._graph = graph
        self._product = product
        self._fairness = fairness
        self._question = question
        self._clock = clock
        #: whether a component may stand for a run whose loop would be long
        self.shows_components = target.shows_components
        self._stop_tried = False
        self._native: _native.ComponentSearch | None = None

    @property
    def nodes(self) -> int:
        """How many nodes of the product were visited."""
        return 0 if self._native is None else self._native.node_count

    def is_small(self) -> bool:
        """Explores some states; returns whether these were all."""
        return self._explore(tuning().small_system)

    def explore_all(self) -> None:
        """Explores everything."""
        self._explore(ALL_STEPS)

    def in_complete(self) -> FairRun | None:
        """A lasso in a system that has been explored completely."""
        if self._graph.state_count <= tuning().small_system:
            return self.shortest()
        self._start(early=False, complete=True)
        found = self._dive(ALL_STEPS)[1]
        if found is None or (self._native is not None and self._native.is_global):
            return found  # no part of a closed component is closed
        # components that are offered while they grow give shorter lassos
        self._start(early=True, complete=True)
        return self._dive(ALL_STEPS)[1]

    def shortest(self) -> FairRun | None:
        """The shortest of the lassos found in the components of a small system."""
        self._target.note(Way("explored whole first", "the system is small, and the shortest run is wanted"))
        self._start(early=False, complete=True)
        best: FairRun | None = None
        for _ in range(tuning().competitors):
            found = self._dive(ALL_STEPS)[1]
            if found is None:
                break
            if best is None or found.rank < best.rank:
                best = found
        return None if best is None else self._shortened(best)

    def _shortened(self, known: FairRun) -> FairRun:
        """The shortest lasso of all, if the system is small enough to try every one that is shorter."""
        is_small = self._graph.state_count <= tuning().shortest_lasso_system
        if not is_small or not self._target.is_whole or known.part is not None:
            return known
        _, stem, loop = known.lasso
        below = len(stem) + len(loop)
        with self._target.working(Phase.LASSO, self._clock, self._graph, lambda: self.nodes):
            search = _native.ShortestLasso(self._product, self._fairness, tuning().shortest_lasso_work)
            shorter = search.find(below)
        if shorter is None:
            return replace(known, is_shortest=search.is_complete)
        return FairRun(shorter, is_shortest=search.is_complete)

    def component_of(self, found: FairRun) -> Component | None:
        """The component that stands for the fair loop of a run, if its own loop is only a cycle there."""
        part = found.part
        if part is None:
            return None
        if part.transitions is None:
            return Component(part.states, part.count)
        naming = ComponentNaming(self._target, self._graph, part.transitions)
        start, stem, _ = found.lasso
        return naming.component(stem[-1][1] if stem else start, self._clock.check)

    def first(self, idling_is_fair: bool) -> FairRun | None:
        """The first lasso found, depth first, while the graph is explored in batches.

        The depth-first search finds bugs early; exploring breadth first is faster for the whole. They
        take turns on one graph: what one has expanded the other need not. Where idling is fair, the first
        state without transitions is examined as well.
        """
        self._target.note(Way("on the fly", "exploration and search take turns, to find violations early"))
        self._stop_tried = not idling_is_fair
        lasso = self._idling()
        if lasso is not None:
            return lasso
        self._start(early=True, complete=False)
        shortest, share = tuning().shortest_dive, tuning().dive_share
        while True:
            status, lasso = self._dive(max(shortest, self._graph.transition_count // share))
            if status is not SearchStatus.PAUSED:
                return lasso
            complete = self._explore(4 * self._graph.state_count, until_stop=not self._stop_tried)
            lasso = self._idling()
            if lasso is not None:
                return lasso
            if complete:
                return self.in_complete()

    def _start(self, early: bool, complete: bool) -> None:
        with self._target.working(Phase.CYCLE, self._clock, self._graph):  # propositions may be evaluated
            self._native = _native.ComponentSearch(self._product, self._fairness, early, complete)
        if self._native.is_by_layers:
            why = "the automaton stays where it is, once it has left its first state"
            self._target.note(Way("layer by layer", why))

    def _dive(self, steps: int) -> tuple[_native.SearchStatus, FairRun | None]:
        assert self._native is not None
        with self._target.working(Phase.CYCLE, self._clock, self._graph, lambda: self.nodes):
            status = self._native.run(steps)
        if status is not SearchStatus.FOUND:
            return status, None
        with self._target.working(Phase.LASSO, self._clock, self._graph, lambda: self.nodes):
            return status, self._shown()

    def _shown(self) -> FairRun:
        """A fair lasso into the part that was found; where its loop would be long, a cycle in the part."""
        native, product = self._native, self._product
        assert native is not None
        # where states stand for several, only a component that is never left says something of the system
        if not self.shows_components or not (self._target.is_whole or native.is_global):
            return FairRun(native.lasso(product))
        lasso = native.lasso(product, tuning().longest_loop)
        if lasso[2]:
            return FairRun(lasso)
        states, count = native.component_size(product)
        transitions = None
        if not native.is_global:
            if count > tuning().judged_transitions:
                return FairRun(native.lasso(product))
            transitions = native.transitions(product)
        return FairRun(native.cycle(product), FoundPart(states, count, transitions))

    def _idling(self) -> FairRun | None:
        """The way to the first state without transitions, if idling there violates the formula.

        Idling is fair under every notion, and a deadlock violates most of what should happen, so this is
        worth a look before the search has come by.
        """
        if self._stop_tried or not isinstance(self._graph, _native.NetworkGraph):
            return None
        with self._target.working(Phase.CYCLE, self._clock, self._graph):
            stop = self._graph.find(Goal.STOP, _native.NO_CODE)
            if stop is None:
                return None
            self._stop_tried = True
            start, *stem = self._graph.path_to(stop)
        lasso = (start[1], stem, [(IDLE_ACTION, stop)])
        return FairRun(lasso) if self._violates(self._target.run(self._graph, *lasso)) else None

    def _violates(self, run: Run) -> bool:
        """Whether the automaton of violations accepts a run."""
        automaton = self._question.violations

        def letter(state: State, step: Step | None) -> int:
            return sum(
                1 << number
                for number, atom in enumerate(automaton.atoms)
                if meaning_holds(self._target.system, self._question.meanings[atom], state, step)
            )

        stem = [letter(run.start, None), *(letter(step.target, step) for step in run.stem)]
        return automaton.accepts_lasso(stem, [letter(step.target, step) for step in run.loop])

    def _explore(self, states: int, until_stop: bool = False) -> bool:
        """Explores up to a number of states; whether that was all."""
        limit = self._target.most_states
        with self._target.working(Phase.EXPLORING, self._clock, self._graph, lambda: self.nodes):
            complete = self._target.explore(min(states, limit), until_stop)
        if not complete and self._graph.state_count > limit:
            raise Stopped(LimitKind.STATES)
        return complete
