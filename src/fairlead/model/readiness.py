"""Which annotated edges of a configuration are ready: those that a leaf could take by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from fairlead.model.expression import Scope, evaluate
from fairlead.model.network import (
    Behaviour,
    Choice,
    Configuration,
    Edge,
    Guarded,
    Leaf,
    Parallel,
    Sequel,
    Tree,
)


def annotated_edges(behaviour: Behaviour, state: Configuration) -> Iterator[tuple[Edge, Leaf, Scope]]:
    """The annotated edges whose guards hold, each with its leaf and the scope its label is evaluated in."""
    pending: list[Tree] = [state.tree]
    while pending:
        tree = pending.pop()
        match tree:
            case Leaf(local):
                scope = Scope(list(state.values), local.parameters)
                for edge in behaviour.edges(local.position) or ():
                    if edge.annotation is not None and (edge.guard is None or evaluate(edge.guard, scope)):
                        yield edge, tree, scope
            case Parallel(components):
                pending += components
            case Sequel(first):
                pending.append(first)
            case Choice(branches):
                pending += branches
            case Guarded(guard, body):
                condition = behaviour.condition(guard.position)
                if evaluate(condition, Scope(list(state.values), guard.parameters)):
                    pending.append(body)
            case _:
                assert_never(tree)
