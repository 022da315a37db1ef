"""Reads a whole model: declarations, proctypes, properties. All that is wrong is reported together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fairlead.base.diagnostics import AFTER_FORMULA, Code, InputError, input_error
from fairlead.base.source import Source
from fairlead.lang.promela.cursor import embedded
from fairlead.lang.promela.lexing import EMBEDDED, END, NAME, Token
from fairlead.lang.promela.parse_expressions import AFTER_NAME, constant
from fairlead.lang.promela.parse_statements import Inline, StatementParser
from fairlead.lang.promela.preprocessor import Preprocessor
from fairlead.lang.promela.syntax import (
    Declare,
    Expression,
    LtlProperty,
    Proctype,
    Sequence,
    Specification,
    Struct,
    Variable,
)

#: so many processes can be alive
MOST_PROCESSES = 255
_STARTERS = frozenset(
    ("proctype", "active", "init", "never", "ltl", "inline", "typedef", "trace", "notrace", "D_proctype")
)


class Parser(StatementParser):
    """Reads a model; formulas can be read later, with the names of the model."""

    def __init__(self, source: Source, definitions: Mapping[str, str]) -> None:
        self.preprocessor = Preprocessor(definitions)
        super().__init__(self.preprocessor.run(source))
        self._variables: list[Variable] = []
        self._proctypes: list[Proctype] = []
        self._claims: list[Proctype] = []
        self._traces: list[Proctype] = []
        self._properties: list[tuple[Token, str, list[Token]]] = []

    def specification(self) -> Specification:
        """The model; raises everything that is wrong with its text."""
        while self.token.kind is not END:
            place = self.at
            try:
                self._unit()
            except InputError as error:
                self.report(error)
                self._recover_unit(place)
        properties = []
        for start, name, tokens in self._properties:
            try:
                properties.append(self._property(start, name, tokens))
            except InputError as error:
                self.report(error)
        self.finish()
        return Specification(
            tuple(self._variables),
            tuple(self.structs.values()),
            self.mtypes,
            tuple(self._proctypes),
            tuple(properties),
            tuple(self._claims),
            tuple(self._traces),
        )

    def formula(self, source: Source) -> Expression:
        """A formula or an expression, in the global scope; macros of the model can be used in it."""
        tokens = self.preprocessor.run(source)
        return self._formula(tokens)

    # ------------------------------------------------------------ declarations

    def _recover_unit(self, place: int) -> None:
        """Continues at the next declaration behind a place."""
        self.depth, self.owner = 0, None
        del self.scopes[1:]
        depth, at = 0, place
        while at < len(self.tokens) - 1:
            token = self.tokens[at]
            if at > place and at >= self.at and depth <= 0 and token.kind == NAME and token.text in _STARTERS:
                break
            if token.kind == "operator":
                depth += (token.text == "{") - (token.text == "}")
            at += 1
            if at >= self.at and depth <= 0 and token.text in (";", "}") and token.kind == "operator":
                break
        self.at = max(at, place + 1)

    def _unit(self) -> None:
        token = self.token
        if token.kind == EMBEDDED:
            self.take()
            raise embedded(token)
        if self.is_next(";"):
            self.take()
        elif token.text in ("proctype", "active", "D_proctype"):
            self._proctype()
        elif token.text == "init":
            self.take()
            self._proctypes.append(self._process("init", token, (), 1))
        elif token.text == "never":
            self.take()
            name = self.take().text if self.token.kind == NAME else "never"
            self._claims.append(self._process(name, token, (), 0))
        elif token.text in ("trace", "notrace"):
            self.take()
            self._traces.append(self._process(token.text, token, (), 0))
        elif token.text == "ltl":
            self._ltl()
        elif token.text == "inline":
            self._inline()
        elif token.text == "typedef":
            self._typedef()
        elif token.text == "mtype" and not self.is_declaration():
            self._mtypes()
        elif token.text in ("xr", "xs"):
            self._unlabelled()
        elif self.is_declaration():
            self._variables += self.declaration()
        else:
            expected = (
                "a declaration: a type, 'proctype', 'active', 'init', 'ltl', 'never', 'inline' or 'typedef'"
            )
            raise self.unexpected(expected)

    def _mtypes(self) -> None:
        self.take()
        subtype = self.take().text if self.skip(":") else ""
        self.skip("=")
        self.expect("{", "before the names")
        names = []
        while not self.is_next("}"):
            names.append(self.new_name("a name"))
            self.skip(",")
        self.take()
        known = self.mtypes.setdefault(subtype, {})
        first = len(known)
        for number, name in enumerate(names):
            if self.mtype(name.text) is not None or self.find(name.text) is not None:
                self.report(input_error(Code.NAME_CLASH, f"'{name.text}' is declared twice", name.span))
            # SPIN numbers them from the right to the left
            known[name.text] = first + len(names) - number
        if len(known) > 255:
            raise input_error(Code.RANGE, "there are more than 255 mtypes", names[-1].span)

    def _typedef(self) -> None:
        self.take()
        name = self.new_name("the name of the type")
        self.expect("{", "before the fields")
        self.scopes.append({})
        fields: list[Variable] = []
        while not self.is_next("}"):
            if self.skip(";"):
                continue
            if not self.is_declaration():
                raise self.unexpected("the declaration of a field")
            fields += self.declaration()
        self.scopes.pop()
        self.take()
        if name.text in self.structs:
            raise input_error(Code.NAME_CLASH, f"'{name.text}' is declared twice", name.span)
        self.structs[name.text] = Struct(name.text, tuple(fields), name.span)

    def _inline(self) -> None:
        self.take()
        name = self.new_name("the name of the inline")
        self.expect("(", "after the name")
        parameters = []
        while not self.is_next(")"):
            parameters.append(self.new_name("the name of a parameter").text)
            if not self.skip(","):
                break
        self.expect(")", "after the parameters")
        if not self.is_next("{"):
            raise self.unexpected("'{' before the statements")
        end = self.closing(self.at)
        body = tuple(self.tokens[self.at + 1 : end])
        if self.tokens[end].kind is END:
            raise input_error(Code.SYNTAX, f"the body of '{name.text}' is never closed", name.span)
        self.at = end + 1
        if name.text in self.inlines:
            raise input_error(Code.NAME_CLASH, f"'{name.text}' is defined twice", name.span)
        self.inlines[name.text] = Inline(name.text, tuple(parameters), body)

    # ------------------------------------------------------------ processes

    def _proctype(self) -> None:
        active = 0
        start = self.token
        if self.skip("active"):
            active = 1
            if self.skip("["):
                active = constant(self.expression())
                self.expect("]", "after the number of processes")
                if not 0 <= active <= MOST_PROCESSES:
                    message = f"there can be at most {MOST_PROCESSES} processes"
                    raise input_error(Code.RANGE, message, start.span)
        if not self.is_next("proctype", "D_proctype"):
            raise self.unexpected("'proctype' after 'active'")
        is_deterministic = self.take().text == "D_proctype"
        name = self.new_name("the name of the proctype")
        if any(known.name == name.text for known in self._proctypes):
            self.report(input_error(Code.NAME_CLASH, f"'{name.text}' is declared twice", name.span))
        self.expect("(", AFTER_NAME)
        self.owner, self.locals = name.text, []
        self.scopes.append({})
        parameters: list[Variable] = []
        while not self.is_next(")"):
            if self.skip(";") or self.skip(","):
                continue
            if not self.is_declaration():
                raise self.unexpected("the declaration of a parameter")
            parameters += self.declaration()
        self.take()
        for number, parameter in enumerate(parameters):
            if parameter.size is not None:
                message = f"the parameter '{parameter.name}' is an array"
                raise input_error(Code.UNSUPPORTED, message, parameter.span, "SPIN has no such parameters")
            changed = replace(parameter, is_parameter=True)
            parameters[number] = self.scopes[-1][parameter.name] = changed
        process = self._process(name.text, name, tuple(parameters), active)
        self._proctypes.append(replace(process, is_deterministic=is_deterministic))

    def _process(self, name: str, start: Token, parameters: tuple[Variable, ...], active: int) -> Proctype:
        if not parameters and self.owner is None:
            self.scopes.append({})
        self.owner, self.locals = name, []
        provided: Expression | None = None
        while self.is_next("priority", "provided"):
            if self.is_next("priority"):
                self.priority()
                continue
            self.take()
            provided = self.expression()
        if not self.is_next("{"):
            raise self.unexpected(f"'{{' before the statements of '{name}'")
        opening = self.take()
        self.scopes.append({})
        variables = self._leading()
        body = tuple(self.whole_sequence())
        end = self.token
        if end.kind is END:
            raise input_error(Code.SYNTAX, "this brace is never closed", opening.span)
        if not self.is_next("}"):
            raise self.unexpected("a statement or '}'")
        self.take()
        span = self.span_from(start)
        found = Proctype(
            name,
            parameters,
            tuple(variables),
            tuple(self.locals),
            active,
            provided,
            body,
            span,
            end.span,
        )
        del self.scopes[1:]
        self.owner, self.locals = None, []
        return found

    def _leading(self) -> list[Variable]:
        """The declarations before the first statement."""
        found: list[Variable] = []
        while True:
            if self.is_next(";", "->"):
                self.take()
            elif self.token.text in ("xr", "xs") and self.token.kind == NAME:
                self._unlabelled()
            elif self.is_declaration():
                found += self.declaration()
            else:
                return found

    # ------------------------------------------------------------ properties

    def _ltl(self) -> None:
        start = self.take()
        name = self.take().text if self.token.kind == NAME else f"ltl_{len(self._properties)}"
        if not self.is_next("{"):
            raise self.unexpected("'{' before the formula")
        end = self.closing(self.at)
        if self.tokens[end].kind is END:
            raise input_error(Code.SYNTAX, "this formula is never closed", start.span)
        tokens = self.tokens[self.at + 1 : end]
        self.at = end + 1
        if any(known == name for _, known, _ in self._properties):
            raise input_error(Code.NAME_CLASH, f"the property '{name}' is declared twice", start.span)
        self._properties.append((start, name, tokens))

    def _property(self, start: Token, name: str, tokens: list[Token]) -> LtlProperty:
        last = tokens[-1].span if tokens else start.span
        end = Token(END, "", last)
        formula = self._formula([*tokens, end])
        is_plain = bool(tokens) and tokens[0].span.source is last.source and tokens[0].span.start < last.end
        span = start.span.to(last) if is_plain and last.source is start.span.source else start.span
        return LtlProperty(name, formula, span, " ".join(token.text for token in tokens))

    def _formula(self, tokens: list[Token]) -> Expression:
        kept, at = self.tokens, self.at
        self.tokens, self.at, self.depth = tokens, 0, 0
        scopes = self.scopes
        self.scopes = scopes[:1]
        self.reads_formulas = True
        try:
            while self.skip(";"):
                pass
            found = self.expression()
            while self.skip(";"):
                pass
            if self.token.kind is not END:
                raise self.unexpected(AFTER_FORMULA)
            return found
        finally:
            self.reads_formulas = False
            self.tokens, self.at, self.depth = kept, at, 0
            self.scopes = scopes


def has_statements(body: Sequence) -> bool:
    """Whether something is executed in a body."""
    return any(not isinstance(statement, Declare) for statement in body)
