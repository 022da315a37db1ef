"""How what is compared takes turns, what counts, and which disagreements are seen."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.measuring import (
    Case,
    Entrant,
    Measurement,
    Ratio,
    Rules,
    Session,
    cut_off,
    disagreements,
    fastest,
    ratio,
    total_bytes,
)
from bench.programs import RunError, TooLong, execute
from tests.support.bench.made_up import random_measurement, took


@dataclass(frozen=True)
class Played:
    """An entrant that plays back what it is given."""

    label: str
    extra_states: int = 0
    once: bool = False


class Script:
    """Runs that are known beforehand; an exception among them is raised."""

    def __init__(self, label: str, runs: list[Measurement | RunError], diary: list[str]) -> None:
        self.label, self.runs, self.diary = label, iter(runs), diary

    def run(self) -> Measurement:
        self.diary.append(self.label)
        found = next(self.runs)
        if isinstance(found, RunError):
            raise found
        return found


Play = Callable[..., tuple[dict[str, Measurement], tuple[str, ...], list[str]]]


@pytest.fixture
def play() -> Play:
    def playing(
        scripts: dict[str, list[Measurement | RunError]],
        rules: Rules | None = None,
        once: frozenset[str] = frozenset(),
    ) -> tuple[dict[str, Measurement], tuple[str, ...], list[str]]:
        diary: list[str] = []

        def prepare(entrant: Entrant, folder: Path) -> Script:
            assert folder.is_dir() and not list(folder.iterdir())
            return Script(entrant.label, scripts[entrant.label], diary)

        entrants = tuple(Played(label, once=label in once) for label in scripts)
        found = Session(prepare, rules or Rules()).measure(Case("part", "dp", "3", "reach", entrants))
        assert found.name == "dp3-reach"
        return dict(found.measured), found.problems, diary

    return playing


def test_they_take_turns_and_the_best_counts(play: Play) -> None:
    measured, problems, diary = play(
        {"a": [took(3.0), took(1.0), took(2.0)], "b": [took(5.0), took(6.0), took(4.0)]}
    )
    assert diary == ["a", "b"] * 3
    assert (measured["a"].seconds, measured["b"].seconds, problems) == (1.0, 4.0, ())


def test_least_times_and_most_memory() -> None:
    chance = random.Random(7)
    for _ in range(300):
        runs = [random_measurement(chance) for _ in range(chance.randint(1, 5))]
        best: Measurement | None = None
        for run in runs:
            best = fastest(best, run)
        assert best is not None
        for field in ("seconds", "command_seconds", "cpu_seconds"):
            assert getattr(best, field) == min(getattr(run, field) for run in runs)
        for field in ("total_bytes", "peak_bytes"):
            assert getattr(best, field) == max(getattr(run, field) for run in runs)


def test_a_run_that_is_too_long_is_a_bound_and_not_repeated(play: Play) -> None:
    measured, problems, diary = play({"a": [TooLong("long")], "b": [took(1.0)] * 3}, Rules(timeout=40.0))
    assert measured["a"] == cut_off(40.0) and measured["a"].unfinished
    assert diary == ["a", "b", "b", "b"] and problems == ()


def test_long_runs_and_those_that_need_it_only_once(play: Play) -> None:
    _, _, diary = play(
        {"slow": [took(70.0)], "quick": [took(1.0)] * 3, "memory": [took(1.0)]}, once=frozenset({"memory"})
    )
    assert diary == ["slow", "quick", "memory", "quick", "quick"]


def test_a_failure_is_told_and_spoils_what_was_measured(play: Play) -> None:
    measured, problems, diary = play({"a": [took(1.0), RunError("broken")], "b": [took(1.0)] * 3})
    assert set(measured) == {"b"} and problems == ("a: broken",) and diary.count("a") == 2


def test_what_cannot_be_made_ready() -> None:
    def prepare(entrant: Entrant, folder: Path) -> Script | None:
        if entrant.label == "none":
            return None
        raise RunError("no compiler")

    found = Session(prepare).measure(Case("p", "s", "1", "k", (Played("none"), Played("bad"))))
    assert found.measured == {} and found.problems == ("bad: no compiler",)


def _case(expected: dict[str, str] | None = None, extra: int = 0) -> Case:
    both = (Played("a", extra), Played("b"))
    return Case("p", "s", "1", "k", both, expected or {}, frozenset({"a", "b"}))


def test_disagreements() -> None:
    same = {"a": took(1.0), "b": took(2.0)}
    assert disagreements(_case(), same) == []
    other = {"a": took(1.0), "b": took(2.0, states=999)}
    assert disagreements(_case(), other) == ["states differ: a 1,000, b 999"]
    moved = {"a": took(1.0, states=1007), "b": took(1.0, transitions=1)}
    assert disagreements(_case(extra=7), moved) == []  # transitions into extra states are not known
    fewer = {"a": took(1.0), "b": took(1.0, transitions=4999)}
    assert disagreements(_case(), fewer) == ["transitions differ: a 5,000, b 4,999"]
    assert disagreements(_case(), {"a": took(1.0), "b": cut_off(9.0)}) == []
    wrong = disagreements(_case({"a": "violated"}), same)
    assert wrong == ["a: the verdict is holds, not violated"]


def test_ratios_and_bounds() -> None:
    assert ratio(took(6.0), took(2.0)) == Ratio(3.0)
    assert ratio(cut_off(60.0), took(2.0)) == Ratio(30.0, at_least=True)
    assert ratio(took(6.0), cut_off(60.0)) is None
    assert ratio(None, took(1.0)) is None
    assert ratio(took(1.0, total_bytes=0), took(1.0), total_bytes) is None
    shown = [str(Ratio(value)) for value in (0.123, 3.14159, 42.42, 12345.6)]
    assert shown == ["0.12", "3.14", "42.4", "12,346"]
    assert str(Ratio(30.0, at_least=True)) == "> 30.0"
    assert math.isfinite(ratio(took(1.0), took(0.0)).value)  # type: ignore[union-attr]


def test_programs_are_measured_and_stopped(tmp_path: Path) -> None:
    done = execute(["sh", "-c", "echo out; echo err >&2; exit 3"], tmp_path, 60.0)
    assert (done.stdout, done.stderr, done.code) == ("out\n", "err\n", 3)
    assert done.peak_bytes > 0 and done.wall_seconds > 0
    with pytest.raises(TooLong):
        execute(["sleep", "60"], tmp_path, 0.05)
    with pytest.raises(RunError, match="cannot run no-such-program"):
        execute(["no-such-program"], tmp_path, 1.0)
