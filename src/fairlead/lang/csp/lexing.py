"""Divides the text of a CSP# model into tokens with matched brackets.

A token's kind here depends on its own text only. Where the grammar needs more (is this `;` the end of a
definition?), `roles` decides afterwards.
"""

from __future__ import annotations

import re

from fairlead.base.diagnostics import Code, InputError, Related, Replacement, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Source
from fairlead.lang import complaints
from fairlead.lang.complaints import END_IN_WORDS, number_too_large
from fairlead.model.types import INT_MAX

END_OF_TEXT = "$END"

# fmt: off
KEYWORDS = {
    word: word.upper()
    for word in (
        "assert", "if", "ifa", "ifb", "else", "case", "default", "while", "true", "false", "channel", "var",
        "hvar", "init", "call", "tau", "enum", "interrupt", "atomic", "new", "Skip", "Stop", "xor",
    )
}
# fmt: on

OPERATORS = {
    "|||": "INTERLEAVE",
    "->>": "TIMED_ARROW",
    "[*]": "EXTERNAL",
    "[]": "CHOICE",
    "<>": "INTERNAL",
    "||": "OROR",
    "|=": "SATISFIES",
    "&&": "ANDAND",
    "->": "ARROW",
    "..": "DOTDOT",
    "++": "INCREMENT",
    "--": "DECREMENT",
    "==": "EQ",
    "!=": "NE",
    "<=": "LE",
    ">=": "GE",
    ":=": "BECOMES",
    "<": "LT",
    ">": "GT",
    "+": "PLUS",
    "-": "MINUS",
    "*": "STAR",
    "/": "SLASH",
    "%": "PERCENT",
    "&": "AMP",
    "|": "BAR",
    "^": "CARET",
    "!": "BANG",
    "?": "QUESTION",
    "=": "ASSIGN",
    ".": "DOT",
    ",": "COMMA",
    ":": "COLON",
    ";": "SEMI",
    "@": "AT",
    "$": "DOLLAR",
    "#": "HASH",
    "\\": "BACKSLASH",
    "(": "LPAR",
    ")": "RPAR",
    "{": "LBRACE",
    "}": "RBRACE",
    "[": "LBRACK",
    "]": "RBRACK",
}

# characters that word processors and papers have in the place of those of CSP#
_LOOK_ALIKES = {
    "\u201c": '"', "\u201d": '"', "\u2192": "->", "\u2013": "-", "\u2014": "--", "\u2212": "-",
    "\u2260": "!=", "\u2264": "<=", "\u2265": ">=", "\u2227": "&&", "\u2228": "||", "\u00ac": "!",
    "\u25a1": "[]", "\u25c7": "<>", "\u03c4": "tau", "\uff1b": ";", "\uff0c": ",", "\uff08": "(",
    "\uff09": ")", "\uff1d": "=",
}  # fmt: skip

CLOSING = {"LPAR": "RPAR", "LBRACE": "RBRACE", "LBRACK": "RBRACK"}
DIRECTIVES = {"import", "include", "define", "alphabet", "assert"}

_COMMENT = r"//[^\r\n]*|/\*[\s\S]*?\*/"
_PATTERN = re.compile(
    rf"(?P<BLANK>\s+|{_COMMENT})"
    r"|(?P<NAME>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<INT>[0-9]+)"
    r'|(?P<STRING>"[^"\r\n]*")'
    r"|(?P<OPEN_COMMENT>/\*)"
    rf"|(?P<OPERATOR>{'|'.join(map(re.escape, OPERATORS))})"
)
# what matters in a formula: what hides a `;` (strings, comments, brackets), what ends it, and everything else
_FORMULA_PATTERN = re.compile(
    rf"(?P<BLANK>\s+|{_COMMENT})"
    r'|(?P<STRING>"[^"\r\n]*")'
    r"|(?P<OPEN_COMMENT>/\*)"
    r"|(?P<OPEN>[(\[{])|(?P<CLOSE>[)\]}])|(?P<END>;)"
    r"|(?P<DIRECTIVE>#\s*(?:import|include|define|alphabet|assert)\b|\|=)"
    r"|(?P<OTHER>[^\s;()\[\]{}])"
)


@dataclass(slots=True)
class Token:
    """A piece of the text with the name of its terminal in the grammar."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Lexed:
    """The tokens of a text, the last of which is the end of the text, and how their brackets match.

    `partner[i]` is the index of the bracket that matches token i, or -1; `parent[i]` is the index of the
    innermost open bracket around token i, or -1 at the top.
    """

    source: Source
    tokens: list[Token]
    partner: list[int]
    parent: list[int]

    def kind(self, index: int) -> str:
        """The kind of a token, and the end of the text beyond either end."""
        return self.tokens[index].kind if 0 <= index < len(self.tokens) else END_OF_TEXT

    def text(self, index: int) -> str:
        """The text of a token, and nothing beyond either end."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def after(self, index: int) -> int:
        """The index of the token after the bracket that closes token `index`."""
        return self.partner[index] + 1


def lex(source: Source, start: int = 0, end: int | None = None) -> Lexed:
    """The tokens of a text, or of a part of it.

    An `InputError` where it is not made of tokens or a bracket has no partner.
    """
    return _match_brackets(source, _scan(source, start, len(source.text) if end is None else end))


def _scan(source: Source, start: int, end: int) -> list[Token]:
    text = source.text
    position = 1 if start == 0 and text.startswith("\ufeff") else start
    tokens: list[Token] = []
    while position < end:
        match = _PATTERN.match(text, position, end)
        if match is None or match.lastgroup == "OPEN_COMMENT":
            raise _not_a_token(source, position)
        start, position = position, match.end()
        group, word = match.lastgroup, match.group()
        if group == "BLANK":
            continue
        if group == "NAME":
            kind = KEYWORDS.get(word, "ID")
        elif group == "OPERATOR":
            kind = OPERATORS[word]
        else:
            kind = str(group)
            if kind == "INT":
                _check_size(source, word, start)
        tokens.append(Token(kind, word, start, position))
        if kind == "SATISFIES":
            formula, position = _scan_formula(source, position, end)
            tokens.append(formula)
    tokens.append(Token(END_OF_TEXT, "", end, end))
    return tokens


def _check_size(source: Source, digits: str, start: int) -> None:
    significant = digits.lstrip("0") or "0"
    if len(significant) <= len(str(INT_MAX)) and int(significant) <= INT_MAX:
        return
    raise number_too_large(digits, source.span(start, start + len(digits)))


def _not_a_token(source: Source, position: int) -> InputError:
    if source.text.startswith("/*", position):
        return complaints.comment_not_closed(source.span(position, position + 2))
    meant = _LOOK_ALIKES.get(source.text[position])
    hint = None if meant is None else Replacement(f"write '{meant}'", source.text[position], meant)
    return complaints.not_a_token(source, position, "CSP#", hint)


def _scan_formula(source: Source, position: int, text_end: int) -> tuple[Token, int]:
    """The formula after `|=` as one token, and where it ends.

    It ends at the first `;` outside of strings, comments and brackets. Where brackets do not close, it ends
    at the first `;` at all, so that the mistake stays in its own line; where a new directive begins or
    another `|=` stands, a `;` was forgotten. Blanks and comments around it are left out.
    """
    text = source.text
    start = end = first_semicolon = -1
    end_before_semicolon = depth = 0
    while position < text_end:
        match = _FORMULA_PATTERN.match(text, position, text_end)
        assert match is not None, "the pattern takes any character"
        group = match.lastgroup
        if group == "OPEN_COMMENT":
            raise _not_a_token(source, position)
        if group == "DIRECTIVE" or (group == "END" and depth <= 0):
            break
        if group == "END" and first_semicolon < 0:
            first_semicolon, end_before_semicolon = position, end
        depth += (group == "OPEN") - (group == "CLOSE")
        position = match.end()
        if group != "BLANK":
            start, end = (match.start() if start < 0 else start), position
    if depth > 0 and first_semicolon >= 0:
        position, end = first_semicolon, end_before_semicolon
    if start < 0 or end <= start:
        raise input_error(
            Code.SYNTAX,
            "expected a formula after '|='",
            source.span(position, min(position + 1, text_end)),
            "for example: #assert P() |= []<> a;",
        )
    return Token("FORMULA", text[start:end], start, end), position


def _match_brackets(source: Source, tokens: list[Token]) -> Lexed:
    partner = [-1] * len(tokens)
    parent = [-1] * len(tokens)
    open_brackets: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind in CLOSING:
            parent[index] = open_brackets[-1] if open_brackets else -1
            open_brackets.append(index)
            continue
        if token.kind in ("RPAR", "RBRACE", "RBRACK"):
            if not open_brackets:
                span = source.span(token.start, token.end)
                raise input_error(Code.SYNTAX, f"'{token.text}' closes a bracket that was never opened", span)
            opening = open_brackets.pop()
            if CLOSING[tokens[opening].kind] != token.kind:
                raise _not_closed(source, tokens[opening], token)
            partner[opening], partner[index] = index, opening
        parent[index] = open_brackets[-1] if open_brackets else -1
    if open_brackets:
        opening = open_brackets[-1]
        raise _not_closed(source, tokens[opening], _where_noticed(tokens, opening))
    return Lexed(source, tokens, partner, parent)


def _where_noticed(tokens: list[Token], opening: int) -> Token:
    """The first token that cannot be inside the bracket, because it begins a declaration."""
    for index in range(opening + 1, len(tokens) - 1):
        kind, following = tokens[index].kind, tokens[index + 1].text
        if kind in ("CHANNEL", "HVAR", "ENUM") or (kind == "HASH" and following in DIRECTIVES):
            return tokens[index]
    return tokens[-1]


def end_in_words(source: Source, end: Token) -> str:
    """The end of the text, or of a declaration that is read by itself."""
    return END_IN_WORDS if end.start >= len(source.text) else "the next declaration"


def _not_closed(source: Source, opening: Token, found: Token) -> InputError:
    closing = {"LPAR": ")", "LBRACE": "}", "LBRACK": "]"}[opening.kind]
    what = end_in_words(source, found) if found.kind == END_OF_TEXT else f"'{found.text}'"
    related = Related(f"this '{opening.text}' is not closed", source.span(opening.start, opening.end))
    message = f"expected '{closing}' before {what}"
    return input_error(Code.SYNTAX, message, source.span(found.start, found.end), related=(related,))
