"""Aims are judged as they are written, and by the worst case."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from bench.aims import AIMS, QUICK_AIMS, Aim, Direction, Figure, Judgement, judged
from bench.cases import (
    FULL,
    GOALS,
    QUICK,
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
from bench.measuring import Outcome, Ratio, cut_off
from bench.ours import ALL, ONE, PLAIN
from tests.support.bench.made_up import outcome, random_measurement, took

LARGE = {"states": 2_000_000}


def figures(work: str, against: str, *outcomes: Outcome) -> dict[str, float]:
    """What an aim takes from outcomes."""
    aim = next(aim for aim in AIMS if aim.work == work and against in aim.against)
    (judgement,) = judged([aim], outcomes)
    return {figure.name: pytest.approx(figure.ratio.value) for figure in judgement.figures}


def test_all_states() -> None:
    large = outcome(
        REACHABILITY,
        "dp12-reach",
        {SPIN: took(8.0, **LARGE), ONE.label: took(2.0, **LARGE), ALL.label: took(1.25, **LARGE)},
    )
    small = outcome(REACHABILITY, "dp5-reach", {SPIN: took(8.0), ONE.label: took(2.0)})
    fair = outcome(WEAK, "ms14-pwf", {SPIN: took(8.0, **LARGE), ONE.label: took(2.0, **LARGE)})
    assert figures("all states, 10⁶ or more, one core", "SPIN", large, small, fair) == {"dp12-reach": 4.0}
    assert figures("all states, 10⁶ or more, all cores", "SPIN", large, small, fair) == {"dp12-reach": 6.4}
    assert figures("all states, one core to all cores", "itself", large, small) == {"dp12-reach": 1.6}


def test_weak_fairness_takes_the_cases_that_are_named() -> None:
    both = {SPIN: took(60.0), ONE.label: took(3.0), ALL.label: took(2.0)}
    alone = {SPIN: cut_off(900.0), ONE.label: took(3.0)}
    others = [outcome(WEAK, name, both) for name in ("ms14-pwf", "ms14-none", "pet4-pwf")]
    named = [
        outcome(WEAK, "pet6-pwf", both),
        outcome(WEAK, "rw7-pwf", both),
        outcome(WEAK, "lecd7-ewf", alone),
    ]
    found = figures("weak fairness, the property holds", "SPIN", *others, *named)
    assert found == {"pet6-pwf": 30.0, "rw7-pwf": 30.0, "lecd7-ewf": 300.0}
    grown = {ONE.label: took(3.0, transitions=2_000_000), ALL.label: took(2.0, transitions=2_000_000)}
    both_sizes = [outcome(WEAK, "pet6-pwf", grown), outcome(WEAK, "pet4-pwf", both)]
    assert figures("weak fairness, one core to all cores", "itself", *both_sizes) == {"pet6-pwf": 1.5}


def test_stronger_notions() -> None:
    processes = outcome(STRONG, "pet5-notions", {"pwf": took(2.0), "psf": took(3.0), "sgf": took(1.0)})
    events = outcome(STRONG, "lecd5-notions", {"ewf": took(2.0), "esf": took(5.0)})
    assert figures("strong fairness", "weak", processes, events) == {
        "pet5-notions": 1.5,
        "lecd5-notions": 2.5,
    }
    assert figures("strong global fairness", "weak", processes, events) == {"pet5-notions": 0.5}


def test_violations_are_compared_by_whole_commands_with_the_faster_spin() -> None:
    found = outcome(
        VIOLATED,
        "dp12-eats-none",
        {
            SPIN: took(0.1, command_seconds=2.0),
            SPIN_REDUCED: took(0.2, command_seconds=1.0),
            PLAIN.label: took(0.01, command_seconds=3.0),
        },
    )
    lost = outcome(VIOLATED, "dp13-eats-none", {SPIN: cut_off(9.0), PLAIN.label: took(1.0)})
    assert figures("property violated, whole command", "SPIN", found, lost) == {"dp12-eats-none": 3.0}


def test_memory() -> None:
    packed = took(1.0, total_bytes=200, state_bytes=50)
    one = outcome(REACHABILITY, "dp12-reach", {SPIN_COLLAPSED: packed, ONE.label: took(1.0, total_bytes=100)})
    unknown = outcome(REACHABILITY, "dp5-reach", {SPIN_COLLAPSED: took(1.0), ONE.label: took(1.0)})
    assert figures("memory, all in", "COLLAPSE`, all in", one) == {"dp12-reach": 0.5}
    assert figures("memory, all in", "its states alone", one, unknown) == {"dp12-reach": 2.0}


def test_start_is_that_of_the_whole_command() -> None:
    found = outcome(START, "tiny1-start", {PLAIN.label: took(0.001, command_seconds=0.4)})
    assert figures("start to verdict, ten states", "–", found) == {"tiny1-start": 0.4}


def test_rates_are_those_of_about_a_million_states() -> None:
    large = outcome(STRUCTURE, "commit6-structure", {ONE.label: took(4.0, states=800_000)})
    small = outcome(STRUCTURE, "commit5-structure", {ONE.label: took(4.0, states=100_000)})
    cut = {SPIN: took(1.0, states=900_000), ONE.label: cut_off(900.0)}
    slow = outcome(STRUCTURE, "nested6-structure", cut)
    queues = outcome(VALUES, "canteen7-values", {ONE.label: took(2.0, states=800_000)})
    found = (large, small, slow, queues)
    rates = {"commit6-structure": 200_000.0, "nested6-structure": 1_000.0}
    assert figures("changing structure, 10⁶ states, one core", "–", *found) == rates
    assert figures("library values, 10⁶ states, one core", "–", *found) == {"canteen7-values": 400_000.0}


def test_a_transition_costs_what_its_own_tool_took_for_it() -> None:
    theirs = took(6.0, states=900_000, transitions=3_000_000)
    ours = took(2.0, states=800_000, transitions=2_000_000)
    found = outcome(STRUCTURE, "fork9-structure", {SPIN: theirs, ONE.label: ours})
    cut = outcome(STRUCTURE, "nested6-structure", {SPIN: theirs, ONE.label: cut_off(900.0)})
    nothing = outcome(STRUCTURE, "sort14-structure", {SPIN: theirs, ONE.label: replace(ours, transitions=0)})
    work = "changing structure, 10⁶ states, one core"
    assert figures(work, "each transition", found, cut, nothing) == {"fork9-structure": 2.0}


def test_growth_is_that_from_a_tenth_of_the_states() -> None:
    sizes = {"5": (0.1, 10_000), "6": (1.0, 80_000), "7": (24.0, 960_000), "8": (cut_off(900.0), 9_000_000)}
    outcomes = []
    for size, (one, states) in sizes.items():
        ours = took(one, states=states) if isinstance(one, float) else one
        measured = {SPIN: took(1.0, states=states), ONE.label: ours}
        outcomes.append(outcome(STRUCTURE, f"nested{size}-structure", measured))
    alone = outcome(VALUES, "gossip6-values", {ONE.label: took(3.0, states=1_000_000)})
    (judgement,) = judged([aim for aim in AIMS if aim.against == "a tenth of the states"], [*outcomes, alone])
    seven, eight = judgement.figures
    assert (seven.name, seven.ratio) == ("nested7-structure / nested6", Ratio(pytest.approx(20.0)))
    assert (eight.name, eight.ratio.at_least) == ("nested8-structure / nested7", True)
    assert judgement.kept == 0


def test_bytes_are_those_of_all_our_memory() -> None:
    fits = took(1.0, states=1_000_000, total_bytes=70_000_000)
    found = outcome(VALUES, "hanoi13-values", {ONE.label: fits})
    unknown = outcome(VALUES, "lru10-values", {ONE.label: replace(fits, total_bytes=0)})
    work = "structure and values, 10⁶ states, all in"
    assert figures(work, "–", found, unknown) == {"hanoi13-values": 70.0}
    (shown,) = (aim.shown for aim in AIMS if aim.work == work)
    assert shown == "at most 80 bytes each"


def test_goals_count_if_depth_first_search_finds_them_soon() -> None:
    ours = {PLAIN.label: took(0.3)}
    soon = outcome(GOALS, "queens14-placed", {SPIN: took(0.01, states=1_900), **ours})
    late = outcome(GOALS, "queens20-placed", {SPIN: took(1.0, states=200_000), **ours})
    never = outcome(GOALS, "queens30-placed", {SPIN: cut_off(900.0), **ours})
    found = figures("goal that depth-first search finds in 10,000 states", "–", soon, late, never)
    assert found == {"queens14-placed": 0.3}


def _aim(direction: Direction, limit: float) -> Aim:
    return Aim("work", "against", direction, limit, lambda outcomes: iter(()))


def test_judging_beside_the_obvious_way() -> None:
    chance = random.Random(3)
    for _ in range(500):
        values = [10 ** chance.uniform(-2, 2) for _ in range(chance.randint(0, 6))]
        limit = 10 ** chance.uniform(-2, 2)
        direction = chance.choice(list(Direction))
        named = tuple(Figure(str(number), Ratio(value)) for number, value in enumerate(values))
        judgement = Judgement(_aim(direction, limit), named)
        good = [value >= limit if direction is Direction.AT_LEAST else value <= limit for value in values]
        assert judgement.met == (all(good) if values else None)
        assert judgement.kept == good.count(True)
        if values:
            worst = min(values) if direction is Direction.AT_LEAST else max(values)
            assert judgement.worst is not None and judgement.worst.ratio.value == worst
            assert judgement.mean == pytest.approx(math.prod(values) ** (1 / len(values)))
        else:
            assert judgement.worst is None and math.isnan(judgement.mean)


def test_bounds() -> None:
    at_least = Figure("a", Ratio(30.0, at_least=True))
    assert _aim(Direction.AT_LEAST, 20.0).kept_by(at_least)
    assert not _aim(Direction.AT_LEAST, 40.0).kept_by(at_least)
    assert not _aim(Direction.AT_MOST, 40.0).kept_by(at_least)
    assert _aim(Direction.AT_MOST, 0.3).shown == "at most 0.3×"


def test_every_aim_finds_figures_among_the_cases() -> None:
    chance = random.Random(5)
    for aims, cases in ((AIMS, FULL), (QUICK_AIMS, QUICK)):
        outcomes = []
        for number, case in enumerate(cases):
            states = 1_000 if case.part == GOALS else 2_000_000 + number
            size = {"states": states, "transitions": 9_000_000, "state_bytes": 7}
            measured = {one.label: took(chance.random() + 0.1, **size) for one in case.entrants}
            outcomes.append(Outcome(case.name, case.part, case.system, case.size, case.kind, measured))
        for judgement in judged(aims, outcomes):
            assert judgement.figures, judgement.aim.work


def test_any_measurements_can_be_judged() -> None:
    chance = random.Random(11)
    for _ in range(20):
        outcomes = [
            Outcome(
                case.name,
                case.part,
                case.system,
                case.size,
                case.kind,
                {one.label: random_measurement(chance) for one in case.entrants if chance.random() < 0.8},
            )
            for case in FULL
        ]
        assert len(judged(AIMS, outcomes)) == len(AIMS)
