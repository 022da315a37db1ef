"""The canonical encoding of configurations: bytes that depend on the model alone.

They do not depend on the order in which positions and values were discovered, nor on how an engine keeps
them, and equal bytes are equal configurations. An encoding is a sequence of fragments:

    frame, value of each shared slot, component, component, …

The frame is the tree down to where processes run side by side, with holes for these. The components are what
is in the holes, and the local states of the nodes of the frame. A component without the values of its
parameters is its form. docs/reference/canonical-encoding.md describes every byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.base.records import dataclass
from fairlead.model.canonical.numbers import (
    NotCanonical,
    Reader,
    fragment_hash,
    mixed,
    prefixed,
    text_bytes,
    unsigned,
)
from fairlead.model.canonical.operators import (
    HOLE,
    Node,
    assembled,
    is_apart,
    node_bytes,
    owner_of,
    read_node,
    read_nodes,
)
from fairlead.model.canonical.values import read_value, value_bytes
from fairlead.model.network import Buffer, Network
from fairlead.model.tree import (
    FIRST_POSITION,
    Configuration,
    Counted,
    Guarded,
    Leaf,
    LocalState,
    Sequel,
    Tree,
    nodes,
    subtrees,
)
from fairlead.model.types import Type
from fairlead.model.values import ObjectType

#: how a component begins: with a leaf that its owner owns, or with any other tree
_OF_OWNER, _TREE = 0, 1
#: who owns the local state of a node of the frame
_NODE = ""


@dataclass(frozen=True)
class Component:
    """The content of a hole, or of a node of the frame: its form, and the values of its parameters."""

    form: bytes
    values: bytes


@dataclass(frozen=True)
class Fragments:
    """An encoding in its parts."""

    frame: bytes
    values: bytes
    components: tuple[Component, ...]

    @property
    def whole(self) -> bytes:
        """The encoding."""
        return b"".join(self)

    @property
    def hash(self) -> int:
        """The hash of the encoding, in 64 bits; put together from those of its parts."""
        found = 0x9E3779B97F4A7C15
        for fragment in self:
            found = mixed(found ^ fragment_hash(fragment), 0xD6E8FEB86659FD93)
        return mixed(found, 0xA0761D6478BD642F)

    def __iter__(self) -> Iterator[bytes]:
        yield self.frame
        yield self.values
        yield from (one.form + one.values for one in self.components)


@dataclass(frozen=True)
class Frame:
    """The nodes of a frame, with None for holes; who owns each component, in their order."""

    nodes: tuple[Node | None, ...]
    owners: tuple[str, ...]

    def filled(self, components: Sequence[Tree]) -> Tree:
        """The tree with its components; a local state of a node is given as a leaf."""
        given = iter(components)
        found: list[Node] = []
        for listed in self.nodes:
            if listed is None:
                found.append((next(given), 0))
                continue
            node, parts = listed
            if isinstance(node, Sequel | Guarded):
                leaf = next(given)
                if not isinstance(leaf, Leaf):
                    raise NotCanonical("a tree stands where a local state should")
                node = _with_local(node, leaf.state)
            found.append((node, parts))
        return assembled(found)


@dataclass(frozen=True)
class Form:
    """A component whose parameters have no values yet: their types, and how many each local state has.

    `counts` are those of the members of counted processes.
    """

    nodes: tuple[Node, ...]
    types: tuple[Type, ...]
    sizes: tuple[int, ...]

    def filled(self, words: Sequence[int]) -> Tree:
        """The component with the values of its parameters."""
        if not words:
            return assembled(self.nodes)
        sizes, start = iter(self.sizes), 0

        def valued(local: LocalState) -> LocalState:
            nonlocal start
            first, start = start, start + next(sizes)
            return LocalState(local.position, tuple(words[first:start]))

        found: list[Node] = []
        for node, parts in self.nodes:
            match node:
                case Leaf(local) | Sequel(then=local) | Guarded(guard=local):
                    node = _with_local(node, valued(local))
                case Counted(members, process, cutoff):
                    moved = [(valued(local), number) for local, number in members]
                    node = Counted(tuple(sorted(moved)), process, cutoff)
            found.append((node, parts))
        return assembled(found)


class NetworkEncoding:
    """Encodes the configurations of one network, and decodes them."""

    def __init__(self, network: Network) -> None:
        self._behaviour = network.behaviour
        self._types: list[Type] = [Type.INT] * network.slots
        for variable in network.variables:
            self._types[variable.slot : variable.slot + variable.size] = [variable.type] * variable.size
        #: those with values in them that are not words, by their first slots
        self._buffers = {
            base: buffer
            for buffer in network.buffers
            for base in range(buffer.queue.base, buffer.queue.base + _size(buffer), buffer.queue.stride)
            if any(isinstance(kind, ObjectType) for form in buffer.messages for kind in form)
        }
        self._identities: dict[int, bytes] = {}
        self._positions: dict[bytes, int] = {}
        self._components: dict[tuple[Tree, str], Component] = {}

    # ------------------------------------------------------------ encoding

    def encode(self, configuration: Configuration) -> bytes:
        """The encoding of a configuration."""
        return self.fragments(configuration).whole

    def fragments(self, configuration: Configuration) -> Fragments:
        """The encoding of a configuration, in its parts."""
        frame = bytearray()
        components: list[Component] = []
        pending = [configuration.tree]
        while pending:
            node = pending.pop()
            if isinstance(node, Counted) or not is_apart(node):
                owner = owner_of(node)
                frame.append(HOLE)
                frame += text_bytes(owner)
                components.append(self._component(node, owner))
                continue
            frame += node_bytes(node)
            match node:
                case Sequel(then=local) | Guarded(guard=local):
                    components.append(self._component(Leaf(local, _NODE), _NODE))
            pending += reversed(subtrees(node))
        return Fragments(bytes(frame), self.values(configuration.values), tuple(components))

    def values(self, words: Sequence[int]) -> bytes:
        """The values of the shared slots."""
        types = self._types
        if self._buffers:
            types = list(types)
            for base, buffer in self._buffers.items():
                for first in _messages(buffer, base, words[base]):
                    first, form = _form_at(buffer, first, words)
                    types[first : first + len(form)] = form
        return b"".join(map(value_bytes, types, words))

    def _component(self, tree: Tree, owner: str) -> Component:
        key = tree, owner
        if key not in self._components:
            self._components[key] = self._found_component(tree, owner)
        return self._components[key]

    def _found_component(self, tree: Tree, owner: str) -> Component:
        if isinstance(tree, Leaf) and tree.process == owner:
            form, values = self._local(tree.state)
            return Component(bytes((_OF_OWNER,)) + form, values)
        parts = list(self._parts(tree))
        form = b"".join(part for part, _ in parts)
        return Component(bytes((_TREE,)) + form, b"".join(values for _, values in parts))

    def _parts(self, tree: Tree) -> Iterator[tuple[bytes, bytes]]:
        """What each node of a tree adds to the form, and to the values of the parameters."""
        for node in nodes(tree):
            match node:
                case Leaf(local) | Sequel(then=local) | Guarded(guard=local):
                    form, values = self._local(local)
                    yield node_bytes(node) + form, values
                case Counted(members):
                    listed = sorted((*self._local(local), number) for local, number in members)
                    form = b"".join(form + unsigned(number) for form, _, number in listed)
                    values = b"".join(values for _, values, _ in listed)
                    yield node_bytes(node) + unsigned(len(listed)) + form, values
                case _:
                    yield node_bytes(node), b""

    def _local(self, local: LocalState) -> tuple[bytes, bytes]:
        values = b"".join(map(value_bytes, self.parameters(local.position), local.parameters))
        return self.identity(local.position), values

    def identity(self, position: int) -> bytes:
        """What a position is called, whenever it was discovered; with its length in front."""
        known = self._identities.get(position)
        if known is None:
            own = bytes((position,)) if position < FIRST_POSITION else self._behaviour.identity(position)
            known = self._identities[position] = prefixed(own)
            other = self._positions.setdefault(known, position)
            assert other == position, f"positions {other} and {position} have one identity"
        return known

    def parameters(self, position: int) -> tuple[Type, ...]:
        """The types of the parameters of a position."""
        if position < FIRST_POSITION:
            return ()
        return tuple(kind for _, kind in self._behaviour.place(position).parameters)

    # ------------------------------------------------------------ decoding

    def decode(self, data: bytes) -> Configuration:
        """The configuration with an encoding; raises `NotCanonical` if none has it."""
        reader = Reader(data)
        frame = self.read_frame(reader)
        values = self.read_values(reader)
        components = [self._read_component(reader, owner) for owner in frame.owners]
        found = Configuration(values, frame.filled(components))
        if self.encode(found) != data:
            raise NotCanonical("it is written otherwise")
        return found

    def read_frame(self, reader: Reader) -> Frame:
        """The frame of an encoding."""
        owners: list[str] = []

        def read() -> Node:
            kind = reader.byte()
            if kind == HOLE:
                owners.append(reader.text())
                return _HOLE, 0
            node, parts = read_node(kind, reader)
            if isinstance(node, Leaf | Counted):
                raise NotCanonical("a leaf is a component")
            if isinstance(node, Sequel | Guarded):
                owners.append(_NODE)
            return node, parts

        listed = read_nodes(read)
        return Frame(tuple(None if node is _HOLE else (node, parts) for node, parts in listed), tuple(owners))

    def read_values(self, reader: Reader) -> tuple[int, ...]:
        """The values of the shared slots."""
        found: list[int] = []
        while len(found) < len(self._types):
            base = len(found)
            found.append(read_value(reader, self._types[base]))
            buffer = self._buffers.get(base)
            if buffer is None:
                continue
            if not 0 <= found[base] <= (buffer.queue.stride - 1) // max(1, buffer.queue.width):
                raise NotCanonical(f"there are not {found[base]} messages in a buffer")
            for _ in _messages(buffer, base, found[base]):
                end = len(found) + buffer.queue.width
                if len(buffer.messages) > 1:
                    found.append(read_value(reader, Type.INT))
                _, form = _form_at(buffer, end - buffer.queue.width, found)
                found += [read_value(reader, kind) for kind in form]
                found += [read_value(reader, Type.INT) for _ in range(end - len(found))]
        return tuple(found)

    def _read_component(self, reader: Reader, owner: str) -> Tree:
        form = self.read_form(reader, owner)
        return form.filled([read_value(reader, kind) for kind in form.types])

    def read_form(self, reader: Reader, owner: str) -> Form:
        """A component without the values of its parameters."""
        types: list[Type] = []
        sizes: list[int] = []

        def local() -> LocalState:
            position = self._read_position(reader)
            own = self.parameters(position)
            types.extend(own)
            sizes.append(len(own))
            return LocalState(position)

        def read() -> Node:
            node, parts = read_node(reader.byte(), reader)
            match node:
                case Leaf() | Sequel() | Guarded():
                    node = _with_local(node, local())
                case Counted(_, process, cutoff):
                    members = [(local(), reader.unsigned()) for _ in range(reader.unsigned())]
                    node = Counted(tuple(members), process, cutoff)
            return node, parts

        kind = reader.byte()
        if kind == _OF_OWNER:
            listed: tuple[Node, ...] = ((Leaf(local(), owner), 0),)
        elif kind == _TREE:
            listed = read_nodes(read)
        else:
            raise NotCanonical(f"no component begins with {kind}")
        return Form(listed, tuple(types), tuple(sizes))

    def _read_position(self, reader: Reader) -> int:
        own = reader.prefixed()
        known = self._positions.get(prefixed(own))
        if known is None:
            is_reserved = len(own) == 1 and own[0] < FIRST_POSITION
            known = own[0] if is_reserved else self._behaviour.position(own)
            if self.identity(known) != prefixed(own):
                raise NotCanonical("a position is written otherwise")
        return known


#: stands for a hole while a frame is read
_HOLE = Leaf(LocalState(0), "")


def _with_local(node: Leaf | Sequel | Guarded, local: LocalState) -> Tree:
    match node:
        case Leaf(_, process):
            return Leaf(local, process)
        case Sequel(first, _, process, construct):
            return Sequel(first, local, process, construct)
        case Guarded(_, body):
            return Guarded(local, body)


def _size(buffer: Buffer) -> int:
    return buffer.queue.count * buffer.queue.stride


def _messages(buffer: Buffer, base: int, count: int) -> range:
    """Where the messages in a buffer begin."""
    first, width = base + 1, buffer.queue.width
    return range(first, first + count * width, width) if width else range(0)


def _form_at(buffer: Buffer, first: int, words: Sequence[int]) -> tuple[int, tuple[Type, ...]]:
    """Where the fields of a message begin, and their types."""
    if len(buffer.messages) == 1:
        return first, buffer.messages[0]
    if not 0 <= words[first] < len(buffer.messages):
        raise NotCanonical(f"messages have no form {words[first]}")
    return first + 1, buffer.messages[words[first]]
