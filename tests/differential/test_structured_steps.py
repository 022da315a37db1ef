"""Steps of nested compositions that change while they run: the engine against the reference semantics."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.base.diagnostics import LimitReached
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration, leaves
from tests.support.generators.structured import structured_model
from tests.support.sampling import is_sample, some
from tests.support.steps import compare_text

DEFAULT_SEEDS = range(400)
LONG_SEEDS = range(10_000, 20_000)
DEFAULT_LIMIT, LONG_LIMIT = 400, 2000
CHUNKS = 10
MOST_LEAVES = 12


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_compositions(chunk: int) -> None:
    seeds = some(DEFAULT_SEEDS[chunk::CHUNKS])
    compared = sum(compare(seed, DEFAULT_LIMIT) for seed in seeds)
    assert compared >= len(seeds) // 3 or is_sample(), "most models are too big to be of use"


def test_two_leaves_of_a_tree_lead_to_the_same() -> None:
    """A shared event that two branches offer is one transition if both lead to the same tree."""
    text = "P() = b -> Skip; Q() = ((P() [*] P()) [] (P() interrupt c -> Stop)); System() = Q() || P();"
    assert compare_text(text, 0, DEFAULT_LIMIT)
    assert compare(52834, DEFAULT_LIMIT)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 5))
def test_many_random_compositions(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk :: CHUNKS * 5]:
        compare(seed, LONG_LIMIT)


def compare(seed: int, limit: int) -> bool:
    """Whether the system was small enough, and does not nest operators forever."""
    text = structured_model(seed)
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    return is_small(network, limit) and compare_text(text, seed, limit)


def is_small(network: Network, limit: int) -> bool:
    """Whether there are few states, each with few leaves: joint steps of many are too many."""
    system = NetworkSystem(network)
    seen = dict.fromkeys(system.initial_states())
    queue = list(seen)
    for state in queue:
        if len(queue) > limit or sum(1 for _ in leaves(state.tree)) > MOST_LEAVES:
            return False
        try:
            steps = system.steps(state)
        except LimitReached:
            return False
        except Fault:
            continue
        for step in steps:
            assert isinstance(step.target, Configuration)
            if step.target not in seen:
                seen[step.target] = None
                queue.append(step.target)
    return True
