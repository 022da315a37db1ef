"""Random questions about random systems: branching formulas under random assumptions of fairness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.support.oracle.annotations import Note, in_force, random_notes, to_json
from tests.support.oracle.branching import QUANTIFIERS, Branching, branching_text
from tests.support.oracle.conditions import (
    CONNECTIVES,
    Assumption,
    atoms_of,
    condition_text,
    random_assumption,
)
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph, Step, idle


@dataclass(frozen=True)
class Case:
    """A graph, with the steps that are annotated in it, a formula, and which executions are fair."""

    graph: Graph
    formula: Formula
    assumption: Assumption
    finite_paths: bool
    text: str
    fair: str | None
    notes: tuple[Note, ...] = ()

    @property
    def model(self) -> str:
        return to_json(self.graph, self.notes) if self.notes else self.graph.to_json()

    def __str__(self) -> str:
        """What it takes to ask the same question again."""
        return (
            f"\ngraph:        {self.model}\nformula:      {self.text}\nfairness:     {self.assumption.notion}"
            f"\nfair:         {self.fair}\nfinite paths: {self.finite_paths}"
        )

    def oracle(self, **ways: bool) -> Branching:
        return Branching(self.graph, self.assumption, finite_paths=self.finite_paths, **ways)


def random_structure(rng: Random, max_states: int = 8, max_transitions: int = 16) -> Graph:
    """A graph all of whose states can be reached, with deadlocks, loops, nondeterminism and shared steps."""
    states = min(max_states, rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8]))
    events = ["a", "b", "c"][: rng.randint(1, 3)]
    processes = ["P", "Q", "S"][: rng.randint(1, 3)]
    owners = {e: _participants(rng, processes) for e in events} if rng.random() < 0.5 else None
    deadlock = rng.choice([0.0, 0.1, 0.3])
    order = rng.sample(range(states), states)
    steps: list[Step] = []

    def add(source: int, target: int) -> None:
        event = rng.choice(events)
        who = owners[event] if owners else _participants(rng, processes)
        steps.append(Step(source, event, target, who))

    for place, state in enumerate(order[1:]):
        add(order[rng.randint(0, place)], state)
    ends = {state for state in order if rng.random() < deadlock}
    for source in order:
        for _ in range(0 if source in ends else rng.choice([0, 1, 1, 2, 2, 3])):
            back = rng.random()
            add(source, source if back < 0.15 else order[0] if back < 0.3 else rng.choice(order))
    distinct = list(dict.fromkeys(steps))[:max_transitions]
    rng.shuffle(distinct)
    props = {
        name: frozenset(s for s in range(states) if rng.random() < 0.5)
        for name in ["p", "q", "r", "t"][: rng.randint(1, 4)]
    }
    return Graph(states, order[0], tuple(distinct), props)


def _participants(rng: Random, processes: list[str]) -> frozenset[str]:
    shared = len(processes) > 1 and rng.random() < 0.25
    return frozenset(rng.sample(processes, 2 if shared else 1))


def random_ctl(rng: Random, atoms: Sequence[Formula], operators: int) -> Formula:
    """A formula of CTL; a quantifier with its operator counts as one."""
    if operators == 0:
        return (rng.choice(["true", "false"]),) if rng.random() < 0.05 else rng.choice(atoms)
    left = rng.randint(0, operators - 1)
    chance = rng.random()
    if chance < 0.1:
        return ("not", random_ctl(rng, atoms, operators - 1))
    if chance < 0.35:
        f, g = random_ctl(rng, atoms, left), random_ctl(rng, atoms, operators - 1 - left)
        return (rng.choice(list(CONNECTIVES)), f, g)
    if chance < 0.7:
        path: Formula = (rng.choice("XFGFG"), random_ctl(rng, atoms, operators - 1))
    else:
        f, g = random_ctl(rng, atoms, left), random_ctl(rng, atoms, operators - 1 - left)
        path = (rng.choice("URWU"), f, g)
    return (rng.choice(QUANTIFIERS), path)


def random_path(rng: Random, temporal: int, state_formula: Callable[[], Formula]) -> Formula:
    """A path formula with so many temporal operators over some state formulas."""

    def path(left: int) -> Formula:
        if left == 0:
            return state_formula()
        chance = rng.random()
        if chance < 0.45:
            return (rng.choice("XFG"), path(left - 1))
        if chance < 0.55:
            return ("not", path(left))
        share = rng.randint(0, left)
        if chance < 0.8:
            return (rng.choice(list(CONNECTIVES)), path(share), path(left - share))
        share = rng.randint(0, left - 1)
        return (rng.choice("URW"), path(share), path(left - 1 - share))

    return path(temporal)


def random_ctl_star(rng: Random, atoms: Sequence[Formula]) -> Formula:
    """A quantifier before a path formula, sometimes with quantifiers inside."""

    def state_formula() -> Formula:
        return random_ctl(rng, atoms, 1) if rng.random() < 0.2 else rng.choice(atoms)

    return (rng.choice(QUANTIFIERS), random_path(rng, rng.randint(2, 3), state_formula))


def random_linear(rng: Random, atoms: Sequence[Formula]) -> Formula:
    """What LTL can say: all executions satisfy a formula without quantifiers."""
    path = random_path(rng, rng.randint(1, 3), lambda: rng.choice(atoms))
    around = rng.random()
    if around < 0.2:
        path = ("G", ("F", path))
    elif around < 0.4:
        path = ("F", ("G", path))
    return ("A", path)


def random_case(rng: Random, formula_of: Callable[[Random, Sequence[Formula]], Formula]) -> Case:
    graph = random_structure(rng)
    notes = random_notes(rng, graph) if rng.random() < 0.1 else []
    assumption = random_assumption(rng, graph, in_force(graph, notes))
    formula = formula_of(rng, atoms_of(graph))
    condition = assumption.condition
    fair = None if condition is None else condition_text(condition, rng.choice)
    return Case(
        graph, formula, assumption, rng.random() < 0.3, branching_text(formula, rng), fair, tuple(notes)
    )


def random_question(
    seed: int, of_kind: Callable[[Random], Case], answer: Callable[[Branching, Formula], object]
) -> Case:
    """A random case. Fairness rarely matters to a formula, so half of the cases are picked where it does."""
    rng = Random(seed)
    telling = rng.random() < 0.5
    for _ in range(20):
        case = of_kind(rng)
        if not telling:
            break
        unfair = replace(case, assumption=Assumption())
        if answer(case.oracle(), case.formula) != answer(unfair.oracle(), case.formula):
            break
    return case


def random_ctl_question(seed: int) -> Case:
    def of_kind(rng: Random) -> Case:
        return random_case(rng, lambda rng, atoms: random_ctl(rng, atoms, rng.randint(1, 8)))

    return random_question(seed, of_kind, Branching.where)


def random_ctl_star_question(seed: int) -> Case:
    return random_question(seed, lambda rng: random_case(rng, random_ctl_star), Branching.where)


def random_linear_question(seed: int) -> Case:
    """A question of LTL: its text has no quantifier, paths are infinite, and the start alone counts."""

    def of_kind(rng: Random) -> Case:
        case = random_case(rng, random_linear)
        return replace(case, finite_paths=False, text=branching_text(case.formula[1]))

    return random_question(seed, of_kind, Branching.verdict)


def steps_of_run(
    graph: Graph, start: int, run: Iterable[tuple[str | None, int, frozenset[str]]]
) -> list[Step]:
    """The steps of a run given by event (None for idling), target and processes, if the graph has them."""
    steps, state = [], start
    for event, target, processes in run:
        step = idle(state) if event is None else Step(state, event, target, processes)
        assert step in graph.steps(state), (state, event, target, processes)
        steps.append(step)
        state = target
    return steps
