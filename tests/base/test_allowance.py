"""Limits on time and memory: blocks nest, loops notice, and the watchdog notices what loops do not."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest

from fairlead.base import allowance
from fairlead.base.allowance import (
    LimitKind,
    Stopped,
    allowed,
    check_limits,
    current_phase,
    enter_phase,
    resident_memory,
    tick,
)

MEGABYTE = 1 << 20
needs_proc = pytest.mark.skipif(resident_memory() == 0, reason="this system does not tell its memory")


def spin_with_ticks() -> None:
    while True:
        tick()


def spin_without_ticks() -> None:
    while True:
        pass


def grow_with_ticks() -> None:
    kept: list[bytearray] = []
    while True:
        kept.append(bytearray(b"x" * MEGABYTE))
        check_limits()


def grow_without_ticks() -> None:
    kept: list[bytearray] = []
    while True:
        kept.append(bytearray(b"x" * MEGABYTE))


def stopped_by(
    work: Callable[[], None], *, timeout: float | None = None, memory: int | None = None
) -> Stopped:
    with pytest.raises(Stopped) as caught, allowed("the test", timeout=timeout, memory=memory):
        work()
    return caught.value


@pytest.mark.parametrize(("work", "is_abrupt"), [(spin_with_ticks, False), (spin_without_ticks, True)])
def test_time(work: Callable[[], None], is_abrupt: bool) -> None:
    stop = stopped_by(work, timeout=0.05)
    assert (stop.kind, stop.phase, stop.is_abrupt) == (LimitKind.TIME, "the test", is_abrupt)


@needs_proc
@pytest.mark.parametrize("work", [grow_with_ticks, grow_without_ticks])
def test_memory(work: Callable[[], None]) -> None:
    stop = stopped_by(work, memory=8 * MEGABYTE)
    gc.collect()
    assert stop.kind is LimitKind.MEMORY


def test_work_within_its_limits_is_left_alone() -> None:
    with allowed("the test", timeout=60, memory=1 << 40):
        for _ in range(1000):
            tick()
        check_limits()
    assert current_phase() is None


def test_an_inner_block_does_not_allow_more() -> None:
    with allowed("outer", timeout=60) as outer, allowed("inner", timeout=3600) as inner:
        assert inner.deadline == outer.deadline


def test_an_inner_block_that_ends_leaves_the_outer_one() -> None:
    with pytest.raises(Stopped) as caught, allowed("outer", timeout=0.05):
        with allowed("inner", timeout=60):
            assert current_phase() == "inner"
        assert current_phase() == "outer"
        spin_without_ticks()
    assert caught.value.phase == "outer"


def test_phases_are_named() -> None:
    with pytest.raises(Stopped) as caught, allowed("first", timeout=0.05):
        enter_phase("second")
        spin_with_ticks()
    assert caught.value.phase == "second"


def test_a_reserve_lets_what_is_known_be_put_together() -> None:
    with pytest.raises(Stopped), allowed("the test", timeout=0.02):
        with pytest.raises(Stopped):
            spin_with_ticks()
        for _ in range(100):  # within the reserve
            tick()
        spin_with_ticks()  # and it is used up once


def test_an_exception_that_is_swallowed_comes_back() -> None:
    def stubborn() -> None:
        try:
            spin_without_ticks()
        except Stopped:
            spin_without_ticks()

    assert stopped_by(stubborn, timeout=0.02).kind is LimitKind.TIME


def test_nothing_is_raised_after_a_block_has_been_left() -> None:
    for _ in range(20):
        try:
            with allowed("the test", timeout=0.001):
                for _ in range(20_000):
                    pass
        except Stopped:
            pass
        for _ in range(1000):
            tick()


@pytest.mark.parametrize("is_outer", [False, True])
def test_an_exception_while_a_block_is_left_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, is_outer: bool
) -> None:
    """The watchdog raises while the block waits for its lock: the block must be left all the same."""
    watchdog, late = allowance._watchdog, [True]
    leave = watchdog.leave

    def interrupted(own: allowance.Allowance, outer: allowance.Allowance | None) -> None:
        if late:
            late.pop()
            raise allowance.Stopped(LimitKind.TIME, is_abrupt=True)
        leave(own, outer)

    monkeypatch.setattr(watchdog, "leave", interrupted)
    with allowed("around", timeout=1000) if is_outer else nullcontext() as around:
        with pytest.raises(Stopped), allowed("inside", timeout=1000):
            pass
        assert allowance._local.current is around
        assert watchdog._innermost.get(threading.get_ident()) is around


def test_threads_have_their_own_limits() -> None:
    stops: list[Stopped] = []
    other = threading.Thread(target=lambda: stops.append(stopped_by(spin_without_ticks, timeout=0.05)))
    with allowed("here", timeout=60):
        other.start()
        other.join()
        check_limits()
    assert [stop.phase for stop in stops] == ["the test"]


def test_a_failed_allocation_is_a_limit() -> None:
    def fail() -> None:
        raise MemoryError

    assert stopped_by(fail).kind is LimitKind.MEMORY
