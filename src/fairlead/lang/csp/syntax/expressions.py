"""Defines the common part of every node of the syntax tree; expressions and ranges."""

from __future__ import annotations

from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.base.source import Span


@dataclass(frozen=True)
class Node:
    """What every node has: the text it came from. Spans do not take part in comparison."""

    span: Span = field(repr=False, compare=False)


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
