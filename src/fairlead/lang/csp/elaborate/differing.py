"""Elaborates names that have values of different types at different times.

A parameter may be an integer in one call and an array in another, and what is received as well. What the
text does with it is checked where it is done: only a step that really uses a value wrongly fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from fairlead.base.diagnostics import Code, Diagnostic, InputError
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.conversions import NOTHING
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.evaluation import fault_message
from fairlead.model.expression import Expression, FunctionCall
from fairlead.model.types import CallFailed, Function


class DifferingNames:
    """The names of a model that mean values of different types; found when they are first asked for."""

    def __init__(self, find: Callable[[], frozenset[str]]) -> None:
        self._find = find
        self._sure: InputError | None = None
        self._failing: dict[Diagnostic, Expression] = {}

    @cached_property
    def names(self) -> frozenset[str]:
        """The parameters and received names, and what may stand for them in macros."""
        return self._find()

    def mentioned(
        self, node: syntax.Node, environment: Mapping[str, Expression], locals_: Mapping[str, object]
    ) -> bool:
        """Whether the types in a text depend on such a name; a local variable may be a copy of one."""
        return any(
            (part.name in environment and part.name in self.names)
            or (part.name in locals_ and bool(self.names))
            for part in nodes_of((node,))
            if isinstance(part, syntax.Name | syntax.Subscript)
        )

    def failing(
        self,
        error: InputError,
        node: syntax.Node,
        environment: Mapping[str, Expression],
        locals_: Mapping[str, object],
    ) -> Expression | None:
        """An expression that fails as an error of types in a node says; None if that is sure to be wrong.

        An error that was sure in a part of the node is sure.
        """
        problem = error.diagnostics[0]
        is_member = problem.span == node.span and isinstance(node, syntax.MethodCall | syntax.FieldAccess)
        if error is self._sure or not (
            problem.code is Code.TYPE or (problem.code is Code.UNKNOWN_NAME and is_member)
        ):
            return None
        if self.mentioned(node, environment, locals_):
            return self._expression(problem)
        self._sure = error
        return None

    def _expression(self, problem: Diagnostic) -> Expression:
        found = self._failing.get(problem)
        if found is None:
            failure = CallFailed(fault_message(Code.TYPE, problem.message), Code.TYPE)

            def fail(_words: object) -> int:
                raise failure

            found = FunctionCall(Function("type", fail), (), NOTHING, problem.span)
            self._failing[problem] = found
        return found


#: before anything is known, and while it is found out, every error of types is sure
NONE_DIFFERS = DifferingNames(frozenset)
