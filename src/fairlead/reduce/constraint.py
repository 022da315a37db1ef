"""Builds the machine of a constraint: it can do an action iff its formula can still be satisfied afterwards.

The formula is read on the actions of the machine's alphabet alone; the first one is position 0. Its
automaton, with the fluents, is made deterministic by sets of its states: a set that has become empty is a
violation. That is exact for safety formulas; others are found out, by runs that violate them without an
empty set.
What can still be satisfied may need actions of others: `[](a -> X []!a)` allows one a.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from fairlead.base.records import dataclass
from fairlead.base.source import Source
from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.automata.reduce import reduce
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.ltl import Formula, Not
from fairlead.logic.parsing.parse import parse_ltl
from fairlead.logic.rewrite import simplify
from fairlead.model.components import reachable, strong_components
from fairlead.model.composition import ConstraintFormula, FluentRule, NotSafety
from fairlead.model.machine import Machine
from fairlead.reduce.bisimulation import Equivalence, minimised

#: any action that the constraint does not have
_OTHER = "*"

Valuation = tuple[bool, ...]
Node = TypeVar("Node", bound=Hashable)


def constraint_machine(name: str, constraint: ConstraintFormula) -> Machine:
    """The smallest machine of a safety formula; raises `NotSafety` for others."""
    formula = parse_ltl(Source(name, constraint.text)).formula
    allowed = _Reader(formula, constraint)
    alive = _alive(allowed)
    start = frozenset({(allowed.automaton.initial, allowed.initially)}) & alive
    numbers = {start: 0}
    order = [start]
    rows = []
    for states in order:
        row = []
        for action in (*constraint.alphabet, _OTHER):
            after = frozenset(node for one in states for node, _ in allowed.steps(one, action)) & alive
            if after:
                if after not in numbers:
                    numbers[after] = len(order)
                    order.append(after)
                row.append((action, numbers[after]))
        rows.append(tuple(row))
    if start and _permits_violation(rows, _Reader(Not(formula), constraint)):
        raise NotSafety
    own = tuple(tuple(step for step in row if step[0] != _OTHER) for row in rows)
    return minimised(Machine(name, constraint.alphabet, own), Equivalence.STRONG)


@dataclass(frozen=True)
class _Reader:
    """The automaton of a formula, reading actions; its states come with the values of the fluents."""

    automaton: Automaton
    constraint: ConstraintFormula
    rules: tuple[FluentRule, ...]

    def __init__(self, formula: Formula, constraint: ConstraintFormula) -> None:
        object.__setattr__(self, "automaton", reduce(to_automaton(simplify(formula))))
        object.__setattr__(self, "constraint", constraint)
        object.__setattr__(self, "rules", tuple(constraint.fluents.values()))

    @property
    def initially(self) -> Valuation:
        """The values of the fluents before the first action."""
        return tuple(rule.initially for rule in self.rules)

    def steps(self, node: tuple[int, Valuation], action: str) -> list[tuple[tuple[int, Valuation], int]]:
        """Where an action leads, with the acceptance marks of the step."""
        state, values = node
        after = tuple(
            action in rule.initiating or (value and action not in rule.terminating)
            for rule, value in zip(self.rules, values, strict=True)
        )
        letter = 0
        for bit, atom in enumerate(self.automaton.atoms):
            if atom.text in self.constraint.actions:
                true = action in self.constraint.actions[atom.text]
            else:
                true = after[[rule.name for rule in self.rules].index(atom.text)]
            letter |= true << bit
        return [
            ((step.target, after), step.marks)
            for step in self.automaton.transitions[state]
            if step.allows(letter)
        ]


def _alive(reader: _Reader) -> frozenset[tuple[int, Valuation]]:
    """The nodes from which some infinite word is accepted."""
    actions = (*reader.constraint.alphabet, _OTHER)

    def steps(node: tuple[int, Valuation]) -> list[tuple[tuple[int, Valuation], int]]:
        return [step for action in actions for step in reader.steps(node, action)]

    start = (reader.automaton.initial, reader.initially)
    return _accepting_nodes(start, steps, reader.automaton.all_marks)


def _permits_violation(rows: Sequence[Sequence[tuple[str, int]]], violations: _Reader) -> bool:
    """Whether some infinite run, from the first row, violates the formula."""
    start = (0, (violations.automaton.initial, violations.initially))

    def steps(
        node: tuple[int, tuple[int, Valuation]],
    ) -> list[tuple[tuple[int, tuple[int, Valuation]], int]]:
        state, inner = node
        return [
            ((target, after), marks)
            for action, target in rows[state]
            for after, marks in violations.steps(inner, action)
        ]

    return start in _accepting_nodes(start, steps, violations.automaton.all_marks)


def _accepting_nodes(
    start: Node, steps: Callable[[Node], list[tuple[Node, int]]], all_marks: int
) -> frozenset[Node]:
    """The reachable nodes from which a path meets every mark infinitely often."""
    nodes = list(reachable(start, lambda node: [after for after, _ in steps(node)]))
    numbers = {node: number for number, node in enumerate(nodes)}
    edges = [[(numbers[after], marks) for after, marks in steps(node)] for node in nodes]
    alive = [False] * len(nodes)
    for component in strong_components(len(nodes), lambda number: [after for after, _ in edges[number]]):
        members = set(component)
        inner = [marks for number in component for after, marks in edges[number] if after in members]
        seen = 0
        for marks in inner:
            seen |= marks
        good = (bool(inner) and seen & all_marks == all_marks) or any(
            alive[after] for number in component for after, _ in edges[number]
        )
        for number in component:
            alive[number] = good
    return frozenset(node for node, good in zip(nodes, alive, strict=True) if good)
