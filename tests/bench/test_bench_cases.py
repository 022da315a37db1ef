"""The cases of the benchmark: their models are there, what they ask can be read, and SPIN's twins agree."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import fairlead
from bench import fm2009
from bench.cases import CTL_FORMULA, FULL, PARTS, QUICK, reachability
from bench.measuring import Rules, Session
from bench.ours import ROOT, OurEntrant, Program
from bench.promela import MODELS
from bench.run import Tools
from bench.spin import SpinEntrant
from bench.systems import SYSTEMS, Sizes

#: the smallest size worth a look
SMALL = {
    "dp": Sizes(3),
    "ms": Sizes(3),
    "pet": Sizes(3),
    "petx": Sizes(2),
    "rw": Sizes(2),
    "lec": Sizes(3),
    "lecd": Sizes(2),
    "abp": Sizes(1, (("K", 1), ("M", 2))),
    "abph": Sizes(1, (("K", 1), ("M", 2))),
    "sliding": Sizes(2, (("K", 2),)),
    "relay": Sizes(3, (("M", 2),)),
    "sched": Sizes(3),
    "bar": Sizes(3),
    "fdp": Sizes(3),
    "frw": Sizes(3, (("Nwrite", 2),)),
    "commit": Sizes(2),
    "fork": Sizes(3),
    "sort": Sizes(5),
    "phases": Sizes(3),
    "nested": Sizes(2),
    "calls": Sizes(2, (("K", 3),)),
    "devices": Sizes(3),
    "chain": Sizes(4),
    "groups": Sizes(2),
    "alike": Sizes(3),
    "canteen": Sizes(3),
    "gossip": Sizes(4),
    "hanoi": Sizes(4),
    "lru": Sizes(5, (("K", 3),)),
    "registry": Sizes(3),
    "queens": Sizes(5),
}
#: how many states and transitions more we have: those inside atomic, less those of processes that have ended
DIFFERING = {"commit": (14, 14), "devices": (75, 75), "fork": (-27, -118)}


@pytest.mark.parametrize("cases", [FULL, QUICK], ids=["full", "quick"])
def test_names_tell_cases_and_entrants_apart(cases: tuple) -> None:  # type: ignore[type-arg]
    assert len({case.name for case in cases}) == len(cases)
    for case in cases:
        labels = [one.label for one in case.entrants]
        assert len(set(labels)) == len(labels)
        assert set(case.expected) <= set(labels)
        assert case.part in PARTS


def test_every_part_and_every_system_has_cases() -> None:
    assert {case.part for case in FULL} == set(PARTS)
    assert {*SYSTEMS} <= {case.system for case in FULL}
    assert set(SMALL) == set(SYSTEMS) == set(MODELS)


def test_models_and_properties_exist() -> None:
    for case in (*FULL, *QUICK):
        for one in case.entrants:
            match one:
                case OurEntrant():
                    assert (ROOT / one.asked.model).is_file()
                case SpinEntrant():
                    one.model.promela().source(one.model.property)


def _asked() -> dict[tuple[str, str], tuple[Path, str]]:
    """Each assertion once, with its model."""
    return {
        (one.asked.model.name, assertion): (one.asked.model, assertion)
        for case in (*FULL, *QUICK)
        for one in case.entrants
        if isinstance(one, OurEntrant)
        for assertion in one.asked.assertions
    }


@pytest.mark.parametrize("key", sorted(_asked()), ids="|".join)
def test_what_is_asked_can_be_read(key: tuple[str, str]) -> None:
    path, assertion = _asked()[key]
    sizes = {} if path.suffix == ".lts" else {"N": 2}
    model = fairlead.load(ROOT / path, sizes)
    assert model.check(assertion).verdict in (fairlead.Verdict.HOLDS, fairlead.Verdict.VIOLATED)


def test_formula_of_ctl_holds() -> None:
    model = fairlead.load(ROOT / "examples/philosophers/dining_philosophers.csp", {"N": 4})
    assert model.check(model.ctl(CTL_FORMULA, "MixedCollege()")).verdict is fairlead.Verdict.HOLDS


def test_sizes_of_the_paper() -> None:
    sizes = {(line.system.name, line.size) for line in (*fm2009.LINES, *fm2009.BEYOND)}
    assert {("LE", "100000"), ("KV", "8"), ("Stack", "12"), ("ML", "10000")} <= sizes
    assert fm2009.seconds_of("LE", "∞", "psf") == "463.9"
    assert fm2009.seconds_of("KV", "∞", "pwf") == "not feasible"
    assert fm2009.seconds_of("KV", "8", "pwf") == ""


@pytest.mark.long
@pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="needs SPIN and gcc")
@pytest.mark.parametrize("name", sorted(SMALL))
def test_spin_visits_the_same_states(name: str, tmp_path: Path) -> None:
    case = reachability(name, SMALL[name])
    (theirs, ours, *_) = case.entrants
    assert isinstance(theirs, SpinEntrant) and isinstance(ours, OurEntrant)
    if name == "petx":
        pytest.skip("SPIN stops where its assertion fails")
    runner = Tools(Program("fairlead", frozenset()), True, 60.0).prepare(theirs, tmp_path)
    assert runner is not None
    spin = runner.run()
    model = fairlead.load(ROOT / ours.asked.model, dict(ours.asked.sizes))
    found = model.check(ours.asked.assertions[0]).statistics
    states, transitions = DIFFERING.get(name, (0, 0))
    assert SYSTEMS[name].is_exact == (name not in DIFFERING)
    assert found.states - ours.extra_states - states == spin.states - theirs.extra_states
    if not theirs.extra_states:
        assert found.transitions - transitions == spin.transitions


def test_a_session_without_tools_measures_nothing() -> None:
    session = Session(Tools(None, False, 1.0).prepare, Rules(repeat=1))
    assert session.measure(QUICK[0]).measured == {}
