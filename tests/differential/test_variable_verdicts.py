"""Variables that do not distinguish states: the same verdicts and best values with the reduction and without.

Best values of costs are compared with a brute-force search on the reference semantics, since most models with
a counter have no end. All evidence was judged as a run of the system itself.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.model.assertion import Assertion, ReachesOptimum
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.reduce.variables.network import Needed, WithoutUnneeded, unneeded_in
from tests.support.asking.faults import without_fault
from tests.support.asking.models import known_reason
from tests.support.generators.side_by_side import random_ltl
from tests.support.generators.variables_models import costly_model, scratch_model
from tests.support.oracle.best_cost import TooLarge, Unbounded, best_cost
from tests.support.sampling import is_sample, some
from tests.support.steps import compare_network, explore_reference

DEFAULT_SEEDS = range(180)
LONG_SEEDS = range(10_000, 13_000)
CHUNKS = 12
MAX_STATES = 4000
#: the brute-force search looks at so many states
MOST = 120
LIMITS = fairlead.Limits(max_states=MAX_STATES, threads=1)
NOTIONS = ("none", "ewf", "esf", "pwf", "psf", "impartial")
Answer = fairlead.Result | Exception


@dataclass
class Comparison:
    """One model; what was seen is counted."""

    model: fairlead.Model
    text: str
    seen: Counter[str] = field(default_factory=Counter)

    def answer(self, question: Assertion, reduction: str, notion: str = "none") -> Answer:
        try:
            return without_fault(self.model.check(question, notion, reduction=reduction, limits=LIMITS))
        except (InputError, LimitReached) as problem:
            return problem

    def compare(self, question: Assertion, notion: str) -> None:
        """With the whole system."""
        reduced, whole = (self.answer(question, reduction, notion) for reduction in ("variables", "none"))
        where = f"{question.text} {notion}\n{self.text}"
        if isinstance(reduced, Exception) or isinstance(whole, Exception):
            # where counters have no end, the whole system may not get as far as the fault
            unknown = not isinstance(whole, Exception) and whole.verdict is fairlead.Verdict.UNKNOWN
            assert type(reduced) is type(whole) or unknown, where
            self.seen["fault"] += 1
            return
        if reduced.variables is None:
            assert reduced.refused is not None
            self.seen["refused"] += 1
            return
        verdicts = (reduced.verdict, whole.verdict)
        if fairlead.Verdict.UNKNOWN in verdicts:
            self.seen["unknown"] += 1
            return
        assert verdicts[0] is verdicts[1] and reduced.optimum == whole.optimum, where
        self.seen[reduced.verdict.value] += 1
        self.seen["smaller"] += reduced.statistics.states < whole.statistics.states
        self.seen["dead"] += bool(reduced.variables.dead)
        self.seen["unread"] += bool(reduced.variables.unread)
        if reduced.vacuity is not None or whole.vacuity is not None:
            self._compare_reasons(reduced, whole, question, where)

    def _compare_reasons(
        self, reduced: fairlead.Result, whole: fairlead.Result, question: Assertion, where: str
    ) -> None:
        try:
            self.model.size(question.process, limits=LIMITS)
        except (InputError, LimitReached):  # then there is nothing to compare with
            return
        assert known_reason(reduced) == known_reason(whole), where
        self.seen["vacuous"] += known_reason(whole) is not None

    def compare_cost(self, question: ReachesOptimum, maximise: bool) -> None:
        """With the brute-force search."""
        reduced = self.answer(question, "variables")
        where = f"{question.text}\n{self.text}"
        if isinstance(reduced, Exception) or reduced.variables is None or reduced.variables.cost is None:
            self.seen["no cost"] += 1
            return
        network = self.model._loaded.system("System()")
        assert isinstance(network, Network)
        slot = next(one.slot for one in network.variables if one.name == "cost")
        try:
            best = best_cost(NetworkSystem(network), slot, question.goal, maximise=maximise, most=MOST)
        except (TooLarge, InputError, LimitReached) as problem:
            self.seen[type(problem).__name__] += 1
            return
        if isinstance(best, Unbounded):
            assert reduced.verdict is fairlead.Verdict.UNKNOWN and reduced.reason == "unbounded", where
            self.seen["unbounded"] += 1
            return
        assert reduced.optimum == best, where
        assert (reduced.verdict is fairlead.Verdict.HOLDS) is (best is not None), where
        kind = "none" if best is None else "max" if maximise else "min"
        self.seen[kind] += 1
        self.seen["negative"] += best is not None and best < 0


def _costs(seed: int) -> Counter[str]:
    questions = "".join(f"#assert System() reaches goal with {end}(cost);\n" for end in ("min", "max"))
    text = costly_model(seed) + questions
    comparison = Comparison(fairlead.loads(text), text)
    for question, maximise in zip(comparison.model.assertions[-2:], (False, True), strict=True):
        assert isinstance(question, ReachesOptimum)
        comparison.compare_cost(question, maximise)
        comparison.compare(question, "none")
    for question in comparison.model.assertions[:2]:
        comparison.compare(question, "none")
    return comparison.seen


def _dead(seed: int) -> Counter[str]:
    random = Random(seed)
    text = scratch_model(seed)
    events = {"a": r"\ba(\{| ->)", "e": r"\be(\{| ->)", "set.0": r"set\.0\{"}
    atoms = ("near", "high", "own", *(event for event, written in events.items() if re.search(written, text)))
    text += "#assert System() deadlockfree;\n#assert System() nonterminating;\n"
    text += "#assert System() reaches near;\n#assert System() reaches near with max(x1);\n"
    for _ in range(4):
        text += f"#assert System() |= {random_ltl(random, atoms, random.randint(1, 4))};\n"
    comparison = Comparison(fairlead.loads(text), text)
    for question in comparison.model.assertions:
        comparison.compare(question, random.choice(NOTIONS) if "|=" in question.text else "none")
    return comparison.seen


def _compare_costs(seeds: range) -> None:
    seen = sum((_costs(seed) for seed in some(seeds)), Counter[str]())
    if not is_sample():  # a sample may happen to have none
        assert seen["min"] > 0 and seen["max"] > 0 and seen["no cost"] > 0


def _compare_dead(seeds: range) -> None:
    seen = sum((_dead(seed) for seed in some(seeds)), Counter[str]())
    if not is_sample():
        assert all(seen[kind] > 0 for kind in ("holds", "violated", "smaller", "dead", "unread")), seen


def _chunk(seeds: range, number: int) -> range:
    size = len(seeds) // CHUNKS
    return seeds[number * size : (number + 1) * size]


@pytest.mark.parametrize("number", range(CHUNKS))
def test_costs(number: int) -> None:
    _compare_costs(_chunk(DEFAULT_SEEDS, number))


@pytest.mark.parametrize("number", range(CHUNKS))
def test_dead_variables(number: int) -> None:
    _compare_dead(_chunk(DEFAULT_SEEDS, number))


@pytest.mark.long
@pytest.mark.parametrize("number", range(CHUNKS))
def test_more_costs(number: int) -> None:
    _compare_costs(_chunk(LONG_SEEDS, number))


@pytest.mark.long
@pytest.mark.parametrize("number", range(CHUNKS))
def test_more_dead_variables(number: int) -> None:
    _compare_dead(_chunk(LONG_SEEDS, number))


@pytest.mark.parametrize("seed", some(range(60)))
def test_both_step_relations_agree_on_reduced_networks(seed: int) -> None:
    """Also where joint steps reset what is dead, or the cost, which no text makes them do."""
    dead = fairlead.loads(scratch_model(seed))._loaded.system("System()")
    costly = fairlead.loads(costly_model(seed))._loaded.system("System()")
    assert isinstance(dead, Network) and isinstance(costly, Network)
    cost = next(one for one in costly.variables if one.name == "cost")
    for network, quantity in ((dead, None), (costly, cost)):
        try:
            unneeded = unneeded_in(network, frozenset(), quantity)
            reduced = WithoutUnneeded(network, unneeded).network
            expected = explore_reference(reduced, 300)
        except (Needed, LimitReached):
            continue
        if expected.is_complete and not unneeded.is_empty:
            compare_network(reduced, expected)
