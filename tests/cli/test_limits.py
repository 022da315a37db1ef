"""Limits and interruption: an unknown verdict, what was covered, a process that stays within bounds."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run
from tests.support.places import ROOT

PHILOSOPHERS = ROOT / "bench" / "models" / "dp.csp"
UNKNOWN, INTERRUPTED = 3, 130
#: what the interpreter, the libraries and the engine's tables need besides the states
BASE_MEMORY = 90 << 20

INFINITE = {
    "variable": "var x; P() = [x >= 0] a{x = x + 1;} -> P();",
    "parameter": "P() = Q(0); Q(n) = a -> Q(n + 1);",
    "processes": "P() = a -> (P() ||| b -> Skip);",
    "continuations": "P() = a -> P(); b -> Skip;",
}
QUESTIONS = ("P() deadlockfree", "P() |= []<> a", "P() |= [] a")


def write(text: str, folder: Path) -> str:
    path = folder / "m.csp"
    path.write_text(text, encoding="utf-8")
    return str(path)


def results(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    out, _ = capsys.readouterr()
    return list(json.loads(out)["results"])


# ---------------------------------------------------------------- systems without end


@pytest.mark.parametrize("name", INFINITE)
@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_max_states(name: str, question: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INFINITE[name], tmp_path)
    assert run(["check", path, question, "--max-states", "300", "--json"]) == UNKNOWN
    (result,) = results(capsys)
    assert (result["verdict"], result["reason"]) == ("unknown", "max-states")
    assert 300 <= result["states"] <= 2000
    assert result["transitions"] >= result["states"] // 2
    assert result["evidence"] is None


@pytest.mark.parametrize("name", INFINITE)
@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_timeout(name: str, question: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INFINITE[name], tmp_path)
    assert run(["check", path, question, "--timeout", "0.3", "--json"]) == UNKNOWN
    (result,) = results(capsys)
    assert (result["verdict"], result["reason"]) == ("unknown", "timeout")
    assert result["phase"] in {"exploring", "diving", "searching for a fair cycle"}


@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_max_memory(question: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INFINITE["variable"], tmp_path)
    options = ["--max-memory", "20M", "--reduction", "none", "--json"]
    assert run(["check", path, question, *options]) == UNKNOWN
    (result,) = results(capsys)
    assert (result["verdict"], result["reason"]) == ("unknown", "max-memory")
    assert result["states"] > 10_000
    assert result["memory_bytes"] <= 20 << 20


def test_many_local_states_take_linear_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A process that counts in a parameter has a local state for each value (DESIGN.md, section 3)."""
    path = write(INFINITE["parameter"], tmp_path)
    seconds = []
    options = ["--reduction", "none", "--json"]
    for bound in ("10000", "80000"):
        times = []
        for _ in range(3):  # the best of three, since other work on the machine takes time as well
            assert run(["check", path, "P() deadlockfree", "--max-states", bound, *options]) == UNKNOWN
            times.append(results(capsys)[0]["seconds"])
        seconds.append(min(times))
    factor = seconds[1] / max(seconds[0], 0.02)
    assert factor < 24, f"8 times the states took {factor:.0f} times the time"


def test_local_states_count_as_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INFINITE["parameter"], tmp_path)
    arguments = ["--max-memory", "8M", "--timeout", "15", "--json"]
    assert run(["check", path, "P() deadlockfree", *arguments]) == UNKNOWN
    assert results(capsys)[0]["reason"] == "max-memory"


@pytest.mark.parametrize("size", ["1", "1K", "100K"])
@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_too_little_memory_to_begin(
    size: str, question: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(INFINITE["variable"], tmp_path)
    assert run(["check", path, question, "--max-memory", size]) == UNKNOWN
    out, err = capsys.readouterr()
    assert "max-memory" in out + err
    assert "internal" not in err


def test_too_little_memory_for_a_listed_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.aut"
    path.write_text('des (0, 1, 100000000)\n(0, "a", 0)\n', encoding="utf-8")
    assert run(["check", str(path), "--ltl", "[] a", "--max-memory", "1M"]) == UNKNOWN
    out, err = capsys.readouterr()
    assert "max-memory" in out + err
    assert "internal" not in err


# ---------------------------------------------------------------- what is known in spite of a limit


def test_a_violation_found_before_the_limit_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("var x; P() = a{x = x + 1;} -> P() [] [x == 3] b -> Stop; #define big x > 5;", tmp_path)
    assert run(["check", path, "P() deadlockfree", "--max-states", "1000", "--json"]) == 1
    (result,) = results(capsys)
    assert [step["event"] for step in result["evidence"]["stem"]] == ["a", "a", "a", "b"]
    assert run(["check", path, "P() reaches big", "--max-states", "1000"]) == 0
    assert run(["check", path, "P() |= [] !b", "--max-states", "1000"]) == 1


def test_a_system_of_just_that_many_states_is_no_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("var x:{0..1999}; P() = a{x = (x + 1) % 2000;} -> P();", tmp_path)
    for question in QUESTIONS[:2]:
        assert run(["check", path, question, "--max-states", "2000"]) == 0, question
        assert run(["check", path, question, "--max-states", "1999"]) == UNKNOWN, question


def test_a_larger_limit_afterwards_answers(tmp_path: Path) -> None:
    import fairlead
    from fairlead.outcome.limits import Limits

    model = fairlead.loads("var x:{0..1999}; P() = a{x = (x + 1) % 2000;} -> P();")
    for question in QUESTIONS[:2]:
        assert model.check(question, limits=Limits(max_states=100)).verdict is fairlead.Verdict.UNKNOWN
        assert model.check(question, limits=Limits(max_states=5000)).verdict is fairlead.Verdict.HOLDS
        assert model.check(question, limits=Limits(max_states=100)).verdict is fairlead.Verdict.UNKNOWN


def test_the_text_says_what_was_reached(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INFINITE["variable"], tmp_path)
    assert run(["check", path, *QUESTIONS[:2], "--max-states", "1000"]) == UNKNOWN
    out, err = capsys.readouterr()
    assert out.count("unknown ") == 2
    assert out.count("(max-states reached while exploring)") == 2
    assert err == ""


@pytest.mark.parametrize("option", [("--max-states", "100"), ("--timeout", "0.2"), ("--max-memory", "5M")])
def test_graph(option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(INFINITE["variable"], tmp_path)
    assert run(["graph", path, *option]) == UNKNOWN
    out, err = capsys.readouterr()
    assert out == ""
    assert "error[limit]" in err
    assert f"{option[0][2:]} reached" in err


# ---------------------------------------------------------------- a process of its own


@contextlib.contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command that works while the test does; whatever happens, it does not outlive it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "fairlead", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=30)


@pytest.mark.parametrize(
    ("question", "fairness"),
    [
        ("System() reaches eatsWithoutForks", "none"),
        ("System() |= []<> eating0", "esf"),
        ("System() refines<FD> System()", "none"),
    ],
)
def test_interrupt(question: str, fairness: str) -> None:
    options = ("-D", "N=24", "--fairness", fairness, "--max-memory", "3G", "--reduction", "none")
    with started("check", str(PHILOSOPHERS), question, *options) as process:
        time.sleep(1.5)
        assert process.poll() is None, process.communicate()
        out, err = interrupt(process)
    assert process.returncode == INTERRUPTED
    assert "interrupted" in err
    assert "Traceback" not in out + err


def test_interrupt_while_python_elaborates(tmp_path: Path) -> None:
    path = write("P() = a -> (P() ||| P());\n#assert P() deadlockfree;", tmp_path)
    with started("check", path) as process:
        time.sleep(1.2)
        out, err = interrupt(process)
    assert process.returncode == INTERRUPTED, err
    assert "Traceback" not in out + err


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("question", ["System() reaches eatsWithoutForks", "System() |= []<> eating0"])
def test_memory_of_the_process(question: str) -> None:
    bound = 150 << 20
    options = ("-D", "N=24", "--fairness", "esf", "--max-memory", str(bound), "--reduction", "none")
    peak = 0
    with started("check", str(PHILOSOPHERS), question, *options) as process:
        while process.poll() is None:
            peak = max(peak, peak_memory(process.pid))
            time.sleep(0.05)
        out, err = process.communicate()
    assert process.returncode == UNKNOWN, out + err
    assert "(max-memory reached while " in out
    assert peak < bound * 1.1 + BASE_MEMORY
    assert peak > bound // 4, "stopped long before the bound"


def peak_memory(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return max((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), default=0)
