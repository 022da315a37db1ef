"""Builds the local automata of processes, specialised by the values of their parameters, and compares them.

A symbolic state is a position with those parameters whose values are known; the others are known only when a
step is taken. Two symbolic states are equivalent if they have the same edges to equivalent states (the
coarsest such relation): processes that start in equivalent states can take each other's place in every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from fairlead.base.diagnostics import FairleadError, InputError, has_more_than, unreached
from fairlead.base.records import dataclass
from fairlead.model.annotation import Annotation
from fairlead.model.counted_moves import members_in
from fairlead.model.evaluation import Scope
from fairlead.model.expression import FALSE, TRUE, Constant, Expression
from fairlead.model.folding import specialised, surely_fails
from fairlead.model.labels import (
    ChannelTemplate,
    EventTemplate,
    LabelTemplate,
    TauTemplate,
    event_text,
    label_text,
)
from fairlead.model.network import Edge, Network, Receive, Send
from fairlead.model.program import Program, with_expressions
from fairlead.model.tree import Leaf, LocalState

#: beyond so many local states processes are not compared
MOST_STATES = 2_000


@dataclass(frozen=True)
class SymbolicState:
    """A position with the values of its parameters, as far as they are known."""

    position: int
    parameters: tuple[int | None, ...]

    @classmethod
    def of(cls, state: LocalState) -> SymbolicState:
        """The one all of whose parameters are known."""
        return cls(state.position, state.parameters)

    def overlaps(self, other: SymbolicState) -> bool:
        """Whether a local state can be both."""
        return self.position == other.position and all(
            one is None or two is None or one == two
            for one, two in zip(self.parameters, other.parameters, strict=True)
        )


@dataclass(frozen=True)
class LocalStep:
    """An edge of a symbolic state with what is known put in; the targets are several where a process forks.

    `arguments` are those of the target that are not known yet, each in its place.
    """

    guard: Expression | None
    label: LabelTemplate
    update: Program | None
    synchronises: bool
    handshake: Send | Receive | None
    annotation: Annotation | None
    arguments: tuple[Expression | None, ...]
    targets: tuple[SymbolicState, ...]

    def observed(self, sees: Callable[[LabelTemplate], bool]) -> LocalStep:
        """The same without its targets, and with arguments of its event only if the event is visible."""
        label = self.label
        if isinstance(label, EventTemplate) and not sees(label):
            label = EventTemplate(label.name)
        return replace(self, label=label, targets=())


class NotCountable(Exception):
    """Why processes cannot be counted."""


class TooManyStates(NotCountable):
    """Processes have more local states than are examined, perhaps without end."""


class LocalAutomata:
    """The local automata of the processes of a network, found as far as they are asked for."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._steps: dict[SymbolicState, tuple[tuple[int, LocalStep], ...]] = {}

    def reachable(self, starts: Iterable[LocalState]) -> list[SymbolicState]:
        """All states of the automata that start there; raises `NotCountable`."""
        entered = (state for start in starts for state in self.entered(SymbolicState.of(start)))
        found = list(dict.fromkeys(entered))
        starting = len(found)
        seen = set(found)
        for state in found:
            try:
                steps = self.steps(state)
            except InputError as error:
                raise NotCountable(unreached(error)) from None
            for step in steps:
                for target in step.targets:
                    if target not in seen:
                        seen.add(target)
                        found.append(target)
            if len(found) > MOST_STATES * starting:
                raise TooManyStates(has_more_than(MOST_STATES, "local states"))
        return found

    def steps(self, state: SymbolicState) -> tuple[LocalStep, ...]:
        """The steps of a state whose guards are not known to be false."""
        return tuple(step for _, step in self.numbered_steps(state))

    def numbered_steps(self, state: SymbolicState) -> tuple[tuple[int, LocalStep], ...]:
        """The same, each with the number of its edge."""
        if state not in self._steps:
            edges = self._network.behaviour.edges(state.position)
            assert edges is not None
            steps = [(number, self._step(edge, state.parameters)) for number, edge in enumerate(edges)]
            self._steps[state] = tuple((number, step) for number, step in steps if step.guard != FALSE)
        return self._steps[state]

    def next_states(self, state: SymbolicState) -> list[SymbolicState]:
        """Where the edges of a state lead, unless their guards are known to be false or to fail.

        A state that stands for several processes is given as it is.
        """
        found = []
        for edge in self._network.behaviour.edges(state.position) or ():
            guard = None if edge.guard is None else specialised(edge.guard, state.parameters)
            if guard == FALSE or (guard is not None and surely_fails(guard)):
                continue
            arguments = [specialised(argument, state.parameters) for argument in edge.target.arguments]
            values = tuple(part.value if isinstance(part, Constant) else None for part in arguments)
            found.append(SymbolicState(edge.target.position, values))
        return found

    def _step(self, edge: Edge, parameters: Sequence[int | None]) -> LocalStep:
        def known(expression: Expression) -> Expression:
            return specialised(expression, parameters)

        guard = None if edge.guard is None else known(edge.guard)
        arguments = tuple(known(argument) for argument in edge.target.arguments)
        values = tuple(part.value if isinstance(part, Constant) else None for part in arguments)
        # what is never taken leads nowhere
        blocked = guard == FALSE or (guard is not None and surely_fails(guard))
        targets = () if blocked else self.entered(SymbolicState(edge.target.position, values))
        return LocalStep(
            None if guard == TRUE else guard,
            _label(edge.label, known),
            None if edge.update is None else with_expressions(edge.update, known),
            edge.synchronises,
            None if edge.handshake is None else _handshake(edge.handshake, known),
            edge.annotation,
            tuple(None if isinstance(argument, Constant) else argument for argument in arguments),
            targets,
        )

    def entered(self, target: SymbolicState) -> tuple[SymbolicState, ...]:
        """The state itself, or those of the processes side by side that it stands for."""
        behaviour = self._network.behaviour
        if behaviour.edges(target.position) is not None:
            return (target,)
        text = behaviour.place(target.position).text
        problem = f"it can become '{text}', a composition that cannot be counted"
        known = [value for value in target.parameters if value is not None]
        if len(known) < len(target.parameters):
            raise NotCountable(problem)
        values = self._network.initial_values[0]
        try:
            tree = behaviour.compose(LocalState(target.position, tuple(known)), "", values)
            leaves = members_in(tree, "")
        except FairleadError:
            raise NotCountable(problem) from None
        if behaviour.composition_reads(target.position):
            raise NotCountable(f"what it becomes, '{text}', depends on shared variables")
        return tuple(SymbolicState.of(leaf.state) for leaf in leaves)

    def signature(self, state: SymbolicState, sees: Callable[[LabelTemplate], bool]) -> object:
        """What the next step can be: states with different ones are not equivalent."""
        return frozenset(step.observed(sees) for step in self.steps(state))

    def classes(
        self, states: Sequence[SymbolicState], sees: Callable[[LabelTemplate], bool]
    ) -> dict[SymbolicState, int]:
        """Equivalent states have the same number."""
        steps = {
            state: [(step.observed(sees), step.targets) for step in self.steps(state)] for state in states
        }
        classes: dict[SymbolicState, int] = dict.fromkeys(states, 0)
        count = 0
        while True:
            numbers: dict[object, int] = {}
            refined = {}
            for state in states:
                seen = frozenset(
                    (step, tuple(classes[target] for target in targets)) for step, targets in steps[state]
                )
                refined[state] = numbers.setdefault((classes[state], seen), len(numbers))
            if len(numbers) == count:
                return classes
            classes, count = refined, len(numbers)


@dataclass(frozen=True)
class Facts:
    """What matters of the automaton of counted processes."""

    has_internal_steps: bool
    forks: bool
    shake_hands: bool  # two of them may, with each other
    one_process: bool = False  # all of them together, for what is fair to processes


#: of processes that have too many local states to be examined: anything may happen
UNKNOWN_FACTS = Facts(True, True, True)


def facts_of(automata: LocalAutomata, states: Iterable[SymbolicState]) -> Facts:
    """Looks at all steps of some states."""
    steps = [step for state in states for step in automata.steps(state)]
    handshakes = [step.handshake for step in steps if step.handshake is not None]
    sent = {half.rendezvous.channel for half in handshakes if isinstance(half, Send)}
    return Facts(
        any(isinstance(step.label, TauTemplate) for step in steps),
        any(len(step.targets) > 1 for step in steps),
        any(half.rendezvous.channel in sent for half in handshakes if isinstance(half, Receive)),
    )


@dataclass(frozen=True)
class Sight:
    """Which labels something sees: these, or (None) all of them."""

    labels: frozenset[str] | None

    @cached_property
    def _names(self) -> frozenset[str]:
        assert self.labels is not None
        return frozenset(_name_of(label) for label in self.labels)

    def sees(self, label: LabelTemplate) -> bool:
        """Whether a label, not all of whose arguments need be known, may be one of those that are seen."""
        if self.labels is None or not isinstance(label, EventTemplate):
            return True
        text = label_text(label)
        if all(isinstance(argument, Constant) for argument in text.arguments):
            return event_text(text, Scope([])) in self.labels
        return label.name in self._names


def _name_of(label: str) -> str:
    """The name of an event, without its arguments."""
    return label.split(".", 1)[0]


def _label(label: LabelTemplate, known: Callable[[Expression], Expression]) -> LabelTemplate:
    match label:
        case EventTemplate(name, arguments):
            return EventTemplate(name, tuple(known(argument) for argument in arguments))
        case ChannelTemplate(index=index, values=values):
            place = None if index is None else known(index)
            return replace(label, index=place, values=tuple(known(value) for value in values))
        case _:
            return label


def _handshake(handshake: Send | Receive, known: Callable[[Expression], Expression]) -> Send | Receive:
    where = handshake.rendezvous
    rendezvous = replace(where, index=known(where.index))
    if isinstance(handshake, Send):
        return Send(rendezvous, tuple(known(value) for value in handshake.values))
    accepts = None if handshake.accepts is None else known(handshake.accepts)
    return Receive(rendezvous, handshake.fields, accepts)


def start_of(leaf: Leaf) -> SymbolicState:
    """Where the automaton of a process starts."""
    return SymbolicState.of(leaf.state)
