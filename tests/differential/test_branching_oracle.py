"""The oracle for branching formulas and fairness conditions against known answers, and against itself."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.support.oracle.branching import Branching, branching_text
from tests.support.oracle.branching_questions import random_ctl_question, random_linear, random_structure
from tests.support.oracle.conditions import (
    Assumption,
    atoms_of,
    condition_text,
    is_fair_loop,
    is_met,
    plain,
    random_assumption,
    random_condition,
)
from tests.support.oracle.fairness import NOTIONS
from tests.support.oracle.formulas import Formula, random_formula
from tests.support.oracle.graphs import Step, graph
from tests.support.oracle.runs import lassos
from tests.support.oracle.verdict import verdicts

a, b, p, q = ("event", "a"), ("event", "b"), ("prop", "p"), ("prop", "q")
TRUE, FALSE = ("true",), ("false",)
GENERATOR = graph(2, [(0, "add", 0, "P1"), (0, "stop", 1, "P2")], {"b": [0]})
TERMINATES = ("A", ("F", ("A", ("X", FALSE))))


# --- known answers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assumption", "expected"),
    [
        (Assumption(), False),
        (Assumption("pwf"), True),
        (Assumption("psf"), True),
        (Assumption("impartial"), True),
        (Assumption(condition=("weak", "P2")), True),
        (Assumption(condition=("weak", "P1")), False),
        (Assumption(condition=("all processes", "i", ("strong", "i"))), True),
        (Assumption(condition=("FG", ("event", "add"))), False),
        (Assumption(condition=("FG", ("prop", "b"))), False),
    ],
)
def test_the_random_number_generator(assumption: Assumption, expected: bool) -> None:
    assert Branching(GENERATOR, assumption, finite_paths=True).verdict(TERMINATES) == expected


def test_a_state_without_steps_idles_unless_paths_are_finite() -> None:
    one_step = graph(2, [(0, "a", 1, "P")], {"p": [1]})
    idling = Branching(one_step, Assumption())
    finite = Branching(one_step, Assumption(), finite_paths=True)
    assert idling.verdict(("E", ("X", ("and", p, a))))
    assert not idling.verdict(("A", ("X", ("A", ("X", a)))))
    assert not finite.verdict(("E", ("X", TRUE)))
    assert finite.verdict(("A", ("X", FALSE)))
    assert idling.states(a) == (set(), {1})
    assert finite.states(a) == ({1}, set())


def test_paths_that_cannot_go_on_fairly_do_not_count() -> None:
    fork = graph(3, [(0, "a", 1, "P"), (0, "b", 2, "P"), (1, "a", 1, "P"), (2, "b", 2, "P")], {"p": [1]})
    only_b = Branching(fork, Assumption(condition=("GF", b)))
    assert not only_b.verdict(("E", ("F", p)))
    assert only_b.verdict(("A", ("X", b)))
    assert only_b.states(("E", ("X", TRUE))) == ({0, 2}, set())


def step(source: int, name: str, target: int, who: str = "P") -> Step:
    return Step(source, name, target, frozenset(who.split()))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (("GF", a), True),
        (("FG", a), False),
        (("FG", ("or", a, b)), True),
        (("GF", ("and", a, p)), True),
        (("GF", ("and", b, p)), False),
        (("GF", ("enabled", "c")), True),
        (("FG", ("enabled", "c")), False),
        (("GF", ("executed", "Q")), False),
        (("weak", "Q"), True),
        (("strong", "Q"), False),
        (("impartial",), False),
        (("some process", "i", ("strong", "i")), True),
        (("all events", "i", ("or", ("strong", "i"), ("GF", ("enabled", "c")))), True),
    ],
)
def test_conditions_speak_of_positions_that_are_visited_for_ever(condition: Formula, expected: bool) -> None:
    system = graph(2, [(0, "a", 1, "P"), (1, "b", 0, "P"), (1, "c", 1, "Q")], {"p": [1]})
    assert is_met(system, plain(system, condition), [step(0, "a", 1), step(1, "b", 0)]) == expected


def test_texts() -> None:
    condition = ("implies", ("FG", ("enabled", "P")), ("not", ("all processes", "i", ("weak", "i"))))
    assert condition_text(condition) == "(FG enabled(P) -> !((all processes i: weak(i))))"
    assert branching_text(("A", ("G", ("implies", p, ("E", ("U", a, TERMINATES)))))) == (
        "AG (p -> E(a U AF AX false))"
    )
    assert branching_text(("E", ("and", ("G", ("F", p)), ("not", ("X", a))))) == "E((G F p && !X a))"


# --- against itself ----------------------------------------------------------------------------------------


def test_cutting_agrees_with_trying_every_set_of_steps() -> None:
    compared = telling = 0
    for seed in range(400):
        case = random_ctl_question(seed)
        if len(case.graph.transitions) <= 10:
            found = case.oracle(enumerates=True).where(case.formula)
            assert found == case.oracle().where(case.formula), (seed, str(case))
            compared += 1
            telling += 0 < len(found) < len(case.oracle().positions)
    assert compared > 250
    assert telling > 80


def test_ctl_by_fixpoints_agrees_with_the_tableau() -> None:
    for seed in range(1000, 1100):
        case = random_ctl_question(seed)
        found = case.oracle(always_tableau=True).where(case.formula)
        assert found == case.oracle().where(case.formula), (seed, str(case))


def test_formulas_without_quantifiers_inside_agree_with_the_verdicts_of_the_other_oracle() -> None:
    for seed in range(60):
        rng = Random(seed)
        system = random_structure(rng, max_states=5, max_transitions=9)
        formula = random_formula(rng, list(system.props), system.events(), max_operators=5, max_temporal=3)
        expected = verdicts(system, formula)
        for notion in NOTIONS:
            assert Branching(system, Assumption(notion)).verdict(("A", formula)) == expected[notion]


def test_executions_of_bounded_length_are_found() -> None:
    """A fair lasso that satisfies a path formula is found iff one exists, where short ones are enough."""
    compared: Counter[bool] = Counter()
    for seed in range(100):
        rng = Random(seed)
        system = random_structure(rng, max_states=2, max_transitions=3)
        _, path = random_linear(rng, atoms_of(system))
        assumption = random_assumption(rng, system)
        oracle = Branching(system, assumption)
        found = any(
            is_fair_loop(system, loop, assumption) and oracle.satisfies(stem, loop, path)
            for stem, loop in lassos(system, 3, 5)
        )
        assert found == oracle.verdict(("E", path)), (seed, path, assumption)
        compared[found] += 1
    assert min(compared.values()) > 20


@pytest.mark.parametrize(
    ("notion", "macro"), [("pwf", "weak"), ("psf", "strong"), ("ewf", "weak"), ("esf", "strong")]
)
def test_notions_are_conditions(notion: str, macro: str) -> None:
    who = "all processes" if notion.startswith("p") else "all events"
    for seed in range(60):
        case = random_ctl_question(seed)
        named = Branching(case.graph, Assumption(notion), finite_paths=case.finite_paths)
        spelt = Branching(
            case.graph, Assumption(condition=(who, "i", (macro, "i"))), finite_paths=case.finite_paths
        )
        assert named.where(case.formula) == spelt.where(case.formula), (seed, str(case))


def test_random_questions_are_of_many_kinds() -> None:
    answers: Counter[str] = Counter()
    for seed in range(300):
        case = random_ctl_question(seed)
        oracle = case.oracle()
        all_of_them, some = oracle.states(case.formula)
        answers["holds" if oracle.verdict(case.formula) else "violated"] += 1
        answers["partly"] += bool(some)
        answers["in some states"] += 0 < len(all_of_them) < case.graph.states
        answers["no fair execution"] += not oracle.verdict(("E", ("X", TRUE)))
        answers["deadlock"] += any(not case.graph.outgoing(s) for s in range(case.graph.states))
        answers["finite paths"] += case.finite_paths
        answers[case.assumption.notion] += 1
    for kind in ("holds", "violated", "in some states", "deadlock", "finite paths"):
        assert answers[kind] >= 60, (kind, answers)
    for kind in (*NOTIONS, "impartial", "partly", "no fair execution"):
        assert answers[kind] >= 10, (kind, answers)


def test_random_conditions_are_met_by_some_loops_and_not_by_others() -> None:
    met: Counter[bool] = Counter()
    for seed in range(300):
        rng = Random(seed)
        system = random_structure(rng)
        condition = plain(system, random_condition(rng, system))
        loops = [loop for _, loop in lassos(system, 0, 3)]
        if loops:
            met[is_met(system, condition, rng.choice(loops))] += 1
    assert min(met.values()) > 60
    assert len(atoms_of(GENERATOR)) == 11
