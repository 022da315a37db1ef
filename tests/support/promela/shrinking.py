"""Smaller programs that still have what makes a program interesting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

from tests.support.promela import syntax as p

_STATEMENTS = get_args(p.Statement)
_EXPRESSIONS = get_args(p.Expr)


def shrunk(program: p.Program, is_interesting: Callable[[p.Program], bool], most: int = 2_000) -> p.Program:
    """A program from which nothing can be left out; `is_interesting` must refuse what is no program."""
    tries = 0
    while True:
        for smaller in _smaller(program):
            tries += 1
            if tries > most:
                return program
            if is_interesting(smaller):
                program = smaller
                break
        else:
            return program


def _smaller(node: Any) -> Iterator[Any]:
    """The node with one part less, the largest parts first."""
    yield from _instead(node)
    if isinstance(node, tuple):
        for number, part in enumerate(node):
            yield node[:number] + node[number + 1 :]
            # a sequence inside a sequence can become part of it
            if isinstance(part, p.Block | p.Atomic | p.DStep):
                yield (*node[:number], *part.body, *node[number + 1 :])
            if isinstance(part, p.If | p.Do):
                for option in part.options:
                    yield (*node[:number], *option, *node[number + 1 :])
            if isinstance(part, p.Unless):
                yield (*node[:number], *part.main, *node[number + 1 :])
        for number, part in enumerate(node):
            for smaller in _smaller(part):
                yield (*node[:number], smaller, *node[number + 1 :])
    elif is_dataclass(node) and not isinstance(node, type):
        for one in fields(node):
            for smaller in _smaller(getattr(node, one.name)):
                yield replace(node, **{one.name: smaller})


def _instead(node: Any) -> Iterator[Any]:
    """What a node can be replaced by as a whole."""
    if isinstance(node, p.Labelled):
        yield node.statement
    if isinstance(node, p.Proctype):
        if node.provided is not None:
            yield replace(node, provided=None)
        if node.active > 1:
            yield replace(node, active=1)
    if isinstance(node, p.Declared) and node.initial:
        yield replace(node, initial=0)
    if (
        isinstance(node, _STATEMENTS)
        and node != p.Condition(p.Num(1))
        and not isinstance(node, p.Else | p.Break)
    ):
        yield p.Condition(p.Num(1))
    if isinstance(node, _EXPRESSIONS) and not isinstance(node, p.Num):
        yield p.Num(0)
        yield p.Num(1)
        if isinstance(node, p.Binary):
            yield node.left
            yield node.right
        if isinstance(node, p.Conditional):
            yield node.then
            yield node.otherwise
