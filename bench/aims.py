"""What the benchmark should show, and whether it does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from bench.cases import (
    GOALS,
    REACHABILITY,
    SPIN,
    SPIN_COLLAPSED,
    SPIN_REDUCED,
    START,
    STRONG,
    STRUCTURE,
    VALUES,
    VIOLATED,
    WEAK,
)
from bench.measuring import (
    Amount,
    Measurement,
    Outcome,
    Ratio,
    command_seconds,
    nanoseconds_each,
    ratio,
    search_seconds,
    state_bytes,
    total_bytes,
)
from bench.ours import ALL, ONE, PLAIN, REDUCED

MILLION = 1_000_000
#: what counts as about 10⁶ states where a system cannot have any number of them
ABOUT_A_MILLION = 500_000
A_FEW_THOUSAND = 10_000
#: the cases of weak fairness the aim speaks of
_NAMED = ("pet5-pwf", "pet6-pwf", "lecd5-ewf", "lecd6-ewf", "lecd7-ewf")


class Direction(Enum):
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True)
class Figure:
    """What one case says about an aim."""

    name: str
    ratio: Ratio


Figures = Callable[[Sequence[Outcome]], Iterator[Figure]]


@dataclass(frozen=True)
class Aim:
    """A limit for one kind of figure; it is met when every case keeps to it."""

    work: str
    against: str
    direction: Direction
    limit: float
    figures: Figures
    unit: str = "×"

    @property
    def shown(self) -> str:
        return f"{self.direction.value} {self.limit:,g}{' s' if self.unit == 's' else self.unit}"

    def kept_by(self, figure: Figure) -> bool:
        """Whether one case keeps to the limit; a lower bound cannot keep to a limit from above."""
        if self.direction is Direction.AT_LEAST:
            return figure.ratio.value >= self.limit
        return figure.ratio.value <= self.limit and not figure.ratio.at_least


@dataclass(frozen=True)
class Judgement:
    """An aim beside what was measured."""

    aim: Aim
    figures: tuple[Figure, ...]

    @property
    def worst(self) -> Figure | None:
        """The case furthest from the aim."""
        if not self.figures:
            return None
        choose = min if self.aim.direction is Direction.AT_LEAST else max
        return choose(self.figures, key=lambda figure: figure.ratio.value)

    @property
    def mean(self) -> float:
        """The geometric mean over the cases."""
        if not self.figures:
            return math.nan
        logarithms = [math.log(max(figure.ratio.value, 1e-9)) for figure in self.figures]
        return math.exp(sum(logarithms) / len(logarithms))

    @property
    def kept(self) -> int:
        """How many cases keep to the aim."""
        return sum(self.aim.kept_by(figure) for figure in self.figures)

    @property
    def met(self) -> bool | None:
        """Whether all do; None if nothing was measured."""
        return self.kept == len(self.figures) if self.figures else None


def _comparing(
    outcomes: Sequence[Outcome],
    above: Sequence[str],
    below: Sequence[str],
    amount: Amount = search_seconds,
    amount_below: Amount | None = None,
) -> Iterator[Figure]:
    """The ratio between the first label of each list that was measured."""
    for outcome in outcomes:
        found = ratio(_first(outcome, above), _first(outcome, below), amount, amount_below)
        if found is not None:
            yield Figure(outcome.name, found)


def _first(outcome: Outcome, labels: Sequence[str]) -> Measurement | None:
    return next((found for label in labels if (found := outcome.get(label)) is not None), None)


def _large(outcomes: Sequence[Outcome], states: int = MILLION) -> list[Outcome]:
    return [
        outcome
        for outcome in outcomes
        if outcome.part == REACHABILITY
        and any(one.states >= states for label, one in outcome.measured.items() if label in (SPIN, ONE.label))
    ]


def _part(outcomes: Sequence[Outcome], part: str) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.part == part]


def one_core(outcomes: Sequence[Outcome], states: int = MILLION) -> Iterator[Figure]:
    """SPIN beside fairlead on one core, all states."""
    return _comparing(_large(outcomes, states), [SPIN], [ONE.label])


def reduced(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """SPIN with its partial order reduction beside fairlead with what it chooses, on one core."""
    return _comparing(_large(outcomes), [SPIN_REDUCED], [REDUCED.label])


def all_cores(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """SPIN on one core beside fairlead on all."""
    return _comparing(_large(outcomes), [SPIN], [ALL.label])


def scaling(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """fairlead on one core beside itself on all."""
    return _comparing(_large(outcomes), [ONE.label], [ALL.label])


def scaling_of_liveness(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """The same where a fair cycle is searched for."""
    large = [
        outcome
        for outcome in _part(outcomes, WEAK)
        if (found := outcome.get(ONE.label)) is not None and found.transitions >= MILLION
    ]
    return _comparing(large, [ONE.label], [ALL.label])


def weak(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """SPIN under -f beside fairlead as it comes."""
    named = [outcome for outcome in _part(outcomes, WEAK) if outcome.name in _NAMED or outcome.system == "rw"]
    return _comparing(named, [SPIN], [ALL.label, ONE.label])


def strong(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Strong beside weak fairness, of processes or of events."""
    return _comparing(_part(outcomes, STRONG), ["psf", "esf"], ["pwf", "ewf"])


def strong_global(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Strong global beside weak fairness."""
    return _comparing(_part(outcomes, STRONG), ["sgf"], ["pwf", "ewf"])


def violations(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Whole commands, beside SPIN with or without its reduction, whichever is faster."""
    for outcome in _part(outcomes, VIOLATED):
        theirs = [
            found for label in (SPIN, SPIN_REDUCED) if (found := outcome.get(label)) and not found.unfinished
        ]
        best = min(theirs, key=lambda one: one.command_seconds, default=None)
        times = ratio(outcome.get(PLAIN.label), best, command_seconds)
        if times is not None:
            yield Figure(outcome.name, times)


def memory_of_all(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Our memory for each state beside all of SPIN's."""
    return _comparing(outcomes, [ONE.label], [SPIN_COLLAPSED], total_bytes)


def memory_of_states(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """All our memory beside that for SPIN's states, without its table and stack."""
    return _comparing(outcomes, [ONE.label], [SPIN_COLLAPSED], total_bytes, state_bytes)


def starting(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Seconds of the whole command."""
    for outcome in _part(outcomes, START):
        found = outcome.get(PLAIN.label)
        if found is not None:
            yield Figure(outcome.name, Ratio(found.command_seconds, found.unfinished))


def _grown(outcomes: Sequence[Outcome], part: str, states: int) -> Iterator[tuple[Outcome, Measurement, int]]:
    """The cases of a part with so many states, with our measurement and how many they are."""
    for outcome in _part(outcomes, part):
        ours = outcome.get(ONE.label)
        size = _states(outcome)
        if ours is not None and size >= states:
            yield outcome, ours, size


def _states(outcome: Outcome) -> int:
    """As we count them, or SPIN if we were cut off."""
    return next((one.states for label in (ONE.label, SPIN) if (one := outcome.get(label)) and one.states), 0)


def rates(outcomes: Sequence[Outcome], part: str, states: int = ABOUT_A_MILLION) -> Iterator[Figure]:
    """States in a second on one core; for a run that was cut off, more than it can have been."""
    for outcome, ours, size in _grown(outcomes, part, states):
        yield Figure(outcome.name, Ratio(size / max(ours.seconds, 1e-6)))


def each_transition(
    outcomes: Sequence[Outcome], part: str, states: int = ABOUT_A_MILLION
) -> Iterator[Figure]:
    """What a transition costs SPIN beside what it costs us on one core; each counts its own."""
    large = [outcome for outcome, _, _ in _grown(outcomes, part, states)]
    return _comparing(large, [SPIN], [ONE.label], nanoseconds_each)


def tenfold(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """How many times as long about 10⁶ states of a system take as a tenth of them."""
    for part in (STRUCTURE, VALUES):
        for outcome, ours, size in _grown(outcomes, part, ABOUT_A_MILLION):
            smaller = [
                one
                for one in _part(outcomes, part)
                if one.system == outcome.system and 0 < _states(one) < size and ONE.label in one.measured
            ]
            if not smaller:
                continue
            other = min(smaller, key=lambda one: abs(math.log(size / 10 / _states(one))))
            times = ratio(ours, other.get(ONE.label))
            if times is not None:
                value = times.value * 10 * _states(other) / size
                yield Figure(f"{outcome.name} / {other.system}{other.size}", Ratio(value, times.at_least))


def bytes_each(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """All the memory we use, for each state."""
    for part in (STRUCTURE, VALUES):
        for outcome, ours, size in _grown(outcomes, part, ABOUT_A_MILLION):
            if not ours.unfinished and ours.total_bytes:
                yield Figure(outcome.name, Ratio(ours.total_bytes / size))


def early(outcomes: Sequence[Outcome]) -> Iterator[Figure]:
    """Seconds of the search for a goal that SPIN, depth first, reaches after a few thousand states."""
    for outcome in _part(outcomes, GOALS):
        theirs, ours = outcome.get(SPIN), outcome.get(PLAIN.label)
        if theirs is not None and ours is not None and 0 < theirs.states <= A_FEW_THOUSAND:
            yield Figure(outcome.name, Ratio(ours.seconds, ours.unfinished))


_MOST, _LEAST = Direction.AT_MOST, Direction.AT_LEAST
_UNREDUCED = "SPIN `-DNOREDUCE -DSAFETY`, one core"
_RATE = " states/s"
#: what counts as about 10⁵ states in the short run
_SHORT = 50_000
_GOAL = "goal that depth-first search finds in 10,000 states"
_TRANSITION = f"{_UNREDUCED}, each transition"
_CHANGING, _LIBRARY = "changing structure, 10⁶ states, one core", "library values, 10⁶ states, one core"

AIMS = (
    Aim("all states, 10⁶ or more, one core", _UNREDUCED, _LEAST, 3.0, one_core),
    Aim("all states, 10⁶ or more, all cores", _UNREDUCED, _LEAST, 5.0, all_cores),
    Aim("reductions, 10⁶ states or more", "SPIN with its reduction, one core", _LEAST, 5.0, reduced),
    Aim("weak fairness, the property holds", "SPIN `-f`", _LEAST, 20.0, weak),
    Aim("strong fairness", "weak fairness on the same system", _MOST, 2.0, strong),
    Aim("strong global fairness", "weak fairness on the same system", _MOST, 2.0, strong_global),
    Aim("property violated, whole command", "SPIN with its compilation", _MOST, 2.0, violations),
    Aim("memory, all in", "SPIN `-DCOLLAPSE`, all in", _MOST, 1.0, memory_of_all),
    Aim("memory, all in", "SPIN `-DCOLLAPSE`, its states alone", _MOST, 1.0, memory_of_states),
    Aim("start to verdict, ten states", "–", _MOST, 0.3, starting, "s"),
    Aim("all states, one core to all cores", "itself", _LEAST, 1.7, scaling),
    Aim("weak fairness, one core to all cores", "itself", _LEAST, 1.7, scaling_of_liveness),
    Aim(_CHANGING, "–", _LEAST, 300_000, lambda found: rates(found, STRUCTURE), _RATE),
    Aim(_CHANGING, _TRANSITION, _LEAST, 1.0, lambda found: each_transition(found, STRUCTURE)),
    Aim(_LIBRARY, "–", _LEAST, 300_000, lambda found: rates(found, VALUES), _RATE),
    Aim("structure and values, 10⁶ states", "a tenth of the states", _MOST, 13.0, tenfold),
    Aim("structure and values, 10⁶ states, all in", "–", _MOST, 80, bytes_each, " bytes each"),
    Aim(_GOAL, "–", _MOST, 0.2, early, "s"),
)

#: ratios that a short run on a busy machine must show as well
QUICK_AIMS = (
    Aim("all states", _UNREDUCED, _LEAST, 1.0, lambda outcomes: one_core(outcomes, 100_000)),
    Aim("weak fairness, the property holds", "SPIN `-f`", _LEAST, 3.0, weak),
    Aim("strong fairness", "weak fairness on the same system", _MOST, 4.0, strong),
    Aim("strong global fairness", "weak fairness on the same system", _MOST, 4.0, strong_global),
    Aim("property violated, whole command", "SPIN with its compilation", _MOST, 4.0, violations),
    Aim("memory, all in", "SPIN `-DCOLLAPSE`, all in", _MOST, 1.0, memory_of_all),
    Aim(
        "changing structure, 10⁵ states",
        "–",
        _LEAST,
        100_000,
        lambda found: rates(found, STRUCTURE, _SHORT),
        _RATE,
    ),
    Aim(
        "changing structure, 10⁵ states",
        _TRANSITION,
        _LEAST,
        0.5,
        lambda found: each_transition(found, STRUCTURE, _SHORT),
    ),
    Aim(
        "library values, 10⁵ states", "–", _LEAST, 100_000, lambda found: rates(found, VALUES, _SHORT), _RATE
    ),
    Aim(_GOAL, "–", _MOST, 0.5, early, "s"),
)


def judged(aims: Sequence[Aim], outcomes: Sequence[Outcome]) -> list[Judgement]:
    """Each aim beside what was measured."""
    return [Judgement(aim, tuple(aim.figures(outcomes))) for aim in aims]
