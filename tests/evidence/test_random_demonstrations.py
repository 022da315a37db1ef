"""Random runs offered as demonstrations: whatever is accepted must be true."""

from __future__ import annotations

from random import Random

import pytest

from fairlead.evidence.branching import ShowsFormula
from fairlead.evidence.labelling import Labelling
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.validate import problem_with
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import Always, And, Exists, Formula, Next, Not, Or, Until, children, subformulas
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import State, Step, infinite_steps
from fairlead.outcome.demonstration import Branch, Demonstration
from tests.support.small_graphs import enabled, event, executed, graph, meanings, prop

ATOMS = (prop("p"), prop("q"), event("a"), executed("A"), enabled("B"))


def random_formula(rng: Random, size: int) -> Formula:
    """A formula in existential form."""
    if size <= 1:
        atom = rng.choice(ATOMS)
        return atom if rng.random() < 0.7 else Not(atom)
    kind = rng.choice("&|XUGXUGn")
    if kind in "&|":
        cut = rng.randrange(1, size)
        left, right = random_formula(rng, cut), random_formula(rng, size - cut)
        return And(left, right) if kind == "&" else Or(left, right)
    path = random_path(rng, size - 1, "XUG"[rng.randrange(3)] if kind == "n" else kind)
    return Not(path) if kind == "n" else path


def random_path(rng: Random, size: int, kind: str) -> Exists:
    if kind == "X":
        return Exists(Next(random_formula(rng, size)))
    if kind == "G":
        return Exists(Always(random_formula(rng, size)))
    return Exists(Until(random_formula(rng, max(1, size // 2)), random_formula(rng, max(1, size // 2))))


def random_run(rng: Random, system: ExplicitGraph, start: State) -> Run:
    """A random walk, perhaps closed to a lasso where it comes back to a state."""
    steps: list[Step] = []
    visited = [start]
    for _ in range(rng.randint(0, 6)):
        steps.append(rng.choice(infinite_steps(system, visited[-1])))
        visited.append(steps[-1].target)
    back = [place for place, state in enumerate(visited[:-1]) if state == visited[-1]]
    if back and rng.random() < 0.8:
        place = rng.choice(back)
        return Run(start, tuple(steps[:place]), tuple(steps[place:]))
    return Run(start, tuple(steps))


def random_branches(
    rng: Random, system: ExplicitGraph, formula: Formula, start: State, depth: int
) -> tuple[Branch, ...]:
    """A random run for some of the path quantifiers that are not below others."""
    found: list[Branch] = []
    pending = [formula]
    while pending:
        node = pending.pop()
        if not isinstance(node, Exists):
            pending += () if isinstance(node, Not) else children(node)
        elif rng.random() < 0.8:
            branch = Branch(node, random_run(rng, system, start))
            parts = [
                (place, random_branches(rng, system, part, branch.place(place, None)[0], depth + 1))
                for place in range(branch.last + 1)
                for part in children(node.operand)
                if depth < 3 and rng.random() < 0.4
            ]
            found.append(Branch(node, branch.run, tuple(entry for entry in parts if entry[1])))
    return tuple(found)


def random_condition(rng: Random, size: int) -> Condition:
    if size <= 1:
        atom = rng.choice(ATOMS)
        return rng.choice((InfinitelyOften, AlmostAlways))(Not(atom) if rng.random() < 0.4 else atom)
    return rng.choice((AllOf, OneOf))(tuple(random_condition(rng, size - 1) for _ in range(2)))


def truth(system: ExplicitGraph, formula: Formula, paths: FairPaths) -> bool:
    """The formula at the start, by labels alone."""
    labels = Labelling(system, meanings(*ATOMS), paths, lambda: None)
    below = [node for node in subformulas(formula) if isinstance(node, Exists)]
    known = {node: labels.truth(node, 0, None) for node in below}

    def value(node: Formula) -> bool:
        match node:
            case Exists():
                return known[node] is True
            case Not(operand):
                return not value(operand)
            case And(left, right):
                return value(left) and value(right)
            case Or(left, right):
                return value(left) or value(right)
        if node in (prop("p"), prop("q")):
            return 0 in system.propositions[str(node)]
        return node == enabled("B") and any("B" in step.processes for step in system.steps(0))

    return value(formula)


def offer(rng: Random) -> tuple[bool, bool]:
    """Whether a random demonstration was accepted, and whether its formula is true."""
    arcs = {
        (rng.randrange(4), rng.choice("abc"), rng.choice(("A", "B", "A+B")), rng.randrange(4))
        for _ in range(rng.randint(2, 8))
    }
    system = graph(", ".join(f"{s} {e} {p} {t}" for s, e, p, t in sorted(arcs)), "p 0 1 2, q 1 3")
    conditions = tuple(
        Conjunct("", random_condition(rng, rng.randint(1, 2)), meanings(*ATOMS))
        for _ in range(rng.choice((0, 0, 1, 2)))
    )
    paths = FairPaths(rng.choice(tuple(Fairness)), (), conditions, rng.random() < 0.2)
    formula = random_formula(rng, rng.randint(2, 6))
    shown = Demonstration(formula, 0, random_branches(rng, system, formula, 0, 0))
    problem = problem_with(system, shown.run, ShowsFormula(shown, meanings(*ATOMS), paths))
    return problem is None, truth(system, formula, paths)


def outcomes(seed: int, count: int) -> dict[tuple[bool, bool], int]:
    rng = Random(seed)
    found: dict[tuple[bool, bool], int] = {}
    for _ in range(count):
        outcome = offer(rng)
        found[outcome] = found.get(outcome, 0) + 1
    return found


def test_what_is_accepted_is_true() -> None:
    found = outcomes(3, 600)
    assert found.pop((True, False), 0) == 0
    assert min(found[True, True], found[False, True], found[False, False]) > 20


@pytest.mark.long
def test_what_is_accepted_is_true_of_many() -> None:
    assert (True, False) not in outcomes(4, 20_000)
