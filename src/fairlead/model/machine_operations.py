"""Machines of machines: compositions (n-way synchronisation, ERROR, END and priority), and properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.model.composition import NotDeterministic
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine, Origin, ending_machines

#: how often, in states, the caller's `tick` is called
_TICK_EVERY = 1024


def composed(
    machines: Sequence[Machine],
    priority: ActionPriority | None = None,
    *,
    name: str = "",
    max_states: int | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Machine:
    """The machines side by side, as one machine; states are numbered breadth first.

    An action in the alphabets of several machines needs all of them; internal steps are taken alone. Where
    one machine goes to ERROR, the composition does. All states of termination (`ending_machines`) are one.
    `tick` is called now and then, and may raise. Raises `LimitReached` beyond `max_states`.
    """
    tables = _Tables(machines)
    unwanted = _unwanted(priority, tables)
    numbers = {tables.initial: 0}
    states = [tables.initial]
    found: list[list[tuple[int, int]]] = []
    for state in states:
        steps = tables.steps(state)
        if unwanted is not None and len(steps) > 1:
            steps = unwanted(steps)
        row: list[tuple[int, int]] = []
        for label, target in steps:
            if target != ERROR_STATE:
                known = numbers.get(target)
                if known is None:
                    known = numbers[target] = len(states)
                    states.append(target)
                target = known
            row.append((label, target))
        found.append(row)
        if max_states is not None and len(states) > max_states:
            problem = f"the composition '{name}' has more than {max_states} states"
            raise LimitReached((Diagnostic(Code.LIMIT, problem),))
        if len(found) % _TICK_EVERY == 0:
            tick()
    ends = _ends(machines, tables, states, found)
    return numbered_machine(name, tables.labels, found, ends)


def union_of_alphabets(machines: Iterable[Machine]) -> tuple[str, ...]:
    """The labels of all alphabets, in the order in which they are first met."""
    return tuple(dict.fromkeys(label for machine in machines for label in machine.alphabet))


class _Tables:
    """What each machine can do in each of its states, ready for composing.

    A global state is one number: the sum of each machine's state times its weight. So a step adds a number
    to it, and steps of several machines add up. Labels are numbered from 1 by the alphabets, tau is 0.
    """

    def __init__(self, machines: Sequence[Machine]) -> None:
        self.alphabet = union_of_alphabets(machines)
        self.labels = (TAU, *self.alphabet)
        self.numbers = {label: number for number, label in enumerate(self.labels)}
        self.initial = 0
        self.sizes = [machine.state_count for machine in machines]
        owners: dict[int, list[int]] = {}
        for index, machine in enumerate(machines):
            for label in dict.fromkeys(machine.alphabet):
                owners.setdefault(self.numbers[label], []).append(index)
        weights = []
        weight = 1
        for size in self.sizes:
            weights.append(weight)
            weight *= size
        #: for each machine and state: steps taken alone (label, what they add to the state, None for ERROR)
        self._alone: list[list[list[tuple[int, int | None]]]] = []
        #: for each machine and state: actions it takes with others and is the first owner of
        self._led: list[list[list[tuple[int, list[int]]]]] = []
        #: for each machine and state: for each action it takes with others what it may add
        self._offers: list[list[dict[int, list[int | None]]]] = []
        for index, machine in enumerate(machines):
            self._add(index, machine, weights[index], owners)

    def _add(self, index: int, machine: Machine, weight: int, owners: dict[int, list[int]]) -> None:
        alone, led, offers = [], [], []
        for state, steps in enumerate(machine.transitions):
            free: list[tuple[int, int | None]] = []
            shared: dict[int, list[int | None]] = {}
            for label, target in dict.fromkeys(steps):
                number = self.numbers[label]
                change = None if target == ERROR_STATE else (target - state) * weight
                if number == 0 or len(owners[number]) == 1:
                    free.append((number, change))
                else:
                    shared.setdefault(number, []).append(change)
            alone.append(free)
            offers.append(shared)
            led.append([(number, owners[number][1:]) for number in shared if owners[number][0] == index])
        self._alone.append(alone)
        self._led.append(led)
        self._offers.append(offers)

    def split(self, state: int) -> list[int]:
        """The states of the machines in a global state."""
        parts = []
        for size in self.sizes:
            state, part = divmod(state, size)
            parts.append(part)
        return parts

    def steps(self, state: int) -> list[tuple[int, int]]:
        """The steps of a global state without duplicates: internal ones first, then by label."""
        parts = self.split(state)
        steps: dict[tuple[int, int], None] = {}
        offers = self._offers
        for index in range(len(parts) - 1, -1, -1):
            part = parts[index]
            for label, change in self._alone[index][part]:
                steps[label, ERROR_STATE if change is None else state + change] = None
            for label, others in self._led[index][part]:
                joint = [offers[index][part][label]]
                for other in others:
                    offer = offers[other][parts[other]].get(label)
                    if offer is None:
                        break
                    joint.append(offer)
                else:
                    for combination in product(*joint):
                        steps[label, _after(state, combination)] = None
        return sorted(steps, key=_label)


def _label(step: tuple[int, int]) -> int:
    return step[0]


def _after(state: int, changes: Sequence[int | None]) -> int:
    for change in changes:
        if change is None:
            return ERROR_STATE
        state += change
    return state


_Steps = list[tuple[int, int]]


def _unwanted(priority: ActionPriority | None, tables: _Tables) -> Callable[[_Steps], _Steps] | None:
    """What takes away the steps that a priority forbids."""
    if priority is None:
        return None
    chosen = {tables.numbers[label] for label in priority.labels if label in tables.numbers and label != TAU}
    high = priority.is_high

    def kept(steps: _Steps) -> _Steps:
        first = [step for step in steps if (step[0] in chosen) == high]
        return first or steps

    return kept


def _ends(machines: Sequence[Machine], tables: _Tables, states: list[int], found: list[_Steps]) -> list[int]:
    """The states in which the composition has terminated."""
    ending = ending_machines(machines)
    if ending is None:
        return []
    ends = []
    for number, steps in enumerate(found):
        if not steps:
            parts = tables.split(states[number])
            if all(parts[index] == machines[index].end for index in ending):
                ends.append(number)
    return ends


def numbered_machine(name: str, labels: Sequence[str], found: list[_Steps], ends: list[int]) -> Machine:
    """The machine of numbered steps, in which all states of termination are one."""
    merged = dict.fromkeys(ends[1:], ends[0]) if ends else {}
    numbers: list[int] = []
    count = 0
    for state in range(len(found)):
        if state in merged:
            numbers.append(numbers[merged[state]])
        else:
            numbers.append(count)
            count += 1
    numbers.append(ERROR_STATE)  # which is found at index -1
    transitions = tuple(
        tuple(dict.fromkeys((labels[label], numbers[target]) for label, target in steps))
        for state, steps in enumerate(found)
        if state not in merged
    )
    return Machine(name, tuple(labels[1:]), transitions, numbers[ends[0]] if ends else None)


# ---------------------------------------------------------------- properties


def completed(machine: Machine) -> Machine:
    """The automaton of a property: what a state of the machine does not allow goes to ERROR.

    There is no END: a property may be anywhere when the system ends. Raises
    `NotDeterministic` for a machine that is not a property.
    """
    rows: list[dict[tuple[str, int], Origin]] = []
    for state, steps in enumerate(machine.transitions):
        allowed: dict[str, int] = {}
        for label, target in steps:
            if label == TAU:
                raise NotDeterministic(TAU)
            if allowed.setdefault(label, target) != target:
                raise NotDeterministic(label)
        missing = [(label, ERROR_STATE) for label in machine.alphabet if label not in allowed]
        rows.append({**dict(machine.traced(state)), **dict.fromkeys(missing, ())})
    return replace(machine, end=None).with_traced(rows)
