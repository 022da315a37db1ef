"""Walks over syntax trees without recursion, since a model decides how deep they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from fairlead.lang.csp import syntax

#: fields of these types hold no nodes
_PLAIN = re.compile(r"(str|bool|int|Span|Source)( \| None)?|tuple\[str, \.\.\.\]( \| None)?")
_CHILD_FIELDS: dict[type[syntax.Node], tuple[str, ...]] = {}


def _child_fields(kind: type[syntax.Node]) -> tuple[str, ...]:
    found = _CHILD_FIELDS.get(kind)
    if found is None:
        found = tuple(item.name for item in fields(kind) if not _PLAIN.fullmatch(str(item.type)))
        _CHILD_FIELDS[kind] = found
    return found


def child_nodes(node: syntax.Node) -> list[syntax.Node]:
    """The nodes directly below a node, in the order of the text."""
    found: list[syntax.Node] = []
    for name in _child_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, syntax.Node):
            found.append(value)
        elif type(value) is tuple:
            found += [item for item in value if isinstance(item, syntax.Node)]
    return found


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


def processes_reached(
    call: syntax.Call, processes: Mapping[str, syntax.ProcessDefinition]
) -> dict[str, syntax.ProcessDefinition]:
    """The processes that a call can come to, its own and those it calls, by name."""
    found: dict[str, syntax.ProcessDefinition] = {}
    pending = [call.process]
    while pending:
        name = pending.pop()
        if name in processes and name not in found:
            found[name] = processes[name]
            called = nodes_of((processes[name].body,))
            pending += [node.process for node in called if isinstance(node, syntax.Call)]
    return found


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
