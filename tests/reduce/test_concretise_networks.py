"""Runs of networks whose processes are found to be alike, although an index distinguishes them."""

from __future__ import annotations

import random

import pytest

from fairlead.base.source import Source
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.validate import replay_problem
from fairlead.lang.csp.library.python_files import load_python
from fairlead.lang.csp.model import CspModel
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.reduce.counters.automata import Sight
from fairlead.reduce.counters.concretise import concrete_run
from fairlead.reduce.counters.network import counted_network
from tests.support.generators.concretise_by_hand import random_lassos

NOTIONS = (Fairness.NONE, Fairness.PROCESS_WEAK, Fairness.PROCESS_STRONG)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "P(i) = a.i -> Q(i) [] skip.i -> P(i); Q(i) = b.i -> P((i + 1) % 4);"
            "System() = ||| i:{0..3} @ P(i);",
            id="an index that changes: all are back in place before their local states are the same again",
        ),
        pytest.param(
            "channel c 0; P(i, k) = c!k -> P(i, k) [] c?y -> P(i, y) [] up.i -> P(i, (k + 1) % 2);"
            "System() = ||| i:{0..2} @ P(i, 0);",
            id="an index and a value that was received",
        ),
        pytest.param(
            "P(i) = a -> b -> P(i) [] c.i -> P(i); System() = (||| i:{0..2} @ P(i)) \\ {a};",
            id="hidden events",
        ),
        pytest.param(
            "P(i) = a -> b.i -> P(i); M() = a -> c -> M(); System() = (||| i:{0..2} @ P(i)) || M();",
            id="synchronised with another process",
        ),
        pytest.param(
            "P(i) = a.i -> Skip; System() = (||| i:{0..2} @ P(i)); again -> System();",
            id="ending together, and beginning again",
        ),
    ],
)
def test_lassos(text: str) -> None:
    network = CspModel(Source("model.csp", text), {}, load_python([])).system("System()")
    assert isinstance(network, Network)
    found = counted_network(network, Sight(frozenset()))
    concrete, counted = NetworkSystem(network), NetworkSystem(found.network)
    (merged,) = found.symmetry.merged.values()
    assert len(merged.group.members) > 2
    seed = random.Random(text)
    judged = set()
    for _ in range(5):
        for run in random_lassos(counted, seed, 25):
            for notion in NOTIONS:
                if FairPaths(notion).loop_problem(counted, run) is None:
                    made = concrete_run(
                        counted, concrete, run, [merged.group], found.symmetry.same, notion, 100_000
                    )
                    assert made is not None
                    assert replay_problem(concrete, made) is None
                    assert FairPaths(notion).loop_problem(concrete, made) is None
                    judged.add(notion)
    assert judged == set(NOTIONS)
