"""Evidence about branching time and under fairness formulas: as text, as JSON, and read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairlead.base.diagnostics import InputError
from fairlead.evidence.branching import ShowsFormula
from fairlead.evidence.evidence import DEEPEST, Evidence
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.stored import find_demonstration, find_run
from fairlead.evidence.validate import ViolatesFormula, problem_with, validate
from fairlead.logic.fairness.condition import InfinitelyOften
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import TRUE, Always, And, Eventually, Exists, Formula, Next, Not, Until, atoms
from fairlead.outcome.demonstration import Branch, Demonstration
from fairlead.present.text.evidence import SHOWN_BRANCHES, evidence_lines
from tests.support.small_graphs import ef, eg, ex, executed, graph, meanings, prop, run

#: a lamp that can be broken
LAMP = graph("0 on A 1, 1 off A 0, 1 flicker B 1, 0 break B 2, 2 hum B 2", "lit 1, broken 2")
LIT, BROKEN = prop("lit"), prop("broken")
OFTEN = (Conjunct("GF executed(B)", InfinitelyOften(executed("B")), meanings(executed("B"))),)


def evidence(shown: Demonstration, paths: FairPaths | None = None) -> Evidence:
    """A demonstration, judged."""
    paths = paths or FairPaths()
    claim = ShowsFormula(shown, meanings(*atoms(shown.formula)), paths)
    explanation = validate(LAMP, shown.run, claim)
    return Evidence(LAMP, shown.run, paths.fairness, paths.annotations, explanation, paths.conditions, shown)


STAYS_LIT = Branch(eg(LIT), run(LAMP, 1, "", "flicker"))
NEVER_OFF = Demonstration(
    ef(And(LIT, eg(LIT))), 0, (Branch(ef(And(LIT, eg(LIT))), run(LAMP, 0, "on"), ((1, (STAYS_LIT,)),)),)
)
BREAKS = ef(And(BROKEN, Not(ef(LIT))))
TWO = Demonstration(
    And(ex(LIT), BREAKS), 0, (Branch(ex(LIT), run(LAMP, 0, "on")), Branch(BREAKS, run(LAMP, 0, "break")))
)


def test_text_of_a_path_with_a_part() -> None:
    assert list(evidence_lines(evidence(NEVER_OFF, FairPaths(conditions=OFTEN)))) == [
        "start: state 0",
        "EF (lit && EG lit): a fair path to a state with lit && EG lit",
        "steps:",
        "     1  on  A  state 0 → 1, +lit",
        "  after step 1, EG lit: a fair path with lit at every position",
        "  loop (repeats forever):",
        "       2  flicker  B  state 1 → 1",
        "  fair to the formula:",
        "    GF executed(B): at step 2",
    ]


def test_text_of_two_branches() -> None:
    assert list(evidence_lines(evidence(TWO))) == [
        "start: state 0",
        "shows: EX lit && EF (broken && AG !lit)",
        "EX lit: a step to a state with lit",
        "steps:",
        "     1  on  A  state 0 → 1, +lit",
        "EF (broken && AG !lit): a path to a state with broken && AG !lit",
        "steps:",
        "     1  break  B  state 0 → 2, +broken",
        "AG !lit after step 1: true, judged on all reachable states",
    ]


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (
            Exists(Until(Not(BROKEN), LIT)),
            "E(!broken U lit): a path to a state with lit, with !broken before it",
        ),
        (eg(TRUE), "EG true: a path"),
        (
            Exists(And(Always(Eventually(LIT)), Next(LIT))),
            "E(GF lit && X lit): a path with GF lit && X lit",
        ),
    ],
)
def test_words_for_formulas(formula: Exists, words: str) -> None:
    shown = Demonstration(formula, 0, (Branch(formula, run(LAMP, 0, "", "on off")),))
    assert list(evidence_lines(evidence(shown)))[1] == words


def test_states_that_show_it_themselves() -> None:
    formula = ef(Not(LIT))
    here = Demonstration(formula, 0, (Branch(formula, run(LAMP, 0)),))
    assert list(evidence_lines(evidence(here)))[2] == "the initial state itself shows it"
    later = Branch(ef(LIT), run(LAMP, 1))
    there = Demonstration(ex(ef(LIT)), 0, (Branch(ex(ef(LIT)), run(LAMP, 0, "on"), ((1, (later,)),)),))
    assert list(evidence_lines(evidence(there)))[-1] == "  the state itself shows it"


def nested(depth: int) -> Demonstration:
    """EX EX … true, with a run for each."""
    formula: Formula = Not(LIT)
    parts: tuple[tuple[int, tuple[Branch, ...]], ...] = ()
    for _ in range(depth):
        formula = ex(formula)
        parts = ((1, (Branch(formula, run(LAMP, 2, "hum"), parts),)),)
    outer = ex(formula)
    return Demonstration(outer, 0, (Branch(outer, run(LAMP, 0, "break"), parts),))


def test_many_branches_are_abridged() -> None:
    lines = list(evidence_lines(evidence(nested(SHOWN_BRANCHES + 4))))
    assert lines[-1] == "… 5 more branches (all of them with --json)"


# ---------------------------------------------------------------- JSON


def read_back(found: Evidence) -> tuple[Demonstration | str, dict[str, Any]]:
    stored = json.loads(json.dumps(found.to_json()))
    assert found.demonstration is not None
    start = find_run(LAMP, stored)
    assert not isinstance(start, str)
    return find_demonstration(LAMP, stored, start.start, found.demonstration.formula), stored


@pytest.mark.parametrize("shown", [NEVER_OFF, TWO, nested(5)])
def test_what_was_written_is_read_back(shown: Demonstration) -> None:
    found, stored = read_back(evidence(shown))
    assert found == shown
    assert find_run(LAMP, stored) == shown.run


def test_json() -> None:
    data = evidence(NEVER_OFF).to_json()
    assert (data["initial"]["state"], len(data["stem"]), len(data["loop"])) == (0, 1, 1)
    assert data["shows"] == "EF (lit && EG lit)"
    (outer,) = data["branches"]
    assert (outer["position"], outer["formula"], outer["loop"]) == (0, "EF (lit && EG lit)", [])
    (inner,) = outer["branches"]
    assert (inner["position"], inner["formula"], inner["stem"]) == (1, "EG lit", [])
    assert [step["event"] for step in inner["loop"]] == ["flicker"]


def test_deep_evidence_is_cut_off_and_still_judged() -> None:
    shown = nested(DEEPEST + 50)
    found, stored = read_back(evidence(shown))
    assert isinstance(found, Demonstration)
    assert len(list(found.all_branches())) == DEEPEST
    assert find_run(LAMP, stored) == found.run == shown.run
    assert problem_with(LAMP, found.run, ShowsFormula(found, meanings(LIT))) is None


def changed(change: str, value: object) -> Demonstration | str:
    stored = evidence(NEVER_OFF).to_json()
    outer = stored["branches"][0]
    match change:
        case "inner position":
            outer["branches"][0]["position"] = value
        case "outer position":
            outer["position"] = value
        case "inner formula":
            outer["branches"][0]["formula"] = value
        case "inner loop":
            outer["branches"][0]["loop"] = value
        case "inner stem":
            outer["branches"][0]["stem"] = value
        case "branches":
            stored["branches"] = value
    return find_demonstration(LAMP, stored, 0, NEVER_OFF.formula)


HUM = [{"event": "hum", "processes": ["B"], "state": {"state": 2, "propositions": ["broken"]}}]


def test_what_was_changed_is_found_out() -> None:
    assert changed("inner position", 2) == "something branches off at position 2, which the run does not have"
    assert changed("inner position", 0) == "EG lit: the loop cannot be replayed"
    assert changed("outer position", 1) == "what shows the formula does not begin at position 0"
    assert changed("inner formula", "EG broken") == "'EG broken' is not part of the formula to be shown"
    assert changed("inner loop", HUM) == "EG lit: the loop cannot be replayed"
    assert changed("inner stem", HUM) == "EG lit: the stem cannot be replayed"
    shorter = changed("inner loop", [])
    assert isinstance(shorter, Demonstration)
    problem = problem_with(LAMP, shorter.run, ShowsFormula(shorter, meanings(LIT)))
    assert problem == "EG lit from position 1: a run without a loop cannot show it"
    for change, value in (
        ("inner position", "1"),
        ("inner position", True),
        ("inner formula", 3),
        ("inner loop", None),
        ("branches", None),
        ("branches", [1]),
    ):
        with pytest.raises(InputError):
            changed(change, value)


def test_nesting_without_end_is_refused() -> None:
    entry: dict[str, Any] = {"position": 0, "formula": "EX lit", "stem": [], "loop": [], "branches": []}
    for _ in range(DEEPEST):
        entry = {**entry, "branches": [entry]}
    with pytest.raises(InputError, match="nested"):
        find_demonstration(LAMP, {"branches": [entry]}, 0, ex(LIT))


# ---------------------------------------------------------------- LTL under a fairness formula


def test_linear_formulas_under_a_fairness_formula() -> None:
    claim = ViolatesFormula(Eventually(BROKEN), meanings(BROKEN), Fairness.NONE, (), OFTEN)
    fair, unfair = run(LAMP, 0, "on", "flicker"), run(LAMP, 0, "", "on off")
    assert problem_with(LAMP, fair, claim) is None
    assert problem_with(LAMP, unfair, claim) == ("the loop is unfair: GF executed(B): never in the loop")
    never_lit = ViolatesFormula(Always(Not(LIT)), meanings(LIT), Fairness.NONE, (), OFTEN)
    assert problem_with(LAMP, run(LAMP, 0, "on"), never_lit) == (
        "a run without a loop is not enough: its continuations may all be unfair to the formula"
    )
    lines = list(evidence_lines(Evidence(LAMP, fair, Fairness.NONE, fair=OFTEN)))
    assert lines[-2:] == ["fair to the formula:", "  GF executed(B): at step 2"]


def test_impartiality_is_shown_by_its_conditions() -> None:
    paths = FairPaths(Fairness.IMPARTIAL, (), OFTEN)
    lines = list(evidence_lines(evidence(NEVER_OFF, paths)))
    assert lines[-2:] == ["  fair to the formula:", "    GF executed(B): at step 2"]
    assert not any("impartiality" in line for line in lines)
    assert not FairPaths(Fairness.IMPARTIAL).continue_every_run(LAMP)
    assert FairPaths(Fairness.STRONG_GLOBAL).continue_every_run(LAMP)
