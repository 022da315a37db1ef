"""Unboundedly many processes: what is said of every number of them is true of small numbers, checked plainly.

"Holds" is about every number of processes, so about each small one. "Violated" names a number, for which it
must be so. What is not known is never said to be violated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

import pytest

import fairlead
from fairlead import Verdict
from fairlead.base.diagnostics import Code
from fairlead.checker.options import Counters
from tests.support.asking.counters import Question, random_questions, with_specification
from tests.support.asking.models import Case, small_case
from tests.support.generators.counters_random import SymmetricWriter
from tests.support.sampling import is_sample, some

CHUNKS = 2
SEEDS = range(50)
LONG_SEEDS = range(200_000, 202_000)
LIMITS = fairlead.Limits(max_states=5000)
#: instances that are checked with all their processes
SMALL_NUMBERS = (1, 2, 3, 4)


def unbounded_case(seed: int) -> tuple[Case, list[str]] | None:
    """A model with two of each kind of processes, and which kinds there are."""
    writer = SymmetricWriter(Random(seed), with_indices=False, with_parts=False, with_counter=seed % 3 == 0)
    case = small_case(seed, writer.model(2), 250)
    return None if case is None else (case, [group.name for group in writer.groups])


def compare(seed: int, tally: Counter[str]) -> None:
    found = unbounded_case(seed)
    if found is None:
        return
    case, names = found
    random = Random(seed)
    text = with_specification(case, random)
    if len(names) == 2 and random.random() < 0.4:
        names = names[:1]
    least = random.choice([1, 1, 1, 2])
    model = fairlead.loads(text, processes=dict.fromkeys(names, f"{least}..inf"))
    for question in random_questions(case, random):
        how = Counters(random.choice([1, 2]))
        try:
            result = model.check(
                question.of(model), question.notion, fair=question.fair, counters=how, limits=LIMITS
            )
        except fairlead.InputError as error:
            assert error.diagnostics[0].code is Code.COUNTERS, f"seed {seed} {question} {error}\n{text}"
            tally["refused"] += 1
            continue
        if result.counters is None:
            assert result.verdict is Verdict.UNKNOWN
            continue
        tally[result.verdict.value] += 1
        tally[f"{result.verdict.value} {question.notion.value}"] += 1
        where = f"seed {seed} {question} {how} {names} {least}\n{text}"
        wanted = result.verdict
        if result.counters.instance is not None:
            assert all(number >= least for number in result.counters.instance.values()), where
            instances: Iterator[Mapping[str, int]] = iter([result.counters.instance])
        elif wanted is Verdict.UNKNOWN:
            continue
        else:
            is_about_every_number = Verdict.VIOLATED if " reaches " in question.text else Verdict.HOLDS
            # what happens before there are any processes is the same for every number
            assert wanted is is_about_every_number or not result.counters.merged, where
            instances = small_instances(names, least)
        for numbers in instances:
            plain = plain_verdict(text, numbers, question)
            assert plain in (wanted, Verdict.UNKNOWN), f"{numbers} {where}"
            tally["instances"] += plain is wanted


def small_instances(names: list[str], least: int) -> Iterator[Mapping[str, int]]:
    numbers = [number for number in SMALL_NUMBERS if number >= least]
    for chosen in product(numbers, repeat=len(names)):
        if sum(chosen) <= 4:
            yield dict(zip(names, chosen, strict=True))


def plain_verdict(text: str, numbers: Mapping[str, int], question: Question) -> Verdict:
    instance = fairlead.loads(text, processes=numbers)
    asked = question.of(instance)
    return instance.check(asked, question.notion, fair=question.fair, limits=LIMITS).verdict


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_is_said_of_any_number_is_true_of_small_ones(chunk: int) -> None:
    tally: Counter[str] = Counter()
    for seed in some(SEEDS[chunk::CHUNKS], 1):
        compare(seed, tally)
    if is_sample():
        return
    assert min(tally["holds"], tally["violated"]) > 20
    assert min(tally[f"holds {notion}"] for notion in ("none", "pwf", "psf")) > 3
    assert tally["unknown"] < tally["holds"] + tally["violated"]


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 10))
def test_what_is_said_of_any_number_is_true_of_small_ones_in_many_models(chunk: int) -> None:
    tally: Counter[str] = Counter()
    for seed in LONG_SEEDS[chunk :: CHUNKS * 10]:
        compare(seed, tally)
    assert min(tally["holds"], tally["violated"]) > 100
