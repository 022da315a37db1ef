"""Safety, progress and formulas of FSP machines, straight from the definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.support.oracle.fsp import Interpreter, Target
from tests.support.oracle.fsp_formulas import FluentOf, judged_graph
from tests.support.oracle.fsp_machines import ERROR, Lts
from tests.support.oracle.progress import TerminalStates, terminal_sets
from tests.support.oracle.verdict import Product, find_component

SafetyAnswer = tuple[str, int | None]


def safety(machine: Lts) -> SafetyAnswer:
    """("ok", None), ("deadlock", length) or ("property", length): the nearest; ERROR wins where both are."""
    found: list[tuple[int, int, str]] = []
    distance = {0: 0}
    for state in (queue := [0]):
        if not machine.steps[state] and state not in machine.ends:
            found.append((distance[state], 1, "deadlock"))
        for _, target in machine.steps[state]:
            if target == ERROR:
                found.append((distance[state] + 1, 0, "property"))
            elif target not in distance:
                distance[target] = distance[state] + 1
                queue.append(target)
    length, _, kind = min(found, default=(None, 0, "ok"))
    return kind, length


@dataclass(frozen=True)
class Test:
    """One of the actions must occur again and again, if one of the condition's (where there is one) does."""

    actions: frozenset[str]
    condition: frozenset[str] | None = None

    def is_met(self, occurring: frozenset[str]) -> bool:
        return bool(self.actions & occurring) or not (self.condition is None or self.condition & occurring)


def progress_tests(interpreter: Interpreter, alphabet: frozenset[str]) -> dict[str, list[Test]]:
    """Each progress property by name; or, if there is none, that every action occurs."""
    names = interpreter.names
    found: dict[str, list[Test]] = {}
    for definition in interpreter.progress:
        for values, env in names.assignments(definition.indices, interpreter.constants):
            given = definition.condition
            condition = None if given is None else frozenset(names.texts(given, env))
            test = Test(frozenset(names.texts(definition.actions, env)), condition)
            found[".".join([definition.name, *map(str, values)])] = [test]
    return found or {"default": [Test(frozenset([label])) for label in sorted(alphabet)]}


def bad_terminal_sets(machine: Lts, tests: Mapping[str, Sequence[Test]]) -> dict[str, list[TerminalStates]]:
    """The terminal sets that violate each property, for those that are violated; ERROR is one of them."""
    ends = terminal_sets(judged_graph(machine, {}))
    bad = {name: [e for e in ends if not all(t.is_met(e.actions) for t in ts)] for name, ts in tests.items()}
    return {name: sets for name, sets in bad.items() if sets}


def satisfied(
    interpreter: Interpreter, target: Target, name: str, *notions: str, machine: Lts | None = None
) -> dict[str, bool]:
    """Whether an assert is true of a target, under each notion of fairness."""
    fluents: dict[str, FluentOf] = {}
    formula = interpreter.formulas.asserted(name, fluents)
    graph = judged_graph(machine or target.checked(), fluents)
    # position 0 of FSP is the state after the first action
    product = Product(graph, ("X", formula))
    return {notion: find_component(product, notion) is None for notion in notions}
