"""Checkpoints: a check that was stopped, again and again, and resumed gives what one without a break does."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.logic.fairness.notions import Fairness
from fairlead.search.checkpoint import Checkpoints
from tests.support.asking.answers import (
    PHILOSOPHERS,
    on_examples,
    random_texts,
    wake_threads_early,
    what_stays,
)
from tests.support.asking.checkpointed import GROWING, QUESTION, SMALL, refusal
from tests.support.examples.loading import find_example
from tests.support.sampling import some

NOTIONS = (Fairness.NONE, Fairness.PROCESS_STRONG)
#: some random models have no end
MANY = 3_000
eager = pytest.fixture(autouse=True)(wake_threads_early)


class Stopping:
    """Stops checks of a model at random, and continues from what was saved."""

    def __init__(self, load: Any, folder: Path, seed: int) -> None:
        self._load = load
        self._file = folder / "checkpoint"
        self._random = random.Random(seed)
        self.stops = 0

    def compare(self) -> int:
        """Compares all answers; how many there are."""
        compared = 0
        model = self._load()
        for number, question in enumerate(model.assertions):
            for notion in model.notions_for(question, NOTIONS):
                self._file.unlink(missing_ok=True)
                expected = self._once(number, notion, MANY)
                if isinstance(expected, dict) and expected["verdict"] == "unknown":
                    continue
                assert self._resumed(number, notion) == expected, question.text
                if isinstance(expected, dict):
                    plain = model.check(question, notion, limits=fairlead.Limits(MANY))
                    assert plain.verdict.value in (expected["verdict"], "unknown")
                compared += 1
        return compared

    def _resumed(self, number: int, notion: Fairness) -> Any:
        states = 0
        for _ in range(3):
            states += self._random.choice((1, 2, 5, 30, 200))
            found = self._once(number, notion, states)
            if not isinstance(found, dict) or found["verdict"] != "unknown":
                return found
            assert self._file.exists()
            self.stops += 1
        return self._once(number, notion, MANY)

    def _once(self, number: int, notion: Fairness, states: int) -> Any:
        model = self._load()
        limits = fairlead.Limits(states, threads=self._random.choice((1, 3)))
        resumed = str(self._file) if self._file.exists() else None
        how = Checkpoints(str(self._file), resumed)
        question = model.assertions[number]
        return what_stays(lambda: model.check(question, notion, limits=limits, checkpoints=how))


@on_examples
def test_examples(path: Path, tmp_path: Path) -> None:
    for seed in range(2):
        stopping = Stopping(lambda: fairlead.load(path), tmp_path, seed)
        assert stopping.compare()
        assert stopping.stops


def compare_random_models(seeds: range, folder: Path) -> None:
    compared = stops = 0
    for seed, text in random_texts(seeds):
        stopping = Stopping(lambda text=text: fairlead.loads(text), folder, seed)
        compared += stopping.compare()
        stops += stopping.stops
    assert compared and stops


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int, tmp_path: Path) -> None:
    compare_random_models(some(range(41_000 + chunk, 41_060, 4)), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_random_models(chunk: int, tmp_path: Path) -> None:
    compare_random_models(range(42_000 + chunk, 43_000, 10), tmp_path)


@pytest.mark.parametrize("name", GROWING)
@pytest.mark.parametrize("seed", range(4))
def test_tables_that_grow(name: str, seed: int, tmp_path: Path) -> None:
    stopping = Stopping(lambda: fairlead.loads(GROWING[name]), tmp_path, seed)
    stopping.compare()


# ---------------------------------------------------------------- stopped from outside


class Enough(Exception):
    """Raised by a reporter to stop a check."""


@pytest.mark.parametrize(
    "question",
    ["System() reaches eatsWithoutForks", "System() |= []<> eating0"],
    ids=["states", "transitions"],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_stopped_in_the_middle_of_a_batch(question: str, threads: int, tmp_path: Path) -> None:
    def model() -> fairlead.Model:
        return fairlead.load(PHILOSOPHERS, {"N": 11 if "reaches" in question else 10})

    def stop(progress: fairlead.Progress) -> None:
        if progress.states > 20_000:
            raise Enough

    file, limits = str(tmp_path / "checkpoint"), fairlead.Limits(threads=threads)
    expected = model().check(question, "pwf", limits=limits, reduction="none")
    with pytest.raises(Enough):
        model().check(question, "pwf", limits=limits, checkpoints=Checkpoints(file), reporter=stop)
    limits = fairlead.Limits(threads=threads, max_memory=4 << 20, disk=str(tmp_path))
    found = model().check(question, "pwf", limits=limits, checkpoints=Checkpoints(None, file))
    assert found.verdict is expected.verdict
    if "reaches" in question:
        assert found.statistics.states == expected.statistics.states
        assert found.statistics.transitions == expected.statistics.transitions


@pytest.mark.parametrize("budget", [2 << 20, 3 << 20, 5 << 20, 8 << 20])
@pytest.mark.parametrize("threads", [1, 3])
def test_stopped_by_a_limit_of_memory(threads: int, budget: int, tmp_path: Path) -> None:
    question, file = "System() reaches eatsWithoutForks", tmp_path / "checkpoint"
    expected = fairlead.load(PHILOSOPHERS, {"N": 11}).check(question, reduction="none")
    limits = fairlead.Limits(max_memory=budget, threads=threads)
    model = fairlead.load(PHILOSOPHERS, {"N": 11})
    assert model.check(question, limits=limits, checkpoints=Checkpoints(str(file))).reason == "max-memory"
    if not file.exists():
        return  # stopped before there was a graph, or while states were packed again
    found = fairlead.load(PHILOSOPHERS, {"N": 11}).check(question, checkpoints=Checkpoints(None, str(file)))
    assert found.statistics.states == expected.statistics.states
    assert found.statistics.transitions == expected.statistics.transitions


@pytest.mark.parametrize("budget", [22 << 20, 30 << 20])
def test_stopped_between_the_transitions_of_a_batch(budget: int, tmp_path: Path) -> None:
    question, file = "System() |= []<> eating0", tmp_path / "checkpoint"
    saving = Checkpoints(str(file))
    expected = fairlead.load(PHILOSOPHERS, {"N": 11}).check(question, "sgf", checkpoints=saving).to_json()
    limits = fairlead.Limits(max_memory=budget, threads=1)
    model = fairlead.load(PHILOSOPHERS, {"N": 11})
    assert model.check(question, "sgf", limits=limits, checkpoints=saving).reason == "max-memory"
    model = fairlead.load(PHILOSOPHERS, {"N": 11})
    found = model.check(question, "sgf", checkpoints=Checkpoints(None, str(file))).to_json()
    for varying in ("seconds", "memory_bytes"):
        del expected[varying], found[varying]
    assert found == expected


def command(*options: str) -> list[str]:
    question = "System() reaches eatsWithoutForks"
    start = "import sys; from fairlead.cli.main import run; sys.exit(run())"
    return [
        sys.executable,
        "-c",
        start,
        "check",
        str(PHILOSOPHERS),
        "-D",
        "N=12",
        question,
        "--json",
        *options,
    ]


def test_killed_while_writing(tmp_path: Path) -> None:
    """Whenever the process dies, the file is there and whole once it has been written for the first time."""
    file = tmp_path / "checkpoint"
    for delay in (0.0, 0.05, 0.1, 0.2):
        process = subprocess.Popen(
            command("--checkpoint", str(file), "--checkpoint-every", "0"), stdout=subprocess.DEVNULL
        )
        while not file.exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(delay)
        process.kill()
        process.wait()
        model = fairlead.load(PHILOSOPHERS, {"N": 12})
        limits = fairlead.Limits(max_states=1)  # reading is enough: what is read is whole
        result = model.check(
            "System() reaches eatsWithoutForks", limits=limits, checkpoints=Checkpoints(None, str(file))
        )
        assert result.reason in ("max-states", None)
        file.unlink()


def test_interrupted_from_the_keyboard(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    process = subprocess.Popen(
        command("--checkpoint", str(file)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode in (1, 130), err  # it may have been too late, or too early
    assert b"Traceback" not in err
    assert (b"--resume" in err) == file.exists()
    assert not (tmp_path / "checkpoint.tmp").exists()


# ---------------------------------------------------------------- files that are refused


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "checkpoint"
    model = fairlead.loads(SMALL)
    model.check(QUESTION, limits=fairlead.Limits(max_states=20), checkpoints=Checkpoints(str(file)))
    assert file.exists()
    return file


def test_another_model(saved: Path) -> None:
    assert "another model" in refusal(SMALL.replace("50", "51"), saved)
    assert "another model" in refusal(SMALL + "Q() = a -> Q();", saved)


def test_another_kind_of_question(saved: Path) -> None:
    assert "another kind of question" in refusal(SMALL, saved, "P() |= []<> up")


def test_every_damaged_byte_is_found(saved: Path) -> None:
    whole = saved.read_bytes()
    damaged = saved.with_name("damaged")
    places = random.Random(7).sample(range(len(whole)), 60)
    for place in (*places, 0, len(whole) - 1):
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        assert "cannot be resumed" in refusal(SMALL, damaged)
    for length in (0, 5, len(whole) // 3, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        damaged.write_bytes(whole[:length])
        assert "cannot be resumed" in refusal(SMALL, damaged)
    damaged.write_bytes(whole + b"\\0")
    assert "damaged" in refusal(SMALL, damaged)


def test_a_checkpoint_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    model = fairlead.loads(SMALL)
    folder = tmp_path / "folder"
    folder.mkdir()
    how = Checkpoints(str(folder / "checkpoint"))
    shutil.rmtree(folder)
    result = model.check(QUESTION, limits=fairlead.Limits(max_states=20), checkpoints=how)
    assert result.reason == "max-states"
    assert any("cannot write" in warning.message for warning in model.warnings)


def test_the_file_of_before_stays_until_the_new_one_is_whole(saved: Path) -> None:
    before = saved.read_bytes()
    Path(f"{saved}.tmp").mkdir()  # so that nothing can be written
    model = fairlead.loads(SMALL)
    model.check(QUESTION, limits=fairlead.Limits(max_states=5), checkpoints=Checkpoints(str(saved)))
    assert saved.read_bytes() == before


def test_what_was_looked_at_is_told_when_a_limit_ends_the_check(tmp_path: Path) -> None:
    model = fairlead.load(find_example("peterson.csp"), {"N": 3})
    limits = fairlead.Limits(max_states=100)
    checkpoints = Checkpoints(save=str(tmp_path / "checkpoint"))
    result = model.check("System() |= []<> cs.0", "pwf", limits=limits, checkpoints=checkpoints)
    assert result.verdict is fairlead.Verdict.UNKNOWN
    assert result.statistics.states >= 100
