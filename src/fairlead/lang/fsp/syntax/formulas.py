"""Defines the syntax tree of formulas of FSP."""

from __future__ import annotations

from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.fsp.syntax.labels import Expression, Index, Label


@dataclass(frozen=True)
class NamedFormula:
    """A fluent (perhaps with indices), an assert (perhaps with arguments), or a declared set of actions."""

    name: str
    indices: tuple[Index, ...]
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ActionFormula:
    """One of some actions."""

    label: Label
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class UnaryFormula:
    """`!`, `<>`, `[]` or `X` before a formula."""

    operator: str
    operand: Formula


@dataclass(frozen=True)
class BinaryFormula:
    """`&&`, `||`, `->`, `<->`, `U` or `W` between two formulas."""

    operator: str
    left: Formula
    right: Formula


@dataclass(frozen=True)
class QuantifiedFormula:
    """`forall [i:R] f`, `exists [i:R] f`."""

    is_forall: bool
    indices: tuple[Index, ...]
    body: Formula


@dataclass(frozen=True)
class RigidFormula:
    """`rigid e`: true if the expression is not 0."""

    condition: Expression


Formula = NamedFormula | ActionFormula | UnaryFormula | BinaryFormula | QuantifiedFormula | RigidFormula
