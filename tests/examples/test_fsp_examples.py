"""Every target and every question of the FSP examples is answered as it must be."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

import pytest

import fairlead
from fairlead.model.assertion import AllProgress, Progresses, Safe, Satisfies
from tests.support.examples.expected import NOTIONS
from tests.support.examples.expected_fsp import NEEDING, SAFE, TARGETS, Needing, Target
from tests.support.examples.loading import find_example
from tests.support.oracle.formulas import always, event, eventually
from tests.support.oracle.fsp import Interpreter
from tests.support.oracle.fsp_checks import bad_terminal_sets, progress_tests, safety
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.verdict import verdicts
from tests.support.places import ROOT

EXAMPLES = ROOT / "examples"
#: what the slow interpreter does not know: `minimal` parts and acceptance marks
NOT_INTERPRETED = {("pipeline", "CHECKED"), ("buechi", "PRODUCT"), ("buechi", "STRESSED")}


def path(target: Target) -> Path:
    return find_example(f"{target.file}.lts")


def by_id(target: Target) -> str:
    return target.id


def stem_length(result: fairlead.Result) -> int | None:
    """None where the answer is "holds"."""
    if result.verdict is fairlead.Verdict.HOLDS:
        assert result.evidence is None
        return None
    assert result.verdict is fairlead.Verdict.VIOLATED
    assert result.evidence is not None
    return len(result.evidence.run.stem)


@pytest.mark.parametrize("target", TARGETS, ids=by_id)
def test_every_question(target: Target) -> None:
    model = fairlead.load(path(target))
    found_progress: dict[str, int | None] = {}
    found_asserts: dict[str, int | None] = {}
    sizes = set()
    for question in model.asked_of(target.name):
        result = model.check(question)
        match question:
            case Safe():
                assert (result.blame or SAFE, stem_length(result)) == (target.safety, target.steps)
            case Progresses(test=test):
                found_progress[test.name] = stem_length(result)
                sizes.add((result.statistics.states, result.statistics.transitions))
            case AllProgress():
                found_progress["default"] = stem_length(result)
                sizes.add((result.statistics.states, result.statistics.transitions))
            case Satisfies(name=str() as name):
                found_asserts[name] = stem_length(result)
            case _:
                pytest.fail(f"an unexpected question: {question}")
    assert found_progress == target.progress
    assert found_asserts == target.asserts
    assert sizes == {(target.states, target.transitions)}  # progress looks at everything


@pytest.mark.parametrize("target", [t for t in TARGETS if t.shown is not None], ids=by_id)
def test_what_the_graph_shows(target: Target) -> None:
    graph = fairlead.load(path(target)).graph(target.name)
    assert (graph.state_count, sum(len(steps) for steps in graph.transitions.values())) == target.shown


@pytest.mark.parametrize("target", [t for t in TARGETS if (t.file, t.name) not in NOT_INTERPRETED], ids=by_id)
def test_the_slow_interpreter_agrees(target: Target) -> None:
    interpreter = Interpreter(path(target).read_text(encoding="utf-8"))
    machine = interpreter.target(f"||{target.name}").checked()
    assert (len(machine.steps), machine.transitions) == (target.states, target.transitions)
    kind, steps = safety(machine)
    assert (kind, steps) == (
        {SAFE: "ok", "deadlock": "deadlock"}.get(target.safety, "property"),
        target.steps,
    )
    bad = bad_terminal_sets(machine, progress_tests(interpreter, machine.alphabet))
    assert set(bad) == {name for name, length in target.progress.items() if length is not None}


def test_every_example_and_every_target_is_covered() -> None:
    listed = {(target.file, f"||{target.name}") for target in TARGETS}
    there = set()
    for file in EXAMPLES.rglob("*.lts"):
        model = fairlead.load(file)
        there |= {(file.stem, question.process) for question in model.assertions}
        assert model.warnings == [], file.name
    assert listed == there


@pytest.mark.parametrize("needing", NEEDING, ids=lambda needing: needing.id)
def test_progress_under_every_notion(needing: Needing) -> None:
    model = fairlead.load(find_example(f"{needing.file}.lts"))
    expected = dict(zip(NOTIONS, (letter == "Y" for letter in needing.verdicts.split()), strict=True))
    question = f"{needing.process} progress {needing.name}"
    assert {notion: bool(model.check(question, notion)) for notion in NOTIONS} == expected
    graph = model.graph(needing.process)
    steps = tuple(
        Step(source, step.event, step.target, frozenset(step.processes))
        for source, out in graph.transitions.items()
        for step in out
    )
    once = [event(action) for action in needing.actions]
    again = always(eventually(reduce(lambda f, g: ("or", f, g), once)))
    assert verdicts(Graph(graph.state_count, graph.initial, steps, {}), again) == expected


@pytest.mark.parametrize("n", [2, 4, 5])
def test_philosophers_of_other_numbers(n: int) -> None:
    model = fairlead.load(find_example("dining_philosophers.lts"), {"N": n})
    assert stem_length(model.check("SAME safety")) == 2 * n
    assert stem_length(model.check("MIXED safety")) is None
    assert [stem_length(model.check(f"MIXED progress EATS.{i}")) for i in range(n)] == [None] * n


def test_other_notions_of_fairness() -> None:
    model = fairlead.load(find_example("dining_philosophers.lts"))
    verdicts = {n: bool(model.check("MIXED progress EATS.0", n)) for n in ("none", "pwf", "psf", "sgf")}
    assert verdicts == {"none": False, "pwf": False, "psf": True, "sgf": True}


def test_a_buffer_of_other_sizes_ends() -> None:
    for size in range(1, 5):
        model = fairlead.load(find_example("bounded_buffer.lts"), {"Size": size, "Items": 4})
        assert model.check("TRANSFER safety")
        assert model.check("GREEDY safety").reason == "deadlock"
