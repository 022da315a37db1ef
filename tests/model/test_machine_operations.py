"""Compositions against those made by trying everything."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from fairlead.base.diagnostics import LimitReached
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine
from fairlead.model.machine_operations import composed
from fairlead.reduce.building import composed_by_engine
from tests.support.oracle.bisimulation import equivalent, naive_composition, random_machines


def check_random_composition(seed: int) -> None:
    rng = random.Random(seed)
    machines = random_machines(rng)
    chosen = frozenset(rng.sample("abcd", rng.randint(1, 3)))
    for priority in (None, ActionPriority(chosen, True), ActionPriority(chosen, False)):
        high = chosen if priority is not None and priority.is_high else frozenset()
        low = chosen if priority is not None and not priority.is_high else frozenset()
        built = composed(machines, priority)
        naive = naive_composition(machines, low, high)
        assert set(built.alphabet) == set(naive.alphabet)
        counts = (naive.state_count, naive.transition_count)
        assert (built.state_count, built.transition_count) == counts, (seed, priority)
        if built.state_count <= 30:
            assert equivalent(built, naive, "strong"), (seed, priority)


@pytest.mark.parametrize("seed", range(60))
def test_the_engine_composes_the_same(seed: int) -> None:
    rng = random.Random(seed)
    machines = [replace(machine, name=f"M{n}") for n, machine in enumerate(random_machines(rng))]
    labels = sorted({label for machine in machines for label in machine.alphabet})
    chosen = frozenset(rng.sample(labels, min(2, len(labels))))
    for priority in (None, ActionPriority(chosen, True), ActionPriority(chosen, False)):
        small = composed(machines, priority, name="S")
        large = composed_by_engine(machines, priority, name="S", max_states=10_000)
        assert (large.name, large.alphabet) == (small.name, small.alphabet)
        assert (large.state_count, large.transition_count) == (small.state_count, small.transition_count)
        assert (large.end is None) == (small.end is None)
        assert equivalent(large, small, "strong")


def test_the_engine_keeps_the_limit_on_states() -> None:
    copies = [Machine(f"P{i}", (f"a{i}", f"b{i}"), (((f"a{i}", 1),), ((f"b{i}", 0),))) for i in range(10)]
    with pytest.raises(LimitReached, match="too large to become a part"):
        composed_by_engine(copies, None, name="S", max_states=100)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_compositions(first: int) -> None:
    for seed in range(first, first + 50):
        check_random_composition(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 5000, 200))
def test_compositions_often(first: int) -> None:
    for seed in range(first, first + 200):
        check_random_composition(seed)


def test_the_limit_on_states_is_kept() -> None:
    counter = Machine("C", ("up",), tuple((("up", (state + 1) % 10),) for state in range(10)))
    others = [Machine("D", (label,), tuple(((label, (s + 1) % 10),) for s in range(10))) for label in "abc"]
    assert composed([counter, *others], max_states=10_000).state_count == 10_000
    with pytest.raises(LimitReached, match="more than 9999 states"):
        composed([counter, *others], name="S", max_states=9_999)


def test_a_tick_may_stop_it() -> None:
    machines = [Machine("D", (label,), tuple(((label, (s + 1) % 20),) for s in range(20))) for label in "abc"]

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        composed(machines, tick=stop)


def test_the_order_of_steps_is_internal_first_then_by_label() -> None:
    first = Machine("A", ("b",), ((("b", 0), (TAU, 1)), ()))
    second = Machine("B", ("a", "b"), ((("a", ERROR_STATE), ("b", 0), (TAU, 0)),))
    built = composed([first, second])
    assert built.alphabet == ("b", "a")
    assert built.transitions[0] == ((TAU, 0), (TAU, 1), ("b", 0), ("a", ERROR_STATE))
