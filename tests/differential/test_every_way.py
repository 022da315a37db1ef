"""Random models of the whole language: every question has one answer, in whichever way it is searched for.

With and without reductions, by one thread and three, by dives and breadth first, with few states allowed and
with transitions forgotten, and by brute force on the reference semantics.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.asking.every_way import Comparison
from tests.support.generators.mixed_models import mixed_model
from tests.support.sampling import is_sample, some

DEFAULT_SEEDS = range(72)
LONG_SEEDS = range(10_000, 14_000)
CHUNKS = 8
#: of all ways to answer a question so many are tried
SHARE = 0.25


def compare(seeds: range) -> Counter[str]:
    """Raises `Disagreement`; what was seen."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        comparison = Comparison(mixed_model(seed))
        comparison.run(SHARE)
        seen += comparison.seen
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_way_gives_the_same_answer(chunk: int) -> None:
    seen = compare(some(DEFAULT_SEEDS[chunk::CHUNKS], 2))
    if not is_sample():
        assert all(seen[kind] > 20 for kind in ("compared", "judged", "followed")), seen


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(40))
def test_every_way_gives_the_same_answer_to_many(chunk: int) -> None:
    seen = compare(LONG_SEEDS[chunk::40])
    kinds = (
        "por reduced",
        "cost",
        "costs judged",
        "dead",
        "symmetric",
        "counted",
        "faults",
        "step relations",
    )
    assert all(seen[kind] > 0 for kind in kinds), seen
