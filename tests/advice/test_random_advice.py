"""Advice on random systems, against the brute-force oracle: enough, nothing to spare, and nothing cheaper."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest

import fairlead
from fairlead.advice.advice import Advice, Outcome
from fairlead.advice.assumption import Assumption, Strength
from fairlead.evidence.evidence import Evidence
from fairlead.logic.fairness.notions import CLASSIC, Subject
from fairlead.model.labels import IDLE
from tests.support.oracle.branching import Branching, branching_text
from tests.support.oracle.branching_questions import (
    Case,
    random_linear_question,
    random_structure,
    steps_of_run,
)
from tests.support.oracle.conditions import Assumption as Assumed
from tests.support.oracle.conditions import is_fair_loop
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph
from tests.support.sampling import some

SEEDS = range(300)
LONG_SEEDS = range(1000, 4000)
CHUNKS = 10


def liveness_question(seed: int) -> Case:
    """A question that is often a matter of fairness: something again and again, or in answer to something."""
    rng = Random(seed)
    graph = random_structure(rng)
    atoms: list[Formula] = [("prop", name) for name in graph.props]
    atoms += [("event", event) for event in graph.events()]
    one, other = rng.choice(atoms), rng.choice(atoms)
    formula: Formula = rng.choice(
        [
            ("G", ("F", one)),
            ("G", ("F", ("and", one, other))),
            ("G", ("implies", one, ("F", other))),
            ("F", ("G", one)),
            ("F", one),
            ("or", ("G", ("F", one)), ("G", ("F", other))),
        ]
    )
    return Case(graph, ("A", formula), Assumed(), False, branching_text(formula), None)


def condition_of(assumptions: Iterable[Assumption]) -> Formula | None:
    """The assumptions in the oracle's words."""
    condition: Formula | None = None
    for assumption in assumptions:
        one = (assumption.strength.function, assumption.name)
        condition = one if condition is None else ("and", condition, one)
    return condition


def holds(case: Case, assumptions: Iterable[Assumption], notion: str = "none") -> bool:
    """What the oracle says."""
    return Branching(case.graph, Assumed(notion, condition_of(assumptions))).verdict(case.formula)


def everything(graph: Graph) -> list[Assumption]:
    """All single assumptions about a system."""
    reached = reachable_steps(graph)
    events = {step.event for step in reached}
    processes = {process for step in reached for process in step.processes}
    return [
        Assumption(subject, name, strength)
        for subject, names in ((Subject.EVENTS, events), (Subject.PROCESSES, processes))
        for name in sorted(names)
        for strength in Strength
    ]


def reachable_steps(graph: Graph) -> list:
    met, pending, steps = {graph.initial}, [graph.initial], []
    while pending:
        for step in graph.outgoing(pending.pop()):
            steps.append(step)
            if step.target not in met:
                met.add(step.target)
                pending.append(step.target)
    return steps


def cost(assumptions: Iterable[Assumption]) -> tuple[int, int]:
    chosen = list(assumptions)
    return sum(1 for one in chosen if one.strength is Strength.STRONG), len(chosen)


def judge_evidence(case: Case, evidence: Evidence, assumptions: Iterable[Assumption], where: str) -> None:
    """The run is fair as assumed, and violates the formula."""
    run = evidence.run
    steps = steps_of_run(
        case.graph,
        run.start,
        [(None if s.event == IDLE else s.event, s.target, s.processes) for s in [*run.stem, *run.loop]],
    )
    stem, loop = steps[: len(run.stem)], steps[len(run.stem) :]
    assert loop, where
    assert is_fair_loop(case.graph, loop, Assumed("none", condition_of(assumptions))), where
    assert not Branching(case.graph, Assumed()).satisfies(stem, loop, case.formula[1]), where


def check_one(case: Case, where: str) -> Advice:
    where += str(case)
    model = fairlead.loads(case.graph.to_json(), "json")
    advice = model.advise(model.formula(case.text))
    for verdict in advice.notions:
        expected = holds(case, (), verdict.notion.value)
        assert (verdict.verdict is fairlead.Verdict.HOLDS) == expected, (where, verdict.notion)
    assert [verdict.notion for verdict in advice.notions] == list(CLASSIC)
    strongest = [one for one in everything(case.graph) if one.strength is Strength.STRONG]
    match advice.outcome:
        case Outcome.NOTHING_NEEDED:
            assert holds(case, ()), where
        case Outcome.ONLY_GLOBAL | Outcome.NOTHING_HELPS:
            assert not holds(case, strongest), where
            assert holds(case, (), "sgf") == (advice.outcome is Outcome.ONLY_GLOBAL), where
            if advice.survivor is not None:
                judge_evidence(case, advice.survivor, strongest, where)
            else:
                assert advice.prefix is not None, where
        case Outcome.ASSUMPTIONS:
            judge_sets(case, advice, where)
        case Outcome.UNKNOWN:
            pytest.fail(where)
    return advice


def judge_sets(case: Case, advice: Advice, where: str) -> None:
    assert advice.sets, where
    for found in advice.sets:
        assert holds(case, found.assumptions), (where, found.text)
        for assumption in found.assumptions:
            others = [one for one in found.assumptions if one != assumption]
            assert not holds(case, others), (where, found.text, assumption)
            if assumption.weaker is not None:
                assert not holds(case, [*others, assumption.weaker]), (where, found.text, assumption)
        if found.formula is not None:
            model = fairlead.loads(case.graph.to_json(), "json")
            assert model.check(model.formula(case.text), "none", fair=found.formula), (where, found.formula)
    best = advice.best
    assert best is not None
    assert {without.assumption for without in best.why} == set(best.assumptions), where
    for without in best.why:
        others = [one for one in best.assumptions if one != without.assumption]
        if without.instead is not None:
            others.append(without.instead)
        judge_evidence(case, without.evidence, others, where)
    nothing_cheaper(case, advice, where)


def nothing_cheaper(case: Case, advice: Advice, where: str) -> None:
    """No set with fewer strong assumptions is enough, nor a smaller one with as many."""
    known = min(cost(found.assumptions) for found in advice.sets)
    candidates = everything(case.graph)
    if len(candidates) > 8:  # all sets of weak ones, and small sets of all
        weak = [one for one in candidates if one.strength is Strength.WEAK]
        if known[0] > 0:
            assert not holds(case, weak), (where, "weak ones are enough")
        candidates_by_size = [
            chosen for size in range(min(3, known[1])) for chosen in combinations(candidates, size)
        ]
    else:
        candidates_by_size = [
            chosen for size in range(len(candidates) + 1) for chosen in combinations(candidates, size)
        ]
    for chosen in candidates_by_size:
        if cost(chosen) < known:
            assert not holds(case, chosen), (where, [str(one) for one in chosen])


def matter_of_fairness(seed: int) -> Case:
    """A question that the tool answers with sets of assumptions."""
    for attempt in range(1000):
        case = liveness_question(1000 * seed + attempt)
        model = fairlead.loads(case.graph.to_json(), "json")
        if model.advise(model.formula(case.text)).outcome is Outcome.ASSUMPTIONS:
            return case
    raise AssertionError(f"none found for {seed}")


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_sets_of_assumptions(chunk: int) -> None:
    for seed in some(SEEDS[chunk::CHUNKS]):
        check_one(matter_of_fairness(seed), f"matter of fairness {seed}")


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_other_answers(chunk: int) -> None:
    for seed in some(range(chunk, 150, CHUNKS)):
        check_one(liveness_question(seed), f"liveness {seed}")
        check_one(random_linear_question(seed), f"formula {seed}")


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_systems(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        check_one(matter_of_fairness(seed), f"matter of fairness {seed}")
        check_one(liveness_question(seed), f"liveness {seed}")
        check_one(random_linear_question(seed), f"formula {seed}")


@pytest.mark.parametrize("seed", range(60))
def test_any_mixture_of_single_assumptions_is_judged_as_by_the_oracle(seed: int) -> None:
    """Some weak, some strong, about events and processes at once, with and without a notion beside them."""
    case = random_linear_question(seed)
    rng = Random(seed)
    model = fairlead.loads(case.graph.to_json(), "json")
    for _ in range(6):
        candidates = everything(case.graph)
        chosen = rng.sample(candidates, rng.randint(0, min(5, len(candidates))))
        notion = rng.choice(["none", "none", "ewf", "psf", "sgf"])
        fair = " && ".join(one.formula() for one in chosen) or None
        result = model.check(model.formula(case.text), notion, fair=fair)
        assert bool(result) == holds(case, chosen, notion), f"seed {seed} {notion} {fair}{case}"
