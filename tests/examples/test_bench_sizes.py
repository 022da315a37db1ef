"""The channel and synchronisation models of the benchmark have the sizes SPIN reports for their twins."""

from __future__ import annotations

import pytest

import fairlead
from tests.support.places import BENCH_MODELS

#: model, its sizes, states and transitions as SPIN counts them (without its initial step)
SIZES = [
    ("abp", {"N": 2, "K": 1, "M": 2}, 19_600, 108_080),
    ("abph", {"N": 2, "K": 1, "M": 2}, 19_600, 108_080),
    ("sliding", {"N": 2, "K": 2}, 1_284, 4_914),
    ("relay", {"N": 3, "M": 2}, 27, 48),
    ("sched", {"N": 3}, 36, 72),
    ("bar", {"N": 3}, 64, 193),
]


@pytest.mark.parametrize(("name", "sizes", "states", "transitions"), SIZES, ids=[row[0] for row in SIZES])
def test_sizes(name: str, sizes: dict[str, int], states: int, transitions: int) -> None:
    model = fairlead.load(BENCH_MODELS / f"{name}.csp", sizes)
    result = model.check("System() deadlockfree")
    assert result.verdict is fairlead.Verdict.HOLDS
    assert (result.statistics.states, result.statistics.transitions) == (states, transitions)
