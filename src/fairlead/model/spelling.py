"""Writes expressions as text, with the values of parameters in their places."""

from __future__ import annotations

from fairlead.base.diagnostics import InputError
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import (
    Asserted,
    Binary,
    Bounded,
    Checked,
    Conditional,
    Constant,
    Converted,
    Expression,
    FunctionCall,
    Local,
    LocalElement,
    Operator,
    Parameter,
    Received,
    Shared,
    SharedElement,
    Unary,
    WholeLocal,
    WholeShared,
)
from fairlead.model.labels import argument_text
from fairlead.model.types import Type

#: stands for a value that cannot be computed: a division by zero, say
UNKNOWN = "?"

#: the more, the closer an operator binds
_BINDING = {
    Operator.OR: 1,
    Operator.XOR: 2,
    Operator.AND: 3,
    Operator.BIT_OR: 4,
    Operator.BIT_XOR: 5,
    Operator.BIT_AND: 6,
    Operator.EQUAL: 7,
    Operator.UNEQUAL: 7,
    Operator.LESS: 8,
    Operator.GREATER: 8,
    Operator.LESS_EQUAL: 8,
    Operator.GREATER_EQUAL: 8,
    Operator.ADD: 9,
    Operator.SUBTRACT: 9,
    Operator.MULTIPLY: 10,
    Operator.DIVIDE: 10,
    Operator.MODULO: 10,
}


def expression_text(expression: Expression, scope: Scope, binding: int = 0) -> str:
    """An expression as its author would write it for the parameters that have these values.

    Arithmetic on constants and parameters is carried out: `fork[(i + 1) % N]` is `fork[1]`.
    """
    if isinstance(expression, Binary) and expression.type is Type.INT and is_ground(expression):
        return expression.type.text(evaluate(expression, scope))
    match expression:
        case Constant(value, kind):
            return kind.text(value)
        case Parameter(slot, kind):
            return kind.text(scope.parameters[slot])
        case Shared(_, name) | Local(_, name) | WholeShared(_, _, name) | WholeLocal(_, _, name):
            return name
        case SharedElement(index=index, name=name) | LocalElement(index=index, name=name):
            return f"{name}[{expression_text(index, scope)}]"
        case Received(number):
            return f"message[{number}]"
        case Unary(operator, operand):
            return f"{operator.value}{expression_text(operand, scope, 11)}"
        case Binary(operator, left, right):
            own = _BINDING[operator]
            parts = (expression_text(left, scope, own), expression_text(right, scope, own + 1))
            text = f" {operator.value} ".join(parts)
            return f"({text})" if own < binding else text
        case Conditional(condition, then, otherwise):
            test, yes, no = (expression_text(part, scope, 1) for part in (condition, then, otherwise))
            return f"({test} ? {yes} : {no})"
        case Checked(operand) | Bounded(operand) | Converted(operand) | Asserted(operand):
            return expression_text(operand, scope, binding)
        case FunctionCall(function, arguments):
            return f"{function.name}({', '.join(expression_text(part, scope) for part in arguments)})"


def is_ground(expression: Expression) -> bool:
    """Whether it is made of constants and parameters alone."""
    pending: list[Expression] = [expression]
    while pending:
        match pending.pop():
            case Constant() | Parameter():
                pass
            case Unary(_, operand):
                pending.append(operand)
            case Binary(_, left, right):
                pending += [right, left]
            case _:
                return False
    return True


def value_text(expression: Expression, scope: Scope) -> str:
    """The value of an expression that parameters determine; `?` if it cannot be computed."""
    try:
        return argument_text(evaluate(expression, scope), expression.type)
    except InputError:
        return UNKNOWN


def values_read(expression: Expression, scope: Scope) -> dict[str, str]:
    """The shared variables and elements that an expression names, with their values."""
    found: dict[str, str] = {}
    pending: list[Expression] = [expression]
    while pending:
        match pending.pop():
            case (Shared() | SharedElement() | WholeShared()) as variable:
                if isinstance(variable, SharedElement):
                    name = f"{variable.name}[{evaluate(variable.index, scope)}]"
                    pending.append(variable.index)
                else:
                    name = variable.name
                found[name] = variable.type.text(evaluate(variable, scope))
            case (
                Unary(_, operand)
                | Checked(operand)
                | Bounded(operand)
                | Converted(operand)
                | Asserted(operand)
            ):
                pending.append(operand)
            case Binary(_, left, right):
                pending += [right, left]
            case Conditional(condition, then, otherwise):
                pending += [otherwise, then, condition]
            case FunctionCall(_, arguments):
                pending += reversed(arguments)
    return found
