"""Minimised machines against bisimulations computed from their definitions."""

from __future__ import annotations

import random

import pytest

from fairlead.base.diagnostics import LimitReached
from fairlead.model.machine import TAU, Machine
from fairlead.reduce.bisimulation import Equivalence, minimised
from tests.support.oracle.bisimulation import equivalent, is_minimal, random_machine


def machine(*rows: list[tuple[str, int]], end: int | None = None) -> Machine:
    labels = dict.fromkeys(label for row in rows for label, _ in row if label != TAU)
    return Machine("M", tuple(labels), tuple(map(tuple, rows)), end)


def check_random_machine(seed: int) -> None:
    rng = random.Random(seed)
    given = random_machine(
        rng, "ab"[: rng.randint(0, 2)], states=rng.choice((3, 5, 8, 12)), tau=rng.choice((0.1, 0.4, 0.7))
    )
    for equivalence in Equivalence:
        small = minimised(given, equivalence)
        assert small.alphabet == given.alphabet
        assert equivalent(given, small, equivalence.value), (seed, given, small, equivalence)
        assert is_minimal(small, equivalence.value), (seed, given, small, equivalence)
        again = minimised(small, equivalence)
        assert (again.state_count, again.transition_count) == (small.state_count, small.transition_count)


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_the_result_is_equivalent_and_minimal(first: int) -> None:
    for seed in range(first, first + 50):
        check_random_machine(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 7000, 200))
def test_the_result_is_equivalent_and_minimal_often(first: int) -> None:
    for seed in range(first, first + 200):
        check_random_machine(seed)


def test_states_are_numbered_breadth_first() -> None:
    given = machine([("b", 3), ("a", 1)], [("c", 2)], [], [("c", 3)])
    small = minimised(given, Equivalence.STRONG)
    met = [0]
    for state in met:
        met += [target for _, target in small.transitions[state] if target not in met]
    assert met == [0, 1, 2, 3]


def test_a_livelock_is_no_deadlock() -> None:
    live = machine([("a", 1)], [(TAU, 1)])
    dead = machine([("a", 1)], [])
    assert minimised(live, Equivalence.WEAK).transitions == ((("a", 1),), ((TAU, 1),))
    assert minimised(dead, Equivalence.WEAK) == dead
    both = machine([(TAU, 1), (TAU, 2)], [(TAU, 1)], [])
    assert minimised(both, Equivalence.WEAK).state_count == 3


def test_a_cycle_with_a_way_out_is_kept_only_where_divergence_counts() -> None:
    given = machine([("a", 1)], [(TAU, 2), ("b", 0)], [(TAU, 1)])
    assert minimised(given, Equivalence.WEAK).transitions == ((("a", 1),), (("b", 0),))
    assert minimised(given, Equivalence.DIVERGENCE).transitions == ((("a", 1),), ((TAU, 1), ("b", 0)))


def test_end_is_told_from_stop_and_reached_in_silence() -> None:
    given = machine([("a", 1), ("a", 2)], [(TAU, 3)], [], [], end=3)
    small = minimised(given, Equivalence.WEAK)
    assert small.state_count == 3
    assert small.end is not None and small.transitions[small.end] == ()


def test_error_stays_error() -> None:
    given = machine([("a", 1), ("b", -1)], [(TAU, -1)])
    small = minimised(given, Equivalence.WEAK)
    assert small.transitions == ((("a", 1), ("b", -1)), ((TAU, -1),))
    assert minimised(machine([(TAU, -1)]), Equivalence.WEAK).transitions == (((TAU, -1),),)


@pytest.mark.parametrize("equivalence", Equivalence)
def test_long_chains_are_minimised_without_recursion(equivalence: Equivalence) -> None:
    size = 50_000
    rows = [[(TAU if state % 5 else "a", state + 1)] for state in range(size)]
    small = minimised(machine(*rows, [("b", 0)]), equivalence)
    assert small.state_count == (size + 1 if equivalence is Equivalence.STRONG else size // 5 + 1)


def test_the_memory_limit_is_kept() -> None:
    rows = [[("a", (state * 7) % 1000)] for state in range(1000)]
    with pytest.raises(LimitReached):
        minimised(machine(*rows), max_memory=1000)


def test_a_tick_may_stop_it() -> None:
    rows = [[("a", (state + 1) % 60_000), ("b", state // 2)] for state in range(60_000)]

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimised(machine(*rows), tick=stop)
