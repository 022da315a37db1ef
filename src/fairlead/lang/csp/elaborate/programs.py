"""Data operations: the statements attached to events."""

from __future__ import annotations

from fairlead.errors import Code, counted, input_error, nearest
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.declarations import unsupported
from fairlead.lang.csp.elaborate.expressions import (
    GLOBAL,
    ExpressionElaborator,
    LocalArray,
    Names,
    mismatch,
)
from fairlead.lang.source import Span
from fairlead.model.expression import (
    Block,
    Branch,
    Constant,
    Expression,
    Local,
    LocalElement,
    Loop,
    Program,
    Shared,
    SharedElement,
    Store,
    reads_shared,
)

_NOTHING = Block(())


class ProgramElaborator:
    """Elaborates one data operation; local variables get slots of their own, in order of declaration."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self._expressions = expressions
        self._next_slot = 0
        self._expanding: list[str] = []

    def operation(self, block: syntax.Block, names: Names, first: Program | None = None) -> Program | None:
        """The program of a data operation, or None if it does nothing; `first` is done before it.

        A parameter may stand for an expression over shared variables (a call reads its arguments at its
        first step, a received value is read from the channel); it keeps the value it had before the step.
        """
        before: list[Program] = []
        environment = dict(names.environment)
        for name, value in names.environment.items():
            if reads_shared(value):
                kept = Local(self._take_slots(1), name, value.type)
                before.append(Store(kept, value, None, None, block.span))
                environment[name] = kept
        program = self.elaborate(block, Names(environment, names.locals))
        if program == _NOTHING:
            return first
        if first is not None:
            before.append(first)
        return Block((*before, program)) if before else program

    def elaborate(self, block: syntax.Block, names: Names) -> Program:
        """The program of a block; its local variables are gone after it."""
        parts: list[Program] = []
        for statement in block.statements:
            if isinstance(statement, syntax.LocalVariable):
                names = self._declare(statement, names, parts)
            else:
                parts.append(self._statement(statement, names))
        return Block(tuple(parts))

    def _statement(self, statement: syntax.Statement, names: Names) -> Program:
        match statement:
            case syntax.Block():
                return self.elaborate(statement, names)
            case syntax.LocalVariable():
                return self.elaborate(syntax.Block(statement.span, (statement,)), names)
            case syntax.IfStatement(condition=condition, then=then, otherwise=otherwise):
                test = self._expressions.condition(condition, names)
                other = _NOTHING if otherwise is None else self._statement(otherwise, names)
                return Branch(test, self._statement(then, names), other)
            case syntax.WhileStatement(condition=condition, body=body):
                test = self._expressions.condition(condition, names)
                return Loop(test, self._statement(body, names), statement.span)
            case syntax.ExpressionStatement(expression=expression):
                return self._effect(expression, names)

    def _effect(self, expression: syntax.Expression, names: Names) -> Program:
        match expression:
            case syntax.Assignment():
                return self._assignment(expression, names)
            case syntax.Name(name=name):
                return self._fragment(name, (), expression.span, names)
            case syntax.Invocation(function=name, arguments=arguments):
                return self._fragment(name, arguments, expression.span, names)
            case syntax.MethodCall():
                raise unsupported("library types", expression.span)
        raise input_error(
            Code.NO_EFFECT,
            "this expression has no effect",
            expression.span,
            "an assignment is written with '='",
        )

    def _fragment(
        self, name: str, arguments: tuple[syntax.Expression, ...], span: Span, names: Names
    ) -> Program:
        defines = self._expressions.declarations.defines
        if name not in defines:
            raise input_error(
                Code.UNKNOWN_NAME, f"unknown program fragment '{name}'", span, nearest(name, defines)
            )
        define = defines[name]
        parameters = define.parameters or ()
        if len(parameters) != len(arguments):
            raise input_error(
                Code.ARITY,
                f"'{name}' takes {counted(len(parameters), 'argument')}, {len(arguments)} given",
                span,
            )
        if not isinstance(define.body, syntax.Block):
            raise input_error(Code.NO_EFFECT, f"'{name}' is a value, not a program fragment", span)
        if name in self._expanding:
            raise input_error(Code.UNGUARDED_RECURSION, f"'{name}' is defined by itself", define.name_span)
        bound = {
            parameter: self._expressions.elaborate(argument, names)
            for parameter, argument in zip(parameters, arguments, strict=True)
        }
        self._expanding.append(name)
        try:
            return self.elaborate(define.body, Names(bound))
        finally:
            self._expanding.pop()

    # ------------------------------------------------------------ variables

    def _declare(self, statement: syntax.LocalVariable, names: Names, parts: list[Program]) -> Names:
        if statement.dimensions or isinstance(statement.initial, syntax.Record):
            return self._declare_array(statement, names, parts)
        assert not isinstance(statement.initial, syntax.Record)
        initial: Expression = Constant(0)
        if statement.initial is not None:
            initial = self._expressions.elaborate(statement.initial, names)
        local = Local(self._take_slots(1), statement.name, initial.type)
        parts.append(Store(local, initial, None, None, statement.span))
        return Names(names.environment, {**names.locals, statement.name: local})

    def _declare_array(self, statement: syntax.LocalVariable, names: Names, parts: list[Program]) -> Names:
        values: list[Expression] = []
        if isinstance(statement.initial, syntax.Record):
            for element in statement.initial.elements:
                if isinstance(element, syntax.Interval | syntax.Repeat):
                    raise unsupported("ranges in a local array", element.span)
                values.append(self._expressions.elaborate(element, names))
        dimensions = tuple(self._expressions.constant(size, names) for size in statement.dimensions)
        size = 1
        for dimension in dimensions:
            size *= dimension
        if not dimensions:
            dimensions, size = (len(values),), len(values)
        if size <= 0 or size > 1 << 16 or (values and len(values) != size):
            raise input_error(
                Code.ARITY,
                f"'{statement.name}' has {size} elements, {len(values)} values given",
                statement.span,
            )
        values = values or [Constant(0)] * size
        kind = values[0].type
        array = LocalArray(self._take_slots(size), dimensions, kind)
        for index, value in enumerate(values):
            place = LocalElement(array.base, size, Constant(index), statement.name, kind, statement.span)
            parts.append(Store(place, value, None, None, statement.span))
        return Names(names.environment, {**names.locals, statement.name: array})

    def _take_slots(self, count: int) -> int:
        slot = self._next_slot
        self._next_slot += count
        return slot

    def _assignment(self, node: syntax.Assignment, names: Names) -> Program:
        before: tuple[Program, ...] = ()
        value_node = node.value
        if isinstance(value_node, syntax.Assignment):  # x = y = e
            before = (self._assignment(value_node, names),)
            value_node = value_node.target
        target = self._target(node.target, names)
        value = self._expressions.elaborate(value_node, names)
        if value.type is not target.type:
            raise mismatch(value_node.span, target.type, value.type)
        low, high = self._declared_range(target)
        store = Store(target, value, low, high, node.span)
        return Block((*before, store)) if before else store

    def _target(
        self, node: syntax.Name | syntax.Subscript, names: Names
    ) -> Shared | SharedElement | Local | LocalElement:
        target = self._expressions.elaborate(node, names)
        is_fixed = node.name in names.environment and node.name not in names.locals
        if not is_fixed and isinstance(target, Shared | SharedElement | Local | LocalElement):
            return target
        raise input_error(
            Code.TYPE,
            f"'{node.name}' is not a variable and cannot be assigned",
            node.span,
            "parameters, index variables and constants keep their values",
        )

    def _declared_range(
        self, target: Shared | SharedElement | Local | LocalElement
    ) -> tuple[int | None, int | None]:
        if isinstance(target, Local | LocalElement):
            return None, None
        slot = target.slot if isinstance(target, Shared) else target.base
        for variable in self._expressions.variables.values():
            if variable.slot <= slot < variable.slot + variable.size:
                return variable.low, variable.high
        raise AssertionError(slot)


def elaborate_program(
    expressions: ExpressionElaborator,
    block: syntax.Block,
    names: Names = GLOBAL,
    first: Program | None = None,
) -> Program | None:
    """The program of a data operation, or None if it does nothing; `first` is done before it."""
    return ProgramElaborator(expressions).operation(block, names, first)
