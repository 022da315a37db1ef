"""Memory that runs out, at any point: the verdict is right or unknown, and the next answer is right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.engine import _native
from tests.support.tuning import Tune

#: more than there are allocations in any check here
NEVER = 1 << 62
#: at how many points each check fails in the default suite
POINTS = 12

CSP = """
var x:{0..7} = 0;
channel c 2;
P(i) = [x < 7] a.i{x = x + 1;} -> P(i) [] [x > 0] b.i{x = x - 1;} -> P(i);
Q() = c!x -> Q() [] c?y -> d.y -> Q();
R() = e -> (f -> Skip ||| g -> Skip); h -> R();
System() = P(0) ||| P(1) ||| Q() ||| R();
Small() = P(0) ||| Q();
Stuck() = [x < 5] a{x = x + 1;} -> Stuck();
#define full x == 7;
"""
FSP = """
P = (a -> b -> P | c -> P).
Q = (b -> d -> Q | c -> Q).
minimal ||S = (P || Q || p:P || q:Q)\\{d}.
progress A = {a}
"""
TREES = """
Work(i) = start.i -> (left.i -> Skip ||| right.i -> Skip); stop.i -> Work(i);
System() = ||| i:{0..2} @ Work(i);
"""


FLAT = """
var x:{0..3} = 0;
P(i) = [x < 3] a.i{x = x + 1;} -> [x > 0] b.i{x = x - 1;} -> P(i);
System() = ||| i:{0..2} @ P(i);
"""


@dataclass(frozen=True)
class Check:
    """A question, how it is asked, and of which text."""

    text: str
    question: str
    fairness: str | None = None
    options: tuple[tuple[str, Any], ...] = ()
    language: str = "csp"

    def ask(self, model: fairlead.Model, **more: Any) -> fairlead.Result:
        """The answer."""
        return model.check(self.question, self.fairness, **{"threads": 1, **dict(self.options), **more})

    def model(self) -> fairlead.Model:
        """A model that nothing has been asked of yet."""
        return fairlead.loads(self.text, self.language)


CHECKS = {
    "deadlock": Check(CSP, "System() deadlockfree"),
    "shortest run": Check(CSP, "Stuck() deadlockfree"),
    "goal": Check(CSP, "System() reaches full"),
    "optimum": Check(CSP, "System() reaches full with max(x)"),
    "bad prefix": Check(CSP, "System() |= [] !full"),
    "no fairness": Check(CSP, "System() |= []<> a.0"),
    "weak": Check(CSP, "System() |= []<> a.0", "ewf"),
    "strong": Check(CSP, "System() |= [](a.0 -> <> b.0)", "psf"),
    "strong holds": Check(CSP, "Small() |= []<> (x == 0) || <>[] full || []<> b.0", "esf"),
    "global": Check(CSP, "System() |= []<> full", "sgf"),
    "threads": Check(CSP, "System() |= []<> d.3", "esf", (("threads", 2),)),
    "refinement": Check(CSP, "Small() refines System()"),
    "failures": Check(CSP, "Small() refines<FD> Small()"),
    "partial order": Check(CSP, "System() deadlockfree", None, (("reduction", "por"),)),
    "symmetry": Check(TREES, "System() deadlockfree", None, (("reduction", "symmetry"),)),
    "diagrams": Check(FLAT, "System() |= []<> a.0", "psf", (("reduction", "symbolic"),)),
    "trees": Check(TREES, "System() |= []<> stop.1", "pwf"),
    "safety": Check(FSP, "S safety", None, (), "lts"),
    "progress": Check(FSP, "S progress A", None, (), "lts"),
}


@contextmanager
def failing(number: int, lasting: bool = False) -> Iterator[None]:
    """The allocation with this number fails inside."""
    _native.fail_allocation(number, lasting)
    try:
        yield
    finally:
        _native.fail_allocation(0)


def survives(check: Check, points: int | None, **more: Any) -> int:
    """Asks with an allocation that fails, for points spread over all of them; how many there are."""
    with failing(NEVER):
        expected = check.ask(check.model(), **more).verdict
        count = _native.allocation_count()
    numbers = range(1, count + 1)
    if points is not None and count > points:
        numbers = range(1, count + 1, count // points)
    for number in numbers:
        for lasting in (False, True):
            model = check.model()
            with failing(number, lasting):
                found = check.ask(model, **more)
            told = f"{check.question}: allocation {number} of {count}, lasting: {lasting}"
            if found.verdict is fairlead.Verdict.UNKNOWN:
                assert found.reason == "max-memory", told
            else:
                assert found.verdict is expected, told
            assert check.ask(model, **more).verdict is expected, f"{told}, then another"
    return count


@pytest.mark.parametrize("name", CHECKS)
def test_an_allocation_fails(name: str) -> None:
    assert survives(CHECKS[name], POINTS) > 0


@pytest.mark.parametrize("name", ["deadlock", "strong", "threads"])
def test_an_allocation_fails_in_a_large_system(name: str, tune: Tune) -> None:
    """The same as if the system were large: explored in turns with the search, by several threads."""
    tune(small_system=0, least_work=2)
    assert survives(CHECKS[name], POINTS, threads=2) > 0


def test_an_allocation_fails_with_states_on_disk(tmp_path: Path) -> None:
    if _native.DISK_IS_OFFERED:
        assert survives(CHECKS["deadlock"], POINTS, disk=tmp_path) >= 0


def test_an_allocation_fails_while_a_checkpoint_is_read(tmp_path: Path) -> None:
    check, file = CHECKS["deadlock"], tmp_path / "checkpoint"
    check.ask(check.model(), max_states=50, checkpoint=file)
    assert survives(check, POINTS, resume=file) > 0


@pytest.mark.long
@pytest.mark.parametrize("name", CHECKS)
def test_every_allocation_fails(name: str) -> None:
    survives(CHECKS[name], None)
