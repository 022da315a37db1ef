"""Gives the engine the names that it needs for the canonical encoding of states."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.engine import _native
from fairlead.model.canonical.encoding import NetworkEncoding
from fairlead.model.canonical.operators import operator_bytes
from fairlead.model.network import Network
from fairlead.model.tree import Tree
from fairlead.model.types import Type
from fairlead.model.values import ObjectType


class _Names:
    """What things are called whose numbers say when they were discovered."""

    def __init__(self, network: Network, node_of: Callable[[int], Tree]) -> None:
        self._encoding = NetworkEncoding(network)
        self._values = network.values
        self._node_of = node_of

    def position(self, number: int) -> tuple[bytes, list[bool]]:
        """The identity of a position, and which of its parameters are numbers of values."""
        types = self._encoding.parameters(number)
        return self._encoding.identity(number), [_is_by_number(kind) for kind in types]

    def operator(self, number: int) -> bytes:
        """An operator, without the number of its parts."""
        return operator_bytes(self._node_of(number))

    def value(self, number: int) -> bytes:
        """What a value holds that is kept in Python."""
        return self._values.type_of(number).encoded(number)


def encoder_of(
    network: Network,
    native: _native.Network,
    context: _native.Context,
    node_of: Callable[[int], Tree],
) -> _native.CanonicalEncoder:
    """The encoder of a network in the engine; `node_of` gives a node with the operator of a number."""
    by_number = [False] * network.slots
    for variable in network.variables:
        for slot in range(variable.slot, variable.slot + variable.size):
            by_number[slot] = _is_by_number(variable.type)
    buffers = []
    for buffer in network.buffers:
        forms = [[_is_by_number(kind) for kind in form] for form in buffer.messages]
        if any(map(any, forms)):
            queue = buffer.queue
            found = _native.CanonicalBuffers(queue.base, queue.count, queue.stride, queue.width, forms)
            buffers.append(found)
    return _native.CanonicalEncoder(native, context, by_number, buffers, _Names(network, node_of))


def _is_by_number(kind: Type) -> bool:
    return isinstance(kind, ObjectType)
