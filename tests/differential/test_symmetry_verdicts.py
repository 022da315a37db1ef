"""Verdicts with symmetry are those without, on random models whose processes have numbers."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from fairlead.logic.fairness.notions import CLASSIC, Fairness
from fairlead.outcome.finding import Verdict
from tests.support.asking.counters import Question, random_ctl
from tests.support.asking.models import Case, formulas, known_reason, small_case
from tests.support.generators.symmetry_models import random_numbered_model
from tests.support.sampling import is_sample, some

CHUNKS = 3
SEEDS = range(96)
LONG_SEEDS = range(200_000, 203_200)
MAX_STATES = 250
LONG_MAX_STATES = 1200
STATE_QUESTIONS = (
    "deadlockfree",
    "nonterminating",
    "divergencefree",
    "deterministic",
    "reaches goal",
    "reaches near && !goal",
    "reaches first && own",
    "reaches sum",
    "reaches late && near",
    "reaches !order && linked",
    "reaches goal with min(x0)",
    "reaches near with max(a[0] + a[1])",
)


def questions(case: Case, random: Random) -> list[Question]:
    found = [Question(f"System() {text}") for text in random.sample(STATE_QUESTIONS, 2)]
    notions = [Fairness.NONE, Fairness.STRONG_GLOBAL]
    for text in formulas(case, random, 2):
        found += [Question(text, notion, is_formula=True) for notion in notions]
    if random.random() < 0.3:
        formula = f"[] (near -> <> executed(P({random.randrange(2)})))"
        found.append(Question(formula, random.choice(CLASSIC), is_formula=True))
    if random.random() < 0.3:
        fair = random.choice(["GF goal -> GF all1", "GF near", "FG own -> GF near", "GF all1 && GF own"])
        found.append(Question(formulas(case, random, 1)[0], fair=fair, is_formula=True))
    atoms = [*case.state_atoms, *random.sample(case.event_atoms, min(2, len(case.event_atoms)))]
    for notion in notions:
        depth = 0 if notion is Fairness.STRONG_GLOBAL else 2
        text = f"{random.choice(['AG', 'EF', 'AF', 'EG'])} ({random_ctl(random, atoms, depth)})"
        found.append(Question(text, notion, is_branching=True))
    return found


def verdict(model: fairlead.Model, question: Question, reduction: str) -> tuple[object, bool]:
    """The verdict with what was found, or the code of the error; and whether something was exchanged."""
    try:
        result = model.check(question.of(model), question.notion, fair=question.fair, reduction=reduction)
    except fairlead.InputError as error:
        return error.diagnostics[0].code, False
    exchanged = result.symmetry is not None and bool(result.symmetry.groups)
    return (result.verdict, result.optimum, known_reason(result)), exchanged


def compare(case: Case, tally: Counter[str]) -> None:
    random = Random(case.seed)
    model = fairlead.loads(case.text)
    for question in questions(case, random):
        found, exchanged = verdict(model, question, "symmetry")
        tally["asked"] += 1
        if found is Code.SYMMETRY:
            tally["refused"] += 1
            continue
        expected, _ = verdict(model, question, "none")
        if isinstance(found, tuple) and found[0] is Verdict.UNKNOWN:
            tally["unknown"] += 1
            continue
        assert found == expected, f"seed {case.seed} {question}\n{case.text}"
        if exchanged:
            tally["exchanged"] += 1
            tally[question.notion.value] += 1
            kind = "branching" if question.is_branching else "formula" if question.is_formula else "other"
            tally[kind] += 1
            assert isinstance(found, tuple)
            tally[found[0].value] += 1


def compare_seeds(seeds: range, max_states: int) -> Counter[str]:
    tally: Counter[str] = Counter()
    for seed in seeds:
        case = small_case(seed, random_numbered_model(seed), max_states)
        if case is not None:
            tally["models"] += 1
            try:
                compare(case, tally)
            except (fairlead.FairleadError, AssertionError) as error:
                raise AssertionError(f"seed {seed}: {error}\n{case.text}") from error
    return tally


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_symmetry_does_not_change_verdicts(chunk: int) -> None:
    tally = compare_seeds(some(SEEDS[chunk::CHUNKS]), MAX_STATES)
    if is_sample():
        return
    assert tally["models"] > 20
    assert tally["exchanged"] > 60
    assert tally["unknown"] < 5
    kinds = ("none", "sgf", "branching", "formula", "other", "holds", "violated")
    assert min(tally[kind] for kind in kinds) > 5


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_symmetry_does_not_change_verdicts_of_many_models(chunk: int) -> None:
    tally = compare_seeds(LONG_SEEDS[chunk::CHUNKS], LONG_MAX_STATES)
    assert tally["exchanged"] > 1000
