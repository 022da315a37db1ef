"""Every option that takes a number: what is out of range is told, and nothing hangs or fails otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.base.diagnostics import FairleadError
from fairlead.cli.main import run
from fairlead.outcome.limits import available_cores

MODEL = """#define N 2; var x = 0; var n = 0;
P(i) = [x < N] a.i{x = x + 1;} -> P(i) [] b{x = 0;} -> P(i);
Q() = [n < 2] in{n = n + 1;} -> out{n = n - 1;} -> Q();
System() = P(0) ||| P(1); Many() = ||| {2} @ Q();
#assert System() |= []<> b;
"""
ASKED = "System() |= []<> b"
#: numbers for which no option is made
STRANGE = ("-1", "9" * 30, "9" * 5_000, "nan", "inf", "1e400", "0x10", "", "1,000")
SECONDS = ("--timeout", "--checkpoint-every")
LIMITS = [
    ["check", "model.csp", ASKED],
    ["advise", "model.csp", ASKED],
    ["graph", "model.csp"],
    ["minimise", "model.csp"],
]
OPTIONS: dict[str, list[list[str]]] = {
    "--max-states": LIMITS,
    "--max-memory": LIMITS,
    "--timeout": [*LIMITS, ["simulate", "model.csp", "--random", "5"]],
    "--threads": LIMITS,
    "--disk-limit": [["check", "model.csp", ASKED, "--disk", "."]],
    "--seed": [["check", "model.csp", ASKED], ["simulate", "model.csp", "--random", "5"]],
    "--cutoff": [["check", "model.csp", "Many() deadlockfree", "--counters"]],
    "--checkpoint-every": [["check", "model.csp", ASKED, "--checkpoint", "saved"]],
    "--random": [["simulate", "model.csp"]],
    "--walks": [["simulate", "model.csp", "--random", "5"]],
    "--max-drawn": [["graph", "model.csp", "--format", "svg"]],
    "--alternatives": [["advise", "model.csp", ASKED]],
    "--result": [["graph", "model.csp", "--highlight", "results.json", "--format", "dot"]],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.csp").write_text(MODEL)
    (tmp_path / "results.json").write_text('{"results": []}')
    return tmp_path


@pytest.mark.parametrize("option", OPTIONS)
def test_what_is_out_of_range_is_a_usage_error(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in OPTIONS[option]:
        for value in STRANGE:
            if option in SECONDS and value == STRANGE[1]:
                continue  # long, and still a time
            status = run([*command, option, value])
            out, err = capsys.readouterr()
            assert status == 2, f"{command[0]} {option} {value[:20]}: {status} {out}"
            assert "internal" not in err and "Traceback" not in err
            assert err


@pytest.mark.parametrize("option", ["--max-states", "--max-memory", "--timeout", "--threads"])
@pytest.mark.parametrize("value", ["1", "0.5", "1024"])
def test_small_limits_end_in_a_verdict_or_a_diagnostic(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in LIMITS:
        status = run([*command, option, value])
        _, err = capsys.readouterr()
        assert status in (0, 1, 2, 3) and "internal" not in err, f"{command[0]}: {err}"


@pytest.mark.parametrize(
    "arguments",
    [
        ["-D", f"N={'9' * 5_000}"],
        ["-D", f"N={'9' * 30}"],
        ["-D", f"N=1..{'9' * 30}"],
        ["-D", f"N={'9' * 5_000}..1"],
        ["-D", "N=-1..999999999"],
        ["--processes", f"Q()={'9' * 30}"],
        ["--processes", f"Q()={'9' * 5_000}..inf"],
        ["9" * 5_000],
        ["0"],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_numbers_in_texts(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "model.csp", *arguments]) == 2
    _, err = capsys.readouterr()
    assert "error[" in err and "internal" not in err and "Traceback" not in err


@pytest.mark.parametrize("size", ["9" * 20 + "T", "9" * 400 + "G", "5000000T", "5000000000000000M"])
def test_sizes_beyond_all_machines(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--max-memory", size], ["--disk", ".", "--disk-limit", size]):
        assert run(["check", "model.csp", *option]) == 2
        assert "at most 4,000,000T" in capsys.readouterr().err


# ---------------------------------------------------------------- the same in Python

WRONG: dict[str, Callable[[], Any]] = {
    "states": lambda: fairlead.Limits(max_states=10**30),
    "negative states": lambda: fairlead.Limits(max_states=-1),
    "memory": lambda: fairlead.Limits(max_memory=10**30),
    "digits": lambda: fairlead.Limits(max_memory=10**5_000),
    "disk": lambda: fairlead.Limits(disk_limit=-1),
    "threads": lambda: fairlead.Limits(threads=5_000),
    "no threads": lambda: fairlead.Limits(threads=0),
    "nan": lambda: fairlead.Limits(timeout=math.nan),
    "infinite": lambda: fairlead.Limits(timeout=math.inf),
    "negative time": lambda: fairlead.Limits(timeout=-1),
    "size": lambda: fairlead.loads(MODEL).check(ASKED, max_memory="9" * 400 + "T"),
    "seed": lambda: fairlead.loads(MODEL).check(ASKED, seed=10**30),
    "cutoff": lambda: fairlead.loads(MODEL).check("Many() deadlockfree", counters=True, cutoff=10**30),
    "constant": lambda: fairlead.loads(MODEL, definitions={"N": 10**5_000}),
    "processes": lambda: fairlead.loads(MODEL, processes={"Q()": 10**5_000}),
    "alternatives": lambda: fairlead.loads(MODEL).advise(ASKED, alternatives=10**30),
}


@pytest.mark.parametrize("name", WRONG)
def test_arguments_out_of_range(name: str) -> None:
    with pytest.raises(FairleadError) as caught:
        WRONG[name]()
    assert caught.value.diagnostics[0].message


def test_more_threads_than_cores_can_serve_are_not_started() -> None:
    assert fairlead.Limits(threads=1000).workers == min(1000, 4 * available_cores())
    assert fairlead.Limits(threads=1).workers == 1
