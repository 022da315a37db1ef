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
PARTS = (REACHABILITY, WEAK, STRONG, VIOLATED, CTL, COUNTERS, START)

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


def weak_fairness(
    system: str,
    sizes: Sizes,
    property_name: str,
    notion: str,
    *,
    collapsed: bool = False,
    counted: bool = False,
) -> Case:
    """A property that holds, under SPIN's weak fairness (of processes) and ours."""
    known = SYSTEMS[system]
    asked = known.asked(sizes, known.properties[property_name], notion)
    search = Search.CYCLE if notion == "none" else Search.FAIR_CYCLE
    spin = SpinEntrant(SPIN, known.promela(sizes, property_name), search, sizes.depth, sizes.hash_bits)
    entrants: list[Entrant] = [spin, *(OurEntrant(manner.label, asked, manner) for manner in (ONE, ALL))]
    if collapsed:
        entrants.append(replace(spin, label=SPIN_COLLAPSED, collapse=True, once=True))
    if counted:
        model = fm2009.FOLDER / "leader_detectors.csp"
        question = Asked(
            model, ("Network() |= <>[] oneLeader",), "ewf", (("N", sizes.first),), ("--counters",)
        )
        entrants.append(OurEntrant(COUNTED, question))
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
        EXAMPLES / "csp" / "dining_philosophers.csp",
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
    asked = Asked(
        line.system.model, (line.system.assertion,), "none", tuple(line.sizes.items()), line.options
    )
    entrants = tuple(OurEntrant(notion, replace(asked, fairness=notion)) for notion in fm2009.NOTIONS)
    known = zip(fm2009.NOTIONS, line.verdicts, strict=True)
    expected = {notion: _HOLDS if holds else _VIOLATED for notion, holds in known if holds is not None}
    return Case(COUNTERS, line.system.name, line.size, "paper", entrants, expected)


def overhead(file: str, assertion: str, size: int) -> Case:
    """A model in which nothing is symmetric, without and with counters."""
    asked = Asked(EXAMPLES / "csp" / file, (assertion,), "psf", (("N", size),))
    counted = replace(asked, options=("--counters",))
    entrants = (OurEntrant(WITHOUT, asked), OurEntrant(WITH, counted))
    return Case(COUNTERS, Path(file).stem, str(size), "overhead", entrants, _all(entrants, _HOLDS))


def start(name: str, asked: Asked, verdict: str) -> Case:
    """A system of about ten states, as a user runs it."""
    return Case(START, name, "", "start", (OurEntrant(PLAIN.label, asked, PLAIN),), {PLAIN.label: verdict})


def _channels(**further: int) -> tuple[tuple[str, int], ...]:
    return tuple(further.items())


def _reachability_cases() -> Iterator[Case]:
    large = {"reduced": True, "collapsed": True}
    for size, depth, bits in ((8, 100_000, 18), (9, 100_000, 18), (10, 200_000, 20), (11, 600_000, 21)):
        yield reachability("dp", Sizes(size, (), depth, bits))
    yield reachability("dp", Sizes(12, (), 2_000_000, 23), **large)
    yield reachability("dp", Sizes(13, (), 8_000_000, 25), reduced=True)
    for size, depth, bits in ((10, 100_000, 18), (12, 200_000, 19), (14, 600_000, 21)):
        yield reachability("ms", Sizes(size, (), depth, bits))
    yield reachability("ms", Sizes(16, (), 2_000_000, 23), **large)
    yield reachability("pet", Sizes(4, (), 100_000, 18))
    yield reachability("pet", Sizes(5, (), 200_000, 21), reduced=True)
    yield reachability("pet", Sizes(6, (), 1_000_000, 25), **large)
    for size, depth, bits in ((5, 100_000, 18), (6, 100_000, 19), (7, 200_000, 21)):
        yield reachability("rw", Sizes(size, (), depth, bits))
    yield reachability("rw", Sizes(8, (), 300_000, 23), **large)
    for size in (6, 8, 10):
        yield reachability("lec", Sizes(size, (), 100_000, 18))
    for size in (5, 6, 7, 8):
        yield reachability("lecd", Sizes(size, (), 300_000, 20))
    for lines, k, m, bits in ((1, 1, 2, 18), (2, 1, 2, 18), (2, 2, 2, 20), (3, 1, 2, 23), (2, 4, 2, 23)):
        yield reachability("abp", Sizes(lines, _channels(K=k, M=m), 3_000_000, bits))
    yield reachability("abp", Sizes(1, _channels(K=20, M=4), 1_000_000, 21))
    for lines, bits in ((2, 18), (3, 23)):
        yield reachability("abph", Sizes(lines, _channels(K=1, M=2), 3_000_000, bits))
    for window, k, bits in ((3, 3, 18), (3, 5, 20), (5, 5, 22), (3, 7, 22)):
        yield reachability("sliding", Sizes(window, _channels(K=k), 2_000_000, bits))
    for cells, m, bits in ((9, 2, 18), (11, 2, 20), (13, 2, 22), (8, 5, 22)):
        yield reachability("relay", Sizes(cells, _channels(M=m), 1_000_000, bits))
    for size, bits in ((10, 18), (13, 20), (16, 22)):
        yield reachability("sched", Sizes(size, (), 1_000_000, bits))
    for size, bits in ((7, 18), (8, 19), (9, 20), (10, 22)):
        yield reachability("bar", Sizes(size, (), 1_000_000, bits))
    for size, depth, bits in ((6, 50_000, 18), (7, 200_000, 18), (8, 1_000_000, 20), (9, 4_000_000, 22)):
        yield reachability("fdp", Sizes(size, (), depth, bits))
    for readers, bits in ((12, 18), (15, 18), (18, 20), (20, 22)):
        yield reachability("frw", Sizes(readers, _channels(Nwrite=2), 2_000_000, bits))


def _weak_cases() -> Iterator[Case]:
    yield weak_fairness("pet", Sizes(4, (), 100_000, 18), "enters", "pwf")
    yield weak_fairness("pet", Sizes(5, (), 200_000, 21), "enters", "pwf", collapsed=True)
    yield weak_fairness("pet", Sizes(6, (), 3_000_000, 26), "enters", "pwf")
    for size, depth, bits in ((4, 200_000, 18), (5, 2_000_000, 20), (6, 10_000_000, 22), (7, 60_000_000, 25)):
        yield weak_fairness("lecd", Sizes(size, (), depth, bits), "elects", "ewf", counted=size > 4)
    yield weak_fairness("lec", Sizes(6, (), 1_000_000, 20), "elects", "ewf")
    for size, depth, bits in ((6, 500_000, 19), (7, 2_000_000, 22), (8, 10_000_000, 24)):
        yield weak_fairness("rw", Sizes(size, (), depth, bits), "stops", "pwf", collapsed=size == 7)
    for size, depth, bits in ((10, 500_000, 18), (12, 2_000_000, 20), (14, 6_000_000, 22)):
        yield weak_fairness("ms", Sizes(size, (), depth, bits), "works", "pwf", collapsed=size == 12)
    yield weak_fairness("ms", Sizes(14, (), 2_000_000, 21), "works", "none")


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
    college = EXAMPLES / "csp" / "dining_philosophers.csp"
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
    yield overhead("peterson.csp", "System() |= []<> cs.0", 5)
    yield overhead("dining_philosophers.csp", "MixedCollege() |= []<> eat.0", 11)
    yield overhead("milner_scheduler.csp", "Scheduler() |= []<> work.0", 14)


def _start_cases() -> Iterator[Case]:
    sizes = (("N", 1),)
    readers, philosophers = MODELS / "rw.csp", MODELS / "dp.csp"
    yield start("rw1, deadlock", Asked(readers, (DEADLOCK,), sizes=sizes), _HOLDS)
    yield start("rw1, psf", Asked(readers, ("System() |= []<> reading",), "psf", sizes), _HOLDS)
    yield start("dp2, violated", Asked(philosophers, (DEADLOCK,), sizes=(("N", 2),)), _VIOLATED)
    mutex = EXAMPLES / "fsp" / "readers_writers.lts"
    few = (("Nread", 2), ("Nwrite", 2))
    yield start("frw2, safety", Asked(mutex, ("||READERS_WRITERS safety",), None, few), _HOLDS)


FULL = (
    *_reachability_cases(),
    *_weak_cases(),
    *_strong_cases(),
    *_violated_cases(),
    *(branching(size) for size in (7, 8, 9, 10, 11, 12)),
    *_counter_cases(),
    *_start_cases(),
)


def _quick_cases() -> Iterator[Case]:
    yield reachability("dp", Sizes(10, (), 200_000, 20))
    yield reachability("dp", Sizes(11, (), 600_000, 21), collapsed=True)
    yield reachability("ms", Sizes(13, (), 600_000, 20), collapsed=True)
    yield reachability("pet", Sizes(5, (), 200_000, 21), collapsed=True)
    yield reachability("rw", Sizes(7, (), 200_000, 21), collapsed=True)
    yield reachability("abp", Sizes(2, _channels(K=2, M=2), 1_000_000, 20))
    yield reachability("sched", Sizes(13, (), 1_000_000, 20))
    yield reachability("relay", Sizes(11, _channels(M=2), 1_000_000, 20))
    yield reachability("fdp", Sizes(7, (), 200_000, 18))
    yield weak_fairness("pet", Sizes(4, (), 100_000, 18), "enters", "pwf")
    yield weak_fairness("lecd", Sizes(5, (), 2_000_000, 20), "elects", "ewf", counted=True)
    yield weak_fairness("rw", Sizes(6, (), 2_000_000, 20), "stops", "pwf")
    pet = SYSTEMS["pet"]
    yield strong_fairness("pet", pet.asked(Sizes(5), pet.properties["enters"]), ("pwf", "psf", "sgf"))
    yield violated("dp", Sizes(8, (), 100_000, 20), "eats", "none", Search.CYCLE)
    yield violated("petx", Sizes(3, (), 100_000, 20), "exclusion", "none", Search.ALL_STATES)
    yield from (case for case in _start_cases() if case.system == "rw1, psf")


QUICK = tuple(_quick_cases())
