"""Options for large systems: threads, disk, checkpoints, reductions; what they refuse, and what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairlead.cli.main import run
from fairlead.engine import _native

HOLDS, VIOLATED, WRONG, UNKNOWN = 0, 1, 2, 3
MODEL = """
var x:{0..300};
P() = [x < 300] up{x = x + 1;} -> P() [] [x > 0] down{x = x - 1;} -> P();
Q() = a -> b -> Q();
System() = P() ||| Q();
#define far x == 250;
#assert System() deadlockfree;
#assert System() reaches far;
#assert System() |= []<> up;
"""
LINUX = pytest.mark.skipif(not _native.DISK_IS_OFFERED, reason="states on disk need Linux")


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "m.csp"
    path.write_text(MODEL)
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status of a check, and what it writes."""
    status = run(["check", *arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert "internal" not in err
    return status, out, err


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit status of a check, and its results without what varies."""
    status, out, _ = told(capsys, *arguments, "--json")
    found = list(json.loads(out)["results"])
    for result in found:
        del result["seconds"], result["memory_bytes"]
    return status, found


# ---------------------------------------------------------------- refused before anything is done

REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "no threads": (("--threads", "0"), "--threads"),
    "fewer threads": (("--threads", "-2"), "--threads"),
    "threads in words": (("--threads", "two"), "--threads"),
    "half a thread": (("--threads", "1.5"), "--threads"),
    "a limit without a disk": (("1", "--disk-limit", "1G"), "--disk-limit is for --disk"),
    "times without a file": (("1", "--checkpoint-every", "5"), "--checkpoint-every is for --checkpoint"),
    "times to continue": (("1", "--resume", "m", "--checkpoint-every", "5"), "is for --checkpoint"),
    "endless time": (("1", "--checkpoint", "m", "--checkpoint-every", "inf"), "a number of seconds"),
    "no time": (("1", "--checkpoint", "m", "--checkpoint-every", "nan"), "a number of seconds"),
    "time backwards": (("1", "--checkpoint", "m", "--checkpoint-every", "-1"), "--checkpoint-every"),
    "several questions": (("--checkpoint", "{}/saved"), "are for one question, not 3"),
    "several notions": (("3", "--fairness", "ewf,esf", "--checkpoint", "{}/saved"), "one question, not 2"),
    "nothing to continue from": (("1", "--resume", "{}/missing"), "No such file"),
    "a folder to continue from": (("1", "--resume", "{}"), "cannot read"),
    "a folder to save to": (("1", "--checkpoint", "{}"), "it is a folder"),
    "no folder to save in": (("1", "--checkpoint", "{}/no/where"), "cannot write"),
    "the model to continue from": (("1", "--resume", "{}/m.csp"), "it is not a checkpoint"),
    "an unknown reduction": (("1", "--reduction", "magic"), "--reduction"),
    "a reduction and a checkpoint": (
        ("1", "--reduction", "por", "--checkpoint", "{}/saved"),
        "--reduction and --checkpoint cannot be used together",
    ),
    "a reduction to continue with": (
        ("1", "--reduction", "symmetry", "--resume", "{}/saved"),
        "--reduction and --resume cannot be used together",
    ),
    "two reductions": (
        ("1", "--reduction", "por", "--counters"),
        "--reduction and --counters cannot be used together",
    ),
    "a checkpoint of parts": (("1", "--compositional", "--checkpoint", "{}/saved"), "for whole systems"),
    "a checkpoint of counters": (("1", "--counters", "--checkpoint", "{}/saved"), "for whole systems"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, words = REFUSED[name]
    given = [argument.format(tmp_path) for argument in arguments]
    status, out, err = told(capsys, model, *given)
    assert status == WRONG
    assert words in err
    assert out == ""
    assert [file.name for file in tmp_path.iterdir()] == ["m.csp"]


DISK_REFUSED = {
    "no folder": (("--disk", "{}/missing"), "no file can be made in"),
    "a file": (("--disk", "{}/m.csp"), "no file can be made in"),
    "no size": (("--disk", "{}", "--disk-limit", "much"), "--disk-limit much: expected a size such as 500M"),
    "less than nothing": (("--disk", "{}", "--disk-limit", "-5M"), "expected a size"),
}


@LINUX
@pytest.mark.parametrize("name", DISK_REFUSED)
def test_disk_refused(name: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, words = DISK_REFUSED[name]
    given = [argument.format(tmp_path) for argument in arguments]
    status, out, err = told(capsys, model, *given)
    assert (status, out) == (WRONG, "")
    assert words in err


# ---------------------------------------------------------------- the same answers


@pytest.mark.parametrize("question", ["1", "2", "3"])
def test_threads(question: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    alone = answer(capsys, model, question, "--threads", "1")
    assert answer(capsys, model, question, "--threads", "3") == alone
    assert answer(capsys, model, question) == alone


@LINUX
@pytest.mark.parametrize("question", ["1", "2", "3"])
def test_disk(question: str, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = answer(capsys, model, question)
    found = answer(capsys, model, question, "--max-memory", "1M", "--disk", str(tmp_path))
    assert found == expected
    assert [file.name for file in tmp_path.iterdir()] == ["m.csp"]


@LINUX
def test_a_disk_that_is_full(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--max-memory", "1M", "--disk", str(tmp_path), "--disk-limit", "0")
    status, out, _ = told(capsys, model, "1", *options)
    assert status == UNKNOWN
    assert "(disk-limit reached while " in out


@pytest.mark.parametrize(("question", "expected"), [("1", HOLDS), ("2", HOLDS), ("3", VIOLATED)])
def test_stopped_and_resumed(
    question: str, expected: int, model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = str(tmp_path / "saved")
    whole = answer(capsys, model, question, "--checkpoint", saved)
    assert whole[0] == expected
    Path(saved).unlink(missing_ok=True)
    status, _, err = told(capsys, model, question, "--checkpoint", saved, "--max-states", "100")
    assert status == UNKNOWN
    assert f"continue with: --resume {saved}" in err
    assert answer(capsys, model, question, "--resume", saved) == whole


def test_a_checkpoint_of_another_model(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved"
    told(capsys, model, "1", "--checkpoint", str(saved), "--max-states", "100")
    before = saved.read_bytes()
    Path(model).write_text(MODEL.replace("a -> b", "b -> a"))
    status, out, err = told(capsys, model, "1", "--resume", str(saved), "--checkpoint", str(saved))
    assert (status, out) == (WRONG, "")
    assert "error[checkpoint]: " in err
    assert "it is of another model" in err
    assert saved.read_bytes() == before


def test_a_checkpoint_for_another_kind_of_question(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = str(tmp_path / "saved")
    told(capsys, model, "1", "--checkpoint", saved, "--max-states", "100")
    status, out, _ = told(capsys, model, "3", "--resume", saved, "--json")
    assert status == WRONG
    (problem,) = json.loads(out)["errors"]
    assert problem["code"] == "checkpoint"
    assert "another kind of question" in problem["message"]


def test_quiet_says_nothing_of_checkpoints(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--checkpoint", str(tmp_path / "saved"), "--max-states", "100", "--quiet")
    status, _, err = told(capsys, model, "1", *options)
    assert (status, err) == (UNKNOWN, "")


@pytest.mark.parametrize("reduction", ["none", "por", "symmetry"])
def test_reductions_keep_the_verdicts(reduction: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = answer(capsys, model, "--reduction", reduction)
    assert status == VIOLATED
    assert [result["verdict"] for result in found] == ["holds", "holds", "violated"]
