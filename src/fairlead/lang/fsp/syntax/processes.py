"""Defines the syntax tree of primitive and composite processes of FSP."""

from __future__ import annotations

from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.fsp.syntax.labels import Expression, Hiding, Index, Label, LabelSet, Relabelling
from fairlead.model.composition import Modifiers


@dataclass(frozen=True)
class ProcessReference:
    """A process with its arguments."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Continue:
    """`A; B(2); P[i]`: processes one after the other, then a local process."""

    before: tuple[ProcessReference, ...]
    name: str
    indices: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Conditional:
    """`if e then P else Q`; STOP, if there is no else."""

    condition: Expression
    then: LocalProcess
    otherwise: LocalProcess | None


@dataclass(frozen=True)
class Branch:
    """`when g a -> b -> P`."""

    guard: Expression | None
    labels: tuple[Label, ...]
    target: LocalProcess
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Choice:
    """`( … | … )`."""

    branches: tuple[Branch, ...]


LocalProcess = Continue | Conditional | Choice


@dataclass(frozen=True)
class LocalDefinition:
    """`P[i:R][j:S] = …`; `@` after the name marks it as accepting."""

    name: str
    indices: tuple[Index, ...]
    is_accepting: bool
    body: LocalProcess
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Parameter:
    """`N = 3`: a parameter and its default."""

    name: str
    default: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ProcessDefinition:
    """A primitive process: the first local definition is the process itself."""

    name: str
    modifiers: Modifiers
    parameters: tuple[Parameter, ...]
    locals: tuple[LocalDefinition, ...]
    extension: LabelSet | None
    relabelling: tuple[Relabelling, ...]
    hiding: Hiding | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class CompositeIf:
    """`if e then A else B`; nothing, if there is no else."""

    condition: Expression
    then: CompositeBody
    otherwise: CompositeBody | None


@dataclass(frozen=True)
class CompositeForall:
    """`forall [i:R] A`."""

    indices: tuple[Index, ...]
    body: CompositeBody


@dataclass(frozen=True)
class CompositePart:
    """`sharing :: prefix : ( … || … ) / { … }`, or the same with one process in place of the parentheses."""

    sharing: Label | None
    prefix: Label | None
    body: ProcessReference | tuple[CompositeBody, ...]
    relabelling: tuple[Relabelling, ...]
    span: Span = field(compare=False, repr=False)


CompositeBody = CompositeIf | CompositeForall | CompositePart


@dataclass(frozen=True)
class Priority:
    """`<< S` puts the labels of a set before all others, `>> S` after them."""

    is_high: bool
    labels: LabelSet


@dataclass(frozen=True)
class CompositeDefinition:
    """`||P(N = 2) = … >> S \\ S.`"""

    name: str
    modifiers: Modifiers
    parameters: tuple[Parameter, ...]
    body: CompositeBody
    priority: Priority | None
    hiding: Hiding | None
    span: Span = field(compare=False, repr=False)
