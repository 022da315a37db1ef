"""Reads expressions of Promela, and those of LTL in `ltl` blocks."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error
from fairlead.lang.complaints import no_array
from fairlead.lang.promela.cursor import MOST_DEPTH, Cursor, embedded
from fairlead.lang.promela.lexing import EMBEDDED, NAME, NUMBER, Token
from fairlead.lang.promela.syntax import (
    Any,
    AtLabel,
    Basic,
    Binary,
    ChannelTest,
    Conditional,
    Eval,
    Expression,
    Name,
    Number,
    Poll,
    ProcessTest,
    RemoteVariable,
    Run,
    Special,
    SpecialName,
    Struct,
    Temporal,
    Unary,
    Variable,
)

# fmt: off
_LEVELS = {
    "||": 2, "&&": 3, "|": 6, "^": 7, "&": 8, "==": 9, "!=": 9, "<": 10, ">": 10, "<=": 10, ">=": 10,
    "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
}
# fmt: on
_IMPLICATION, _UNTIL = 1, 4
#: the operators of LTL, also as words
_TEMPORAL = {
    "->": ("->", _IMPLICATION),
    "<->": ("<->", _IMPLICATION),
    "implies": ("->", _IMPLICATION),
    "equivalent": ("<->", _IMPLICATION),
    "U": ("U", _UNTIL),
    "V": ("R", _UNTIL),
    "R": ("R", _UNTIL),
    "W": ("W", _UNTIL),
    "until": ("U", _UNTIL),
    "stronguntil": ("U", _UNTIL),
    "weakuntil": ("W", _UNTIL),
    "release": ("R", _UNTIL),
}
_TEMPORAL_UNARY = {"<>": "<>", "X": "X", "always": "[]", "eventually": "<>", "next": "X"}
#: where something is expected, in words
AFTER_NAME = "after the name of the proctype"
VARIABLE_NAME = "the name of a variable"
_AFTER_CONDITIONAL = "after the conditional expression"
_CHANNEL_TESTS = ("len", "full", "empty", "nfull", "nempty")
_SPECIAL = {one.value: one for one in Special}


class ExpressionParser(Cursor):
    """The part of the parser that reads expressions."""

    def expression(self) -> Expression:
        """Any expression."""
        return self._binary(_IMPLICATION)

    def _deeper(self, token: Token) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            message = f"more than {MOST_DEPTH} levels are nested here"
            raise LimitReached((Diagnostic(Code.LIMIT, message, token.span),))

    def _operator(self) -> tuple[str, int] | None:
        token = self.token
        if token.kind not in ("operator", NAME):
            return None
        if self.reads_formulas and token.text in _TEMPORAL:
            return _TEMPORAL[token.text]
        level = _LEVELS.get(token.text)
        return None if level is None else (token.text, level)

    def _binary(self, least: int) -> Expression:
        start = self.token
        self._deeper(start)
        left = self._unary()
        while True:
            operator = self._operator()
            if operator is None or operator[1] < least:
                break
            self.take()
            right = self._binary(operator[1] + 1)
            span = self.span_from(start)
            if operator[1] in (_IMPLICATION, _UNTIL):
                left = Temporal(operator[0], left, right, span)
            else:
                left = Binary(operator[0], left, right, span)
        self.depth -= 1
        return left

    def _unary(self) -> Expression:
        token = self.token
        self._deeper(token)
        try:
            if token.text in ("!", "~", "-") and token.kind == "operator":
                self.take()
                return Unary(token.text, self._unary(), self.span_from(token))
            if token.text == "!!":
                self.take()
                return Unary("!", Unary("!", self._unary(), token.span), self.span_from(token))
            if self.reads_formulas:
                if token.text in _TEMPORAL_UNARY and token.kind != "string":
                    self.take()
                    return Temporal(_TEMPORAL_UNARY[token.text], self._unary(), None, self.span_from(token))
                if token.text == "[" and self.peek().text == "]":
                    self.take()
                    self.take()
                    return Temporal("[]", self._unary(), None, self.span_from(token))
            return self._factor()
        finally:
            self.depth -= 1

    def _factor(self) -> Expression:
        token = self.token
        if token.kind == NUMBER:
            self.take()
            return Number(token.value, token.span, token.text)
        if token.text == "(" and token.kind == "operator":
            return self._parenthesised()
        if token.kind == EMBEDDED:
            raise embedded(token)
        if token.kind != NAME:
            raise self.unexpected("an expression")
        if token.text in ("true", "false", "skip"):
            self.take()
            return Number(int(token.text != "false"), token.span, token.text)
        if token.text in _SPECIAL and self.find(token.text) is None:
            self.take()
            return SpecialName(_SPECIAL[token.text], token.span)
        if token.text == "run":
            return self._run()
        if token.text in _CHANNEL_TESTS:
            self.take()
            self.expect("(", f"after '{token.text}'")
            channel = self.name()
            self.expect(")", "after the channel")
            return ChannelTest(token.text, channel, self.span_from(token))
        if token.text in ("enabled", "pc_value"):
            self.take()
            self.expect("(", f"after '{token.text}'")
            pid = self.expression()
            self.expect(")", "after the process")
            return ProcessTest(token.text, pid, self.span_from(token))
        if token.text in ("get_priority", "set_priority"):
            message = f"'{token.text}' is not supported: priorities that change while the model runs"
            raise input_error(Code.UNSUPPORTED, message, token.span)
        return self._named()

    def _parenthesised(self) -> Expression:
        start = self.take()
        inside = self.expression()
        if isinstance(inside, Temporal) and inside.operator == "->" and self.is_next(":"):
            # in formulas, what looks like an implication may be the beginning of a conditional expression
            self.take()
            otherwise = self.expression()
            self.expect(")", _AFTER_CONDITIONAL)
            assert inside.right is not None
            return Conditional(inside.left, inside.right, otherwise, self.span_from(start))
        if self.skip("->"):
            then = self.expression()
            self.expect(":", "in the conditional expression")
            otherwise = self.expression()
            self.expect(")", _AFTER_CONDITIONAL)
            return Conditional(inside, then, otherwise, self.span_from(start))
        self.expect(")", "to close this parenthesis")
        return inside

    def _run(self) -> Expression:
        start = self.take()
        name = self.new_name("the name of a proctype after 'run'")
        arguments: list[Expression] = []
        self.expect("(", AFTER_NAME)
        while not self.is_next(")"):
            arguments.append(self.expression())
            if not self.skip(","):
                break
        self.expect(")", "after the arguments")
        self.priority()
        return Run(name.text, tuple(arguments), self.span_from(start), name.span)

    def priority(self) -> None:
        """Passes `priority n`, where n can only be 1: others would decide who may move."""
        if not self.is_next("priority"):
            return
        start = self.take()
        number = self.take()
        if number.kind != NUMBER or number.value != 1:
            hint = "say in 'provided' clauses, or in guards, who may move when"
            raise input_error(Code.UNSUPPORTED, "priorities are not supported", start.span, hint)

    def _named(self) -> Expression:
        token = self.token
        if token.text == "_":
            self.take()
            return Any(token.span)
        variable = self.find(token.text)
        if variable is None:
            if self.mtype(token.text) is not None:
                self.take()
                return Number(self.mtype(token.text) or 0, token.span, token.text)
            remote = self._remote()
            if remote is not None:
                return remote
            raise self.unknown(token)
        if self.peek().text in ("@",) or (self.peek().text == "[" and self._is_remote()):
            remote = self._remote()
            if remote is not None:
                return remote
        name = self.name()
        if self.is_next("?", "??") and self.peek().text == "[":
            return self._poll(name, token)
        return name

    def _is_remote(self) -> bool:
        """Whether behind the brackets that are next there is what a remote reference has there."""
        depth, at = 0, self.at + 1
        while at < len(self.tokens):
            depth += (self.tokens[at].text == "[") - (self.tokens[at].text == "]")
            at += 1
            if depth == 0:
                break
        return at < len(self.tokens) and self.tokens[at].text == "@"

    def _remote(self) -> Expression | None:
        """`P@label`, `P[pid]@label`, `P:x` or `P[pid]:x`."""
        start, place = self.token, self.at
        self.take()
        pid: Expression | None = None
        if self.skip("["):
            pid = self.expression()
            self.expect("]", "after the process")
        if self.skip("@"):
            label = self.new_name("a label")
            return AtLabel(start.text, pid, label.text, self.span_from(start))
        if self.is_next(":") and self.peek().kind == NAME:
            self.take()
            name = self.take()
            index: Expression | None = None
            if self.skip("["):
                index = self.expression()
                self.expect("]", "after the index")
            return RemoteVariable(start.text, pid, name.text, index, self.span_from(start))
        self.at = place
        return None

    def _poll(self, channel: Name, start: Token) -> Expression:
        is_random = self.take().text == "??"
        self.expect("[", "after '?'")
        fields = self.fields(self.received)
        self.expect("]", "after the message")
        return Poll(channel, fields, is_random, self.span_from(start))

    # ------------------------------------------------------------ messages

    def fields(self, field: Callable[[], Expression]) -> tuple[Expression, ...]:
        """The fields of a message, as `a, b` or `a(b)`."""
        found = [field()]
        if self.skip("("):
            while not self.is_next(")"):
                found.append(field())
                if not self.skip(","):
                    break
            self.expect(")", "after the fields of the message")
            return tuple(found)
        while self.skip(","):
            found.append(field())
        return tuple(found)

    def received(self) -> Expression:
        """A field of a message that is received: a variable, a constant, `eval(e)` or `_`."""
        token = self.token
        if token.text == "eval" and token.kind == NAME:
            self.take()
            self.expect("(", "after 'eval'")
            value = self.expression()
            self.expect(")", "after the value")
            return Eval(value, self.span_from(token))
        return self._unary()

    # ------------------------------------------------------------ variables

    def name(self) -> Name:
        """A variable with its indices and fields."""
        token = self.token
        variable = self.find(token.text) if token.kind == NAME else None
        if variable is None:
            if token.kind == NAME:
                raise self.unknown(token)
            raise self.unexpected(VARIABLE_NAME)
        return self._name(variable)

    def _name(self, variable: Variable) -> Name:
        start = self.take()
        index: Expression | None = None
        if self.is_next("[") and not (self.reads_formulas and self.peek().text == "]"):
            self.take()
            index = self.expression()
            self.expect("]", "after the index")
        inner: Name | None = None
        if self.skip("."):
            member = self.token
            kind = variable.type
            if not isinstance(kind, Struct):
                raise input_error(Code.TYPE, f"'{start.text}' has no fields", start.span)
            found = kind.find(member.text)
            if found is None:
                message = f"'{kind.name}' has no field '{member.text}'"
                raise input_error(Code.UNKNOWN_NAME, message, member.span)
            inner = self._name(found)
        span = self.span_from(start)
        if index is not None and variable.size is None:
            raise no_array(start.text, span)
        return Name(variable, index, inner, span)


def constant(expression: Expression) -> int:
    """The value of an expression that must be constant."""
    match expression:
        case Number(value):
            return value
        case Unary(operator, operand):
            inner = constant(operand)
            return {"-": -inner, "~": ~inner, "!": int(not inner)}[operator]
        case Conditional(condition, then, otherwise):
            return constant(then if constant(condition) else otherwise)
        case Binary(operator, left, right, span):
            return folded(operator, constant(left), constant(right), expression)
    span = expression.span
    raise input_error(Code.NOT_CONSTANT, "this must be a constant", span)


def folded(operator: str, left: int, right: int, whole: Expression) -> int:
    """An operation on constants, as C carries it out."""
    if operator in ("/", "%"):
        if right == 0:
            raise input_error(Code.DIVISION_BY_ZERO, "division by zero", whole.span)
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        if not 0 <= right < 32:
            raise input_error(Code.RANGE, "shifts are by 0 to 31 bits", whole.span)
        return left << right if operator == "<<" else left >> right
    return {
        "||": lambda: int(bool(left or right)),
        "&&": lambda: int(bool(left and right)),
        "|": lambda: left | right,
        "^": lambda: left ^ right,
        "&": lambda: left & right,
        "==": lambda: int(left == right),
        "!=": lambda: int(left != right),
        "<": lambda: int(left < right),
        ">": lambda: int(left > right),
        "<=": lambda: int(left <= right),
        ">=": lambda: int(left >= right),
        "+": lambda: left + right,
        "-": lambda: left - right,
        "*": lambda: left * right,
    }[operator]()


def leaf_type(name: Name) -> Basic | Struct:
    """The type of what a name stands for in the end."""
    while name.inner is not None:
        name = name.inner
    return name.variable.type
