"""Verdicts with counters are those without, on random models in which some processes are alike."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from tests.support.asking.counters import Question, random_questions, with_specification
from tests.support.asking.models import Case, known_reason, small_case
from tests.support.generators.counters_random import random_symmetric_model
from tests.support.sampling import is_sample, some

CHUNKS = 5
SEEDS = range(250)
LONG_SEEDS = range(100_000, 103_000)
MAX_STATES = 250
LONG_MAX_STATES = 1500


def verdict(model: fairlead.Model, question: Question, counters: bool) -> tuple[object, bool]:
    """The verdict with what was found, or the code of the error; and whether processes were counted."""
    try:
        result = model.check(question.of(model), question.notion, fair=question.fair, counters=counters)
    except fairlead.InputError as error:
        return error.diagnostics[0].code, False
    merged = result.counters is not None and bool(result.counters.merged)
    return (result.verdict, result.optimum, known_reason(result)), merged


def compare(case: Case, tally: Counter[str], annotations: bool = False) -> None:
    random = Random(case.seed)
    text = with_specification(case, random)
    model = fairlead.loads(text)
    for question in random_questions(case, random):
        if annotations and question.is_branching:
            continue
        found, merged = verdict(model, question, True)
        tally["asked"] += 1
        if found is Code.COUNTERS:
            tally["refused"] += 1
            continue
        expected, _ = verdict(model, question, False)
        assert found == expected, f"seed {case.seed} {question}\n{text}"
        if merged:
            tally["counted"] += 1
            tally[question.notion.value] += 1
            tally[
                "branching" if question.is_branching else "formula" if question.is_formula else "other"
            ] += 1


def compare_seeds(seeds: range, max_states: int, annotations: bool = False) -> Counter[str]:
    tally: Counter[str] = Counter()
    for seed in seeds:
        case = small_case(seed, random_symmetric_model(seed, annotations), max_states)
        if case is not None:
            tally["models"] += 1
            try:
                compare(case, tally, annotations)
            except fairlead.FairleadError as error:
                raise AssertionError(f"seed {seed}: {error}\n{case.text}") from error
    return tally


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_counters_do_not_change_verdicts(chunk: int) -> None:
    tally = compare_seeds(some(SEEDS[chunk::CHUNKS]), MAX_STATES)
    if is_sample():
        return
    assert tally["models"] > 30
    assert tally["counted"] > 150
    assert min(tally[notion] for notion in ("none", "pwf", "psf")) > 20
    assert min(tally[kind] for kind in ("ewf", "esf", "sgf", "branching", "formula", "other")) > 3


def test_counters_do_not_change_verdicts_of_annotated_models() -> None:
    tally = compare_seeds(range(50), MAX_STATES, annotations=True)
    assert tally["counted"] > 150


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 8))
def test_counters_do_not_change_verdicts_of_many_models(chunk: int) -> None:
    tally = compare_seeds(LONG_SEEDS[chunk :: CHUNKS * 8], LONG_MAX_STATES)
    assert tally["counted"] > 300
