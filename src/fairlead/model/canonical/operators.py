"""Trees as bytes: each node before its parts, by its operator.

An operator is what of a node is neither a part below it nor a local state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from fairlead.model.canonical.numbers import NotCanonical, Reader, text_bytes, unsigned
from fairlead.model.counted_moves import UnboundedProcesses
from fairlead.model.tree import (
    NESTING_LIMIT,
    STOP,
    Atomic,
    Choice,
    Counted,
    ExternalChoice,
    Guarded,
    Hidden,
    Interrupt,
    Leaf,
    Parallel,
    Prioritised,
    Sequel,
    Tree,
    Unbounded,
    nodes,
    subtrees,
    with_subtrees,
)

#: stands for a component in a frame
HOLE = 0
_LEAF, _INTERLEAVING, _PARALLEL, _SEQUEL, _CHOICE, _GUARDED, _EXTERNAL = range(1, 8)
_INTERRUPT, _HIDDEN, _ATOMIC, _HIGH, _LOW, _COUNTED = range(8, 14)
#: operators with any number of parts, which is stated
_MANY = frozenset({_INTERLEAVING, _PARALLEL, _CHOICE, _EXTERNAL})
_PARTS = {_LEAF: 0, _INTERRUPT: 2, _COUNTED: 0}

#: a node without its parts, and how many it has
Node = tuple[Tree, int]
#: stands for parts that are not there yet
_MISSING = Leaf(STOP, "")


def node_bytes(node: Tree) -> bytes:
    """The operator of a node, and how many parts it has if that may be any number."""
    operator = operator_bytes(node)
    return operator + unsigned(len(subtrees(node))) if operator[0] in _MANY else operator


def operator_bytes(node: Tree) -> bytes:
    """The operator of a node."""
    match node:
        case Leaf(_, process):
            return bytes((_LEAF,)) + text_bytes(process)
        case Parallel(_, None, None):
            return bytes((_INTERLEAVING,))
        case Parallel(_, alphabets, ends):
            out = bytes((_PARALLEL,)) + unsigned(0 if alphabets is None else len(alphabets) + 1)
            out += b"".join(_set_bytes(alphabet) for alphabet in alphabets or ())
            out += unsigned(0 if ends is None else len(ends) + 1)
            return out + b"".join(unsigned(place) for place in sorted(ends or ()))
        case Sequel(_, _, process, construct):
            return bytes((_SEQUEL,)) + text_bytes(process) + text_bytes(construct)
        case Choice():
            return bytes((_CHOICE,))
        case Guarded():
            return bytes((_GUARDED,))
        case ExternalChoice():
            return bytes((_EXTERNAL,))
        case Interrupt():
            return bytes((_INTERRUPT,))
        case Hidden(_, events):
            return bytes((_HIDDEN,)) + _set_bytes(events)
        case Atomic():
            return bytes((_ATOMIC,))
        case Prioritised(_, labels, is_high):
            return bytes((_HIGH if is_high else _LOW,)) + _set_bytes(labels)
        case Counted(_, process, cutoff):
            return bytes((_COUNTED,)) + text_bytes(process) + unsigned(0 if cutoff is None else cutoff + 1)
        case Unbounded(name=name):
            raise UnboundedProcesses(name)
        case _:
            assert_never(node)


def read_node(kind: int, reader: Reader) -> Node:
    """A node whose first byte has been read."""
    if kind == _PARALLEL:
        node: Tree = _read_parallel(reader)
    elif kind == _SEQUEL:
        node = Sequel(_MISSING, STOP, reader.text(), reader.text())
    elif kind == _LEAF:
        node = Leaf(STOP, reader.text())
    elif kind == _HIDDEN:
        node = Hidden(_MISSING, _read_set(reader))
    elif kind in (_HIGH, _LOW):
        node = Prioritised(_MISSING, _read_set(reader), kind == _HIGH)
    elif kind == _COUNTED:
        process, cutoff = reader.text(), reader.unsigned()
        node = Counted((), process, None if cutoff == 0 else cutoff - 1)
    elif kind in _PLAIN:
        node = _PLAIN[kind]
    else:
        raise NotCanonical(f"{kind} is not an operator")
    return node, reader.unsigned() if kind in _MANY else _PARTS.get(kind, 1)


_PLAIN: dict[int, Tree] = {
    _INTERLEAVING: Parallel(()),
    _CHOICE: Choice(()),
    _GUARDED: Guarded(STOP, _MISSING),
    _EXTERNAL: ExternalChoice(()),
    _INTERRUPT: Interrupt(_MISSING, _MISSING),
    _ATOMIC: Atomic(_MISSING),
}


def _read_parallel(reader: Reader) -> Parallel:
    count = reader.unsigned()
    alphabets = tuple(_read_set(reader) for _ in range(count - 1)) if count else None
    count = reader.unsigned()
    ends = [reader.unsigned() for _ in range(count - 1)] if count else None
    return Parallel((), alphabets, None if ends is None else frozenset(ends))


def _set_bytes(texts: Iterable[str]) -> bytes:
    listed = sorted(text.encode() for text in texts)
    return unsigned(len(listed)) + b"".join(unsigned(len(text)) + text for text in listed)


def _read_set(reader: Reader) -> frozenset[str]:
    return frozenset(reader.text() for _ in range(reader.unsigned()))


# ---------------------------------------------------------------- whole trees


def read_nodes(read: Callable[[], Node]) -> tuple[Node, ...]:
    """All nodes of a tree, each before its parts."""
    found: list[Node] = []
    remaining = [1]  # how many are missing at each level
    while remaining:
        remaining[-1] -= 1
        node = read()
        found.append(node)
        if node[1]:
            remaining.append(node[1])
            if len(remaining) > NESTING_LIMIT:
                raise NotCanonical(f"more than {NESTING_LIMIT} operators are nested")
        while remaining and not remaining[-1]:
            remaining.pop()
    return tuple(found)


def assembled(listed: Sequence[Node]) -> Tree:
    """The tree of nodes, each before its parts."""
    done: list[Tree] = []
    for node, parts in reversed(listed):
        below = tuple(done.pop() for _ in range(parts))
        done.append(with_subtrees(node, below) if parts else node)
    (tree,) = done
    return tree


def is_apart(tree: Tree) -> bool:
    """Whether a configuration keeps the parts of a tree apart: some of them run side by side."""
    match tree:
        case Parallel() | Prioritised() | Counted():
            return True
        case Sequel() | Interrupt() | Hidden() | Atomic():
            return any(map(is_apart, subtrees(tree)))
    # of a choice none of the branches runs yet
    return any(isinstance(node, Counted) for node in nodes(tree))


def owner_of(tree: Tree) -> str:
    """Who owns the first leaf of a tree."""
    return next(node.process for node in nodes(tree) if isinstance(node, Leaf | Counted))
