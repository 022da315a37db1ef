"""What is measured, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from bench import fm2009
from bench.measuring import Case, Entrant
from bench.ours import ALL, EXAMPLES, MODELS, ONE, PLAIN, REDUCED, Asked, OurEntrant
from bench.spin import Search, SpinEntrant
from bench.systems import DEADLOCK, SYSTEMS, Sizes

REACHABILITY, WEAK, STRONG, VIOLATED = "reachability", "weak fairness", "strong fairness", "violated"
CTL, COUNTERS, START = "ctl", "counters", "start"
STRUCTURE, VALUES, GOALS = "structure", "values", "goals"
PARTS = (REACHABILITY, STRUCTURE, VALUES, GOALS, WEAK, STRONG, VIOLATED, CTL, COUNTERS, START)

SPIN, SPIN_REDUCED, SPIN_COLLAPSED = "SPIN", "SPIN, reduction", "SPIN -DCOLLAPSE"
COUNTED = "fairlead --counters"
EXPLORING, LABELLING = "exploring", "labelling"
WITHOUT, WITH = "without --counters", "with --counters"

_HOLDS, _VIOLATED = "holds", "violated"


def _all(entrants: Sequence[Entrant], verdict: str) -> dict[str, str]:
    return {entrant.label: verdict for entrant in entrants}


def reachability(system: str, sizes: Sizes, *, reduced: bool = False, collapsed: bool = False) -> Case:
    """All states, by SPIN and by fairlead; with the reductions of both, and with SPIN's compression."""
    known = SYSTEMS[system]
    spin = SpinEntrant(
        SPIN,
        known.promela(sizes),
        Search.ALL_STATES,
        sizes.depth,
        sizes.hash_bits,
        extra_states=known.only_spins,
    )
    ours = [
        OurEntrant(manner.label, known.asked(sizes), manner, known.only_ours(sizes))
        for manner in (ONE, ALL, *([REDUCED] if reduced else []))
    ]
    others: list[Entrant] = []
    if reduced:
        others.append(replace(spin, label=SPIN_REDUCED, reduction=True))
    if collapsed:
        others.append(replace(spin, label=SPIN_COLLAPSED, collapse=True, once=True))
    exhaustive = frozenset({SPIN, SPIN_COLLAPSED, ONE.label, ALL.label})
    entrants: tuple[Entrant, ...] = (spin, *ours, *others)
    return Case(REACHABILITY, system, sizes.shown, "reach", entrants, exhaustive=exhaustive)


def growing(part: str, system: str, sizes: Sizes) -> Case:
    """All states, by SPIN, by fairlead without reductions, and by fairlead as it comes."""
    known = SYSTEMS[system]
    spin = SpinEntrant(SPIN, known.promela(sizes), Search.ALL_STATES, sizes.depth, sizes.hash_bits)
    ours = [OurEntrant(manner.label, known.asked(sizes), manner) for manner in (ONE, ALL, PLAIN)]
    exhaustive = {ONE.label, ALL.label, *([SPIN] if known.is_exact else [])}
    entrants: tuple[Entrant, ...] = (spin, *ours)
    return Case(part, system, sizes.shown, part, entrants, _all(ours, _HOLDS), frozenset(exhaustive))


def goal(system: str, sizes: Sizes, property_name: str) -> Case:
    """A goal that can be reached: how soon does the search come to it? SPIN is told that it never is."""
    known = SYSTEMS[system]
    spin = SpinEntrant(SPIN, known.promela(sizes, property_name), Search.CYCLE, sizes.depth, sizes.hash_bits)
    ours = OurEntrant(PLAIN.label, known.asked(sizes, known.properties[property_name]), PLAIN)
    expected = {SPIN: _VIOLATED, PLAIN.label: _HOLDS}
    return Case(GOALS, system, sizes.shown, property_name, (spin, ours), expected)


def weak_fairness(
    system: str,
    sizes: Sizes,
    property_name: str,
    notion: str,
    *,
    collapsed: bool = False,
    counted: Asked | None = None,
) -> Case:
    """A property that holds, under SPIN's weak fairness (of processes) and ours.

    `counted` asks the same of processes that are counted.
    """
    known = SYSTEMS[system]
    asked = known.asked(sizes, known.properties[property_name], notion)
    search = Search.CYCLE if notion == "none" else Search.FAIR_CYCLE
    spin = SpinEntrant(SPIN, known.promela(sizes, property_name), search, sizes.depth, sizes.hash_bits)
    entrants: list[Entrant] = [spin, *(OurEntrant(manner.label, asked, manner) for manner in (ONE, ALL))]
    if collapsed:
        entrants.append(replace(spin, label=SPIN_COLLAPSED, collapse=True, once=True))
    if counted is not None:
        entrants.append(OurEntrant(COUNTED, replace(counted, options=("--counters",))))
    return Case(WEAK, system, sizes.shown, notion, tuple(entrants), _all(entrants, _HOLDS))


def strong_fairness(name: str, asked: Asked, notions: Sequence[str]) -> Case:
    """A property that holds under weak fairness, which comes first, and so under the others."""
    entrants = tuple(OurEntrant(notion, replace(asked, fairness=notion)) for notion in notions)
    size = str(dict(asked.sizes)["N"])
    return Case(STRONG, name, size, "notions", entrants, _all(entrants, _HOLDS), frozenset(notions))


def violated(system: str, sizes: Sizes, property_name: str, notion: str, search: Search) -> Case:
    """A property that is violated: how soon does the whole command say so?"""
    known = SYSTEMS[system]
    asked = known.asked(sizes, known.properties[property_name], notion)
    in_claim = property_name if search in (Search.CYCLE, Search.FAIR_CYCLE) else None
    spin = SpinEntrant(
        SPIN, known.promela(sizes, in_claim), search, sizes.depth, sizes.hash_bits, made_anew=True
    )
    entrants = (
        spin,
        replace(spin, label=SPIN_REDUCED, reduction=True),
        OurEntrant(PLAIN.label, asked, PLAIN),
    )
    # SPIN's reduction does not go with -f and handshakes, which none of these have
    return Case(
        VIOLATED, system, sizes.shown, f"{property_name}-{notion}", entrants, _all(entrants, _VIOLATED)
    )


#: Emerson and Lei's canonical form with eight conjuncts, and a formula with thirteen operators that holds
CTL_FAIR = " && ".join(
    [f"strong(Philosopher({number}))" for number in range(4)]
    + [f"strong(getleft.{number})" for number in range(4)]
)
CTL_FORMULA = (
    "AG (getleft.0 -> EF eat.0) && (AF eat.0 || EG !eat.0) && AG (EX true && (AF eat.1 || EG !eat.1))"
)
CTL_OPERATORS = 13


def branching(philosophers: int) -> Case:
    """The time of labelling beside that of exploring, which the same command does before."""
    process = "MixedCollege()"
    asked = Asked(
        EXAMPLES / "philosophers" / "dining_philosophers.csp",
        (f"{process} deadlockfree",),
        None,
        (("N", philosophers),),
        ("--process", process, "--ctl", CTL_FORMULA, "--fair", CTL_FAIR),
    )
    entrants = (
        OurEntrant(EXPLORING, replace(asked, options=())),
        OurEntrant(LABELLING, replace(asked, answer=1)),
    )
    return Case(CTL, "college", str(philosophers), "ctl", entrants, _all(entrants, _HOLDS))


def counted_line(line: fm2009.Line) -> Case:
    """One line of the table of FM 2009, under each notion."""
    asked = Asked(line.model, (line.system.assertion,), "none", tuple(line.sizes.items()), line.options)
    entrants = tuple(OurEntrant(notion, replace(asked, fairness=notion)) for notion in fm2009.NOTIONS)
    known = zip(fm2009.NOTIONS, line.verdicts, strict=True)
    expected = {notion: _HOLDS if holds else _VIOLATED for notion, holds in known if holds is not None}
    return Case(COUNTERS, line.system.name, line.size, "paper", entrants, expected)


def overhead(file: str, assertion: str, size: int) -> Case:
    """A model in which nothing is symmetric, without and with counters."""
    asked = Asked(EXAMPLES / file, (assertion,), "psf", (("N", size),))
    counted = replace(asked, options=("--counters",))
    entrants = (OurEntrant(WITHOUT, asked), OurEntrant(WITH, counted))
    return Case(COUNTERS, Path(file).stem, str(size), "overhead", entrants, _all(entrants, _HOLDS))


def start(name: str, asked: Asked, verdict: str) -> Case:
    """A system of about ten states, as a user runs it."""
    return Case(START, name, "", "start", (OurEntrant(PLAIN.label, asked, PLAIN),), {PLAIN.label: verdict})


#: system, size, further sizes, the depth SPIN needs with a little room, and the bits of its table
_REACHED: tuple[tuple[str, int, dict[str, int], int, int], ...] = (
    ("dp", 8, {}, 20_000, 16),
    ("dp", 9, {}, 50_000, 17),
    ("dp", 10, {}, 200_000, 19),
    ("dp", 11, {}, 600_000, 21),
    ("dp", 12, {}, 2_000_000, 22),
    ("dp", 13, {}, 8_000_000, 24),
    ("ms", 10, {}, 20_000, 16),
    ("ms", 12, {}, 100_000, 18),
    ("ms", 14, {}, 400_000, 20),
    ("ms", 16, {}, 2_000_000, 23),
    ("pet", 4, {}, 20_000, 16),
    ("pet", 5, {}, 60_000, 19),
    ("pet", 6, {}, 1_000_000, 24),
    ("rw", 5, {}, 20_000, 16),
    ("rw", 6, {}, 20_000, 17),
    ("rw", 7, {}, 80_000, 20),
    ("rw", 8, {}, 300_000, 22),
    ("lec", 6, {}, 10_000, 16),
    ("lec", 8, {}, 10_000, 16),
    ("lec", 10, {}, 10_000, 16),
    ("lecd", 5, {}, 10_000, 16),
    ("lecd", 6, {}, 10_000, 16),
    ("lecd", 7, {}, 20_000, 17),
    ("lecd", 8, {}, 100_000, 19),
    ("abp", 1, {"K": 1, "M": 2}, 10_000, 16),
    ("abp", 2, {"K": 1, "M": 2}, 20_000, 16),
    ("abp", 2, {"K": 2, "M": 2}, 100_000, 19),
    ("abp", 1, {"K": 20, "M": 4}, 50_000, 20),
    ("abp", 3, {"K": 1, "M": 2}, 2_000_000, 23),
    ("abp", 2, {"K": 4, "M": 2}, 1_000_000, 23),
    ("abph", 2, {"K": 1, "M": 2}, 20_000, 16),
    ("abph", 3, {"K": 1, "M": 2}, 2_000_000, 23),
    ("sliding", 3, {"K": 3}, 10_000, 16),
    ("sliding", 3, {"K": 5}, 60_000, 19),
    ("sliding", 5, {"K": 5}, 200_000, 22),
    ("sliding", 3, {"K": 7}, 500_000, 22),
    ("relay", 9, {"M": 2}, 20_000, 16),
    ("relay", 11, {"M": 2}, 200_000, 19),
    ("relay", 8, {"M": 5}, 1_500_000, 22),
    ("relay", 13, {"M": 2}, 2_000_000, 22),
    ("sched", 10, {}, 20_000, 16),
    ("sched", 13, {}, 150_000, 19),
    ("sched", 16, {}, 1_500_000, 22),
    ("bar", 7, {}, 10_000, 16),
    ("bar", 8, {}, 10_000, 17),
    ("bar", 9, {}, 10_000, 19),
    ("bar", 10, {}, 10_000, 21),
    ("fdp", 6, {}, 20_000, 16),
    ("fdp", 7, {}, 100_000, 17),
    ("fdp", 8, {}, 400_000, 19),
    ("fdp", 9, {}, 2_000_000, 21),
    ("frw", 12, {"Nwrite": 2}, 10_000, 16),
    ("frw", 15, {"Nwrite": 2}, 50_000, 16),
    ("frw", 18, {"Nwrite": 2}, 400_000, 19),
    ("frw", 20, {"Nwrite": 2}, 1_500_000, 21),
)
#: the same where the tree of processes changes all the time: about 10⁴, 10⁵ and 10⁶ states, and beyond
_STRUCTURED: tuple[tuple[str, int, dict[str, int], int, int], ...] = (
    ("commit", 4, {}, 10_000, 16),
    ("commit", 5, {}, 10_000, 18),
    ("commit", 6, {}, 10_000, 21),
    ("fork", 6, {}, 10_000, 16),
    ("fork", 8, {}, 10_000, 18),
    ("fork", 9, {}, 10_000, 20),
    ("fork", 10, {}, 10_000, 22),
    ("sort", 10, {}, 10_000, 16),
    ("sort", 12, {}, 10_000, 17),
    ("sort", 14, {}, 10_000, 20),
    ("phases", 5, {}, 10_000, 16),
    ("phases", 7, {}, 10_000, 18),
    ("phases", 8, {}, 10_000, 20),
    ("nested", 4, {}, 20_000, 16),
    ("nested", 5, {}, 150_000, 17),
    ("nested", 6, {}, 1_000_000, 20),
    ("calls", 4, {"K": 4}, 20_000, 16),
    ("calls", 5, {"K": 4}, 150_000, 17),
    ("calls", 6, {"K": 4}, 1_200_000, 20),
    ("devices", 6, {}, 40_000, 16),
    ("devices", 7, {}, 150_000, 17),
    ("devices", 8, {}, 600_000, 19),
    ("chain", 8, {}, 10_000, 16),
    ("chain", 10, {}, 80_000, 17),
    ("chain", 12, {}, 600_000, 20),
    ("chain", 13, {}, 1_500_000, 22),
    ("groups", 4, {}, 10_000, 16),
    ("groups", 5, {}, 80_000, 17),
    ("groups", 6, {}, 600_000, 20),
    ("alike", 6, {}, 20_000, 16),
    ("alike", 7, {}, 80_000, 17),
    ("alike", 9, {}, 1_000_000, 21),
)
#: the same of systems with library values
_VALUED: tuple[tuple[str, int, dict[str, int], int, int], ...] = (
    ("canteen", 5, {}, 20_000, 16),
    ("canteen", 6, {}, 80_000, 17),
    ("canteen", 7, {}, 500_000, 20),
    ("gossip", 5, {}, 10_000, 16),
    ("gossip", 6, {}, 10_000, 20),
    ("hanoi", 9, {}, 30_000, 16),
    ("hanoi", 11, {}, 200_000, 18),
    ("hanoi", 13, {}, 1_500_000, 21),
    ("lru", 8, {"K": 5}, 10_000, 16),
    ("lru", 9, {"K": 6}, 60_000, 17),
    ("lru", 10, {"K": 7}, 600_000, 20),
    ("registry", 6, {}, 20_000, 16),
    ("registry", 7, {}, 150_000, 18),
    ("registry", 8, {}, 1_500_000, 21),
)
#: systems with a hash table of so many bits for SPIN are compared with the reductions of both tools
_LARGE_BITS = 20
_COLLAPSED = {("dp", 12), ("ms", 16), ("pet", 6), ("rw", 8), ("sched", 16), ("fdp", 9)}


def _reachability_cases() -> Iterator[Case]:
    for system, size, further, depth, bits in _REACHED:
        yield reachability(
            system,
            Sizes(size, tuple(further.items()), depth, bits),
            reduced=bits >= _LARGE_BITS,
            collapsed=(system, size) in _COLLAPSED,
        )


def _growing_cases() -> Iterator[Case]:
    for part, rows in ((STRUCTURE, _STRUCTURED), (VALUES, _VALUED)):
        for system, size, further, depth, bits in rows:
            yield growing(part, system, Sizes(size, tuple(further.items()), depth, bits))


def _goal_cases() -> Iterator[Case]:
    for size in (8, 12, 14, 16):
        yield goal("queens", Sizes(size, (), 10_000, 16), "placed")
    for size in (7, 9):
        yield goal("registry", Sizes(size, (), 10_000, 16), "full")


def _weak_cases() -> Iterator[Case]:
    for size, depth, bits in ((4, 10_000, 16), (5, 120_000, 20), (6, 3_000_000, 24)):
        yield weak_fairness("pet", Sizes(size, (), depth, bits), "enters", "pwf", collapsed=size == 5)
    for size, depth, bits in ((4, 10_000, 16), (5, 10_000, 16), (6, 50_000, 17), (7, 300_000, 18)):
        model = EXAMPLES / "identical_processes" / "leader_detectors.csp"
        alike = Asked(model, ("Network() |= <>[] oneLeader",), "ewf", (("N", size),)) if size > 4 else None
        yield weak_fairness("lecd", Sizes(size, (), depth, bits), "elects", "ewf", counted=alike)
    yield weak_fairness("lec", Sizes(6, (), 10_000, 16), "elects", "ewf")
    for size, depth, bits in ((6, 50_000, 17), (7, 200_000, 20), (8, 1_000_000, 22)):
        sizes, known = Sizes(size, (), depth, bits), SYSTEMS["rw"]
        alike = known.asked(sizes, known.properties["stops"], "pwf")
        yield weak_fairness("rw", sizes, "stops", "pwf", collapsed=size == 7, counted=alike)
    for size, depth, bits in ((10, 50_000, 16), (12, 250_000, 18), (14, 1_000_000, 20)):
        yield weak_fairness("ms", Sizes(size, (), depth, bits), "works", "pwf", collapsed=size == 14)
    yield weak_fairness("ms", Sizes(14, (), 1_000_000, 20), "works", "none")


def _strong_cases() -> Iterator[Case]:
    processes, events = ("pwf", "psf", "sgf"), ("ewf", "esf", "sgf")
    for system, size, property_name, notions in (
        ("pet", 5, "enters", processes),
        ("pet", 6, "enters", processes),
        ("ms", 14, "works", processes),
        ("rw", 6, "stops", processes),
        ("rw", 7, "stops", events),
        ("lecd", 6, "elects", events),
        ("lecd", 7, "elects", events),
    ):
        known = SYSTEMS[system]
        yield strong_fairness(system, known.asked(Sizes(size), known.properties[property_name]), notions)
    college = EXAMPLES / "philosophers" / "dining_philosophers.csp"
    question = "MixedCollege() |= [] (eat.0 -> <> putleft.0)"
    for size, notions in ((10, processes), (11, events)):
        yield strong_fairness("college", Asked(college, (question,), sizes=(("N", size),)), notions)


def _violated_cases() -> Iterator[Case]:
    yield violated("dp", Sizes(12, (), 2_000_000, 22), "eats", "none", Search.CYCLE)
    yield violated("dp", Sizes(12, (), 2_000_000, 22), "eats", "pwf", Search.FAIR_CYCLE)
    yield violated("dp", Sizes(12, (), 2_000_000, 22), "deadlock", "none", Search.DEADLOCK)
    yield violated("dp", Sizes(6, (), 100_000, 20), "deadlock", "none", Search.DEADLOCK)
    yield violated("pet", Sizes(5, (), 200_000, 21), "enters", "none", Search.CYCLE)
    yield violated("petx", Sizes(3, (), 100_000, 20), "exclusion", "none", Search.ALL_STATES)
    yield violated("petx", Sizes(5, (), 1_000_000, 22), "exclusion", "none", Search.ALL_STATES)
    yield violated("rw", Sizes(6, (), 1_000_000, 20), "reads", "pwf", Search.FAIR_CYCLE)
    yield violated("rw", Sizes(8, (), 1_000_000, 22), "reads", "none", Search.CYCLE)
    yield violated("lec", Sizes(6, (), 1_000_000, 20), "elects", "none", Search.CYCLE)


def _counter_cases() -> Iterator[Case]:
    for line in (*fm2009.LINES, *fm2009.BEYOND):
        yield counted_line(line)
    yield overhead("mutual_exclusion/peterson.csp", "System() |= []<> cs.0", 5)
    yield overhead("philosophers/dining_philosophers.csp", "MixedCollege() |= []<> eat.0", 11)
    yield overhead("schedulers/milner_scheduler.csp", "Scheduler() |= []<> work.0", 14)


def _start_cases() -> Iterator[Case]:
    sizes = (("N", 1),)
    readers, philosophers = MODELS / "rw.csp", MODELS / "dp.csp"
    yield start("rw1, deadlock", Asked(readers, (DEADLOCK,), sizes=sizes), _HOLDS)
    yield start("rw1, psf", Asked(readers, ("System() |= []<> reading",), "psf", sizes), _HOLDS)
    yield start("dp2, violated", Asked(philosophers, (DEADLOCK,), sizes=(("N", 2),)), _VIOLATED)
    mutex = EXAMPLES / "readers_writers" / "readers_writers.lts"
    few = (("Nread", 2), ("Nwrite", 2))
    yield start("frw2, safety", Asked(mutex, ("||READERS_WRITERS safety",), None, few), _HOLDS)


FULL = (
    *_reachability_cases(),
    *_growing_cases(),
    *_goal_cases(),
    *_weak_cases(),
    *_strong_cases(),
    *_violated_cases(),
    *(branching(size) for size in (7, 8, 9, 10, 11, 12)),
    *_counter_cases(),
    *_start_cases(),
)


#: what the short run takes of the others, and those with SPIN's compression
_QUICK = (
    "dp10-reach",
    "dp11-reach",
    "pet5-reach",
    "rw7-reach",
    "abp2-K2-M2-reach",
    "sched13-reach",
    "relay11-M2-reach",
    "fdp8-reach",
    "commit5-structure",
    "nested5-structure",
    "canteen6-values",
    "pet5-pwf",
    "lecd5-ewf",
    "rw7-pwf",
)


def _quick_cases() -> Iterator[Case]:
    yield from (case for case in _reachability_cases() if case.name in _QUICK)
    yield reachability("ms", Sizes(13, (), 200_000, 19), collapsed=True)
    yield from (case for case in _growing_cases() if case.name in _QUICK)
    yield goal("queens", Sizes(12, (), 10_000, 16), "placed")
    yield from (case for case in _weak_cases() if case.name in _QUICK)
    pet = SYSTEMS["pet"]
    yield strong_fairness("pet", pet.asked(Sizes(5), pet.properties["enters"]), ("pwf", "psf", "sgf"))
    yield violated("dp", Sizes(8, (), 100_000, 20), "eats", "none", Search.CYCLE)
    yield violated("petx", Sizes(3, (), 100_000, 20), "exclusion", "none", Search.ALL_STATES)
    yield from (case for case in _start_cases() if case.system == "rw1, psf")


QUICK = tuple(_quick_cases())
