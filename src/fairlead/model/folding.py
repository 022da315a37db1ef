"""Simplifies expressions by what is known about them."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.model.evaluation import Fault, Scope, evaluate
from fairlead.model.expression import (
    FALSE,
    TRUE,
    Binary,
    Conditional,
    Constant,
    Expression,
    FunctionCall,
    LocalElement,
    Operator,
    Parameter,
    Shared,
    SharedElement,
    Unary,
    UnaryOperator,
    children,
    with_parts,
)
from fairlead.model.types import Type


def fold(expression: Expression) -> Expression:
    """The expression with its outermost operation carried out, if its operands are constants.

    A fault (division by zero, overflow) is left for the run: the expression may never be reached.
    """
    match expression:
        case Binary(Operator.AND, Constant(value), right):
            return right if value else FALSE
        case Binary(Operator.OR, Constant(value), right):
            return TRUE if value else right
        case Binary(Operator.AND, left, Constant(1)) | Binary(Operator.OR, left, Constant(0)):
            return left
        case Conditional(Constant(value), then, otherwise):
            return then if value else otherwise
    below = children(expression)
    if not all(isinstance(child, Constant) for child in below):
        return expression
    if not below and not isinstance(expression, FunctionCall):
        return expression
    if isinstance(expression, SharedElement):
        position = expression.index
        assert isinstance(position, Constant)
        if 0 <= position.value < expression.size:
            name = f"{expression.name}[{position.value}]"
            slot = expression.base + position.value * expression.stride
            return Shared(slot, name, expression.type)
        return expression
    if isinstance(expression, LocalElement):
        return expression
    try:
        return Constant(evaluate(expression, Scope([])), expression.type)
    except Fault:
        return expression


def specialised(expression: Expression, parameters: Sequence[int | None]) -> Expression:
    """The expression with the known values of parameters put in, and carried out as far as possible."""
    if isinstance(expression, Parameter):
        value = parameters[expression.slot]
        return expression if value is None else Constant(value, expression.type)
    return fold(with_parts(expression, lambda part: specialised(part, parameters)))


def surely_fails(expression: Expression) -> bool:
    """Whether evaluating an expression is seen to fail whatever the values are: an index is out of bounds."""
    match expression:
        case Binary(Operator.AND | Operator.OR, left):
            return surely_fails(left)
        case Conditional(condition):
            return surely_fails(condition)
        case SharedElement(size=size, index=Constant(value)):
            return not 0 <= value < size
    return any(surely_fails(part) for part in children(expression))


def conjunction(left: Expression | None, right: Expression) -> Expression:
    """`left && right`, where nothing stands for true."""
    return right if left is None else fold(Binary(Operator.AND, left, right, Type.BOOL))


def negation(operand: Expression) -> Expression:
    """`!operand`."""
    if isinstance(operand, Unary) and operand.operator is UnaryOperator.NOT:
        return operand.operand
    return fold(Unary(UnaryOperator.NOT, operand, Type.BOOL))
