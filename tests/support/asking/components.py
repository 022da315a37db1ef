"""Components of fairlead and sets of transitions, each made from the other."""

from __future__ import annotations

from collections.abc import Set

from fairlead.model.labels import IDLE
from fairlead.model.system import State, Step, System, infinite_steps
from fairlead.outcome.component import Component

Transition = tuple[State, Step]


def described(system: System, start: State, kept: Set[Transition]) -> Component:
    """The claim that an execution stays among these transitions, in which all states can be reached."""
    states: list[State] = [start]
    left_out = []
    count = 0
    for place, state in enumerate(states):
        omitted = []
        for position, step in enumerate(ordered(system, state)):
            if (state, step) not in kept:
                omitted.append(position)
                continue
            count += 1
            if step.target not in states:
                states.append(step.target)
        if omitted:
            left_out.append((place, tuple(omitted)))
    return Component(len(states), count, tuple(left_out))


def transitions_of(system: System, start: State, component: Component) -> set[Transition]:
    """The transitions that a claim describes."""
    left_out = dict(component.left_out)
    states: list[State] = [start]
    found: set[Transition] = set()
    for place, state in enumerate(states):
        for position, step in enumerate(ordered(system, state)):
            if position in left_out.get(place, ()):
                continue
            found.add((state, step))
            if step.target not in states:
                states.append(step.target)
    return found


def ordered(system: System, state: State) -> list[Step]:
    """The steps of a state in the order of the documentation."""
    return sorted(
        infinite_steps(system, state),
        key=lambda step: (step.event, sorted(step.processes), repr(system.describe(step.target))),
    )


def oracle_transitions(found: Set[Transition]) -> set[tuple[State, str | None, State, frozenset[str]]]:
    """In the form of the oracle: idling has no event."""
    return {
        (state, None if step.event == IDLE else step.event, step.target, step.processes)
        for state, step in found
    }
