"""Bisimulations and compositions of machines straight from their definitions, by brute force.

A relation between states is made smaller until every pair in it can match each other's steps. Internal steps
are passed over by computing all that they can reach.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fairlead.model.machine import ERROR_STATE, TAU, Machine

#: a state of one of the machines: (which machine, which state)
State = tuple[int, int]


@dataclass(frozen=True)
class Machines:
    """The states of several machines, side by side."""

    machines: tuple[Machine, ...]

    @cached_property
    def states(self) -> list[State]:
        """All states, with each machine's ERROR."""
        return [
            (index, state)
            for index, machine in enumerate(self.machines)
            for state in (ERROR_STATE, *range(machine.state_count))
        ]

    @cached_property
    def steps(self) -> dict[State, list[tuple[str, State]]]:
        """What each state can do; ERROR can do nothing."""
        return {
            (index, state): []
            if state == ERROR_STATE
            else [(label, (index, target)) for label, target in self.machines[index].transitions[state]]
            for index, state in self.states
        }

    @cached_property
    def silently(self) -> dict[State, set[State]]:
        """What each state reaches by internal steps, itself included."""
        return {state: self._reached([state], internal=True) for state in self.states}

    @cached_property
    def weakly(self) -> dict[State, dict[str, set[State]]]:
        """What each state reaches by a visible label with internal steps around it."""
        found: dict[State, dict[str, set[State]]] = {state: {} for state in self.states}
        for state in self.states:
            for middle in self.silently[state]:
                for label, target in self.steps[middle]:
                    if label != TAU:
                        found[state].setdefault(label, set()).update(self.silently[target])
        return found

    def _reached(self, states: Sequence[State], internal: bool) -> set[State]:
        known, waiting = set(states), list(states)
        while waiting:
            for label, target in self.steps[waiting.pop()]:
                if (label == TAU or not internal) and target not in known:
                    known.add(target)
                    waiting.append(target)
        return known

    def is_end(self, state: State) -> bool:
        return self.machines[state[0]].end == state[1]

    def on_cycle(self, state: State) -> bool:
        """Whether internal steps lead from a state back to it."""
        return any(label == TAU and state in self.silently[target] for label, target in self.steps[state])

    def is_livelock(self, state: State) -> bool:
        """Whether everything that can ever happen is internal steps on one cycle."""
        future = self._reached([state], internal=False)
        return self.on_cycle(state) and all(
            label == TAU and state in self.silently[target]
            for other in future
            for label, target in self.steps[other]
        ) and all(self.steps[other] for other in future)  # fmt: skip

    # ------------------------------------------------------------ what a pair must satisfy

    def strong_match(self, s: State, t: State, related: set[tuple[State, State]]) -> bool:
        return self.is_end(s) == self.is_end(t) and all(
            any(label == other and (target, match) in related for other, match in self.steps[t])
            for label, target in self.steps[s]
        )

    def weak_match(self, s: State, t: State, related: set[tuple[State, State]]) -> bool:
        for label, target in self.steps[s]:
            matches = self.silently[t] if label == TAU else self.weakly[t].get(label, set())
            if not any((target, match) in related for match in matches):
                return False
        if self.is_end(s) and not any(self.is_end(match) for match in self.silently[t]):
            return False
        return not self.is_livelock(s) or any(self.is_livelock(match) for match in self.silently[t])

    def divergence_match(self, s: State, t: State, related: set[tuple[State, State]]) -> bool:
        if self.on_cycle(s) and not any(
            self.on_cycle(match) and (s, match) in related for match in self.silently[t]
        ):
            return False
        return self.weak_match(s, t, related)

    def related(self, equivalence: str) -> set[tuple[State, State]]:
        """The largest bisimulation."""
        match = {
            "strong": self.strong_match,
            "weak": self.weak_match,
            "divergence": self.divergence_match,
        }[equivalence]
        related = {
            (s, t) for s in self.states for t in self.states if (s[1] == ERROR_STATE) == (t[1] == ERROR_STATE)
        }
        while True:
            kept = {(s, t) for s, t in related if match(s, t, related) and match(t, s, related)}
            if kept == related:
                return related
            related = kept


def equivalent(left: Machine, right: Machine, equivalence: str) -> bool:
    """Whether the initial states of two machines are bisimilar."""
    return ((0, 0), (1, 0)) in Machines((left, right)).related(equivalence)


def is_minimal(machine: Machine, equivalence: str) -> bool:
    """Whether no two states of a machine are bisimilar, and all can be reached."""
    system = Machines((machine,))
    distinct = all(s == t for s, t in system.related(equivalence))
    reachable = system._reached([(0, 0)], internal=False) | {(0, ERROR_STATE)}
    return distinct and reachable == set(system.states)


# ---------------------------------------------------------------- composition


def naive_composition(machines: Sequence[Machine], low: frozenset[str], high: frozenset[str]) -> Machine:
    """The machines in parallel, with priorities, by trying for each label who has to take part."""
    labels = sorted({label for machine in machines for label in machine.alphabet})
    states: list[tuple[int, ...]] = [(0,) * len(machines)]
    rows: list[set[tuple[str, tuple[int, ...] | int]]] = []
    for state in states:
        steps = _joint_steps(machines, labels, state)
        if any(label in high for label, _ in steps):
            steps = {step for step in steps if step[0] in high}
        if any(label not in low for label, _ in steps):
            steps = {step for step in steps if step[0] not in low}
        rows.append(steps)
        for _, target in steps:
            if isinstance(target, tuple) and target not in states:
                states.append(target)
    ends = [index for index, state in enumerate(states) if not rows[index] and _has_ended(machines, state)]
    first = {states[index]: states[ends[0]] for index in ends}
    kept = [state for state in states if first.get(state, state) == state]
    numbers = {state: kept.index(first.get(state, state)) for state in states}
    transitions = tuple(
        tuple(
            {(label, numbers[target] if isinstance(target, tuple) else ERROR_STATE) for label, target in row}
        )
        for state, row in zip(states, rows, strict=True)
        if state in kept
    )
    return Machine("", tuple(labels), transitions, numbers[states[ends[0]]] if ends else None)


def _joint_steps(
    machines: Sequence[Machine], labels: Sequence[str], state: tuple[int, ...]
) -> set[tuple[str, tuple[int, ...] | int]]:
    found: set[tuple[str, tuple[int, ...] | int]] = set()
    movers = [(TAU, {index}) for index in range(len(machines))]
    movers += [
        (label, {i for i, machine in enumerate(machines) if label in machine.alphabet}) for label in labels
    ]
    for label, who in movers:
        choices = [
            [target for other, target in machine.transitions[state[index]] if other == label]
            if index in who
            else [state[index]]
            for index, machine in enumerate(machines)
        ]
        for target in itertools.product(*choices):
            found.add((label, ERROR_STATE if ERROR_STATE in target else target))
    return found


def _has_ended(machines: Sequence[Machine], state: tuple[int, ...]) -> bool:
    ending = [index for index, machine in enumerate(machines) if machine.end is not None]
    if not ending or any(state[index] != machines[index].end for index in ending):
        return False
    of_ending: set[str] = set()
    of_others: set[str] = set()
    for machine in machines:
        counts = machine.end is not None and machine.end != 0
        (of_ending if counts else of_others).update(machine.alphabet)
    return of_others <= of_ending


# ---------------------------------------------------------------- random machines


def random_machine(
    rng: random.Random, labels: Sequence[str], *, states: int = 6, tau: float = 0.4, error: float = 0.1
) -> Machine:
    """A machine with internal steps, sometimes with ERROR, dead states and END."""
    count = rng.randint(1, states)
    end = rng.randrange(count) if rng.random() < 0.4 else None
    rows: list[tuple[tuple[str, int], ...]] = []
    for state in range(count):
        steps: dict[tuple[str, int], None] = {}
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3)) if state != end else 0):
            label = TAU if rng.random() < tau or not labels else rng.choice(labels)
            target = ERROR_STATE if rng.random() < error else rng.randrange(count)
            steps[label, target] = None
        rows.append(tuple(steps))
    return Machine("M", tuple(labels), tuple(rows), end)


def random_machines(rng: random.Random, most: int = 4) -> list[Machine]:
    """Machines that share some of their labels."""
    return [
        random_machine(
            rng,
            sorted(rng.sample("abcd", rng.randint(0, 3))),
            states=rng.choice((2, 3, 4)),
            tau=rng.choice((0.0, 0.2, 0.4)),
            error=rng.choice((0.0, 0.05, 0.1)),
        )
        for _ in range(rng.randint(1, most))
    ]
