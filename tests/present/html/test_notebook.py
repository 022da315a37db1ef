"""Values in notebooks: each output stands for itself, and many of them do not get in each other's way."""

from __future__ import annotations

import re

import fairlead
from fairlead.simulation import random_walk, take
from tests.support.html.kinds import GRAPH, KINDS, LIGHT
from tests.support.html.pages import read


def test_every_value_shows_itself_many_times_on_one_page() -> None:
    model = fairlead.loads(LIGHT)
    result = model.check("System() |= []<> read")
    begun = fairlead.simulate(model, "System()")
    values = [
        result,
        result.evidence,
        model.graph("System()"),
        begun,
        take(begun, "up"),
        fairlead.html_report(result),
    ]
    parts = [value._repr_html_() for value in values * 2]  # type: ignore[union-attr]
    shown = read("".join(parts))  # in which no name is there twice
    assert len(shown.all(cls="fl-part")) == len(parts)
    assert len(shown.all(cls="fl-graph")) == 2 * 4


def test_styles_are_for_their_own_elements() -> None:
    part = read(KINDS["lasso"]()._repr_html_())
    rules = re.sub(r"/\*.*?\*/", "", part.one("style").source, flags=re.DOTALL)
    selectors = [
        selector.strip()
        for chunk in re.findall(r"([^{}]+)\{", rules)
        for selector in re.sub(r"\([^()]*\)", "()", chunk).split(",")
    ]
    strange = [
        selector
        for selector in selectors
        if not re.match(r"(\.fairlead|\.fl-|@media|@container|body:has\(\)|td\[colspan\] > \.fl-)", selector)
    ]
    assert not strange


def test_a_simulation_shows_its_steps_and_what_is_possible() -> None:
    walked = random_walk(fairlead.simulate(fairlead.loads(LIGHT), "System()"), 5)
    shown = read(walked._repr_html_())
    assert len(shown.all("tr", "fl-step")) == 6
    listed = [item.text for item in shown.one("ul").all("li")]
    assert listed == [f"{step.event} by {', '.join(sorted(step.processes))}" for step in walked.enabled]
    assert "data-at-end" in shown.one(cls="fl-run").attributes


def test_a_graph_that_is_too_large_says_so() -> None:
    text = "var x:{0..99} = 0; P() = up{x = (x + 1) % 100;} -> P();"
    shown = read(fairlead.loads(text).graph("P()")._repr_html_())
    assert "100 states, 100 transitions: too large" in shown.text
    assert read(fairlead.loads(GRAPH, "json").graph()._repr_html_()).all(cls="fl-graph")


def test_a_report_of_several_results() -> None:
    model = fairlead.loads(LIGHT)
    report = fairlead.html_report(model.check_all(fairness="none,esf"), "lights")
    page = read(str(report))
    assert page.one("h1").text == "lights"
    assert [row.text for row in page.one(cls="fl-summary").all("span")] == ["✓ 2 holds", "✗ 1 violated"]
    assert read(report._repr_html_()).one("table", "fl-verdicts")
