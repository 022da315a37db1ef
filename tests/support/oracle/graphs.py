"""Explicit systems: states, transitions with event and participants, state propositions; and random ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple


class Step(NamedTuple):
    """A transition of the system, or the idle step of a state without one (event None, no processes)."""

    source: int
    event: str | None
    target: int
    processes: frozenset[str]


def idle(state: int) -> Step:
    return Step(state, None, state, frozenset())


@dataclass(frozen=True)
class Graph:
    states: int
    initial: int
    transitions: tuple[Step, ...]
    props: Mapping[str, frozenset[int]]

    def outgoing(self, state: int) -> list[Step]:
        """The transitions of the system from a state; idle is not one."""
        return [t for t in self.transitions if t.source == state]

    def steps(self, state: int) -> list[Step]:
        """What an execution can do next: a transition, or idle where there is none."""
        return self.outgoing(state) or [idle(state)]

    def events(self) -> list[str]:
        return sorted({t.event for t in self.transitions if t.event is not None})

    def processes(self) -> list[str]:
        return sorted({p for t in self.transitions for p in t.processes})

    def to_json(self) -> str:
        return json.dumps(
            {
                "states": self.states,
                "initial": self.initial,
                "transitions": [[t.source, t.event, t.target, sorted(t.processes)] for t in self.transitions],
                "props": {name: sorted(where) for name, where in self.props.items()},
            }
        )

    def to_aut(self) -> str:
        """Aldebaran text; it has no room for participants and propositions."""
        triples = list(dict.fromkeys((t.source, t.event, t.target) for t in self.transitions))
        lines = [f"des ({self.initial}, {len(triples)}, {self.states})"]
        lines += [f'({source}, "{event}", {target})' for source, event, target in triples]
        return "\n".join(lines) + "\n"


def graph(
    states: int,
    transitions: Iterable[tuple[int, str, int, str]],
    props: Mapping[str, Iterable[int]] | None = None,
    initial: int = 0,
) -> Graph:
    """A graph written by hand: the participants of a transition are one string, separated by blanks."""
    steps = tuple(Step(s, e, t, frozenset(who.split())) for s, e, t, who in transitions)
    return Graph(states, initial, steps, {name: frozenset(where) for name, where in (props or {}).items()})


def random_graph(rng: Random, max_states: int = 6, max_transitions: int = 14) -> Graph:
    """A small graph rich in deadlocks, self-loops, nondeterminism and shared transitions."""
    states = min(max_states, rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6]))
    events = ["a", "b", "c"][: rng.choice([1, 2, 2, 3, 3])]
    processes = ["P", "Q", "S"][: rng.choice([1, 2, 2, 3])]
    # Half of the graphs are like parallel compositions: an event always has the same participants.
    owners = {e: _participants(rng, processes) for e in events} if rng.random() < 0.5 else None
    deadlock = rng.choice([0.02, 0.25])
    initial = rng.randrange(states)
    transitions: list[Step] = []

    def add(source: int, target: int) -> None:
        siblings = [t.event for t in transitions if t.source == source and t.event]
        event = rng.choice(siblings) if siblings and rng.random() < 0.3 else rng.choice(events)
        who = owners[event] if owners else _participants(rng, processes)
        transitions.append(Step(source, event, target, who))

    if rng.random() < 0.7:  # make every state reachable; the others have whatever part chance gives them
        reached = [initial]
        for state in rng.sample(range(states), states):
            if state != initial:
                add(rng.choice(reached), state)
                reached.append(state)
    for source in range(states):
        if rng.random() >= deadlock:
            for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
                add(source, source if rng.random() < 0.15 else rng.randrange(states))
    distinct = list(dict.fromkeys(transitions))[:max_transitions]
    rng.shuffle(distinct)
    props = {
        name: frozenset(s for s in range(states) if rng.random() < 0.5)
        for name in ["p", "q"][: rng.randint(1, 2)]
    }
    return Graph(states, initial, tuple(distinct), props)


def _participants(rng: Random, processes: list[str]) -> frozenset[str]:
    shared = len(processes) > 1 and rng.random() < 0.25
    return frozenset(rng.sample(processes, 2 if shared else 1))
