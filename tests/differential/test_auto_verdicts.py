"""The reductions that are chosen automatically give the verdicts of the full state space, under every notion.

Thresholds are so small that reductions are tried on every system, and given up at random moments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

import fairlead
from fairlead.base.tuning import tuned
from fairlead.checker.kinds import kind_of
from fairlead.logic.fairness.notions import CLASSIC, Fairness
from fairlead.model.assertion import Assertion
from fairlead.model.evaluation import Fault
from tests.support.asking.faults import without_fault
from tests.support.generators.counters_random import random_symmetric_model
from tests.support.generators.csp_models import random_model
from tests.support.generators.entangled import entangled
from tests.support.generators.fsp_models import random_system
from tests.support.generators.fsp_questions import questions as fsp_questions
from tests.support.generators.side_by_side import random_ltl, side_by_side
from tests.support.generators.structured import structured_model
from tests.support.generators.symmetry_models import random_numbered_model
from tests.support.generators.variables_models import costly_model, scratch_model
from tests.support.places import EXAMPLES
from tests.support.sampling import is_sample, some

SEEDS = range(40)
LONG_SEEDS = range(50_000, 51_000)
LIMITS = fairlead.Limits(max_states=3_000, threads=1)
#: what was explored in other limits is not examined again
OTHER_LIMITS = fairlead.Limits(max_states=3_001, threads=1)
#: larger random models are left out
MOST_STATES = 400
NOTIONS = (*CLASSIC, Fairness.IMPARTIAL)
#: of every kind of question that can be asked of any process
STATE_QUESTIONS = ("deadlockfree", "nonterminating", "divergencefree", "deterministic")
GENERATORS: dict[str, Callable[[int], str]] = {
    "side by side": side_by_side,
    "entangled": entangled,
    "numbered": random_numbered_model,
    "alike": random_symmetric_model,
    "scratch": scratch_model,
    "costs": lambda seed: costly_model(seed) + COSTS,
    "structured": structured_model,
    "any": random_model,
}
MODELS = [path for suffix in ("csp", "lts", "json", "aut") for path in sorted(EXAMPLES.glob(f"*/*.{suffix}"))]
COSTS = "#assert System() reaches goal with min(cost);\n#assert System() reaches goal with max(cost);\n"
Answer = fairlead.Result | Fault


@dataclass
class Comparison:
    """One model, its questions answered on the full state space and with what is chosen automatically."""

    model: fairlead.Model
    text: str
    random: Random
    seen: Counter[str] = field(default_factory=Counter)

    def compare(self, question: Assertion, notion: Fairness) -> None:
        where = f"{question.text} under {notion.value}\n{self.text}"
        whole, chosen = self._answer(question, notion, "none", LIMITS), self._chosen(question, notion)
        if isinstance(whole, Fault) or isinstance(chosen, Fault):
            self.seen["fault"] += 1
            self._compare_faults(whole, chosen, question, where)
            return
        if whole.verdict is fairlead.Verdict.UNKNOWN:
            self.seen["unknown"] += 1
            return
        assert chosen.verdict is whole.verdict, where
        assert chosen.optimum == whole.optimum, where
        self.seen[whole.verdict.value] += 1
        for title in () if chosen.auto is None else chosen.auto.applied:
            self.seen[title] += 1

    def _chosen(self, question: Assertion, notion: Fairness) -> Answer:
        few = self.random.choice((1, 2, 5, 30))
        with tuned(auto_whole=few, auto_sample=self.random.choice((1, 20, 20_000)), auto_part=40):
            return self._answer(question, notion, "auto", OTHER_LIMITS)

    def _answer(
        self, question: Assertion, notion: Fairness, reduction: str, limits: fairlead.Limits
    ) -> Answer:
        try:
            return without_fault(self.model.check(question, notion, reduction=reduction, limits=limits))
        except Fault as fault:
            return fault

    def _compare_faults(self, whole: Answer, chosen: Answer, question: Assertion, where: str) -> None:
        """Both meet one, unless one of them finds its answer before, or is stopped."""
        if isinstance(whole, Fault) and isinstance(chosen, Fault):
            return
        if isinstance(chosen, Fault):
            assert isinstance(whole, fairlead.Result)
            assert whole.evidence is not None or whole.verdict is fairlead.Verdict.UNKNOWN, where
            return
        assert isinstance(whole, Fault)
        assert chosen.evidence is not None or chosen.verdict is fairlead.Verdict.UNKNOWN, where


def asked_of(model: fairlead.Model, text: str, random: Random) -> Iterator[tuple[Assertion, Fairness]]:
    """The model's own questions, one about states, and random formulas under random notions."""
    for question in model.assertions:
        yield question, random.choice(NOTIONS)
    yield model.assertion(f"System() {random.choice(STATE_QUESTIONS)}"), Fairness.NONE
    names = [name for name in ("near", "high", "both", "goal", "own", "all1") if f"#define {name} " in text]
    events = [event for event in ("a", "b", "e", "own.0", "own.1", "set.0") if f"{event}" in text]
    for _ in range(3):
        formula = random_ltl(random, tuple(names + events), random.randint(1, 4))
        try:
            question = model.formula(formula, "System()")
            model._checker.questions.context.formula(question)
        except fairlead.InputError:  # an event that this model does not have
            continue
        yield question, random.choice(NOTIONS)


def compare_random(kind: str, seed: int) -> Counter[str]:
    text = GENERATORS[kind](seed)
    try:
        model = fairlead.loads(text)
        if kind != "costs":  # these have no end
            model.size("System()", limits=fairlead.Limits(max_states=MOST_STATES))
    except Fault:
        pass
    except (fairlead.InputError, fairlead.LimitReached):
        return Counter()
    comparison = Comparison(model, text, Random(seed))
    for question, notion in asked_of(model, text, comparison.random):
        comparison.compare(question, notion)
    return comparison.seen


#: what each kind of model shows in the default seeds
SHOWN = {
    "side by side": "partial order",
    "entangled": "partial order",
    "numbered": "symmetry",
    "alike": "process counters",
    "scratch": "variables",
    "costs": "variables",
}


@pytest.mark.sampled
@pytest.mark.parametrize("kind", GENERATORS)
def test_random_models(kind: str) -> None:
    seen = sum((compare_random(kind, seed) for seed in some(SEEDS)), Counter[str]())
    if is_sample():
        return
    assert seen["holds"] > 5 and seen["violated"] > 5, seen
    assert kind not in SHOWN or seen[SHOWN[kind]] > 2, seen


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
@pytest.mark.parametrize("kind", GENERATORS)
def test_many_random_models(kind: str, chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::10]:
        compare_random(kind, seed)


# ---------------------------------------------------------------- FSP and the examples


def compare_fsp(seed: int) -> Counter[str]:
    random = Random(seed)
    text = "\n".join([*random_system(seed), *fsp_questions(random, ["a", "b", "own.0", "own.1"])]) + "\n"
    try:
        model = fairlead.loads(text, "lts")
    except fairlead.InputError:
        return Counter()
    comparison = Comparison(model, text, random)
    for question in model.assertions:
        try:
            comparison.compare(question, random.choice(NOTIONS))
        except fairlead.InputError:  # a formula that names what this system does not have
            continue
    return comparison.seen


@pytest.mark.sampled
def test_fsp() -> None:
    seen = sum((compare_fsp(seed) for seed in some(SEEDS[:12])), Counter[str]())
    assert is_sample() or (seen["violated"] > 5 and seen["holds"] > 5), seen


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_fsp_systems(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::10]:
        compare_fsp(seed)


@pytest.mark.sampled
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    """Every assertion of every example, under every notion that it can be asked under."""
    allowed = path.parent.glob("*.py") if path.suffix == ".csp" else ()
    model = fairlead.load(path, allow_python=sorted(allowed))
    comparison = Comparison(model, str(path), Random(path.name))
    for question in model.assertions:
        is_chosen = kind_of(question).fairness.chosen
        for notion in NOTIONS if is_chosen and not is_sample() else NOTIONS[:1]:
            comparison.compare(question, notion)
