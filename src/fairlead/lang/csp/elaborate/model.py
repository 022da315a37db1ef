"""A CSP# model, loaded: its assertions, and a Network for each process that is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairlead.errors import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.behaviour import CspBehaviour
from fairlead.lang.csp.elaborate.declarations import Declarations, collect
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator
from fairlead.lang.csp.elaborate.positions import Frame, PositionTable
from fairlead.lang.csp.elaborate.variables import elaborate_variables
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.expression import Expression, Type
from fairlead.model.network import Network


@dataclass
class CspModel:
    """The elaborated declarations of a model file."""

    specification: syntax.Specification
    declarations: Declarations
    expressions: ExpressionElaborator
    initial_values: tuple[tuple[int, ...], ...]
    _networks: dict[str, Network] = field(default_factory=dict)

    def network(self, call: syntax.Call) -> Network:
        """The closed system of a process call such as `System()` or `Phil(1)`."""
        table = PositionTable(self.expressions, self.declarations.processes)
        name = self.process_name(call)
        if name not in self._networks:
            table.definition(call)
            behaviour = CspBehaviour(table, self.declarations, name)
            root = table.local_state((Frame(call),))
            variables = tuple(self.expressions.variables.values())
            self._networks[name] = Network(name, variables, self.initial_values, behaviour, root)
        return self._networks[name]

    def process_name(self, call: syntax.Call) -> str:
        """The canonical text of a process call."""
        values = [" ".join(argument.span.text.split()) for argument in call.arguments]
        return f"{call.process}({','.join(values)})"

    def condition(self, node: syntax.Expression) -> Expression:
        """A state proposition: a boolean expression over the shared variables."""
        return self.expressions.condition(node, GLOBAL)

    def event_argument(self, node: syntax.Expression) -> tuple[int, Type]:
        """The value of an argument of an event named in a formula."""
        value = self.expressions.elaborate(node, GLOBAL)
        kind = value.type
        return (int(value.value != 0) if kind is Type.BOOL else value.value, kind) if hasattr(
            value, "value"
        ) else _not_constant(node)

    def event_names(self) -> dict[str, int]:
        """The names of events in the text, each with the number of its arguments."""
        return {
            node.name: len(node.arguments)
            for node in nodes_of(self.specification.declarations)
            if isinstance(node, syntax.Event) and node.name != "tau"
        }


def _not_constant(node: syntax.Expression) -> tuple[int, Type]:
    raise input_error(Code.NOT_CONSTANT, "an argument of an event must be a constant here", node.span)


def elaborate(specification: syntax.Specification, overrides: Mapping[str, syntax.Expression]) -> CspModel:
    """Gives the declarations of a model their meaning; processes are looked at when they are asked for."""
    declarations = collect(specification, overrides)
    expressions = ExpressionElaborator(declarations)
    initial_values = elaborate_variables(expressions, specification)
    return CspModel(specification, declarations, expressions, initial_values)
