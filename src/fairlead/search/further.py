"""Further counterexamples, which differ in substance from those that are known.

Finite runs differ if they end in different states: the order of independent steps does not change where they
lead to. An error keeps nothing of a state but whose it is, so runs to errors differ also in their last
events. Lassos differ if neither loop executes all events of the other; a run that stops is one of
its own. Of all loops those with the fewest events are shown: every other loop executes all events of one of
them, and more. What a set of events allows, a larger one allows as well; so the smallest sets are found with
a hitting set tree (Reiter, A theory of diagnosis from first principles, Artificial Intelligence 32, 1987).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from fairlead.base.allowance import Stopped, tick
from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.logic.fairness.condition import AlmostAlways, Condition, InfinitelyOften
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.ltl import Atom, AtomKind, Not
from fairlead.model.assertion import EventAtom
from fairlead.model.meaning import meaning_holds
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System, idle_step, is_stuck
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Clock
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion, accepts_everything
from fairlead.search.survey import ViolationSurvey
from fairlead.search.target import IDLE_ACTION, RawSteps, Target

#: after so many searches for other loops, the rest is left open
MOST_SEARCHES = 2000
#: the clock is examined after so many nodes
_BATCH = 1000

N = TypeVar("N")
#: a state of the graph, and if it is an error, the event that led to it
_Place = tuple[int, str | None]
#: a set of events
Events = frozenset[str]


@dataclass(frozen=True)
class Further:
    """Runs that differ in substance, the known one (or one with fewer events in its loop) first.

    `is_all` if there are no others; otherwise `problem` says what ended the search, unless there are enough.
    """

    runs: tuple[Run, ...]
    is_all: bool
    problem: str | None = None


def _collected(known: Iterable[Run], found: Iterator[Run | None], most: int) -> Further:
    """The runs that a search finds, until there are enough; it yields None when it gives up."""
    runs = list(known)
    try:
        for run in found:
            if run is None:
                return Further(tuple(runs), False, "limit of searches")
            if len(runs) == most:
                return Further(tuple(runs), False)
            runs.append(run)
    except Stopped as stop:
        return Further(tuple(runs), False, stop.kind.value)
    return Further(tuple(runs), True)


# ---------------------------------------------------------------- finite runs


def further_stops(
    target: Target, is_bad: Callable[[System, State], bool], known: Run, most: int, clock: Clock
) -> Further:
    """Shortest runs to other states without steps that are bad."""
    return _collected([known], _stops(target, is_bad, known, clock), most)


def is_deadlock(system: System, state: State) -> bool:
    """For `further_stops`: it is stuck without having terminated."""
    return is_stuck(system, state)


def is_end(system: System, state: State) -> bool:
    """For `further_stops`: whatever has no steps, unless it is an error."""
    return system.failed_process(state) is None


def is_unsafe(system: System, state: State) -> bool:
    """For `further_stops`: it is a deadlock or an error."""
    return system.failed_process(state) is not None or is_stuck(system, state)


def _stops(
    target: Target, is_bad: Callable[[System, State], bool], known: Run, clock: Clock
) -> Iterator[Run]:
    graph = target.explore_all(clock)
    search: _BreadthFirst[_Place] = _BreadthFirst(target, graph, clock)
    errors: dict[int, bool] = {}

    def is_error(number: int) -> bool:
        if number not in errors:
            state = None if graph.edges(number) else target.state(graph, number)
            errors[number] = state is not None and target.system.failed_process(state) is not None
        return errors[number]

    def place(action: int, number: int) -> tuple[_Place, int, int]:
        return (number, graph.action(action)[0] if is_error(number) else None), number, action

    first = (((start, None), start, IDLE_ACTION) for start in graph.initial)
    failed = target.system.failed_process(known.loop_start) is not None
    shown = (known.loop_start, known.stem[-1].event if failed and known.stem else None)
    for here in search.nodes(first):
        number, event = here
        edges = graph.edges(number)
        if not edges:
            state = target.state(graph, number)
            if (state, event) != shown and is_bad(target.system, state):
                yield search.run(here)
        search.add(here, (place(action, following) for action, following in edges))


class _BreadthFirst(Generic[N]):
    """Nodes in the order of their distance; each has the state of the system that it stands for."""

    def __init__(self, target: Target, graph: _native.Graph, clock: Clock) -> None:
        self._target = target
        self._graph = graph
        self._clock = clock
        self._came_from: dict[N, tuple[N | None, int, int]] = {}
        self._queue: deque[N] = deque()

    def nodes(self, first: Iterable[tuple[N, int, int]]) -> Iterator[N]:
        """The nodes one after the other; those found meanwhile come too."""
        self.add(None, first)
        seen = 0
        while self._queue:
            tick()
            seen += 1
            if seen % _BATCH == 0:
                self._clock.check()
                self._target.report(Phase.EXPLORING, self._clock, self._graph, seen)
            yield self._queue.popleft()

    def add(self, source: N | None, found: Iterable[tuple[N, int, int]]) -> None:
        """Takes notice of the nodes after a node, each with its state and the action into it."""
        for node, state, action in found:
            if node not in self._came_from:
                self._came_from[node] = (source, state, action)
                self._queue.append(node)

    def run(self, node: N) -> Run:
        """A shortest run to a node."""
        steps: RawSteps = []
        source, state, action = self._came_from[node]
        while source is not None:
            steps.append((action, state))
            source, state, action = self._came_from[source]
        return self._target.run(self._graph, state, steps[::-1], [])


def further_prefixes(target: Target, question: LtlQuestion, known: Run, most: int, clock: Clock) -> Further:
    """Shortest bad prefixes that end in other states; none is longer than it must be to be bad."""
    return _collected([known], _prefixes(target, question, known, clock), most)


def _prefixes(target: Target, question: LtlQuestion, known: Run, clock: Clock) -> Iterator[Run]:
    graph = target.explore_all(clock)
    automaton, everything = question.violations, accepts_everything(question)
    letters = _Letters(target, graph, question)
    search: _BreadthFirst[tuple[int, frozenset[int]]] = _BreadthFirst(target, graph, clock)
    ends = {known.loop_start}

    def read(states: Iterable[int], action: int, number: int) -> frozenset[int]:
        letter = letters.letter(action, number)
        return frozenset(t.target for one in states for t in automaton.transitions[one] if t.allows(letter))

    def node(states: Iterable[int], action: int, number: int) -> tuple[tuple[int, frozenset[int]], int, int]:
        return (number, read(states, action, number)), number, action

    first = (node([automaton.initial], IDLE_ACTION, start) for start in graph.initial)
    for place in search.nodes(first):
        number, states = place
        if any(everything[one] for one in states):
            state = target.state(graph, number)
            if state not in ends:
                ends.add(state)
                yield search.run(place)
            continue
        edges = graph.edges(number) or [(IDLE_ACTION, number)]
        search.add(place, (node(states, action, following) for action, following in edges))


class _Letters:
    """What the automaton reads, by the reference semantics."""

    def __init__(self, target: Target, graph: _native.Graph, question: LtlQuestion) -> None:
        self._target = target
        self._graph = graph
        self._question = question
        self._known: dict[tuple[int, int], int] = {}

    def letter(self, action: int, number: int) -> int:
        """The letter of a state after a step into it."""
        key = (action, number)
        if key not in self._known:
            state = self._target.state(self._graph, number)
            self._known[key] = self._letter(state, self._step(action, state))
        return self._known[key]

    def _step(self, action: int, state: State) -> Step:
        if action == IDLE_ACTION:
            return idle_step(state)
        event, processes = self._graph.action(action)
        return Step(event, frozenset(processes), state)

    def _letter(self, state: State, step: Step) -> int:
        question = self._question
        return sum(
            1 << number
            for number, atom in enumerate(question.violations.atoms)
            if meaning_holds(self._target.system, question.meanings[atom], state, step)
        )


# ---------------------------------------------------------------- lassos


def further_lassos(
    target: Target, question: LtlQuestion, asked: FairnessAsked, known: Run | None, most: int, clock: Clock
) -> Further:
    """Lassos whose loops execute different sets of events, as few as possible.

    Begins with those of the known run, unless that is None.
    """
    try:
        survey = ViolationSurvey(target, question, asked, clock)
    except Stopped as stop:
        return Further(() if known is None else (known,), False, stop.kind.value)
    return _collected([], _Loops(survey, clock).runs(known), most)


class _Loops:
    def __init__(self, survey: ViolationSurvey, clock: Clock) -> None:
        self._survey = survey
        self._clock = clock
        self._events: Events = frozenset(survey.events)

    def runs(self, known: Run | None) -> Iterator[Run | None]:
        """The run that stops, if there is one, and a run for each smallest set of events; the known first."""
        is_idle = known is not None and not _events_of(known)
        stops = known if is_idle else self._stopping()
        if is_idle:
            yield stops
        yield from self._looping(None if is_idle else known)
        if stops is not None and not is_idle:
            yield stops

    def _stopping(self) -> Run | None:
        return self._survey.violation([_demand("stops", self._events, is_executed=False)])

    def _looping(self, known: Run | None) -> Iterator[Run | None]:
        found: list[Events] = []
        pending: deque[Events] = deque([frozenset()])
        seen: set[Events] = {frozenset()}
        while pending:
            if self._survey.searches > MOST_SEARCHES:
                yield None
                return
            avoided = pending.popleft()
            events = next((events for events in found if not events & avoided), None)
            if events is None:
                run = known if known is not None and not found else self._within(self._events - avoided)
                if run is None:
                    continue  # avoiding more finds nothing either
                run = self._smallest(run)
                events = _events_of(run)
                found.append(events)
                yield run
            for event in sorted(events):
                more = avoided | {event}
                if more not in seen:
                    seen.add(more)
                    pending.append(more)

    def _smallest(self, run: Run) -> Run:
        """A run without whose events no other one can do in part."""
        needed: set[str] = set()
        while candidates := sorted(_events_of(run) - needed):
            self._clock.check()
            fewer = self._within(_events_of(run) - {candidates[0]})
            if fewer is None:
                needed.add(candidates[0])
            else:
                run = fewer
        return run

    def _within(self, allowed: Events) -> Run | None:
        """A violation whose loop executes some of these events and no others."""
        if not allowed:
            return None
        avoided = self._events - allowed
        demanded = [_demand("continues", allowed, is_executed=True)]
        if avoided:
            demanded.append(_demand("avoids", avoided, is_executed=False))
        return self._survey.violation(demanded)


def _demand(text: str, events: Events, *, is_executed: bool) -> Conjunct:
    """That one of the events is executed infinitely often, or that none is from some point on."""
    atom = Atom(text, AtomKind.EXECUTED)
    condition: Condition = InfinitelyOften(atom) if is_executed else AlmostAlways(Not(atom))
    return Conjunct(text, condition, {atom: EventAtom(events)})


def _events_of(run: Run) -> Events:
    """The events of a loop; none where it idles."""
    return frozenset(step.event for step in run.loop if step != idle_step(step.target))
