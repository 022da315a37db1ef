"""Defines the syntax tree of all definitions in FSP."""

from __future__ import annotations

from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.fsp.syntax.formulas import Formula
from fairlead.lang.fsp.syntax.labels import Expression, Index, Interval, Label, LabelSet, SetBody
from fairlead.lang.fsp.syntax.processes import CompositeDefinition, Parameter, ProcessDefinition


@dataclass(frozen=True)
class ConstDefinition:
    """`const N = 3`."""

    name: str
    value: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class RangeDefinition:
    """`range R = 0..N`."""

    name: str
    interval: Interval
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class SetDefinition:
    """`set S = {a, b}`."""

    name: str
    body: SetBody
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ProgressDefinition:
    """`progress P[i:R] = if A then B`; without a condition just `B`."""

    name: str
    indices: tuple[Index, ...]
    condition: Label | None
    actions: Label
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class FluentDefinition:
    """`fluent F[i:R] = <A, B> initially e`."""

    name: str
    indices: tuple[Index, ...]
    initiating: Label
    terminating: Label
    initially: Expression | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class AssertDefinition:
    """`assert A(N = 1) = f + S`, or the same with `constraint`."""

    name: str
    parameters: tuple[Parameter, ...]
    formula: Formula
    extension: LabelSet | None
    is_constraint: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class MenuDefinition:
    """`menu M = {a, b}`: the actions a user of the simulator chooses."""

    name: str
    actions: Label
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ImportDefinition:
    """`import P = "p.aut"`: a process that is a graph in a file."""

    name: str
    file: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class AnimationDefinition:
    """A picture for LTSA's animator; it means nothing here."""

    name: str
    span: Span = field(compare=False, repr=False)


Definition = (
    ConstDefinition
    | RangeDefinition
    | SetDefinition
    | ProgressDefinition
    | FluentDefinition
    | AssertDefinition
    | MenuDefinition
    | ImportDefinition
    | AnimationDefinition
    | ProcessDefinition
    | CompositeDefinition
)
