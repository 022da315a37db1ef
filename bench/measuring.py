"""Measurements, and how what is compared takes turns."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from bench.programs import RunError, TooLong


@dataclass(frozen=True)
class Measurement:
    """What one tool said and cost. An unfinished one ran into the time limit: its times are lower bounds."""

    verdict: str
    states: int
    transitions: int
    #: of the search: SPIN's `./pan`, fairlead's check as it reports it
    seconds: float
    #: of everything: with the start of Python, with making and compiling SPIN's verifier
    command_seconds: float
    #: of SPIN's `./pan`, and of fairlead's whole command
    cpu_seconds: float
    #: memory by the tool's own account: states, table, stack, transitions
    total_bytes: int
    #: the part of it that holds the states, where the tool tells
    state_bytes: int | None
    #: resident memory as the operating system saw it
    peak_bytes: int
    unfinished: bool = False


class Runner(Protocol):
    """One tool that is ready to run."""

    def run(self) -> Measurement: ...


class Entrant(Protocol):
    """One tool, or one way to use it, on one question."""

    @property
    def label(self) -> str:
        """What tells it apart in its case."""
        ...

    @property
    def extra_states(self) -> int:
        """States that only this side has before the system proper starts."""
        ...

    @property
    def once(self) -> bool:
        """Whether one run is enough, because its time is not compared."""
        ...


@dataclass(frozen=True)
class Case:
    """One question about one system of one size, and those who answer it in turns."""

    part: str
    system: str
    size: str  # as it is shown, such as 12 or 3-K1-M2
    kind: str  # what is asked, such as reach or pwf
    entrants: tuple[Entrant, ...]
    #: what those must say, by label, whose word is known; tools differ in theirs for "nothing found"
    expected: Mapping[str, str] = field(default_factory=dict)
    #: the labels of those that visit all of the system, and so must count the same
    exhaustive: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return f"{self.system}{self.size}-{self.kind}"


@dataclass(frozen=True)
class Outcome:
    """What was measured in one case, by label."""

    name: str
    part: str
    system: str
    size: str
    kind: str
    measured: Mapping[str, Measurement]
    problems: tuple[str, ...] = ()

    def get(self, label: str) -> Measurement | None:
        """The measurement of one side, if there is one."""
        return self.measured.get(label)


@dataclass(frozen=True)
class Ratio:
    """How often one amount goes into another; a bound if a run was unfinished."""

    value: float
    at_least: bool = False

    def __str__(self) -> str:
        shown = (
            f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.{1 if self.value >= 10 else 2}f}"
        )
        return f"> {shown}" if self.at_least else shown


Amount = Callable[[Measurement], float]


def search_seconds(one: Measurement) -> float:
    """The time of the search alone."""
    return one.seconds


def command_seconds(one: Measurement) -> float:
    """The time of everything."""
    return one.command_seconds


def cpu_seconds(one: Measurement) -> float:
    """The processor time, which says more than wall time where others use the machine."""
    return one.cpu_seconds


def nanoseconds_each(one: Measurement) -> float:
    """The time of the search for each transition, as the tool itself counts them."""
    return one.seconds * 1e9 / one.transitions if one.transitions else math.nan


def total_bytes(one: Measurement) -> float:
    """The memory a tool used, by its own account; none is no account."""
    return one.total_bytes or math.nan


def state_bytes(one: Measurement) -> float:
    """The memory for states alone."""
    return one.state_bytes or math.nan


def ratio(
    above: Measurement | None,
    below: Measurement | None,
    amount: Amount = search_seconds,
    amount_below: Amount | None = None,
) -> Ratio | None:
    """How many times the amount of one is that of the other; None if it cannot be told."""
    if above is None or below is None or below.unfinished:
        return None
    top, bottom = amount(above), (amount_below or amount)(below)
    if math.isnan(top) or math.isnan(bottom):
        return None
    return Ratio(top / max(bottom, 1e-6), above.unfinished)


def fastest(old: Measurement | None, new: Measurement) -> Measurement:
    """The least of each time and the most memory of two runs."""
    if old is None:
        return new
    return replace(
        new,
        seconds=min(old.seconds, new.seconds),
        command_seconds=min(old.command_seconds, new.command_seconds),
        cpu_seconds=min(old.cpu_seconds, new.cpu_seconds),
        total_bytes=max(old.total_bytes, new.total_bytes),
        peak_bytes=max(old.peak_bytes, new.peak_bytes),
    )


def cut_off(seconds: float) -> Measurement:
    """What stands for a run that took longer than it was given."""
    return Measurement("unfinished", 0, 0, seconds, seconds, seconds, 0, None, 0, unfinished=True)


@dataclass(frozen=True)
class Rules:
    """How often each runs, how long it may take, and which time makes one run enough."""

    repeat: int = 3
    timeout: float = 900.0
    long_run: float = 60.0


@dataclass
class _Turns:
    """The state of one entrant while the turns continue."""

    runner: Runner
    once: bool
    best: Measurement | None = None
    done: bool = False


@dataclass
class Session:
    """Measures cases. `prepare` makes an entrant ready in a folder of its own; None leaves it out."""

    prepare: Callable[[Entrant, Path], Runner | None]
    rules: Rules = field(default_factory=Rules)
    tell: Callable[[str], None] = lambda message: None

    def measure(self, case: Case) -> Outcome:
        """Lets the entrants of a case take turns; the best run of each counts."""
        problems: list[str] = []
        with tempfile.TemporaryDirectory(prefix="fairlead-bench-") as folder:
            turns = self._ready(case, Path(folder), problems)
            for number in range(self.rules.repeat):
                for label, turn in turns.items():
                    if not turn.done:
                        self.tell(f"{case.name}: {label}, run {number + 1}")
                        self._take(label, turn, problems)
        measured = {label: turn.best for label, turn in turns.items() if turn.best is not None}
        problems += disagreements(case, measured)
        return Outcome(
            case.name, case.part, case.system, case.size, case.kind, measured, tuple(dict.fromkeys(problems))
        )

    def _ready(self, case: Case, folder: Path, problems: list[str]) -> dict[str, _Turns]:
        turns = {}
        for place, entrant in enumerate(case.entrants):
            own = folder / str(place)
            own.mkdir()
            try:
                runner = self.prepare(entrant, own)
            except RunError as failure:
                problems.append(f"{entrant.label}: {failure}")
                continue
            if runner is not None:
                turns[entrant.label] = _Turns(runner, entrant.once)
        return turns

    def _take(self, label: str, turn: _Turns, problems: list[str]) -> None:
        try:
            new = turn.runner.run()
        except TooLong:
            turn.done = True
            turn.best = turn.best or cut_off(self.rules.timeout)
        except RunError as failure:
            turn.done = True
            turn.best = None
            problems.append(f"{label}: {failure}")
        else:
            turn.best = fastest(turn.best, new)
            turn.done = turn.once or new.command_seconds > self.rules.long_run


def disagreements(case: Case, measured: Mapping[str, Measurement]) -> list[str]:
    """What the entrants should agree on and do not."""
    finished = {label: one for label, one in measured.items() if not one.unfinished}
    problems = [
        f"{label}: the verdict is {one.verdict}, not {case.expected[label]}"
        for label, one in finished.items()
        if case.expected.get(label, one.verdict) != one.verdict
    ]
    extra = {entrant.label: entrant.extra_states for entrant in case.entrants}
    compared = [label for label in finished if label in case.exhaustive]
    problems += _differing("states", {label: finished[label].states - extra[label] for label in compared})
    if not any(extra.values()):
        problems += _differing("transitions", {label: finished[label].transitions for label in compared})
    return problems


def _differing(what: str, counts: Mapping[str, int]) -> Sequence[str]:
    if len(set(counts.values())) <= 1:
        return []
    listed = ", ".join(f"{label} {count:,}" for label, count in counts.items())
    return [f"{what} differ: {listed}"]
