"""Defines the syntax tree of Promela; names of variables are resolved where they are read."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from fairlead.base.records import dataclass
from fairlead.base.source import Span

# ---------------------------------------------------------------- types and variables


@dataclass(frozen=True)
class Basic:
    """A type of numbers: how many bits it has, and whether one of them is a sign."""

    name: str
    bits: int
    is_signed: bool = False

    @property
    def low(self) -> int:
        """The least value."""
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def high(self) -> int:
        """The largest value."""
        return (1 << (self.bits - 1)) - 1 if self.is_signed else (1 << self.bits) - 1


BIT, BOOL, BYTE, PID = Basic("bit", 1), Basic("bool", 1), Basic("byte", 8), Basic("pid", 8)
MTYPE, CHAN = Basic("mtype", 8), Basic("chan", 16)
SHORT, INT = Basic("short", 16, is_signed=True), Basic("int", 32, is_signed=True)
BASIC = {kind.name: kind for kind in (BIT, BOOL, BYTE, PID, MTYPE, CHAN, SHORT, INT)}


@dataclass(frozen=True, eq=False)
class Struct:
    """A `typedef`."""

    name: str
    fields: tuple[Variable, ...]
    span: Span = field(repr=False)

    def find(self, name: str) -> Variable | None:
        """The field with a name."""
        return next((one for one in self.fields if one.name == name), None)


VariableType = Basic | Struct


@dataclass(frozen=True)
class ChannelInit:
    """`[capacity] of { types }`; `form` has the types of the fields, with those of structures."""

    capacity: int
    form: tuple[Basic, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, eq=False)
class Variable:
    """A declared variable, parameter or field; `size` is None unless it is an array.

    `subtype` is the name of the set of an mtype. Variables of a proctype have an `owner`.
    """

    name: str
    type: VariableType
    size: int | None
    init: Expression | ChannelInit | tuple[Expression, ...] | None
    span: Span = field(repr=False)
    owner: str | None = None
    is_parameter: bool = False
    is_hidden: bool = False
    subtype: str = ""


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Number:
    value: int
    span: Span = field(compare=False, repr=False)
    text: str = ""


@dataclass(frozen=True)
class Name:
    """A variable with its indices and fields: `variable[index].field…`."""

    variable: Variable
    index: Expression | None
    inner: Name | None
    span: Span = field(compare=False, repr=False)


class Special(Enum):
    """Variables that are there without being declared."""

    PID = "_pid"
    COUNT = "_nr_pr"
    LAST = "_last"
    TIMEOUT = "timeout"
    NON_PROGRESS = "np_"


@dataclass(frozen=True)
class SpecialName:
    which: Special
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Binary:
    operator: str
    left: Expression
    right: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Run:
    """`run P(arguments)`."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)
    name_at: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ChannelTest:
    """`len(c)`, `full(c)` and similar functions."""

    function: str
    channel: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class ProcessTest:
    """`enabled(pid)` and `pc_value(pid)`."""

    function: str
    pid: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class AtLabel:
    """`P[pid]@label`; without a pid the only process of that type is meant."""

    proctype: str
    pid: Expression | None
    label: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class RemoteVariable:
    """`P[pid]:x`, and `P[pid]:x[index]`."""

    proctype: str
    pid: Expression | None
    name: str
    index: Expression | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Any:
    """`_`, which takes any value and keeps none."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Eval:
    """`eval(e)`: only a message with this value is received."""

    value: Expression
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Poll:
    """`c?[fields]`: whether the message could be received, without receiving it."""

    channel: Name
    fields: tuple[Expression, ...]
    is_random: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True)
class Temporal:
    """An operator of LTL: `[] <> X U W V`; a unary one has no right side."""

    operator: str
    left: Expression
    right: Expression | None
    span: Span = field(compare=False, repr=False)


Expression = (
    Number
    | Name
    | SpecialName
    | Unary
    | Binary
    | Conditional
    | Run
    | ChannelTest
    | ProcessTest
    | AtLabel
    | RemoteVariable
    | Any
    | Eval
    | Poll
    | Temporal
)


# ---------------------------------------------------------------- statements


@dataclass(frozen=True)
class Label:
    name: str
    span: Span = field(repr=False)


@dataclass(frozen=True)
class _Statement:
    span: Span = field(repr=False)
    labels: tuple[Label, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Declare(_Statement):
    """Variables declared between statements: each is set when this is executed.

    Those at the beginning of a proctype are not here: they are set when a process is created.
    """

    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Assign(_Statement):
    target: Name
    value: Expression


@dataclass(frozen=True)
class Condition(_Statement):
    """An expression as a statement."""

    value: Expression


@dataclass(frozen=True)
class Send(_Statement):
    channel: Name
    values: tuple[Expression, ...]
    is_sorted: bool


@dataclass(frozen=True)
class Receive(_Statement):
    """`keeps` is for `c?<x>`, which leaves the message in the buffer."""

    channel: Name
    fields: tuple[Expression, ...]
    is_random: bool
    keeps: bool


@dataclass(frozen=True)
class Assert(_Statement):
    value: Expression


@dataclass(frozen=True)
class Print(_Statement):
    format: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Goto(_Statement):
    label: str


@dataclass(frozen=True)
class Break(_Statement):
    pass


@dataclass(frozen=True)
class Else(_Statement):
    pass


@dataclass(frozen=True)
class If(_Statement):
    options: tuple[Sequence, ...]


@dataclass(frozen=True)
class Do(_Statement):
    options: tuple[Sequence, ...]


@dataclass(frozen=True)
class Block(_Statement):
    body: Sequence


@dataclass(frozen=True)
class Atomic(_Statement):
    body: Sequence


@dataclass(frozen=True)
class DStep(_Statement):
    body: Sequence


@dataclass(frozen=True)
class Unless(_Statement):
    body: Sequence
    escape: Sequence


Statement = (
    Declare
    | Assign
    | Condition
    | Send
    | Receive
    | Assert
    | Print
    | Goto
    | Break
    | Else
    | If
    | Do
    | Block
    | Atomic
    | DStep
    | Unless
)
Sequence = tuple[Statement, ...]


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True)
class Proctype:
    """A proctype, or `init`, a never claim or an event trace, which have these names.

    `variables` are set when a process is created; `locals` are all others of its body. `active` is how many
    processes there are from the start.
    """

    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    active: int
    provided: Expression | None
    body: Sequence
    span: Span = field(repr=False)
    end_span: Span = field(repr=False)
    is_deterministic: bool = False


@dataclass(frozen=True)
class LtlProperty:
    """`ltl name { formula }`."""

    name: str
    formula: Expression
    span: Span = field(repr=False)
    text: str = ""


@dataclass(frozen=True)
class Specification:
    """A whole model; `mtypes` are the constants of each set of mtypes, the first with the value 1."""

    variables: tuple[Variable, ...]
    structs: tuple[Struct, ...]
    mtypes: dict[str, dict[str, int]]
    proctypes: tuple[Proctype, ...]
    properties: tuple[LtlProperty, ...]
    claims: tuple[Proctype, ...] = ()
    traces: tuple[Proctype, ...] = ()
