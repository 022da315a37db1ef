"""Short ways to parse parts of FSP texts."""

from __future__ import annotations

from typing import Any

from fairlead.base.source import Source
from fairlead.lang.fsp import syntax as s
from fairlead.lang.fsp.parse import parse, parse_formula


def one(text: str, kind: type[Any]) -> Any:
    """The only definition of a text."""
    (definition,) = parse(Source("m.lts", text))
    assert isinstance(definition, kind)
    return definition


def const(text: str) -> s.Expression:
    """An expression; `S` is a set."""
    _, found = parse(Source("m.lts", f"set S = {{a}} const N = ({text})"))
    assert isinstance(found, s.ConstDefinition)
    return found.value


def label(text: str) -> s.Label:
    """A label."""
    return one(f"progress P = {text}", s.ProgressDefinition).actions


def process(text: str) -> s.LocalProcess:
    """What a process does."""
    return one(f"P = {text}.", s.ProcessDefinition).locals[0].body


def composite(text: str) -> s.CompositeBody:
    """The body of a composite."""
    return one(f"||S = {text}.", s.CompositeDefinition).body


def formula(text: str) -> s.Formula:
    """A formula, given apart from a model."""
    return parse_formula(Source("f", text), 0, len(text))
