"""The syntax tree of FSP.

Names are not resolved here: what `[R]` is, a range, a set or a number, elaboration tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairlead.lang.source import Span

# ---------------------------------------------------------------- expressions


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

# ---------------------------------------------------------------- labels


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


@dataclass(frozen=True)
class Relabel:
    """`new / old`."""

    new: Label
    old: Label


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


# ---------------------------------------------------------------- processes


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
class Modifiers:
    """The words before a definition."""

    deterministic: bool = False
    minimal: bool = False
    compose: bool = False
    property: bool = False


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


# ---------------------------------------------------------------- composites


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


# ---------------------------------------------------------------- formulas


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

# ---------------------------------------------------------------- other definitions


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
