"""Models of the benchmark have the sizes SPIN reports for their twins, or a known number more or less."""

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
    # SPIN does not store the 144 states that are inside atomic, and so has as many transitions less
    ("commit", {"N": 3}, 1_659 + 144, 6_460 + 144),
    ("devices", {"N": 3}, 125 + 75, 900 + 75),
    # in SPIN, processes that have ended are there until all later ones have ended
    ("fork", {"N": 3}, 197 - 27, 684 - 118),
    ("sort", {"N": 8}, 2_707, 10_508),
    ("phases", {"N": 3}, 333, 858),
    ("nested", {"N": 3}, 972, 3_456),
    ("calls", {"N": 3, "K": 4}, 1_000, 4_200),
    ("chain", {"N": 8}, 9_841, 28_430),
    ("groups", {"N": 3}, 1_000, 5_400),
    ("alike", {"N": 6}, 26_001, 141_264),
    ("canteen", {"N": 3}, 176, 420),
    ("gossip", {"N": 4}, 191, 861),
    ("hanoi", {"N": 4}, 82, 241),
    ("lru", {"N": 5, "K": 3}, 86, 430),
    ("registry", {"N": 3}, 34, 126),
]


def test_queens_are_placed_in_all_ways() -> None:
    model = fairlead.load(BENCH_MODELS / "queens.csp", {"N": 6})
    nowhere = model.check("System() reaches crowded")
    assert nowhere.verdict is fairlead.Verdict.VIOLATED
    assert (nowhere.statistics.states, nowhere.statistics.transitions) == (153, 152)
    assert model.check("System() reaches placed").verdict is fairlead.Verdict.HOLDS
    unsolvable = fairlead.load(BENCH_MODELS / "queens.csp", {"N": 3})
    assert unsolvable.check("System() reaches placed").verdict is fairlead.Verdict.VIOLATED


@pytest.mark.parametrize(("name", "sizes", "states", "transitions"), SIZES, ids=[row[0] for row in SIZES])
def test_sizes(name: str, sizes: dict[str, int], states: int, transitions: int) -> None:
    model = fairlead.load(BENCH_MODELS / f"{name}.csp", sizes)
    result = model.check("System() deadlockfree")
    assert result.verdict is fairlead.Verdict.HOLDS
    assert (result.statistics.states, result.statistics.transitions) == (states, transitions)
