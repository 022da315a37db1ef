"""Reads formulas of LTL and CTL*, says what is wrong with them, and warns where PAT reads them differently.

Operators wait on explicit stacks rather than on Python's, so a formula may nest as deep as its author likes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from typing import NoReturn

from fairlead.base.diagnostics import AFTER_FORMULA, Code, Diagnostic, Replacement, Severity, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.logic import ltl
from fairlead.logic.atoms import ARITHMETIC, RELATIONS, WANTED, AtomReader, quoting_hint
from fairlead.logic.ltl import Exists, ForAll, Formula, Unary
from fairlead.logic.notation import (
    BINARY,
    LETTERS,
    OURS,
    PAT,
    QUANTIFIERS,
    TEMPORAL,
    WORDS,
    Notation,
    Operator,
    grouped,
    readings_differ,
)
from fairlead.logic.parsing.tokens import QUOTED_EVENTS, Kind, Token, tokens

_COMBINED = re.compile("[AE][UWR]")  # operators of CTL by name, which are written with the operands between
_APART = re.compile("[AE][XGF]|GF|FG|[AEXGF]")


@dataclass(frozen=True)
class ParsedFormula:
    """A formula and what its author should know about it."""

    formula: Formula
    warnings: tuple[Diagnostic, ...] = ()


def parse_ltl(source: Source, start: int = 0, end: int | None = None) -> ParsedFormula:
    """The formula of LTL written in `source` from offset `start` to offset `end` (exclusive)."""
    parser = FormulaParser(source, start, end, Notation.LTL)
    return ParsedFormula(parser.parse(), tuple(parser.warnings))


def parse_branching(source: Source, start: int = 0, end: int | None = None) -> ParsedFormula:
    """The formula of CTL or CTL* written there, which must be about states."""
    parser = FormulaParser(source, start, end, Notation.BRANCHING)
    formula = parser.parse()
    _check_that_it_is_about_states(formula, parser)
    return ParsedFormula(formula, tuple(parser.warnings))


@dataclass
class Level:
    """What has been read between one pair of brackets, after one binder, or of the whole formula."""

    start: Token
    opening: Token | None  # the innermost bracket that is open here
    bind: Callable[[Formula], Formula] | None = None  # ends with what is around it, and then becomes this
    prefixes: list[tuple[type[Unary], Span]] = field(default_factory=list)
    operands: list[Formula] = field(default_factory=list)
    operators: list[Operator] = field(default_factory=list)

    @property
    def closing(self) -> str:
        """The bracket that ends it; none, if it ends with the formula."""
        return "" if self.opening is None else {"(": ")", "[": "]"}[self.opening.text]


class FormulaParser(AtomReader):
    """Reads one formula in one notation; `places` knows where operators were written, by the ids of nodes."""

    def __init__(self, source: Source, start: int, end: int | None, notation: Notation) -> None:
        end = len(source.text) if end is None else end
        super().__init__(source, tokens(source, start, end, notation.calls))
        self.notation = notation
        self.warnings: list[Diagnostic] = []
        self.places: dict[int, Span] = {}
        self._brackets = _matching_brackets(self.tokens)

    def parse(self) -> Formula:
        """The whole formula."""
        first = self.token
        if first.kind is Kind.END:
            raise input_error(Code.FORMULA, "the formula is empty", first.span)
        levels = [Level(first, None)]
        while True:
            self._operand(levels)
            while self.token.text == levels[-1].closing:
                level = levels.pop()
                formula = self._close(level)
                if level.bind is not None:
                    formula = level.bind(formula)
                elif level.opening is not None:
                    self.advance()
                else:
                    return formula
                self._complete(levels[-1], formula)
            operator = BINARY.get(self.token.text)
            if operator is None:
                self._no_operator(levels[-1])
            levels[-1].operators.append(Operator(operator, self.advance().span))

    def place(self, formula: Formula) -> Span | None:
        """Where a part of the formula was written: its operator, or else its first atom."""
        if id(formula) in self.places:
            return self.places[id(formula)]
        return next((atom.span for atom in ltl.atoms(formula) if atom.span), None)

    def special_operand(self, levels: list[Level]) -> Formula | None:
        """Reads an operand of which only some notation knows, or opens a level for it."""
        return None

    def _operand(self, levels: list[Level]) -> None:
        """Reads unary operators and opening parentheses up to and including the next atom."""
        while True:
            token = self.token
            if self._is_prefix():
                self.advance()
                operators = self.notation.prefixes[token.text]
                levels[-1].prefixes += [(operator, token.span) for operator in operators]
            elif token.text == "(" or (token.text == "[" and self._follows_quantifier()):
                levels.append(Level(token, self.advance()))
            elif token.kind is Kind.END or (token.kind is Kind.SYMBOL and token.text != "-"):
                self._no_operand()
            else:
                depth = len(levels)
                operand = self.special_operand(levels)
                if len(levels) == depth:
                    self._complete(levels[-1], self.atom() if operand is None else operand)
                    return

    def _is_prefix(self) -> bool:
        text, following = self.token.text, self.following
        if text not in self.notation.prefixes:
            return False
        if text in WORDS:
            return self._begins_operand(following)
        if text in QUANTIFIERS:
            if following.text == "[" and (closing := self._brackets.get(self.next + 1)) is not None:
                following = self.tokens[closing + 1]
            return following.text not in RELATIONS | ARITHMETIC | {"."}
        return True

    def _begins_operand(self, token: Token) -> bool:
        if token.kind is Kind.SYMBOL:
            return token.text == "(" or token.text in self.notation.prefixes
        return token.kind is not Kind.END and token.text not in BINARY

    def _follows_quantifier(self) -> bool:
        return (
            self.notation is Notation.BRANCHING
            and self.next > 0
            and self.tokens[self.next - 1].text in QUANTIFIERS
        )

    def _complete(self, level: Level, operand: Formula) -> None:
        """Adds an operand, with the unary operators written before it."""
        while level.prefixes:
            operator, span = level.prefixes.pop()
            operand = operator(operand)
            self.places[id(operand)] = span
        level.operands.append(operand)

    def _join(self, operator: Operator, left: Formula, right: Formula) -> Formula:
        formula = operator.node(left, right)
        self.places[id(formula)] = operator.span
        return formula

    def _close(self, level: Level) -> Formula:
        formula = grouped(level.operands, level.operators, OURS, self._join)
        # PAT does not know fairness formulas
        if self.notation is not Notation.FAIRNESS and readings_differ(level.operators):
            pat = grouped(level.operands, level.operators, PAT)
            end = self.token if level.opening else self.tokens[max(self.next - 1, 0)]
            self.warnings.append(
                Diagnostic(
                    Code.PRECEDENCE,
                    f"this is read as {ltl.parenthesised(formula)}; PAT would read {ltl.parenthesised(pat)}",
                    level.start.span.to(end.span),
                    "add parentheses to say which one you mean",
                    severity=Severity.WARNING,
                )
            )
        return formula

    def _no_operator(self, level: Level) -> NoReturn:
        token, previous = self.token, self.tokens[self.next - 1]
        if token.kind is Kind.END or (token.text == ")" and level.opening is None):
            if level.opening is None:
                self.fail(AFTER_FORMULA, "this parenthesis was never opened")
            name = "parenthesis" if level.opening.text == "(" else "bracket"
            raise input_error(Code.FORMULA, f"this {name} is never closed", level.opening.span)
        closing = f" or '{level.closing}'" if level.opening else ""
        self.fail(f"an operator such as && or U{closing}", self._operator_hint(token, previous))

    def _operator_hint(self, token: Token, previous: Token) -> str | None:
        """What may have been meant where an operator was expected after `previous`."""
        is_value = previous.kind in (Kind.NAME, Kind.NUMBER)
        if token.text in ("!", "?") and is_value:
            return f'{QUOTED_EVENTS}: "{previous.text}{token.text}…"'
        if token.text in RELATIONS or token.text in ARITHMETIC:
            if previous.kind is Kind.NUMBER and token.text in ARITHMETIC:
                return "arithmetic in an argument goes into parentheses: get.(0+1)"
            return "an event cannot be compared, and a comparison cannot start with a parenthesis: x + 1 == 2"
        if token.text == "<>" and is_value:
            return Replacement("write != for 'not equal'", token.text, "!=")
        if previous.kind is Kind.NAME and previous.text in self.notation.calls:
            return f"write {previous.text}({token.text})"
        if token.text.lower() in _WORDS:
            operator = _WORDS[token.text.lower()]
            return Replacement(f"write {operator} for '{token.text.lower()}'", token.text, operator)
        for word in (token, previous):
            if word.kind is Kind.NAME and _COMBINED.fullmatch(word.text):
                return f"write {word.text[0]}(p {word.text[1]} q)"
        if previous.kind is not Kind.NAME:
            return None
        if previous.text.lower() in _PREFIX_WORDS:
            return _prefix_words_hint(previous.text.lower(), token.text.lower())
        if self.notation is not Notation.BRANCHING and previous.text in QUANTIFIERS:
            return _quantifier_in_linear_time(previous.text, self.notation)
        letters = "AEXGF" if self.notation is Notation.BRANCHING else "XGF"
        if len(previous.text) > 1 and set(previous.text) <= set(letters):
            return f"write the operators apart: {' '.join(_APART.findall(previous.text))}"
        return None

    def _no_operand(self) -> NoReturn:
        previous = self.tokens[self.next - 1].text if self.next else ""
        if self.token.text == ")" and previous == "(":
            self.fail("a formula between the parentheses")
        if previous in self.notation.prefixes and (previous in LETTERS or previous in QUANTIFIERS):
            self.fail(WANTED, quoting_hint(previous))
        self.fail(f"{WANTED} after '{previous}'" if previous else WANTED)


#: what people write for operators
_WORDS = {"and": "&&", "or": "||", "implies": "->", "iff": "<->"}
_PREFIX_WORDS = {
    "always": "[]",
    "globally": "[]",
    "henceforth": "[]",
    "eventually": "<>",
    "finally": "<>",
    "next": "X",
    "not": "!",
    "never": "[] !",
}


def _prefix_words_hint(*words: str) -> str:
    """How to write unary operators that are given in words."""
    known = [f"{_PREFIX_WORDS[word]} for '{word}'" for word in words if word in _PREFIX_WORDS]
    return f"write {' and '.join(known)}"


#: what operators of CTL about all paths are in LTL
_IN_LINEAR_TIME = {"AG": "[]", "AF": "<>", "AX": "X"}


def _quantifier_in_linear_time(operator: str, notation: Notation) -> str:
    hint = f"{operator} is an operator of CTL, not of {notation.value}: ask with --ctl"
    if operator in _IN_LINEAR_TIME and notation is Notation.LTL:
        return f"{hint}, or write {_IN_LINEAR_TIME[operator]}"
    return hint


def _matching_brackets(found: list[Token]) -> dict[int, int]:
    """For each `[` the place of its `]`."""
    matching: dict[int, int] = {}
    waiting: list[int] = []
    for place, token in enumerate(found):
        if token.text == "[":
            waiting.append(place)
        elif token.text == "]" and waiting:
            matching[waiting.pop()] = place
    return matching


def _check_that_it_is_about_states(formula: Formula, parser: FormulaParser) -> None:
    """Complains about the first temporal operator without a path quantifier above it."""
    stack = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, TEMPORAL):
            text = ltl.in_letters(node, longest=30)
            message = f"'{text}' says something about a path: put A or E before it"
            raise input_error(Code.FORMULA, message, parser.place(node), _quantifier_hint(node))
        if not isinstance(node, Exists | ForAll):
            stack += reversed(ltl.children(node))


def _quantifier_hint(node: Formula) -> str:
    if isinstance(node, ltl.Binary):
        letter = {ltl.Until: "U", ltl.Release: "R", ltl.WeakUntil: "W"}[type(node)]
        if isinstance(node.left, Exists | ForAll):
            quantifier = "E" if isinstance(node.left, Exists) else "A"
            return f"{quantifier} binds tighter than {letter}: write {quantifier}(p {letter} q)"
        return f"A(p {letter} q) for all paths, E(p {letter} q) for some path"
    joined = ltl.in_letters(ForAll(node), longest=30)
    return f"{joined} for all paths, {'E' + joined[1:]} for some path"
