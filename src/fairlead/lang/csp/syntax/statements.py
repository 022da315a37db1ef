"""Defines the syntax tree of statements of data operations."""

from __future__ import annotations

from fairlead.base.records import dataclass
from fairlead.lang.csp.syntax.expressions import (
    Expression,
    Node,
)


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
