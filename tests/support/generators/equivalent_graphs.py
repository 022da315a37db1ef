"""Changes of a graph that must not change a verdict, whatever is assumed about fairness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Step


@dataclass(frozen=True)
class Changed:
    """Another graph, and the names that atoms have in it."""

    graph: ExplicitGraph
    names: Mapping[str, str] = field(default_factory=dict)


def moved(graph: ExplicitGraph, place: Mapping[int, int], count: int) -> ExplicitGraph:
    """The graph with its states at other numbers."""

    def places(states: frozenset[int]) -> frozenset[int]:
        return frozenset(place[state] for state in states)

    return ExplicitGraph(
        count,
        place[graph.initial],
        {
            place[state]: [replace(step, target=place[step.target]) for step in steps]
            for state, steps in graph.transitions.items()
        },
        {name: places(states) for name, states in graph.propositions.items()},
        places(graph.terminated),
        {item: places(states) for item, states in graph.annotations.items()},
        {place[state]: name for state, name in graph.errors.items()},
    )


def renumbered(graph: ExplicitGraph, random: Random) -> Changed:
    """States and transitions in another order."""
    numbers = list(range(graph.state_count))
    random.shuffle(numbers)
    other = moved(graph, dict(enumerate(numbers)), graph.state_count)
    transitions = {state: random.sample(steps, len(steps)) for state, steps in other.transitions.items()}
    return Changed(replace(other, transitions=transitions))


def unfolded(graph: ExplicitGraph, random: Random) -> Changed:
    """A copy of the initial state, to which no step leads back."""
    first, fresh = graph.initial, graph.state_count

    def with_copy(states: frozenset[int]) -> frozenset[int]:
        return states | {fresh} if first in states else states

    transitions = {**graph.transitions, fresh: list(graph.transitions.get(first, ()))}
    errors = {**graph.errors, **({fresh: graph.errors[first]} if first in graph.errors else {})}
    return Changed(
        ExplicitGraph(
            graph.state_count + 1,
            fresh,
            transitions,
            {name: with_copy(states) for name, states in graph.propositions.items()},
            with_copy(graph.terminated),
            {item: with_copy(states) for item, states in graph.annotations.items()},
            errors,
        )
    )


def with_unreachable(graph: ExplicitGraph, random: Random) -> Changed:
    """States that cannot be reached, with the same events and processes, and steps into the graph."""
    count = graph.state_count
    steps = [step for steps in graph.transitions.values() for step in steps]
    added = random.randint(1, 3)
    transitions = dict(graph.transitions)
    for state in range(count, count + added):
        chosen = random.sample(steps, min(3, len(steps)))
        transitions[state] = [replace(step, target=random.randrange(count + added)) for step in chosen]
    return Changed(
        replace(graph, state_count=count + added, transitions=transitions, values={}, directions={})
    )


def beside_idle(graph: ExplicitGraph, random: Random) -> Changed:
    """Beside a process that can always move and changes nothing."""
    transitions = {
        state: [*graph.transitions.get(state, ()), Step("spare_step", frozenset({"Spare"}), state)]
        for state in range(graph.state_count)
    }
    return Changed(replace(graph, transitions=transitions, terminated=frozenset(), directions={}))
