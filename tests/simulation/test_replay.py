"""Counterexamples of the examples, stored and loaded again, lead through the states they describe."""

from __future__ import annotations

import json
from typing import Any

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.simulation import Simulation, back, follow, jump_to, jump_to_loop, random_walk, restart, take
from tests.support.examples import (
    expected,
    expected_communication,
    expected_gallery,
    expected_identical,
    expected_notions,
)
from tests.support.examples.expected import PlainRow, Row
from tests.support.examples.loading import load_example

ROWS = (
    *expected.ROWS,
    *expected_communication.ROWS,
    *expected_gallery.ROWS,
    *expected_identical.ROWS,
    *expected_notions.ROWS,
)
PLAIN = (*expected.PLAIN, *expected_communication.PLAIN, *expected_gallery.PLAIN, *expected_identical.PLAIN)


def load(file: str, n: int | None) -> fairlead.Model:
    return load_example(file, {} if n is None else {"N": n})


def check_replay(model: fairlead.Model, result: fairlead.Result) -> None:
    stored = json.loads(json.dumps(result.to_json()))
    evidence = stored["evidence"]
    begun = fairlead.replay(model, stored)
    assert describe(begun) == evidence["initial"]
    current = begun
    for step in [*evidence["stem"], *evidence["loop"]]:
        current = follow(current)
        assert current.path[-1].event == step["event"]
        assert sorted(current.path[-1].processes) == step["processes"]
        assert describe(current) == step["state"]
    stem, loop = len(evidence["stem"]), len(evidence["loop"])
    if stem + loop:
        assert jump_to(begun, stem + loop) == current == follow(begun, stem + loop)
    if loop:
        assert jump_to_loop(begun).state == current.state
        assert jump_to_loop(current).path == current.path[:stem]
        assert follow(current, loop).state == current.state
    else:
        assert current.expected is None
        with pytest.raises(InputError, match="ends here"):
            follow(current)
        with pytest.raises(InputError, match="without a loop"):
            jump_to_loop(current)
    assert restart(current).path == ()


def describe(simulation: Simulation) -> dict[str, Any]:
    return json.loads(json.dumps(simulation.system.describe(simulation.state)))


def check_row(row: Row) -> None:
    model = load(row.file, row.n)
    question = model.formula(row.formula, None if row.process is None else f"{row.process}()")
    for notion, holds in row.by_notion.items():
        if not holds:
            check_replay(model, model.check(question, notion))


def size(row: Row) -> int:
    return 0 if row.size is None else row.size.all_configurations


SMALL = [row for row in ROWS if size(row) <= 2000]


@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.id)
def test_counterexamples_lead_where_they_say(row: Row) -> None:
    check_row(row)


@pytest.mark.long
@pytest.mark.parametrize("row", [row for row in ROWS if row not in SMALL], ids=lambda row: row.id)
def test_counterexamples_of_large_systems(row: Row) -> None:
    check_row(row)


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: f"{row.file}-{row.n}-{row.assertion}")
def test_deadlocks_and_witnesses(row: PlainRow) -> None:
    model = load(row.file, row.n)
    result = model.check(row.assertion)
    if result.evidence is None:
        with pytest.raises(InputError, match="no evidence"):
            fairlead.replay(model, result)
    else:
        check_replay(model, result)


def peterson() -> tuple[fairlead.Model, fairlead.Result]:
    model = load("examples/mutual_exclusion/peterson.csp", 2)
    return model, model.check("System() |= []<> cs.0")


def test_leaving_and_coming_back() -> None:
    model, result = peterson()
    second = follow(fairlead.replay(model, result), 2)
    other = next(step for step in second.enabled if step != second.expected)
    left = take(second, other)
    assert (left.followed, left.expected) == (2, None)
    with pytest.raises(InputError, match="go back to step 2"):
        follow(left)
    assert back(left).expected == second.expected
    assert follow(back(left)).path[:2] == second.path
    again = take(second, second.enabled.index(second.expected) + 1)
    assert again.followed == 3


def test_going_beyond_what_was_taken() -> None:
    model, result = peterson()
    begun = fairlead.replay(model, result)
    assert jump_to(back(jump_to(begun, 30), 25), 40) == jump_to(begun, 40)
    wandered = random_walk(begun, 30)
    assert wandered.followed is not None and wandered.followed < 30
    with pytest.raises(InputError, match="no step 31"):
        jump_to(wandered, 31)


def test_a_deadlock_is_replayed_into_idling() -> None:
    model = fairlead.loads("P = a -> Stop; #assert P() |= []<> a;")
    begun = fairlead.replay(model, model.check("P() |= []<> a"))
    looping = jump_to_loop(begun)
    assert looping.enabled == () and looping.expected is not None
    assert follow(looping, 3).state == looping.state


def test_evidence_of_another_model_is_refused() -> None:
    _, result = peterson()
    other = fairlead.loads("System = a -> System;")
    with pytest.raises(InputError, match="does not fit the model: no initial state fits"):
        fairlead.replay(other, result)


def test_without_a_counterexample() -> None:
    begun = fairlead.simulate(fairlead.loads("P = a -> P;"))
    for move in (follow, jump_to_loop):
        with pytest.raises(InputError, match="no counterexample is loaded"):
            move(begun)
