"""A claimed component, explored again on the reference semantics: each of its states once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from fairlead.base.allowance import Stopped
from fairlead.base.records import dataclass
from fairlead.logic.ltl import Atom
from fairlead.model.assertion import EventAtom, Meaning, ProcessAtom
from fairlead.model.labels import IDLE
from fairlead.model.meaning import is_step_of, meaning_holds
from fairlead.model.state_space import StateSpace
from fairlead.model.system import Proposition, State, Step
from fairlead.outcome.component import Component, in_order

#: the problem of a component that differs from the stated one
_NOT_AS_STATED = "the component has other states or transitions than stated"


@dataclass(frozen=True)
class ComponentGraph:
    """States by number, with the transitions of the component from each; the run enters it in state 0.

    An action is an event with its participants. `leaving` are the transitions from each state: action
    and state after it; `offered` the actions of all steps that the system has there. Unless it `is_whole`,
    it is the part that was examined before a limit was reached.
    """

    space: StateSpace
    numbers: list[int]
    actions: list[tuple[str, frozenset[str]]]
    leaving: list[list[tuple[int, int]]]
    offered: list[tuple[int, ...]]
    is_whole: bool

    @cached_property
    def transitions(self) -> int:
        """How many there are."""
        return sum(map(len, self.leaving))

    @cached_property
    def taken(self) -> set[int]:
        """The actions that occur in it."""
        return {action for steps in self.leaving for action, _ in steps}

    def step(self, action: int) -> Step:
        """A step with an action, wherever it leads."""
        event, processes = self.actions[action]
        return Step(event, processes, None)

    def leads_back(self, tick: Callable[[], None]) -> bool:
        """Whether there is a way from every state to the first one: then there is one between any two."""
        sources: list[list[int]] = [[] for _ in self.numbers]
        for state, steps in enumerate(self.leaving):
            tick()
            for _, target in steps:
                sources[target].append(state)
        back = bytearray(len(sources))
        back[0] = 1
        pending = [0]
        while pending:
            for source in sources[pending.pop()]:
                if not back[source]:
                    back[source] = 1
                    pending.append(source)
        return all(back)

    def has_loop(self, loop: Iterable[Step]) -> bool:
        """Whether a cycle from the first state on takes transitions of the component alone."""
        state = 0
        for step in loop:
            number = self.space.number(step.target)
            for action, target in self.leaving[state]:
                if self.actions[action] == (step.event, step.processes) and self.numbers[target] == number:
                    state = target
                    break
            else:
                return False
        return state == 0


def explored(
    space: StateSpace, start: State, claimed: Component, tick: Callable[[], None], most: int
) -> ComponentGraph | str:
    """The component that a claim describes, or what is wrong with the description.

    With more than `most` transitions, or when `tick` stops the work, it is a part of it.
    """
    left_out = dict(claimed.left_out)
    first = space.number(start)
    places = {first: 0}
    numbers = [first]
    action_numbers: dict[tuple[str, frozenset[str]], int] = {}
    leaving: list[list[tuple[int, int]]] = []
    offered: list[tuple[int, ...]] = []
    count = 0
    is_whole = True
    try:
        for place, number in enumerate(numbers):
            tick()
            if count > most:
                is_whole = False
                break
            steps = space.steps(number) or [(IDLE, frozenset(), number)]
            if left_out:
                steps = in_order(steps, space.state, space.system.describe)
            omitted = left_out.pop(place, ())
            if omitted and (max(omitted) >= len(steps) or len(set(omitted)) < len(omitted)):
                return "the component leaves out a step that does not exist"
            names = []
            kept = []
            for position, (event, processes, target) in enumerate(steps):
                action = action_numbers.setdefault((event, processes), len(action_numbers))
                names.append(action)
                if position in omitted:
                    continue
                after = places.setdefault(target, len(numbers))
                if after == len(numbers):
                    numbers.append(target)
                kept.append((action, after))
            leaving.append(kept)
            offered.append(tuple(names))
            count += len(kept)
    except Stopped:
        is_whole = False
    graph = ComponentGraph(space, numbers, list(action_numbers), leaving, offered, is_whole)
    if claimed.states is None or claimed.transitions is None:
        return graph
    if len(numbers) > claimed.states or count > claimed.transitions:
        return _NOT_AS_STATED
    if is_whole and (len(numbers) < claimed.states or count < claimed.transitions or left_out):
        return _NOT_AS_STATED
    return graph


class Letters:
    """What is true at the positions of a component: bit i is the truth of the i-th of some atoms."""

    def __init__(self, graph: ComponentGraph, meanings: Mapping[Atom, Meaning]) -> None:
        self.bits = {atom: number for number, atom in enumerate(meanings)}
        self._graph = graph
        self._of_steps = [
            (1 << number, meaning)
            for number, meaning in enumerate(meanings.values())
            if isinstance(meaning, EventAtom | ProcessAtom)
        ]
        self._of_states = [
            (1 << number, meaning)
            for number, meaning in enumerate(meanings.values())
            if not isinstance(meaning, EventAtom | ProcessAtom)
        ]

    @cached_property
    def by_action(self) -> list[int]:
        """What is true of a step with each action."""
        return [self.of_step(self._graph.step(action)) for action in range(len(self._graph.actions))]

    @cached_property
    def by_state(self) -> list[int]:
        """What is true of each state."""
        if not self._of_states:
            return [0] * len(self._graph.numbers)
        return [self.of_state(number) for number in self._graph.numbers]

    @cached_property
    def distinct(self) -> set[int]:
        """All letters that occur in the component."""
        by_action, by_state = self.by_action, self.by_state
        return {
            by_action[action] | by_state[target] for steps in self._graph.leaving for action, target in steps
        }

    def of_step(self, step: Step) -> int:
        """What is true of a step."""
        return sum(bit for bit, subject in self._of_steps if is_step_of(subject, step))

    def of_state(self, number: int) -> int:
        """What is true of a state of the state space."""
        found = 0
        space = self._graph.space
        for bit, meaning in self._of_states:
            if isinstance(meaning, Proposition):
                is_true = space.holds(meaning, number)
            else:
                is_true = meaning_holds(space.system, meaning, space.state(number), None)
            found |= bit if is_true else 0
        return found
