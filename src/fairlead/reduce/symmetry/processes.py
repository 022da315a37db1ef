"""The processes side by side whose numbers may be exchanged: where they start, and where they can get to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.model.expression import Constant, Expression, SharedElement, slots_read, subexpressions
from fairlead.model.labels import ChannelTemplate, EventTemplate, label_text
from fairlead.model.network import Network, Send
from fairlead.model.program import expressions_in
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import FIRST_POSITION, Leaf, LocalState, Parallel, Tree
from fairlead.reduce.counters.automata import LocalAutomata, LocalStep, NotCountable, SymbolicState
from fairlead.reduce.symmetry.exchanging import NotSymmetric

#: beyond so many places in the text, or local states of all processes, nothing is compared
MOST_POSITIONS = 5_000
MOST_LOCAL_STATES = 50_000


@dataclass(frozen=True)
class Processes:
    """Leaves side by side: at the start, or after a first process has set everything up."""

    network: Network
    tree: Parallel
    automata: LocalAutomata

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """The processes, from left to right."""
        return tuple(part for part in self.tree.components if isinstance(part, Leaf))

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """All places of the text where the processes can be; raises `NotSymmetric` if they become several."""
        found = dict.fromkeys(leaf.state.position for leaf in self.leaves)
        pending = list(found)
        while pending:
            position = pending.pop()
            edges = self.network.behaviour.edges(position)
            if edges is None:
                text = self.network.behaviour.place(position).text
                raise NotSymmetric(f"it can become several processes, '{text}'")
            for edge in edges:
                if edge.target.position not in found:
                    found[edge.target.position] = None
                    pending.append(edge.target.position)
            if len(found) > MOST_POSITIONS:
                raise NotSymmetric(f"there are more than {MOST_POSITIONS} places where processes can be")
        return tuple(found)

    @cached_property
    def states(self) -> tuple[SymbolicState, ...]:
        """All local states of the processes, with what is known of their parameters."""
        starts = [leaf.state for leaf in self.leaves]
        try:
            found = self.automata.reachable(starts)
        except NotCountable as problem:
            raise NotSymmetric(str(problem)) from None
        if len(found) > MOST_LOCAL_STATES:
            raise NotSymmetric(f"the processes have more than {MOST_LOCAL_STATES} local states")
        return tuple(found)

    @cached_property
    def slots(self) -> frozenset[int]:
        """The shared slots that steps of the processes read or change, except those of buffers."""
        found: set[int] = set()
        for state in self.states:
            for step in self.automata.steps(state):
                for expression in _expressions_of(step):
                    found.update(slots_in(expression))
        return frozenset(found)


def slots_in(expression: Expression) -> Iterator[int]:
    """The shared slots that an expression looks at, or that are assigned to if it is a target."""
    for part in subexpressions(expression):
        match part:
            case SharedElement(size=size, index=Constant(value)) if not 0 <= value < size:
                pass  # it fails instead
            case _:
                yield from slots_read(part)


def _expressions_of(step: LocalStep) -> Iterator[Expression]:
    if step.guard is not None:
        yield step.guard
    if step.update is not None:
        yield from expressions_in(step.update)
    yield from (argument for argument in step.arguments if argument is not None)
    if isinstance(step.label, EventTemplate | ChannelTemplate):
        yield from label_text(step.label).arguments
    if step.handshake is not None:
        yield step.handshake.rendezvous.index
        if isinstance(step.handshake, Send):
            yield from step.handshake.values
        elif step.handshake.accepts is not None:
            yield step.handshake.accepts


def processes_of(network: Network) -> Processes:
    """The processes side by side of a network; raises `NotSymmetric` if it is composed in another way."""
    initial = NetworkSystem(network).initial_states()
    trees = list(dict.fromkeys(state.tree for state in initial))
    if len(trees) != 1:
        raise NotSymmetric("the system does not always start with the same processes")
    automata = LocalAutomata(network)
    tree = trees[0]
    if isinstance(tree, Leaf):
        tree = _set_up_by(network, tree, automata)
    if not isinstance(tree, Parallel) or not all(isinstance(part, Leaf) for part in tree.components):
        raise NotSymmetric("the system is not a plain parallel composition")
    if tree.ends is not None:
        raise NotSymmetric("it is not a process of a text, but a machine")
    return Processes(network, tree, automata)


def _set_up_by(network: Network, first: Leaf, automata: LocalAutomata) -> Tree:
    """The processes that a first one becomes when it has set up everything, if always the same."""
    behaviour = network.behaviour
    problem = NotSymmetric("the system does not start as a parallel composition")
    pending = [SymbolicState.of(first.state)]
    seen = set(pending)
    becomes: set[LocalState] = set()
    while pending:
        state = pending.pop()
        if state.position < FIRST_POSITION:
            continue
        if behaviour.edges(state.position) is None:
            if None in state.parameters or behaviour.composition_reads(state.position):
                raise problem
            known = tuple(value for value in state.parameters if value is not None)
            becomes.add(LocalState(state.position, known))
            continue
        for target in automata.next_states(state):
            if target not in seen:
                seen.add(target)
                pending.append(target)
        if len(seen) > MOST_POSITIONS:
            raise problem
    if len(becomes) != 1:
        raise problem
    return behaviour.compose(becomes.pop(), first.process, network.initial_values[0])
