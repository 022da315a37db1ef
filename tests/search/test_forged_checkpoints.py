"""Checkpoints that somebody altered: whatever they hold, they are refused or do no harm."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import Code, FairleadError
from fairlead.search.checkpoint import Checkpoints
from tests.support.asking.checkpointed import GROWING, QUESTION, SMALL, refusal
from tests.support.forging.checkpoints import Parts
from tests.support.forging.resume import main as resume_all

#: models whose checkpoints have something of everything in them: a text, a question, and how many states
MODELS = {
    "counter": ("csp", SMALL, QUESTION, 20),
    "transitions": ("csp", SMALL, "P() |= []<> up", 20),
    "choices": ("csp", GROWING["choices"], "P() deadlockfree", 3),
    "forks": ("csp", GROWING["forks"], "P() deadlockfree", 30),
    "parameters": ("csp", GROWING["parameters"], "S() deadlockfree", 40),
    "channels": ("csp", GROWING["channels"], "S() |= []<> got.3", 40),
    "containers": ("csp", GROWING["containers"], "S() deadlockfree", 40),
    "alphabets": (
        "csp",
        "var x = 0; P(i) = a.i{x = x + i;} -> (b -> Skip; P(1 - i))"
        " [] [x > 5] (reset{x = 0;} -> P(i) ||| c -> Skip);"
        "Q() = (b -> Q()) interrupt (d -> Q()); S() = (P(0) || Q()) \\ {b};"
        "#assert S() deadlockfree;",
        "S() deadlockfree",
        60,
    ),
    "priorities": (
        "lts",
        "P = (a -> b -> P | c -> a -> P). Q = (b -> d -> Q). ||S = (x:P || y:P || z:P || x:Q) >> {x.c}.",
        "S deadlockfree",
        10,
    ),
}


def saved_by(name: str, folder: Path) -> tuple[Path, str]:
    """A model in a folder, with a checkpoint; and the question that it was made for."""
    suffix, text, question, states = MODELS[name]
    model, file = folder / f"model.{suffix}", folder / "checkpoint"
    model.write_text(text)
    loaded = fairlead.load(model)
    loaded.check(question, limits=fairlead.Limits(states), checkpoints=Checkpoints(str(file)))
    assert file.exists()
    (folder / "question").write_text(json.dumps([question]))
    return file, question


def harm_done(folder: Path) -> list[str]:
    """What went wrong when the altered files of a folder were resumed."""
    done = subprocess.run(
        [sys.executable, "-m", resume_all.__module__, str(folder)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert len(answers) == len(list(folder.glob("*.forged"))), done.stderr
    harm = []
    for name, status, megabytes, text in answers:
        is_refused = status == 2 and text.startswith("error[checkpoint]: ")
        is_large = megabytes > 200 and "FAIRLEAD_PACKAGE" not in os.environ  # sanitizers take memory too
        if not (is_refused or status in (0, 1, 3)) or "internal" in text or is_large:
            harm.append(f"{name}: status {status}, {megabytes} MB: {text[:300]}")
    return harm


@pytest.mark.parametrize("name", MODELS)
def test_altered_files_do_no_harm(name: str, tmp_path: Path) -> None:
    file, _ = saved_by(name, tmp_path)
    whole = Parts.of(file)
    chance = random.Random(name)
    for number in range(60):
        whole.altered_facts(chance).write(tmp_path / f"facts{number}.forged")
        whole.altered_states(chance).write(tmp_path / f"states{number}.forged")
    assert not harm_done(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", MODELS)
def test_many_altered_files_do_no_harm(name: str, seed: int, tmp_path: Path) -> None:
    file, _ = saved_by(name, tmp_path)
    whole = Parts.of(file)
    chance = random.Random(f"{name} {seed}")
    for number in range(400):
        altered = whole
        for _ in range(chance.choice((1, 1, 1, 3))):
            altered = chance.choice((altered.altered_facts, altered.altered_states))(chance)
        altered.write(tmp_path / f"{number}.forged")
    assert not harm_done(tmp_path)


def test_every_number_of_the_header_is_tested(tmp_path: Path) -> None:
    file, _ = saved_by("transitions", tmp_path)
    whole = Parts.of(file)
    for at in range(0, 160, 8):
        for number, word in enumerate((0, 1 << 31, 1 << 40, (1 << 64) - 1, (1 << 64) - 2)):
            states = whole.states[:at] + word.to_bytes(8, "little") + whole.states[at + 8 :]
            Parts(whole.facts, states).write(tmp_path / f"{at}-{number}.forged")
    assert not harm_done(tmp_path)


def test_parts_put_together_again_are_what_they_were(tmp_path: Path) -> None:
    file, _ = saved_by("channels", tmp_path)
    before = file.read_bytes()
    Parts.of(file).write(file)
    assert file.read_bytes() == before


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return saved_by("counter", tmp_path)[0]


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"null", b"{", b"[" * 100_000, b'{"model": ' + b"9" * 5_000 + b"}", b"\xff", b"NaN"],
    ids=lambda text: text[:8].decode("latin-1"),
)
def test_facts_that_are_none(text: bytes, saved: Path) -> None:
    Parts.of(saved).write(saved, text)
    assert "cannot be resumed" in refusal(SMALL, saved)


def test_a_question_that_the_engine_does_not_ask(saved: Path) -> None:
    whole = Parts.of(saved)
    for question in ("text", "replay", "__init__", "_ask_again", 5, None):
        whole.with_facts(("journal", 0, 0), question).write(saved)
        assert "another model" in refusal(SMALL, saved)


# ---------------------------------------------------------------- the key


def test_a_file_of_somebody_else_is_refused(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(FairleadError) as caught:
        fairlead.loads(SMALL).check(QUESTION, checkpoints=Checkpoints(None, str(saved)))
    (problem,) = caught.value.diagnostics
    assert problem.code is Code.CHECKPOINT and "by another user" in problem.message
    assert problem.hint is not None and str(tmp_path / "elsewhere") in problem.hint


def test_a_file_signed_without_the_key_is_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, mark = Parts.of(saved), saved.read_bytes().split(b"\n")[1]
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("XDG_STATE_HOME", str(saved.parent / "forger"))
        whole.write(saved)
    lines = saved.read_bytes().split(b"\n", 2)
    saved.write_bytes(b"\n".join((lines[0], mark, lines[2])))
    assert "damaged" in refusal(SMALL, saved)


def test_the_key_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file, _ = saved_by("counter", tmp_path)
    key = tmp_path / "state" / "fairlead" / "signing.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in key.parent.iterdir()] == [key.name]
    for change, wanted in (
        (lambda: key.chmod(0o644), "must belong to you"),
        (lambda: (key.chmod(0o600), key.write_bytes(b"short")), "damaged"),
        (lambda: (key.unlink(), key.mkdir()), "Is a directory"),
    ):
        change()
        with pytest.raises(FairleadError) as caught:
            fairlead.loads(SMALL).check(QUESTION, checkpoints=Checkpoints(None, str(file)))
        (problem,) = caught.value.diagnostics
        assert problem.code is Code.FILE and wanted in problem.message


def test_without_a_key_nothing_is_saved_and_the_check_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    model = fairlead.loads(SMALL)
    how = Checkpoints(str(tmp_path / "checkpoint"))
    result = model.check(QUESTION, limits=fairlead.Limits(max_states=20), checkpoints=how)
    assert result.reason == "max-states"
    assert any("no key" in warning.message for warning in model.warnings)
    assert not (tmp_path / "checkpoint").exists()


def test_a_link_in_the_place_of_the_new_file_is_not_followed(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("of somebody")
    Path(f"{saved}.tmp").symlink_to(other)
    model = fairlead.loads(SMALL)
    model.check(QUESTION, limits=fairlead.Limits(max_states=5), checkpoints=Checkpoints(str(saved)))
    assert other.read_text() == "of somebody"
    assert Parts.of(saved).facts["model"]
