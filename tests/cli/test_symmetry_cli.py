"""`fairlead check --reduction symmetry`: what it says, and what it does not go with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import fairlead
from fairlead.cli.main import cli

MODEL = """
#define N 3;
var turn:{0..N-1};
#define last turn == N - 1;
P(i) = [turn != i] take.i{turn = i;} -> P(i);
System() = ||| i:{0..N-1} @ P(i);
#assert System() |= [] !last;
#assert System() |= []<> take.0;
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "turns.csp"
    file.write_text(MODEL)
    return file


def test_results_as_json_can_be_validated(path: Path) -> None:
    found = CliRunner().invoke(cli, ["check", str(path), "--reduction", "symmetry", "--json"])
    data = json.loads(found.stdout)
    assert [result["verdict"] for result in data["results"]] == ["violated", "violated"]
    assert data["results"][1]["symmetry"]["interchangeable"] == ["P(1, 2)"]
    assert data["results"][1]["symmetry"]["apart"][0]["process"] == "P(0)"
    model = fairlead.load(path)
    assert all(model.validate(result) is None for result in data["results"])


@pytest.mark.parametrize("other", ["--counters", "--compositional"])
def test_other_ways_to_look_at_less_do_not_go_with_it(path: Path, other: str) -> None:
    with pytest.raises(fairlead.InputError, match="cannot be used together"):
        cli.main(["check", str(path), "--reduction", "symmetry", other], standalone_mode=False)


def test_an_unknown_reduction_is_told(path: Path) -> None:
    with pytest.raises(fairlead.InputError, match="unknown reduction 'rotation'"):
        fairlead.load(path).check("System() deadlockfree", reduction="rotation")
