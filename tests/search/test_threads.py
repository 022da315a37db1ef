"""Searching with several threads: verdicts, counts and evidence are those of one thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.base.diagnostics import FairleadError
from fairlead.logic.fairness.notions import Fairness
from tests.support.asking.answers import answers, on_examples, random_texts, wake_threads_early
from tests.support.asking.faults import without_fault
from tests.support.examples.loading import find_example
from tests.support.sampling import some

NOTIONS = (Fairness.NONE, Fairness.EVENT_WEAK, Fairness.PROCESS_STRONG, Fairness.STRONG_GLOBAL)
eager = pytest.fixture(autouse=True)(wake_threads_early)


def answers_with(model: fairlead.Model, threads: int, max_states: int | None = None) -> list[Any]:
    """All that may not depend on the number of threads."""
    return answers(model, NOTIONS, fairlead.Limits(threads=threads, max_states=max_states))


@on_examples
def test_examples(path: Path) -> None:
    alone = answers_with(fairlead.load(path), 1)
    assert alone
    for threads in (2, 5):
        assert answers_with(fairlead.load(path), threads) == alone


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(5))
def test_random_models(chunk: int) -> None:
    asked = 0
    for _, text in random_texts(some(range(20_000 + chunk, 20_120, 5))):
        alone = answers_with(fairlead.loads(text), 1)
        asked += len(alone)
        assert answers_with(fairlead.loads(text), 3) == alone, text
    assert asked


@pytest.mark.parametrize("max_states", [1, 2, 3, 10, 77, 500])
def test_a_limit_is_reached_at_the_same_state(max_states: int) -> None:
    text = "var x = 0; P() = [x < 9] up{x = x + 1;} -> P() [] [x > 0] down{x = x - 1;} -> P();"
    text += "S() = P() ||| P() ||| P(); #define never x > 10;"
    text += "#assert S() deadlockfree; #assert S() reaches never;"
    alone = answers_with(fairlead.loads(text), 1, max_states)
    assert alone == answers_with(fairlead.loads(text), 4, max_states)


def test_a_fault_is_met_at_the_same_state() -> None:
    text = "var x = 0; var a[5]; P() = up{x = x + 1; a[x] = 1;} -> P(); Q() = b -> Q() [] c -> d -> Q();"
    text += "S() = P() ||| Q() ||| Q(); #assert S() deadlockfree;"
    messages = []
    for threads in (1, 4):
        with pytest.raises(FairleadError) as error:
            limits = fairlead.Limits(threads=threads)
            without_fault(fairlead.loads(text).check("S() deadlockfree", limits=limits))
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_being_stopped_leaves_no_thread_working() -> None:
    model = fairlead.load(find_example("dining_philosophers.csp"), {"N": "9"})
    limits = fairlead.Limits(threads=3, timeout=0.01)
    result = model.check(model.assertions[0], limits=limits)
    again = model.check(model.assertions[0], limits=fairlead.Limits(threads=3))
    assert result.verdict in (fairlead.Verdict.UNKNOWN, again.verdict)
    assert again.verdict is not fairlead.Verdict.UNKNOWN


#: a shape that is met for the first time while threads work; its events are joint
FORKS = """
var x:{0..39};
S() = [] i:{0..39} @ pick.i{x = i;} -> go -> (P() || Q());
P() = tick -> own{x = (x + 7) % 40;} -> P() [] last -> P();
Q() = tick -> Q() [] [x % 3 == 0] rest -> last -> Q();
#assert S() deadlockfree;
#assert S() |= []<> tick;
"""


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_steps_of_a_shape_that_threads_meet_first(threads: int) -> None:
    """Who has filled a table in part when it was found that others are frozen begins again."""
    alone = answers_with(fairlead.loads(FORKS), 1)
    for _ in range(4):  # which thread meets the shape is a matter of luck
        assert answers_with(fairlead.loads(FORKS), threads) == alone


#: the property is broken while many states wait, nothing is stuck before
BROKEN = """
LANE = (a -> b -> c -> d -> LANE).
property CALM = (one.d -> two.d -> CALM).
||SYSTEM = (one:LANE || two:LANE || three:LANE || CALM).
"""


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_an_error_at_which_a_round_begins(threads: int) -> None:
    """No state is left to the threads, and still the search continues."""
    model = fairlead.loads(BROKEN, "lts")
    limits = fairlead.Limits(threads=threads, timeout=60)
    result = model.check("||SYSTEM safety", limits=limits)
    assert result.verdict is fairlead.Verdict.VIOLATED
    alone = model.check("||SYSTEM safety", limits=fairlead.Limits(threads=1))
    assert result.to_json()["evidence"] == alone.to_json()["evidence"]


#: a step that is not plain is met late; before, joint steps do not come last
MIXED = """
var x:{0..5};
P(i) = [i < 3] a.i -> P(i + 1) [] tick -> P(0) [] [i == 3] own{x = (x + 1) % 6;} -> P(0);
Q(i) = [i < 2] tick -> Q(i + 1) [] [i < 2] b.i -> Q(i + 1) [] [i == 2] shown.x -> Q(0);
R() = tick -> R() [] c -> R();
System() = P(0) || Q(0) || R();
#assert System() deadlockfree;
"""


def test_all_threads_find_steps_in_one_order() -> None:
    def steps(threads: int) -> list[Any]:
        graph = fairlead.loads(MIXED).graph("System()", limits=fairlead.Limits(threads=threads))
        return [graph.steps(state) for state in range(graph.state_count)]

    alone = steps(1)
    for _ in range(10):  # which thread meets the step is a matter of luck
        assert steps(2) == steps(4) == alone
