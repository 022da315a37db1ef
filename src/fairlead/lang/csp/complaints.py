"""Says in the user's words what the parser expected, what it found and what the slip may have been."""

from __future__ import annotations

from typing import Any

from fairlead.base.diagnostics import Code, InputError, Replacement, input_error, nearest
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import END_IN_WORDS
from fairlead.lang.csp import syntax
from fairlead.lang.csp.lexing import DIRECTIVES, END_OF_TEXT, KEYWORDS, OPERATORS, Token, end_in_words
from fairlead.lang.csp.roles import ASSERTION_WORDS, BINARY_OPERATORS

_LONGEST_QUOTE = 40
_LONGEST_LIST = 4
_SEMICOLON = "every declaration ends with ';'"


@dataclass(frozen=True)
class Situation:
    """Where the parser stopped: token `index` is none of the kinds it expected."""

    source: Source
    tokens: list[Token]
    index: int
    expected: frozenset[str]
    values: list[Any]

    @property
    def found(self) -> Token:
        """The token that was not expected."""
        return self.tokens[self.index]

    def before(self, distance: int = 1) -> Token | None:
        """The token so many places before the one found, not counting those that are not in the text."""
        index = self.index
        while distance and index > 0:
            index -= 1
            distance -= bool(self.tokens[index].text)
        return None if distance else self.tokens[index]


# fmt: off
_PROCESS_STARTS = {
    "ID", "SKIP", "STOP", "CASE", "IF", "IFA", "IFB", "ATOMIC", "ASSERT", "LPAR", "EVENTS_OPEN",
    "LBRACE", "LBRACK", "INTERLEAVE", "OROR", "CHOICE", "INTERNAL", "EXTERNAL", "TAU", "ANNOTATION",
}
_EXPRESSION_STARTS = {
    "ID", "INT", "TRUE", "FALSE", "LPAR", "BANG", "PLUS", "MINUS", "CALL", "NEW", "HASH", "OROR",
    "ANDAND", "XOR",
}
_OPERATORS = BINARY_OPERATORS | {"INCREMENT", "DECREMENT", "DOLLAR", "METHOD_DOT"}
_PROCESS_OPERATORS = {
    "INTERLEAVE", "OROR", "CHOICE", "INTERNAL", "EXTERNAL", "INTERRUPT", "BACKSLASH", "SEQ",
}
# a terminal that only this group has, the group, its name; tried in this order
_GROUPS = (
    ("ENUM", {"HASH", "VAR", "HVAR", "COUNTER", "CHANNEL", "ENUM", "ID", END_OF_TEXT}, "a declaration"),
    ("SKIP", _PROCESS_STARTS, "a process"),
    ("WHILE", _EXPRESSION_STARTS | {"VAR", "IF", "WHILE", "ASSERT", "LBRACE", "SEMI"}, "a statement"),
    ("CALL", _EXPRESSION_STARTS | {"IF", "PARAMETERS_OPEN"}, "an expression"),
    ("CHOICE", _PROCESS_OPERATORS, "an operator such as '[]'"),
    ("PERCENT", _OPERATORS, "an operator"),
)
# the terminals worth naming first, since the author hardly ever means the others
_USEFUL_FIRST = (
    "ARROW", "ASSIGN", "END", "SEMI", "COLON", "RPAR", "RBRACE", "RBRACK", "LBRACE", "COMMA", "AT",
    "ID", "INT", "STRING", "DOTDOT", "EQ", "DOT", "LPAR", "LBRACK", "BANG", "QUESTION",
)
# fmt: on
_NAMES = {kind: f"'{text}'" for text, kind in (OPERATORS | KEYWORDS).items()} | {
    "ID": "a name",
    "INT": "a number",
    "STRING": "a text in double quotes",
    "END": "';'",
    "SEQ": "';'",
    "METHOD_DOT": "'.'",
    "EVENTS_OPEN": "'('",
    "PARAMETERS_OPEN": "'('",
    "ANNOTATION": "a fairness annotation",
    "BRANCH": "the next condition",
    END_OF_TEXT: END_IN_WORDS,
}


def complain(situation: Situation) -> InputError:
    """The error to show for a token that was not expected."""
    found, before = situation.found, situation.before()
    span = Span(situation.source, found.start, found.end)
    if found.kind == END_OF_TEXT and before is not None:
        span = Span(situation.source, before.end, before.end)
    for special in (_unknown_directive, _assertion_word, _reserved_word, _method_of_event):
        complaint = special(situation)
        if complaint is not None:
            return input_error(Code.SYNTAX, complaint[0], span, complaint[1])
    shown = _quote_token(situation.source, found)
    message = f"expected {_expectation(situation)}{_place(situation)}, found {shown}"
    return input_error(Code.SYNTAX, message, span, _hint(situation))


def _quote_token(source: Source, token: Token) -> str:
    return end_in_words(source, token) if token.kind == END_OF_TEXT else _quote(token.text)


def _quote(text: str) -> str:
    return f"'{text}'" if len(text) <= _LONGEST_QUOTE else f"'{text[: _LONGEST_QUOTE - 3]}...'"


# ---------------------------------------------------------------- what was expected, and where


def _expectation(situation: Situation) -> str:
    if "END" in situation.expected and _begins_declaration(situation):
        return "';'"
    remaining = set(situation.expected)
    groups: list[str] = []
    for mark, members, name in _GROUPS:
        if mark in remaining:
            remaining -= members
            groups.append(name)
    if "END" in situation.expected:
        remaining.discard("SEQ")
    kinds = [kind for kind in _USEFUL_FIRST if kind in remaining]
    kinds += sorted(remaining.difference(_USEFUL_FIRST))
    if "END" in remaining and "ARROW" not in remaining:
        # a whole declaration is there, so continuing it is the least likely intent
        groups = [group for group in groups if not group.startswith("an operator")]
        kinds = [kind for kind in kinds if kind not in ("LPAR", "LBRACK", "DOT")]
    if "ARROW" in remaining:
        groups = [group for group in groups if group != "an operator"]
        if "END" not in remaining and "SEQ" not in situation.expected:
            kinds = [kind for kind in kinds if kind in ("ARROW", "LBRACE")]
    names = list(dict.fromkeys(_NAMES.get(kind, f"'{kind.lower()}'") for kind in kinds))
    names = names[: max(1, _LONGEST_LIST - len(groups))]
    # an operand is missing, a closing bracket comes after it
    operands = [group for group in groups if not group.startswith("an operator")]
    return _either(operands + names + [group for group in groups if group not in operands])


def _begins_declaration(situation: Situation) -> bool:
    """Whether what was found most likely begins the next declaration."""
    found = situation.found
    if found.kind in ("HASH", "VAR", "HVAR", "COUNTER", "CHANNEL", "ENUM", END_OF_TEXT):
        return True
    kinds = [token.kind for token in situation.tokens[situation.index : situation.index + 20]]
    if kinds[1:2] == ["LPAR"] and "RPAR" in kinds:
        del kinds[1 : kinds.index("RPAR") + 1]
    return kinds[:2] == ["ID", "ASSIGN"] or (found.text == "counter" and kinds[:2] == ["ID", "ID"])


def _either(names: list[str]) -> str:
    if len(names) <= 1:
        return "".join(names) or "nothing more"
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _place(situation: Situation) -> str:
    before = situation.before()
    if before is None:
        return ""
    if "ARROW" in situation.expected:
        for value in reversed(situation.values[-12:]):
            if isinstance(value, list) and value and isinstance(value[0], Token):
                return f" after event {_quote(situation.source.text[value[0].start : before.end])}"
            if isinstance(value, syntax.Event):
                return f" after event {_quote(situation.source.text[value.span.start : before.end])}"
            if isinstance(value, syntax.Channel):
                return f" after {_quote(situation.source.text[value.span.start : before.end])}"
            if isinstance(value, Token) and value.kind in ("ARROW", "SEQ", "ASSIGN"):
                break
    return f" after {_quote(before.text)}"


# ---------------------------------------------------------------- slips with a message of their own


def _unknown_directive(situation: Situation) -> tuple[str, str | None] | None:
    before, found = situation.before(), situation.found
    if before is None or before.kind != "HASH" or "DEFINE" not in situation.expected:
        return None
    known = ", ".join(f"#{word}" for word in sorted(DIRECTIVES))
    if found.kind == END_OF_TEXT:
        return f"expected one of {known}", None
    return f"'#{found.text}' is none of {known}", nearest(found.text, DIRECTIVES)


def _assertion_word(situation: Situation) -> tuple[str, str | None] | None:
    if "SIMPLE_QUESTION" not in situation.expected:
        return None
    found = situation.found
    words = ", ".join(f"'{word}'" for word in ASSERTION_WORDS)
    message = f"expected '|=', {words} after the process, found {_quote_token(situation.source, found)}"
    return message, nearest(found.text, ASSERTION_WORDS) if found.kind == "ID" else None


def _reserved_word(situation: Situation) -> tuple[str, str | None] | None:
    found = situation.found
    if "ID" not in situation.expected or KEYWORDS.get(found.text) != found.kind:
        return None
    if found.kind == "INIT":
        return "'init' labels the initial state and cannot be used as a name", None
    if "SKIP" in situation.expected or "CALL" in situation.expected or "ENUM" in situation.expected:
        return None
    return f"'{found.text}' is a keyword of CSP# and cannot be used as a name", None


def _method_of_event(situation: Situation) -> tuple[str, str | None] | None:
    if situation.found.kind != "METHOD_DOT" or "ARROW" not in situation.expected:
        return None
    message = f"'{situation.tokens[situation.index + 1].text}(...)' cannot be an argument of an event"
    return message, "an argument is an expression such as e.1, e.x or e.(x + 1)"


# ---------------------------------------------------------------- hints


def _hint(situation: Situation) -> str | None:
    found, expected = situation.found, situation.expected
    before, earlier = situation.before(), situation.before(2)
    if found.kind == "BECOMES":
        return Replacement("CSP# writes '=' for ':='", ":=", "=")
    if found.kind == "ASSIGN":
        if earlier is not None and earlier.kind == "DEFINE" and before is not None:
            return f"write '#define {before.text} value;', without '='"
        if "EQ" in expected:
            return Replacement("to compare, write '=='", "=", "==")
    if found.kind == "EQ" and "ASSIGN" in expected:
        return Replacement("a definition or an assignment has a single '='", "==", "=")
    if found.kind in BINARY_OPERATORS and {"ARROW", "DOT", "PERCENT"} <= expected:
        return "put parentheses around this argument of the event"
    if expected == {"LBRACE"} and before is not None and before.kind in ("RPAR", "ELSE"):
        return "the branches of a process 'if' are written in braces"
    return _hint_at_habit(situation) or _hint_at_missing_semicolon(situation)


_TYPES = {"int", "bool", "boolean", "byte", "string", "float", "double"}


def _hint_at_habit(situation: Situation) -> str | None:
    """What CSP# has in the place of something that other languages, or PAT's other versions, have."""
    before, found, expected = situation.before(), situation.found, situation.expected
    if before is None:
        return None
    in_program = "PERCENT" in expected or "CALL" in expected
    adjacent = found.start == before.end
    if found.kind == "ASSIGN" and before.kind in ("PLUS", "MINUS", "STAR", "SLASH") and adjacent:
        return f"there is no '{before.text}='; write 'x = x {before.text} ...'"
    if found.kind in ("INCREMENT", "DECREMENT") and in_program:
        return f"'{found.text}' is written after the variable"
    if found.kind == "LT" and (before.kind == "LT" or "CHOICE" in expected):
        return "there are no shifts; a process 'P <<b>> Q' of PAT 2 is written 'if (b) { Q } else { P }'"
    if found.kind == "QUESTION" and in_program:
        return "there is no '?:'; write 'if (b) { ... } else { ... }'"
    if found.kind == "LPAR" and before.text in ("for", "foreach", "switch"):
        return f"there is no '{before.text}'; programs have 'while' and 'if', processes 'case'"
    if found.kind == "ID" and before.text in _TYPES:
        return "variables have no types: 'var x = 0;'; parameters are names"
    if found.kind == "ID" and before.kind == "ASSERT" and "LPAR" in expected:
        return "an assertion about a process begins with '#assert'"
    if found.kind == "COMMA" and "END" in expected:
        return "every declaration stands alone: 'var x; var y;'"
    if found.kind in ("LBRACK", "DOT") and expected == {"ASSIGN", "LPAR"}:
        return "the parameters of a process are written in parentheses: 'P(i) = ...'"
    if found.kind == "END" and "PERCENT" not in expected and {"CALL", "LBRACK"} <= expected:
        return "a channel is declared with the size of its buffer, 0 for none: 'channel c 0;'"
    return None


def _hint_at_missing_semicolon(situation: Situation) -> str | None:
    before, found = situation.before(), situation.found
    if "END" not in situation.expected or before is None:
        return None
    if found.kind == END_OF_TEXT:
        return Replacement(_SEMICOLON, "", ";", before.end)
    if _begins_declaration(situation):
        return Replacement(f"{_SEMICOLON}; it may be missing before this one", "", ";", before.end)
    return None
