"""Parses the definitions of composites of FSP."""

from __future__ import annotations

from fairlead.base.diagnostics import InputError
from fairlead.lang.fsp.cursor import Cursor
from fairlead.lang.fsp.lexing import END_OF_TEXT, LOWER, RESERVED, UPPER, Token
from fairlead.lang.fsp.parse_labels import (
    EACH_ONCE,
    UPPER_CASE_PROCESS,
    arguments,
    capitalised,
    expression,
    indices,
    label,
    label_set,
    parameters,
    relabellings,
    reserved_word_hint,
)
from fairlead.lang.fsp.parse_processes import begins_definition, hiding
from fairlead.lang.fsp.syntax import (
    CompositeBody,
    CompositeDefinition,
    CompositeForall,
    CompositeIf,
    CompositePart,
    Label,
    Modifiers,
    Priority,
    ProcessReference,
)


def composite_definition(at: Cursor, modifiers: Modifiers) -> CompositeDefinition:
    """`||P(N = 2) = … >> S \\ S.`, after the modifiers."""
    at.expect("||")
    name = at.token
    if name.kind == LOWER:
        hint = f"the name of a composite begins with an upper-case letter: '{capitalised(name.text)}'"
        raise at.unexpected("the name of a composite", hint=hint)
    at.expect(UPPER)
    defaults = parameters(at)
    at.expect("=")
    body = _body(at)
    priority = None
    if at.kind in ("<<", ">>"):
        is_high = at.advance().kind == "<<"
        priority = Priority(is_high, label_set(at))
    hides = hiding(at)
    if at.kind != ".":
        raise _not_ended(at, name, body)
    at.advance()
    return CompositeDefinition(name.text, modifiers, defaults, body, priority, hides, at.span_of(name))


def _body(at: Cursor) -> CompositeBody:
    if at.accept("if"):
        condition = expression(at)
        at.expect("then")
        then = _body(at)
        return CompositeIf(condition, then, _body(at) if at.accept("else") else None)
    if at.accept("forall"):
        over = indices(at, "forall[i:0..2] p[i]:P")
        if at.kind in (":", "::", "."):
            last = over[-1].span.text
            hint = f"'{last}' was read as an index of 'forall': put parentheses, 'forall... ({last}:P)'"
            raise at.unexpected("a process", hint=hint)
        return CompositeForall(over, _body(at))
    return _part(at)


def _part(at: Cursor) -> CompositePart:
    start = at.token.start
    sharing, prefix = _prefixes(at)
    body: ProcessReference | tuple[CompositeBody, ...]
    if at.kind == "(":
        body = _parallel(at)
    elif at.kind == UPPER:
        name = at.advance()
        values = arguments(at) if at.kind == "(" else ()
        body = ProcessReference(name.text, values, at.span_from(name.start))
    else:
        raise at.unexpected("a process", hint=_hint_at_part(at))
    relabelling = relabellings(at) if at.accept("/") else ()
    return CompositePart(sharing, prefix, body, relabelling, at.span_from(start))


def _prefixes(at: Cursor) -> tuple[Label | None, Label | None]:
    """`a::b:`, `a::`, `b:` or nothing."""
    if not at.label_before(":", "::"):
        return None, None
    first = label(at)
    if at.accept("::"):
        if not at.label_before(":"):
            return first, None
        prefix = label(at)
        _colon(at, prefix)
        return first, prefix
    _colon(at, first)
    return None, first


def _colon(at: Cursor, prefix: Label) -> None:
    if at.accept(":"):
        if at.label_before(":"):
            _check_not_prefixed_again(at, prefix)
        return
    where = f"after '{prefix.span.text}'"
    hint = None
    if at.kind == "->":
        hint = _OWN_ACTIONS
    elif at.kind in ("||", ")", "/", ".", "\\", "@", "(", END_OF_TEXT):
        hint = UPPER_CASE_PROCESS
    raise at.unexpected("':' or '::'", where, hint)


def _check_not_prefixed_again(at: Cursor, prefix: Label) -> None:
    if at.kind_at(at.after_label()) == ":":
        hint = f"join the prefixes with a dot: '{prefix.span.text}.{at.token.text}:...'"
        raise at.unexpected("a process", hint=hint)


def _parallel(at: Cursor) -> tuple[CompositeBody, ...]:
    opening = at.advance()
    if at.accept(")"):
        return ()
    bodies = [_body(at)]
    while at.accept("||"):
        bodies.append(_body(at))
    if at.kind != ")":
        raise at.not_closed(opening, "'||' or ')'", _hint_in_parallel(at))
    at.advance()
    return tuple(bodies)


# ---------------------------------------------------------------- slips

_ORDER = "after a composite come '/{...}', then '<<{...}' or '>>{...}', then '\\{...}' or '@{...}'"
_OWN_ACTIONS = "a process with actions of its own is defined without '||': 'P = (a -> P).'"
_SIDE_BY_SIDE = "processes side by side have '||' between them"
_ARGUMENTS = "the arguments of a process are written in parentheses: 'P(1)'"


def _not_ended(at: Cursor, name: Token, body: CompositeBody) -> InputError:
    where = f"at the end of composite '{name.text}'"
    hint = None
    if begins_definition(at):
        hint = "the definition of a composite ends with '.'"
    elif at.kind == "/":
        hint = _ORDER
        before = at.before
        if isinstance(body, CompositePart) and before is not None and before.end == body.span.end:
            hint = "a composite is relabelled once; for another time, put parentheses: '(P/{a/b})/{c/a}'"
    elif at.kind in ("<<", ">>", "\\", "@"):
        hint = f"{_ORDER}, {EACH_ONCE}"
    elif at.kind == "+":
        hint = "the alphabet of a composite is that of its processes: '+' is for processes"
    elif at.kind == "||":
        hint = "processes side by side are written in parentheses: '(P || Q)'"
    elif at.kind == ";":
        hint = "one process after the other is written in a process: 'P = A;B;END.'"
    elif at.kind == "[":
        hint = _ARGUMENTS
    elif at.kind == ",":
        hint = "a composite has no local processes"
    return at.unexpected("'.'", where, hint)


def _hint_at_part(at: Cursor) -> str | None:
    if at.kind == "||":
        return "there is a process on both sides of '||'"
    if at.kind in RESERVED:
        return reserved_word_hint(at.token.text)
    return None


def _hint_in_parallel(at: Cursor) -> str | None:
    if at.kind == "|":
        return f"{_SIDE_BY_SIDE}; '|' is a choice between actions"
    if at.kind == "->":
        return _OWN_ACTIONS
    if at.kind in (">>", "<<", "\\", "@"):
        return "priorities and hiding are for the whole composite, after the parentheses"
    if at.kind == "/":
        return "a process is relabelled once; for another time, put parentheses: '(P/{a/b})/{c/a}'"
    if at.kind == "[":
        return _ARGUMENTS
    if at.kind in (UPPER, LOWER):
        return _SIDE_BY_SIDE
    return None
