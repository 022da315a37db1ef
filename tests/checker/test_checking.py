"""Checking compositionally gives the same verdicts as checking the whole system."""

from __future__ import annotations

import pytest

import fairlead
from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.model.assertion import AllProgress, Progresses, Safe
from tests.support.generators.fsp_models import random_system
from tests.support.tuning import Tune

RING = """
const N = 7
range I = 0..N-1
CELL(HAS=0) = if (HAS) then TOKEN else WAIT,
WAIT = (take -> TOKEN), TOKEN = (work -> rest -> give -> WAIT).
IDLER = (doze -> wake -> IDLER).
||RING = (c[0]:CELL(1) || forall[i:1..N-1] c[i]:CELL(0) || c[I]:IDLER)
         /{forall[i:I] {pass[i]/c[i].give, pass[i]/c[(i+1)%N].take}}.
||STUCK = (RING || STOP_PASS).
STOP_PASS = (pass[0] -> STOP) + {pass[3]}.
||EAGER = RING >> {c[1].work}.
progress WORK = {c[3].work}
progress REST = if {c[3].work} then {c[3].rest}
"""


#: larger systems are left out
MOST = 2_000
SMALL = fairlead.Limits(max_states=MOST)


@pytest.fixture(autouse=True)
def small_parts(tune: Tune) -> None:
    """Composites that must be built before they are composed further are small too."""
    tune(built_states=MOST)


def compare(text: str) -> tuple[int, int]:
    """How many questions there were, and how many of them hold on a smaller system."""
    model = fairlead.loads(text, "lts")
    asked = small = 0
    for question in model.assertions:
        if not isinstance(question, Safe | Progresses | AllProgress):
            continue
        try:
            whole = model.check(question, limits=SMALL)
        except (InputError, LimitReached):
            continue
        if whole.verdict is fairlead.Verdict.UNKNOWN:
            continue
        parts = model.check(question, compositional=True)
        assert parts.verdict is whole.verdict, f"{question.text}\n{text}"
        assert (parts.evidence is None) == (whole.evidence is None)
        asked += 1
        small += parts.method == "compositional minimisation"
    return asked, small


def test_a_ring() -> None:
    model = fairlead.loads(RING, "lts")
    whole, parts = (model.check("RING progress WORK", compositional=way) for way in (False, True))
    assert (whole.verdict, parts.verdict) == (fairlead.Verdict.HOLDS,) * 2
    assert parts.statistics.states < 10 < whole.statistics.states
    # where something is violated, and under priority, it is the whole system
    assert compare(RING.replace("N = 7", "N = 4")) == (9, 5)


def test_other_notions_and_formulas_are_about_the_whole_system() -> None:
    model = fairlead.loads(RING + "assert FORMULA = []<>c[3].work", "lts")
    for question, fairness in (("RING progress WORK", "pwf"), ("RING |= FORMULA", None)):
        result = model.check(question, fairness, compositional=True)
        assert result.method != "compositional minimisation"


@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int) -> None:
    counts = [compare("\n".join(random_system(seed))) for seed in range(chunk * 10, chunk * 10 + 10)]
    assert sum(asked for asked, _ in counts) >= 20
    assert sum(small for _, small in counts) >= 1


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_models(chunk: int) -> None:
    counts = [
        compare("\n".join(random_system(seed))) for seed in range(1000 + chunk * 100, 1100 + chunk * 100)
    ]
    assert sum(small for _, small in counts) >= 10
