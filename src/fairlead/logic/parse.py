"""Reads LTL formulas, says what is wrong with them, and warns where PAT would read them differently.

Operators wait on explicit stacks rather than on Python's, so a formula may nest as deep as its author likes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from fairlead.errors import Code, Diagnostic, Severity, input_error
from fairlead.lang.source import Source, Span
from fairlead.logic import ltl
from fairlead.logic.ltl import FALSE, TRUE, Atom, AtomKind, Binary, Formula, Unary

_TOKEN = re.compile(
    r"""
      (?P<blank>    [ \t\r\n\f\v]+ | //[^\n]* | /\*.*?\*/ )
    | (?P<name>     [A-Za-z_][A-Za-z0-9_]* )
    | (?P<number>   [0-9]+ )
    | (?P<quoted>   "[^"\n]*" )
    | (?P<symbol>   <-> | -> | \[\] | <> | && | \|\| | /\\ | \\/ | == | != | <= | >= | [-+*/%<>!().,\[\]] )
    """,
    re.VERBOSE | re.DOTALL,
)

_UNARY: dict[str, type[Unary]] = {
    "!": ltl.Not,
    "X": ltl.Next,
    "[]": ltl.Always,
    "G": ltl.Always,
    "<>": ltl.Eventually,
    "F": ltl.Eventually,
}
_BINARY: dict[str, type[Binary]] = {
    "U": ltl.Until,
    "R": ltl.Release,
    "V": ltl.Release,
    "W": ltl.WeakUntil,
    "&&": ltl.And,
    "/\\": ltl.And,
    "||": ltl.Or,
    "\\/": ltl.Or,
    "->": ltl.Implies,
    "<->": ltl.Iff,
}
_LETTERS = frozenset("XGFURVW")
_RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_ARITHMETIC = frozenset("+-*/%")
_ASSOCIATIVE = (ltl.And, ltl.Or, ltl.Iff)


@dataclass(frozen=True)
class _Reading:
    """How tightly each operator binds, and which ones group to the right."""

    binding: dict[type[Binary], int]
    right_associative: frozenset[type[Binary]]


_OURS = _Reading(
    {ltl.Until: 5, ltl.Release: 5, ltl.WeakUntil: 5, ltl.And: 4, ltl.Or: 3, ltl.Implies: 2, ltl.Iff: 1},
    frozenset((ltl.Until, ltl.Release, ltl.WeakUntil, ltl.Implies)),
)
_PAT = _Reading(
    {ltl.Until: 5, ltl.Release: 5, ltl.WeakUntil: 5, ltl.And: 1, ltl.Or: 1, ltl.Implies: 1, ltl.Iff: 1},
    frozenset(),
)

# what people write who come from other notations
_HINTS = {
    "&": "write && for 'and'",
    "|": "write || for 'or'",
    "=": "write == to compare",
    "=>": "write -> for 'implies'",
    "==>": "write -> for 'implies'",
    "-->": "write -> for 'implies'",
    "<=>": "write <-> for 'if and only if'",
    "<==>": "write <-> for 'if and only if'",
    "=<": "write <= for 'at most'",
    "~": "write ! for 'not'",
    "^": "write && for 'and'",
}
_FOREIGN = re.compile(r"<==?>|==>|-->|=>|=<|&|\||=|~|\^")


@dataclass(frozen=True)
class ParsedFormula:
    """A formula and what its author should know about it."""

    formula: Formula
    warnings: tuple[Diagnostic, ...] = ()


def parse_ltl(source: Source, start: int = 0, end: int | None = None) -> ParsedFormula:
    """The formula written in `source` from offset `start` to offset `end` (exclusive)."""
    return _Parser(source, start, len(source.text) if end is None else end).parse()


@dataclass(frozen=True)
class _Token:
    kind: str  # name, number, quoted, symbol or end
    text: str
    span: Span

    def __str__(self) -> str:
        return "the end of the formula" if self.kind == "end" else f"'{self.text}'"


def _tokens(source: Source, start: int, end: int) -> list[_Token]:
    tokens: list[_Token] = []
    offset = start
    while offset < end:
        foreign = _FOREIGN.match(source.text, offset, end)
        found = _TOKEN.match(source.text, offset, end)
        # `==` and `||` begin like foreign spellings: the longer match is what the author typed
        if foreign and (found is None or foreign.end() > found.end()):
            text = foreign.group()
            span = source.span(offset, foreign.end())
            raise input_error(Code.FORMULA, f"'{text}' is not an operator of LTL", span, _HINTS[text])
        if found is None:
            _unreadable(source, offset, end)
        kind = found.lastgroup or "symbol"
        if kind != "blank":
            tokens.append(_Token(kind, found.group(), source.span(offset, found.end())))
        offset = found.end()
    tokens.append(_Token("end", "", source.span(end, end)))
    return tokens


def _unreadable(source: Source, offset: int, end: int) -> NoReturn:
    character = source.text[offset]
    if character == '"':
        message, hint = "this quotation is not closed on its line", 'write "c!1" for the event c!1'
        line_end = source.text.find("\n", offset, end)
        raise input_error(Code.FORMULA, message, source.span(offset, end if line_end < 0 else line_end), hint)
    span = source.span(offset, offset + 1)
    if character == "?":
        hint_text: str | None = 'channel events are written in double quotes: "c?1"'
    else:
        hint_text = None
    raise input_error(
        Code.FORMULA, f"the character '{character}' cannot be part of a formula", span, hint_text
    )


@dataclass
class _Level:
    """What has been read between one pair of parentheses (or of the whole formula)."""

    opening: _Token | None
    prefixes: list[type[Unary]] = field(default_factory=list)
    operands: list[Formula] = field(default_factory=list)
    operators: list[type[Binary]] = field(default_factory=list)

    def complete(self, operand: Formula) -> None:
        """Adds an operand, with the unary operators written before it."""
        while self.prefixes:
            operand = self.prefixes.pop()(operand)
        self.operands.append(operand)


class _Parser:
    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.tokens = _tokens(source, start, end)
        self.next = 0
        self.warnings: list[Diagnostic] = []

    @property
    def token(self) -> _Token:
        return self.tokens[self.next]

    def advance(self) -> _Token:
        token = self.tokens[self.next]
        self.next += 1
        return token

    def fail(self, expected: str, hint: str | None = None) -> NoReturn:
        raise input_error(Code.FORMULA, f"found {self.token}, expected {expected}", self.token.span, hint)

    def parse(self) -> ParsedFormula:
        first = self.token
        if first.kind == "end":
            raise input_error(Code.FORMULA, "the formula is empty", first.span)
        levels = [_Level(None)]
        while True:
            self.operand(levels)
            while self.token.text == ")" and len(levels) > 1:
                formula = self.close(levels.pop())
                self.advance()
                levels[-1].complete(formula)
            if self.token.kind == "end" and len(levels) == 1:
                return ParsedFormula(self.close(levels.pop()), tuple(self.warnings))
            operator = _BINARY.get(self.token.text) if self.token.kind != "quoted" else None
            if operator is None:
                self.no_operator(levels[-1])
            self.advance()
            levels[-1].operators.append(operator)

    def operand(self, levels: list[_Level]) -> None:
        """Reads unary operators and opening parentheses up to and including the next atom."""
        while True:
            token = self.token
            if token.text in _UNARY and token.kind != "quoted":
                levels[-1].prefixes.append(_UNARY[self.advance().text])
            elif token.text == "(":
                levels.append(_Level(self.advance()))
            else:
                levels[-1].complete(self.atom())
                return

    def close(self, level: _Level) -> Formula:
        formula = _grouped(level.operands, level.operators, _OURS)
        if _readings_differ(level.operators):
            pat = _grouped(level.operands, level.operators, _PAT)
            start = level.opening.span if level.opening else self.tokens[0].span
            end = self.token.span if level.opening else self.tokens[max(self.next - 1, 0)].span
            self.warnings.append(
                Diagnostic(
                    Code.PRECEDENCE,
                    f"this is read as {ltl.parenthesised(formula)}; PAT would read {ltl.parenthesised(pat)}",
                    start.to(end),
                    "add parentheses to say which one you mean",
                    severity=Severity.WARNING,
                )
            )
        return formula

    def no_operator(self, level: _Level) -> NoReturn:
        token, previous = self.token, self.tokens[self.next - 1]
        hint = None
        if token.kind == "end" or (token.text == ")" and level.opening is None):
            if level.opening is None:
                self.fail("an operator or the end of the formula", "this parenthesis was never opened")
            raise input_error(Code.FORMULA, "this parenthesis is never closed", level.opening.span)
        if token.text in ("!", "?") and previous.kind in ("name", "number"):
            hint = f'channel events are written in double quotes: "{previous.text}{token.text}…"'
        elif token.text in _RELATIONS or token.text in _ARITHMETIC:
            hint = "an event cannot be compared, and a comparison cannot start with a parenthesis: x + 1 == 2"
            if previous.kind == "number" and token.text in _ARITHMETIC:
                hint = "arithmetic in an argument goes into parentheses: get.(0+1)"
        elif token.text == "<>" and previous.kind in ("name", "number"):
            hint = "write != for 'not equal'"
        elif previous.kind == "name" and len(previous.text) > 1 and set(previous.text) <= set("XGF"):
            hint = f"write the operators apart: {' '.join(previous.text)}"
        closing = " or ')'" if level.opening else ""
        self.fail(f"an operator such as && or U{closing}", hint)

    def atom(self) -> Formula:
        first = self.token
        if first.kind == "quoted":
            self.advance()
            if not first.text[1:-1].strip():
                raise input_error(Code.FORMULA, "there is no event between these quotes", first.span)
            return Atom(first.text[1:-1].strip(), AtomKind.QUOTED, first.span)
        if first.kind not in ("name", "number") and first.text != "-":
            self.no_operand(first)
        following = self.tokens[self.next + 1].text
        compared = following in _RELATIONS or following in _ARITHMETIC or following == "["
        if first.kind != "name" or (compared and first.text not in _LETTERS):
            return self.comparison()
        if first.text in _LETTERS:
            hint = (
                f'{first.text} is an operator; to use it as a name, write it in double quotes: "{first.text}"'
            )
            self.fail("a proposition, an event or an opening parenthesis", hint)
        if first.text in ("true", "false"):
            self.advance()
            return TRUE if first.text == "true" else FALSE
        return self.dotted_name()

    def no_operand(self, token: _Token) -> NoReturn:
        expected = "a proposition, an event or an opening parenthesis"
        previous = self.tokens[self.next - 1].text if self.next else ""
        if token.text == ")" and previous == "(":
            self.fail("a formula between the parentheses")
        if previous in _LETTERS and previous in _UNARY:
            hint = f'{previous} is an operator; to use it as a name, write it in double quotes: "{previous}"'
            self.fail(expected, hint)
        self.fail(f"{expected} after '{previous}'" if previous else expected)

    def dotted_name(self) -> Atom:
        first = last = self.advance()
        text = first.text
        while self.token.text == ".":
            self.advance()
            if self.token.text == "(":
                argument = self.parenthesised_sum()
            elif self.token.text == "-" and self.tokens[self.next + 1].kind == "number":
                argument = self.advance().text + self.advance().text
            elif self.token.kind in ("name", "number"):
                argument = self.advance().text
            else:
                self.fail("a number, a name or arithmetic in parentheses after '.'")
            text += f".{argument}"
            last = self.tokens[self.next - 1]
        return Atom(text, AtomKind.NAME, first.span.to(last.span))

    def parenthesised_sum(self) -> str:
        self.advance()
        text = self.sum()
        if self.token.text != ")":
            self.fail("')' after this argument")
        self.advance()
        return f"({text})"

    def comparison(self) -> Atom:
        first = self.token
        left = self.sum()
        if self.token.text not in _RELATIONS:
            hint = None
            if self.token.text == ")":
                hint = "a comparison cannot start with a parenthesis: write x + 1 == 2"
            elif self.token.text == ".":
                hint = "events are compared by writing them alone, with their arguments: eat.0"
            self.fail("one of == != < <= > >= to make this a comparison", hint)
        relation = self.advance().text
        right = self.sum()
        if self.token.text in _RELATIONS:
            self.fail("the end of this comparison", "join two comparisons by &&: 0 < x && x < 3")
        span = first.span.to(self.tokens[self.next - 1].span)
        return Atom(f"{left} {relation} {right}", AtomKind.COMPARISON, span)

    def sum(self) -> str:
        """Reads integers, names and subscripts joined by + - * / %, and gives them without blanks."""
        parts: list[str] = []
        brackets: list[_Token] = []
        operand_next = True
        while True:
            token, previous = self.token, parts[-1] if parts else ""
            if operand_next:
                if token.text == "-" or token.text == "(":
                    brackets += [token] if token.text == "(" else []
                elif token.kind in ("name", "number"):
                    operand_next = False
                else:
                    self.fail("a number or a name")
            elif token.text in _ARITHMETIC:
                operand_next = True
            elif token.text == "[" and (previous == "]" or self.tokens[self.next - 1].kind == "name"):
                brackets.append(token)
                operand_next = True
            elif brackets and token.text == {"(": ")", "[": "]"}[brackets[-1].text]:
                brackets.pop()
            elif brackets:
                self.fail(
                    f"{'a closing parenthesis' if brackets[-1].text == '(' else ']'} or an operator like +"
                )
            else:
                return "".join(parts)
            # two signs in a row would look like a decrement to whoever reads the text again
            parts.append(f" {token.text}" if token.text == "-" and previous.endswith("-") else token.text)
            self.advance()


def _readings_differ(operators: Sequence[type[Binary]]) -> bool:
    """Whether PAT groups operands joined by these operators in a way that can mean something else."""
    if len(operators) < 2 or (operators[0] in _ASSOCIATIVE and len(set(operators)) == 1):
        return False
    places: list[Formula] = [Atom(str(place)) for place in range(len(operators) + 1)]
    return _grouped(places, operators, _OURS, _chained) != _grouped(places, operators, _PAT, _chained)


def _chained(operator: type[Binary], left: Formula, right: Formula) -> Formula:
    """The same formula for every way to group a chain of one associative operator."""
    if operator not in _ASSOCIATIVE:
        return operator(left, right)
    for operand in ltl.operands(right, operator):
        left = operator(left, operand)
    return left


def _join(operator: type[Binary], left: Formula, right: Formula) -> Formula:
    return operator(left, right)


def _grouped(
    operands: Sequence[Formula],
    operators: Sequence[type[Binary]],
    reading: _Reading,
    join: Callable[[type[Binary], Formula, Formula], Formula] = _join,
) -> Formula:
    """One formula from a chain of operands, by operator precedence (Dijkstra's shunting yard)."""
    results = [operands[0]]
    waiting: list[type[Binary]] = []

    def join_top() -> None:
        right = results.pop()
        results.append(join(waiting.pop(), results.pop(), right))

    for operator, operand in zip(operators, operands[1:], strict=True):
        binding = reading.binding[operator]
        needed = binding + (operator in reading.right_associative)
        while waiting and reading.binding[waiting[-1]] >= needed:
            join_top()
        waiting.append(operator)
        results.append(operand)
    while waiting:
        join_top()
    return results[0]
