"""Preprocesses a model: `#define`, `#include` and conditions, as `cpp` does them for SPIN."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fairlead.base.allowance import check_limits
from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    LimitReached,
    input_error,
)
from fairlead.base.files import read_text
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.lang.included_files import included_file
from fairlead.lang.promela.lexing import (
    END,
    NAME,
    NEWLINE,
    NUMBER,
    OPERATOR,
    STRING,
    Token,
    complain,
    tokens_of,
)

#: a text that becomes longer than this is taken for one that doubles
MOST_TOKENS = 1_000_000
#: files may include files so deep
MOST_NESTED = 40


@dataclass(frozen=True)
class Macro:
    """What a name is replaced by; `parameters` are None if it takes none."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


def preprocessed(source: Source, definitions: Mapping[str, str]) -> list[Token]:
    """The tokens of a text after all directives, without line ends; END is the last."""
    return Preprocessor(definitions).run(source)


class Preprocessor:
    """Reads texts line by line; the macros stay known, for formulas that are read later."""

    def __init__(self, definitions: Mapping[str, str]) -> None:
        self.macros: dict[str, Macro] = {}
        self._count = 0
        self._main = Path()
        for name, value in definitions.items():
            body = [token for token in tokens_of(Source(f"-D {name}", value)) if token.kind is not END]
            self.macros[name] = Macro(name, None, tuple(body))

    def run(self, source: Source) -> list[Token]:
        """The tokens of a text, with END."""
        self._main = Path(source.name).resolve()
        found: list[Token] = []
        self._read(source, found, 0)
        found.append(Token(END, "", source.span(len(source.text), len(source.text))))
        return found

    # ------------------------------------------------------------ lines

    def _read(self, source: Source, out: list[Token], depth: int) -> None:
        lines = _lines(source)
        # for each open condition: whether its part is read, whether one was, and where it begins
        open_parts: list[tuple[bool, bool, Span]] = []
        number = 0
        while number < len(lines):
            line = lines[number]
            number += 1
            is_read = all(part[0] for part in open_parts)
            if line and line[0].text == "#" and line[0].kind == OPERATOR:
                word = line[1].text if len(line) > 1 else ""
                if word in ("if", "ifdef", "ifndef"):
                    holds = is_read and self._holds(word, line)
                    open_parts.append((holds, holds or not is_read, line[0].span))
                elif word in ("elif", "else", "endif"):
                    self._continue(word, line, open_parts)
                elif is_read:
                    self._directive(word, line, out, depth)
                continue
            if not is_read:
                continue
            joined = list(line)
            # the arguments of a macro may continue in the next lines
            while number < len(lines) and self._is_open(joined) and not _is_directive(lines[number]):
                joined += lines[number]
                number += 1
            self._expand(joined, frozenset(), out)
        if open_parts:
            raise input_error(Code.SYNTAX, "this condition has no #endif", open_parts[-1][2])

    def _continue(self, word: str, line: list[Token], parts: list[tuple[bool, bool, Span]]) -> None:
        if not parts:
            raise input_error(Code.SYNTAX, f"there is no #if for this #{word}", line[0].span)
        _, was_read, span = parts.pop()
        if word == "endif":
            return
        is_outer_read = all(part[0] for part in parts)
        holds = is_outer_read and not was_read and (word == "else" or self._holds("if", line))
        parts.append((holds, was_read or holds, span))

    def _directive(self, word: str, line: list[Token], out: list[Token], depth: int) -> None:
        if word == "define":
            self._define(line)
        elif word == "undef":
            self.macros.pop(_name(line, 2).text, None)
        elif word == "include":
            self._include(line, out, depth)
        elif word == "error":
            text = " ".join(token.text for token in line[2:])
            raise input_error(Code.SYNTAX, f"#error {text}", line[0].span)
        elif word not in ("pragma", "line", "ident", "") and not word.isdigit():
            known = "known are #define, #undef, #include, #if, #ifdef, #ifndef, #elif, #else and #endif"
            raise input_error(Code.SYNTAX, f"unknown directive '#{word}'", line[0].span, known)

    def _define(self, line: list[Token]) -> None:
        name = _name(line, 2)
        rest, parameters = line[3:], None
        if rest and rest[0].text == "(" and not rest[0].is_apart:
            names: list[str] = []
            at = 1
            while at < len(rest) and rest[at].text != ")":
                if rest[at].kind == NAME:
                    names.append(rest[at].text)
                elif rest[at].text != ",":
                    raise input_error(Code.SYNTAX, "expected the name of a parameter", rest[at].span)
                at += 1
            if at == len(rest):
                raise input_error(Code.SYNTAX, "the parameters of this macro are never closed", name.span)
            parameters, rest = tuple(names), rest[at + 1 :]
        for token in rest:
            if token.text in ("##", "#") and parameters is not None:
                message = f"'{token.text}' in macros is not supported"
                raise input_error(Code.UNSUPPORTED, message, token.span)
        self.macros[name.text] = Macro(name.text, parameters, tuple(rest))

    def _include(self, line: list[Token], out: list[Token], depth: int) -> None:
        if len(line) < 3 or line[2].kind != STRING:
            hint = 'write #include "file"'
            raise input_error(Code.SYNTAX, "expected the name of a file in quotes", line[0].span, hint)
        written = line[2]
        if depth >= MOST_NESTED:
            problem = Diagnostic(
                Code.LIMIT, f"more than {MOST_NESTED} files include each other", written.span
            )
            raise LimitReached((problem,))
        path = included_file(written.text[1:-1], written.span, self._main)
        text = read_text(path, written.span)
        self._read(Source(str(path), text, path), out, depth + 1)

    # ------------------------------------------------------------ conditions

    def _holds(self, word: str, line: list[Token]) -> bool:
        if word in ("ifdef", "ifndef"):
            return (_name(line, 2).text in self.macros) is (word == "ifdef")
        tokens: list[Token] = []
        rest = line[2:]
        at = 0
        while at < len(rest):  # the name in question must not be replaced
            token = rest[at]
            if token.text == "defined":
                inner = rest[at + 1 : at + 2]
                width = 2
                if inner and inner[0].text == "(":
                    inner, width = rest[at + 2 : at + 3], 4
                known = bool(inner) and inner[0].text in self.macros
                tokens.append(Token(NUMBER, str(int(known)), token.span, int(known)))
                at += width
            else:
                tokens.append(token)
                at += 1
        replaced: list[Token] = []
        self._expand(tokens, frozenset(), replaced)
        return _Condition(replaced, line[0].span).value() != 0

    # ------------------------------------------------------------ macros

    def _is_open(self, line: list[Token]) -> bool:
        """Whether the arguments of a macro continue behind the line."""
        for number, token in enumerate(line):
            macro = self.macros.get(token.text)
            if token.kind != NAME or macro is None or macro.parameters is None:
                continue
            if number + 1 == len(line):
                return False
            if line[number + 1].text == "(" and _closing(line, number + 1) is None:
                return True
        return False

    def expanded(self, tokens: list[Token]) -> list[Token]:
        """Tokens with all macros replaced."""
        out: list[Token] = []
        self._expand(tokens, frozenset(), out)
        return out

    def _expand(self, tokens: list[Token], hidden: frozenset[str], out: list[Token]) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            macro = self.macros.get(token.text) if token.kind == NAME else None
            if macro is None or macro.name in hidden:
                if token.kind == "unknown":
                    complain(token)
                self._count += 1
                if self._count % 10_000 == 0:
                    check_limits()
                if self._count > MOST_TOKENS:
                    raise _too_long(token.span)
                out.append(token)
                continue
            body = [part._replace(span=token.span) for part in macro.body]
            if macro.parameters is not None:
                if at == len(tokens) or tokens[at].text != "(":
                    out.append(token)
                    continue
                end = _closing(tokens, at)
                if end is None:
                    raise input_error(
                        Code.SYNTAX, f"the arguments of '{macro.name}' are never closed", token.span
                    )
                arguments = _arguments(tokens[at + 1 : end])
                at = end + 1
                body = self._filled(macro, arguments, token, hidden)
            self._expand(body, hidden | {macro.name}, out)

    def _filled(
        self, macro: Macro, arguments: list[list[Token]], use: Token, hidden: frozenset[str]
    ) -> list[Token]:
        names = macro.parameters or ()
        if not names and arguments == [[]]:
            arguments = []
        if len(arguments) != len(names):
            found, expected = len(arguments), len(names)
            message = f"the macro '{macro.name}' has {expected} parameters, not {found}"
            raise input_error(Code.ARITY, message, use.span)
        replaced: dict[str, list[Token]] = {}
        for name, argument in zip(names, arguments, strict=True):
            out: list[Token] = []
            self._expand(argument, hidden, out)
            replaced[name] = out
        body: list[Token] = []
        for part in macro.body:
            if part.kind == NAME and part.text in replaced:
                body += replaced[part.text]
                if len(body) > MOST_TOKENS:
                    raise _too_long(use.span)
            else:
                body.append(part._replace(span=use.span))
        return body


class _Condition:
    """The value of what stands behind `#if`."""

    _LEVELS = (
        ("||",),
        ("&&",),
        ("|",),
        ("^",),
        ("&",),
        ("==", "!="),
        ("<", ">", "<=", ">="),
        ("<<", ">>"),
        ("+", "-"),
        ("*", "/", "%"),
    )

    def __init__(self, tokens: list[Token], span: Span) -> None:
        self._tokens = tokens
        self._span = span
        self._at = 0

    def value(self) -> int:
        found = self._level(0)
        if self._at < len(self._tokens):
            raise self._wrong()
        return found

    def _wrong(self) -> InputError:
        return input_error(Code.SYNTAX, "this condition cannot be read", self._span)

    def _next(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _level(self, level: int) -> int:
        if level == len(self._LEVELS):
            return self._factor()
        left = self._level(level + 1)
        while self._next() in self._LEVELS[level]:
            operator = self._next()
            self._at += 1
            left = self._applied(operator, left, self._level(level + 1))
        return left

    def _applied(self, operator: str, left: int, right: int) -> int:
        if operator in ("/", "%"):
            if right == 0:
                raise self._wrong()
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        if operator in ("<<", ">>"):
            if not 0 <= right < 64:
                raise self._wrong()
            return left << right if operator == "<<" else left >> right
        return {
            "||": int(bool(left or right)),
            "&&": int(bool(left and right)),
            "|": left | right,
            "^": left ^ right,
            "&": left & right,
            "==": int(left == right),
            "!=": int(left != right),
            "<": int(left < right),
            ">": int(left > right),
            "<=": int(left <= right),
            ">=": int(left >= right),
            "+": left + right,
            "-": left - right,
            "*": left * right,
        }[operator]

    def _factor(self) -> int:
        if self._at == len(self._tokens):
            raise self._wrong()
        token = self._tokens[self._at]
        self._at += 1
        if token.text == "(":
            inside = self._level(0)
            if self._next() != ")":
                raise self._wrong()
            self._at += 1
            return inside
        if token.text in ("!", "-", "+", "~"):
            operand = self._factor()
            return {"!": int(not operand), "-": -operand, "+": operand, "~": ~operand}[token.text]
        if token.kind == NUMBER:
            return token.value
        if token.kind == NAME:
            return 0
        raise self._wrong()


def _too_long(span: Span) -> LimitReached:
    message = f"the text has more than {MOST_TOKENS} tokens after its macros are replaced"
    return LimitReached((Diagnostic(Code.LIMIT, message, span),))


def _lines(source: Source) -> list[list[Token]]:
    lines: list[list[Token]] = [[]]
    for token in tokens_of(source):
        if token.kind == NEWLINE:
            lines.append([])
        elif token.kind is not END:
            lines[-1].append(token)
    return lines


def _is_directive(line: list[Token]) -> bool:
    return bool(line) and line[0].text == "#"


def _name(line: list[Token], at: int) -> Token:
    if len(line) <= at or line[at].kind != NAME:
        raise input_error(Code.SYNTAX, "expected a name", line[0].span)
    return line[at]


def _closing(tokens: list[Token], at: int) -> int | None:
    """The place of the parenthesis that closes the one at a place."""
    depth = 0
    for number in range(at, len(tokens)):
        if tokens[number].text == "(":
            depth += 1
        elif tokens[number].text == ")":
            depth -= 1
            if depth == 0:
                return number
    return None


def _arguments(tokens: list[Token]) -> list[list[Token]]:
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == "," and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return found
