"""Reads statements and declarations of variables."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.diagnostics import Code, Diagnostic, InputError, LimitReached, input_error
from fairlead.base.records import dataclass
from fairlead.lang.promela.cursor import embedded
from fairlead.lang.promela.lexing import EMBEDDED, END, KEYWORDS, NAME, STRING, Token
from fairlead.lang.promela.parse_variables import MOST_ELEMENTS, VariableParser
from fairlead.lang.promela.syntax import (
    Assert,
    Assign,
    Atomic,
    Binary,
    Block,
    Break,
    ChannelInit,
    Condition,
    Declare,
    Do,
    DStep,
    Else,
    Expression,
    Goto,
    If,
    Label,
    Name,
    Number,
    Print,
    Receive,
    Send,
    Sequence,
    Statement,
    Unless,
)

#: `select` over so many values is a choice between all of them, over more it counts upwards
MOST_SELECTED = 32
#: a hint for declarations between statements
DECLARE_EARLIER = "declare it at the beginning of the proctype"
_CLOSERS = ("}", "fi", "od", "::")


@dataclass(frozen=True)
class Inline:
    """An `inline`: its body replaces each call of it."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Token, ...]


class StatementParser(VariableParser):
    """The part of the parser that reads statements."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.inlines: dict[str, Inline] = {}
        self._calls: list[str] = []

    # ------------------------------------------------------------ sequences

    def body(self, where: str) -> Sequence:
        """Statements in braces, with a scope of their own."""
        self.expect("{", where)
        self.scopes.append({})
        try:
            found = self.sequence()
        finally:
            self.scopes.pop()
        self.expect("}", "after the statements")
        return found

    def sequence(self) -> Sequence:
        """Statements up to what closes them, in a choice or a block."""
        return _without_skips(self.whole_sequence())

    def whole_sequence(self) -> list[Statement]:
        """Statements up to what closes them."""
        found: list[Statement] = []
        while True:
            while self.is_next(";", "->"):
                self.take()
            if self.token.kind is END or self.is_next(*_CLOSERS):
                return found
            place, depth, scopes = self.at, self.depth, len(self.scopes)
            try:
                found += self._statements()
                if not self.is_next(";", "->", *_CLOSERS) and self.token.kind is not END:
                    closed = self.tokens[self.at - 1].text in ("}", "fi", "od")
                    if not closed and not self.is_new_line:
                        raise self.unexpected("';' or '->' after this statement")
            except InputError as error:
                self.depth = depth
                del self.scopes[scopes:]
                self.report(error)
                self.at = max(self.at, place)
                self._recover(place)

    @property
    def is_new_line(self) -> bool:
        """Whether the next token begins a line, which ends the statement before it."""
        last, following = self.tokens[self.at - 1].span, self.token.span
        if last.source is not following.source or last.end > following.start:
            return True
        return "\n" in following.source.text[last.end : following.start]

    def _recover(self, start: int) -> None:
        """Continues behind the statement that could not be read."""
        depth = 0
        for token in self.tokens[start : self.at]:
            if token.kind in ("operator", NAME):
                depth += (token.text in ("{", "if", "do")) - (token.text in ("}", "fi", "od"))
        depth = max(depth, 0)
        while self.token.kind is not END:
            if depth == 0 and self.is_next(";", "->", *_CLOSERS) and self.at > start:
                return
            token = self.take()
            if token.kind in ("operator", NAME):
                depth += (token.text in ("{", "if", "do")) - (token.text in ("}", "fi", "od"))

    # ------------------------------------------------------------ statements

    def _statements(self) -> list[Statement]:
        labels: list[Label] = []
        while self.token.kind == NAME and self.token.text not in KEYWORDS and self.peek().text == ":":
            token = self.take()
            self.take()
            labels.append(Label(token.text, token.span))
        self._deeper(self.token)
        is_counting = self.token.kind == NAME and self.token.text in ("for", "select")
        try:
            if labels and self.is_next("}", "fi", "od", "::"):
                span = labels[-1].span
                found: list[Statement] = [Condition(span, Number(1, span, "skip"))]
            else:
                found = self._unlabelled()
        finally:
            self.depth -= 1
        if self.is_next("unless"):
            start = self.take()
            escape = self._single()
            whole = found[0].span if found else start.span
            found = [Unless(whole, tuple(found), escape)]
        if found and labels:
            # that of a loop with a counter is on the loop, behind the first assignment
            at = 1 if is_counting and len(found) == 2 else 0
            found[at] = replace(found[at], labels=(*labels, *found[at].labels))
        return found

    def _single(self) -> Sequence:
        if self.is_next("{"):
            return self.body("")
        return tuple(self._statements())

    def _unlabelled(self) -> list[Statement]:
        start = self.token
        if start.kind == EMBEDDED:
            self.take()
            raise embedded(start)
        if self.is_declaration():
            variables = self.declaration()
            for variable in variables:
                if isinstance(variable.init, ChannelInit):
                    hint = DECLARE_EARLIER
                    message = f"the channel '{variable.name}' is declared between statements"
                    raise input_error(Code.UNSUPPORTED, message, variable.span, hint)
            span = self.span_from(start)
            return [Declare(span, (variable,)) for variable in variables]
        match start.text if start.kind in (NAME, "operator") else "":
            case "xr" | "xs":
                self.take()
                self.name()
                while self.skip(","):
                    self.name()
                return []
            case "if" | "do":
                return [self._choice()]
            case "for":
                return self._for()
            case "select":
                return self._select()
            case "atomic" | "d_step":
                self.take()
                body = self.body(f"after '{start.text}'")
                kind = Atomic if start.text == "atomic" else DStep
                return [kind(start.span, body)]
            case "{":
                return [Block(start.span, self.body(""))]
            case "else":
                self.take()
                return [Else(start.span)]
            case "break":
                self.take()
                return [Break(start.span)]
            case "goto":
                self.take()
                name = self.new_name("a label after 'goto'")
                return [Goto(self.span_from(start), name.text)]
            case "assert":
                self.take()
                value = self.expression()
                return [Assert(self.span_from(start), value)]
            case "printf" | "printm":
                return [self._print()]
        if start.kind == NAME and start.text in self.inlines and self.peek().text == "(":
            return self._call()
        return [self._simple()]

    def _choice(self) -> Statement:
        start = self.take()
        options: list[Sequence] = []
        closer = "fi" if start.text == "if" else "od"
        if not self.is_next("::"):
            raise self.unexpected(f"'::' after '{start.text}'")
        while self.skip("::"):
            self.scopes.append({})
            try:
                body = self.sequence()
            finally:
                self.scopes.pop()
            if not body:
                raise self.unexpected("a statement after '::'")
            options.append(body)
        self.expect(closer, f"to close '{start.text}'")
        kind = If if start.text == "if" else Do
        return kind(start.span, tuple(options))

    def _print(self) -> Statement:
        start = self.take()
        self.expect("(", f"after '{start.text}'")
        text, arguments = "", []
        if start.text == "printf":
            if self.token.kind != STRING:
                raise self.unexpected("a text in quotes")
            text = self.take().text[1:-1]
            while self.skip(","):
                arguments.append(self.expression())
        else:
            arguments.append(self.expression())
            text = "%e"
        self.expect(")", "after the arguments")
        return Print(self.span_from(start), text, tuple(arguments))

    def _simple(self) -> Statement:
        """An assignment, a message, or a condition."""
        start, place = self.token, self.at
        if start.kind == NAME and self.find(start.text) is not None and not self._is_poll_or_remote():
            name = self.name()
            match self.token.text:
                case "=":
                    self.take()
                    value = self.expression()
                    return Assign(self.span_from(start), name, value)
                case "++" | "--" as operator:
                    self.take()
                    span = self.span_from(start)
                    value = Binary(operator[0], name, Number(1, span, "1"), span)
                    return Assign(span, name, value)
                case "!" | "!!":
                    is_sorted = self.take().text == "!!"
                    values = self.fields(self.expression)
                    return Send(self.span_from(start), name, values, is_sorted)
                case "?" | "??" if self.peek().text != "[":
                    return self._receive(name, start)
            self.at = place
        value = self.expression()
        return Condition(self.span_from(start), value)

    def _is_poll_or_remote(self) -> bool:
        return self.peek().text == "@" or (self.peek().text == "[" and self._is_remote())

    def _receive(self, channel: Name, start: Token) -> Statement:
        is_random = self.take().text == "??"
        keeps = self.skip("<")
        fields = self.fields(self.received)
        if keeps:
            self.expect(">", "after the message")
        return Receive(self.span_from(start), channel, fields, is_random, keeps)

    # ------------------------------------------------------------ what stands for other statements

    def _for(self) -> list[Statement]:
        start = self.take()
        self.expect("(", "after 'for'")
        counter = self.name()
        if self.skip("in"):
            array = self.name()
            self.expect(")", "after the array")
            if array.variable.size is None or array.index is not None or array.inner is not None:
                message = "'for' over the messages of a channel is not supported"
                raise input_error(Code.UNSUPPORTED, message, array.span, "receive and send each message")
            low: Expression = Number(0, array.span, "0")
            high: Expression = Number(array.variable.size - 1, array.span, str(array.variable.size - 1))
        else:
            self.expect(":", "after the variable")
            low = self.expression()
            self.expect("..", "between the bounds")
            high = self.expression()
            self.expect(")", "after the bounds")
        body = self.body("after 'for (…)'")
        span = self.span_from(start)
        head = start.span
        one = Number(1, head, "1")
        again = (
            Condition(head, Binary("<=", counter, high, head)),
            Block(head, body),
            Assign(head, counter, Binary("+", counter, one, head)),
        )
        return [Assign(span, counter, low), Do(head, (again, (Else(head), Break(head))))]

    def _select(self) -> list[Statement]:
        start = self.take()
        self.expect("(", "after 'select'")
        target = self.name()
        self.expect(":", "after the variable")
        low = self.expression()
        self.expect("..", "between the bounds")
        high = self.expression()
        self.expect(")", "after the bounds")
        span = self.span_from(start)
        if isinstance(low, Number) and isinstance(high, Number):
            if low.value > high.value:
                raise input_error(Code.EMPTY_RANGE, "there is nothing between these bounds", span)
            is_plain = target.index is None and target.inner is None and "_" not in target.variable.name
            if high.value - low.value <= MOST_SELECTED and is_plain and not self._calls:
                values = range(low.value, high.value + 1)
                return [If(span, tuple((Assign(span, target, Number(n, span, str(n))),) for n in values))]
        one = Number(1, span, "1")
        more = (
            Condition(span, Binary("<", target, high, span)),
            Assign(span, target, Binary("+", target, one, span)),
        )
        return [Assign(span, target, low), Do(span, ((Break(span),), more))]

    def _call(self) -> list[Statement]:
        start = self.take()
        inline = self.inlines[start.text]
        arguments = self._arguments(start)
        if len(arguments) != len(inline.parameters):
            found, expected = len(arguments), len(inline.parameters)
            message = f"'{inline.name}' has {expected} parameters, not {found}"
            raise input_error(Code.ARITY, message, self.span_from(start))
        if inline.name in self._calls:
            message = f"the inline '{inline.name}' calls itself"
            raise input_error(Code.UNGUARDED_RECURSION, message, start.span)
        replaced = dict(zip(inline.parameters, arguments, strict=True))
        body: list[Token] = []
        for token in inline.body:
            body += replaced.get(token.text, [token]) if token.kind == NAME else [token]
            if len(body) > MOST_ELEMENTS * 4:
                message = "this inline becomes too long"
                raise LimitReached((Diagnostic(Code.LIMIT, message, start.span),))
        end = Token(END, "", start.span)
        kept, at = self.tokens, self.at
        self.tokens, self.at = [*body, end], 0
        self._calls.append(inline.name)
        self.scopes.append({})
        try:
            statements = self.sequence()
            if self.token.kind is not END:
                raise self.unexpected("a statement")
        finally:
            self.scopes.pop()
            self._calls.pop()
            self.tokens, self.at = kept, at
        return [Block(start.span, statements)] if statements else []

    def _arguments(self, start: Token) -> list[list[Token]]:
        """The tokens of the arguments of an inline."""
        self.expect("(", "after the name of the inline")
        found: list[list[Token]] = [[]]
        depth = 0
        while depth or not self.is_next(")"):
            token = self.take()
            if token.kind is END:
                raise input_error(Code.SYNTAX, "these arguments are never closed", start.span)
            depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            if token.text == "," and depth == 0:
                found.append([])
            else:
                found[-1].append(token)
        self.take()
        return [] if found == [[]] else found


def _without_skips(body: list[Statement]) -> Sequence:
    """The statements without each `skip` that SPIN removes: behind another one or a printf, not the last."""
    found: list[Statement] = []
    for number, statement in enumerate(body):
        is_inside = 0 < number < len(body) - 1
        is_removed = is_inside and _is_skip(statement) and not statement.labels
        if is_removed and (isinstance(found[-1], Print) or _is_skip(found[-1])):
            continue
        found.append(statement)
    return tuple(found)


def _is_skip(statement: Statement) -> bool:
    if not isinstance(statement, Condition) or not isinstance(statement.value, Number):
        return False
    return statement.value.value == 1
