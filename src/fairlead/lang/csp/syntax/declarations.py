"""Defines the syntax tree of declarations, assertions, and a whole model file."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.lang.csp.syntax.expressions import (
    Expression,
    Name,
    Node,
    ValueRange,
    Wild,
)
from fairlead.lang.csp.syntax.processes import (
    Call,
    EventSet,
    Process,
)
from fairlead.lang.csp.syntax.statements import (
    Block,
)
from fairlead.model.assertion import Optimum


@dataclass(frozen=True)
class Import(Node):
    path: str


@dataclass(frozen=True)
class Include(Node):
    path: str


@dataclass(frozen=True)
class Define(Node):
    """`#define n 5;`, `#define p x > 0;`, `#define f(i, j) i*j;`, `#define reset {x = 0};`.

    `parameters` is None where no list was written.
    """

    name: str
    name_span: Span = field(repr=False, compare=False)
    parameters: tuple[str, ...] | None
    body: Expression | Block


@dataclass(frozen=True)
class EnumDeclaration(Node):
    names: tuple[Name, ...]


class VariableKind(Enum):
    """The word that a declaration of a variable begins with."""

    PLAIN = "var"
    HIDDEN = "hvar"
    COUNTER = "counter"


@dataclass(frozen=True)
class VariableDeclaration(Node):
    """`var x:{0..5} = 0;`, `hvar`, `counter`, `var<Type> v = new Type(…);`, `var a[3][2] = [..];`."""

    name: str
    name_span: Span = field(repr=False, compare=False)
    kind: VariableKind
    type_name: str | None
    dimensions: tuple[Expression, ...]
    range: ValueRange | None
    initial: Expression | Wild | None


@dataclass(frozen=True)
class ChannelDeclaration(Node):
    """`channel c 3;`, `channel c[N] 0;`."""

    name: str
    name_span: Span = field(repr=False, compare=False)
    count: Expression | None
    capacity: Expression


@dataclass(frozen=True)
class Parameter(Node):
    name: str
    range: ValueRange | None


@dataclass(frozen=True)
class ProcessDefinition(Node):
    name: str
    name_span: Span = field(repr=False, compare=False)
    parameters: tuple[Parameter, ...]
    body: Process


@dataclass(frozen=True)
class AlphabetDeclaration(Node):
    """`#alphabet P {a, i:{0..2} @ b.i};`."""

    process: str
    name_span: Span = field(repr=False, compare=False)
    events: EventSet


@dataclass(frozen=True)
class SimpleProperty(Node):
    """`P deadlockfree` and what else a single word asks."""

    process: Call
    word: str


@dataclass(frozen=True)
class Reaches(Node):
    """`P reaches goal [with min(e)]`; the goal is the name of a proposition."""

    process: Call
    goal: Expression
    optimum: Optimum | None = None
    objective: Expression | None = None


@dataclass(frozen=True)
class Satisfies(Node):
    """`P |= F`; the formula is kept as a part of the text and parsed by `logic`."""

    process: Call
    formula: Span


class RefinementKind(Enum):
    """What stands between the angle brackets, if they are there."""

    TRACES = ""
    FAILURES = "F"
    FAILURES_DIVERGENCES = "FD"


@dataclass(frozen=True)
class Refines(Node):
    process: Call
    kind: RefinementKind
    specification: Call


Property = SimpleProperty | Reaches | Satisfies | Refines


@dataclass(frozen=True)
class AssertDeclaration(Node):
    """`#assert … ;`. The span covers the property alone, without `#assert` and `;`."""

    property: Property


Declaration = (
    Import
    | Include
    | Define
    | EnumDeclaration
    | VariableDeclaration
    | ChannelDeclaration
    | ProcessDefinition
    | AlphabetDeclaration
    | AssertDeclaration
)


@dataclass(frozen=True)
class Specification:
    """A whole model file."""

    source: Source
    declarations: tuple[Declaration, ...]
