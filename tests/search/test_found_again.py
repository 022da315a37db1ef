"""Transitions that are not kept are found again: verdicts, counts and evidence are those with all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.logic.fairness.notions import Fairness
from fairlead.search.checkpoint import Checkpoints
from tests.support.asking.answers import (
    PHILOSOPHERS,
    answers,
    on_examples,
    random_texts,
    wake_threads_early,
    what_stays,
)
from tests.support.places import ROOT
from tests.support.sampling import some
from tests.support.tuning import Tune

READERS_WRITERS = ROOT / "bench" / "models" / "rw.csp"
NOTIONS = tuple(Fairness)
#: how many transitions are kept: none, one state's, a few
KEPT = (0, 1, 7, 40, 300)
#: some random models have no end
MANY = 2_000
eager = pytest.fixture(autouse=True)(wake_threads_early)


@on_examples
@pytest.mark.parametrize("kept", [0, 100])
def test_examples(path: Path, kept: int, tune: Tune) -> None:
    expected = answers(fairlead.load(path), NOTIONS, fairlead.Limits(threads=1))
    tune(most_kept=kept)
    for threads in (1, 3):
        assert answers(fairlead.load(path), NOTIONS, fairlead.Limits(threads=threads)) == expected


def compare_random_models(seeds: range, tune: Tune) -> None:
    asked = 0
    for seed, text in random_texts(seeds):
        tune(most_kept=None)
        expected = answers(fairlead.loads(text), NOTIONS, fairlead.Limits(MANY, threads=1))
        asked += len(expected)
        tune(most_kept=KEPT[seed // 3 % len(KEPT)])
        found = answers(fairlead.loads(text), NOTIONS, fairlead.Limits(MANY, threads=1 + seed % 3))
        assert found == expected, (seed, text)
    assert asked


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(5))
def test_random_models(chunk: int, tune: Tune) -> None:
    compare_random_models(some(range(51_000 + chunk, 51_100, 5)), tune)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_random_models(chunk: int, tune: Tune) -> None:
    compare_random_models(range(52_000 + chunk, 54_000, 10), tune)


#: a step of Q that is not plain is met late: before, joint events come in another order
MIXED = """
var x:{0..5};
P(i) = [i < 3] a.i -> P(i + 1) [] tick -> P(0) [] [i == 3] own{x = (x + 1) % 6;} -> P(0);
Q(i) = [i < 2] tick -> Q(i + 1) [] [i < 2] b.i -> Q(i + 1) [] [i == 2] shown.x -> Q(0);
R() = tick -> R() [] c -> R();
System() = (P(0) || Q(0)) || R();
#assert System() |= []<> c;
#assert System() |= []<> tick;
#assert System() |= [] (tick -> <> own);
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_both_ways_to_find_steps(threads: int, tune: Tune) -> None:
    notions = (Fairness.NONE, Fairness.EVENT_STRONG, Fairness.PROCESS_WEAK)
    expected = answers(fairlead.loads(MIXED), notions, fairlead.Limits(threads=1))
    for kept in (0, 7, 40):
        tune(most_kept=kept)
        assert answers(fairlead.loads(MIXED), notions, fairlead.Limits(threads=threads)) == expected


# ---------------------------------------------------------------- memory that is really short


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("notion", "share"), [("pwf", 0.9), ("psf", 0.7), ("sgf", 0.45)])
def test_less_memory_than_all_transitions_need(notion: str, share: float, threads: int) -> None:
    """Each chunk of transitions takes 8 MB; here there are some, of which one after the other is given up."""

    def check(limits: fairlead.Limits) -> fairlead.Result:
        model = fairlead.load(READERS_WRITERS, {"N": 7})
        formula = "System() |= [] (startread.0 -> <> stopread.0)"
        return model.check(formula, notion, limits=limits, reduction="none")

    needed = check(fairlead.Limits(threads=1))
    budget = int(needed.statistics.memory_bytes * share)
    found = check(fairlead.Limits(max_memory=budget, threads=threads))
    assert found.statistics.memory_bytes <= budget
    assert what_stays(lambda: found) == what_stays(lambda: needed)


def test_a_checkpoint_without_all_transitions(tmp_path: Path, tune: Tune) -> None:
    """What is saved and was not kept is found again, and what is loaded and kept still is."""
    file, question = tmp_path / "checkpoint", "System() |= []<> eating0"

    def check(checkpoints: Checkpoints, states: int | None = None) -> fairlead.Result:
        model = fairlead.load(PHILOSOPHERS, {"N": 7})
        return model.check(question, "pwf", limits=fairlead.Limits(states), checkpoints=checkpoints)

    expected = what_stays(lambda: check(Checkpoints(str(file))))
    for before, after in ((0, None), (100, None), (100, 0), (None, 0), (None, 1_000)):
        tune(most_kept=before)
        assert check(Checkpoints(str(file)), states=1_000).verdict is fairlead.Verdict.UNKNOWN
        tune(most_kept=after)
        assert what_stays(lambda: check(Checkpoints(None, str(file)))) == expected
