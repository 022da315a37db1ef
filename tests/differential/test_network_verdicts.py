"""Formulas on networks: the same verdicts as on their graphs, however the search goes."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.lang.explicit.write import to_json
from fairlead.logic.fairness.notions import CLASSIC
from tests.support.generators.csp_models import random_model
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

FORMULAS = ("[]<> goal", "<>[] goal", "[] (goal -> <> !goal)", "<>[] (a -> X !b)", "[]<> a || <>[] !goal")
LIMITS = fairlead.Limits(max_states=1500)


def graph_of(text: str) -> fairlead.Model | None:
    """The graph of a random model as a model of its own, if it has one and is not too large."""
    try:
        return fairlead.loads(to_json(fairlead.loads(text).graph("System()", limits=LIMITS)), "json")
    except fairlead.FairleadError:
        return None


def compare(text: str, graph: fairlead.Model) -> int:
    compared = 0
    network = fairlead.loads(text)
    for formula in FORMULAS:
        try:
            question, same = network.formula(formula, "System()"), graph.formula(formula)
            expected = {notion: graph.check(same, notion).verdict for notion in CLASSIC}
        except fairlead.InputError:  # an event that this model does not have
            continue
        found = {notion: network.check(question, notion).verdict for notion in CLASSIC}
        assert found == expected, f"{formula}\n{text}"
        compared += 1
    return compared


@pytest.mark.sampled
@pytest.mark.parametrize("way", ["whole", "in turns"])
@pytest.mark.parametrize("chunk", range(4))
def test_networks_and_their_graphs_agree(tune: Tune, chunk: int, way: str) -> None:
    if way == "in turns":
        tune(small_system=2, shortest_dive=5)
    compared = 0
    for seed in some(range(chunk, 60, 4), 1):
        text = random_model(seed)
        graph = graph_of(text)
        compared += 0 if graph is None else compare(text, graph)
    assert compared > 20 or is_sample()
