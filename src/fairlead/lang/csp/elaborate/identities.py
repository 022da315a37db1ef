"""What positions are called in encodings: names that depend on the text of the model alone.

A position is a stack of frames. Each is known by where its node stands in the text, and by the names that
have a meaning there: what types they have, and the values of those that decide its structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.expressions import Environment
from fairlead.lang.csp.elaborate.free import FreeNames
from fairlead.lang.csp.library.library import Library
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.canonical.numbers import NotCanonical, Reader, prefixed, text_bytes, unsigned
from fairlead.model.canonical.values import read_value, value_bytes
from fairlead.model.expression import Constant, Expression, Parameter
from fairlead.model.tree import FIRST_POSITION
from fairlead.model.types import Type

#: types that all models have, by their codes; any other is called by its name
_TYPES = (Type.INT, Type.BOOL, Type.MIXED)
_NAMED = len(_TYPES)
#: how a node can be meant: as itself, or as its condition, or the negation of that
_ITSELF, _CONDITION, _NEGATION = range(3)

#: a node with what its names mean
NodeFrame = tuple[syntax.Process, Environment]


class Identities:
    """The identities of the positions of one system, whose frames are parts of some `roots`."""

    def __init__(self, roots: Sequence[syntax.Process], names: FreeNames, library: Library) -> None:
        self._roots = roots
        self._names = names
        self._library = library
        self._guards: dict[tuple[int, bool], syntax.Guarded] = {}
        #: by the nodes that stand for conditions: whose condition it is, and whether not its negation
        self._conditions: dict[int, tuple[syntax.Process, bool]] = {}

    def guard(self, node: syntax.Guarded | syntax.Conditional, positive: bool) -> syntax.Guarded:
        """Stands for the condition of a node, or its negation: `[b] Stop` has just the names in it."""
        found = self._guards.get((id(node), positive))
        if found is None:
            span = node.condition.span
            found = syntax.Guarded(span, node.condition, syntax.Stop(span))
            self._guards[id(node), positive] = found
            self._conditions[id(found)] = node, positive
        return found

    def is_positive(self, node: syntax.Process) -> bool | None:
        """Whether a node stands for a condition, or else for the negation of one; None if for neither."""
        known = self._conditions.get(id(node))
        return None if known is None else known[1]

    # ------------------------------------------------------------ to bytes

    def identity(self, frames: Sequence[NodeFrame]) -> bytes:
        """The identity of a stack of frames."""
        return unsigned(FIRST_POSITION - 1 + len(frames)) + b"".join(map(self._frame_bytes, frames))

    def _frame_bytes(self, frame: NodeFrame) -> bytes:
        node, environment = frame
        root, number = self._place(node)
        names, structural = sorted(self._names.free(node)), self._names.structural(node)
        bound = sum(1 << bit for bit, name in enumerate(names) if name in environment)
        out = unsigned(root) + unsigned(number)
        out += prefixed(bound.to_bytes((bound.bit_length() + 7) // 8, "little"))
        for name in names:
            if name in environment:
                value = environment[name]
                out += _type_bytes(value.type)
                if name in structural:
                    assert isinstance(value, Constant), value
                    out += value_bytes(value.type, value.value)
        return out

    def _place(self, node: syntax.Process) -> tuple[int, int]:
        known = self._conditions.get(id(node))
        if known is not None:
            base, positive = known
            root, number = self._places[id(base)]
            return root, number + (_CONDITION if positive else _NEGATION)
        return self._places[id(node)]

    @cached_property
    def _nodes(self) -> list[list[syntax.Process]]:
        """The processes in each of the roots."""
        return [
            [node for node in nodes_of((root,)) if isinstance(node, syntax.Process)] for root in self._roots
        ]

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}
        for root, nodes in enumerate(self._nodes):
            for number, node in enumerate(nodes):
                found.setdefault(id(node), (root, 3 * number))
        return found

    # ------------------------------------------------------------ from bytes

    def frames(self, identity: bytes) -> Iterator[NodeFrame]:
        """The frames with an identity, whose parameters have no values; raises `NotCanonical` if there are
        none."""
        reader = Reader(identity)
        slot = 0
        for _ in range(reader.unsigned() - FIRST_POSITION + 1):
            node = self._node(reader.unsigned(), reader.unsigned())
            names, structural = sorted(self._names.free(node)), self._names.structural(node)
            bound = int.from_bytes(reader.prefixed(), "little")
            environment: dict[str, Expression] = {}
            for bit, name in enumerate(names):
                if not bound >> bit & 1:
                    continue
                kind = self._read_type(reader)
                if name in structural:
                    environment[name] = Constant(read_value(reader, kind), kind)
                else:
                    environment[name] = Parameter(slot, kind)
                    slot += 1
            yield node, environment

    def _node(self, root: int, number: int) -> syntax.Process:
        number, meant = divmod(number, 3)
        if root >= len(self._nodes) or number >= len(self._nodes[root]):
            raise NotCanonical("the text of the model has no such place")
        node = self._nodes[root][number]
        if meant == _ITSELF:
            return node
        if not isinstance(node, syntax.Guarded | syntax.Conditional):
            raise NotCanonical("the text of the model has no condition there")
        return self.guard(node, meant == _CONDITION)

    def _read_type(self, reader: Reader) -> Type:
        code = reader.unsigned()
        if code < _NAMED:
            return _TYPES[code]
        name = reader.text()
        found = self._library.type_named(name)
        if found is None:
            raise NotCanonical(f"'{name}' is not the name of a type")
        return found


def _type_bytes(kind: Type) -> bytes:
    if kind in _TYPES:
        return unsigned(_TYPES.index(kind))
    return unsigned(_NAMED) + text_bytes(kind.name)
