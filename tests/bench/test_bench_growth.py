"""Which measurements of the benchmark stand in which chart."""

from __future__ import annotations

from bench.cases import REACHABILITY, SPIN, WEAK
from bench.growth import charts
from bench.measuring import cut_off
from bench.ours import ALL, ONE
from fairlead.present.draw.plot import Line
from tests.support.bench.made_up import outcome, took


def test_what_stands_in_the_charts() -> None:
    outcomes = [
        outcome(REACHABILITY, "dp11-reach", {SPIN: took(1.0), ONE.label: took(0.5, transitions=100)}),
        outcome(
            REACHABILITY,
            "dp12-reach",
            {SPIN: took(4.0), ONE.label: took(2.0, transitions=300), ALL.label: took(1.0, transitions=300)},
        ),
        outcome(REACHABILITY, "ms10-reach", {SPIN: took(4.0), ONE.label: took(2.0)}),
        outcome(WEAK, "pet4-pwf", {SPIN: took(4.0), ONE.label: took(2.0, transitions=10)}),
        outcome(WEAK, "pet5-pwf", {SPIN: cut_off(900.0), ONE.label: took(3.0, transitions=30)}),
        outcome(WEAK, "pet5-none", {SPIN: took(4.0), ONE.label: took(2.0)}),
    ]
    drawn = charts(outcomes)
    assert set(drawn) == {"growth-all-states", "growth-weak-fairness", "growth-memory"}
    (philosophers,) = drawn["growth-all-states"].panels
    assert philosophers.remark == "4.00× at dp12"
    assert philosophers.lines == (
        Line(0, ((100.0, 1.0), (300.0, 4.0))),
        Line(1, ((100.0, 0.5), (300.0, 2.0))),
        Line(2, ((300.0, 1.0),)),
    )
    (peterson,) = drawn["growth-weak-fairness"].panels
    assert peterson.remark == "> 300× at pet5"  # a bound has no place in the chart, only in words
    assert peterson.lines == (Line(0, ((10.0, 4.0),)), Line(1, ((10.0, 2.0), (30.0, 3.0))))
    assert charts([]) == {}
