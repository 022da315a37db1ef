"""Cheapest hitting sets against trying all sets."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from fairlead.advice.hitting import bits, cheapest_hitting_set, smallest_sets


def hits_all(members: int, sets: list[int]) -> bool:
    return all(members & one for one in sets)


def by_trying(sets: list[int], costs: list[int], blocked: list[int]) -> int | None:
    """The least cost of a set that hits all and contains no blocked one."""
    numbers = range(len(costs))
    found = [
        sum(costs[number] for number in chosen)
        for size in range(len(costs) + 1)
        for chosen in combinations(numbers, size)
        if hits_all(members := sum(1 << number for number in chosen), sets)
        and not any(members & other == other for other in blocked)
    ]
    return min(found, default=None)


def random_sets(rng: Random, members: int) -> list[int]:
    count = rng.randint(0, 8)
    return [1 << rng.randrange(members) | rng.getrandbits(members) for _ in range(count)]


@pytest.mark.parametrize("seed", range(300))
def test_the_cheapest_is_found(seed: int) -> None:
    rng = Random(seed)
    members = rng.randint(1, 8)
    sets = random_sets(rng, members)
    costs = [rng.choice([1, 1, 1, 5, 100]) for _ in range(members)]
    blocked = [rng.getrandbits(members) or 1 for _ in range(rng.choice([0, 0, 1, 2, 3]))]
    found = cheapest_hitting_set(sets, costs, blocked)
    expected = by_trying(sets, costs, blocked)
    assert (found is None) == (expected is None)
    if found is not None:
        assert found.is_cheapest
        assert hits_all(found.members, sets)
        assert not any(found.members & other == other for other in blocked)
        assert sum(costs[number] for number in bits(found.members)) == expected


def test_what_is_given_up_still_hits_all_and_has_nothing_to_spare() -> None:
    rng = Random(7)
    sets = [sum(1 << member for member in rng.sample(range(60), 4)) for _ in range(120)]
    found = cheapest_hitting_set(sets, [1] * 60, patience=50)
    assert found is not None
    assert not found.is_cheapest
    assert hits_all(found.members, sets)
    for member in bits(found.members):
        assert not hits_all(found.members & ~(1 << member), sets)


def test_strong_assumptions_count_as_weak_ones_where_sets_are_blocked() -> None:
    # 1 implies 0: {1} is no alternative to {0}
    assert cheapest_hitting_set([0b11], [1, 5], [0b01], [0, 0b01]) is None


def test_smallest_sets_are_those_that_contain_no_other() -> None:
    assert smallest_sets([0b111, 0b011, 0b110, 0b011]) == [0b011, 0b110]


def test_thousands_of_needed_members_are_no_problem() -> None:
    found = cheapest_hitting_set([1 << number for number in range(3000)], [1] * 3000)
    assert found is not None
    assert found.members.bit_count() == 3000
