"""Progress within limits: what was stopped leaves nothing behind, what was found serves the next test."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fairlead
from fairlead.outcome.limits import Limits
from fairlead.search.progress import check_progress
from fairlead.search.target import Target, target_of
from tests.support.asking.progress import CLIENTS, graph_target, one_of

COUNTER = "var x; P() = [x >= 0] a{x = x + 1;} -> P();"


def test_limits() -> None:
    model = fairlead.loads(COUNTER)
    assertion = replace(one_of("a"), process="P()")
    limited = model.check(assertion, limits=fairlead.Limits(max_states=300))
    assert (limited.verdict, limited.reason) == (fairlead.Verdict.UNKNOWN, "max-states")
    timed = model.check(assertion, limits=fairlead.Limits(timeout=0.2))
    assert (timed.verdict, timed.reason) == (fairlead.Verdict.UNKNOWN, "timeout")
    small = model.check(assertion, limits=fairlead.Limits(max_memory=8 << 20))
    assert (small.verdict, small.reason) == (fairlead.Verdict.UNKNOWN, "max-memory")


GRID = """
var x:{0..600}; var y:{0..600};
P() = [x < 600] a{x = x + 1;} -> P() [] [y < 600] b{y = y + 1;} -> P() [] [x == 600 && y == 600] c -> P();
"""


def networks_and_graphs() -> list[Target]:
    return [target_of(fairlead.loads(GRID)._loaded.system("P()"), Limits()), graph_target(CLIENTS)]


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("before", [None, "a.reply", "c"])
def test_after_memory_ran_out(number: int, before: str | None) -> None:
    """While components are searched, or (where a test has been answered before) ways to them."""
    target = networks_and_graphs()[number]
    if before is None:
        target.explore(Limits().states)
        target.limits = Limits(max_memory=target._context.memory_used + (1 << 20))
    else:
        check_progress(target, one_of(before))
        assert target.terminal_sets is not None
        target.limits = Limits(max_memory=target._context.memory_used + (1 << 20))
    stopped = check_progress(target, one_of("d"))
    # the ways may be known from the test before, and transitions are given up for them
    if stopped.verdict is not fairlead.Verdict.VIOLATED:
        assert (stopped.verdict, stopped.reason) == (fairlead.Verdict.UNKNOWN, "max-memory")
    else:
        assert (number, before) in {(0, "a.reply"), (0, "c"), (1, "c")}
    target.limits = Limits()
    finding = check_progress(target, one_of("d"))
    assert finding.verdict is fairlead.Verdict.VIOLATED
    assert finding.run is not None and len(finding.run.stem) == (1200 if number == 0 else 1)
    assert finding.terminal is not None and finding.terminal.states == (1 if number == 0 else 2)


class Enough(Exception):
    """Raised by a reporter to stop a check."""


def test_after_an_interruption() -> None:
    def reporter(progress: fairlead.Progress) -> None:
        raise Enough

    target = networks_and_graphs()[0]
    target.reporter = reporter
    with pytest.raises(Enough):
        check_progress(target, one_of("c"))
    target.reporter = None
    assert check_progress(target, one_of("c")).verdict is fairlead.Verdict.HOLDS


def test_the_sets_are_looked_for_once() -> None:
    target = graph_target(CLIENTS)
    check_progress(target, one_of("a.reply"))
    known = target.terminal_sets
    assert known is not None
    check_progress(target, one_of("b.reply"))
    assert target.terminal_sets is known


def test_memory_is_given_back() -> None:
    model = fairlead.loads(
        "var x:{0..2000}; P() = [x < 2000] (a.x{x = x + 1;} -> P() [] s -> Q(x)); Q(i) = b.i -> Q(i);"
    )
    target = target_of(model._loaded.system("P()"), Limits())
    finding = check_progress(target, one_of("b.7"))
    assert finding.terminal is not None
    assert (finding.terminal.violating, finding.terminal.total) == (2000, 2001)
    used = target._context.memory_used
    target.terminal_sets = None
    assert target._context.memory_used < used
    before = target._context.memory_used
    check_progress(target, one_of("b.7"))
    target.terminal_sets = None
    assert target._context.memory_used == before
