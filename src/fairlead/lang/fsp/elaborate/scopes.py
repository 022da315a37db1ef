"""Represents the scope of an instance of a process or assert: its parameters."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.diagnostics import Code, counted, input_error
from fairlead.base.source import Span
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.values import Scope, Value, evaluate
from fairlead.lang.fsp.syntax import Parameter


def instance_scope(
    declarations: Declarations,
    name: str,
    parameters: Sequence[Parameter],
    values: tuple[Value, ...],
    span: Span | None,
) -> Scope:
    """The scope of an instance: its parameters have the values given, or their defaults."""
    if values and len(values) != len(parameters):
        expected = counted(len(parameters), "parameter")
        raise input_error(Code.ARITY, f"'{name}' has {expected}, {len(values)} given", span)
    scope = declarations.globals
    for number, parameter in enumerate(parameters):
        value = values[number] if values else evaluate(parameter.default, declarations.globals)
        scope = scope.bind(parameter.name, value)
    return scope
