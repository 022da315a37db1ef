"""Determines which channels a process may still use from its position, as far as its text tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.base.diagnostics import InputError
from fairlead.base.records import dataclass
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import Constant, Expression, Parameter, depends_on_step, subexpressions
from fairlead.model.labels import ChannelAction, ChannelTemplate
from fairlead.model.network import Behaviour, Edge, Send, Target
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, System
from fairlead.model.tree import Configuration, Leaf, LocalState, Sequel, nodes

#: a process with more local states ahead of it is taken to use only what was found by then
MOST_LOCAL_STATES = 1000


@dataclass(frozen=True)
class Half:
    """One half of a communication: sending on a channel, or receiving from it.

    Of an array of channels the name has the index, as in `c[2]`, or none if it depends on what happens.
    """

    channel: str
    sends: bool

    def covers(self, other: Half) -> bool:
        """Whether this may be the other one: it is the same, or its index is not known."""
        return self.sends == other.sends and self.channel in (other.channel, other.channel.partition("[")[0])


def halves_ahead(system: System, state: State) -> Mapping[str, frozenset[Half]]:
    """For each process of a configuration, what it may still do on channels.

    Guards are taken to hold. Parameters are followed as long as their values are known; what depends on
    variables or messages is unknown. Compositions that a process becomes are not followed.
    """
    if not isinstance(system, NetworkSystem) or not isinstance(state, Configuration):
        return {}
    found: dict[str, frozenset[Half]] = {}
    known: dict[LocalState, frozenset[Half]] = {}
    for node in nodes(state.tree):
        match node:
            case Leaf(local, process) | Sequel(then=local, process=process):
                if local not in known:
                    known[local] = frozenset(_ahead(system.network.behaviour, local))
                found[process] = found.get(process, frozenset()) | known[local]
    return found


#: a position, and the values of its parameters that are known
_Abstract = tuple[int, tuple[int | None, ...]]


def _ahead(behaviour: Behaviour, state: LocalState) -> Iterator[Half]:
    start: _Abstract = (state.position, state.parameters)
    met = {start}
    pending = [start]
    while pending:
        position, values = pending.pop()
        for edge in behaviour.edges(position) or ():
            if isinstance(edge.label, ChannelTemplate):
                yield _half(edge, edge.label, values)
            elif edge.handshake is not None:
                yield Half(edge.handshake.rendezvous.channel, isinstance(edge.handshake, Send))
            following = _after(edge.target, values)
            if following not in met and len(met) < MOST_LOCAL_STATES:
                met.add(following)
                pending.append(following)


def _half(edge: Edge, label: ChannelTemplate, values: tuple[int | None, ...]) -> Half:
    sends = label.action is ChannelAction.SEND or isinstance(edge.handshake, Send)
    if label.index is None:
        return Half(label.channel, sends)
    index = _value(label.index, values)
    return Half(label.channel if index is None else f"{label.channel}[{index}]", sends)


def _after(target: Target, values: tuple[int | None, ...]) -> _Abstract:
    return target.position, tuple(_value(argument, values) for argument in target.arguments)


def _value(expression: Expression, values: tuple[int | None, ...]) -> int | None:
    """The value of an expression, if it depends on nothing but parameters whose values are known."""
    if isinstance(expression, Constant):
        return expression.value
    if depends_on_step(expression):
        return None
    read = [part.slot for part in subexpressions(expression) if isinstance(part, Parameter)]
    if any(values[slot] is None for slot in read):
        return None
    try:
        return evaluate(expression, Scope([], tuple(value or 0 for value in values)))
    except InputError:
        return None
