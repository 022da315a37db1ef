"""The parser of CSP#: from text to syntax tree, or to a diagnostic that its author understands.

An LALR(1) parser without recursion: depth of nesting costs memory, never the interpreter's stack. Nodes are
made when a rule is complete, from the extents kept with the values, so that every node knows its exact
text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.source import Source, Span
from fairlead.lang.csp.building import Builder
from fairlead.lang.csp.complaints import Situation, complain
from fairlead.lang.csp.lexing import END_OF_TEXT, Token, lex
from fairlead.lang.csp.other_modules import explain_by_other_module, refuse_other_modules
from fairlead.lang.csp.roles import assign_roles
from fairlead.lang.csp.syntax import Call, Declaration, Expression, Property, Specification
from fairlead.lang.csp.tables import Tables, load_tables


def parse_specification(source: Source) -> Specification:
    """The syntax tree of a whole model; raises `InputError` where the text is not CSP#."""
    try:
        return Specification(source, tuple(_parse(source, "specification")))
    except InputError as error:
        if error.diagnostics[0].code is Code.OTHER_MODULE:
            raise
        from fairlead.lang.csp.other_languages import explain_by_other_language  # rarely needed

        raise explain_by_other_language(source) or error from None


def parse_declarations(source: Source, start: int, end: int) -> tuple[Declaration, ...]:
    """The declarations in a part of a text; raises `InputError` where it is not CSP#."""
    return tuple(_parse(source, "specification", start, end))


def parse_expression(source: Source) -> Expression:
    """The syntax tree of a lone expression, such as `x[0] == 1`; raises `InputError`."""
    return _parse(source, "lone_expression")  # type: ignore[no-any-return]


def parse_assertion(source: Source) -> Property:
    """The syntax tree of what stands after `#assert`, with or without a final `;`; raises `InputError`."""
    return _parse(source, "lone_assertion")  # type: ignore[no-any-return]


def parse_process(text: str, code: Code, span: Span | None = None) -> Call:
    """The call that a text such as `Phil(1+1)` is; an `InputError` with this code if it is none."""
    try:
        return parse_assertion(Source("process", f"{text} deadlockfree")).process
    except InputError:
        message = f"'{text}' is not a process; write it as 'System()' or 'Phil(1)'"
        raise input_error(code, message, span) from None


def _parse(source: Source, start: str, first: int = 0, last: int | None = None) -> Any:
    lexed = lex(source, first, last)
    refuse_other_modules(lexed, start)
    tokens = assign_roles(lexed, start)
    result = _run(source, tokens, start)
    if not isinstance(result, Situation):
        return result
    raise explain_by_other_module(lexed, result.found) or complain(result)


@cache
def _builder_functions() -> list[Callable[..., Any] | None]:
    """For each rule of the grammar the function that makes its node."""
    return [getattr(Builder, rule.builder) if rule.builder else None for rule in load_tables().rules]


def _run(source: Source, tokens: list[Token], start: str) -> Any:
    """The value of the whole text, or the `Situation` in which a token was not expected."""
    tables, functions, builder = load_tables(), _builder_functions(), Builder(source)
    actions, gotos, rules = tables.actions, tables.gotos, tables.rules
    end_state = tables.ends[start]
    states = [tables.starts[start]]
    values: list[Any] = []
    starts: list[int] = []  # where the text of each value begins, brackets around it included
    ends: list[int] = []
    for index, token in enumerate(tokens):
        kind = token.kind
        while True:
            action = actions[states[-1]].get(kind)
            if action is None:
                if kind == END_OF_TEXT and states[-1] == end_state and len(states) == 2:
                    return values[0]
                return _situation(source, tokens, index, start, values)
            if action >= 0:
                states.append(action)
                values.append(token)
                starts.append(token.start)
                ends.append(token.end)
                break
            rule = rules[~action]
            function = functions[~action]
            size = rule.size
            if function is None:  # its only value is handed on
                states[-1] = gotos[states[-2]][rule.origin]
                continue
            if size:
                span = Span(source, starts[-size], ends[-1])
                value = function(builder, span, values[-size:])
                del states[-size:], values[-size:]
                del starts[len(starts) - size + 1 :], ends[-size:-1]
            else:
                # an empty part stands right before the next token, so that a span that begins or ends with
                # one is as wide as the rest
                value = function(builder, Span(source, token.start, token.start), [])
                starts.append(token.start)
                ends.append(ends[-1] if ends else token.start)
            values.append(value)
            states.append(gotos[states[-1]][rule.origin])
            if kind == END_OF_TEXT and states[-1] == end_state and len(states) == 2:
                return value
    raise AssertionError("the end of the text is accepted or refused above")


def _situation(source: Source, tokens: list[Token], index: int, start: str, values: list[Any]) -> Situation:
    """What could have stood in the place of a token.

    LALR(1) tables may reduce before they notice that a token is wrong, which forgets some of the kinds that
    could have followed; hence the states are computed again up to the token before.
    """
    tables = load_tables()
    states = [tables.starts[start]]
    for token in tokens[:index]:
        _advance(tables, states, token.kind)
    kinds = tables.actions[states[-1]]
    expected = frozenset(kind for kind in kinds if _advance(tables, states.copy(), kind))
    found = index
    while not tokens[found].text and tokens[found].kind != END_OF_TEXT:
        found += 1  # a token that roles.py put in is not in the user's text
    return Situation(source, tokens, found, expected, values)


def _advance(tables: Tables, states: list[int], kind: str) -> bool:
    """Bring the states of the parser past a token of some kind, if one can follow."""
    while True:
        action = tables.actions[states[-1]].get(kind)
        if action is None:
            return kind == END_OF_TEXT and len(states) == 2 and states[-1] in tables.ends.values()
        if action >= 0:
            states.append(action)
            return True
        rule = tables.rules[~action]
        if rule.size:
            del states[-rule.size :]
        states.append(tables.gotos[states[-1]][rule.origin])
