"""Run-time errors come with a shortest run to the state in which they happen, whatever the strategy."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from fairlead.checker.faulted import expressions_of
from fairlead.cli.main import run
from fairlead.evidence.faults import FaultReached, ReachesFault
from fairlead.evidence.validate import problem_with
from fairlead.model.run import Run
from fairlead.model.semantics import NetworkSystem
from fairlead.simulation import Status, follow
from tests.support.asking.faults import distance_of_nearest_fault, fails
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

MODELS = {
    "range": (
        "var x:{0..3}; P(i) = up{x = x + 1;} -> P(i); S() = P(0) ||| P(1);",
        "S() deadlockfree",
        Code.OUT_OF_RANGE,
        ("up", "up", "up"),
        ("step", "up"),
    ),
    "index in a guard": (
        "var a[2]; var i; P() = up{i = i + 1;} -> P(); Q() = [a[i] == 1] go -> Q(); S() = P() ||| Q();",
        "S() |= []<> up",
        Code.INDEX_OUT_OF_BOUNDS,
        ("up", "up"),
        ("guard", None),
    ),
    "division in a label": (
        "var x = 2; P() = down{x = x - 1;} -> P(); Q() = e.(2 / x) -> Q(); S() = P() ||| Q();",
        "S() nonterminating",
        Code.DIVISION_BY_ZERO,
        ("down", "down"),
        ("guard", None),
    ),
    "overflow": (
        "var x = 2000000000; S() = up{x = x + x;} -> S();",
        "S() deadlockfree",
        Code.OVERFLOW,
        (),
        ("step", "up"),
    ),
    "assert": (
        "var x; S() = up{x = x + 1; assert(x < 3);} -> S();",
        "S() deadlockfree",
        Code.ASSERTION,
        ("up", "up"),
        ("step", "up"),
    ),
    "call": (
        "var<Queue> q; P() = put{q.Enqueue(1);} -> get{q.Dequeue();} -> get{q.Dequeue();} -> P();",
        "P() deadlockfree",
        Code.CALL_FAILED,
        ("put", "get"),
        ("step", "get"),
    ),
    "endless": (
        "var x; S() = a -> b{while (x == 0) { x = 0; };} -> S();",
        "S() deadlockfree",
        Code.ENDLESS_OPERATION,
        ("a",),
        ("step", "b"),
    ),
    "a question": (
        "var a[2]; var i; P() = up{i = i + 1;} -> P(); #define far a[i] == 7;",
        "P() reaches far",
        Code.INDEX_OUT_OF_BOUNDS,
        ("up", "up"),
        ("question", None),
    ),
    "a handshake": (
        "channel c 0; var y = 1; P() = c!y -> Stop; Q() = c?v{y = 1 / (v - 1);} -> Stop; S() = P() ||| Q();",
        "S() deadlockfree",
        Code.DIVISION_BY_ZERO,
        (),
        ("step", "c.1"),
    ),
    "the argument of a composition": (
        "var x; var a[2]; P() = up{x = x + 2;} -> ((b.(a[x]) -> Skip) || (c -> Skip));",
        "P() deadlockfree",
        Code.INDEX_OUT_OF_BOUNDS,
        ("up",),
        ("guard", None),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_fault_has_a_shortest_run(name: str) -> None:
    text, question, code, steps, (what, event) = MODELS[name]
    model = fairlead.loads(text)
    result = model.check(question)
    assert result.verdict is fairlead.Verdict.ERROR and not result
    assert result.fault is not None and result.fault.code is code and result.fault.span is not None
    assert result.evidence is not None and result.is_shortest
    assert tuple(step.event for step in result.evidence.run.stem) == steps
    explained = result.evidence.explanation
    assert isinstance(explained, FaultReached)
    told = explained.to_json()
    assert (told["fails"], told["event"]) == (what, event)
    assert bool(told["processes"]) is (what != "question")
    assert result.fault.message in str(result)
    # stored, judged again, and stepped through
    stored = json.loads(json.dumps(result.to_json()))
    assert stored["verdict"] == "error" and stored["reason"] == stored["fault"]["code"] == code.value
    assert model.validate(stored) is None
    simulation = fairlead.replay(model, stored)
    simulation = follow(simulation, len(steps)) if steps else simulation
    if what != "question":
        assert any(failure.problem.code is code for failure in simulation.failures)
    assert simulation.status in (Status.FAILED, Status.RUNNING)


def test_wrong_evidence_is_not_valid() -> None:
    text, question, *_ = MODELS["range"]
    model = fairlead.loads(text)
    stored = model.check(question).to_json()
    shorter = {**stored, "evidence": {**stored["evidence"], "stem": stored["evidence"]["stem"][:-1]}}
    assert model.validate(shorter) == "the stated fault does not occur in the last state"
    for key, value in (("code", "overflow"), ("line", 9), ("column", 1), ("message", "all is well")):
        other = {**stored, "fault": {**stored["fault"], key: value}}
        assert model.validate(other) == "the stated fault does not occur in the last state", key
    with pytest.raises(fairlead.InputError, match="has a 'fault'"):
        model.validate({name: stored[name] for name in stored if name != "fault"})


def test_the_other_questions_are_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A search that ends before it meets the error is not concerned."""
    path = tmp_path / "m.csp"
    text = MODELS["range"][0] + "Q() = a -> Q(); #define two x == 2;"
    asked = "#assert S() deadlockfree; #assert S() reaches two; #assert Q() deadlockfree;"
    path.write_text(text + asked, encoding="utf-8")
    assert run(["check", str(path), "--json"]) == 2
    data = json.loads(capsys.readouterr().out)
    assert [result["verdict"] for result in data["results"]] == ["error", "holds", "holds"]
    assert "errors" not in data
    assert run(["check", str(path), "--trace"]) == 2
    out, err = capsys.readouterr()
    assert "step 4 fails: up by P(0)" in out
    assert err.count("error[value-out-of-range]") == 1


def test_an_error_before_the_first_step_has_no_run() -> None:
    text = "var a[2]; var x = 2; P(i) = (b.i -> Skip) || (c -> Skip); S() = P(a[x]);"
    result = fairlead.loads(text).check("S() deadlockfree")
    assert result.verdict is fairlead.Verdict.ERROR and result.evidence is None
    assert result.fault is not None and "no run to the error" in " ".join(result.notes)


def test_an_error_of_a_specification_is_told_without_a_run() -> None:
    model = fairlead.loads("var x; P() = a -> P(); Q() = a{x = 1 / x;} -> Q();")
    result = model.check("P() refines Q()")
    assert result.verdict is fairlead.Verdict.ERROR and result.evidence is None
    assert result.fault is not None and result.fault.code is Code.DIVISION_BY_ZERO


# ---------------------------------------------------------------- strategies

ALIKE = """
var n:{0..3}; var w[6]; var unread;
W(i) = a.i{w[i] = 1; n = n + 1; unread = unread + 1} -> b.i{n = n - 1; w[i] = 0} -> W(i);
S() = ||| i:{0..5} @ W(i);
#define far w[n + 4] == 7;
"""


@pytest.mark.parametrize("question", ["deadlockfree", "reaches far", "|= [] !far"])
@pytest.mark.parametrize("strategy", ["none", "por", "symmetry", "variables", "counters"])
def test_reductions_end_in_a_run_of_the_system(strategy: str, question: str) -> None:
    model = fairlead.loads(ALIKE)
    if strategy == "counters":
        result = model.check(f"S() {question}", counters=True)
    else:
        result = model.check(f"S() {question}", reduction=strategy)
    assert result.verdict is fairlead.Verdict.ERROR
    assert result.evidence is not None
    assert len(result.evidence.run.stem) == (3 if question == "deadlockfree" else 2)
    assert model.validate(result.to_json()) is None


def test_a_run_that_symmetry_found_is_one_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the whole system is too large, the run of representatives is made one of the processes."""
    monkeypatch.setattr("fairlead.checker.faulted.MOST_STATES", 0)
    text = ALIKE.replace("{0..5}", "{0..4}").replace(
        "w[i] = 1; n = n + 1;", "w[i] = w[i] + 1; n = n + w[4 - i] + 1;"
    )
    for strategy in ("symmetry", "por", "variables"):
        model = fairlead.loads(ALIKE)
        result = model.check("S() deadlockfree", reduction=strategy)
        assert result.evidence is not None and result.is_shortest is False
        assert model.validate(result.to_json()) is None
    model = fairlead.loads(ALIKE)
    counted = model.check("S() deadlockfree", counters=True)
    assert counted.evidence is not None and model.validate(counted.to_json()) is None
    assert fairlead.loads(text).check("S() deadlockfree").evidence is not None


def test_an_instance_that_fails_is_told() -> None:
    text = "var n:{0..2}; W() = a{n = n + 1;} -> b{n = n - 1;} -> W(); S() = ||| {..} @ W();"
    model = fairlead.loads(text)
    result = model.check("S() deadlockfree", counters=True)
    assert result.verdict is fairlead.Verdict.ERROR
    assert result.counters is not None and result.counters.instance is not None
    assert result.evidence is not None and len(result.evidence.run.stem) == 2
    assert model.validate(result.to_json()) is None


# ---------------------------------------------------------------- random models


def random_text(random: Random) -> str:
    """Processes that count and look into an array, with a good chance to fail somewhere."""
    bound, size = random.randint(1, 4), random.randint(2, 4)
    actions = [
        "up.{i}{{x = x + 1;}}",
        "down.{i}{{x = x - 1;}}",
        f"set.{{i}}{{{{a[{{i}} % {size}] = x;}}}}",
        "look.(a[x]){{y = {i};}}",
        "see.(a[x + y]){{y = y + 1;}}",
        "move.{i}{{y = y + 1; x = a[y];}}",
        f"[y < {random.randint(1, 5)}] go.{{i}}{{{{y = y + 1;}}}}",
        "[a[y] == 0] see.{i}",
        "c!{i}",
        "c?v{{y = y + v;}}",
        "d!x",
        "d?v",
    ]
    processes = []
    for number in range(random.randint(1, 3)):
        chosen = [random.choice(actions).format(i=number) for _ in range(random.randint(1, 4))]
        processes.append(f"P{number}() = {' -> '.join(chosen)} -> P{number}();")
    system = " ||| ".join(f"P{number}()" for number in range(len(processes)))
    first = f"var x:{{0..{bound}}}; var y; var a[{size}]; channel c 0; channel d 2;\n"
    return first + "\n".join(processes) + f"\nS() = {system};\n#define far a[x] > 3;\n"


def compare(seed: int) -> Counter[str]:
    """The run is as short as breadth-first search on the reference semantics finds it."""
    text = random_text(Random(seed))
    model = fairlead.loads(text)
    network = model._loaded.system("S()")
    system = NetworkSystem(network)
    seen: Counter[str] = Counter()
    for question in ("S() deadlockfree", "S() reaches far", "S() |= []<> y > 2"):
        for reduction in ("none", "por", "variables"):
            result = model.check(question, reduction=reduction, limits=fairlead.Limits(max_states=5_000))
            if result.verdict is not fairlead.Verdict.ERROR:
                seen["other"] += 1
                continue
            query = model._checker.questions.query(model.assertion(question), None, None)
            asked = expressions_of(query)
            nearest = distance_of_nearest_fault(system, asked)
            assert nearest is not None, (seed, text)
            assert result.evidence is not None and result.fault is not None, (seed, text)
            assert result.is_shortest and len(result.evidence.run.stem) == nearest, (seed, text)
            assert fails(system, result.evidence.run.loop_start, asked)
            assert model.validate(json.loads(json.dumps(result.to_json()))) is None, (seed, text)
            stem = result.evidence.run.stem
            if stem:  # one step earlier nothing fails
                earlier = Run(result.evidence.run.start, stem[:-1])
                assert problem_with(system, earlier, ReachesFault(result.fault.to_json(), asked)) is not None
            explained = result.evidence.explanation
            assert isinstance(explained, FaultReached)
            seen[explained.to_json()["fails"]] += 1
    return seen


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int) -> None:
    total: Counter[str] = Counter()
    for seed in some(range(71_000 + chunk, 71_120, 4)):
        total += compare(seed)
    assert is_sample() or (total["step"] and total["guard"] and total["other"]), total


def test_with_threads(tune: Tune) -> None:
    """Which state comes first does not depend on how many look."""
    tune(least_work=1)
    text = (
        "var n:{0..4}; W(i) = a.i{n = n + 1;} -> b.i -> c.i{n = n - 1;} -> W(i); S() = ||| i:{0..6} @ W(i);"
    )
    runs = [
        fairlead.loads(text).check("S() deadlockfree", limits=fairlead.Limits(threads=threads)).evidence
        for threads in (1, 2, 4)
    ]
    assert all(found is not None and len(found.run.stem) == 4 for found in runs)
    assert len({found.run for found in runs if found is not None}) == 1
