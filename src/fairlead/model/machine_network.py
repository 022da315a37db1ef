"""Turns a composition into a Network: a leaf for each machine, a position for each of its states."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from fairlead.base.source import Span
from fairlead.model.canonical.numbers import Reader, unknown_position, unsigned
from fairlead.model.composition import Composition, FluentRule
from fairlead.model.expression import FALSE, TRUE, Expression, Shared
from fairlead.model.labels import EventTemplate, LabelTemplate, TauTemplate
from fairlead.model.machine import ERROR_STATE, TAU, Machine, ending_machines
from fairlead.model.network import Edge, Network, Place, Target, Variable
from fairlead.model.program import Block, Program, Store
from fairlead.model.system import Proposition
from fairlead.model.tree import (
    ERROR,
    FIRST_POSITION,
    TERMINATED,
    Leaf,
    LocalState,
    Parallel,
    Prioritised,
    Tree,
)
from fairlead.model.types import Type


class MachineBehaviour:
    """The positions of a composition: first the whole, then the states of one machine after the other."""

    def __init__(self, composition: Composition, fluents: Sequence[FluentRule]) -> None:
        self._composition = composition
        self._updates = _updates(fluents)
        self._templates: dict[str, LabelTemplate] = {TAU: TauTemplate(TAU)}
        for machine in composition.machines:
            self._templates |= {label: EventTemplate(label) for label in machine.alphabet}
        self._starts: list[int] = []
        position = FIRST_POSITION + 1
        for machine in composition.machines:
            self._starts.append(position)
            position += machine.state_count
        self._names = process_names(composition)

    # ------------------------------------------------------------ Behaviour

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """The transitions of a machine's state."""
        if position == FIRST_POSITION:
            return None
        if position < FIRST_POSITION:
            return ()
        number, state = self._state(position)
        machine = self._composition.machines[number]
        return tuple(
            Edge(
                None,
                self._templates[label],
                self._updates.get(label),
                label != TAU,
                Target(self._position(number, machine, target)),
                places=origin,
            )
            for (label, target), origin in machine.traced(state)
        )

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """The machines side by side, with their priority."""
        machines = self._composition.machines
        leaves = tuple(
            Leaf(LocalState(self._position(number, machine, 0)), self._names[number])
            for number, machine in enumerate(machines)
        )
        tree: Tree = Parallel(
            leaves, tuple(frozenset(machine.alphabet) for machine in machines), ending_machines(machines)
        )
        rule = self._composition.priority
        return tree if rule is None else Prioritised(tree, rule.labels, rule.is_high)

    def composition_reads(self, position: int) -> frozenset[int]:
        """A machine has no variables."""
        return frozenset()

    def is_guard(self, position: int) -> bool:
        """There are no guards."""
        return False

    def condition(self, position: int) -> Expression:
        """There are no guards."""
        raise AssertionError(position)

    def place(self, position: int) -> Place:
        """A state, as the machine shows it."""
        if position == FIRST_POSITION:
            return Place(self._composition.name)
        if position < FIRST_POSITION:
            return Place({ERROR.position: "ERROR", TERMINATED.position: "END"}.get(position, "STOP"))
        number, state = self._state(position)
        return Place(self._composition.machines[number].place(state))

    def identity(self, position: int) -> bytes:
        """Its number, since all are known from the start."""
        return unsigned(position)

    def position(self, identity: bytes) -> int:
        """The position with a number."""
        number = Reader(identity).unsigned()
        if not FIRST_POSITION <= number < self.position_count:
            raise unknown_position(number)
        return number

    @property
    def position_count(self) -> int:
        """All are known from the start."""
        return self._starts[-1] + self._composition.machines[-1].state_count

    # ------------------------------------------------------------ inside

    def _position(self, number: int, machine: Machine, state: int) -> int:
        if state == ERROR_STATE:
            return ERROR.position
        return TERMINATED.position if state == machine.end else self._starts[number] + state

    def _state(self, position: int) -> tuple[int, int]:
        number = bisect_right(self._starts, position) - 1
        return number, position - self._starts[number]


def process_names(composition: Composition) -> list[str]:
    """How the machines of a composition are called in its steps."""
    return _distinct(machine.name for machine in composition.machines)


def network_of(
    composition: Composition, fluents: Sequence[FluentRule] = (), span: Span | None = None
) -> Network:
    """The system of a composition; fluents are variables that its actions set."""
    name = composition.name
    if fluents:
        name += " with " + ", ".join(rule.name for rule in fluents)
    variables = tuple(Variable(rule.name, slot, 1, Type.BOOL, span=span) for slot, rule in enumerate(fluents))
    return Network(
        name,
        variables,
        (tuple(int(rule.initially) for rule in fluents),),
        MachineBehaviour(composition, fluents),
        LocalState(FIRST_POSITION),
    )


def fluent_proposition(rule: FluentRule, slot: int) -> Proposition:
    """That a fluent is true."""
    return Proposition(rule.name, _variable(rule, slot))


def _variable(rule: FluentRule, slot: int) -> Shared:
    return Shared(slot, rule.name, Type.BOOL)


def _updates(fluents: Sequence[FluentRule]) -> dict[str, Program]:
    """What each action does to the fluents."""
    found: dict[str, list[Program]] = {}
    for slot, rule in enumerate(fluents):
        for labels, value in ((rule.initiating, TRUE), (rule.terminating, FALSE)):
            for label in sorted(labels):
                found.setdefault(label, []).append(Store(_variable(rule, slot), value, None, None))
    return {label: stores[0] if len(stores) == 1 else Block(tuple(stores)) for label, stores in found.items()}


def _distinct(names: Iterable[str]) -> list[str]:
    """The names, those that come again with a number."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found
