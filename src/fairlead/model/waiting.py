"""Explains why a process cannot move in a configuration: for each alternative, its obstacle.

Everything is derived from the reference semantics. An alternative of a leaf is followed up through the
operators around it; the first that does not let it pass is the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from fairlead.base.diagnostics import InputError
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.attempts import PatientSystem
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import Binary, Expression, Operator, slots_in
from fairlead.model.joining import is_shared, meetings
from fairlead.model.labels import (
    ChannelAction,
    ChannelTemplate,
    Kind,
    LabelTemplate,
    argument_text,
    is_internal,
    label_of,
)
from fairlead.model.moves import Move, Offer, SendOffer
from fairlead.model.network import Edge, Receive
from fairlead.model.semantics import NetworkSystem
from fairlead.model.spelling import expression_text, values_read
from fairlead.model.system import State, System
from fairlead.model.tree import (
    STOP,
    TERMINATED,
    Configuration,
    Guarded,
    Hidden,
    Leaf,
    Parallel,
    Sequel,
    Tree,
    leaves,
    subtrees,
)


@dataclass(frozen=True)
class ClosedGuard:
    """A condition is false: its text with the values of parameters, and the variables it reads."""

    condition: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ChannelBlocked:
    """A buffered channel is full, or it is empty."""

    channel: str
    is_full: bool


@dataclass(frozen=True)
class NoPartner:
    """On a channel without a buffer no process receives the message, or no process sends a matching one."""

    channel: str
    sends: bool


@dataclass(frozen=True)
class _NobodyMeets:
    """As `NoPartner`, before it is known what the channel is called."""

    sends: bool


@dataclass(frozen=True)
class NotOffered:
    """A shared event is not offered by others that have it in their alphabets."""

    by: tuple[str, ...]


@dataclass(frozen=True)
class NotEnding:
    """The process has ended, and waits for others to end too."""

    by: tuple[str, ...]


@dataclass(frozen=True)
class Outranked:
    """Steps that are atomic, or have a higher priority, go first."""


@dataclass(frozen=True)
class Fails:
    """It fails at run time."""

    message: str


Obstacle = ClosedGuard | ChannelBlocked | NoPartner | NotOffered | NotEnding | Outranked | Fails


@dataclass(frozen=True)
class Blocked:
    """An alternative that cannot be taken, and what stops it first; its event is empty if it has no name."""

    event: str
    obstacle: Obstacle


@dataclass(frozen=True)
class Waiting:
    """Where a process stands, and why each of its alternatives cannot be taken; `is_over` at its end."""

    process: str
    position: str
    span: Span | None = field(compare=False)
    blocked: tuple[Blocked, ...]
    is_over: bool = False


def waiting_in(system: System, state: State) -> list[Waiting]:
    """Every process of a network with its alternatives that cannot be taken now; a graph has no processes."""
    if not isinstance(system, NetworkSystem) or not isinstance(state, Configuration):
        return []
    return _Search(system, state).all()


@dataclass(frozen=True)
class _Above:
    """An operator around a leaf, and in which of its parts the leaf is."""

    node: Tree
    part: int


class _Search:
    """The obstacles in one configuration."""

    def __init__(self, system: NetworkSystem, state: Configuration) -> None:
        self._system = PatientSystem(system.network)
        self._values = state.values
        self._tree = state.tree
        self._steps = self._system.steps(state)
        self._failures = tuple(self._system.failures)
        # by the identity of nodes of the tree, which is kept
        self._moves: dict[int, list[Move | Offer]] = {}
        self._missing: dict[tuple[int, str | None], tuple[str, ...]] = {}

    def all(self) -> list[Waiting]:
        """One entry for each leaf, in the order of the tree."""
        found: list[Waiting] = []
        pending: list[tuple[Tree, tuple[_Above, ...]]] = [(self._tree, ())]
        while pending:
            node, above = pending.pop()
            if isinstance(node, Leaf):
                found.append(self._leaf(node, above))
                continue
            parts = subtrees(node)
            pending += [
                (parts[number], (*above, _Above(node, number))) for number in reversed(range(len(parts)))
            ]
        return found

    def _leaf(self, leaf: Leaf, above: tuple[_Above, ...]) -> Waiting:
        behaviour = self._system.network.behaviour
        edges = behaviour.edges(leaf.state.position) or ()
        scope = Scope(list(self._values), leaf.state.parameters)
        blocked = [one for edge in edges if (one := self._edge(edge, leaf, scope, above)) is not None]
        place = behaviour.place(leaf.state.position)
        text = self._system.position_text(leaf.state)
        is_over = leaf.state in (STOP, TERMINATED)
        return Waiting(leaf.process, text, place.span, tuple(dict.fromkeys(blocked)), is_over)

    def _edge(self, edge: Edge, leaf: Leaf, scope: Scope, above: tuple[_Above, ...]) -> Blocked | None:
        try:
            closed = self._closed(edge, scope)
            move = None if closed else self._system._offered(edge, leaf, scope)
            event = _event_of(edge, leaf, scope)
        except InputError as problem:
            return Blocked("", Fails(problem.diagnostics[0].message))
        obstacle = closed if move is None else self._climb(move, above)
        if isinstance(obstacle, _NobodyMeets):
            obstacle = NoPartner(_meeting_name(edge, scope), obstacle.sends)
        return None if obstacle is None else Blocked(event, obstacle)

    def _closed(self, edge: Edge, scope: Scope) -> Obstacle | None:
        """The first conjunct of the guard that is false; a condition of a channel is reported as such."""
        for condition in _conjuncts(edge.guard):
            if not evaluate(condition, scope):
                return self._channel_of(edge, condition, scope) or self._guard(condition, scope)
        return None

    def _guard(self, condition: Expression, scope: Scope) -> ClosedGuard:
        text = expression_text(condition, scope)
        read = values_read(condition, scope)
        return ClosedGuard(text, tuple(read.items()))

    def _channel_of(self, edge: Edge, condition: Expression, scope: Scope) -> ChannelBlocked | None:
        """Whether it is the buffer of the edge's channel, full or empty, that makes a condition false."""
        label = edge.label
        if not isinstance(label, ChannelTemplate) or label.action is ChannelAction.HANDSHAKE:
            return None
        for buffer in self._system.network.buffers:
            if buffer.queue.name == label.channel:
                number = 0 if label.index is None else evaluate(label.index, scope)
                base = buffer.queue.base + number * buffer.queue.stride
                if not slots_in(condition) & set(range(buffer.queue.base, base + buffer.queue.stride)):
                    return None
                length = self._values[base]
                name = _channel_name(label, scope)
                if label.action is ChannelAction.SEND:
                    return ChannelBlocked(name, True) if length == buffer.queue.capacity else None
                return ChannelBlocked(name, False) if length == 0 else None
        return None

    # ------------------------------------------------------------ through the operators around it

    def _climb(self, offered: Move | Offer, above: tuple[_Above, ...]) -> Obstacle | _NobodyMeets | None:
        """What an alternative meets on its way up; nothing if it can be taken."""
        if not isinstance(offered, Move):
            return self._climb_half(offered, above)
        move, is_free = offered, offered.kind is Kind.INTERNAL
        for operator in reversed(above):
            match operator.node:
                case Guarded(guard, _):
                    closed = self._closed_body(guard.position, guard.parameters)
                    if closed is not None:
                        return closed
                case Hidden(_, events):
                    is_free = is_free or (move.kind is Kind.EVENT and move.event in events)
                case Sequel():
                    is_free = is_free or move.kind is Kind.TERMINATION
                case Parallel() as node if not is_free:
                    obstacle = self._at_parallel(move, node)
                    if obstacle is not None:
                        return obstacle
        return self._at_top(move, is_free)

    def _at_top(self, move: Move, is_free: bool) -> Obstacle | None:
        """Nothing, if it is a step; else it fails, or is one that others go before."""

        def is_meant(event: str | None, processes: Iterable[str]) -> bool:
            same = event == move.event or (is_free and event is not None and is_internal(event))
            return same and not move.processes.isdisjoint(processes)

        if any(is_meant(step.event, step.processes) for step in self._steps):
            return None
        for failure in self._failures:
            if is_meant(failure.event, failure.processes):
                return Fails(failure.problem.message)
        return Outranked()

    def _at_parallel(self, move: Move, node: Parallel) -> Obstacle | None:
        if move.kind is Kind.TERMINATION:
            return None if node.ends is not None or not (by := self._not_ending(node)) else NotEnding(by)
        if not is_shared(move, node.alphabets):
            return None
        by = self._lacking(node, move.event)
        return NotOffered(by) if by else None

    def _not_ending(self, node: Parallel) -> tuple[str, ...]:
        """The processes of components that do not offer to terminate."""
        if (id(node), None) not in self._missing:
            lacking = [
                number
                for number, component in enumerate(node.components)
                if not any(
                    isinstance(one, Move) and one.kind is Kind.TERMINATION
                    for one in self._moves_of(component)
                )
            ]
            self._missing[id(node), None] = _processes(node, lacking)
        return self._missing[id(node), None]

    def _lacking(self, node: Parallel, event: str) -> tuple[str, ...]:
        """The processes of components that have an event in their alphabets, and do not offer it."""
        assert node.alphabets is not None
        if (id(node), event) not in self._missing:
            lacking = [
                number
                for number, alphabet in enumerate(node.alphabets)
                if event in alphabet and not self._offers(node.components[number], event)
            ]
            self._missing[id(node), event] = _processes(node, lacking)
        return self._missing[id(node), event]

    def _offers(self, component: Tree, event: str) -> bool:
        return any(
            isinstance(one, Move) and one.event == event and one.synchronises
            for one in self._moves_of(component)
        )

    def _climb_half(self, offer: Offer, above: tuple[_Above, ...]) -> Obstacle | _NobodyMeets | None:
        for operator in reversed(above):
            node = operator.node
            if isinstance(node, Guarded):
                closed = self._closed_body(node.guard.position, node.guard.parameters)
                if closed is not None:
                    return closed
            if not isinstance(node, Parallel):
                continue
            others = [
                one
                for number, component in enumerate(node.components)
                if number != operator.part
                for one in self._moves_of(component)
            ]
            pairs = meetings([offer], others) if isinstance(offer, SendOffer) else meetings(others, [offer])
            if any(True for _ in pairs):
                return None
        return _NobodyMeets(isinstance(offer, SendOffer))

    def _closed_body(self, position: int, parameters: tuple[int, ...]) -> Obstacle | None:
        scope = Scope(list(self._values), parameters)
        conditions = _conjuncts(self._system.network.behaviour.condition(position))
        try:
            for condition in conditions:
                if not evaluate(condition, scope):
                    return self._guard(condition, scope)
            return None
        except InputError as problem:
            return Fails(problem.diagnostics[0].message)

    def _moves_of(self, component: Tree) -> list[Move | Offer]:
        if id(component) not in self._moves:
            self._moves[id(component)] = list(self._system._moves(component, self._values))
        return self._moves[id(component)]


def _conjuncts(guard: Expression | None) -> Iterator[Expression]:
    """The parts of a conjunction, from left to right; nothing is evaluated behind one that is false."""
    pending = [] if guard is None else [guard]
    while pending:
        match pending.pop():
            case Binary(Operator.AND, left, right):
                pending += [right, left]
            case condition:
                yield condition


def _event_of(edge: Edge, leaf: Leaf, scope: Scope) -> str:
    """What an edge is called in the text: a message that is still to be received has no value."""
    label = edge.label
    if isinstance(label, ChannelTemplate):
        channel = _channel_name(label, scope)
        if isinstance(edge.handshake, Receive) or label.action is ChannelAction.RECEIVE:
            return f"{channel}?"
        values = (argument_text(evaluate(value, scope), value.type) for value in label.values)
        return f"{channel}!{'.'.join(values)}"
    return label_of(label, leaf.process, scope)[1]


def _meeting_name(edge: Edge, scope: Scope) -> str:
    """The channel on which an edge meets another one."""
    if edge.handshake is not None and not isinstance(edge.label, ChannelTemplate):
        return edge.handshake.rendezvous.channel
    return _channel_name(edge.label, scope)


def _channel_name(label: LabelTemplate, scope: Scope) -> str:
    """A channel as the text calls it: one of an array has its index."""
    assert isinstance(label, ChannelTemplate)
    return label.channel if label.index is None else f"{label.channel}[{evaluate(label.index, scope)}]"


def _processes(node: Parallel, numbers: Iterable[int]) -> tuple[str, ...]:
    """The processes of some components."""
    return tuple(
        dict.fromkeys(leaf.process for number in numbers for leaf in leaves(node.components[number]))
    )
