"""Partial order reduction: the same verdicts with it and without, whatever the number of threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest

import fairlead
from fairlead.model.assertion import Assertion, Safe, Satisfies
from fairlead.model.evaluation import Fault
from tests.support.asking.faults import without_fault
from tests.support.asking.models import known_reason
from tests.support.generators.csp_models import random_model
from tests.support.generators.entangled import entangled
from tests.support.generators.fsp_models import random_system
from tests.support.generators.fsp_questions import questions as fsp_questions
from tests.support.generators.side_by_side import random_ltl, side_by_side
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

DEFAULT_SEEDS = range(320)
LONG_SEEDS = range(10_000, 13_200)
CHUNKS = 20
MAX_STATES = 6000
ONE, THREE = (fairlead.Limits(max_states=MAX_STATES, threads=number) for number in (1, 3))
ATOMS = ("near", "high", "both", "own.0", "own.1", "a", "e")


@pytest.fixture(autouse=True)
def threads_are_worth_waking(tune: Tune) -> None:
    tune(least_work=1)


@dataclass
class Comparison:
    """One model, its questions answered with and without reduction; what was seen is counted."""

    model: fairlead.Model
    text: str
    seen: Counter[str] = field(default_factory=Counter)

    def compare(self, question: Assertion) -> None:
        whole = self._answer(question, "none", ONE)
        reduced = self._answer(question, "por", ONE)
        again = self._answer(question, "por", THREE)
        where = f"{question.text}\n{self.text}"
        if isinstance(whole, Fault) or isinstance(reduced, Fault):
            self.seen["fault"] += 1
            self._check_fault(whole, reduced, question, where)
            assert isinstance(again, Fault) == isinstance(reduced, Fault), where
            return
        assert not isinstance(again, Fault), where
        verdicts = {whole.verdict, reduced.verdict}
        assert len(verdicts) == 1 or fairlead.Verdict.UNKNOWN in verdicts, where
        assert again.verdict is reduced.verdict, where
        assert reduced.partial_order is not None
        if reduced.partial_order.problem is not None:
            self.seen["not reduced"] += 1
            return
        sizes = [(one.statistics.states, one.statistics.transitions) for one in (reduced, again)]
        assert sizes[0] == sizes[1], where
        self.seen[whole.verdict.value] += 1
        self.seen["saved"] += reduced.statistics.states < whole.statistics.states
        self._compare_reasons(whole, reduced, question, where)

    def _compare_reasons(
        self, whole: fairlead.Result, reduced: fairlead.Result, question: Assertion, where: str
    ) -> None:
        """What never changes is the same; other reasons are not searched for in a reduced system."""
        if reduced.vacuity is None and whole.vacuity is None:
            return
        try:
            self.model.size(question.process, limits=ONE)
        except (fairlead.LimitReached, Fault):  # then there is nothing to compare with
            return
        assert known_reason(reduced) == known_reason(whole), where
        self.seen["vacuous"] += known_reason(whole) is not None

    def _answer(
        self, question: Assertion, reduction: str, limits: fairlead.Limits
    ) -> fairlead.Result | Fault:
        try:
            none = fairlead.Fairness.NONE
            return without_fault(self.model.check(question, none, reduction=reduction, limits=limits))
        except Fault as fault:
            return fault

    def _check_fault(
        self,
        whole: fairlead.Result | Fault,
        reduced: fairlead.Result | Fault,
        question: Assertion,
        where: str,
    ) -> None:
        """A fault is met by both, unless an answer is found before; and there is one if it is met."""
        if isinstance(reduced, Fault) and isinstance(whole, Fault):
            return
        if isinstance(reduced, Fault):
            with pytest.raises(Fault):
                self.model.size(question.process)
        else:
            assert isinstance(whole, Fault)
            assert reduced.evidence is not None, where


def compare_side_by_side(seed: int) -> Counter[str]:
    text = side_by_side(seed)
    random = Random(seed)
    comparison = Comparison(fairlead.loads(text), text)
    for question in questions_about(comparison.model, random):
        comparison.compare(question)
    return comparison.seen


def questions_about(model: fairlead.Model, random: Random) -> Iterator[Assertion]:
    for text in ("deadlockfree", "nonterminating", "reaches both", "|= [] !(near && high)"):
        yield model.assertion(f"System() {text}")
    for _ in range(3):
        question = model.formula(random_ltl(random, ATOMS, random.randint(1, 4)), "System()")
        try:
            model._checker.questions.context.formula(question)
        except fairlead.InputError:  # an event that this model does not have
            continue
        yield question


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_processes_side_by_side(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in some(DEFAULT_SEEDS[chunk::CHUNKS]):
        seen += compare_side_by_side(seed)
    if is_sample():
        return
    assert seen["holds"] > 10
    assert seen["violated"] > 10
    assert seen["saved"] > 10
    assert seen["vacuous"] > 3
    assert seen["not reduced"] < seen["holds"]


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_processes_side_by_side(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        compare_side_by_side(seed)


def compare_entangled(seed: int) -> Counter[str]:
    """Processes that wait for each other; some of what they do is hidden."""
    text = entangled(seed)
    try:
        comparison = Comparison(fairlead.loads(text), text)
        for question in questions_about(comparison.model, Random(seed)):
            comparison.compare(question)
    except fairlead.InputError:
        return Counter()
    return comparison.seen


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_processes_that_wait_for_each_other(chunk: int) -> None:
    seen: Counter[str] = Counter()
    for seed in some(DEFAULT_SEEDS[chunk::CHUNKS]):
        seen += compare_entangled(seed)
    if is_sample():
        return
    assert seen["saved"] > 10
    assert seen["holds"] > 10
    assert seen["violated"] > 10


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_processes_that_wait_for_each_other(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        compare_entangled(seed)


def compare_any_csp(seed: int) -> Counter[str]:
    """Models of every construct: most cannot be reduced, and must not be."""
    text = random_model(seed)
    try:
        comparison = Comparison(fairlead.loads(text), text)
        for question in (*comparison.model.assertions, comparison.model.formula("[]<> goal", "System()")):
            comparison.compare(question)
    except fairlead.InputError:
        return Counter()
    return comparison.seen


def test_every_construct() -> None:
    seen: Counter[str] = Counter()
    for seed in range(70):
        seen += compare_any_csp(seed)
    assert seen["not reduced"] > 30


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_construct_many_times(chunk: int) -> None:
    for seed in range(1000 + chunk, 2500, CHUNKS):
        compare_any_csp(seed)


# ---------------------------------------------------------------- FSP


def machines_side_by_side(seed: int) -> list[str]:
    """FSP processes that share some of their actions, perhaps watched by a property."""
    random = Random(seed)
    lines = ["const N = 1", "range B = 0..1"]
    names = [f"P{number}" for number in range(random.choice([2, 3, 4]))]
    for number, name in enumerate(names):
        letters = random.sample("abcd", random.choice([1, 2])) + [f"own[{number}]"] * 2
        size = random.randint(1, 3)
        for state in range(size):
            branches = [
                f"{random.choice(letters)} -> {random.choice([f'{name}S{random.randrange(size)}', 'STOP'])}"
                if random.random() < 0.08
                else f"{random.choice(letters)} -> {name}S{random.randrange(size)}"
                for _ in range(random.choice([1, 2, 2]))
            ]
            head = f"{name} = {name}S0, " if state == 0 else ""
            end = "." if state + 1 == size else ","
            lines.append(f"{head}{name}S{state} = ({' | '.join(branches)}){end}")
    if random.random() < 0.6:
        one, other = random.sample([*"abcd", "own[0]", "own[1]"], 2)
        lines.append(f"property W = ({one} -> {other} -> W).")
        names.append("W")
    lines.append(f"||SYS = ({' || '.join(names)}).")
    return lines


def compare_fsp(lines: list[str], seed: int) -> Counter[str]:
    """Safety, and asserts without fairness, which begin after the first step."""
    alphabet = ["a", "b", "own.0", "own.1"]
    asserts = [line for line in fsp_questions(Random(seed), alphabet) if not line.startswith("progress")]
    text = "\n".join([*lines, *asserts]) + "\n"
    try:
        comparison = Comparison(fairlead.loads(text, "lts"), text)
    except fairlead.InputError:
        return Counter()
    for question in comparison.model.assertions:
        if not isinstance(question, Safe | Satisfies):
            continue
        try:
            comparison.compare(question)
        except fairlead.InputError:  # a formula that names what this system does not have
            continue
    return comparison.seen


def test_machines_side_by_side() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        seen += compare_fsp(machines_side_by_side(seed), seed)
    assert seen["saved"] > 20
    assert seen["violated"] > 20
    assert seen["holds"] > 5


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_machines(chunk: int) -> None:
    for seed in range(1000 + chunk, 2600, CHUNKS):
        compare_fsp(machines_side_by_side(seed), seed)
        compare_fsp(random_system(seed), seed)
