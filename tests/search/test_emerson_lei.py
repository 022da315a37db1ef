"""The examples of Emerson & Lei 1984: Dijkstra's random number generator, and mutual exclusion.

Each under no, weak, strong and impartial fairness of the two processes, which is written in many ways: as a
notion, with macros, with enabled and executed, and with propositions on structures that encode who makes a
step, as in section 4.2 of the paper.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

import fairlead
from fairlead import Verdict
from tests.support.examples.loading import find_example
from tests.support.oracle.branching import Branching
from tests.support.oracle.conditions import Assumption
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph, Step

KINDS = ("none", "weak", "strong", "impartial")
PROCESSES = ("P1", "P2")

NOTION = {"none": "none", "weak": "pwf", "strong": "psf", "impartial": "impartial"}
#: fairness of a graph whose steps belong to processes
SPELT: dict[str, Sequence[str]] = {
    "none": ("true", "GF true", "weak(P1) || !weak(P1)"),
    "weak": (
        "weak(P1) && weak(P2)",
        "all processes p: weak(p)",
        "all processes p: FG enabled(p) -> GF executed(p)",
        "(FG enabled(P1) -> GF executed(P1)) && (FG enabled(P2) -> GF executed(P2))",
        "GF (!enabled(P1) || executed(P1)) && GF (!enabled(P2) || executed(P2))",
        "(G∞ enabled(P1) -> F∞ executed(P1)) && (G∞ enabled(P2) -> F∞ executed(P2))",
    ),
    "strong": (
        "strong(P1) && strong(P2)",
        "all processes p: strong(p)",
        "all processes p: (GF enabled(p) -> GF executed(p))",
        "(GF enabled(P1) -> GF executed(P1)) && (GF enabled(P2) -> GF executed(P2))",
        "(FG !enabled(P1) || GF executed(P1)) && (FG !enabled(P2) || GF executed(P2))",
        "([]<>enabled(P1) -> []<>executed(P1)) && ([]<>enabled(P2) -> []<>executed(P2))",
    ),
    "impartial": (
        "impartial",
        "all processes p: GF executed(p)",
        "GF executed(P1) && GF executed(P2)",
        "!(FG !executed(P1) || FG !executed(P2))",
    ),
}
#: fairness by propositions, where each state knows who made the step into it
DUPLICATED = {
    "none": "true",
    "weak": "(FG en1 -> GF ex1) && (FG en2 -> GF ex2)",
    "strong": "(GF en1 -> GF ex1) && (GF en2 -> GF ex2)",
    "impartial": "GF ex1 && GF ex2",
}
#: fairness by propositions, where each step has a state of its own, in which nobody is enabled
ARC_NODES = {
    **DUPLICATED,
    "weak": "(FG (Node -> en1) -> GF ex1) && (FG (Node -> en2) -> GF ex2)",
}

GENERATOR, REGIONS, REGIONS_WITH_TURN = (
    "random_number_generator.json",
    "critical_regions.json",
    "critical_regions_turn.json",
)
TERMINATES = "AF AX false"
NO_STARVATION = "AG (T1 -> AF C1)"
#: the same about the arc nodes between, as the paper translates formulas
ON_NODES = {
    TERMINATES: "AF (Node && AX AX false)",
    NO_STARVATION: "AG (Node -> (T1 -> AF (Node && C1)))",
}
EXPECTED = [
    (GENERATOR, TERMINATES, {"none": False, "weak": True, "strong": True, "impartial": True}),
    (REGIONS, NO_STARVATION, {"none": False, "weak": False, "strong": True, "impartial": True}),
    (REGIONS_WITH_TURN, NO_STARVATION, {"none": False, "weak": True, "strong": True, "impartial": True}),
]
CASES = [
    pytest.param(file, formula, kind, answers[kind], id=f"{file.removesuffix('.json')}-{kind}")
    for file, formula, answers in EXPECTED
    for kind in KINDS
]


def check(
    model: fairlead.Model, formula: str, expected: bool, fairness: str | None, fair: str | None
) -> None:
    """Paths are not extended where they end, as in the paper; only the generator has such ends."""
    result = model.check(model.ctl(formula, finite_paths=True), fairness, fair=fair)
    assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED), (fairness, fair)
    assert expected or result.evidence is not None, (fairness, fair)


@pytest.mark.parametrize(("file", "formula", "kind", "expected"), CASES)
def test_fairness_as_a_notion(file: str, formula: str, kind: str, expected: bool) -> None:
    check(fairlead.load(find_example(file)), formula, expected, NOTION[kind], None)


@pytest.mark.parametrize(("file", "formula", "kind", "expected"), CASES)
def test_fairness_as_a_formula(file: str, formula: str, kind: str, expected: bool) -> None:
    model = fairlead.load(find_example(file))
    for fair in SPELT[kind]:
        check(model, formula, expected, None, fair)
        check(model, formula, expected, "none", fair)
        check(model, formula, expected, NOTION[kind], fair)


@pytest.mark.parametrize(("file", "formula", "kind", "expected"), CASES)
def test_states_that_know_who_made_the_step_into_them(
    file: str, formula: str, kind: str, expected: bool
) -> None:
    model = fairlead.loads(with_duplicated_states(read(file)).to_json(), "json")
    check(model, formula, expected, None, DUPLICATED[kind])


@pytest.mark.parametrize(("file", "formula", "kind", "expected"), CASES)
def test_states_in_the_middle_of_steps(file: str, formula: str, kind: str, expected: bool) -> None:
    model = fairlead.loads(with_arc_nodes(read(file)).to_json(), "json")
    check(model, ON_NODES[formula], expected, None, ARC_NODES[kind])


@pytest.mark.parametrize(("file", "formula", "kind", "expected"), CASES)
def test_the_oracle_agrees(file: str, formula: str, kind: str, expected: bool) -> None:
    assumption = Assumption(NOTION[kind])
    assert Branching(read(file), assumption, finite_paths=True).verdict(TREES[formula]) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_absence_of_starvation_where_paths_do_not_end(kind: str) -> None:
    """Without ends of paths it makes no difference whether they are extended; LTL can say the same."""
    for file, formula, answers in EXPECTED[1:]:
        model = fairlead.load(find_example(file))
        wanted = Verdict.HOLDS if answers[kind] else Verdict.VIOLATED
        fair = SPELT[kind][0]
        assert model.check(model.ctl(formula), fair=fair).verdict is wanted
        assert model.check("|= [](T1 -> <> C1)", fair=fair).verdict is wanted
        both = model.ctl(f"{formula} && AG (T2 -> AF C2) && AG !(C1 && C2)")
        assert model.check(both, fair=fair).verdict is wanted


def test_a_terminating_program_idles_unless_paths_are_finite() -> None:
    model = fairlead.load(find_example(GENERATOR))
    for kind in ("weak", "strong"):
        for fair in SPELT[kind]:
            assert model.check(model.ctl(TERMINATES), fair=fair).verdict is Verdict.VIOLATED
            assert model.check(model.ctl("AF AG !b"), fair=fair).verdict is Verdict.HOLDS
    # the state without steps idles, which is nobody's step: no path at all is impartial
    assert model.check(model.ctl("EX true"), "impartial").verdict is Verdict.VIOLATED


@pytest.mark.parametrize("kind", KINDS)
def test_where_the_generator_terminates(kind: str) -> None:
    model = fairlead.load(find_example(GENERATOR))
    found = model.states(model.ctl(TERMINATES, finite_paths=True), fairness=NOTION[kind])
    assert (found.holds, found.partly, found.total) == ({1} if kind == "none" else {0, 1}, frozenset(), 2)


# --- structures --------------------------------------------------------------------------------------------

AX_FALSE: Formula = ("A", ("X", ("false",)))
TREES: dict[str, Formula] = {
    TERMINATES: ("A", ("F", AX_FALSE)),
    NO_STARVATION: ("A", ("G", ("implies", ("prop", "T1"), ("A", ("F", ("prop", "C1")))))),
}
NOBODY: frozenset[str] = frozenset()


def read(file: str) -> Graph:
    data = json.loads((find_example(file)).read_text())
    steps = tuple(Step(s, e, t, frozenset(who)) for s, e, t, who in data["transitions"])
    props = {name: frozenset(where) for name, where in data["props"].items()}
    return Graph(data["states"], data["initial"], steps, props)


def who_makes(step: Step) -> int:
    """The number of the one process that makes a step."""
    (process,) = step.processes
    return PROCESSES.index(process) + 1


def with_duplicated_states(system: Graph) -> Graph:
    """The first encoding: (s, i) is a copy of s that was entered by a step of process i, 0 at the start."""
    copies = [(system.initial, 0)]
    steps: list[Step] = []
    for number, (state, _) in enumerate(copies):
        for step in system.outgoing(state):
            copy = (step.target, who_makes(step))
            if copy not in copies:
                copies.append(copy)
            steps.append(Step(number, "step", copies.index(copy), NOBODY))
    props = {
        name: frozenset(i for i, (state, _) in enumerate(copies) if state in where)
        for name, where in system.props.items()
    }
    for process in (1, 2):
        enabled = {t.source for t in system.transitions if who_makes(t) == process}
        props[f"en{process}"] = frozenset(i for i, (state, _) in enumerate(copies) if state in enabled)
        props[f"ex{process}"] = frozenset(i for i, (_, by) in enumerate(copies) if by == process)
    return Graph(len(copies), 0, tuple(steps), props)


def with_arc_nodes(system: Graph) -> Graph:
    """The second encoding: a state in the middle of each step says who makes it."""
    arcs = list(enumerate(system.transitions, system.states))
    steps = [Step(t.source, "step", arc, NOBODY) for arc, t in arcs]
    steps += [Step(arc, "step", t.target, NOBODY) for arc, t in arcs]
    props = {**system.props, "Node": frozenset(range(system.states))}
    for process in (1, 2):
        props[f"en{process}"] = frozenset(t.source for _, t in arcs if who_makes(t) == process)
        props[f"ex{process}"] = frozenset(arc for arc, t in arcs if who_makes(t) == process)
    return Graph(system.states + len(arcs), system.initial, tuple(steps), props)
