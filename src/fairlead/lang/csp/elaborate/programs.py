"""Elaborates data operations: the statements attached to events."""

from __future__ import annotations

from dataclasses import replace

from fairlead.base.diagnostics import Code, InputError, counted, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.complaints import defined_by_itself
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.arrays import listed, not_an_array
from fairlead.lang.csp.elaborate.conversions import NOTHING, converted
from fairlead.lang.csp.elaborate.effects import Effects
from fairlead.lang.csp.elaborate.expressions import (
    GLOBAL,
    ExpressionElaborator,
    LocalArray,
    Names,
)
from fairlead.model.expression import (
    Asserted,
    Constant,
    Expression,
    FunctionCall,
    Local,
    LocalElement,
    Shared,
    SharedElement,
    WholeLocal,
    WholeShared,
    reads_shared,
)
from fairlead.model.program import Block, Branch, Loop, Program, Require, Store
from fairlead.model.types import Type
from fairlead.model.values import ArrayType

_NOTHING = Block(())

#: what can be assigned; a call is the element of an array that is one value
Target = Shared | SharedElement | Local | LocalElement | WholeShared | WholeLocal | FunctionCall


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
        program = self.elaborate(block, replace(names, environment=environment))
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
                before = len(parts)
                names = self._declare(statement, names, parts)
                parts[before] = replace(parts[before], place=statement.span)
            else:
                parts.append(self._statement(statement, names))
        return Block(tuple(parts))

    def _statement(self, statement: syntax.Statement, names: Names) -> Program:
        program = self._meant(statement, names)
        if isinstance(statement, syntax.Block):
            return program  # its statements have places of their own
        return replace(program, place=statement.span)

    def _meant(self, statement: syntax.Statement, names: Names) -> Program:
        match statement:
            case syntax.Block():
                return self.elaborate(statement, names)
            case syntax.LocalVariable():
                return self.elaborate(syntax.Block(statement.span, (statement,)), names)
            case syntax.IfStatement(condition=condition, then=then, otherwise=otherwise):
                inner = self._with_effects(names)
                test = self._expressions.condition(condition, inner)
                other: Program = Block((), place=statement.span.left_out)
                if otherwise is not None:
                    other = self._statement(otherwise, names)
                return _after(inner, Branch(test, self._statement(then, names), other))
            case syntax.WhileStatement(condition=condition, body=body):
                inner = self._with_effects(names)
                test = self._expressions.condition(condition, inner)
                # what the condition changes, it changes in every round
                round_ = _and_then(self._statement(body, names), inner)
                return _after(inner, Loop(test, round_, statement.span))
            case syntax.AssertStatement(condition=condition):
                inner = self._with_effects(names)
                test = self._expressions.condition(condition, inner)
                return _after(inner, Require(Asserted(test, Type.BOOL, statement.span)))
            case syntax.ExpressionStatement(expression=expression):
                try:
                    return self._effect(expression, names)
                except InputError as error:
                    failing = self._expressions.failing(error, expression, names)
                    test = converted(failing, Type.BOOL, expression.span)
                    return Require(Asserted(test, Type.BOOL, expression.span))

    def _effect(self, expression: syntax.Expression, names: Names) -> Program:
        match expression:
            case syntax.Assignment():
                return self._assignment(expression, names)
            case syntax.Name(name=name):
                return self._fragment(name, (), expression.span, names)
            case syntax.Invocation(function=name, arguments=arguments):
                if name in self._expressions.declarations.defines:
                    return self._fragment(name, arguments, expression.span, names)
                inner = self._with_effects(names)
                assert inner.effects is not None
                inner.effects.keep(self._expressions.elaborate(expression, inner))  # it may fail
                return _after(inner, _NOTHING)
            case syntax.MethodCall():
                inner = self._with_effects(names)
                self._expressions.calls.statement(expression, inner)
                return _after(inner, _NOTHING)
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
            raise defined_by_itself(f"'{name}'", define.name_span)
        inner = self._with_effects(names)
        values = self._expressions.all_of(arguments, inner)
        self._expanding.append(name)
        try:
            return _after(
                inner, self.elaborate(define.body, Names(dict(zip(parameters, values, strict=True))))
            )
        finally:
            self._expanding.pop()

    # ------------------------------------------------------------ variables

    def _declare(self, statement: syntax.LocalVariable, names: Names, parts: list[Program]) -> Names:
        if statement.dimensions or isinstance(statement.initial, syntax.Record):
            return self._declare_array(statement, names, parts)
        assert not isinstance(statement.initial, syntax.Record)
        initial: Expression = Constant(0)
        inner = self._with_effects(names)
        if statement.initial is not None:
            initial = self._expressions.elaborate(statement.initial, inner)
        local = Local(self._take_slots(1), statement.name, initial.type)
        parts.append(_after(inner, Store(local, initial, None, None, statement.span)))
        return replace(names, locals={**names.locals, statement.name: local})

    def _declare_array(self, statement: syntax.LocalVariable, names: Names, parts: list[Program]) -> Names:
        values: list[Expression] = []
        if isinstance(statement.initial, syntax.Record):
            values = listed(self._expressions, statement.initial, names)
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
        return replace(names, locals={**names.locals, statement.name: array})

    def _take_slots(self, count: int) -> int:
        slot = self._next_slot
        self._next_slot += count
        return slot

    def _with_effects(self, names: Names) -> Names:
        """The names for an expression whose method calls may change things."""
        return replace(names, effects=Effects(self._take_slots))

    def _assignment(self, node: syntax.Assignment, names: Names) -> Program:
        before: tuple[Program, ...] = ()
        value_node = node.value
        if isinstance(value_node, syntax.Assignment):  # x = y = e
            before = (self._assignment(value_node, names),)
            value_node = value_node.target
        inner = self._with_effects(names)
        store = _after(inner, self._store(node, self._target(node.target, inner), value_node, inner))
        name = node.target.name
        if name in self._expressions.undeciding and name not in names.locals:
            store = _NOTHING
        return Block((*before, store)) if before else store

    def _store(
        self, node: syntax.Assignment, target: Target, value_node: syntax.Expression, names: Names
    ) -> Program:
        assert names.effects is not None
        position = len(names.effects.parts)
        value = self._expressions.elaborate(value_node, names)
        if isinstance(target, SharedElement | LocalElement):
            target = names.effects.indexed_before(target, position)
        if target.type is NOTHING:  # it failed before
            target = replace(target, type=value.type)
        value = converted(value, target.type, value_node.span)
        if isinstance(target, WholeShared | WholeLocal):
            return self._spread(target, value, node.span)
        if isinstance(target, FunctionCall):  # an element of an array that is one value
            array, index = target.arguments
            assert isinstance(array, Local)
            assert isinstance(array.type, ArrayType)
            changed = FunctionCall(
                array.type.replacing(array.name), (array, index, value), array.type, node.span
            )
            return Store(array, changed, None, None, node.span)
        low, high = self._declared_range(target)
        return Store(target, value, low, high, node.span)

    def _spread(self, target: WholeShared | WholeLocal, value: Expression, span: Span) -> Program:
        """An array assigned as a whole: it must have as many elements."""
        kind = target.type
        assert isinstance(kind, ArrayType)
        parts: list[Program] = []
        items: list[Expression]
        if isinstance(value, WholeShared | WholeLocal) and value.size == target.size:
            items = [_place(value, index, span) for index in range(value.size)]
        else:
            kept = Local(self._take_slots(1), target.name, kind)
            size = Constant(target.size)
            fitting = FunctionCall(kind.fitting(target.name, target.size), (value, size), kind, span)
            parts.append(Store(kept, fitting, None, None, span))
            read = kind.element_of(target.name)
            items = [
                FunctionCall(read, (kept, Constant(index)), kind.element, span)
                for index in range(target.size)
            ]
        for index, item in enumerate(items):
            place = _place(target, index, span)
            low, high = self._declared_range(place)
            parts.append(Store(place, item, low, high, span))
        return Block(tuple(parts))

    def _target(self, node: syntax.Name | syntax.Subscript, names: Names) -> Target:
        target = self._expressions.elaborate(node, names)
        if target.type is NOTHING and isinstance(node, syntax.Subscript):
            raise not_an_array(node)
        is_fixed = node.name in names.environment and node.name not in names.locals
        if not is_fixed:
            match target:
                case Shared() | SharedElement() | Local() | LocalElement() | WholeShared() | WholeLocal():
                    return target
                case FunctionCall(arguments=(Local(), _)) if isinstance(node, syntax.Subscript):
                    return target
        raise input_error(
            Code.TYPE,
            f"'{node.name}' is not a variable and cannot be assigned",
            node.span,
            "parameters, index variables and constants keep their values",
        )

    def _declared_range(self, target: Target) -> tuple[int | None, int | None]:
        if not isinstance(target, Shared | SharedElement):
            return None, None
        slot = target.slot if isinstance(target, Shared) else target.base
        for variable in self._expressions.variables.values():
            if variable.slot <= slot < variable.slot + variable.size:
                return variable.low, variable.high
        raise AssertionError(slot)


def _place(array: WholeShared | WholeLocal, index: int, span: Span) -> Shared | LocalElement:
    """One element of an array that is named as a whole."""
    assert isinstance(array.type, ArrayType)
    if isinstance(array, WholeShared):
        return Shared(array.base + index, f"{array.name}[{index}]", array.type.element)
    return LocalElement(array.base, array.size, Constant(index), array.name, array.type.element, span)


def _after(names: Names, program: Program) -> Program:
    """The program after what the expressions before it change."""
    assert names.effects is not None
    if not names.effects.parts:
        return program
    return Block((*names.effects.parts, *((program,) if program != _NOTHING else ())))


def _and_then(program: Program, names: Names) -> Program:
    """The program, and then once more what an expression changes."""
    assert names.effects is not None
    return Block((program, *names.effects.parts)) if names.effects.parts else program


def elaborate_program(
    expressions: ExpressionElaborator,
    block: syntax.Block,
    names: Names = GLOBAL,
    first: Program | None = None,
) -> Program | None:
    """The program of a data operation, or None if it does nothing; `first` is done before it."""
    return ProgramElaborator(expressions).operation(block, names, first)
