"""`fairlead minimise`, and what it makes of models in each language."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import is_internal
from fairlead.model.machine import TAU, Machine
from fairlead.reduce.bisimulation import Equivalence
from tests.support.oracle.bisimulation import equivalent, is_minimal

MODELS = {
    "choices": "P = a -> (b -> Skip [] c -> Stop) <> d -> P;",
    "hiding": "P = (a -> h -> b -> P) \\ {h};",
    "parallel": "var x:{0..2} = 0; P = [x < 2] up{x = x + 1} -> P [] [x > 0] down{x = x - 1} -> P;"
    " Q = P ||| P;",
    "terminating": "P = a -> Skip; Q = P ||| P; R = Q; b -> Stop;",
    "livelock": "P = a -> L [] b -> Stop; L = (h -> L) \\ {h};",
    "any value": "var x:{0..3} = *; P = [x > 1] a -> P [] [x <= 1] b -> P;",
    "channels": "channel c 2; S = c!1 -> c!2 -> S; R = c?x -> got.x -> R; Q = S ||| R;",
}


def as_machine(graph: ExplicitGraph, hide: tuple[str, ...] = ()) -> Machine:
    """A graph as a machine; all terminated states are END."""
    order = [graph.initial, *(state for state in range(graph.state_count) if state != graph.initial)]
    ended = [state for state in order if state in graph.terminated]
    numbers = {state: index for index, state in enumerate(order)}
    if ended:
        numbers |= dict.fromkeys(ended, numbers[ended[0]])
    rows: list[tuple[tuple[str, int], ...]] = []
    for state in order:
        steps = {
            (TAU if is_internal(step.event) or step.event in hide else step.event, numbers[step.target])
            for step in graph.transitions.get(state, ())
        }
        rows.append(tuple(sorted(steps)))
    labels = sorted({label for row in rows for label, _ in row} - {TAU})
    return Machine("", tuple(labels), tuple(rows), numbers[ended[0]] if ended else None)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("equivalence", Equivalence)
def test_the_result_is_equivalent_and_minimal(name: str, equivalence: Equivalence) -> None:
    model = fairlead.loads(MODELS[name])
    for process in re.findall(r"([A-Z]) = ", MODELS[name]):
        for hide in ((), ("b",), ("up", "down")):
            large = as_machine(model.graph(f"{process}()"), hide)
            hidden = [label for label in hide if label in as_machine(model.graph(f"{process}()")).alphabet]
            found = model.minimise(f"{process}()", equivalence, hide=hidden)
            small = as_machine(found.graph)
            # where there are several initial states, the graph has one more
            extra = 1 if name == "any value" else 0
            assert found.states + extra == model.graph(f"{process}()").state_count
            assert equivalent(large, small, equivalence.value)
            assert is_minimal(small, equivalence.value)


def test_processes_and_states_out_of_reach_do_not_count() -> None:
    graph = {
        "states": 5,
        "initial": 1,
        "transitions": [
            [1, "a", 2, ["p"]],
            [1, "a", 3, ["q"]],
            [2, "b", 1, []],
            [3, "b", 1, []],
            [4, "c", 4, []],
        ],
        "props": {},
    }
    found = fairlead.loads(json.dumps(graph), "json").minimise(None, "strong")
    assert (found.states, found.transitions) == (3, 4)
    assert found.graph.state_count == 2
    assert sum(len(steps) for steps in found.graph.transitions.values()) == 2


def test_terminated_states_are_no_deadlocks() -> None:
    graph = {"states": 3, "initial": 0, "transitions": [[0, "a", 1, []], [0, "a", 2, []]], "terminated": [2]}
    found = fairlead.loads(json.dumps(graph), "json").minimise()
    assert found.graph.state_count == 3
    assert len(found.graph.terminated) == 1


def test_names_stand_for_events_with_arguments() -> None:
    model = fairlead.loads(MODELS["channels"])
    labels = {
        step.event
        for steps in model.minimise("Q()", hide=["c"]).graph.transitions.values()
        for step in steps
        if not is_internal(step.event)
    }
    assert labels == {"got.1", "got.2"}


# ---------------------------------------------------------------- the command


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.csp"
    big = "Big = ||| i:{0..9} @ Count(0); Count(n) = [n < 9] up.n -> Count(n + 1);"
    path.write_text(f"{MODELS['hiding']} {big}")
    return path


def test_sizes_are_printed_and_the_file_can_be_loaded(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["minimise", "model.csp", "--process", "P()", "-o", "out.aut"]) == 0
    said = capsys.readouterr()
    assert said.out == "3 states, 3 transitions; 2 states, 2 transitions after minimisation (weak)\n"
    assert fairlead.load("out.aut").graph().state_count == 2
    assert sorted(path.name for path in model.parent.iterdir()) == ["model.csp", "out.aut"]


def test_without_a_file_the_graph_goes_to_standard_output(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["minimise", "model.csp", "--process", "P()", "--equivalence", "strong"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("des (0, 3, 3)\n")
    assert "(strong)" in said.err


def test_an_unknown_event_is_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["minimise", "model.csp", "--process", "Big()", "--hide", "ups", "--max-states", "9"]) == 3
    assert run(["minimise", "model.csp", "--process", "P()", "--hide", "aa", "-o", "out.aut"]) == 2
    said = capsys.readouterr().err
    assert "no event 'aa' to hide" in said and "did you mean 'a'?" in said
    assert not Path("out.aut").exists()


@pytest.mark.parametrize("limit", [["--max-states", "1000"], ["--max-memory", "3M"], ["--timeout", "0.05"]])
def test_limits_leave_the_old_file_alone(
    model: Path, capsys: pytest.CaptureFixture[str], limit: list[str]
) -> None:
    Path("out.aut").write_text("old")
    assert run(["minimise", "model.csp", "--process", "Big()", *limit, "-o", "out.aut"]) == 3
    assert "not minimised" in capsys.readouterr().err
    assert Path("out.aut").read_text() == "old"


def test_files_are_replaced_as_a_whole(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = Path("kept.aut")
    kept.write_text("old")
    kept.chmod(0o640)
    Path("link.aut").symlink_to("kept.aut")
    assert run(["minimise", "model.csp", "--process", "P()", "-o", "link.aut"]) == 0
    assert Path("link.aut").is_symlink() and kept.read_text().startswith("des")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert run(["minimise", "model.csp", "--process", "P()", "-o", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()
    assert run(["minimise", "model.csp", "--process", "P()", "-o", "missing/out.aut"]) == 2
    assert "cannot write 'missing/out.aut'" in capsys.readouterr().err
