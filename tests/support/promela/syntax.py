"""Promela programs as values: what the generator makes, the interpreter runs, and the printer writes.

Only what the random programs need; the front end has a syntax tree of its own, and shares nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True)
class Num:
    value: int


@dataclass(frozen=True)
class Var:
    """A variable, an element of an array, a field: `x`, `a[i]`, `r.f`, `r.f[i]`."""

    name: str
    index: Expr | None = None


@dataclass(frozen=True)
class Name:
    """A name that stands for a number: a member of an mtype, `_pid`, `_nr_pr`, `_last`, `timeout`."""

    name: str


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: Expr


@dataclass(frozen=True)
class Binary:
    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Conditional:
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True)
class Measure:
    """`len`, `empty`, `nempty`, `full` or `nfull` of a channel."""

    function: str
    channel: Var


@dataclass(frozen=True)
class Poll:
    """`c?[…]` or `c??[…]`."""

    channel: Var
    patterns: tuple[Pattern, ...]
    anywhere: bool


@dataclass(frozen=True)
class AtLabel:
    """`P[pid]@label`."""

    proctype: str
    pid: int
    label: str


@dataclass(frozen=True)
class RemoteVar:
    """`P[pid]:x`."""

    proctype: str
    pid: int
    variable: str


Expr: TypeAlias = Num | Var | Name | Unary | Binary | Conditional | Measure | Poll | AtLabel | RemoteVar


@dataclass(frozen=True)
class Eval:
    """`eval(e)` among the arguments of a receive."""

    expression: Expr


#: an argument of a receive: a variable to be assigned, a constant to be matched, or `eval`
Pattern: TypeAlias = Var | Num | Name | Eval

# ---------------------------------------------------------------- statements


@dataclass(frozen=True)
class Assign:
    target: Var
    value: Expr


@dataclass(frozen=True)
class Step:
    """`x++` or `x--`."""

    target: Var
    operator: str


@dataclass(frozen=True)
class Condition:
    """An expression as a statement; `timeout` and `skip` are such expressions."""

    expression: Expr


@dataclass(frozen=True)
class Else:
    pass


@dataclass(frozen=True)
class Assert:
    expression: Expr


@dataclass(frozen=True)
class Print:
    values: tuple[Expr, ...]


@dataclass(frozen=True)
class Send:
    channel: Var
    values: tuple[Expr, ...]
    sorted: bool = False


@dataclass(frozen=True)
class Receive:
    channel: Var
    patterns: tuple[Pattern, ...]
    anywhere: bool = False
    copy: bool = False


@dataclass(frozen=True)
class Run:
    proctype: str
    arguments: tuple[Expr, ...]
    into: Var | None = None


@dataclass(frozen=True)
class If:
    options: tuple[Body, ...]


@dataclass(frozen=True)
class Do:
    options: tuple[Body, ...]


@dataclass(frozen=True)
class For:
    variable: Var
    low: int
    high: int
    body: Body


@dataclass(frozen=True)
class Select:
    variable: Var
    low: int
    high: int


@dataclass(frozen=True)
class Break:
    pass


@dataclass(frozen=True)
class Goto:
    label: str


@dataclass(frozen=True)
class Labelled:
    label: str
    statement: Statement


@dataclass(frozen=True)
class Atomic:
    body: Body


@dataclass(frozen=True)
class DStep:
    body: Body


@dataclass(frozen=True)
class Block:
    body: Body


@dataclass(frozen=True)
class Unless:
    main: Body
    escape: Body


Statement: TypeAlias = (
    Assign
    | Step
    | Condition
    | Else
    | Assert
    | Print
    | Send
    | Receive
    | Run
    | If
    | Do
    | For
    | Select
    | Break
    | Goto
    | Labelled
    | Atomic
    | DStep
    | Block
    | Unless
)
Body: TypeAlias = tuple[Statement, ...]

# ---------------------------------------------------------------- declarations


@dataclass(frozen=True)
class Declared:
    """A variable: its type (`byte`, `unsigned:3`, the name of a typedef), how many, what it is at first."""

    type: str
    name: str
    size: int | None = None
    initial: int = 0
    hidden: bool = False


@dataclass(frozen=True)
class Channel:
    """`chan name[size] = [capacity] of { fields }`."""

    name: str
    capacity: int
    fields: tuple[str, ...]
    size: int | None = None


@dataclass(frozen=True)
class Proctype:
    name: str
    body: Body
    parameters: tuple[Declared, ...] = ()
    variables: tuple[Declared, ...] = ()
    channels: tuple[Channel, ...] = ()
    #: how many are active from the start
    active: int = 0
    provided: Expr | None = None


@dataclass(frozen=True)
class Program:
    proctypes: tuple[Proctype, ...]
    variables: tuple[Declared, ...] = ()
    channels: tuple[Channel, ...] = ()
    mtype: tuple[str, ...] = ()
    typedefs: tuple[tuple[str, tuple[Declared, ...]], ...] = field(default=())
