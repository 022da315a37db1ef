"""Represents typed expressions over shared variables, parameters and local variables.

Values are 32-bit words, read by their static type: integers, booleans as 0 or 1, others by their number in
the table of values of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, fields, replace
from enum import Enum
from typing import Any

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.types import Function, Type


class Operator(Enum):
    """Binary operators; AND and OR do not evaluate their right side when the left decides."""

    OR = "||"
    AND = "&&"
    XOR = "xor"
    BIT_AND = "&"
    BIT_OR = "|"
    BIT_XOR = "^"
    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    GREATER = ">"
    LESS_EQUAL = "<="
    GREATER_EQUAL = ">="
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    MODULO = "%"


class UnaryOperator(Enum):
    """Unary operators."""

    NEGATE = "-"
    NOT = "!"


@dataclass(frozen=True)
class Constant:
    """A value known before the run."""

    value: int
    type: Type = Type.INT


@dataclass(frozen=True)
class Shared:
    """A shared variable."""

    slot: int
    name: str
    type: Type


@dataclass(frozen=True)
class SharedElement:
    """An element of a shared array: `size` elements, `stride` slots apart, the first at slot `base`."""

    base: int
    size: int
    index: Expression
    name: str
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)
    stride: int = 1


@dataclass(frozen=True)
class Parameter:
    """A parameter of the local state the expression belongs to."""

    slot: int
    type: Type


@dataclass(frozen=True)
class Received:
    """A field of the message the step receives by a handshake."""

    field: int
    type: Type


@dataclass(frozen=True)
class Local:
    """A local variable of a program."""

    slot: int
    name: str
    type: Type


@dataclass(frozen=True)
class LocalElement:
    """An element of a local array of a program."""

    base: int
    size: int
    index: Expression
    name: str
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Unary:
    operator: UnaryOperator
    operand: Expression
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Binary:
    operator: Operator
    left: Expression
    right: Expression
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Conditional:
    """`then` if the condition holds, else `otherwise`; only the chosen one is evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


@dataclass(frozen=True)
class Checked:
    """A value that must lie in a declared range, as that of a parameter `i:{0..3}`."""

    value: Expression
    low: int | None
    high: int | None
    name: str
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Bounded:
    """An index that must lie within an array of channels of `size` elements."""

    index: Expression
    size: int
    name: str
    type: Type = Type.INT
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Asserted:
    """A condition the model claims to be true here: it is an error of the model if it is not."""

    condition: Expression
    type: Type = Type.BOOL
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Converted:
    """A value where integers and booleans are possible (`Type.MIXED`), or one of these taken out of there."""

    value: Expression
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class FunctionCall:
    """A pure function applied to values: a method or function of a library, or one on arrays."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class WholeShared:
    """A shared array as one value; `gather` makes it of its elements."""

    base: int
    size: int
    name: str
    type: Type
    gather: Function


@dataclass(frozen=True)
class WholeLocal:
    """A local array of a program as one value."""

    base: int
    size: int
    name: str
    type: Type
    gather: Function


Expression = (
    Constant
    | Shared
    | SharedElement
    | Parameter
    | Received
    | Local
    | LocalElement
    | Unary
    | Binary
    | Conditional
    | Checked
    | Bounded
    | Asserted
    | Converted
    | FunctionCall
    | WholeShared
    | WholeLocal
)


TRUE = Constant(1, Type.BOOL)


FALSE = Constant(0, Type.BOOL)


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    match expression:
        case SharedElement() | LocalElement():
            return (expression.index,)
        case Unary():
            return (expression.operand,)
        case Binary():
            return (expression.left, expression.right)
        case Checked():
            return (expression.value,)
        case Bounded():
            return (expression.index,)
        case Converted():
            return (expression.value,)
        case Asserted():
            return (expression.condition,)
        case Conditional():
            return (expression.condition, expression.then, expression.otherwise)
        case FunctionCall():
            return expression.arguments
        case _:
            return ()


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """The expression and everything below it."""
    pending = [expression]
    while pending:
        current = pending.pop()
        yield current
        pending += children(current)


def with_parts(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with its direct subexpressions changed."""
    changed: dict[str, Any] = {}
    for item in fields(expression):
        part = getattr(expression, item.name)
        if isinstance(part, Expression):
            changed[item.name] = change(part)
        elif isinstance(part, tuple) and part and isinstance(part[0], Expression):
            changed[item.name] = tuple(change(one) for one in part)
    return replace(expression, **changed) if changed else expression


def with_received(expression: Expression, message: Sequence[Expression]) -> Expression:
    """The expression with the fields of a received message replaced by what gives their values."""
    if isinstance(expression, Received):
        return message[expression.field]
    return with_parts(expression, lambda part: with_received(part, message))


def reads_shared(expression: Expression) -> bool:
    """Whether the value depends on shared variables."""
    return any(isinstance(part, Shared | SharedElement | WholeShared) for part in subexpressions(expression))


def slots_read(part: Expression) -> range:
    """The shared variables that an expression itself may read, without those below it."""
    match part:
        case Shared(slot):
            return range(slot, slot + 1)
        case SharedElement(base, size):
            return range(base, base + (size - 1) * part.stride + 1)
        case WholeShared(base, size):
            return range(base, base + size)
        case _:
            return range(0)


def slots_in(*expressions: Expression) -> frozenset[int]:
    """The shared slots whose values some expressions may depend on."""
    return frozenset(
        slot for expression in expressions for part in subexpressions(expression) for slot in slots_read(part)
    )


def depends_on_step(expression: Expression) -> bool:
    """Whether the value depends on more than parameters: on shared variables or on what is received."""
    kinds = Shared | SharedElement | WholeShared | Received
    return any(isinstance(part, kinds) for part in subexpressions(expression))
