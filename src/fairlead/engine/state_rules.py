"""Checks that the states and tables of a checkpoint can be those of a network.

The engine knows numbers; which word is a value of which type, and what a position is, only the network knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fairlead.engine import _native
from fairlead.engine.journal import expect
from fairlead.engine.trees import TreeTable
from fairlead.engine.values import kind_of_container, native_values
from fairlead.model.network import Buffer, Network
from fairlead.model.types import Type
from fairlead.model.values import ObjectType

_Kind = _native.NodeKind
_Role = _native.LocalRole
#: which local states the nodes of a tree can have
_ROLES = {
    _Kind.LEAF: (_Role.PROCESS, _Role.COUNTED),
    _Kind.SEQUEL: (_Role.PROCESS,),
    _Kind.GUARDED: (_Role.GUARD,),
}
#: more processes are not counted
_MOST_COUNTED = 1 << 30

#: for each group of counted processes, its cutoff
Cutoffs = Sequence[int | None]


def rules_for(
    network: Network, native: _native.Network, trees: TreeTable, cutoffs: Cutoffs
) -> _native.StateRules:
    """What states must be like; raises `Mismatch` if a table of the engine is not that of the network."""
    return _Rules(network, native, cutoffs).rules(trees)


class _Rules:
    def __init__(self, network: Network, native: _native.Network, cutoffs: Cutoffs) -> None:
        self._network = network
        self._native = native
        self._cutoffs = cutoffs
        self._values = native_values(network.values)
        self._types: dict[ObjectType, int] = {}
        self._opaque: dict[ObjectType, list[int]] = {}
        self._positions: dict[int, tuple[_native.LocalRole, tuple[Type, ...]]] = {}

    def rules(self, trees: TreeTable) -> _native.StateRules:
        roles = [self._role(*self._native.local(number)) for number in range(self._native.local_count)]
        self._check_members(roles)
        for number in range(self._native.operator_count):
            expect(trees.has_meaning(self._native.operator(number)))
        for number in range(self._native.tree_count):
            operator, payload = self._native.tree(number)
            kind = self._native.operator(operator).kind
            expect(kind not in _ROLES or roles[payload[-1]] in _ROLES[kind])
        words = [
            (slot, self._type(variable.type))
            for variable in self._network.variables
            if isinstance(variable.type, ObjectType)
            for slot in range(variable.slot, variable.slot + variable.size)
        ]
        buffers = [self._buffer(buffer) for buffer in self._network.buffers]
        types = [_native.ValueType(self._kind(type), self._numbers(type)) for type in self._types]
        return _native.StateRules(types, words, buffers, bytes(role.value for role in roles))

    # ------------------------------------------------------------ local states

    def _role(self, position: int, parameters: Sequence[int]) -> _native.LocalRole:
        if position == _native.TREE_POSITION:
            expect(len(parameters) == 1 and 0 <= parameters[0] < self._native.tree_count)
            expect(not self._native.tree_unfolds(parameters[0]))
            return _Role.TREE
        if position == _native.COUNTED_POSITION:
            return _Role.COUNTED
        role, types = self._position(position)
        expect(len(types) == len(parameters))
        expect(all(self._is_word(type, word) for type, word in zip(types, parameters, strict=True)))
        return role

    def _position(self, number: int) -> tuple[_native.LocalRole, tuple[Type, ...]]:
        found = self._positions.get(number)
        if found is None:
            behaviour = self._network.behaviour
            expect(number < behaviour.position_count)
            role = _Role.GUARD if behaviour.is_guard(number) else _Role.PROCESS
            found = role, tuple(type for _, type in behaviour.place(number).parameters)
            self._positions[number] = found
        return found

    def _check_members(self, roles: Sequence[_native.LocalRole]) -> None:
        """Counted processes: a group, then local states in ascending order, each with a number."""
        for number, role in enumerate(roles):
            if role != _Role.COUNTED:
                continue
            _, parameters = self._native.local(number)
            expect(len(parameters) % 2 == 1 and 0 <= parameters[0] < len(self._cutoffs))
            cutoff = self._cutoffs[parameters[0]]
            most = _MOST_COUNTED if cutoff is None else cutoff + 1
            members, counts = parameters[1::2], parameters[2::2]
            expect(all(0 <= member < len(roles) and roles[member] == _Role.PROCESS for member in members))
            expect(all(one < other for one, other in pairwise(members)))
            expect(all(0 < count <= most for count in counts))

    # ------------------------------------------------------------ values

    def _type(self, type: ObjectType) -> int:
        return self._types.setdefault(type, len(self._types))

    def _kind(self, type: ObjectType) -> _native.ValueKind:
        return _native.ValueKind.OPAQUE if type.container is None else kind_of_container(type.container)

    def _numbers(self, type: ObjectType) -> list[int]:
        if type not in self._opaque:
            known = self._network.values.numbers_of(type) if type.container is None else []
            self._opaque[type] = sorted(known)
        return self._opaque[type]

    def _is_word(self, type: Type, word: int) -> bool:
        if type is Type.BOOL:
            return word in (0, 1)
        if not isinstance(type, ObjectType):
            return True
        if not 0 <= word < self._values.count or self._values.kind(word) != self._kind(type):
            return False
        return type.container is not None or word in self._numbers(type)

    def _buffer(self, buffer: Buffer) -> _native.BufferRule:
        forms = [
            [self._type(field) if isinstance(field, ObjectType) else _native.NONE for field in message]
            for message in buffer.messages
        ]
        queue = buffer.queue
        return _native.BufferRule(queue.base, queue.count, queue.capacity, queue.width, forms)
