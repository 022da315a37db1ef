"""`fairlead graph` with values: on hover, at the states with `--values`, and in JSON, also read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fairlead.cli.main import run


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What the command writes, if it ends with the given status: to standard output, or why it refuses."""

    def invoke(*arguments: str, status: int = 0) -> str:
        assert run(list(arguments)) == status
        found = capsys.readouterr()
        return found.err if status == 2 else found.out

    return invoke


HANDS = """
channel c 0;
var got:{0..2} = 0;
var fixed = 7;
Sender() = c!1 -> c!2 -> Skip;
Receiver() = c?x{got = x;} -> Receiver();
System() = Sender() ||| Receiver();
#assert System() deadlockfree;
"""


def hands(folder: Path) -> str:
    file = folder / "hands.csp"
    file.write_text(HANDS)
    return str(file)


def test_hovering_shows_values_positions_and_the_direction_of_handshakes(
    written: Callable[..., str], tmp_path: Path
) -> None:
    for form in ("svg", "dot"):
        drawn = written("graph", hands(tmp_path), "--format", form)
        assert "got = 1" in drawn and "fixed = 7" in drawn
        assert "Sender() at c!2" in drawn
        assert "Sender() → Receiver()" in drawn
        assert "got=1" not in drawn


def test_values_stand_at_the_states_on_request(written: Callable[..., str], tmp_path: Path) -> None:
    for form in ("svg", "dot"):
        drawn = written("graph", hands(tmp_path), "--format", form, "--values")
        assert "got=0" in drawn and "got=2" in drawn
        assert "fixed=7" not in drawn, "it is the same in all states"


def test_values_in_json_are_read_back_and_drawn(written: Callable[..., str], tmp_path: Path) -> None:
    plain = json.loads(written("graph", hands(tmp_path)))
    assert "values" not in plain
    text = written("graph", hands(tmp_path), "--values")
    found = json.loads(text)
    assert found.pop("values")[0] == {
        "variables": {"got": 0, "fixed": 7},
        "processes": {"Sender()": "Sender()", "Receiver()": "Receiver()"},
    }
    assert found == plain
    file = tmp_path / "hands.json"
    file.write_text(text)
    assert written("graph", str(file), "--values") == text
    assert "got=2" in written("graph", str(file), "--format", "svg", "--values")
    assert "violated" in written("check", str(file), "deadlockfree", "--no-trace", status=1)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (3, "'values' must be a list with an entry for each state"),
        ([None], "'values' must be a list with an entry for each state"),
        ([{"x": 1}, None], "'values' of state 0 must be 'variables' and 'processes', or null"),
        ([None, {"variables": []}], "the variables of state 1 must be an object of values"),
        ([None, {"processes": {"P": 1}}], "the processes of state 1 must be an object of texts"),
    ],
)
def test_values_that_make_no_sense(
    values: object, problem: str, written: Callable[..., str], tmp_path: Path
) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps({"states": 2, "transitions": [[0, "a", 1]], "values": values}))
    assert problem in written("graph", str(file), "--format", "svg", status=2)


def test_aldebaran_has_no_values(written: Callable[..., str], tmp_path: Path) -> None:
    said = written("graph", hands(tmp_path), "--format", "aut", "--values", status=2)
    assert "--values is for svg, dot and json" in said
