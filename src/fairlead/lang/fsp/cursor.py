"""A place among the tokens of an FSP text, from which the parser reads on."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, InputError, Related, input_error
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import END_IN_WORDS
from fairlead.lang.fsp.lexing import END_OF_TEXT, LOWER, RESERVED, UPPER, Token

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LONGEST_QUOTE = 40
_KINDS_IN_WORDS = {UPPER: "a name that begins with an upper-case letter", LOWER: "a lower-case name"}


class Cursor:
    """Where the parser is. `sets` are the names of all sets of the text, if the text declares its sets."""

    __slots__ = ("index", "kind", "sets", "source", "tokens")

    def __init__(self, source: Source, tokens: list[Token], sets: frozenset[str] | None) -> None:
        self.source = source
        self.tokens = tokens
        self.sets = sets
        self.index = 0
        self.kind = tokens[0].kind

    # ------------------------------------------------------------ reading

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.index]

    @property
    def before(self) -> Token | None:
        """The token just read."""
        return self.tokens[self.index - 1] if self.index else None

    def advance(self) -> Token:
        """Reads a token; the end of the text is not read in this way."""
        token = self.tokens[self.index]
        self.index += 1
        self.kind = self.tokens[self.index].kind
        return token

    def accept(self, kind: str) -> bool:
        """Reads a token of a kind, if one is there."""
        if self.kind != kind:
            return False
        self.advance()
        return True

    def expect(self, kind: str, where: str = "", hint: str | None = None) -> Token:
        """Reads a token of a kind; an `InputError` with a hint, if something else is there."""
        if self.kind != kind:
            raise self.unexpected(_KINDS_IN_WORDS.get(kind, f"'{kind}'"), where, hint)
        return self.advance()

    def close(self, opening: Token, kind: str, or_else: str = "", hint: str | None = None) -> Token:
        """Reads the bracket that closes `opening`; `or_else` says what could stand there besides."""
        if self.kind != kind:
            raise self.not_closed(opening, f"{or_else}'{kind}'", hint)
        return self.advance()

    # ------------------------------------------------------------ looking ahead

    def kind_at(self, index: int) -> str:
        """The kind of the token at an index; the end of the text beyond it."""
        return self.tokens[index].kind if index < len(self.tokens) else END_OF_TEXT

    def peek(self, distance: int = 1) -> str:
        """The kind of the token so many places after the next one."""
        return self.kind_at(self.index + distance)

    def after_group(self, index: int) -> int:
        """The index after the bracket that closes the one at `index`."""
        depth = 0
        while index < len(self.tokens):
            kind = self.tokens[index].kind
            depth += (kind in _CLOSING) - (kind in ")]}")
            index += 1
            if depth <= 0:
                break
        return index

    def after_label(self) -> int:
        """The index after the tokens that can be a label, whatever is between their brackets."""
        index = self.index
        while True:
            kind = self.kind_at(index)
            if kind in (UPPER, LOWER):
                index += 1
            elif kind in ("{", "["):
                index = self.after_group(index)
            else:
                return index
            if kind in (UPPER, "{") and self.kind_at(index) == "\\":
                index += 1
                index = self.after_group(index) if self.kind_at(index) == "{" else index + 1
            if self.kind_at(index) == ".":
                index += 1
            elif self.kind_at(index) != "[":
                return index

    def label_before(self, *kinds: str) -> bool:
        """Whether a label and then one of these kinds of tokens come next.

        An upper-case name alone may be a set, hence a label, or a process: what comes after it decides.
        """
        if self.kind in (LOWER, "{", "["):
            return True
        return self.kind == UPPER and self.kind_at(self.after_label()) in kinds

    def begins_composite(self) -> bool:
        """Whether `||` here begins the definition of a composite, not another operand."""
        if self.kind != "||" or self.peek() != UPPER:
            return False
        return self.peek(2) == "=" or (self.peek(2) == "(" and self.peek(3) == UPPER and self.peek(4) == "=")

    # ------------------------------------------------------------ places and problems

    def span_of(self, token: Token) -> Span:
        """The place of a token."""
        return self.source.span(token.start, token.end)

    def span_from(self, start: int) -> Span:
        """From an offset to the end of the token just read."""
        return self.source.span(start, self.tokens[self.index - 1].end)

    def found(self) -> str:
        """The next token in words."""
        token = self.token
        if token.kind == END_OF_TEXT:
            return END_IN_WORDS
        return f"the reserved word '{token.text}'" if token.kind in RESERVED else _quote(token.text)

    def unexpected(
        self, wanted: str, where: str = "", hint: str | None = None, related: tuple[Related, ...] = ()
    ) -> InputError:
        """The error to show where something else than the next token was wanted."""
        if not where and self.index:
            where = f"after {_quote(self.tokens[self.index - 1].text)}"
        message = f"expected {wanted}{' ' if where else ''}{where}, found {self.found()}"
        return input_error(Code.SYNTAX, message, self.span_of(self.token), hint, related)

    def not_closed(self, opening: Token, wanted: str, hint: str | None) -> InputError:
        """The error to show where a bracket should be closed, or something else be."""
        if hint is not None:  # then the slip is known, and it is not the bracket
            return self.unexpected(wanted, hint=hint)
        related = Related(f"this '{opening.text}' is not closed", self.span_of(opening))
        return self.unexpected(wanted, related=(related,))

    def problem(self, message: str, span: Span | None = None, hint: str | None = None) -> InputError:
        """The error to show at a place, or at the next token."""
        return input_error(Code.SYNTAX, message, span or self.span_of(self.token), hint)


def _quote(text: str) -> str:
    return f"'{text}'" if len(text) <= _LONGEST_QUOTE else f"'{text[: _LONGEST_QUOTE - 3]}...'"
