"""The Python API can be explored: names are found, values show themselves in one line, results are data."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from rlcompleter import Completer

import click
import pytest

import fairlead
from fairlead.base.display import WIDEST
from fairlead.checker.keywords import EXPECTED, OptionArguments
from fairlead.cli.check import check
from fairlead.evidence.changes import changes
from tests.support.places import EXAMPLES

TEXT = """
var x:{0..1} = 0;
var level[2] = [0, 0];
P() = up{x = 1; level[1] = 3;} -> down{x = 0; level[1] = 0;} -> P();
Q() = [x == 1] c -> Q();
System() = P() ||| Q();
#assert System() |= []<> c;
#assert System() deadlockfree;
"""


@pytest.fixture
def model() -> fairlead.Model:
    return fairlead.loads(TEXT)


# ---------------------------------------------------------------- names


def test_dir_shows_what_is_public_and_nothing_else() -> None:
    shown = [name for name in dir(fairlead) if not name.startswith("__")]
    assert shown == sorted([*fairlead.__all__, "simulation"])
    for name in shown:
        assert getattr(fairlead, name) is not None


def test_modules_are_there_before_anything_is_loaded() -> None:
    code = (
        "import fairlead, sys; assert 'fairlead.api.model' not in sys.modules; print(dir(fairlead));"
        "print(fairlead.simulation.take.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'check'" not in done.stdout and "'load'" in done.stdout and "take" in done.stdout


def test_tab_completion() -> None:
    completer = Completer({"fairlead": fairlead})
    assert completer.complete("fairlead.loa", 0) == "fairlead.load("
    assert completer.complete("fairlead.simulat", 0) == "fairlead.simulate("
    assert completer.complete("fairlead.simulat", 1) == "fairlead.simulation"


def test_a_name_that_is_not_there(model: fairlead.Model) -> None:
    with pytest.raises(AttributeError, match="no attribute 'laod'; did you mean 'load'"):
        _ = fairlead.laod  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="has no 'chek'; did you mean 'check'"):
        _ = model.chek  # type: ignore[attr-defined]
    assert not hasattr(model, "_nothing") and not hasattr(fairlead, "__wrapped__")


def test_the_old_name_of_minimise(model: fairlead.Model) -> None:
    with pytest.warns(DeprecationWarning, match=r"Model\.minimise now"):
        found = model.minimised()  # type: ignore[attr-defined]
    assert found == model.minimise()


# ---------------------------------------------------------------- one line


def test_everything_shows_itself_in_one_line(model: fairlead.Model) -> None:
    result = model.check("1", "pwf")
    assert result.evidence is not None
    begun = fairlead.simulate(model)
    shown = [
        model,
        result,
        model.check_all(fairness="all"),
        result.evidence,
        result.evidence.run,
        result.evidence.run.stem,
        result.evidence.initial,
        *result.evidence,
        *result.evidence.run,
        begun,
        begun.state,
        fairlead.simulation.random_walk(begun, 5),
        model.graph(),
        model.minimise(),
        model.states("EX c"),
        model.advise("1"),
        fairlead.html_report(result),
    ]
    for value in shown:
        text = repr(value)
        assert "\n" not in text and len(text) <= WIDEST + 40, text


def test_what_a_line_says(model: fairlead.Model) -> None:
    result = model.check("1", "pwf")
    assert repr(model) == "<Model <csp>: 2 assertions>"
    assert repr(result) == "<Result System() |= []<> c [pwf]: violated, a loop of 2>"
    assert result.evidence is not None
    assert repr(result.evidence.initial) == "<State x=0, level=[0,0]>"
    assert repr(result.evidence.steps[0]) == "<Step up by P(): x: 0 → 1, level[1]: 0 → 3>"
    assert repr(model.check("2", ["ewf", "esf"])) == "<Results: 1 holds>"


def test_a_long_state_is_cut() -> None:
    many = "".join(f"var v{number} = {number};" for number in range(200))
    long = fairlead.loads(f"{many} P = a -> P;")
    text = repr(fairlead.simulate(long))
    assert len(text) <= WIDEST and text.startswith("<Simulation after 0 steps") and text.endswith(">")


# ---------------------------------------------------------------- runs


def test_a_run_is_iterated(model: fairlead.Model) -> None:
    evidence = model.check("1", "pwf").evidence
    assert evidence is not None
    steps = list(evidence)
    assert [step.event for step in steps] == ["up", "down"]
    assert steps == [*evidence.stem, *evidence.loop]
    assert steps[0].processes == ("P()",)
    assert steps[0].state.variables == {"x": 1, "level": [0, 3]}
    assert steps[0].state.processes.keys() == {"P()", "Q()"}
    first, second = steps[0].changes
    assert (first.name, first.position, first.before, first.after) == ("x", None, 0, 1)
    assert (second.name, second.position, second.before, second.after) == ("level", 1, 0, 3)
    assert second == "level[1]: 0 → 3"
    assert json.loads(json.dumps(steps[0].state)) == steps[0].state
    assert [step.event for step in evidence.run] == ["up", "down"]


def test_a_simulation_is_iterated(model: fairlead.Model) -> None:
    walked = fairlead.simulation.random_walk(fairlead.simulate(model, seed=4), 20)
    assert [step.event for step in walked] == [step.event for step in walked.path]
    described = [walked.system.describe(walked.starts[0]), *(step.state for step in walked)]
    for before, step in zip(described, walked, strict=False):
        assert list(step.changes) == changes(before, step.state)


def test_changes_of_a_graph() -> None:
    graph = fairlead.loads('des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n', "aut")
    evidence = graph.check(ltl="!b").evidence
    assert evidence is None or evidence.steps
    found = changes({"state": 0, "propositions": ["p"]}, {"state": 1, "propositions": ["q"]})
    assert [(change.name, change.before, change.after) for change in found] == [
        ("state", 0, 1),
        ("q", False, True),
        ("p", True, False),
    ]


# ---------------------------------------------------------------- several notions, all options


def test_several_notions(model: fairlead.Model) -> None:
    several = model.check("1", ["pwf", fairlead.Fairness("psf")])
    assert [result.fairness.value for result in several] == ["pwf", "psf"]
    everything = model.check("1", "all")
    assert [result.fairness.value for result in everything] == ["none", "ewf", "esf", "pwf", "psf", "sgf"]
    for result in everything:
        assert result.verdict is model.check("1", result.fairness).verdict
    assert not everything and not several
    assert model.check("1", ["esf", "psf"]) and len(model.check("2", "all")) == 1


def test_no_results_are_not_a_success() -> None:
    assert not fairlead.Results()


def test_several_notions_in_a_text_are_not_taken_for_the_first(model: fairlead.Model) -> None:
    with pytest.raises(fairlead.ArgumentError, match="are 2 notions"):
        model.check("1", "psf,pwf")


def test_formulas_as_arguments(model: fairlead.Model) -> None:
    assert model.check(ltl="<> x == 1", process="System()")
    assert model.check(ctl="AG EF c")
    ends = fairlead.loads("P = a -> Skip;")
    assert not ends.check(ctl="EG true", finite_paths=True) and ends.check(ctl="EG true")


def test_every_option_of_the_command_line_is_there() -> None:
    assert set(EXPECTED) == set(OptionArguments.__annotations__)
    options = {option.name for option in check.params if isinstance(option, click.Option)}
    named = {"formulas": "ltl", "branching": "ctl", "conditions": "fair"}
    arguments = {*EXPECTED, "ltl", "ctl", "process", "finite_paths", "fairness"}
    elsewhere = {"definitions", "allow_python", "processes", "language"}  # of load
    elsewhere |= {"states", "coverage"}  # methods
    shown = {"trace", "as_json", "html", "junit", "sarif", "quiet", "verbose", "color", "plot", "watch"}
    missing = {named.get(name or "", name) for name in options} - arguments - elsewhere - shown
    assert missing <= {None, "help"}, missing


def test_single_limits_and_the_like(model: fairlead.Model, tmp_path: Path) -> None:
    counter = fairlead.loads("var x = 0; C() = up{x = x + 1;} -> C();")
    assert counter.check("C() deadlockfree", max_states=1000).reason == "max-states"
    assert counter.check("C() deadlockfree", timeout=0.01, reduction="none").reason == "timeout"
    assert counter.check("C() deadlockfree", max_memory="20M", reduction="none").reason == "max-memory"
    saved = tmp_path / "saved"
    assert counter.check("C() deadlockfree", max_states=5000, checkpoint=saved).reason == "max-states"
    again = fairlead.loads("var x = 0; C() = up{x = x + 1;} -> C();")
    resumed = again.check("C() deadlockfree", max_states=9000, resume=saved)
    assert resumed.statistics.states >= 9000
    assert model.check("1", fair=["GF c", "GF up"]).fair == "(GF c) && (GF up)"
    many = fairlead.loads("var n = 0; P() = a{n = 1;} -> P(); S() = |||{..} @ P();")
    assert many.check("S() deadlockfree", counters=True, cutoff=1)


# ---------------------------------------------------------------- strategies


@pytest.mark.parametrize("file", ["mutual_exclusion/peterson.csp", "readers_writers/readers_writers.lts"])
def test_strategies_that_offer_themselves_answer_the_same(file: str) -> None:
    model = fairlead.load(EXAMPLES / file)
    for question in model.assertions[:3]:
        expected = model.check(question).verdict
        for offer in model.strategies(question):
            if offer.can_answer:
                assert offer.reason is None
                assert model.check(question, **offer.options).verdict is expected, offer
            else:
                assert offer.reason


# ---------------------------------------------------------------- rows and pages


def test_rows(model: fairlead.Model) -> None:
    rows = model.check_all(fairness="all").to_rows()
    assert [row["verdict"] for row in rows] == [
        result.verdict.value for result in model.check_all(fairness="all")
    ]
    assert len({tuple(row) for row in rows}) == 1  # the same columns in all rows
    assert rows[0]["states"] == 2 and rows[0]["process"] == "System()" and rows[0]["loop"] == 2
    for row in rows:
        assert all(isinstance(value, str | int | float | bool | None) for value in row.values())


def test_rows_of_a_run() -> None:
    model = fairlead.loads("var step = 0; P() = a{step = 1;} -> b -> P(); #assert P() |= [] step == 0;")
    evidence = model.check("1").evidence
    assert evidence is not None
    assert evidence.to_rows() == [
        {"step": 0, "part": "start", "event": None, "processes": "", "variables.step": 0},
        {"step": 1, "part": "stem", "event": "a", "processes": "P()", "variables.step": 1},
    ]


def test_rows_of_advice(model: fairlead.Model) -> None:
    rows = model.advise("1").to_rows()
    assert rows and rows[0]["assumptions"] and rows[0]["weak"] + rows[0]["strong"] >= 1


def test_pages_are_saved(model: fairlead.Model, tmp_path: Path) -> None:
    for number, value in enumerate(
        (model.check("1"), model.check("1", "all"), model.advise("1"), fairlead.html_report(model.check("1")))
    ):
        file = tmp_path / f"{number}.html"
        value.save_html(file)
        assert file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(fairlead.InputError, match="cannot write"):
        model.check("1").save_html(tmp_path / "none" / "page.html")
