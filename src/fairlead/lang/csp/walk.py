"""Walks over syntax trees without recursion, since a model decides how deep they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from fairlead.lang.csp import syntax

_CHILD_FIELDS: dict[type[syntax.Node], tuple[str, ...]] = {}


def _child_fields(kind: type[syntax.Node]) -> tuple[str, ...]:
    if kind not in _CHILD_FIELDS:
        names = (item.name for item in fields(kind))
        _CHILD_FIELDS[kind] = tuple(name for name in names if not name.endswith("span"))
    return _CHILD_FIELDS[kind]


def child_nodes(node: syntax.Node) -> Iterator[syntax.Node]:
    """The nodes directly below a node, in the order of the text."""
    for name in _child_fields(type(node)):
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: Any) -> Iterator[syntax.Node]:
    if isinstance(value, syntax.Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)


def nodes_of(roots: Iterable[syntax.Node]) -> Iterator[syntax.Node]:
    """Every node at or below the roots."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        yield node
        pending += child_nodes(node)


def postorder(root: syntax.Node) -> Iterator[syntax.Node]:
    """Every node at or below the root, children before their parent."""
    pending: list[tuple[syntax.Node, bool]] = [(root, False)]
    while pending:
        node, done = pending.pop()
        if done:
            yield node
        else:
            pending.append((node, True))
            pending += [(child, False) for child in child_nodes(node)]


def process_children(node: syntax.Process) -> Iterator[syntax.Process]:
    """The processes directly below a node (not below calls)."""
    match node:
        case syntax.Choice(branches=parts) | syntax.Parallel(components=parts):
            yield from parts
        case syntax.Sequence(parts=parts) | syntax.Interrupt(parts=parts):
            yield from parts
        case syntax.Guarded(process=body) | syntax.Hiding(process=body) | syntax.Atomic(process=body):
            yield body
        case (
            syntax.Replication(body=body)
            | syntax.IndexedChoice(body=body)
            | syntax.IndexedParallel(body=body)
            | syntax.Prefix(next=body)
            | syntax.CompoundPrefix(next=body)
            | syntax.Output(next=body)
            | syntax.Input(next=body)
        ):
            yield body
        case syntax.Conditional(then=then, otherwise=otherwise):
            yield then
            if otherwise is not None:
                yield otherwise
        case syntax.Case(branches=branches, default=default):
            for branch in branches:
                yield branch.process
            if default is not None:
                yield default
