"""Random walks: every step is one of the reference semantics, endings are what they say, seeds decide."""

from __future__ import annotations

import random
from typing import Any

import pytest

import fairlead
from fairlead.model.attempts import attempts
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.walks import Ending
from fairlead.search import walks as walks_module
from tests.support.examples.loading import load_example
from tests.support.places import EXAMPLES

COUNTER = "var x:{0..9} = 0; P() = [x < 9] up{x = x + 1;} -> P() [] [x > 0] down{x = x - 1;} -> P();"


def follow(found: fairlead.RandomWalks) -> None:
    """Compares the whole last walk with the reference semantics: the twin, step by step."""
    run = found.run
    assert run.start in found.system.initial_states() and len(run.stem) == found.length
    state = run.start
    for step in run:
        assert step in attempts(found.system, state).steps
        state = step.target
    assert state == found.last
    at_end = attempts(found.system, state)
    assert (found.ending is Ending.FAULT) == bool(at_end.failures and found.ending is not Ending.MET)
    if found.ending in (Ending.DEADLOCK, Ending.TERMINATED, Ending.ERROR):
        assert not at_end.steps
        assert (found.ending is Ending.TERMINATED) == found.system.has_terminated(state)
        assert (found.ending is Ending.ERROR) == (found.system.failed_process(state) is not None)


@pytest.mark.parametrize(
    "file", sorted(str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.csp"))[::4]
)
def test_examples(file: str) -> None:
    model = load_example(f"examples/{file}", {})
    for question in model.assertions[:1]:
        found = fairlead.walk(model, question.process, steps=30, seed=7)
        follow(found)


def random_text(seed: int) -> str:
    """Two processes with variables, whose steps may block, end, or divide by zero."""
    choose = random.Random(seed)

    def branch(depth: int) -> str:
        event = choose.choice("abc")
        guard = choose.choice(["", f"[x != {choose.randrange(3)}] ", "[y < 2] "])
        effects = ["", "{x = (x + 1) % 3;}", "{y = 1 - y;}", "{x = 2 / (y + 1);}", "{y = 3 / x - 3;}"]
        effect = choose.choice(effects)
        after = choose.choice(["P()", "Q()", "Skip", "Stop"]) if depth == 0 else body(depth - 1)
        return f"{guard}{event}{effect} -> {after}"

    def body(depth: int) -> str:
        return "(" + " [] ".join(branch(depth) for _ in range(choose.randrange(1, 3))) + ")"

    return f"var x = 1; var y = 0; P() = {body(1)}; Q() = {body(1)}; S() = P() ||| Q(); B() = b -> B();"


@pytest.mark.parametrize("seed", range(60))
def test_random_models(seed: int) -> None:
    model = fairlead.loads(random_text(seed))
    system = NetworkSystem(model._loaded.system("S()"))  # type: ignore[arg-type]
    plain = fairlead.walk(model, "S()", steps=40, walks=5, seed=seed)
    follow(plain)
    until = "x == 2 && y == 0 || b"
    found = fairlead.walk(model, "S()", steps=40, walks=5, seed=seed, until=until)
    follow(found)
    # the first place where the condition is true is where it stops, and nowhere before
    met = [
        step.event == "b" or (step.state.variables["x"], step.state.variables["y"]) == (2, 0)
        for step in found
    ]
    assert met[:-1].count(True) == 0
    assert (found.ending is Ending.MET) == bool(met and met[-1])
    assert system.initial_states() == found.system.initial_states()


def test_the_same_seed_is_the_same_walk() -> None:
    def events(**given: Any) -> list[str]:
        return [step.event for step in fairlead.walk(fairlead.loads(COUNTER), steps=200, **given).run]

    assert events(seed=3) == events(seed=3) != events(seed=4)


def test_a_seed_is_chosen_and_told() -> None:
    model = fairlead.loads(COUNTER)
    found = fairlead.walk(model, steps=50)
    assert fairlead.walk(model, steps=50, seed=found.seed).run == found.run


def test_walks_go_on_in_new_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "var x = 0; P() = up{x = x + 1;} -> P() [] down{x = x - 1;} -> P() [] flip{x = 0 - x;} -> P();"
    whole = fairlead.walk(fairlead.loads(text), steps=20_000, seed=5)
    monkeypatch.setattr(walks_module, "MOST_STATES", 10)
    parts = fairlead.walk(fairlead.loads(text), steps=20_000, seed=5)
    assert parts.run == whole.run and whole.tally.is_exact and not parts.tally.is_exact
    assert parts.tally.states <= whole.tally.states == len({whole.run.start, *(s.target for s in whole.run)})


def test_conditions() -> None:
    model = fairlead.loads(COUNTER)
    cases = {
        "x == 5": Ending.MET,
        "down && x == 3": Ending.MET,
        "enabled(down)": Ending.MET,
        "x == 0": Ending.MET,
        "x > 9": Ending.STEPS,
        "up && down": Ending.STEPS,
        "executed(P) -> x == 4": Ending.MET,
    }
    for until, ending in cases.items():
        found = fairlead.walk(model, steps=2_000, until=until, seed=1)
        assert found.ending is ending and bool(found) == (ending is Ending.MET), until
    assert fairlead.walk(model, until="x == 0", seed=1).length == 0


def test_every_step_is_equally_likely() -> None:
    model = fairlead.loads("P() = a -> P() [] b -> P() [] c -> P() [] d -> P();")
    events = [step.event for step in fairlead.walk(model, steps=8_000, seed=11).run]
    assert all(1_800 < events.count(event) < 2_200 for event in "abcd")


def test_starts_are_chosen() -> None:
    model = fairlead.loads("var x:{0..3} = *; P() = a -> P();")
    starts = {fairlead.walk(model, steps=1, seed=seed).run.start for seed in range(40)}
    assert len(starts) == 4


def test_graphs_and_fluents() -> None:
    graph = fairlead.loads('des (0, 3, 3)\n(0, "a", 1)\n(1, "b", 0)\n(1, "c", 2)\n', "aut")
    found = fairlead.walk(graph, steps=1_000, until="c", seed=2)
    assert found.ending is Ending.MET
    follow(found)
    assert fairlead.walk(graph, steps=1_000, seed=2).ending is Ending.DEADLOCK
    lift = fairlead.loads("fluent UP = <up, down>\nP = (up -> (stay -> P | down -> P)).", "lts")
    found = fairlead.walk(lift, "P", steps=500, until="UP && stay", seed=2)
    assert found.ending is Ending.MET and found.run.stem[-1].event == "stay"


def test_an_error_of_fsp() -> None:
    model = fairlead.loads("P = (a -> P | b -> ERROR).", "lts")
    found = fairlead.walk(model, "P", steps=1_000, seed=0)
    assert found.ending is Ending.ERROR and not found
    follow(found)


def test_terminated_walks_are_followed_by_others() -> None:
    model = fairlead.loads("P() = a -> Skip [] b -> c -> Skip;")
    found = fairlead.walk(model, steps=10, walks=20, seed=1)
    assert found.tally.walks == 20 and found.tally.terminated == 20 and found
    assert found.tally.steps == sum(
        fairlead.walk(model, steps=10, walks=number, seed=1).length for number in range(1, 21)
    )


def test_limits(tune: object) -> None:
    model = fairlead.loads("var x = 0; P() = up{x = x + 1;} -> P();")
    found = fairlead.walk(model, steps=10**9, limits=fairlead.Limits(timeout=0.2), seed=1)
    assert found.tally.limit == "timeout" and found.length == found.tally.steps > 0
    assert found.tally.walks == 0
    small = fairlead.walk(model, steps=200_000, limits=fairlead.Limits(max_memory=30_000_000), seed=1)
    assert small.length == 200_000 and small.tally.limit is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"steps": 0}, "'steps' must be a number of steps from 1"),
        ({"walks": -1}, "'walks' must be a number of walks from 1"),
        ({"seed": -1}, "a seed is a number from 0"),
        ({"until": "AG up"}, "has no temporal operators"),
        ({"until": "nothing"}, "nothing"),
        ({"until": 3}, "'until' must be a condition as text"),
        ({"step": 3}, "did you mean 'steps'?"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], said: str) -> None:
    with pytest.raises(fairlead.InputError) as caught:
        fairlead.walk(fairlead.loads(COUNTER), **given)
    assert said in str(caught.value)
