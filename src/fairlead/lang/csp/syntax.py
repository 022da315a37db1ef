"""The syntax tree of CSP#, for the whole language.

Nodes are frozen and compare by identity of structure; every node has the span of text it came from.
Nothing is resolved here: names are names, ranges are expressions. `elaborate` gives them meaning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from fairlead.lang.source import Source, Span


@dataclass(frozen=True)
class Node:
    """What every node has: the text it came from. Spans do not take part in comparison."""

    span: Span = field(repr=False, compare=False)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Integer(Node):
    value: int


@dataclass(frozen=True)
class Boolean(Node):
    value: bool


@dataclass(frozen=True)
class Name(Node):
    """A variable, parameter, constant, proposition or local variable."""

    name: str


@dataclass(frozen=True)
class Subscript(Node):
    """`a[i]`, `m[i][j]`."""

    name: str
    indices: tuple[Expression, ...]


@dataclass(frozen=True)
class Unary(Node):
    """`-x`, `+x`, `!x`."""

    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary(Node):
    """`|| && xor & | ^ == != < > <= >= + - * / %`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class IndexedExpression(Node):
    """`&& i:{0..2} @ (x[i] == 0)`; operator is `&&`, `||` or `xor`."""

    operator: str
    ranges: tuple[IndexRange, ...]
    body: Expression


@dataclass(frozen=True)
class Assignment(Node):
    """`x = e`, `a[i] = e`; `x++` and `x--` are given as `x = x + 1`, `x = x - 1`."""

    target: Name | Subscript
    value: Expression


@dataclass(frozen=True)
class Invocation(Node):
    """`call(f, …)`: a macro, a channel function or a library function."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class MethodCall(Node):
    """`v.Method(…)` on a variable of a library type."""

    receiver: Name | Subscript
    method: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class FieldAccess(Node):
    """`v$Field` on a variable of a library type."""

    receiver: Name | Subscript
    field_name: str


@dataclass(frozen=True)
class NewObject(Node):
    """`new HashTable(64)`."""

    type_name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class ConditionalExpression(Node):
    """`if (b) { e } else { e }` as a value, in a `#define`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True)
class ProcessCount(Node):
    """`#Reading()`: how many instances of a process there are."""

    process: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Repeat(Node):
    """An element `value(count)` of an array initialiser."""

    value: Expression
    count: Expression


@dataclass(frozen=True)
class Interval(Node):
    """An element `from..to` of an array initialiser; may descend."""

    first: Expression
    last: Expression


@dataclass(frozen=True)
class Record(Node):
    """`[1(2), 3..6, 7]`: the elements of an array, as its initial values, assigned, or as an argument."""

    elements: tuple[Expression | Repeat | Interval, ...]


@dataclass(frozen=True)
class Wild(Node):
    """`*`: any value of the declared range."""


Expression = (
    Integer
    | Boolean
    | Name
    | Subscript
    | Unary
    | Binary
    | IndexedExpression
    | Assignment
    | Invocation
    | MethodCall
    | FieldAccess
    | NewObject
    | ConditionalExpression
    | ProcessCount
    | Record
)


@dataclass(frozen=True)
class ValueRange(Node):
    """`:{lo..hi}` of a variable or parameter; either end may be missing."""

    low: Expression | None
    high: Expression | None


@dataclass(frozen=True)
class IndexRange(Node):
    """`i:{lo..hi}` (values is a single Interval) or `i:{e1, e2, …}`."""

    name: str
    values: tuple[Expression | Interval, ...]


# ---------------------------------------------------------------- statements


@dataclass(frozen=True)
class Block(Node):
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class LocalVariable(Node):
    """`var x = e;`, `var a[3] = [..];` inside a program."""

    name: str
    dimensions: tuple[Expression, ...]
    initial: Expression | None


@dataclass(frozen=True)
class IfStatement(Node):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True)
class WhileStatement(Node):
    condition: Expression
    body: Statement


@dataclass(frozen=True)
class ExpressionStatement(Node):
    """An expression evaluated for its effect: an assignment, a macro, a method call."""

    expression: Expression


@dataclass(frozen=True)
class AssertStatement(Node):
    """`assert(b);` in a program."""

    condition: Expression


Statement = Block | LocalVariable | IfStatement | WhileStatement | AssertStatement | ExpressionStatement


# ---------------------------------------------------------------- events and processes


class Annotation(Enum):
    """Fairness on a single event: `f(a)`, `wf(a)`, `sf(a)`, and PAT 2's `wl`, `sl`."""

    UNCONDITIONAL = "f"
    WEAK = "wf"
    STRONG = "sf"
    WEAK_LIVE = "wl"
    STRONG_LIVE = "sl"


@dataclass(frozen=True)
class Event(Node):
    """`e.1.x`; the name `tau` is the internal event."""

    name: str
    arguments: tuple[Expression, ...]
    annotation: Annotation | None = None


@dataclass(frozen=True)
class IndexedEvent(Node):
    """`i:{0..2} @ e.i` in a set of events."""

    ranges: tuple[IndexRange, ...]
    event: Event


EventSet = tuple[Event | IndexedEvent, ...]


@dataclass(frozen=True)
class Stop(Node):
    pass


@dataclass(frozen=True)
class Skip(Node):
    pass


@dataclass(frozen=True)
class Prefix(Node):
    """`e{program} -> P`; a bare `{program} -> P` has the event `tau`."""

    event: Event
    program: Block | None
    next: Process


@dataclass(frozen=True)
class CompoundPrefix(Node):
    """`(a, b) -> P`."""

    events: tuple[Event, ...]
    next: Process


@dataclass(frozen=True)
class Channel(Node):
    """`c` or `c[i]`."""

    name: str
    index: Expression | None


@dataclass(frozen=True)
class Output(Node):
    """`c!e.e {program} -> P`."""

    channel: Channel
    values: tuple[Expression, ...]
    program: Block | None
    next: Process


@dataclass(frozen=True)
class Input(Node):
    """`c?[guard]x.1 {program} -> P`; names not known outside are bound."""

    channel: Channel
    guard: Expression | None
    patterns: tuple[Expression, ...]
    program: Block | None
    next: Process


class ChoiceKind(Enum):
    GENERAL = "[]"
    INTERNAL = "<>"
    EXTERNAL = "[*]"


@dataclass(frozen=True)
class Choice(Node):
    kind: ChoiceKind
    branches: tuple[Process, ...]


@dataclass(frozen=True)
class IndexedChoice(Node):
    kind: ChoiceKind
    ranges: tuple[IndexRange, ...]
    body: Process


class ParallelKind(Enum):
    INTERLEAVE = "|||"
    SYNCHRONISE = "||"


@dataclass(frozen=True)
class Parallel(Node):
    kind: ParallelKind
    components: tuple[Process, ...]


@dataclass(frozen=True)
class IndexedParallel(Node):
    kind: ParallelKind
    ranges: tuple[IndexRange, ...]
    body: Process


@dataclass(frozen=True)
class Replication(Node):
    """`|||{n} @ P`, or `|||{..} @ P` (count is None) for unboundedly many."""

    count: Expression | None
    body: Process


@dataclass(frozen=True)
class Sequence(Node):
    """`P; Q; R`."""

    parts: tuple[Process, ...]


@dataclass(frozen=True)
class Interrupt(Node):
    """`P interrupt Q interrupt R`."""

    parts: tuple[Process, ...]


@dataclass(frozen=True)
class Hiding(Node):
    """`P \\ {a, b}`."""

    process: Process
    events: EventSet


@dataclass(frozen=True)
class Guarded(Node):
    """`[b] P`."""

    condition: Expression
    process: Process


class ConditionalKind(Enum):
    IF = "if"
    IFA = "ifa"
    IFB = "ifb"


@dataclass(frozen=True)
class Conditional(Node):
    """`if (b) {P} else {Q}` and its relatives; a missing else is Skip for `if`."""

    kind: ConditionalKind
    condition: Expression
    then: Process
    otherwise: Process | None


@dataclass(frozen=True)
class CaseBranch(Node):
    condition: Expression
    process: Process


@dataclass(frozen=True)
class Case(Node):
    branches: tuple[CaseBranch, ...]
    default: Process | None


@dataclass(frozen=True)
class Atomic(Node):
    process: Process


@dataclass(frozen=True)
class AssertProcess(Node):
    """`assert(b)` as a process."""

    condition: Expression


@dataclass(frozen=True)
class Call(Node):
    """`P(1, x)`; `P` alone means `P()`."""

    process: str
    arguments: tuple[Expression, ...]


Process = (
    Stop
    | Skip
    | Prefix
    | CompoundPrefix
    | Output
    | Input
    | Choice
    | IndexedChoice
    | Parallel
    | IndexedParallel
    | Replication
    | Sequence
    | Interrupt
    | Hiding
    | Guarded
    | Conditional
    | Case
    | Atomic
    | AssertProcess
    | Call
)


# ---------------------------------------------------------------- declarations


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


@dataclass(frozen=True)
class VariableDeclaration(Node):
    """`var x:{0..5} = 0;`, `hvar`, `var<Type> v = new Type(…);`, `var a[3][2] = [..];`."""

    name: str
    name_span: Span = field(repr=False, compare=False)
    hidden: bool
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


# ---------------------------------------------------------------- assertions


@dataclass(frozen=True)
class DeadlockFree(Node):
    process: Call


@dataclass(frozen=True)
class NonTerminating(Node):
    process: Call


@dataclass(frozen=True)
class DivergenceFree(Node):
    process: Call


@dataclass(frozen=True)
class Deterministic(Node):
    process: Call


class Optimum(Enum):
    MIN = "min"
    MAX = "max"


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
    TRACES = ""
    FAILURES = "F"
    FAILURES_DIVERGENCES = "FD"


@dataclass(frozen=True)
class Refines(Node):
    process: Call
    kind: RefinementKind
    specification: Call


Property = DeadlockFree | NonTerminating | DivergenceFree | Deterministic | Reaches | Satisfies | Refines


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
