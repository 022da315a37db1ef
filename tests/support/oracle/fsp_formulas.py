"""Formulas of FSP as plain LTL, the graphs they are judged on, and constraints as machines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

from fairlead.lang.fsp import syntax as fsp
from tests.support.oracle.formulas import TEMPORAL, Formula, subformulas
from tests.support.oracle.fsp_machines import ERROR, Lts, lts, quotient, refined, strong_moves
from tests.support.oracle.fsp_values import Env, Names, Value
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.verdict import Edge, Node, Product, maximal_components

UNARY = {"!": "not", "<>": "F", "[]": "G", "X": "X"}
BINARY = {"&&": "and", "||": "or", "->": "implies", "<->": "iff", "U": "U", "W": "W"}
OTHER = "*"


@dataclass(frozen=True)
class FluentOf:
    """True after an initiating action, until a terminating one."""

    initiating: frozenset[str]
    terminating: frozenset[str]
    initially: bool

    def after(self, value: bool, action: str) -> bool:
        return action in self.initiating or (value and action not in self.terminating)


class Formulas:
    """What formulas mean: asserts are put in place, fluents instantiated, quantifiers written out."""

    def __init__(
        self,
        names: Names,
        constants: Mapping[str, Value],
        fluents: Mapping[str, fsp.FluentDefinition],
        asserts: Mapping[str, fsp.AssertDefinition],
    ) -> None:
        self.names, self.constants, self.asserts = names, constants, asserts
        self.fluents: dict[str, FluentOf] = {}
        for name, definition in fluents.items():
            for values, env in names.assignments(definition.indices, constants):
                initially = definition.initially is not None and names.holds(definition.initially, env)
                self.fluents[".".join([name, *map(str, values)])] = FluentOf(
                    frozenset(names.texts(definition.initiating, env)),
                    frozenset(names.texts(definition.terminating, env)),
                    initially,
                )

    def asserted(self, name: str, used: dict[str, FluentOf]) -> Formula:
        return self._called(name, (), self.constants, used)

    def _called(
        self, name: str, arguments: tuple[fsp.Expression, ...], env: Env, used: dict[str, FluentOf]
    ) -> Formula:
        definition = self.asserts[name]
        given = [self.names.evaluate(e, env) for e in arguments] or [
            self.names.evaluate(p.default, self.constants) for p in definition.parameters
        ]
        inner = dict(zip((p.name for p in definition.parameters), given, strict=True))
        return self.formula(definition.formula, {**self.constants, **inner}, used)

    def formula(self, f: fsp.Formula, env: Env, used: dict[str, FluentOf]) -> Formula:
        """The fluents that occur are noted in `used`."""
        match f:
            case fsp.RigidFormula(condition):
                return ("true",) if self.names.holds(condition, env) else ("false",)
            case fsp.ActionFormula(label):
                return any_of(("event", text) for text in self.names.texts(label, env))
            case fsp.UnaryFormula(operator, operand):
                return (UNARY[operator], self.formula(operand, env, used))
            case fsp.BinaryFormula(operator, left, right):
                return (BINARY[operator], self.formula(left, env, used), self.formula(right, env, used))
            case fsp.QuantifiedFormula(is_forall, indices, body):
                parts = [self.formula(body, inner, used) for _, inner in self.names.assignments(indices, env)]
                return reduce(lambda g, h: ("and" if is_forall else "or", g, h), parts)
            case fsp.NamedFormula(name, indices, arguments):
                if name in self.asserts:
                    return self._called(name, arguments, env, used)
                if not indices and name in self.names.sets:
                    return any_of(("event", text) for text in self.names.sets[name])
                chosen = [
                    ".".join([name, *map(str, values)]) for values, _ in self.names.assignments(indices, env)
                ]
                used |= {fluent: self.fluents[fluent] for fluent in chosen}
                return any_of(("prop", fluent) for fluent in chosen)
        raise AssertionError(f)


def any_of(parts: Iterable[Formula]) -> Formula:
    return reduce(lambda g, h: ("or", g, h), parts)


def temporal_operators(formula: Formula) -> int:
    return sum(f[0] in TEMPORAL for f in subformulas(formula))


def judged_graph(machine: Lts, fluents: Mapping[str, FluentOf]) -> Graph:
    """A machine with fluents as propositions; ERROR is a state where nothing happens any more."""
    start = (0, tuple(f.initially for f in fluents.values()))
    numbers = {start: 0}
    queue = [start]
    steps: list[Step] = []
    for state in queue:
        local, values = state
        for action, target in machine.steps[local] if local != ERROR else ():
            new = tuple(f.after(v, action) for f, v in zip(fluents.values(), values, strict=True))
            after = (target, new)
            if after not in numbers:
                numbers[after] = len(queue)
                queue.append(after)
            steps.append(Step(numbers[state], action, numbers[after], frozenset()))
    props = {
        name: frozenset(numbers[state] for state in queue if state[1][slot])
        for slot, name in enumerate(fluents)
    }
    return Graph(len(queue), 0, tuple(dict.fromkeys(steps)), props)


def constraint_machine(formula: Formula, fluents: Mapping[str, FluentOf], extra: Iterable[str]) -> Lts:
    """Allows the words over its alphabet that can still continue, forever, so that the formula is true.

    Its alphabet is what the formula names; whatever else the system does is no step of the constraint.
    """
    actions = {f[1] for f in subformulas(formula) if f[0] == "event"} | set(extra)
    for fluent in fluents.values():
        actions |= fluent.initiating | fluent.terminating
    anything = Lts(frozenset(actions), (tuple((a, 0) for a in [*sorted(actions), OTHER]),))
    graph = judged_graph(anything, fluents)
    satisfying = Product(graph, ("not", ("X", formula)))
    live = _nodes_that_can_go_on(satisfying)
    outgoing: dict[Node, list[Edge]] = {}
    for edge in satisfying.edges:
        if edge.target in live:
            outgoing.setdefault(edge.source, []).append(edge)

    def successors(state: object) -> list[tuple[str, object]]:
        assert isinstance(state, frozenset)
        found: list[tuple[str, object]] = []
        for action in sorted(actions):
            targets = frozenset(
                e.target for node in state for e in outgoing.get(node, ()) if e.step.event == action
            )
            if targets:
                found.append((action, targets))
        return found

    made, _ = lts(actions, successors, frozenset(n for n in satisfying.initial if n in live))
    return quotient(made, refined(made, strong_moves(made)))


def _nodes_that_can_go_on(product: Product) -> set[Node]:
    found: set[Node] = set()
    for component in maximal_components(product.edges):
        if product.meets_eventualities(component):
            found |= {edge.source for edge in component}
    while more := {e.source for e in product.edges if e.target in found} - found:
        found |= more
    return found
