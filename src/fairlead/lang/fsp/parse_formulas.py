"""Parses the formulas of FSP, whose operators bind in an order of their own."""

from __future__ import annotations

from fairlead.lang.fsp import lexing
from fairlead.lang.fsp.cursor import Cursor
from fairlead.lang.fsp.lexing import LOWER, RESERVED, UPPER, Token
from fairlead.lang.fsp.parse_labels import additive, arguments, index, indices, label, reserved_word_hint
from fairlead.lang.fsp.syntax import (
    ActionFormula,
    BinaryFormula,
    Formula,
    Index,
    NamedFormula,
    QuantifiedFormula,
    RigidFormula,
    UnaryFormula,
)

_PREFIXES = frozenset(("!", "<>", "[]"))
_ONCE = frozenset(("U", "W", "->", "<->"))
_SPELLINGS = {"F": "<>", "G": "[]"}


def formula(at: Cursor) -> Formula:
    """`f || g || …`: the operator that binds least."""
    left = _once(at)
    while at.accept("||"):
        left = BinaryFormula("||", left, _once(at))
    return left


def binary_operator(at: Cursor) -> str | None:
    """The operator between formulas that comes next. `U` and `W` are names elsewhere."""
    if at.kind == UPPER:
        return at.token.text if at.token.text in _ONCE else None
    return at.kind if at.kind in _ONCE or at.kind in ("&&", "||") else None


def _once(at: Cursor) -> Formula:
    """`f U g` and similar formulas: one operator only, so that associativity does not matter."""
    start = at.token.start
    left = _conjunction(at)
    operator = binary_operator(at)
    if operator not in _ONCE or operator is None:
        return left
    at.advance()
    joined = BinaryFormula(operator, left, _conjunction(at))
    again = binary_operator(at)
    if again is not None and again in _ONCE:
        so_far = at.span_from(start).text
        shown = f"'({so_far}) {again} ...'" if len(so_far) <= 40 and "\n" not in so_far else "'(f U g) U h'"
        hint = f"put parentheses around one of the two: {shown}"
        raise at.problem(f"'{again}' after a '{operator}' needs parentheses", hint=hint)
    return joined


def _conjunction(at: Cursor) -> Formula:
    left = unary(at)
    while at.accept("&&"):
        left = BinaryFormula("&&", left, unary(at))
    return left


def unary(at: Cursor) -> Formula:
    """A formula without an operator between formulas, but in parentheses."""
    prefixes: list[tuple[str, tuple[Index, ...]]] = []
    while True:
        if at.kind in _PREFIXES or (at.kind == UPPER and at.token.text == "X"):
            prefixes.append((at.advance().text, ()))
        elif at.kind in ("forall", "exists"):
            quantifier = at.advance()
            prefixes.append((quantifier.kind, _quantified(at, quantifier)))
        else:
            break
    found = _operand(at)
    for word, over in reversed(prefixes):
        found = QuantifiedFormula(word == "forall", over, found) if over else UnaryFormula(word, found)
    return found


def _quantified(at: Cursor, quantifier: Token) -> tuple[Index, ...]:
    over = indices(at, f"{quantifier.kind}[i:0..2] a[i]")
    if at.kind == ".":
        last = over[-1].span.text
        hint = f"'{last}' was read as an index of '{quantifier.kind}': put parentheses around '{last}...'"
        raise at.unexpected("a formula", hint=hint)
    return over


def _operand(at: Cursor) -> Formula:
    token = at.token
    match token.kind:
        case "(":
            at.advance()
            inner = formula(at)
            if at.kind != ")":
                raise at.not_closed(token, "an operator or ')'", _hint_in_parentheses(at))
            at.advance()
            return inner
        case "rigid":
            at.advance()
            return RigidFormula(additive(at))
        case lexing.UPPER if token.text not in _ONCE:
            return _named(at)
        case lexing.LOWER | "{" | "[":
            found = label(at)
            return ActionFormula(found, found.span)
    raise at.unexpected("a formula", hint=_hint_at_operand(at))


def _named(at: Cursor) -> Formula:
    """A fluent, an assert or a set; it is a label, if a label has more than a name and indices."""
    after = at.index + 1
    while at.kind_at(after) == "[":
        after = at.after_group(after)
    if at.kind_at(after) in (".", "\\"):
        found = label(at)
        return ActionFormula(found, found.span)
    name = at.advance()
    over: list[Index] = []
    while at.kind == "[":
        over.append(index(at))
    values = arguments(at) if at.kind == "(" and not over else ()
    return NamedFormula(name.text, tuple(over), values, at.span_from(name.start))


# ---------------------------------------------------------------- slips


def _hint_at_operand(at: Cursor) -> str | None:
    before = at.before
    if at.kind in RESERVED:
        return reserved_word_hint(at.token.text)
    if at.kind == "<":
        return "'eventually' is '<>', without a blank"
    if before is not None and before.text in ("&&", "||", "->", "<->", "U", "W"):
        return f"there is a formula on both sides of '{before.text}'"
    return None


def _hint_in_parentheses(at: Cursor) -> str | None:
    before = at.before
    if before is not None and before.text in _SPELLINGS and at.kind in (LOWER, UPPER, "(", "{"):
        return f"'{before.text}' is written '{_SPELLINGS[before.text]}'"
    if at.kind in ("|", "&"):
        return f"'{at.kind * 2}' joins formulas"
    if at.kind == "=" and at.peek() == ">":
        return "'implies' is written '->'"
    if at.kind in ("==", "!=", "<", "<=", ">", ">=", "+", "-", "="):
        return "a comparison of values in a formula is written 'rigid(i == 1)'"
    return None
