"""States on disk: with little memory, verdicts, counts and evidence are those with much."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import FairleadError
from fairlead.engine import _native
from fairlead.logic.fairness.notions import Fairness
from fairlead.search.disk import engine_context
from tests.support.asking.answers import PHILOSOPHERS, answers, on_examples, random_texts, wake_threads_early
from tests.support.sampling import some

pytestmark = pytest.mark.skipif(not _native.DISK_IS_OFFERED, reason="states on disk need Linux")

NOTIONS = (Fairness.NONE, Fairness.PROCESS_STRONG)
#: blocks have 1 MB and more: all of them are on disk from the start, or some are and some move there
BUDGETS = (1 << 20, 5 << 20, 9 << 20, 14 << 20)
eager = pytest.fixture(autouse=True)(wake_threads_early)


#: some random models have no end
MANY = 5_000


def with_disk(folder: Path, budget: int, threads: int, limit: int | None = None) -> fairlead.Limits:
    return fairlead.Limits(max_memory=budget, threads=threads, disk=str(folder), disk_limit=limit)


@on_examples
@pytest.mark.parametrize("threads", [1, 3])
def test_examples(path: Path, threads: int, tmp_path: Path) -> None:
    expected = answers(fairlead.load(path), NOTIONS, fairlead.Limits(threads=1))
    assert expected
    for budget in BUDGETS:
        assert answers(fairlead.load(path), NOTIONS, with_disk(tmp_path, budget, threads)) == expected
    assert list(tmp_path.iterdir()) == []


def compare_random_models(seeds: range, folder: Path) -> None:
    asked = 0
    for seed, text in random_texts(seeds):
        expected = answers(fairlead.loads(text), NOTIONS, fairlead.Limits(MANY, threads=1))
        asked += len(expected)
        limits = replace(with_disk(folder, BUDGETS[seed // 4 % len(BUDGETS)], 1 + seed % 3), max_states=MANY)
        assert answers(fairlead.loads(text), NOTIONS, limits) == expected, (seed, text)
    assert asked


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int, tmp_path: Path) -> None:
    compare_random_models(some(range(31_000 + chunk, 31_060, 4)), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_random_models(chunk: int, tmp_path: Path) -> None:
    compare_random_models(range(32_000 + chunk, 34_000, 10), tmp_path)


#: with so little memory, blocks of states move to disk while the table grows, and then the table itself
QUESTIONS = {
    "states": ("System() reaches eatsWithoutForks", "none"),
    "transitions": ("System() |= []<> eating0", "sgf"),
}


@pytest.mark.parametrize("budget", [2 << 20, 6 << 20, 20 << 20])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", QUESTIONS)
def test_blocks_move(name: str, threads: int, budget: int, tmp_path: Path) -> None:
    question, notion = QUESTIONS[name]
    model = fairlead.load(PHILOSOPHERS, {"N": 10 if name == "states" else 8})
    expected = model.check(question, notion)
    limits = with_disk(tmp_path, budget, threads)
    found = model.check(question, notion, limits=limits)
    assert found.verdict is expected.verdict
    assert found.statistics.states == expected.statistics.states
    assert found.statistics.transitions == expected.statistics.transitions
    assert found.statistics.memory_bytes <= budget


# ---------------------------------------------------------------- limits and trouble


def test_without_a_disk_the_search_stops(tmp_path: Path) -> None:
    model = fairlead.load(PHILOSOPHERS, {"N": 10})
    question = "System() reaches eatsWithoutForks"
    stopped = model.check(question, limits=fairlead.Limits(max_memory=3 << 20))
    assert (stopped.verdict, stopped.reason) == (fairlead.Verdict.UNKNOWN, "max-memory")
    assert model.check(question, limits=with_disk(tmp_path, 3 << 20, 1)).verdict is fairlead.Verdict.VIOLATED


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("room", [0, 1 << 20, 5 << 20])
def test_a_full_disk(room: int, threads: int, tmp_path: Path) -> None:
    model = fairlead.load(PHILOSOPHERS, {"N": 11})
    limits = with_disk(tmp_path, 4 << 20, threads, limit=room)
    for _ in range(2):  # what was stopped leaves nothing behind
        result = model.check("System() reaches eatsWithoutForks", limits=limits)
        assert (result.verdict, result.reason) == (fairlead.Verdict.UNKNOWN, "disk-limit")


SMALL_FILES = """
import resource, sys
import fairlead
resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 20, 3 << 20))
model = fairlead.load(sys.argv[1], {"N": 11})
limits = fairlead.Limits(max_memory=4 << 20, disk=sys.argv[2])
result = model.check("System() reaches eatsWithoutForks", limits=limits)
print(result.verdict.value, result.reason)
"""


def test_a_system_that_refuses_to_write_more(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    command = [sys.executable, "-c", SMALL_FILES, str(PHILOSOPHERS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["unknown", "disk-limit"]


@pytest.mark.parametrize("folder", ["missing", "file"])
def test_a_folder_that_cannot_be_used(folder: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FairleadError, match="no file can be made"):
        engine_context(with_disk(tmp_path / folder, 1 << 20, 1), 2)


RESIDENT = """
import sys
import fairlead
model = fairlead.load(sys.argv[1], {"N": 12})
question = "System() reaches eatsWithoutForks"
model.check(question, limits=fairlead.Limits(max_states=100))
def resident():
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(fields["VmHWM"].split()[0]) << 10
before = resident()
limits = fairlead.Limits(max_memory=16 << 20, threads=1, disk=sys.argv[2])
print(model.check(question, limits=limits).verdict.value, resident() - before)
"""


def test_what_is_resident_stays_near_the_budget(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RESIDENT, str(PHILOSOPHERS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    verdict, grown = done.stdout.split()
    assert verdict == "violated"
    assert int(grown) < 48 << 20
