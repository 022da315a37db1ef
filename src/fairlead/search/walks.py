"""Random walks through a system that may be too large to explore: fast and reproducible, but no proof.

A walk is kept as the choices that were made. The order of the steps of a state is that of the text, whatever
was seen before; so a walk can be made again from its choices, and only what is to be shown is decoded.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Mapping
from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.engine import _native
from fairlead.logic.ltl import And, Atom, Constant, Formula, Iff, Implies, Not, Or, fold, subformulas
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom, StepAtom
from fairlead.model.meaning import is_step_of
from fairlead.model.system import Proposition, State, Step
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Clock
from fairlead.outcome.walks import Ending
from fairlead.search.target import IDLE_ACTION, NetworkTarget, Target

#: a graph with more states is given up for a new one: a walk continues from its last state
MOST_STATES = 2_000_000
#: how many steps are made between two looks at the clock
_AT_ONCE = 1 << 12


#: whether something is true in a state of a graph that was entered by an action
Condition = Callable[[int, int], bool]


@dataclass(frozen=True)
class Until:
    """A condition on a state and on the step into it: a formula without temporal operators."""

    formula: Formula
    meanings: Mapping[Atom, Meaning]

    @property
    def operator(self) -> Formula | None:
        """A part that is about more than one position, if there is one."""
        simple = (Constant, Atom, Not, And, Or, Implies, Iff)
        return next((part for part in subformulas(self.formula) if not isinstance(part, simple)), None)

    def value(self, truth: Mapping[Atom, bool]) -> bool:
        """Whether it is met where atoms are true or not: from the definition."""

        def compute(formula: Formula, parts: list[bool]) -> bool:
            match formula:
                case Constant(value):
                    return value
                case Atom():
                    return truth[formula]
                case Not():
                    return not parts[0]
                case And():
                    return all(parts)
                case Or():
                    return any(parts)
                case Implies():
                    return not parts[0] or parts[1]
                case Iff():
                    return parts[0] == parts[1]
            raise AssertionError(formula)

        known: dict[Formula, bool] = {}
        return fold(known, self.formula, compute)


@dataclass(frozen=True)
class Walk:
    """One walk: its number from 1, the initial state it began in, the choices made, and how it ended."""

    number: int
    start: int
    choices: array[int] = field(repr=False)
    ending: Ending

    def __len__(self) -> int:
        return len(self.choices)

    def __bool__(self) -> bool:
        return True


class Walker:
    """Makes random walks. Walks with the same seed and number are the same."""

    def __init__(self, target: Target, until: Until | None, seed: int) -> None:
        self._target = target
        self._until = until
        self._seed = seed
        self._graph = self._new_graph(None)
        self._is_at_start = True
        self._condition = self._new_condition()
        self._visited: set[int] = set()
        self._most_visited = 0
        self.unfinished = Walk(1, 0, array("L"), Ending.STEPS)
        #: whether more than one graph was needed: states may have been met in several of them
        self.is_renewed = False

    @property
    def visited(self) -> int:
        """How many different states walks have been in; if it `is_renewed`, at least so many."""
        return max(self._most_visited, len(self._visited))

    # ------------------------------------------------------------ walking

    def walk(self, number: int, steps: int, clock: Clock) -> Walk:
        """A walk of up to so many steps; raises `Stopped` at a limit."""
        choose = random.Random(f"{self._seed}/{number}").random
        if not self._is_at_start:
            self._renew(None)
        start = int(choose() * len(self._graph.initial))
        choices = array("L")
        #: a walk that a limit ends has its steps here
        self.unfinished = Walk(number, start, choices, Ending.STEPS)
        state, action = self._graph.initial[start], IDLE_ACTION
        while True:
            with self._target.working(Phase.WALKING, clock, self._graph, lambda: len(choices)):
                ending, state, action = self._go_on(state, action, choices, steps, choose)
            if ending is not None:
                return Walk(number, start, choices, ending)
            if self._is_full(self._graph):
                state = self._renew(state)

    def _go_on(
        self, state: int, action: int, choices: array[int], steps: int, choose: Callable[[], float]
    ) -> tuple[Ending | None, int, int]:
        """Some more steps; how the walk has ended, if it has, its last state and the action into it."""
        edges_of, visit, condition = self._graph.edges, self._visited.add, self._condition
        for _ in range(_AT_ONCE):
            visit(state)
            if condition is not None and condition(state, action):
                return Ending.MET, state, action
            try:
                edges = edges_of(state)
            except _native.EngineFault:
                return Ending.FAULT, state, action
            if not edges:
                return self._end(state), state, action
            if len(choices) == steps:
                return Ending.STEPS, state, action
            choice = int(choose() * len(edges))
            choices.append(choice)
            action, state = edges[choice]
        return None, state, action

    def _end(self, state: int) -> Ending:
        system, last = self._target.system, self._target.state(self._graph, state)
        if system.failed_process(last) is not None:
            return Ending.ERROR
        return Ending.TERMINATED if system.has_terminated(last) else Ending.DEADLOCK

    def path(self, walk: Walk, first: int = 0, last: int | None = None) -> tuple[State, list[Step]]:
        """The state after the `first` steps of a walk, and the steps from there up to the `last`.

        The walk is made again; only these steps are decoded.
        """
        graph = self._new_graph(None)
        state = graph.initial[walk.start]
        begin = self._target.state(graph, state)
        steps: list[Step] = []
        for number, choice in enumerate(walk.choices[:last], 1):
            action, state = graph.edges(state)[choice]
            if number > first:
                event, processes = graph.action(action)
                steps.append(Step(event, frozenset(processes), self._target.state(graph, state)))
            elif number == first:
                begin = self._target.state(graph, state)
            if number % _AT_ONCE == 0 and self._is_full(graph):
                graph = self._new_graph(self._target.state(graph, state))
                state = graph.initial[0]
        return begin, steps

    # ------------------------------------------------------------ graphs

    def _new_graph(self, begin: State | None) -> _native.Graph:
        if isinstance(self._target, NetworkTarget):
            return self._target.new_graph_for_walks(begin)
        return self._target.graph()

    def _is_full(self, graph: _native.Graph) -> bool:
        """Whether a walk is to continue in a new graph."""
        if not isinstance(self._target, NetworkTarget):
            return False
        used = self._target.memory_used
        return graph.state_count > MOST_STATES or used > self._target.limits.memory(used) // 2

    def _renew(self, state: int | None) -> int:
        """Continues in a new graph, from a state of the old one or from the start."""
        begin = None if state is None else self._target.state(self._graph, state)
        self._most_visited, self._visited, self.is_renewed = self.visited, set(), True
        self._graph, self._is_at_start = self._new_graph(begin), state is None
        self._condition = self._new_condition()
        return self._graph.initial[0]

    # ------------------------------------------------------------ conditions

    def _new_condition(self) -> Condition | None:
        if self._until is None:
            return None
        meanings = self._until.meanings

        def compute(formula: Formula, parts: list[Condition]) -> Condition:
            match formula:
                case Constant(value):
                    return lambda state, action: value
                case Atom():
                    return self._atom(meanings[formula])
                case Not():
                    return lambda state, action: not parts[0](state, action)
                case And():
                    return lambda state, action: parts[0](state, action) and parts[1](state, action)
                case Or():
                    return lambda state, action: parts[0](state, action) or parts[1](state, action)
                case Implies():
                    return lambda state, action: not parts[0](state, action) or parts[1](state, action)
                case Iff():
                    return lambda state, action: parts[0](state, action) == parts[1](state, action)
            raise AssertionError(formula)

        known: dict[Formula, Condition] = {}
        return fold(known, self._until.formula, compute)

    def _atom(self, meaning: Meaning) -> Condition:
        graph = self._graph
        match meaning:
            case Proposition():
                holds = _remembered(self._proposition(meaning))
                return lambda state, action: holds(state)
            case EventAtom() | ProcessAtom():
                happens = _remembered(_named(graph, meaning))
                return lambda state, action: action != IDLE_ACTION and happens(action)
            case Enabled(subject):
                named = _remembered(_named(graph, subject))
                enabled = _remembered(lambda state: any(named(action) for action, _ in graph.edges(state)))
                return lambda state, action: enabled(state)
        raise AssertionError(meaning)  # the others are not written in formulas

    def _proposition(self, proposition: Proposition) -> Callable[[int], bool]:
        """Whether it is true in a state of the graph: by its code, or, if that gives no value, for people."""
        target, graph = self._target, self._graph

        def by_definition(state: int) -> bool:
            return target.system.holds(proposition, target.state(graph, state))

        if not isinstance(target, NetworkTarget) or not isinstance(graph, _native.NetworkGraph):
            return by_definition
        closeness = _native.Closeness()
        closeness.add_comparison(_native.ClosenessKind.TRUE, target.proposition(proposition))

        def by_code(state: int) -> bool:
            distance = closeness.distance(graph, state)
            return distance == 0 if distance <= 1 else by_definition(state)

        return by_code


def _named(graph: _native.Graph, subject: StepAtom) -> Callable[[int], bool]:
    """Whether an action is one of these events, or of these processes."""

    def is_meant(action: int) -> bool:
        event, processes = graph.action(action)
        return is_step_of(subject, Step(event, frozenset(processes), None))

    return is_meant


def _remembered(function: Callable[[int], bool]) -> Callable[[int], bool]:
    known: dict[int, bool] = {}

    def value(number: int) -> bool:
        found = known.get(number)
        if found is None:
            found = known[number] = function(number)
        return found

    return value
