"""Elaborates calls of library functions, methods and constructors, and checks their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from fairlead.base.diagnostics import Code, counted, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.complaints import no_type
from fairlead.lang.csp import syntax
from fairlead.lang.csp.library.library import ClassType
from fairlead.lang.csp.library.operations import HintProblem, Operation
from fairlead.model.expression import Expression, FunctionCall, Local, LocalElement, Shared, SharedElement
from fairlead.model.folding import fold
from fairlead.model.program import Store

if TYPE_CHECKING:
    from fairlead.lang.csp.elaborate.expressions import ExpressionElaborator, Names

Made = TypeVar("Made")


class CallElaborator:
    """Elaborates calls of one model's library."""

    def __init__(self, expressions: ExpressionElaborator) -> None:
        self._expressions = expressions
        self._library = expressions.library

    def function(self, node: syntax.Invocation, names: Names) -> Expression | None:
        """`call(f, …)`, or None if the library has no such function."""
        if node.function not in self._library.function_names():
            return None
        name = node.function
        operation = self._usable(lambda: self._library.function(name), f"the function '{name}'", node.span)
        return self._value(operation, self._arguments(operation, node.arguments, node.span, names), node.span)

    def new(self, node: syntax.NewObject, names: Names) -> Expression:
        """`new T(…)`."""
        kind = self.kind(node.type_name, node.span)
        operation = self._usable(kind.constructor, f"the type '{kind.name}'", node.span)
        return self._value(operation, self._arguments(operation, node.arguments, node.span, names), node.span)

    def kind(self, name: str, span: Span) -> ClassType:
        """The type with a name."""
        known = self._library.type_names()
        if name not in known:
            own = "a type of your own is written in Python: docs/reference/python-types.md"
            hint = nearest(name, known) or own
            raise no_type(name, span, hint)
        return self._usable(lambda: self._library.class_type(name), f"the type '{name}'", span)

    def method(self, node: syntax.MethodCall, names: Names) -> Expression:
        """`v.Method(…)` as a value; if it changes `v` too, that goes into the program around it."""
        operation, arguments, receiver = self._method(node, names)
        if operation.value is None:
            raise input_error(
                Code.TYPE,
                f"'{node.method}' gives no value; it only changes '{node.receiver.name}'",
                node.span,
            )
        value = self._value(operation, (receiver, *arguments), node.span)
        if operation.effect is None:
            return value
        assert names.effects is not None
        kept = names.effects.keep(value)
        self._change(operation, receiver, arguments, node, names)
        return kept

    def statement(self, node: syntax.MethodCall, names: Names) -> None:
        """`v.Method(…);`: its effect goes into the program, its value is not needed."""
        operation, arguments, receiver = self._method(node, names)
        assert names.effects is not None
        if operation.effect is None:  # it may still fail
            names.effects.keep(self._value(operation, (receiver, *arguments), node.span))
        else:
            self._change(operation, receiver, arguments, node, names)

    def field(self, node: syntax.FieldAccess, names: Names) -> Expression:
        """`v$Field`."""
        receiver = self._expressions.elaborate(node.receiver, names)
        kind = self._class_of(receiver, node.receiver)
        name = node.field_name
        if name not in kind.fields():
            raise input_error(
                Code.UNKNOWN_NAME, f"a {kind.name} has no '{name}'", node.span, nearest(name, kind.fields())
            )
        operation = self._usable(lambda: kind.field(name), f"'{name}' of '{kind.name}'", node.span)
        return self._value(operation, (receiver,), node.span)

    # ------------------------------------------------------------ inside

    def _method(
        self, node: syntax.MethodCall, names: Names
    ) -> tuple[Operation, tuple[Expression, ...], Expression]:
        receiver = self._expressions.elaborate(node.receiver, replace(names, effects=None))
        kind = self._class_of(receiver, node.receiver)
        name = node.method
        if name not in kind.methods():
            raise input_error(
                Code.UNKNOWN_NAME,
                f"a {kind.name} has no method '{name}'",
                node.span,
                nearest(name, kind.methods()) or f"it has {', '.join(sorted(kind.methods()))}",
            )
        operation = self._usable(lambda: kind.method(name), f"'{name}' of '{kind.name}'", node.span)
        if operation.effect is not None and names.effects is None:
            raise input_error(
                Code.TYPE,
                f"'{name}' changes '{node.receiver.name}', so it can only be called in a program",
                node.span,
                f"put it into the {{…}} of an event, as in 'e{{{node.span.text};}} -> P'",
            )
        # what the arguments change is changed before the object is examined, but after its index is
        position = 0 if names.effects is None else len(names.effects.parts)
        arguments = self._arguments(operation, node.arguments, node.span, names)
        if names.effects is not None and isinstance(receiver, SharedElement | LocalElement):
            receiver = names.effects.indexed_before(receiver, position)
        return operation, arguments, receiver

    def _class_of(self, receiver: Expression, node: syntax.Name | syntax.Subscript) -> ClassType:
        if not isinstance(receiver.type, ClassType):
            raise input_error(
                Code.TYPE,
                f"'{node.span.text}' is {receiver.type.phrase}; only values of library types have methods",
                node.span,
                "declare it as in 'var<List> v;'",
            )
        return receiver.type

    def _arguments(
        self, operation: Operation, nodes: Sequence[syntax.Expression], span: Span, names: Names
    ) -> tuple[Expression, ...]:
        most, least = len(operation.parameters), operation.required
        if not least <= len(nodes) <= most:
            wanted = counted(most, "argument") if least == most else f"{least} to {most} arguments"
            raise input_error(Code.ARITY, f"'{operation.name}' takes {wanted}, {len(nodes)} given", span)
        return tuple(
            self._expressions.in_order(
                [
                    lambda node=node, kind=kind: self._expressions.typed(node, names, kind)  # type: ignore[misc]
                    for node, kind in zip(nodes, operation.parameters, strict=False)
                ],
                names,
            )
        )

    def _value(self, operation: Operation, arguments: tuple[Expression, ...], span: Span) -> Expression:
        assert operation.value is not None
        assert operation.result is not None
        return fold(FunctionCall(operation.value, arguments, operation.result, span))

    def _change(
        self,
        operation: Operation,
        receiver: Expression,
        arguments: tuple[Expression, ...],
        node: syntax.MethodCall,
        names: Names,
    ) -> None:
        assert names.effects is not None
        assert operation.effect is not None
        name = node.receiver.name
        is_fixed = name in names.environment and name not in names.locals
        if is_fixed or not isinstance(receiver, Shared | SharedElement | Local | LocalElement):
            raise input_error(
                Code.TYPE,
                f"'{name}' is not a variable, so '{node.method}' cannot change it",
                node.span,
                "parameters and constants keep their values; copy it with 'var copy = …'",
            )
        changed = fold(FunctionCall(operation.effect, (receiver, *arguments), receiver.type, node.span))
        names.effects.parts.append(Store(receiver, changed, None, None, node.span))

    def _usable(self, make: Callable[[], Made], what: str, span: Span) -> Made:
        try:
            return make()
        except HintProblem as problem:
            raise input_error(Code.LIBRARY, f"{what} cannot be used: {problem}", span) from None
