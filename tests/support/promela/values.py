"""Arithmetic of Promela: that of C's `int`, and what fits into a variable of each type."""

from __future__ import annotations

#: bits of the unsigned types
_UNSIGNED = {"bit": 1, "bool": 1, "byte": 8, "mtype": 8, "pid": 8, "chan": 8}
_SIGNED = {"short": 16, "int": 32}


def wrapped(kind: str, value: int) -> int:
    """What is left of a value in a variable of a type: its lowest bits."""
    base, _, width = kind.partition(":")
    if base in _SIGNED:
        half = 1 << (_SIGNED[base] - 1)
        return (value + half) % (2 * half) - half
    bits = int(width) if base == "unsigned" else _UNSIGNED[base]
    return value % (1 << bits)


def unary(operator: str, operand: int) -> int:
    """`!`, `-` or `~`."""
    match operator:
        case "!":
            return int(operand == 0)
        case "-":
            return wrapped("int", -operand)
        case "~":
            return ~operand
    raise ValueError(operator)


def binary(operator: str, left: int, right: int) -> int:
    """A binary operator other than `&&` and `||`; division rounds towards zero."""
    match operator:
        case "+":
            found = left + right
        case "-":
            found = left - right
        case "*":
            found = left * right
        case "/":
            found = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        case "%":
            found = left - right * binary("/", left, right)
        case "<<":
            found = left << right
        case ">>":
            found = left >> right
        case "&":
            found = left & right
        case "|":
            found = left | right
        case "^":
            found = left ^ right
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case _:
            raise ValueError(operator)
    return wrapped("int", found)
