"""Parses texts in FSP: `parse` a model, `parse_formula` a formula that was given apart from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

from fairlead.base.diagnostics import AFTER_FORMULA, Code, Diagnostic, InputError, LimitReached, nearest
from fairlead.base.source import Source
from fairlead.lang.fsp.cursor import Cursor
from fairlead.lang.fsp.lexing import END_OF_TEXT, LOWER, RESERVED, STRING, UPPER, Token, lex
from fairlead.lang.fsp.parse_composites import composite_definition
from fairlead.lang.fsp.parse_formulas import binary_operator, formula, unary
from fairlead.lang.fsp.parse_labels import (
    EACH_ONCE,
    LOOSE_OPERATORS,
    additive,
    capitalised,
    indices,
    label,
    label_set,
    parameters,
    process_name_hint,
    relabellings,
    set_body,
)
from fairlead.lang.fsp.parse_processes import DEFINING, begins_definition, process_definition
from fairlead.lang.fsp.syntax import (
    AnimationDefinition,
    AssertDefinition,
    ConstDefinition,
    Definition,
    FluentDefinition,
    Formula,
    ImportDefinition,
    Interval,
    MenuDefinition,
    Modifiers,
    ProgressDefinition,
    RangeDefinition,
    SetDefinition,
)

_Tree = TypeVar("_Tree")


def parse(source: Source) -> tuple[Definition, ...]:
    """The definitions of a model; an `InputError` where the text is not in FSP."""
    tokens = lex(source)
    sets = frozenset(following.text for word, following in pairwise(tokens) if word.kind == "set")
    return _within_limits(Cursor(source, tokens, sets), _definitions)


def parse_formula(source: Source, start: int, end: int) -> Formula:
    """The formula that the part of a text from offset `start` to `end` is, parentheses around it or not."""
    return _within_limits(Cursor(source, lex(source, start, end), None), _whole_formula)


def _within_limits(at: Cursor, read: Callable[[Cursor], _Tree]) -> _Tree:
    try:
        return read(at)
    except RecursionError:
        place = at.span_of(at.token)
        raise LimitReached((Diagnostic(Code.LIMIT, "this is nested too deeply", place),)) from None


def _whole_formula(at: Cursor) -> Formula:
    found = formula(at)
    if at.kind != END_OF_TEXT:
        hint = "the formula ends before the '.'; none is needed" if at.kind == "." else None
        raise at.unexpected(AFTER_FORMULA, hint=hint)
    return found


def _definitions(at: Cursor) -> tuple[Definition, ...]:
    found: list[Definition] = []
    problems: list[Diagnostic] = []
    missing: set[str] = set()
    while at.kind != END_OF_TEXT:
        start = at.index
        try:
            found.append(_definition(at))
        except InputError as error:
            problems += error.diagnostics
            _skip_definition(at, start)
            missing.update(_declared(at, start))
    if problems:
        raise NotRead(tuple(problems), tuple(found), frozenset(missing))
    return tuple(found)


class NotRead(InputError):
    """Some definitions cannot be read: they may declare the `missing` names. `definitions` are the others."""

    def __init__(
        self,
        diagnostics: tuple[Diagnostic, ...],
        definitions: tuple[Definition, ...],
        missing: frozenset[str],
    ) -> None:
        super().__init__(diagnostics)
        self.definitions = definitions
        self.missing = missing


def _declared(at: Cursor, start: int) -> Iterator[str]:
    """The names that the tokens from `start` up to the cursor may declare: those before a `=`, `(` or `[`."""
    for name, following in pairwise(at.tokens[start : at.index + 1]):
        if name.kind == UPPER and following.kind in ("=", "(", "["):
            yield name.text


def _skip_definition(at: Cursor, start: int) -> None:
    """Continues to where the next definition begins, at the beginning of a line."""
    if at.index == start and at.kind != END_OF_TEXT:
        at.advance()
    while at.kind != END_OF_TEXT:
        before = at.before
        if begins_definition(at) and before is not None and before.kind != ",":
            line_start = at.source.text.rfind("\n", 0, at.token.start) + 1
            if before.end <= line_start:
                return
        at.advance()


def _definition(at: Cursor) -> Definition:
    if at.kind == UPPER:
        return process_definition(at, Modifiers())
    if at.kind == "||":
        return composite_definition(at, Modifiers())
    read = _READERS.get(at.kind)
    if read is not None:
        at.advance()
        return read(at)
    if at.kind in _MODIFIERS:
        return _modified(at)
    raise _no_definition(at)


# ---------------------------------------------------------------- definitions that begin with a word


def _name(at: Cursor, what: str) -> Token:
    if at.kind == UPPER:
        return at.advance()
    hint: str | None = None
    if at.kind == LOWER:
        hint = f"it begins with an upper-case letter: '{capitalised(at.token.text)}'"
    raise at.unexpected(f"the name of {what}", hint=hint)


def _const(at: Cursor) -> Definition:
    name = _name(at, "a constant")
    at.expect("=")
    value = additive(at)
    _check_no_operator(at)
    return ConstDefinition(name.text, value, at.span_of(name))


def _range(at: Cursor) -> Definition:
    name = _name(at, "a range")
    at.expect("=")
    low = additive(at)
    _check_no_operator(at)
    at.expect("..", hint="a range is written 'range R = 0..2'")
    high = additive(at)
    _check_no_operator(at)
    return RangeDefinition(name.text, Interval(low, high), at.span_of(name))


def _check_no_operator(at: Cursor) -> None:
    if at.kind in LOOSE_OPERATORS and not at.begins_composite():
        hint = "outside of parentheses there are only + - * / % here; write for example '(1<<4)'"
        raise at.problem(f"'{at.kind}' needs parentheses around the expression", hint=hint)


def _set(at: Cursor) -> Definition:
    name = _name(at, "a set")
    at.expect("=")
    return SetDefinition(name.text, set_body(at), at.span_of(name))


def _progress(at: Cursor) -> Definition:
    name = _name(at, "a progress property")
    over = indices(at, "[i:0..2]") if at.kind == "[" else ()
    at.expect("=")
    condition = None
    if at.accept("if"):
        condition = label(at)
        at.expect("then")
    return ProgressDefinition(name.text, over, condition, label(at), at.span_of(name))


def _menu(at: Cursor) -> Definition:
    name = _name(at, "a menu")
    at.expect("=")
    return MenuDefinition(name.text, label(at), at.span_of(name))


def _import(at: Cursor) -> Definition:
    name = _name(at, "a process")
    at.expect("=")
    return ImportDefinition(name.text, _string(at), at.span_of(name))


def _string(at: Cursor) -> str:
    if at.kind != STRING:
        raise at.unexpected("the name of a file in double quotes")
    return at.advance().text[1:-1]


def _fluent(at: Cursor) -> Definition:
    name = _name(at, "a fluent")
    over = indices(at, "[i:0..2]") if at.kind == "[" else ()
    hint = "a fluent is written 'fluent F = <{on}, {off}>'"
    at.expect("=", hint=hint)
    at.expect("<", hint=hint)
    initiating = label(at)
    at.expect(",", hint=hint)
    terminating = label(at)
    at.expect(">", hint=hint)
    initially = None
    if at.accept("initially"):
        initially = additive(at)
        _check_no_operator(at)
    return FluentDefinition(name.text, over, initiating, terminating, initially, at.span_of(name))


def _assert(at: Cursor) -> Definition:
    return _asserted(at, is_constraint=False)


def _constraint(at: Cursor) -> Definition:
    return _asserted(at, is_constraint=True)


def _asserted(at: Cursor, *, is_constraint: bool) -> Definition:
    name = _name(at, "a constraint" if is_constraint else "an assert")
    defaults = parameters(at)
    at.expect("=")
    start = at.token.start
    found = unary(at)
    extension = label_set(at) if at.accept("+") else None
    operator = binary_operator(at)
    if operator is not None and not begins_definition(at):  # a process may be called U
        so_far = at.span_from(start).text
        shown = f"({so_far} {operator} ...)" if len(so_far) <= 40 and "\n" not in so_far else "(f && g)"
        word = "constraint" if is_constraint else "assert"
        hint = f"write '{word} {name.text} = {shown}'"
        raise at.problem(f"'{operator}' needs parentheses around the whole formula", hint=hint)
    return AssertDefinition(name.text, defaults, found, extension, is_constraint, at.span_of(name))


def _animation(at: Cursor) -> Definition:
    name = _name(at, "an animation")
    at.expect("=")
    _string(at)
    if at.accept("target"):
        at.expect(UPPER)
    if at.kind == "compose" and at.peek() == "{":  # else it is a modifier of the next definition
        at.advance()
        opening = at.advance()
        _animated(at)
        while at.accept("||"):
            _animated(at)
        at.close(opening, "}", "'||' or ")
    if at.accept("actions"):
        relabellings(at)
    if at.accept("controls"):
        relabellings(at)
    return AnimationDefinition(name.text, at.span_of(name))


def _animated(at: Cursor) -> None:
    at.expect(UPPER)
    if at.accept("/"):
        relabellings(at)


_READERS: dict[str, Callable[[Cursor], Definition]] = {
    "const": _const,
    "range": _range,
    "set": _set,
    "progress": _progress,
    "menu": _menu,
    "import": _import,
    "fluent": _fluent,
    "assert": _assert,
    "constraint": _constraint,
    "animation": _animation,
}

# ---------------------------------------------------------------- modifiers

_MODIFIERS = ("deterministic", "minimal", "compose", "property")


def _modified(at: Cursor) -> Definition:
    given = [at.accept(word) for word in _MODIFIERS]
    if at.kind in _MODIFIERS:
        order = f"the order is: {' '.join(_MODIFIERS)}, {EACH_ONCE}"
        raise at.unexpected("a process", hint=order)
    modifiers = Modifiers(*given)
    if at.kind == "||":
        return composite_definition(at, modifiers)
    if at.kind == UPPER:
        return process_definition(at, modifiers)
    hint = None
    if at.kind == LOWER:
        hint = process_name_hint(at.token.text)
    raise at.unexpected("a process", hint=hint)


# ---------------------------------------------------------------- slips


def _no_definition(at: Cursor) -> InputError:
    token, before = at.token, at.before
    hint: str | None = None
    if token.kind == LOWER:
        if at.peek() in ("=", "("):
            hint = process_name_hint(token.text)
        elif token.text == "ltl_property":
            hint = "'ltl_property' is of a later dialect; write 'assert', or 'property' for a process"
        else:
            hint = nearest(token.text, DEFINING)
    elif token.kind == ".":
        hint = "only definitions of processes and of composites end with '.', and once"
    elif token.kind == ";":
        hint = "no definition ends with ';'; those of processes and of composites end with '.'"
    elif token.kind in ("+", "/", "\\", "@", "<<", ">>") and before is not None and before.kind == ".":
        hint = f"'{token.kind}' comes before the '.' that ends the definition"
    elif token.kind in RESERVED:
        hint = f"'{token.text}' does not begin a definition"
    return at.unexpected("a definition", hint=hint)
