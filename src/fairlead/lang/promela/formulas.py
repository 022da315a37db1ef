"""Translates formulas of `ltl` blocks into those of fairlead: expressions of Promela become atoms."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, input_error
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate.expressions import PARENTHESES, Expressions
from fairlead.model.assertion import Meaning
from fairlead.model.system import Proposition


class Formulas:
    """Writes one formula; `meanings` are its atoms by their texts."""

    def __init__(self, reader: Expressions | None) -> None:
        """Without a reader only the operators are examined."""
        self._reader = reader
        self.meanings: dict[str, Meaning] = {}

    def text(self, formula: syntax.Expression) -> str:
        """The formula, with its atoms in quotes."""
        match formula:
            case syntax.Temporal(operator, left, None):
                return f"{operator} ({self.text(left)})"
            case syntax.Temporal(operator, left, right) if right is not None:
                return f"({self.text(left)}) {operator} ({self.text(right)})"
            case syntax.Unary("!", operand) if is_temporal(operand):
                return f"! ({self.text(operand)})"
            case syntax.Binary("&&" | "||" as operator, left, right) if is_temporal(formula):
                return f"({self.text(left)}) {operator} ({self.text(right)})"
        if is_temporal(formula):
            message = "a temporal operator stands inside of an expression"
            hint = PARENTHESES
            raise input_error(Code.FORMULA, message, formula.span, hint)
        return self._atom(formula)

    def _atom(self, expression: syntax.Expression) -> str:
        if self._reader is None:
            return "true"
        if isinstance(expression, syntax.Number):
            return "true" if expression.value else "false"
        meaning = self._reader.condition(expression)
        written = text_of(expression)
        text, number = written, 1
        while text in self.meanings and self.meanings[text] != Proposition(text, meaning):
            number += 1
            text = f"{written} #{number}"
        self.meanings[text] = Proposition(text, meaning)
        return f'"{text}"'


def is_temporal(expression: syntax.Expression) -> bool:
    """Whether an expression has an operator of LTL in it."""
    match expression:
        case syntax.Temporal():
            return True
        case syntax.Unary(operand=operand):
            return is_temporal(operand)
        case syntax.Binary(left=left, right=right):
            return is_temporal(left) or is_temporal(right)
        case syntax.Conditional(condition=condition, then=then, otherwise=otherwise):
            return is_temporal(condition) or is_temporal(then) or is_temporal(otherwise)
    return False


def text_of(expression: syntax.Expression) -> str:
    """An expression in one line."""
    match expression:
        case syntax.Number(value, text=text):
            return text or str(value)
        case syntax.Name(variable, index, inner):
            own = variable.name + ("" if index is None else f"[{text_of(index)}]")
            return own if inner is None else f"{own}.{text_of(inner)}"
        case syntax.SpecialName(which):
            return which.value
        case syntax.Unary(operator, operand):
            return f"{operator}{_inside(operand)}"
        case syntax.Binary(operator, left, right):
            return f"{_inside(left)} {operator} {_inside(right)}"
        case syntax.Conditional(condition, then, otherwise):
            return f"({text_of(condition)} -> {text_of(then)} : {text_of(otherwise)})"
        case syntax.ChannelTest(function, channel):
            return f"{function}({text_of(channel)})"
        case syntax.AtLabel(proctype, pid, label):
            return f"{proctype}{'' if pid is None else f'[{text_of(pid)}]'}@{label}"
        case syntax.RemoteVariable(proctype, pid, name, index):
            where = f"{proctype}{'' if pid is None else f'[{text_of(pid)}]'}"
            return f"{where}:{name}{'' if index is None else f'[{text_of(index)}]'}"
        case syntax.Poll(channel, fields, is_random):
            sign = "??" if is_random else "?"
            return f"{text_of(channel)}{sign}[{','.join(text_of(one) for one in fields)}]"
        case syntax.Any():
            return "_"
        case syntax.Eval(value):
            return f"eval({text_of(value)})"
    return expression.span.text.replace('"', "'")


def _inside(expression: syntax.Expression) -> str:
    text = text_of(expression)
    return f"({text})" if isinstance(expression, syntax.Binary) else text
