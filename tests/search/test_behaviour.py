"""Stopping, determinism, divergence and optima: against the definitions, on random graphs and models."""

from __future__ import annotations

from random import Random

import pytest

import fairlead
from fairlead.lang.explicit.write import to_json
from fairlead.model.semantics import NetworkSystem
from tests.support.asking.faults import without_fault
from tests.support.generators.csp_models import random_model
from tests.support.oracle.behaviour import nearest, random_internal_graph
from tests.support.tuning import Tune

KINDS = ("nonterminating", "deterministic", "divergencefree")
CHUNKS = 10


def check_graph(seed: int) -> None:
    graph = random_internal_graph(Random(seed))
    model = fairlead.loads(graph.to_json(), "json")
    for kind in KINDS:
        expected = nearest(graph, kind)
        result = model.check(kind)
        assert bool(result) == (expected is None), (seed, kind)
        if expected is not None:
            assert result.evidence is not None
            assert len(result.evidence.run.stem) == expected, (seed, kind)
            assert bool(result.evidence.run.loop) == (kind == "divergencefree")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_graphs(chunk: int) -> None:
    for seed in range(chunk, 500, CHUNKS):
        check_graph(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_graphs(chunk: int) -> None:
    for seed in range(10_000 + chunk, 20_000, CHUNKS):
        check_graph(seed)


# ---------------------------------------------------------------- networks


def steps_to(result: fairlead.Result) -> int | None:
    return None if result.evidence is None else len(result.evidence.run.stem)


def compare_with_graph(text: str) -> bool:
    """Whether the model could be compared with its own graph, and gave the same answers."""
    if "= *;" in text:  # several initial states: the graph has one more, before them
        return False
    try:
        graph = fairlead.loads(
            to_json(fairlead.loads(text).graph("System()", limits=fairlead.Limits(1500))), "json"
        )
    except fairlead.FairleadError:
        return False
    model = fairlead.loads(text)
    for kind in KINDS:
        found, expected = model.check(f"System() {kind}"), graph.check(kind)
        assert found.verdict is expected.verdict, f"{kind}\n{text}"
        assert steps_to(found) == steps_to(expected), f"{kind}\n{text}"
    return True


@pytest.mark.parametrize("batch", [1, 1000])
@pytest.mark.parametrize("chunk", range(4))
def test_networks_and_their_graphs_agree(tune: Tune, chunk: int, batch: int) -> None:
    """However much of the system is explored at a time."""
    tune(first_batch=batch, batch_growth=1 if batch == 1 else 4)
    assert sum(compare_with_graph(random_model(seed)) for seed in range(chunk, 40, 4)) > 2


# ---------------------------------------------------------------- optima


def best_values(text: str, objective: str) -> dict[str, tuple[int, int] | None]:
    """By enumerating all states: the optimum and the distance to the nearest state that has it."""
    model = fairlead.loads(text)
    loaded = model._loaded
    system = NetworkSystem(loaded.system("System()"))  # type: ignore[arg-type]
    question = loaded.assertion(f"System() reaches goal with min({objective})")
    found = dict.fromkeys(system.initial_states(), 0)
    values: list[tuple[int, int]] = []
    for state in (queue := list(found)):
        if system.holds(question.goal, state):  # type: ignore[union-attr]
            values.append((int(system.variables(state)[objective]), found[state]))
        for step in system.steps(state):
            if step.target not in found:
                found[step.target] = found[state] + 1
                queue.append(step.target)
    if not values:
        return {"min": None, "max": None}
    return {"min": min(values), "max": min((v, d) for v, d in values if v == max(values)[0])}


def compare_optimum(seed: int) -> bool:
    text = random_model(seed)
    try:
        if fairlead.loads(text).graph("System()", limits=fairlead.Limits(300)).state_count == 0:
            return False
    except fairlead.FairleadError:
        return False
    objective = next(line.split()[1] for line in text.splitlines() if line.startswith("var "))
    objective = objective.split(":")[0].split("[")[0].rstrip(";")
    try:
        expected = best_values(text, objective)
    except (fairlead.FairleadError, TypeError):  # a boolean or an array
        return False
    for sense, best in expected.items():
        result = fairlead.loads(text).check(f"System() reaches goal with {sense}({objective})")
        assert (result.optimum, steps_to(result)) == (best or (None, None)), f"{sense}({objective})\n{text}"
        assert bool(result) == (best is not None)
    return True


@pytest.mark.parametrize("chunk", range(4))
def test_optima_of_random_models(chunk: int) -> None:
    assert sum(compare_optimum(seed) for seed in range(chunk, 40, 4)) > 2


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_random_models(chunk: int) -> None:
    for seed in range(1000 + chunk, 1400, 10):
        compare_with_graph(random_model(seed))
        compare_optimum(seed)


MODEL = """
#define N 3;
var x = 0; var t = 0;
#define done x == 2;
P(k, b) = [x < k && b] inc{x = x + 1; t = t + 3} -> P(k, b)
       [] [x < k] big{x = x + 2; t = t + 1} -> P(k, b)
       [] [x >= k] Skip;
#assert P(N-1, true) reaches done with min(t);
#assert P(N - 1, !false) reaches done with max(t * 2);
#assert P(N-1, true) reaches x == 9 with max(t);
"""


def test_optimum_in_words_and_as_json() -> None:
    least, greatest, none = fairlead.loads(MODEL).check_all()
    assert least.headline == "P(N-1,true) reaches done with min(t)  [none]  holds: min(t) = 1"
    assert greatest.to_json()["optimum"] == 12
    assert none.verdict is fairlead.Verdict.VIOLATED
    assert "optimum" not in none.to_json()
    assert "state" in str(least) or "start" in str(least)


def test_stored_optimum_is_judged() -> None:
    model = fairlead.loads(MODEL)
    stored = model.check(model.assertions[0]).to_json()
    assert model.validate(stored) is None
    assert model.validate({**stored, "optimum": 0}) == "the goal is not true in the last state"


def test_division_by_zero_in_an_objective() -> None:
    model = fairlead.loads("var x = 0; P() = a{x = 1} -> Stop;")
    with pytest.raises(fairlead.InputError) as caught:
        without_fault(model.check("P() reaches x < 2 with min(1 / x)"))
    assert caught.value.diagnostics[0].code is fairlead.Code.DIVISION_BY_ZERO


@pytest.mark.parametrize("question", ["P() reaches x == 0 with min(x == 1)", "P() reaches x with max(x)"])
def test_wrong_types(question: str) -> None:
    with pytest.raises(fairlead.InputError) as caught:
        fairlead.loads("var x = 0; P() = a -> Stop;").check(question)
    assert caught.value.diagnostics[0].code is fairlead.Code.TYPE


def test_optimum_of_a_graph_is_refused() -> None:
    model = fairlead.loads('{"states": 1, "initial": 0, "transitions": [], "props": {"p": [0]}}', "json")
    with pytest.raises(fairlead.InputError) as caught:
        model.check("reaches p with min(x)")
    assert caught.value.diagnostics[0].code is fairlead.Code.UNSUPPORTED


@pytest.mark.parametrize("question", [*KINDS, "reaches x == 1 with max(x)"])
def test_limits(question: str) -> None:
    model = fairlead.loads("var x; P() = [x >= 0] a{x = x + 1;} -> P();")
    limited = model.check(f"P() {question}", limits=fairlead.Limits(max_states=300))
    assert (limited.verdict, limited.reason) == (fairlead.Verdict.UNKNOWN, "max-states")
    assert 300 <= limited.statistics.states <= 2000
    timed = model.check(f"P() {question}", limits=fairlead.Limits(timeout=0.2))
    assert (timed.verdict, timed.reason) == (fairlead.Verdict.UNKNOWN, "timeout")
    small = model.check(f"P() {question}", limits=fairlead.Limits(max_memory=8 << 20))
    assert (small.verdict, small.reason) == (fairlead.Verdict.UNKNOWN, "max-memory")


def test_endless_internal_steps_are_limited() -> None:
    """The search for a cycle of internal steps runs ahead of exploration, but not beyond the limit."""
    model = fairlead.loads("var x; P() = [x >= 0] tau{x = x + 1;} -> P();")
    result = model.check("P() divergencefree", limits=fairlead.Limits(max_states=5000))
    assert (result.verdict, result.reason) == (fairlead.Verdict.UNKNOWN, "max-states")


def test_an_event_named_idle_is_not_idling() -> None:
    model = fairlead.loads("P = stop -> Stop [] idle -> P;")
    assert not model.check("P() |= []<> idle", "sgf")
    assert model.check("P() |= <> stop", "sgf")
    graph = fairlead.loads('des (0, 2, 2)\n(0, "idle", 0)\n(0, "stop", 1)\n', "aut")
    assert not graph.check("|= []<> idle", "sgf")
