"""Holds a place among the tokens of a model, with the names that can be used there."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, Diagnostic, InputError, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.promela.lexing import EMBEDDED, END, KEYWORDS, NAME, Token
from fairlead.lang.promela.syntax import Struct, Variable

#: expressions and statements may be nested so deep
MOST_DEPTH = 150
#: after so many problems the rest is not read
MOST_PROBLEMS = 100


class Cursor:
    """Tokens, and where the parser is; what is declared so far."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.scopes: list[dict[str, Variable]] = [{}]
        self.structs: dict[str, Struct] = {}
        self.mtypes: dict[str, dict[str, int]] = {}
        self.problems: list[Diagnostic] = []
        #: in formulas, operators of LTL can be read
        self.reads_formulas = False

    # ------------------------------------------------------------ tokens

    @property
    def token(self) -> Token:
        """The token that is next."""
        return self.tokens[self.at]

    def peek(self, distance: int = 1) -> Token:
        """A token further on."""
        return self.tokens[min(self.at + distance, len(self.tokens) - 1)]

    def is_next(self, *texts: str) -> bool:
        """Whether one of these is next."""
        token = self.token
        return token.text in texts and token.kind not in ("string", END)

    def take(self) -> Token:
        """The next token, which is passed."""
        token = self.tokens[self.at]
        if token.kind is not END:
            self.at += 1
        return token

    def skip(self, text: str) -> bool:
        """Passes a token if it is next."""
        if self.is_next(text):
            self.at += 1
            return True
        return False

    def expect(self, text: str, where: str) -> Token:
        """Passes a token that must be next."""
        if not self.is_next(text):
            raise self.unexpected(f"'{text}' {where}")
        return self.take()

    def new_name(self, what: str) -> Token:
        """A name that is declared here."""
        token = self.token
        if token.kind != NAME or token.text in KEYWORDS:
            hint = f"'{token.text}' is a keyword" if token.text in KEYWORDS else None
            raise self.unexpected(what, hint)
        return self.take()

    def unexpected(self, expected: str, hint: str | None = None) -> InputError:
        """The error for a token that cannot stand where it does."""
        token = self.token
        if token.kind == EMBEDDED:
            return embedded(token)
        return input_error(Code.SYNTAX, f"expected {expected}, found {token.shown}", token.span, hint)

    def span_from(self, start: Token) -> Span:
        """The part of the text from a token up to the last one that was passed."""
        last = self.tokens[max(self.at - 1, 0)]
        if last.span.source is not start.span.source or last.span.end < start.span.start:
            return start.span
        return start.span.to(last.span)

    def closing(self, at: int) -> int:
        """The place of the brace that closes the one at a place; that of END if there is none."""
        depth = 0
        for number in range(at, len(self.tokens)):
            token = self.tokens[number]
            if token.kind == "operator":
                depth += (token.text == "{") - (token.text == "}")
                if depth == 0:
                    return number
        return len(self.tokens) - 1

    # ------------------------------------------------------------ names

    def declare(self, variable: Variable) -> None:
        """Makes a variable known in the innermost scope."""
        scope = self.scopes[-1]
        known = scope.get(variable.name)
        if known is not None:
            self.report(input_error(Code.NAME_CLASH, f"'{variable.name}' is declared twice", variable.span))
        elif any(variable.name in names for names in self.mtypes.values()):
            message = f"'{variable.name}' is the name of an mtype as well"
            self.report(input_error(Code.NAME_CLASH, message, variable.span))
        scope[variable.name] = variable

    def find(self, name: str) -> Variable | None:
        """The variable that a name means here."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def mtype(self, name: str) -> int | None:
        """The value of an mtype."""
        return next((names[name] for names in self.mtypes.values() if name in names), None)

    def unknown(self, token: Token) -> InputError:
        """The error for a name that means nothing here."""
        known = [*(name for scope in self.scopes for name in scope)]
        known += [name for names in self.mtypes.values() for name in names]
        return input_error(
            Code.UNKNOWN_NAME, f"'{token.text}' is not declared", token.span, nearest(token.text, known)
        )

    # ------------------------------------------------------------ problems

    def report(self, error: InputError) -> None:
        """Notes what is wrong; the rest of the text is read nevertheless."""
        self.problems += error.diagnostics
        if len(self.problems) > MOST_PROBLEMS:
            raise InputError(tuple(self.problems))

    def finish(self) -> None:
        """Raises everything that is wrong."""
        if self.problems:
            found = {(str(problem.span), problem.message): problem for problem in self.problems}
            raise InputError(tuple(found.values()))


def embedded(token: Token) -> InputError:
    """The error for embedded C."""
    return input_error(
        Code.UNSUPPORTED,
        f"embedded C ('{token.text}') is not supported",
        token.span,
        "write it in Promela: variables and assignments, and d_step for what is one step",
    )
