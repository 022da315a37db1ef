"""Components under annotations and fairness formulas; stored, forged, interrupted and drawn."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.base.allowance import LimitKind, Stopped
from fairlead.base.diagnostics import InputError
from fairlead.cli.main import run
from fairlead.evidence.component import ComponentReached
from fairlead.outcome.finding import Verdict
from fairlead.outcome.limits import Clock
from tests.support.asking.components import oracle_transitions, transitions_of
from tests.support.oracle.annotations import find_fair, in_force, is_fair_to, random_annotated_case, to_json
from tests.support.oracle.branching_questions import random_linear_question
from tests.support.oracle.components import is_component, is_fair_component
from tests.support.oracle.conditions import is_fair_loop
from tests.support.oracle.fairness import NOTIONS
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.graphs import Step
from tests.support.oracle.verdict import Product
from tests.support.places import ROOT
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

CHUNKS = 4
RING = ROOT / "bench" / "evidence" / "replicated_ring.csp"


def claimed_steps(model: fairlead.Model, result: fairlead.Result) -> set[Step] | None:
    """The transitions that a component claims, if the evidence is one."""
    evidence = result.evidence
    if evidence is None or evidence.component is None:
        return None
    assert isinstance(evidence.explanation, ComponentReached) and evidence.explanation.is_judged
    found = transitions_of(model.graph(), evidence.run.loop_start, evidence.component)
    return {Step(*step) for step in oracle_transitions(found)}  # type: ignore[arg-type]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_components_are_fair_to_annotations(tune: Tune, chunk: int) -> None:
    tune(longest_loop=0, shortest_lasso_system=0)
    compared = 0
    for seed in some(range(chunk, 400, CHUNKS), 10):
        graph, notes, formula, notion = random_annotated_case(seed, NOTIONS)
        model = fairlead.loads(to_json(graph, notes), "json")
        notes = in_force(graph, notes)
        result = model.check(model.formula(formula_text(formula)), notion)
        violated = find_fair(Product(graph, formula), notion, notes) is not None
        assert (result.verdict is Verdict.VIOLATED) is violated, seed
        steps = claimed_steps(model, result)
        if steps is None:
            continue
        assert is_component(steps) and is_fair_component(graph, steps, notion), seed
        taken = {step for step in steps if step.event is not None}
        assert all(is_fair_to(graph, {step.source for step in steps}, taken, note) for note in notes), seed
        assert model.validate(json.loads(json.dumps(result.to_json()))) is None
        compared += 1
    assert compared or is_sample()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_components_are_fair_by_formulas(tune: Tune, chunk: int) -> None:
    tune(longest_loop=0, shortest_lasso_system=0)
    compared = 0
    for seed in some(range(chunk, 300, CHUNKS), 10):
        case = random_linear_question(seed)
        model = fairlead.loads(case.model, "json")
        result = model.check(model.formula(case.text), case.assumption.notion, fair=case.fair)
        assert (result.verdict is Verdict.HOLDS) is case.oracle().verdict(case.formula), seed
        steps = claimed_steps(model, result)
        if steps is None:
            continue
        assert is_component(steps) and is_fair_loop(case.graph, list(steps), case.assumption), seed
        assert model.validate(json.loads(json.dumps(result.to_json()))) is None
        compared += 1
    assert compared or is_sample()


# ---------------------------------------------------------------- stored evidence


def stored(question: int, notion: str) -> tuple[fairlead.Model, dict[str, Any]]:
    model = fairlead.load(RING, definitions={"N": "3"})
    result = model.check(model.assertions[question - 1], notion)
    assert result.evidence is not None and result.evidence.component is not None
    return model, json.loads(json.dumps(result.to_json()))


def _drop_transition(result: dict[str, Any]) -> None:
    result["evidence"]["component"]["left_out"].append([5, [0]])


def _drop_truly(result: dict[str, Any]) -> None:
    _drop_transition(result)
    result["evidence"]["component"]["transitions"] -= 1


def _drop_state(result: dict[str, Any]) -> None:
    result["evidence"]["component"]["states"] -= 1


def _add_state(result: dict[str, Any]) -> None:
    result["evidence"]["component"]["states"] += 1


def _other_cycle(result: dict[str, Any]) -> None:
    result["evidence"]["loop"] = result["evidence"]["loop"][:1]


def _other_formula(result: dict[str, Any]) -> None:
    result["assertion"] = "Ring() |= [] <> log[0] == 0"


def _no_component(result: dict[str, Any]) -> None:
    del result["evidence"]["component"]


FORGERIES = [
    _drop_transition,
    _drop_truly,
    _drop_state,
    _add_state,
    _other_cycle,
    _other_formula,
    _no_component,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forged_evidence_is_invalid(tune: Tune, forge: Callable[[dict[str, Any]], None]) -> None:
    tune(longest_loop=20)
    model, honest = stored(1, "sgf")
    assert model.validate(honest) is None
    forged = copy.deepcopy(honest)
    forge(forged)
    assert model.validate(forged) is not None


@pytest.mark.parametrize("notion", ["esf", "psf"])
def test_another_notion_is_invalid(tune: Tune, notion: str) -> None:
    """A part of the ring in which the log of the first replica is never empty is fair, but not globally."""
    tune(longest_loop=0, shortest_lasso_system=0)
    model, honest = stored(2, notion)
    assert model.validate(honest) is None
    assert honest["evidence"]["component"]["left_out"]
    assert model.validate({**honest, "fairness": "sgf"}) is not None
    foreign = copy.deepcopy(honest)
    foreign["evidence"]["component"]["left_out"].pop()
    assert model.validate(foreign) is not None


@pytest.mark.parametrize("component", [None, 3, {}, {"states": 1, "transitions": 1, "left_out": [[0]]}])
def test_what_is_no_component_is_refused(tune: Tune, component: object) -> None:
    tune(longest_loop=20)
    model, honest = stored(1, "sgf")
    honest["evidence"]["component"] = component
    with pytest.raises(InputError, match="'component' has"):
        model.validate(honest)


def test_a_component_of_another_kind_of_question_is_invalid() -> None:
    model = fairlead.load(RING, definitions={"N": "3"})
    result = json.loads(json.dumps(model.check("Ring() reaches (log[0] == 1)").to_json()))
    result["evidence"]["component"] = {"states": 1, "transitions": 1, "left_out": []}
    assert model.validate(result) == "the question has no component as evidence"


# ---------------------------------------------------------------- the command line


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = run(list(arguments))
    return int(status), capsys.readouterr().out


def test_every_command_understands_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("check", str(RING), "1", "-D", "N=3", "--fairness", "sgf")
    status, text = ran(capsys, *asked)
    assert status == 1 and "stays in a component of 81 states and 297 transitions" in text
    page, junit, sarif = (str(tmp_path / name) for name in ("page.html", "tests.xml", "found.sarif"))
    status, data = ran(capsys, *asked, "--json", "--html", page, "--junit", junit, "--sarif", sarif)
    for file in (page, junit, sarif):
        assert "81 states and 297 transitions" in Path(file).read_text(encoding="utf-8")
    evidence = tmp_path / "evidence.json"
    evidence.write_text(data, encoding="utf-8")
    assert ran(capsys, "validate", str(RING), str(evidence))[0] == 0
    status, picture = ran(
        capsys, "graph", str(RING), "--highlight", str(evidence), "--format", "svg", "--max-drawn", "99"
    )
    assert status == 0 and "stays in 81 states" in picture


@pytest.mark.parametrize("kind", [LimitKind.TIME, LimitKind.MEMORY])
def test_limits_hold_while_evidence_is_judged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: LimitKind
) -> None:
    """The limit is reached when twenty states have been examined; what was found is shown."""
    calls = 0

    def check(clock: Clock) -> None:
        nonlocal calls
        calls += 1
        if calls > 20:
            raise Stopped(kind)

    monkeypatch.setattr(Clock, "check", check)
    status, text = ran(capsys, "check", str(RING), "1", "-D", "N=3", "--fairness", "sgf")
    assert status == 1 and "\nviolated " in text
    assert "validated in part: a limit was reached when 20 of 81 states had been explored again" in text
