"""Annotated networks: what is ready in each state, and the same verdicts as on their graphs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

import fairlead
from fairlead.engine.annotations import KINDS
from fairlead.lang.explicit.write import to_json
from fairlead.logic.fairness.notions import CLASSIC
from fairlead.model.annotation import Annotated
from fairlead.model.network import Network
from fairlead.outcome.limits import Clock
from fairlead.search.target import NetworkTarget
from tests.support.generators.csp_models import ModelWriter, Scope, Synchronisation
from tests.support.sampling import is_sample, some

FORMULAS = ("[]<> goal", "<>[] goal", "[] (goal -> <> !goal)", "[]<> a || <>[] !goal", "[] !goal", "[] !a")
LIMITS = fairlead.Limits(max_states=600)
LONG_SEEDS = range(1000, 1400)


@dataclass
class AnnotatingWriter(ModelWriter):
    """Writes models in which some events are annotated."""

    kinds: tuple[str, ...] = ("f", "wf", "sf", "wl", "sl")

    def _event(self, scope: Scope, data: bool = False) -> str:
        event = super()._event(scope, data)
        return f"{self.random.choice(self.kinds)}({event.strip()})" if self._chance(0.4) else event


def annotated_model(seed: int) -> str:
    chooser = random.Random(seed)
    synchronisation = chooser.choices(list(Synchronisation), [1, 2, 2])[0]
    kinds = chooser.choice([("f", "wf", "sf", "wl", "sl"), ("wf", "sf"), ("wl", "sl")])
    return AnnotatingWriter(chooser, synchronisation, kinds=kinds).model()


def compare_ready(text: str, seen: Counter[str]) -> None:
    """What the engine finds ready against the reference semantics, state by state."""
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    target = NetworkTarget(network, LIMITS)
    graph = target.graph()
    with target.working("exploring", Clock(LIMITS), graph):
        if not target.explore(LIMITS.states):
            return
        found = target.annotations(graph)
    named = [Annotated(graph.label_text(label), KINDS[kind].value) for kind, label in found.native.all]
    union: set[Annotated] = set()
    for number in range(graph.state_count):
        state = target.state(graph, number)
        ready = target.system.ready(state)
        assert {named[one] for one in found.native.ready(number)} == ready, text
        union |= ready
        enabled = {step.event for step in target.system.steps(state)}
        seen["ready, not enabled"] += any(one.label not in enabled for one in ready)
    assert set(found.annotated) == union
    assert {one.annotation for one in union} <= target.system.annotation_kinds
    seen["annotated"] += bool(union)


def compare_verdicts(text: str, notions: Sequence[fairlead.Fairness], seen: Counter[str]) -> None:
    model = fairlead.loads(text)
    graph = fairlead.loads(to_json(model.graph("System()", limits=LIMITS)), "json")
    for formula in FORMULAS:
        try:
            questions = model.formula(formula, "System()"), graph.formula(formula)
            for notion in notions:
                found, expected = model.check(questions[0], notion), graph.check(questions[1], notion)
                assert found.verdict is expected.verdict, (formula, notion, text)
                assert found.is_vacuous == expected.is_vacuous, (formula, notion, text)
                assert (found.note is None) == (expected.note is None), (formula, notion, text)
                seen["vacuous"] += found.is_vacuous
                seen[found.verdict.value] += bool(found.annotations)
                if found.evidence is not None:
                    assert model.validate(found.to_json()) is None
        except fairlead.InputError:  # an event that this model does not have
            continue


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_ready_steps_agree_with_the_reference_semantics(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in some(range(chunk, 120, 4), 10):
        try:
            compare_ready(annotated_model(seed), seen)
        except fairlead.FairleadError:
            continue
    if is_sample():
        return
    assert seen["annotated"] > 10
    assert seen["ready, not enabled"] > 0


def verdicts(seeds: range, notions: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        chosen = random.Random(seed).sample(CLASSIC, notions)
        try:
            compare_verdicts(annotated_model(seed), chosen, seen)
        except fairlead.FairleadError:
            continue
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(2))
def test_annotated_networks_and_their_graphs_agree(chunk: int) -> None:
    seen = verdicts(some(range(chunk, 80, 2)), notions=1)
    if is_sample():
        return
    assert seen["holds"] > 10
    assert seen["violated"] > 10


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_annotated_networks(chunk: int) -> None:
    seen = verdicts(LONG_SEEDS[chunk::10], notions=6)
    assert seen["violated"] > 100
