"""`fairlead simulate`: scripts, JSON, stored evidence and wrong input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run
from fairlead.cli.session import completions

WRONG = 2
COMMAND = [sys.executable, "-m", "fairlead", "simulate"]
MODEL = """\
var x:{0..2} = 0;
var big[40];
P() = up{x = x + 1; big[30] = x;} -> P() [] [x == 2] stop -> Skip;
Q() = tick -> Q() [] end -> Skip;
S() = P() ||| Q();
#assert S() |= [] x < 2;
#assert S() |= []<> tick;
#assert S() reaches x == 2;
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.csp"
    path.write_text(MODEL, encoding="utf-8")
    return path


def script(*lines: str) -> str:
    Path("commands").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return "commands"


def answers(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    assert run(["simulate", *arguments]) == status
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.out, captured.err


def records(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    out, _ = answers(capsys, *arguments, "--json")
    return [json.loads(line) for line in out.splitlines()]


def store(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Evidence about the model without its run-time error, with which nothing could be checked."""
    Path("m.csp").write_text(MODEL.replace("up{", "[x < 2] up{"), encoding="utf-8")
    run(["check", "m.csp", *arguments, "--json"])
    Path("evidence.json").write_text(capsys.readouterr().out, encoding="utf-8")
    return "evidence.json"


# ---------------------------------------------------------------- scripts


def test_the_state_and_what_has_changed(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = answers(capsys, "m.csp", "--script", script("# a comment", "", "up", "state"))
    _, short, full = out.split("> ")[1:]
    assert out.split("> ")[1] == "# a comment\n"
    assert short.splitlines() == [
        "up",
        "step 1: up by P()",
        "variables:",
        "* x   = 1  (was 0)",
        "* big = [0,0,0,0,0,0,0,0,… 40 elements]  ([30]: 0 → 1)",
        "processes:",
        "  P()  line 3  P()",
        "  Q()  line 4  Q()",
        "events:",
        "    1  up    P()  x: 1 → 2, big[30]: 1 → 2",
        "    2  tick  Q()",
        "    3  end   Q()",
    ]
    assert f"* big = [{','.join(['0'] * 30)},1," in full


def test_failures_are_shown_with_their_place(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = answers(capsys, "m.csp", "--script", script("up", "up", "tick"))
    last = out.split("\n> ")[-1]
    assert "failing at run time:\n  up by P()\n    m.csp:3:10: error[value-out-of-range]" in last
    assert "stop" in last


def test_dead_ends(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = answers(capsys, "m.csp", "--script", script("up", "up", "stop", "end", "terminate"))
    assert out.endswith("terminated: the whole system has ended\n")
    Path("dead.csp").write_text("P = a -> Stop;", encoding="utf-8")
    out, _ = answers(capsys, "dead.csp", "--script", script("random 5"))
    assert "stopped after 1 step: no step is possible here" in out
    assert out.endswith("deadlock: no step is possible\n  P() at Stop\n    has nothing left to do\n")


def test_a_saved_script_leads_to_the_same_state(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walked, _ = answers(capsys, "m.csp", "--seed", "3", "--script", script("random 25", "save walk"))
    assert "written to walk" in walked
    first = records(capsys, "m.csp", "--seed", "3", "--script", script("random 25"))
    assert records(capsys, "m.csp", "--script", "walk")[-1] == first[-1]


def test_events_that_are_called_like_commands(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("words.csp").write_text("P = back -> P [] state.1 -> P;", encoding="utf-8")
    found = records(
        capsys, "words.csp", "--script", script("take back", "take state", "state", "take 1", "back")
    )
    assert [record["event"] for record in found if record["kind"] == "step"] == ["back", "state.1", "back"]
    assert found[-1]["step"] == 2


def test_parts_of_one_process_are_all_shown(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "P = a -> (b -> Skip ||| c -> Skip); S = P ||| Q; Q = d -> Q;"
    Path("fork.csp").write_text(text, encoding="utf-8")
    out, _ = answers(capsys, "fork.csp", "--script", script("a"))
    shown = out.split("processes:")[-1]
    assert "* P()  line 1  b -> Skip" in shown
    assert "* P()  line 1  c -> Skip" in shown


def test_events_that_look_alike_are_told_apart(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("alike.csp").write_text("P = a -> b -> P [] a -> c -> P;", encoding="utf-8")
    out, _ = answers(capsys, "alike.csp", "--script", script("state"))
    assert "1  a  P()  P() at b -> P\n    2  a  P()  P() at c -> P\n" in out


def test_many_variables_processes_and_events_are_cut_short(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    variables = "".join(f"var v{number};" for number in range(60))
    text = f"{variables} P(i) = a.i{{v59 = i;}} -> P(i); S = ||| i:{{0..99}} @ P(i);"
    Path("many.csp").write_text(text, encoding="utf-8")
    out, _ = answers(capsys, "many.csp", "--script", script("a.77", "state"))
    _, short, full = out.split("> ")
    assert "* v59" in short and "v58" not in short and "v58" in full
    assert "… 19 more variables" in short and "… 60 more processes" in short and "… 60 more events" in short
    assert "…" not in full and "100  a.99" in full


def test_graphs(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["graph", "m.csp", "--process", "Q()", "-o", "g.json"])
    capsys.readouterr()
    out, _ = answers(capsys, "g.json", "--script", script("tick", "end", "terminate"))
    assert "start\n  state 0\nevents:\n" in out
    assert "terminated" in out
    assert "processes:" not in out


def test_initial_states(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("any.csp").write_text("var x:{5..7} = *; P = a.x -> P;", encoding="utf-8")
    out, _ = answers(capsys, "any.csp", "--script", script("start", "start 3", "a.7"))
    assert "*    1  x=5\n     2  x=6\n     3  x=7\n" in out
    assert "start: initial state 3 of 3\n" in out


# ---------------------------------------------------------------- JSON

STEP_FIELDS = {"number", "event", "processes", "changes"}
STATE_FIELDS = {
    "schema",
    "kind", "step", "start", "starts", "undone", "status",
    "state", "changes", "positions", "enabled", "failures",
}  # fmt: skip


def test_every_answer_ends_with_a_state(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["up", "random 3", "back 2", "trace", "start", "help", "state", "save f", "restart", "redo 2"]
    found = records(capsys, "m.csp", "--script", script(*lines, "quit", "nonsense"))
    kinds = [record["kind"] for record in found]
    assert kinds.count("state") == len(lines) + 1
    assert kinds[:7] == ["state", "step", "state", "step", "step", "step", "state"]
    for record in found:
        if record["kind"] == "state":
            assert record.keys() == STATE_FIELDS
            assert [event["number"] for event in record["enabled"]] == [*range(1, len(record["enabled"]) + 1)]
            assert all(
                event.keys() == {"number", "event", "processes", "changes"} for event in record["enabled"]
            )
        elif record["kind"] == "step":
            assert record.keys() == STEP_FIELDS | {"schema", "kind", "state"}
    assert found[2]["state"] == found[1]["state"]
    assert found[2]["positions"][0] == {
        "process": "P()", "text": "P()", "file": "m.csp", "line": 3, "column": 7
    }  # fmt: skip


def test_failures_in_json(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = records(capsys, "m.csp", "--script", script("up", "up"))[-1]
    (failure,) = last["failures"]
    assert (failure["event"], failure["processes"]) == ("up", ["P()"])
    assert failure["problem"]["code"] == "value-out-of-range"
    assert (failure["problem"]["line"], failure["problem"]["column"]) == (3, 10)


def test_errors_in_json(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = answers(capsys, "m.csp", "--json", "--script", script("up", "nonsense"), status=WRONG)
    last = json.loads(out.splitlines()[-1])
    assert (last["kind"], last["code"], last["file"], last["line"]) == ("error", "usage", "commands", 2)
    assert "commands:2:1: error[usage]" in err


def test_a_program_gets_each_answer_at_once(model: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "m.csp", "--json", "--script", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert json.loads(process.stdout.readline())["step"] == 0
        for number in range(1, 4):
            process.stdin.write("tick\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["number"] == number
            assert json.loads(process.stdout.readline())["step"] == number
        process.stdin.close()
        assert process.wait(timeout=30) == 0


# ---------------------------------------------------------------- evidence


def test_replay_needs_no_model_if_the_evidence_names_it(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = store(capsys, "1")
    found = records(capsys, "--replay", evidence, "--script", script("next 2"))
    assert found[0]["replay"] == {
        "assertion": "S() |= [] x < 2",
        "shows": "counterexample",
        "stem": 2,
        "loop": 0,
        "followed": 0,
        "next": 1,
        "next_event": "up",
    }
    assert found[-1]["state"]["variables"]["x"] == 2
    assert found[-1]["replay"]["next"] is None
    commands = str(model.parent / "commands")
    elsewhere = model.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert records(capsys, "--replay", "../evidence.json", "--script", commands)[-1]["step"] == 2
    (model.parent / "m.csp").rename(elsewhere / "moved.csp")
    _, err = answers(capsys, "--replay", "../evidence.json", "--script", commands, status=WRONG)
    assert "is about 'm.csp', which is not there" in err
    assert records(capsys, "moved.csp", "--replay", "../evidence.json", "--script", commands)[-1]["step"] == 2


def test_replay_of_one_result_among_several(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence = store(capsys)
    _, err = answers(capsys, "--replay", evidence, "--script", script("next"), status=WRONG)
    assert "3 results of 'evidence.json' have evidence" in err
    assert "2: S() |= []<> tick [none]" in err
    out, _ = answers(
        capsys, "--replay", evidence, "--result", "2", "--script", script("loop", "next", "trace")
    )
    assert "counterexample to S() |= []<> tick: its loop of" in out
    out, _ = answers(capsys, "--replay", evidence, "--result", "3", "--script", script("next"))
    assert "witness of S() reaches x == 2: step 1 of 2" in out


def test_a_jump_onto_another_path_is_not_shown_as_its_continuation(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evidence = store(capsys, "2")
    jump = script("tick", "loop")
    found = records(capsys, "--replay", evidence, "--script", jump)
    assert [record["kind"] for record in found] == ["state", "step", "state", "state"]
    out, _ = answers(capsys, "--replay", evidence, "--script", jump)
    assert out.split("\n> loop\n")[1].startswith("step 5: terminate")


def test_replay_takes_the_stored_definitions(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text("#define N 1; P = [N == 2] a -> Stop; #assert P() reaches N == 3;")
    assert run(["check", "m.csp", "P() |= [] !a", "-D", "N=2", "--json"]) == 1
    Path("evidence.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert records(capsys, "--replay", "evidence.json", "--script", script("next"))[-1]["step"] == 1
    _, err = answers(capsys, "--replay", "evidence.json", "-D", "N=1", "--script", "commands", status=WRONG)
    assert "the stem cannot be replayed" in err


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("lines", "place", "words"),
    [
        (("up", "  nonsense"), "commands:2:3", "neither a command nor an enabled event"),
        (("tik",), "commands:1:1", "did you mean 'tick'?"),
        (("# only", "", "9"), "commands:3:1", "there is no event 9; there are 3 enabled events"),
        (("0",), "commands:1:1", "there is no event 0"),
        (("9" * 5000,), "commands:1:1", "neither a command"),
        (("back",), "commands:1:1", "cannot go back 1 step; 0 steps have been taken"),
        (("redo",), "commands:1:1", "cannot redo"),
        (("next",), "commands:1:1", "no counterexample is loaded"),
        (("loop",), "commands:1:1", "no counterexample is loaded"),
        (("goto",), "commands:1:1", "after 'goto' comes a number, not nothing"),
        (("goto -1",), "commands:1:1", "after 'goto' comes a number"),
        (("goto 3",), "commands:1:1", "there is no step 3"),
        (("random many",), "commands:1:1", "after 'random' comes a number of steps"),
        (("random 0",), "commands:1:1", "from 1 to 1,000,000"),
        (("random 999999999999",), "commands:1:1", "from 1 to 1,000,000"),
        (("start 2",), "commands:1:1", "there is no initial state 2; there is 1 initial state"),
        (("quit now",), "commands:1:1", "after 'quit' comes nothing, not 'now'"),
        (("save",), "commands:1:1", "a file name"),
        (("save no/such/folder",), "commands:1:1", "cannot write 'no/such/folder'"),
        (("take",), "commands:1:1", "an event or its number"),
        (("up", "up", "up"), "commands:3:1", "m.csp:3:10: note: here"),
    ],
)
def test_wrong_commands(
    lines: tuple[str, ...], place: str, words: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = answers(capsys, "m.csp", "--script", script(*lines), status=WRONG)
    assert err.startswith(f"{place}: error[")
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "which model?"),
        (("m.csp", "--json"), "--json needs --script"),
        (("m.csp", "--result", "1"), "--result chooses"),
        (("none.csp",), "cannot read 'none.csp'"),
        (("m.csp", "--script", "none"), "cannot read 'none'"),
        (("m.csp", "--script", "binary"), "not a UTF-8 text"),
        (("m.csp", "--process", "Z()"), "there is no process 'Z'"),
        (("m.csp", "-D", "N"), "expected NAME=VALUE"),
        (("--replay", "m.csp"), "is not JSON"),
        (("--replay", "list.json"), "does not name its model"),
        (("m.csp", "--replay", "list.json"), "no evidence to replay"),
        (("m.csp", "--replay", "list.json", "--result", "4"), "there is no result 4"),
        (
            ("m.csp", "--replay", "list.json", "--process", "P()"),
            "--process and --replay cannot be used together",
        ),
    ],
)
def test_wrong_arguments(
    arguments: tuple[str, ...], words: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("binary").write_bytes(b"\xff\xfe\x00")
    Path("list.json").write_text('{"results": [1, {"evidence": null}]}', encoding="utf-8")
    _, err = answers(capsys, *arguments, status=WRONG)
    assert words in err


def test_the_reader_of_a_pipe_may_go_away(model: Path) -> None:
    command = f"{' '.join(COMMAND)} m.csp --script commands | head -n 1; echo ${{PIPESTATUS[0]}}"
    script(*["tick"] * 500)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("start\n141\n", "")


def test_commands_are_completed(model: Path) -> None:
    import fairlead

    begun = fairlead.simulate(fairlead.load("m.csp"), "S()")
    assert completions(begun, "")[:3] == ["up", "tick", "end"]
    assert completions(begun, "t") == ["tick", "trace"]
    assert completions(begun, "ra") == ["random "]
    assert completions(begun, "take e") == ["take end"]
