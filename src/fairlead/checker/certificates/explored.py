"""The states and steps of a system that has been explored completely, as certificates name them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, input_error
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom, Ready, StepAtom
from fairlead.model.canonical.numbers import NotCanonical, unsigned
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Proposition
from fairlead.outcome.limits import Clock
from fairlead.search.target import NetworkTarget, Target

#: an action of the engine, and the number of the state after it
Row = list[tuple[int, int]]


class Explored:
    """The graph of a target. The writer of a certificate sees the system through it alone."""

    def __init__(self, target: Target, clock: Clock) -> None:
        self.target, self.clock = target, clock
        self.graph = target.explore_all(clock)
        self.initial = list(self.graph.initial)
        self.rows: list[Row] = [[] for _ in range(self.graph.state_count)]
        #: how many steps from an initial state each state is that can be reached, nearest first
        self.levels: dict[int, int] = dict.fromkeys(self.initial, 0)
        for number in (order := list(self.initial)):
            tick()
            self.rows[number] = self.graph.edges(number)
            for _, after in self.rows[number]:
                if after not in self.levels:
                    self.levels[after] = self.levels[number] + 1
                    order.append(after)
        self._actions: dict[int, tuple[str, frozenset[str]]] = {}
        self._truth: dict[tuple[Proposition, tuple[int, ...]], bool] = {}
        self._orders: dict[int, list[int]] = {}

    @cached_property
    def names(self) -> list[bytes]:
        """The canonical encodings of the states."""
        found: list[bytes] = []
        if not isinstance(self.target, NetworkTarget):
            return [unsigned(number) for number in range(len(self.rows))]
        try:
            encoder = self.target.encoder()
            for number in range(len(self.rows)):
                tick()
                found.append(encoder.encode(self.graph, number))  # type: ignore[arg-type]
        except NotCanonical as problem:
            raise input_error(Code.UNSUPPORTED, f"no certificate: {problem}") from None
        return found

    @property
    def reachable(self) -> list[int]:
        """The states that can be reached."""
        return list(self.levels)

    def action(self, number: int) -> tuple[str, frozenset[str]]:
        """The event and the processes of an action."""
        if number not in self._actions:
            event, processes = self.graph.action(number)
            self._actions[number] = event, frozenset(processes)
        return self._actions[number]

    def place(self, state: int, edge: int) -> int:
        """The number that a step has among those of its state, in the order of the checker."""
        if state not in self._orders:
            row = self.rows[state]

            def key(number: int) -> tuple[str, list[str], bytes]:
                event, processes = self.action(row[number][0])
                return event, sorted(processes), self.names[row[number][1]]

            order = sorted(range(len(row)), key=key)
            self._orders[state] = sorted(order, key=order.__getitem__)
        return self._orders[state][edge]

    # ------------------------------------------------------------ what is true

    def is_step_of(self, subject: StepAtom, action: int) -> bool:
        """Whether an action has one of the events, or one of the processes takes part in it."""
        event, processes = self.action(action)
        if isinstance(subject, EventAtom):
            return event in subject.labels
        return not subject.processes.isdisjoint(processes)

    def is_true(self, meaning: Meaning, action: int | None, state: int) -> bool:
        """Whether an atom is true in a state that was entered by an action (None at the start)."""
        match meaning:
            case EventAtom() | ProcessAtom():
                return action is not None and self.is_step_of(meaning, action)
            case Enabled(subject):
                return any(self.is_step_of(subject, action) for action, _ in self.rows[state])
            case Ready(annotated):
                return annotated in self.ready[state]
            case Proposition():
                return self._holds(meaning, state)
        raise AssertionError(meaning)

    def _holds(self, proposition: Proposition, state: int) -> bool:
        system = self.target.system
        if isinstance(system, ExplicitGraph):
            return system.holds(proposition, state)
        values: Sequence[int] = self._values[state]
        key = proposition, tuple(values)
        if key not in self._truth:
            self._truth[key] = bool(evaluate(proposition.meaning, Scope(list(values))))
        return self._truth[key]

    @cached_property
    def _values(self) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for number in range(len(self.rows)):
            tick()
            found.append(tuple(self.graph.unpack(number)[0]))  # type: ignore[attr-defined]
        return found

    def values(self, state: int) -> tuple[int, ...]:
        """The values of the shared variables."""
        return self._values[state]

    @cached_property
    def ready(self) -> list[frozenset[Annotated]]:
        """The annotations that are ready in each state."""
        if not self.target.system.annotation_kinds:
            return [frozenset()] * len(self.rows)
        engine = self.target.annotations(self.graph)
        by_number = {engine.number(one): one for one in engine.annotated}
        found: list[frozenset[Annotated]] = []
        for number in range(len(self.rows)):
            tick()
            found.append(frozenset(by_number[one] for one in engine.native.ready(number)))
        return found
