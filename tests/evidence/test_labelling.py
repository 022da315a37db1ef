"""Fair CTL on all that can be reached: against sets computed by hand, and against all sets of edges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from random import Random

import pytest

from fairlead.base.diagnostics import Code, input_error
from fairlead.evidence.conditions import condition_reasons
from fairlead.evidence.fair_loop import is_fair
from fairlead.evidence.labelling import Labelling
from fairlead.evidence.paths import FairPaths
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import TRUE, And, Atom, Exists, Formula, Next, Not, Or, Until, atoms
from fairlead.model.annotation import Annotated
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.run import Run
from fairlead.model.system import State, Step, idle_step
from tests.support.small_graphs import (
    ef,
    eg,
    enabled,
    event,
    ex,
    executed,
    graph,
    meanings,
    prop,
)
from tests.support.tuning import Tune


def nothing() -> None:
    """Nobody is waiting."""


def states(system: ExplicitGraph, formula: Exists, paths: FairPaths | None = None) -> set[int]:
    """Where a formula holds at the start of an execution."""
    known = meanings(*atoms(formula))
    labels = Labelling(system, known, paths or FairPaths(), nothing)
    return {state for state in range(system.state_count) if labels.truth(formula, state, None) is True}


P, Q = prop("p"), prop("q")

#: 0 and 1 go round, 2 is a dead end, 3 loops forever
MAZE = graph("0 a A 1, 1 b B 0, 1 c A 2, 0 d B 3, 3 e B 3", "p 0 1, q 3")


def test_without_fairness() -> None:
    assert states(MAZE, ex(Q)) == {0, 3}
    assert states(MAZE, ef(Q)) == {0, 1, 3}
    assert states(MAZE, eg(P)) == {0, 1}
    assert states(MAZE, eg(Not(Q))) == {0, 1, 2}
    assert states(MAZE, Exists(Until(P, Not(Or(P, Q))))) == {0, 1, 2}
    assert states(MAZE, ef(Not(ef(P)))) == {0, 1, 2, 3}
    assert states(MAZE, eg(Not(ex(Q)))) == {1, 2}


def test_ends_of_paths() -> None:
    ending = FairPaths(finite_paths=True)
    assert states(MAZE, ex(TRUE)) == {0, 1, 2, 3}
    assert states(MAZE, ex(TRUE), ending) == {0, 1, 3}
    assert states(MAZE, ef(Not(Or(P, Q))), ending) == set()
    assert states(MAZE, eg(Not(Q)), ending) == {0, 1}


def test_named_notions() -> None:
    # A is enabled in 0 and 1, and takes part in going round; d of B is enabled in 0 only
    assert states(MAZE, eg(P), FairPaths(Fairness.PROCESS_STRONG)) == {0, 1}
    assert states(MAZE, eg(P), FairPaths(Fairness.EVENT_WEAK)) == {0, 1}
    assert states(MAZE, eg(P), FairPaths(Fairness.EVENT_STRONG)) == set()
    assert states(MAZE, eg(P), FairPaths(Fairness.STRONG_GLOBAL)) == set()
    assert states(MAZE, ef(Q), FairPaths(Fairness.STRONG_GLOBAL)) == {0, 1, 3}
    assert states(MAZE, eg(Q), FairPaths(Fairness.STRONG_GLOBAL)) == {3}


def test_annotations() -> None:
    def annotated(kind: str, *places: int) -> tuple[ExplicitGraph, FairPaths]:
        annotation = Annotated("c", kind)
        system = graph(
            "0 a A 1, 1 b B 0, 1 c A 2, 0 d B 3, 3 e B 3", "p 0 1, q 3", {annotation: frozenset(places)}
        )
        return system, FairPaths(annotations=(annotation,))

    system, paths = annotated("wf", 1)
    assert states(system, eg(P), paths) == {0, 1}
    system, paths = annotated("sf", 1)
    assert states(system, eg(P), paths) == set()
    assert states(system, ef(Q), paths) == {0, 1, 3}
    system, paths = annotated("f", 1)
    assert states(system, ex(TRUE), paths) == set()
    system, paths = annotated("wl", 0, 1)
    assert states(system, eg(P), paths) == set()
    system, paths = annotated("wl", 0)
    assert states(system, eg(P), paths) == {0, 1}


def test_fairness_formulas() -> None:
    def under(condition: Condition, *known: Atom) -> FairPaths:
        return FairPaths(conditions=(Conjunct("", condition, meanings(*known)),))

    round_and_round = under(InfinitelyOften(event("a")), event("a"))
    assert states(MAZE, eg(P), round_and_round) == {0, 1}
    assert states(MAZE, ex(TRUE), round_and_round) == {0, 1}
    assert states(MAZE, ef(Q), round_and_round) == set()
    not_a = under(AlmostAlways(Not(executed("A"))), executed("A"))
    assert states(MAZE, eg(P), not_a) == set()
    assert states(MAZE, ex(TRUE), not_a) == {0, 1, 2, 3}
    strong = OneOf((AlmostAlways(Not(enabled("A"))), InfinitelyOften(Q)))
    assert states(MAZE, eg(TRUE), under(strong, enabled("A"), Q)) == {0, 1, 2, 3}
    assert states(MAZE, eg(Not(Or(P, Q))), under(strong, enabled("A"), Q)) == {2}
    assert states(MAZE, eg(TRUE), under(OneOf(()))) == set()


def test_the_step_into_a_state_counts() -> None:
    system = graph("0 a A 1, 0 b A 1, 1 c A 0")
    formula = ex(And(event("a"), ex(event("c"))))
    assert states(system, formula) == {0}
    labels = Labelling(system, meanings(event("a"), event("b")), FairPaths(), nothing)
    by_a, by_b = system.steps(0)
    now_a = Exists(Until(event("a"), event("b")))
    assert labels.truth(now_a, 1, by_b) is True
    assert labels.truth(now_a, 1, by_a) is False
    assert labels.truth(now_a, 1, None) is False
    always = eg(Or(event("a"), event("b")))
    assert labels.truth(always, 1, by_a) is False


def test_what_is_not_looked_at(tune: Tune) -> None:
    system = graph(", ".join(f"{i} a A {i + 1}" for i in range(30)), "p 30")
    labels = Labelling(system, meanings(P), FairPaths(), nothing)
    assert labels.truth(ef(P), 0, None) is True
    assert labels.truth(Exists(Next(Next(P))), 0, None) == "it is not a formula of CTL"
    tune(labelled_positions=10, labelling_budget=25)
    labels = Labelling(system, meanings(P), FairPaths(), nothing)
    assert labels.truth(ef(P), 0, None) == "more than 10 states"
    assert labels.truth(ef(P), 25, None) is True
    assert labels.truth(ef(P), 27, None) is True  # known already
    assert labels.truth(ef(P), 1, None) == "more than 10 states"
    assert labels.truth(ef(P), 24, None) == "more than 10 states"  # enough was tried


class Failing(ExplicitGraph):
    """A graph that fails in one state."""

    def steps(self, state: State) -> Sequence[Step]:
        if state == 2:
            raise input_error(Code.DIVISION_BY_ZERO, "division by zero")
        return super().steps(state)


def test_a_model_that_fails() -> None:
    system = graph("0 a A 1, 1 a A 2")
    failing = Failing(3, 0, system.transitions, {"p": frozenset()})
    labels = Labelling(failing, meanings(P), FairPaths(), nothing)
    found = labels.truth(ef(P), 0, None)
    assert found == "the model fails in a reachable state: division by zero"


def test_time_limits_are_heeded() -> None:
    class Up(Exception):
        """The time is up."""

    def tick() -> None:
        raise Up

    with pytest.raises(Up):
        Labelling(MAZE, meanings(P), FairPaths(), tick).truth(ef(P), 0, None)


def test_deep_formulas_need_no_stack() -> None:
    formula: Formula = P
    for _ in range(3000):
        formula = ex(Not(Not(formula)))
    assert isinstance(formula, Exists)
    assert states(MAZE, formula) == {0, 1}


# ---------------------------------------------------------------- against all sets of edges


def covering_walk(edges: Sequence[tuple[int, Step]]) -> Run | None:
    """A loop through just these edges, all of them; None if they are not strongly connected."""

    def way(start: int, goal: int) -> list[tuple[int, Step]] | None:
        ways: dict[int, list[tuple[int, Step]]] = {start: []}
        queue = [start]
        for node in queue:
            for edge in edges:
                target = edge[1].target
                assert isinstance(target, int)
                if edge[0] == node and target not in ways:
                    ways[target] = [*ways[node], edge]
                    queue.append(target)
        return ways.get(goal)

    walk: list[tuple[int, Step]] = []
    first = here = edges[0][0]
    for source, step in edges:
        between = way(here, source)
        if between is None:
            return None
        walk += [*between, (source, step)]
        assert isinstance(step.target, int)
        here = step.target
    home = way(here, first)
    return None if home is None else Run(first, (), tuple(step for _, step in (*walk, *home)))


def fair_somewhere(system: ExplicitGraph, inside: set[int], paths: FairPaths) -> set[int]:
    """The states on loops inside a set that are fair, by trying every set of edges."""
    edges = [
        (state, step)
        for state in inside
        for step in system.steps(state) or (() if paths.finite_paths else (idle_step(state),))
        if step.target in inside
    ]
    found: set[int] = set()
    for some in chain.from_iterable(combinations(edges, size) for size in range(1, len(edges) + 1)):
        loop = covering_walk(some)
        if (
            loop is not None
            and is_fair(system, loop, paths.fairness)
            and all(reason.is_fair for reason in condition_reasons(system, loop, paths.conditions))
        ):
            found.update(source for source, _ in some)
    return found


def forever(system: ExplicitGraph, inside: set[int], paths: FairPaths) -> set[int]:
    """The states from which a fair path stays inside a set."""
    found = fair_somewhere(system, inside, paths)
    while True:
        more = {
            state for state in inside - found if any(step.target in found for step in system.steps(state))
        }
        if not more:
            return found
        found |= more


def random_condition(rng: Random, size: int) -> Condition:
    if size <= 1:
        atom = rng.choice((P, Q, event("a"), event("b"), executed("A"), enabled("A"), enabled("B")))
        predicate = Not(atom) if rng.random() < 0.4 else atom
        return rng.choice((InfinitelyOften, AlmostAlways))(predicate)
    parts = tuple(random_condition(rng, rng.randint(1, size - 1)) for _ in range(rng.randint(1, 3)))
    return rng.choice((AllOf, OneOf))(parts)


ATOMS = meanings(P, Q, event("a"), event("b"), executed("A"), enabled("A"), enabled("B"))


def compare(rng: Random) -> int:
    """How many states have fair paths that stay inside, in one random system."""
    arcs = {
        (rng.randrange(4), rng.choice("abc"), rng.choice(("A", "B", "A+B")), rng.randrange(4))
        for _ in range(rng.randint(2, 7))
    }
    system = graph(", ".join(f"{s} {e} {p} {t}" for s, e, p, t in sorted(arcs)), "p 0 1 2, q 1 3")
    count = rng.randint(0, 3)
    conditions = tuple(Conjunct("", random_condition(rng, rng.randint(1, 3)), ATOMS) for _ in range(count))
    paths = FairPaths(rng.choice(tuple(Fairness)), (), conditions, rng.random() < 0.3)
    everywhere = set(range(system.state_count))
    inside = everywhere & {0, 1, 2}
    expected = forever(system, inside, paths)
    assert states(system, eg(P), paths) == expected, (arcs, paths)
    fair = forever(system, everywhere, paths)
    after = {s for s in everywhere if any(t.target in fair for t in system.steps(s))}
    after |= {s for s in fair if not system.steps(s)}
    assert states(system, ex(TRUE), paths) == after, (arcs, paths)
    return len(expected)


def test_random_systems_against_all_sets_of_edges() -> None:
    rng = Random(5)
    found = [compare(rng) for _ in range(150)]
    assert 0 in found and any(found)


@pytest.mark.long
def test_many_random_systems_against_all_sets_of_edges() -> None:
    rng = Random(6)
    for _ in range(3000):
        compare(rng)
