"""Compositions of machines, twice: as networks, and composed naively from the rules of FSP.

The naive composition shares nothing with the program but the machines themselves.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random

from fairlead.model.expression import Binary, Constant, Expression, Operator, Shared
from fairlead.model.labels import EventTemplate, TauTemplate
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine
from fairlead.model.network import Edge, Network, Place, Target, Variable
from fairlead.model.program import Program, Store
from fairlead.model.tree import (
    ERROR,
    FIRST_POSITION,
    SKIP,
    STOP,
    TERMINATED,
    Leaf,
    LocalState,
    Parallel,
    Prioritised,
    Sequel,
    Tree,
)
from fairlead.model.types import Type


class Form(Enum):
    """How a composition is given to the engine, which has several ways to find the same steps."""

    PLAIN = "constant labels, no guards"
    GUARDED = "every edge has a guard, which is always true"
    UPDATED = "edges store the value of the variable in itself"
    NESTED = "inside of one more priority, of a label that nobody has"
    FOLLOWED = "what would follow its termination never comes"


@dataclass(frozen=True)
class Composite:
    """Machines in parallel. `ends` are those that must be at their ends when the whole is.

    A label in `stores` sets a boolean variable, as the fluents of a formula do.
    """

    machines: tuple[Machine, ...]
    priority: ActionPriority | None = None
    ends: frozenset[int] = frozenset()
    stores: dict[str, int] = field(default_factory=dict)
    form: Form = Form.PLAIN


# ---------------------------------------------------------------- as a network


_FLAG = Shared(0, "flag", Type.BOOL)
_SAME = Binary(Operator.EQUAL, _FLAG, _FLAG, Type.BOOL)


class MachineBehaviour:
    """One position for each state of each machine, and one for the whole."""

    def __init__(self, composite: Composite) -> None:
        self._composite = composite
        self._first: list[int] = []
        self._edges: dict[int, tuple[Edge, ...] | None] = {
            STOP.position: (),
            SKIP.position: (),
            TERMINATED.position: (),
            ERROR.position: (),
        }
        self._places = {ERROR.position: "ERROR", TERMINATED.position: "END"}
        free = FIRST_POSITION
        for machine in composite.machines:
            self._first.append(free)
            free += machine.state_count
        self.root = free
        self._edges[free] = None
        for number, machine in enumerate(composite.machines):
            for state, steps in enumerate(machine.transitions):
                position = self._first[number] + state
                self._places[position] = machine.place(state)
                self._edges[position] = tuple(
                    Edge(
                        _SAME if composite.form is Form.GUARDED else None,
                        TauTemplate(TAU) if label == TAU else EventTemplate(label),
                        self._update(label),
                        label != TAU,
                        Target(self.position(number, target)),
                    )
                    for label, target in steps
                )

    def _update(self, label: str) -> Program | None:
        if label in self._composite.stores:
            return Store(_FLAG, Constant(self._composite.stores[label], Type.BOOL), None, None)
        return Store(_FLAG, _FLAG, None, None) if self._composite.form is Form.UPDATED else None

    def position(self, machine: int, state: int) -> int:
        """The position of a state of a machine."""
        if state == ERROR_STATE:
            return ERROR.position
        if state == self._composite.machines[machine].end:
            return TERMINATED.position
        return self._first[machine] + state

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        return self._edges[position]

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        composite = self._composite
        leaves = tuple(
            Leaf(LocalState(self.position(number, 0)), machine.name)
            for number, machine in enumerate(composite.machines)
        )
        alphabets = tuple(frozenset(machine.alphabet) for machine in composite.machines)
        tree: Tree = Parallel(leaves, alphabets, composite.ends)
        if composite.priority is not None:
            tree = Prioritised(tree, composite.priority.labels, composite.priority.is_high)
        match composite.form:
            case Form.NESTED:
                return Prioritised(tree, frozenset({"unused"}), True)
            case Form.FOLLOWED:
                return Sequel(tree, STOP, "System", ";")
            case _:
                return tree

    def composition_reads(self, position: int) -> frozenset[int]:
        return frozenset()

    def is_guard(self, position: int) -> bool:
        return False

    def condition(self, position: int) -> Expression:
        raise AssertionError(position)

    def place(self, position: int) -> Place:
        return Place(self._places.get(position, "?"))

    @property
    def position_count(self) -> int:
        return len(self._places)


def network_of(composite: Composite) -> Network:
    """A composition as the engine and the reference semantics get it."""
    behaviour = MachineBehaviour(composite)
    variables: tuple[Variable, ...] = ()
    if composite.stores or composite.form in (Form.GUARDED, Form.UPDATED):
        variables = (Variable("flag", 0, 1, Type.BOOL),)
    values = (0,) * len(variables)
    return Network("System", variables, (values,), behaviour, LocalState(behaviour.root))


# ---------------------------------------------------------------- composed naively

#: the states of the machines (or, if one has failed, which) and the flag
NaiveState = tuple[tuple[int, ...] | str, int]
NaiveStep = tuple[str, frozenset[str], NaiveState]


@dataclass
class NaiveGraph:
    """Everything that can be reached, by distance."""

    composite: Composite
    depth: dict[NaiveState, int]
    steps: dict[NaiveState, list[NaiveStep]]

    def is_error(self, state: NaiveState) -> bool:
        return isinstance(state[0], str)

    def is_end(self, state: NaiveState) -> bool:
        """No transitions, and every machine that must be is at its end."""
        machines, ends = self.composite.machines, self.composite.ends
        if self.steps[state] or self.is_error(state) or not ends or self.composite.form is Form.FOLLOWED:
            return False
        return all(state[0][number] == machines[number].end for number in ends)

    def is_deadlock(self, state: NaiveState) -> bool:
        return not self.steps[state] and not self.is_error(state) and not self.is_end(state)


def naive_graph(composite: Composite, limit: int = 1 << 30) -> NaiveGraph | None:
    """The composition by the rules of the language, or None if it has more states."""
    start: NaiveState = (tuple(0 for _ in composite.machines), 0)
    depth, steps, queue = {start: 0}, {}, [start]
    for state in queue:
        steps[state] = list(dict.fromkeys(_naive_steps(composite, state)))
        for _, _, target in steps[state]:
            if target not in depth:
                depth[target] = depth[state] + 1
                queue.append(target)
        if len(queue) > limit:
            return None
    return NaiveGraph(composite, depth, steps)


def _naive_steps(composite: Composite, state: NaiveState) -> list[NaiveStep]:
    places, flag = state
    if isinstance(places, str):
        return []
    machines = composite.machines
    found: list[tuple[str, frozenset[int], tuple[int, ...]]] = []
    for number, machine in enumerate(machines):
        for label, target in machine.transitions[places[number]]:
            if label == TAU:
                found.append((TAU, frozenset((number,)), _moved(places, {number: target})))
    for label in {label for machine in machines for label in machine.alphabet}:
        having = [number for number, machine in enumerate(machines) if label in machine.alphabet]
        choices = [
            [target for own, target in machines[number].transitions[places[number]] if own == label]
            for number in having
        ]
        for targets in itertools.product(*choices):
            after = _moved(places, dict(zip(having, targets, strict=True)))
            found.append((label, frozenset(having), after))
    priority = composite.priority
    if priority is not None:
        marked = [step for step in found if step[0] in priority.labels]
        others = [step for step in found if step[0] not in priority.labels]
        if priority.is_high and marked:
            found = marked
        if not priority.is_high and others:
            found = others
    return [_named(composite, flag, step) for step in found]


def _named(composite: Composite, flag: int, step: tuple[str, frozenset[int], tuple[int, ...]]) -> NaiveStep:
    label, who, places = step
    machines = composite.machines
    names = frozenset(machines[number].name for number in who)
    failed = [number for number, place in enumerate(places) if place == ERROR_STATE]
    event = f"τ[tau]@{min(names)}" if label == TAU else label
    flag = composite.stores.get(label, flag)
    return event, names, (machines[failed[0]].name if failed else places, flag)


def _moved(places: tuple[int, ...], targets: dict[int, int]) -> tuple[int, ...]:
    return tuple(targets.get(number, place) for number, place in enumerate(places))


# ---------------------------------------------------------------- random ones


def random_machine(random: Random, name: str, labels: Sequence[str]) -> Machine:
    """A machine of up to four states; nondeterminism, internal steps, ERROR and END all occur."""
    count = random.choice((1, 2, 3, 3, 4, 4))
    alphabet = [name.lower(), *random.sample(labels, random.randint(1, min(3, len(labels))))]
    end = count - 1 if random.random() < 0.4 else None
    density, error_rate = random.choice((0.1, 0.3, 0.6)), random.choice((0, 0, 0.1, 0.3))
    stop_rate = random.choice((0, 0, 0.3))
    transitions = []
    for state in range(count):
        steps: dict[tuple[str, int], None] = {}
        if state + 1 < count:  # so that most states are reached
            steps[random.choice((*alphabet, TAU)), state + 1] = None
        for label in (*alphabet, *alphabet[1:], TAU):
            if random.random() < density:
                target = ERROR_STATE if random.random() < error_rate else random.randrange(count)
                steps[label, target] = None
        stops = state == end or (state > 0 and random.random() < stop_rate)
        transitions.append(() if stops else tuple(steps))
    return Machine(name, tuple(alphabet), tuple(transitions), end)


def random_composite(seed: int) -> Composite:
    """One to four machines with overlapping alphabets; often a priority, sometimes a flag."""
    random = Random(seed)
    labels = "abcdef"[: random.randint(1, 6)]
    count = random.choice((1, 1, 2, 3, 3, 4))
    machines = tuple(random_machine(random, f"M{number}", labels) for number in range(count))
    ending = [number for number, machine in enumerate(machines) if machine.end is not None]
    ends = frozenset(ending) if random.random() < 0.8 else frozenset(random.sample(ending, len(ending) // 2))
    priority = None
    if random.random() < 0.6:
        every = sorted({label for machine in machines for label in machine.alphabet})
        marked = random.sample(every, random.randint(1, min(3, len(every))))
        priority = ActionPriority(frozenset((*marked, "unused")), random.random() < 0.5)
    stores = {}
    if random.random() < 0.3:
        stores = {label: random.randint(0, 1) for label in random.sample(labels, (len(labels) + 1) // 2)}
    form = random.choice((Form.PLAIN, Form.PLAIN, *Form))
    return Composite(machines, priority, ends, stores, form)
