"""States from which fair paths continue: with large and with many components, and with many conditions."""

from __future__ import annotations

import json
from random import Random

import pytest

import fairlead
from fairlead.base.source import Source
from fairlead.evidence.labelling import Labelling
from fairlead.evidence.paths import FairPaths
from fairlead.logic.branching import existential
from fairlead.logic.fairness.syntax import parse_fairness_formula
from fairlead.logic.ltl import Atom, AtomKind, Exists, Formula, subformulas
from fairlead.logic.parsing.parse import parse_branching
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom
from fairlead.model.system import Proposition
from fairlead.outcome.limits import Clock, Limits
from fairlead.search.assumptions import FairnessAsked, assumptions_of
from fairlead.search.target import target_of

NAMES = {"a": EventAtom.of("a"), "b": EventAtom.of("b"), "c": EventAtom.of("c")}
FORMULAS = ("EG p", "EG !a", "E(p U EG q)", "EX EG (p || b)", "EG EX EG true", "E((EX q) U EG !p)")
CONDITIONS = (
    None,
    "GF p && GF q",
    "strong(P) && strong(Q)",
    "all processes x: strong(x)",
    "(FG p || FG !q) && (FG !p || GF a)",
    "GF (executed(P) && p) -> GF (executed(Q) && q)",
    "(GF a && FG !b) || (GF b && FG !a)",
)


def random_text(rng: Random, states: int) -> str:
    """Some components in a row, the last of them perhaps all that can be reached again and again."""
    parts = rng.choice([1, 2, 5, states // 3])
    edges = []
    for state in range(states):
        low = state * parts // states * states // parts
        high = min(states - 1, (state * parts // states + 1) * states // parts + 1)
        for _ in range(rng.choice([0, 1, 2, 2, 3])):
            who = rng.choice([["P"], ["Q"], ["P", "Q"]])
            edges.append([state, rng.choice("abc"), rng.randint(low, high), who])
        if state + 1 < states:
            edges.append([state, rng.choice("abc"), state + 1, [rng.choice("PQ")]])
    props = {name: [s for s in range(states) if rng.random() < 0.7] for name in "pq"}
    return json.dumps({"states": states, "initial": 0, "transitions": edges, "props": props})


def meaning(atom: Atom) -> Meaning:
    if atom.kind is AtomKind.NAME:
        return NAMES.get(atom.text) or Proposition(atom.text, atom.text)
    subject = ProcessAtom(frozenset({atom.text}))
    return subject if atom.kind is AtomKind.EXECUTED else Enabled(subject)


def meanings(formula: Formula) -> dict[Atom, Meaning]:
    return {node: meaning(node) for node in subformulas(formula) if isinstance(node, Atom)}


def expected(text: str, formula: str, notion: fairlead.Fairness, fair: str | None, finite: bool) -> set[int]:
    """By the fixpoints that judge evidence, which share nothing with the engine."""
    checked = existential(parse_branching(Source("formula", formula)).formula)
    assert isinstance(checked, Exists)
    target = target_of(fairlead.loads(text, "json").graph(), Limits())
    conjuncts = ()
    if fair is not None:
        parsed = parse_fairness_formula(Source("fair", fair))
        asked = FairnessAsked(notion, parsed, {atom: meaning(atom) for atom in parsed.atoms})
        conjuncts = assumptions_of(target, Clock(Limits())).conjuncts(asked)
    paths = FairPaths(notion, (), conjuncts, finite)
    labelling = Labelling(target.system, meanings(checked), paths, lambda: None)
    states = range(json.loads(text)["states"])
    return {state for state in states if labelling.truth(checked, state, None) is True}


@pytest.mark.parametrize("seed", range(24))
def test_random_systems(seed: int) -> None:
    rng = Random(seed)
    text = random_text(rng, rng.choice([20, 60, 90]))
    model = fairlead.loads(text, "json")
    formula, fair = rng.choice(FORMULAS), rng.choice(CONDITIONS)
    notion = rng.choice(
        [fairlead.Fairness.NONE, fairlead.Fairness.PROCESS_STRONG, fairlead.Fairness.EVENT_WEAK]
    )
    finite = rng.random() < 0.3
    if formula in ("EG !a", "EX EG (p || b)"):  # positions differ by the step into them: compare at the start
        found = (
            fairlead.Verdict.HOLDS
            is model.check(model.ctl(formula, finite_paths=finite), notion, fair=fair).verdict
        )
        assert found == (0 in expected(text, formula, notion, fair, finite)), (text, formula, fair)
        return
    found_states = model.states(model.ctl(formula, finite_paths=finite), notion, fair=fair)
    assert found_states.holds == expected(text, formula, notion, fair, finite), (text, formula, notion, fair)


def ring(processes: int) -> str:
    """The first process gives and takes a token, others move at any time, the last one needs the token."""
    edges = [[state, f"go{i}", state, [f"P{i}"]] for state in (0, 1) for i in range(1, processes - 1)]
    edges += [[0, "take", 1, ["P0"]], [1, "give", 0, ["P0"]], [1, "last", 0, [f"P{processes - 1}"]]]
    return json.dumps({"states": 2, "initial": 0, "transitions": edges, "props": {}})


@pytest.mark.parametrize("processes", [3, 40, 90])
def test_more_conditions_than_fit_into_a_word(processes: int) -> None:
    model = fairlead.loads(ring(processes), "json")
    for formula in ("AF last", "AG AF last", "EG !last"):
        question = model.ctl(formula)
        for notion, fair in (("psf", "all processes p: strong(p)"), ("pwf", "all processes p: weak(p)")):
            named = model.check(question, notion)
            spelt_out = model.check(question, fair=fair)
            assert named.verdict is spelt_out.verdict, (formula, notion)
        ltl = {"AF last": "<> last", "AG AF last": "[]<> last"}.get(formula)
        if ltl is not None:
            found = model.check(f"|= {ltl}", fair="all processes p: strong(p)").verdict
            assert found is model.check(question, "psf").verdict is fairlead.Verdict.HOLDS
