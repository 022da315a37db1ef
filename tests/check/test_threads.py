"""Searching with several threads: verdicts, counts and evidence are those of one thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from differential.csp_models import random_model
from examples.loading import find_example

import fairlead
from fairlead.check import target
from fairlead.errors import FairleadError
from fairlead.logic.fairness import Fairness

ROOT = Path(__file__).parents[2]
NOTIONS = (Fairness.NONE, Fairness.EVENT_WEAK, Fairness.PROCESS_STRONG, Fairness.STRONG_GLOBAL)


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other threads are woken for next to nothing."""
    monkeypatch.setattr(target, "LEAST_WORK", 2)


def answers(model: fairlead.Model, threads: int, max_states: int | None = None) -> list[Any]:
    """All that may not depend on the number of threads."""
    limits = fairlead.Limits(threads=threads, max_states=max_states)
    found: list[Any] = []
    for question in model.assertions:
        for notion in model.notions_for(question, NOTIONS):
            try:
                result = model.check(question, notion, limits=limits).to_json()
            except FairleadError as error:
                found.append(str(error))
                continue
            for varying in ("seconds", "memory_bytes"):
                del result[varying]
            found.append(result)
    return found


@pytest.mark.parametrize(
    "path",
    [
        find_example("peterson.csp"),
        find_example("dining_philosophers.csp"),
        find_example("leader_election_ring.csp"),
        find_example("readers_writers.csp"),
        find_example("readers_writers.lts"),
    ],
    ids=lambda path: path.name,
)
def test_examples(path: Path) -> None:
    alone = answers(fairlead.load(path), 1)
    assert alone
    for threads in (2, 5):
        assert answers(fairlead.load(path), threads) == alone


@pytest.mark.parametrize("chunk", range(5))
def test_random_models(chunk: int) -> None:
    asked = 0
    for seed in range(20_000 + chunk, 20_120, 5):
        text = random_model(seed)
        try:
            alone = answers(fairlead.loads(text), 1)
        except FairleadError:
            continue
        asked += len(alone)
        assert answers(fairlead.loads(text), 3) == alone, text
    assert asked


@pytest.mark.parametrize("max_states", [1, 2, 3, 10, 77, 500])
def test_a_limit_is_reached_at_the_same_state(max_states: int) -> None:
    text = "var x = 0; P() = [x < 9] up{x = x + 1;} -> P() [] [x > 0] down{x = x - 1;} -> P();"
    text += "S() = P() ||| P() ||| P(); #define never x > 10;"
    text += "#assert S() deadlockfree; #assert S() reaches never;"
    alone = answers(fairlead.loads(text), 1, max_states)
    assert alone == answers(fairlead.loads(text), 4, max_states)


def test_a_fault_is_met_at_the_same_state() -> None:
    text = "var x = 0; var a[5]; P() = up{x = x + 1; a[x] = 1;} -> P(); Q() = b -> Q() [] c -> d -> Q();"
    text += "S() = P() ||| Q() ||| Q(); #assert S() deadlockfree;"
    messages = []
    for threads in (1, 4):
        with pytest.raises(FairleadError) as error:
            fairlead.loads(text).check("S() deadlockfree", limits=fairlead.Limits(threads=threads))
        messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_being_stopped_leaves_no_thread_working() -> None:
    model = fairlead.load(find_example("dining_philosophers.csp"), {"N": "9"})
    limits = fairlead.Limits(threads=3, timeout=0.01)
    result = model.check(model.assertions[0], limits=limits)
    again = model.check(model.assertions[0], limits=fairlead.Limits(threads=3))
    assert result.verdict in (fairlead.Verdict.UNKNOWN, again.verdict)
    assert again.verdict is not fairlead.Verdict.UNKNOWN
