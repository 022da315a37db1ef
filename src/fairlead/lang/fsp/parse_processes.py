"""Parses the definitions of primitive processes of FSP."""

from __future__ import annotations

from typing import assert_never

from fairlead.base.diagnostics import InputError
from fairlead.base.source import Span
from fairlead.lang.fsp.cursor import Cursor
from fairlead.lang.fsp.lexing import END_OF_TEXT, LOWER, RESERVED, UPPER, Token
from fairlead.lang.fsp.parse_labels import (
    EACH_ONCE,
    LOWER_CASE_ACTION,
    arguments,
    expression,
    label,
    label_set,
    parameters,
    process_name_hint,
    relabellings,
    reserved_word_hint,
)
from fairlead.lang.fsp.syntax import (
    Branch,
    Choice,
    Conditional,
    Continue,
    Expression,
    Hiding,
    Index,
    Label,
    LabelPart,
    LabelValue,
    LocalDefinition,
    LocalProcess,
    Modifiers,
    Name,
    NamePart,
    ProcessDefinition,
    ProcessReference,
    SetName,
    SetPart,
)

#: words that begin definitions
DEFINING = frozenset((
    "const", "range", "set", "progress", "menu", "animation", "import", "fluent", "assert", "constraint",
    "deterministic", "minimal", "compose", "property",
))  # fmt: skip


def process_definition(at: Cursor, modifiers: Modifiers) -> ProcessDefinition:
    """`P(N = 1) = …, Q[i:R] = … + S / { … } \\ S.`, after the modifiers."""
    name = at.expect(UPPER)
    defaults = parameters(at)
    is_accepting = at.accept("@")
    if at.kind in ("[", "."):
        hint = f"the process itself has no index: '{name.text} = {name.text}[0], {name.text}[i:0..2] = ...'"
        raise at.unexpected("'='", hint=hint)
    at.expect("=", hint=_hint_at_definition(at, name))
    body = _local_process(at)
    found = [LocalDefinition(name.text, (), is_accepting, body, at.span_of(name))]
    while at.accept(","):
        found.append(_local_definition(at))
    extension = label_set(at) if at.accept("+") else None
    relabelling = relabellings(at) if at.accept("/") else ()
    hides = hiding(at)
    if at.kind != ".":
        raise _not_ended(at, name)
    at.advance()
    span = at.span_of(name)
    return ProcessDefinition(
        name.text, modifiers, defaults, tuple(found), extension, relabelling, hides, span
    )


def hiding(at: Cursor) -> Hiding | None:
    """`\\ S` or `@ S`, or nothing."""
    if at.kind not in ("\\", "@"):
        return None
    exposes = at.advance().kind == "@"
    return Hiding(exposes, label_set(at))


def begins_definition(at: Cursor) -> bool:
    """Whether what comes next most likely is the next definition."""
    if at.kind in DEFINING or at.kind == END_OF_TEXT or at.begins_composite():
        return True
    if at.kind != UPPER:
        return False
    following = at.peek()
    return (
        following == "="
        or (following == "@" and at.peek(2) == "=")
        or (following == "(" and at.peek(3) == "=")
    )


# ---------------------------------------------------------------- local definitions


def _local_definition(at: Cursor) -> LocalDefinition:
    name = at.token
    if name.kind != UPPER:
        hint = None
        if name.kind == LOWER:
            hint = process_name_hint(name.text)
        elif begins_definition(at):
            hint = "the last local process ends with '.', not with ','"
        raise at.unexpected("a local process", hint=hint)
    at.advance()
    is_accepting = at.accept("@")
    indices: tuple[Index, ...] = ()
    if at.kind in (".", "["):
        at.accept(".")
        label_of_indices = label(at)
        indices = tuple(_as_index(at, part, label_of_indices.span) for part in label_of_indices.parts)
    hint = "local processes have no parameters, but indices: 'Q[i:0..2] = ...'" if at.kind == "(" else None
    at.expect("=", hint=hint)
    return LocalDefinition(name.text, indices, is_accepting, _local_process(at), at.span_of(name))


def _as_index(at: Cursor, part: LabelPart, span: Span) -> Index:
    """`Q.red` is `Q['red]`, and `Q.{red,blue}` is `Q[{red,blue}]`."""
    match part:
        case Index():
            return part
        case NamePart():
            return Index(None, LabelValue(Label((part,), span), span), span)
        case SetPart(labels, None):
            domain = Name(labels.name, labels.span) if isinstance(labels, SetName) else labels
            return Index(None, domain, span)
        case SetPart():
            raise at.problem("the index of a process is a range or a set, not a difference of sets", span)
    assert_never(part)


# ---------------------------------------------------------------- what a process does


def _local_process(at: Cursor) -> LocalProcess:
    if at.kind == "(":
        return _choice(at)
    if at.kind == "if":
        return _conditional(at)
    if at.kind == UPPER:
        return _continue(at)
    raise at.unexpected("a process", hint=_hint_at_process(at))


def _conditional(at: Cursor) -> LocalProcess:
    """A chain of `else if` is read in a loop, since generated ones are long."""
    chain: list[tuple[Expression, LocalProcess]] = []
    otherwise: LocalProcess | None = None
    while at.accept("if"):
        condition = expression(at)
        at.expect("then")
        chain.append((condition, _local_process(at)))
        if not at.accept("else"):
            break
        if at.kind != "if":
            otherwise = _local_process(at)
    for condition, then in reversed(chain):
        otherwise = Conditional(condition, then, otherwise)
    assert otherwise is not None, "the chain has one condition at least"
    return otherwise


def _choice(at: Cursor) -> Choice:
    opening = at.advance()
    branches = [_branch(at)]
    while at.accept("|"):
        branches.append(_branch(at))
    if at.kind != ")":
        raise at.not_closed(opening, "'|' or ')'", _hint_in_choice(at))
    at.advance()
    return Choice(tuple(branches))


def _branch(at: Cursor) -> Branch:
    start = at.token.start
    guard = expression(at) if at.accept("when") else None
    if at.kind == UPPER and not at.label_before("->"):
        raise at.unexpected("an action", hint=_hint_at_branch(at))
    labels = [label(at)]
    _arrow(at, labels[0])
    span = labels[0].span
    while at.label_before("->"):
        labels.append(label(at))
        _arrow(at, labels[-1])
        span = labels[-1].span
    span = at.source.span(start, span.end)
    return Branch(guard, tuple(labels), _local_process(at), span)


def _arrow(at: Cursor, after: Label) -> None:
    if at.accept("->"):
        return
    hint = None
    if at.kind in (")", "|", ",", "."):
        hint = "a branch ends with a process, whose name begins with an upper-case letter, such as P or STOP"
    elif at.kind == "[]":
        hint = "an index has a value: 'a[1]'"
    elif at.kind in ("{", LOWER):
        hint = "two actions have '->' between them"
    elif at.kind in (":", "::"):
        hint = "processes are prefixed in compositions: '||S = (a:P || b:P).'"
    elif at.kind == ";":
        hint = "actions have '->' between them; ';' is between processes"
    raise at.unexpected("'->'", f"after action '{after.span.text}'", hint)


def _continue(at: Cursor) -> Continue:
    start = at.token.start
    before: list[ProcessReference] = []
    while True:
        name = at.expect(UPPER, hint="after ';' comes a process")
        if at.kind == "(":
            opening = at.token
            values = arguments(at)
            if at.kind != ";":
                hint = f"continue as an ended process: '{name.text}{at.span_from(opening.start).text};END'"
                span = at.span_from(opening.start)
                message = f"'{name.text}' can have arguments only before a ';'"
                raise at.problem(message, span, hint)
            before.append(ProcessReference(name.text, values, at.span_from(name.start)))
            at.advance()
        elif at.kind == ";":
            before.append(ProcessReference(name.text, (), at.span_of(name)))
            at.advance()
        else:
            break
    indices = []
    while at.kind == "[":
        opening = at.advance()
        indices.append(expression(at))
        is_domain = at.kind in ("..", ":")
        at.close(opening, "]", hint="a reference has one value for each index" if is_domain else None)
    return Continue(tuple(before), name.text, tuple(indices), at.span_from(start))


# ---------------------------------------------------------------- slips

_ORDER = f"after a process come '+{{...}}', then '/{{...}}', then '\\{{...}}' or '@{{...}}', {EACH_ONCE}"
_PARENTHESES = "actions are written in parentheses: '(a -> P)'"
_BARS = "a composition has '||' before its name"
_COMPOSITION = f"{_BARS}: '||S = (P || Q).'"


def _not_ended(at: Cursor, name: Token) -> InputError:
    where = f"at the end of process '{name.text}'"
    hint = None
    if begins_definition(at):
        hint = "the definition of a process ends with '.'"
    elif at.kind in ("+", "/", "\\", "@"):
        hint = _ORDER
        if at.kind == "/" and at.before is not None and _relabelled_before(at):
            hint = "a process is relabelled once: put both lists into one, '/{a/b, c/d}'"
    elif at.kind == "->":
        hint = _PARENTHESES
    elif at.kind == "||":
        hint = f"{_BARS}: '||{name.text} = ...'"
    elif at.kind == "|":
        hint = "a choice is written in parentheses: '(a -> P | b -> Q)'"
    elif at.kind == "(":
        hint = (
            "a process that a branch continues with has no parentheses; arguments are written before ';' only"
        )
    elif at.kind in (":", "::"):
        hint = f"prefixes are for compositions: '||{name.text} = a:P.'"
    elif at.kind == ";":
        hint = "a definition ends with '.'; what comes before a ';' is a process without an index"
    return at.unexpected("'.'", where, hint)


def _relabelled_before(at: Cursor) -> bool:
    """Whether the brackets just closed are those of a relabelling."""
    depth, index = 0, at.index - 1
    while index > 0:
        kind = at.kind_at(index)
        depth += (kind == "}") - (kind == "{")
        if depth == 0:
            break
        index -= 1
    return at.kind_at(index - 1) == "/"


def _hint_at_definition(at: Cursor, name: Token) -> str | None:
    if at.kind == ":":
        return "a definition has '=' after its name"
    if at.kind == "==":
        return "a definition has a single '='"
    if at.kind == "->":
        return f"'{name.text}' is not an action: {LOWER_CASE_ACTION}"
    return None


def _hint_at_process(at: Cursor) -> str | None:
    before = at.before
    if at.kind == LOWER and before is not None and before.kind == "=":
        if at.kind_at(at.after_label()) == "->":
            return _PARENTHESES
        return process_name_hint(at.token.text)
    if at.kind == LOWER and before is not None and before.kind in ("then", "else"):
        return _PARENTHESES
    if at.kind in (")", "|", "."):
        return "a process such as P or STOP comes here"
    if at.kind == "when":
        return "a guard comes first in a branch, before its actions, and branches are in parentheses"
    if at.kind in RESERVED:
        return reserved_word_hint(at.token.text)
    if at.kind == "||":
        return _COMPOSITION
    return None


def _hint_in_choice(at: Cursor) -> str | None:
    if at.kind == "||":
        return "a choice is written '|'; '||' is the composition of processes"
    if at.kind == "->":
        return LOWER_CASE_ACTION
    if at.kind in (LOWER, "when", "{"):
        return "branches have '|' between them"
    if at.kind in ("\\", "/", "@", "+"):
        return f"{_ORDER}; they are for the whole process, not for a branch"
    if at.kind == ",":
        return "local processes come after the parentheses"
    if at.kind == ";":
        return "a process before ';' has no index"
    return None


def _hint_at_branch(at: Cursor) -> str:
    following = at.kind_at(at.after_label())
    if following in ("||", ":", "::", "/"):
        return _COMPOSITION
    return f"'{at.token.text}' is a process; a branch is an action, '->' and a process"
