"""What counters keep: the quotient, made by definition, has the verdicts of the system it is a quotient of.

Nothing here counts but the oracle. The local states are the processes of the quotient, so that weak and
strong process fairness are `always` and `once` within `leave` (theorem 1 of Sun et al., FM 2009).
"""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

import fairlead
from fairlead import Fairness
from fairlead.lang.explicit.write import to_json
from fairlead.model.network import Network
from fairlead.model.tree import LocalState
from tests.support.asking.counters import atoms_of, quotient_graph, random_ctl
from tests.support.asking.models import Case, formulas, small_case
from tests.support.generators.counters_random import SymmetricWriter
from tests.support.oracle.counters import Groups, quotient
from tests.support.sampling import is_sample, some

CHUNKS = 2
SEEDS = range(80)
LONG_SEEDS = range(50_000, 53_000)
ALWAYS = (Fairness.NONE, Fairness.PROCESS_WEAK, Fairness.PROCESS_STRONG)
WITHOUT_INTERNAL_STEPS = (Fairness.EVENT_WEAK, Fairness.EVENT_STRONG)


def without_index(state: LocalState) -> LocalState:
    """Parameters of a member are its index, and what it has received."""
    return LocalState(state.position, tuple(value for value in state.parameters if value < 5))


def groups_of(writer: SymmetricWriter) -> Groups:
    names = frozenset(group.name for group in writer.groups)
    return Groups(names, without_index, lambda event: re.sub(r"\.[5-9]\b", ".any", event))


def compare(seed: int, tally: Counter[str]) -> None:
    random = Random(seed)
    writer = SymmetricWriter(random, with_forks=False)
    case = small_case(seed, writer.model(), 250)
    if case is None or any(group.is_asymmetric for group in writer.groups):
        return
    if re.search(r"\\ \{[^}]*\.[5-9]", case.text):  # what one process does is hidden, and not what others do
        return
    model = fairlead.loads(case.text)
    network = model._loaded.system("System()")
    assert isinstance(network, Network)
    found = quotient(network, groups_of(writer))
    if found.concrete_states == len(found.known):
        return
    small = fairlead.loads(to_json(quotient_graph(found, model, network)), "json")
    compare_formulas(case, (model, small), random, tally)


def compare_formulas(
    case: Case, models: tuple[fairlead.Model, fairlead.Model], random: Random, tally: Counter[str]
) -> None:
    model, small = models
    named = {step.event for steps in small.graph().transitions.values() for step in steps}
    for text in formulas(case, random, 4):
        if not mentioned(case, text) <= named:
            continue
        notions = list(ALWAYS)
        has_internal_steps = any(event.startswith("τ") and "LocalState" in event for event in named)
        has_indices = any(re.search(r"\.[5-9]", label) for label in case.labels)
        if not has_internal_steps and not has_indices:
            notions += WITHOUT_INTERNAL_STEPS
        for notion in notions:
            expected = model.check(model.formula(text, "System()"), notion).verdict
            assert small.check(small.formula(text), notion).verdict is expected, (
                f"seed {case.seed} {text} {notion}\n{case.text}"
            )
            tally[notion.value] += 1
            tally[expected.value] += 1
    text = random_ctl(random, atoms_of(case, random), 3)
    if mentioned(case, text) <= named and re.match("[AE]", text):
        for notion in (*ALWAYS, Fairness.STRONG_GLOBAL):
            expected = model.check(model.ctl(text, "System()"), notion).verdict
            assert small.check(small.ctl(text), notion).verdict is expected, (
                f"seed {case.seed} {text} {notion}\n{case.text}"
            )
            tally["ctl"] += 1


def mentioned(case: Case, text: str) -> set[str]:
    """The events that a formula names."""
    return {name.strip('"') for name in case.event_atoms if name in text} | {
        name for name in ("terminate",) if name in text
    }


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_quotient_has_the_same_verdicts(chunk: int) -> None:
    tally: Counter[str] = Counter()
    for seed in some(SEEDS[chunk::CHUNKS]):
        compare(seed, tally)
    if is_sample():
        return
    assert min(tally["pwf"], tally["psf"], tally["none"], tally["violated"], tally["holds"]) > 20
    assert min(tally["ewf"], tally["esf"], tally["ctl"]) > 6


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 10))
def test_many_quotients_have_the_same_verdicts(chunk: int) -> None:
    tally: Counter[str] = Counter()
    for seed in LONG_SEEDS[chunk :: CHUNKS * 10]:
        compare(seed, tally)
    assert tally["psf"] > 100
