"""Reads fairness formulas: LTL notation, `weak(x)`, `strong(x)`, `impartial`, `all processes p: …`."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import NoReturn

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.source import Source
from fairlead.logic import ltl
from fairlead.logic.atoms import ARITHMETIC, RELATIONS
from fairlead.logic.fairness.formula import IMPARTIAL, FairnessFormula, bound_by, strong, weak
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import (
    Always,
    And,
    Atom,
    AtomKind,
    Constant,
    Domain,
    Eventually,
    Formula,
    Or,
    Quantified,
)
from fairlead.logic.notation import LETTERS, TEMPORAL, Notation
from fairlead.logic.parsing.parse import FormulaParser, Level
from fairlead.logic.parsing.tokens import Kind

_DOMAINS = {
    "process": Domain.PROCESSES,
    "processes": Domain.PROCESSES,
    "event": Domain.EVENTS,
    "events": Domain.EVENTS,
}
_OPERATORS: dict[str, type[And] | type[Or]] = {"all": And, "some": Or}


def parse_fairness_formula(source: Source, start: int = 0, end: int | None = None) -> FairnessFormula:
    """The fairness formula written in `source` from offset `start` to offset `end` (exclusive)."""
    parser = _FairnessParser(source, start, end, Notation.FAIRNESS)
    formula = parser.parse()
    _check_variables(formula)
    _check_shape(formula, parser)
    return FairnessFormula(source.text[start:end].strip(), formula)


@cache
def formula_of_notion(notion: Fairness) -> FairnessFormula:
    """The fairness formula that defines a notion; only for those that one defines."""
    assert notion.facts.formula is not None
    return parse_fairness_formula(Source(f"notion {notion.value}", notion.facts.formula))


class _FairnessParser(FormulaParser):
    def special_operand(self, levels: list[Level]) -> Formula | None:
        token, following = self.token, self.following
        if token.kind is not Kind.NAME:
            return None
        if token.text in _OPERATORS and following.kind is Kind.NAME and following.text in _DOMAINS:
            self._open_quantifier(levels)
        elif token.text == "impartial" and following.text not in RELATIONS | ARITHMETIC | {".", "["}:
            self.advance()
            return IMPARTIAL.formula
        return None

    def _open_quantifier(self, levels: list[Level]) -> None:
        """Reads `all processes p:`, which reaches as far as the level in which it stands."""
        operator = _OPERATORS[self.advance().text]
        domain = _DOMAINS[self.advance().text]
        example = f"as in 'all {self.tokens[self.next - 1].text} {domain.value[0]}: …'"
        if self.token.kind is not Kind.NAME or self.token.text in LETTERS:
            self.fail(f"a name for the {domain.value}, {example}")
        variable = self.advance().text
        if self.token.text != ":":
            self.fail(f"':', {example}")
        self.advance()
        levels.append(
            Level(
                self.token,
                levels[-1].opening,
                bind=lambda operand: Quantified(operator, domain, variable, operand),
            )
        )

    def call(self) -> Formula:
        token = self.token
        for name, meant in (("weak", weak), ("strong", strong)):
            if token.text.startswith(name):
                self.advance()
                return meant(token.subject, token.span)
        return super().call()


def _check_variables(formula: Formula) -> None:
    """Complains about variables for processes that stand alone, as if they were propositions."""
    stack: list[tuple[Formula, dict[str, Domain]]] = [(formula, {})]
    while stack:
        node, bound = stack.pop()
        if isinstance(node, Quantified):
            bound = {**bound, node.variable: node.domain}
        is_alone = isinstance(node, Atom) and node.kind is AtomKind.NAME and node.text in bound
        if isinstance(node, Atom) and is_alone and bound_by(node, bound) is None:
            message = f"'{node.text}' stands for a process here, which is neither true nor false"
            hint = f"write executed({node.text}) or enabled({node.text})"
            raise input_error(Code.FORMULA, message, node.span, hint)
        stack += ((child, bound) for child in reversed(ltl.children(node)))


class _Shape(Enum):
    """What part of a fairness formula a formula can be."""

    CONSTANT = 0
    PREDICATE = 1  # about one position
    SOMETIMES = 2  # F p, which G makes a condition
    THROUGHOUT = 3  # G p, which F makes a condition
    CONDITION = 4  # about what happens in the long run


_UNFINISHED = (_Shape.SOMETIMES, _Shape.THROUGHOUT)


def _check_shape(formula: Formula, parser: FormulaParser) -> None:
    """Refuses everything except boolean combinations of GF p and FG p."""
    # by identity, not equality: the same text may be right in one place and wrong in another
    shapes: dict[int, _Shape] = {}
    stack: list[tuple[Formula, bool, bool]] = [(formula, False, False)]
    while stack:
        node, is_inside, parts_done = stack.pop()
        parts = ltl.children(node)
        if parts_done:
            shapes[id(node)] = _shape(node, [shapes[id(part)] for part in parts], is_inside, parser)
        else:
            stack.append((node, is_inside, True))
            within = is_inside or isinstance(node, Always | Eventually)
            stack += ((part, within, False) for part in reversed(parts))
    if shapes[id(formula)] not in (_Shape.CONDITION, _Shape.CONSTANT):
        _complain(formula, parser)


def _shape(node: Formula, parts: list[_Shape], is_inside: bool, parser: FormulaParser) -> _Shape:
    match node:
        case Constant():
            return _Shape.CONSTANT
        case Atom():
            return _Shape.PREDICATE
        case Always() | Eventually():
            own, other = _UNFINISHED if isinstance(node, Eventually) else reversed(_UNFINISHED)
            return _Shape.CONDITION if parts[0] in (other, _Shape.CONDITION) else own
    if isinstance(node, TEMPORAL):
        _complain(node, parser)
    shaped = list(zip(ltl.children(node), parts, strict=True))
    is_mixed = _Shape.PREDICATE in parts and _Shape.CONDITION in parts
    for part, shape in shaped:
        if is_inside and (shape in _UNFINISHED or (is_mixed and shape is _Shape.CONDITION)):
            _complain_inside(part, parser)
        if shape in _UNFINISHED or (is_mixed and not is_inside and shape is _Shape.PREDICATE):
            _complain(part, parser)
    return max(parts, key=lambda shape: shape.value)


def _complain(node: Formula, parser: FormulaParser) -> NoReturn:
    text = ltl.in_letters(node, longest=30)
    message = f"'{text}' is not a condition of fairness: it must be GF p, FG p or a combination of them"
    hint = "GF p says that p is true infinitely often, FG p that p is eventually always true"
    if isinstance(node, Atom) and node.text in {notion.value for notion in Fairness}:
        hint = f"a notion is chosen with --fairness {node.text}"
    raise input_error(Code.FORMULA, message, parser.place(node), hint)


def _complain_inside(node: Formula, parser: FormulaParser) -> NoReturn:
    text = ltl.in_letters(node, longest=30)
    message = f"'{text}' cannot be joined to another formula inside a G or F"
    hint = "only propositions and their connectives are allowed inside GF and FG: write GF a && GF b"
    raise input_error(Code.FORMULA, message, parser.place(node), hint)
