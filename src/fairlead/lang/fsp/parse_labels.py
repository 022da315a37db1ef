"""Parses expressions, labels, sets and relabellings of FSP: each of the first two can be within the other."""

from __future__ import annotations

from fairlead.base.diagnostics import Replacement
from fairlead.lang.fsp import lexing
from fairlead.lang.fsp.cursor import Cursor
from fairlead.lang.fsp.lexing import INTEGER, LOWER, RESERVED, UPPER, integer_value
from fairlead.lang.fsp.syntax import (
    Binary,
    Domain,
    Expression,
    Index,
    Interval,
    Label,
    LabelPart,
    LabelSet,
    LabelValue,
    Name,
    NamePart,
    Number,
    Parameter,
    Relabel,
    RelabelForall,
    Relabelling,
    SetBody,
    SetElement,
    SetName,
    SetPart,
    SetSize,
    Unary,
)

# ---------------------------------------------------------------- hints that several parsers give

UPPER_CASE_PROCESS = "the name of a process begins with an upper-case letter"
LOWER_CASE_ACTION = "the name of an action begins with a lower-case letter"
EACH_ONCE = "each once at most"
_SET_ELEMENT = "one element of a set is written '@(S, 0)'"


def process_name_hint(name: str) -> str:
    """The hint where a lower-case name stands for a process."""
    return Replacement(f"{UPPER_CASE_PROCESS}: '{capitalised(name)}'", name, capitalised(name))


def reserved_word_hint(word: str) -> str:
    """The hint where a reserved word stands for an action."""
    return f"'{word}' is a reserved word and cannot be an action"


# ---------------------------------------------------------------- expressions

_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_LEVEL_OF = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_ADDITIVE = _LEVEL_OF["+"]
#: operators that are not part of an additive expression; `||` may be, but may begin a composite too
LOOSE_OPERATORS = frozenset(operator for operator, level in _LEVEL_OF.items() if level < _ADDITIVE)


def expression(at: Cursor) -> Expression:
    """An expression with any operators."""
    return _binary(at, 0)


def additive(at: Cursor) -> Expression:
    """An expression whose operators outside of parentheses are `+ - * / %`."""
    return _binary(at, _ADDITIVE)


def _binary(at: Cursor, weakest: int) -> Expression:
    start = at.token.start
    left = _operand(at)
    while (level := _LEVEL_OF.get(at.kind, -1)) >= weakest:
        operator = at.advance().kind
        right = _binary(at, level + 1)
        left = Binary(operator, left, right, at.span_from(start))
    return left


def _operand(at: Cursor) -> Expression:
    start = at.token.start
    if at.kind in ("+", "-", "!"):
        operator = at.advance().kind
        if at.kind in ("+", "-", "!"):
            hint = f"an operand has one sign only: write '{operator}({at.kind}...)'"
            raise at.unexpected("a number, a name or '('", hint=hint)
        return Unary(operator, _primary(at), at.span_from(start))
    return _primary(at)


def _primary(at: Cursor) -> Expression:
    token = at.token
    match token.kind:
        case lexing.INTEGER:
            at.advance()
            return Number(integer_value(at.source, token), at.span_of(token))
        case lexing.LOWER | lexing.UPPER:
            at.advance()
            return Name(token.text, at.span_of(token))
        case "(":
            at.advance()
            inner = expression(at)
            at.close(token, ")")
            return inner
        case "'":
            at.advance()
            return LabelValue(label(at), at.span_from(token.start))
        case "#":
            at.advance()
            return SetSize(label(at), at.span_from(token.start))
        case "@":
            at.advance()
            opening = at.expect("(", hint=_SET_ELEMENT)
            labels = label(at)
            at.expect(",", hint=_SET_ELEMENT)
            index_expression = expression(at)
            at.close(opening, ")")
            return SetElement(labels, index_expression, at.span_from(token.start))
    hint = None
    if token.kind in RESERVED:
        hint = f"'{token.text}' is a reserved word and cannot be the name of a variable"
    elif token.kind == "{":
        hint = "the size of a set is '#{a,b}', an element of it '@({a,b}, 0)'"
    raise at.unexpected("an expression", hint=hint)


def arguments(at: Cursor) -> tuple[Expression, ...]:
    """`(1, N)`."""
    opening = at.expect("(")
    values = [expression(at)]
    while at.accept(","):
        values.append(expression(at))
    at.close(opening, ")", "',' or ")
    return tuple(values)


def parameters(at: Cursor) -> tuple[Parameter, ...]:
    """`(N = 1, M = 2)`, or nothing."""
    if at.kind != "(":
        return ()
    opening = at.advance()
    found = [_parameter(at)]
    while at.accept(","):
        found.append(_parameter(at))
    at.close(opening, ")", "',' or ")
    return tuple(found)


def _parameter(at: Cursor) -> Parameter:
    name = at.token
    if name.kind == LOWER:
        upper = capitalised(name.text)
        hint = Replacement(f"parameters are in upper case: '{upper}'", name.text, upper)
        raise at.unexpected("a parameter", hint=hint)
    if name.kind != UPPER:
        raise at.unexpected("a parameter", hint="for example (N = 2)")
    at.advance()
    at.expect("=", hint=f"every parameter has a default: ({name.text} = 1)")
    return Parameter(name.text, expression(at), at.span_of(name))


def capitalised(name: str) -> str:
    """A name as it could be written for a process, a constant or a parameter."""
    bare = name.lstrip("_") or "p"
    return bare.upper() if bare[0].isalpha() else f"P{bare.upper()}"


# ---------------------------------------------------------------- labels


def label(at: Cursor) -> Label:
    """`a.b[i:R].{x,y}`: the dot before `[` may be left out."""
    start = at.token.start
    parts = [_label_part(at)]
    while at.kind == "[" or (at.kind == "." and _goes_on(at)):
        at.accept(".")
        parts.append(_label_part(at))
    return Label(tuple(parts), at.span_from(start))


def _goes_on(at: Cursor) -> bool:
    """Whether the dot here is in a label, not at the end of a definition."""
    following, after = at.peek(), at.peek(2)
    if following == INTEGER:
        at.advance()
        raise at.unexpected("a part of a label", hint=f"write a number in brackets: '[{at.token.text}]'")
    if following in RESERVED:  # most likely the next definition, unless it continues as a label does
        return after in (".", "->", "[", ",", "}", "/", ")", ":", "::")
    return following in (LOWER, "{", "[") or (following == UPPER and after not in ("=", "("))


def _label_part(at: Cursor) -> LabelPart:
    token = at.token
    match token.kind:
        case lexing.LOWER:
            if token.text == "tau":
                hint = "an action becomes tau by hiding: '\\{a}'"
                raise at.problem("'tau' cannot be written as an action", hint=hint)
            at.advance()
            return NamePart(token.text)
        case "[":
            return index(at)
        case "{" | lexing.UPPER:
            if token.kind == UPPER and at.sets is not None and token.text not in at.sets:
                message = f"'{token.text}' is neither an action nor a set of actions"
                raise at.problem(message, hint=LOWER_CASE_ACTION)
            labels = label_set(at)
            return SetPart(labels, label_set(at) if at.accept("\\") else None)
        case "[]":
            message = "'[]' is an operator of formulas; an index has a value"
            raise at.problem(message, hint="for example 'a[1]'")
    if token.kind in RESERVED:
        hint = f"a reserved word cannot be an action; call it for example '{token.text}_'"
        raise at.unexpected("an action", hint=hint)
    raise at.unexpected("an action")


def label_set(at: Cursor) -> LabelSet:
    """`{a, b}`, or the name of a set."""
    if at.kind == UPPER:
        name = at.advance()
        return SetName(name.text, at.span_of(name))
    return set_body(at)


def set_body(at: Cursor) -> SetBody:
    """`{a, b}`."""
    opening = at.token
    if at.kind != "{":
        hint = f"write '{{{opening.text}}}'" if opening.kind == LOWER else None
        raise at.unexpected("a set of actions such as {a,b}", hint=hint)
    at.advance()
    if at.kind == "}":
        raise at.unexpected("an action", hint="a set of actions cannot be empty")
    labels = [label(at)]
    while at.accept(","):
        labels.append(label(at))
    hint = "actions in a set have ',' between them" if at.kind in (LOWER, "|", ";") else None
    at.close(opening, "}", "',' or ", hint)
    return SetBody(tuple(labels), at.span_from(opening.start))


# ---------------------------------------------------------------- indices


def indices(at: Cursor, example: str) -> tuple[Index, ...]:
    """`[i:R][j:S]`, one at least."""
    if at.kind != "[":
        raise at.unexpected("an index", hint=f"for example '{example}'")
    found = []
    while at.kind == "[":
        found.append(index(at))
    return tuple(found)


def index(at: Cursor) -> Index:
    """`[i:D]` or `[D]`."""
    opening = at.expect("[")
    variable = None
    if at.peek() == ":":
        if at.kind == UPPER:
            hint = f"the variable of an index is in lower case: '{at.token.text.lower()}'"
            raise at.unexpected("a variable", hint=hint)
        variable = at.expect(LOWER).text
        at.advance()
    elif at.kind == "]":
        raise at.unexpected(
            "an index", hint="an index has a value; 'always' in a formula is '[]', without a blank"
        )
    domain = _domain(at, variable)
    at.close(opening, "]")
    return Index(variable, domain, at.span_from(opening.start))


def _domain(at: Cursor, variable: str | None) -> Domain:
    if at.kind == "{":
        return set_body(at)
    may_be_alone = variable is None or (at.kind == UPPER and at.peek() == "]")
    low = expression(at)
    if at.accept(".."):
        return Interval(low, expression(at))
    if not may_be_alone:
        hint = f"a variable runs over a range or a set: '[{variable}:0..2]', '[{variable}:R]'"
        raise at.unexpected("'..'", hint=hint)
    return low


# ---------------------------------------------------------------- relabellings


def relabellings(at: Cursor) -> tuple[Relabelling, ...]:
    """`{new/old, forall[i:R] {…}}`."""
    opening = at.expect("{", hint="a relabelling is written '/{new/old}'")
    found = [_relabelling(at)]
    while at.accept(","):
        found.append(_relabelling(at))
    at.close(opening, "}", "',' or ")
    return tuple(found)


def _relabelling(at: Cursor) -> Relabelling:
    if at.accept("forall"):
        over = indices(at, "forall[i:0..2] {a[i]/b[i]}")
        return RelabelForall(over, relabellings(at))
    new = label(at)
    at.expect("/", hint="a relabelling is written 'new/old'")
    start = at.token.start
    old = label(at)
    return Relabel(new, old, at.span_from(start))
