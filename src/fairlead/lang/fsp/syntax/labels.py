"""Defines the syntax tree of expressions, labels and sets of labels of FSP."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.base.source import Span


@dataclass(frozen=True)
class Number:
    """An integer."""

    value: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Name:
    """A variable of an index (lower case), or a constant or parameter."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Unary:
    """`+`, `-` or `!` before an expression."""

    operator: str
    operand: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Binary:
    """An operator of C between two expressions."""

    operator: str
    left: Expression
    right: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class LabelValue:
    """`'red`: a label as a value."""

    label: Label
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class SetSize:
    """`#S`: how many labels there are."""

    labels: Label
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class SetElement:
    """`@(S, i)`: one of the labels, counted from 0."""

    labels: Label
    index: Expression
    span: Span = field(compare=False, repr=False)


Expression = Number | Name | Unary | Binary | LabelValue | SetSize | SetElement


@dataclass(frozen=True)
class SetName:
    """A declared set."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class SetBody:
    """`{a, b[1..2]}`."""

    labels: tuple[Label, ...]
    span: Span = field(compare=False, repr=False)


LabelSet = SetName | SetBody


@dataclass(frozen=True)
class Interval:
    """`low .. high`."""

    low: Expression
    high: Expression


#: what an index runs over: an expression alone is one value, unless it is the name of a range or a set
Domain = Expression | Interval | SetBody


@dataclass(frozen=True)
class Index:
    """`[i:D]` or `[D]`: one alternative for each value; the variable stands for it afterwards."""

    variable: str | None
    domain: Domain
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class NamePart:
    """A lower-case part of a label."""

    name: str


@dataclass(frozen=True)
class SetPart:
    """A set as a part of a label, perhaps without the labels of another one."""

    labels: LabelSet
    without: LabelSet | None = None


LabelPart = NamePart | SetPart | Index


@dataclass(frozen=True)
class Label:
    """Parts with dots in between; it stands for one label or for several."""

    parts: tuple[LabelPart, ...]
    span: Span = field(compare=False, repr=False)

    @cached_property
    def constant(self) -> str | None:
        """The label, if it is the same everywhere."""
        names = [part.name for part in self.parts if isinstance(part, NamePart)]
        return ".".join(names) if len(names) == len(self.parts) else None


@dataclass(frozen=True)
class Relabel:
    """`new / old`; the span is that of `old`."""

    new: Label
    old: Label
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class RelabelForall:
    """`forall [i:R] { … }`."""

    indices: tuple[Index, ...]
    body: tuple[Relabelling, ...]


Relabelling = Relabel | RelabelForall


@dataclass(frozen=True)
class Hiding:
    """`\\ S` hides the labels of a set; `@ S` hides all others."""

    exposes: bool
    labels: LabelSet
