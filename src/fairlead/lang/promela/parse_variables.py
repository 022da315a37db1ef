"""Reads declarations of variables."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.diagnostics import Code, input_error
from fairlead.lang.complaints import no_type
from fairlead.lang.promela.lexing import NAME, Token
from fairlead.lang.promela.parse_expressions import VARIABLE_NAME, ExpressionParser, constant
from fairlead.lang.promela.syntax import (
    BASIC,
    CHAN,
    MTYPE,
    Basic,
    ChannelInit,
    Expression,
    Variable,
    VariableType,
)

#: an array, and all messages of a channel, may have so many elements
MOST_ELEMENTS = 65_536
_VISIBILITY = ("hidden", "show", "local")


class VariableParser(ExpressionParser):
    """The part of the parser that reads declarations of variables."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.owner: str | None = None
        #: all variables that have been declared in the proctype
        self.locals: list[Variable] = []

    def is_declaration(self) -> bool:
        """Whether a declaration of variables is next."""
        token = self.token
        if token.kind != NAME:
            return False
        if token.text == "mtype":
            after = self.peek()
            if after.text == ":":
                after = self.peek(3)
            return after.kind == NAME
        return (
            token.text in _VISIBILITY
            or token.text in BASIC
            or token.text == "unsigned"
            or (token.text in self.structs and self.find(token.text) is None)
        )

    def declaration(self) -> list[Variable]:
        """`byte a = 1, b[2]`; what is declared is known from here on."""
        is_hidden = False
        while self.token.text in _VISIBILITY:
            is_hidden |= self.take().text == "hidden"
        start = self.take()
        subtype, kind = "", self.type_named(start)
        if kind is MTYPE and self.skip(":"):
            subtype = self.take().text
        found = []
        while True:
            variable = self._variable(kind, start)
            found.append(replace(variable, is_hidden=is_hidden, subtype=subtype))
            self.declare(found[-1])
            if self.owner is not None:
                self.locals.append(found[-1])
            if not self.skip(","):
                return found

    def type_named(self, token: Token) -> VariableType | None:
        """The type with a name; None stands for `unsigned`."""
        if token.text in BASIC:
            return BASIC[token.text]
        if token.text in self.structs:
            return self.structs[token.text]
        if token.text == "unsigned":
            return None
        raise no_type(token.text, token.span)

    def _variable(self, kind: VariableType | None, start: Token) -> Variable:
        name = self.new_name(VARIABLE_NAME)
        size: int | None = None
        if kind is None:
            self.expect(":", "and the number of bits after the name")
            bits = constant(self._unary())
            if not 1 <= bits <= 31:
                raise input_error(Code.RANGE, "unsigned variables have 1 to 31 bits", name.span)
            kind = Basic("unsigned", bits)
        elif self.skip(":"):
            bits = constant(self._unary())
            if not isinstance(kind, Basic) or not 1 <= bits <= kind.bits:
                raise input_error(Code.RANGE, f"'{start.text}' cannot have {bits} bits", name.span)
            kind = replace(kind, bits=bits, is_signed=False)
        if self.skip("["):
            size = constant(self.expression())
            self.expect("]", "after the size")
            if not 1 <= size <= MOST_ELEMENTS:
                message = f"an array has 1 to {MOST_ELEMENTS} elements, not {size}"
                raise input_error(Code.RANGE, message, name.span)
        variable = Variable(name.text, kind, size, None, name.span, self.owner)
        return replace(variable, init=self._initial(variable)) if self.skip("=") else variable

    def _initial(self, variable: Variable) -> Expression | ChannelInit | tuple[Expression, ...]:
        if self.is_next("["):
            return self._channel(variable)
        if self.skip("{"):
            values = [self.expression()]
            while self.skip(","):
                values.append(self.expression())
            self.expect("}", "after the initial values")
            if variable.size is None or len(values) > variable.size:
                raise input_error(Code.ARITY, "there are too many initial values", variable.span)
            return tuple(values)
        return self.expression()

    def _channel(self, variable: Variable) -> ChannelInit:
        start = self.take()
        capacity = constant(self.expression())
        self.expect("]", "after the capacity")
        self.expect("of", "after the capacity of the channel")
        self.expect("{", "before the types of the messages")
        form: list[Basic] = []
        while True:
            token = self.take()
            kind = self.type_named(token)
            if kind is None:
                self.expect(":", "after 'unsigned'")
                kind = Basic("unsigned", constant(self._unary()))
            if kind is MTYPE and self.skip(":"):
                self.take()
            form += _leaves(kind)
            if not self.skip(","):
                break
        self.expect("}", "after the types of the messages")
        if len(form) == 1 and form[0].bits == 1:
            # a message that is a single bit is kept in a byte
            form = [replace(form[0], bits=8)]
        span = self.span_from(start)
        if variable.type is not CHAN:
            raise input_error(Code.TYPE, f"'{variable.name}' is not a channel", variable.span)
        if not 0 <= capacity <= 255 or capacity * len(form) > MOST_ELEMENTS:
            raise input_error(Code.RANGE, "a channel has room for 0 to 255 messages", span)
        return ChannelInit(capacity, tuple(form), span)


def _leaves(kind: VariableType) -> list[Basic]:
    """The types of the fields of a message: those of a structure one after the other."""
    if isinstance(kind, Basic):
        return [kind]
    return [leaf for one in kind.fields for leaf in _leaves(one.type) * (one.size or 1)]
