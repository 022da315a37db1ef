"""A check that was stopped leaves nothing behind that a later one could take for an explored graph."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.outcome.events import Reporter
from tests.support.places import BENCH_MODELS

GROWING = "var x:{0..16}; P() = [x < 16] a{x = x + 1;} -> (P() ||| P()) [] [x == 16] b -> Stop;"


class Enough(Exception):
    """Raised by a reporter to stop a check."""


def stop_after(ticks: int) -> Reporter:
    left = ticks

    def reporter(progress: fairlead.Progress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Enough

    return reporter


def counts(result: fairlead.Result) -> tuple[object, ...]:
    return result.verdict, result.statistics.states, result.statistics.transitions


#: checks that take long enough for the engine to report more than twice
CASES = {
    "reachability": ("dp.csp", 12, "System() reaches eatsWithoutForks"),
    "liveness": ("pet.csp", 5, "System() |= [] (trying0 -> <> critical0)"),
}


@pytest.mark.parametrize("ticks", range(2))
@pytest.mark.parametrize("name", CASES)
def test_after_an_interruption(name: str, ticks: int) -> None:
    file, size, question = CASES[name]
    model = fairlead.load(BENCH_MODELS / file, {"N": size})
    with pytest.raises(Enough):
        model.check(question, "pwf", reporter=stop_after(ticks))
    expected = fairlead.load(BENCH_MODELS / file, {"N": size}).check(question, "pwf")
    assert counts(model.check(question, "pwf")) == counts(expected)


def test_while_python_is_asked() -> None:
    question = "P() reaches 0 == 1"
    expected = counts(fairlead.loads(GROWING).check(question))
    model = fairlead.loads(GROWING)
    with pytest.raises(Enough):
        model.check(question, reporter=stop_after(0))
    assert counts(model.check(question)) == expected


def test_after_a_limit_of_memory() -> None:
    model = fairlead.load(BENCH_MODELS / "dp.csp", {"N": 10})
    tight = fairlead.Limits(max_memory=3 << 20)
    question = "System() reaches eatsWithoutForks"
    for _ in range(2):
        assert model.check(question, limits=tight).verdict is fairlead.Verdict.UNKNOWN
    assert model.check(question).verdict is fairlead.Verdict.VIOLATED
