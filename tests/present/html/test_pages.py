"""Pages of every kind of evidence: all that was found is on them, and it is right."""

from __future__ import annotations

import re
from functools import cache

import pytest

import fairlead
from fairlead import Result
from fairlead.evidence.evidence import Evidence, StepView
from fairlead.evidence.fair_loop import fairness_reasons
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.outcome.demonstration import PlacedBranch
from tests.support.html.kinds import KINDS
from tests.support.html.pages import Element, read
from tests.support.tuning import Tune


@cache
def answered(kind: str) -> Result:
    return KINDS[kind]()


@cache
def page(kind: str) -> Element:
    return read(answered(kind).to_html())


WITH_EVIDENCE = [kind for kind in KINDS if kind not in ("holds", "unknown")]
LASSOS = [kind for kind in WITH_EVIDENCE if kind.startswith("lasso")]


def runs(evidence: Evidence) -> list[tuple[int, Evidence]]:
    """The runs that are shown for evidence, each with the number of steps before it."""
    if evidence.demonstration is None:
        return [(0, evidence)]
    placed: list[PlacedBranch] = list(evidence.demonstration.all_branches())
    return [(one.offset, evidence.of_branch(one.branch)) for one in placed]


@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_is_in_the_table(kind: str) -> None:
    result = answered(kind)
    cells = [cell.text for cell in page(kind).one("table", "fl-verdicts").one("tbody").all("td")]
    assert cells[0].endswith(result.verdict.value)
    assert cells[2:4] == [f"{result.statistics.states:,}", f"{result.statistics.transitions:,}"]
    assert page(kind).one("table", "fl-verdicts").one("code").text == result.assertion


@pytest.mark.parametrize("kind", ["holds", "unknown"])
def test_without_evidence_there_is_none(kind: str) -> None:
    assert not page(kind).all(cls="fl-evidence")
    assert not page(kind).all("a")


@pytest.mark.parametrize("kind", WITH_EVIDENCE)
def test_every_step_has_a_row(kind: str) -> None:
    result = answered(kind)
    assert result.evidence is not None
    block = page(kind).all(cls="fl-evidence")[0]
    for (offset, evidence), shown in zip(runs(result.evidence), block.all(cls="fl-run"), strict=True):
        start, *rows = shown.all("tr", "fl-step")
        assert start.one("th").text == str(offset)
        views = [*evidence.stem, *evidence.loop]
        assert [row.one("th").text for row in rows] == [
            str(offset + number + 1) for number in range(len(views))
        ]
        for row, view in zip(rows, views, strict=True):
            labels = {pill.text for pill in row.all(cls="fl-pill")}
            assert labels == {view.label} or (view.event == "(idle)" and len(labels) == 1)
        looped = ["fl-looped" in row.classes for row in rows]
        assert looped == [False] * len(evidence.stem) + [True] * len(evidence.loop)
        assert len(shown.all("tr", "fl-mark")) == (2 if evidence.loop else 0)


@pytest.mark.parametrize("kind", WITH_EVIDENCE)
def test_pills_are_in_the_lanes_of_those_who_take_part(kind: str) -> None:
    for shown in page(kind).all(cls="fl-run"):
        titles = [head.text for head in shown.one("thead").all("th", "fl-lane")]
        data = shown.data
        for row, (*_, who, _) in zip(shown.all("tr", "fl-step")[1:], data["rows"][1:], strict=True):
            found: list[str] = []
            lane = 0
            for cell in row.all("td"):
                wide = int(cell.attributes.get("colspan") or 1)
                if "fl-taken" in cell.classes:
                    found += titles[lane : lane + wide]
                lane += wide * ("fl-lane" in cell.classes)
            taking_part = data["texts"][who].split(", ") if data["texts"][who] else []
            assert sorted(found) == sorted(taking_part or found)


@pytest.mark.parametrize("kind", WITH_EVIDENCE)
def test_values_are_those_of_the_states(kind: str) -> None:
    result = answered(kind)
    assert result.evidence is not None
    block = page(kind).all(cls="fl-evidence")[0]
    for (_, evidence), shown in zip(runs(result.evidence), block.all(cls="fl-run"), strict=True):
        names = [head.text for head in shown.one("thead").all("th", "fl-value")]
        before: dict[str, str] = {}
        states = [evidence.initial, *(view.state for view in (*evidence.stem, *evidence.loop))]
        for row, state in zip(shown.all("tr", "fl-step"), states, strict=True):
            now = values_of(state, names)
            for name, cell in zip(names, row.all("td", "fl-value"), strict=True):
                whole = cell.one("span").attributes.get("title") or cell.text
                assert whole == now[name]
                assert ("fl-changed" in cell.classes) == (before.get(name, now[name]) != now[name])
                assert bool(cell.all("b")) == ("fl-changed" in cell.classes)
            before = now


def values_of(state: dict[str, object], names: list[str]) -> dict[str, str]:
    """What a description says, as the page writes it."""
    variables = state.get("variables")
    if isinstance(variables, dict):
        return {name: re.sub(r"\s", "", str(variables[name])).lower() for name in names}
    true = state["propositions"]
    assert isinstance(true, list)
    return {name: str(state["state"]) if name == "state" else str(name in true).lower() for name in names}


@pytest.mark.parametrize("kind", WITH_EVIDENCE)
def test_the_script_is_told_the_states_and_what_is_possible(kind: str) -> None:
    result = answered(kind)
    assert result.evidence is not None
    system = result.evidence.system
    block = page(kind).all(cls="fl-evidence")[0]
    for (_, evidence), shown in zip(runs(result.evidence), block.all(cls="fl-run"), strict=True):
        data = shown.data
        run = evidence.run
        states = [run.start, *(step.target for step in (*run.stem, *run.loop))]
        steps = [None, *run.stem, *run.loop]
        for number, (row, state) in enumerate(zip(data["rows"], states, strict=True)):
            told = data["states"][row[1]]
            enabled = [step for step in system.steps(state) if step.event != "(idle)"]
            labels = [StepView(step.event, (), {}, ()).label for step in enabled]
            assert [data["texts"][event] for event, _ in told["enabled"]] == labels
            assert ("ending" in told) == (not enabled)
            taken = steps[number]
            if taken is not None and taken.event != "(idle)":
                assert system.steps(states[number - 1])[row[4]] == taken


@pytest.mark.parametrize("kind", LASSOS)
def test_why_a_loop_is_fair(kind: str) -> None:
    result = answered(kind)
    evidence = result.evidence
    assert evidence is not None
    if result.fairness.subject is Subject.NOBODY:
        return
    before, loop = len(evidence.run.stem), evidence.run.loop
    table = page(kind).all("table", "fl-reasons")[0]
    rows = {row.one("code").text: row for row in table.one("tbody").all("tr")}
    assert set(rows) == {reason.subject for reason in evidence.reasons}
    for reason in evidence.reasons:
        row = rows[reason.subject]
        places = [int(link.text) for link in row.all("a")]
        assert "✓ fair" in row.text
        if "taken at" in row.text:
            assert reason.taken is not None and places
            assert all(
                reason.subject in (loop[place - before - 1].event, *loop[place - before - 1].processes)
                for place in places
            )
        else:
            assert "not enabled after" in row.text and reason.taken is None
            for place in places:
                state = loop[place - before - 1].target
                enabled = evidence.system.steps(state)
                assert all(reason.subject not in (step.event, *step.processes) for step in enabled)


def test_whom_a_loop_treats_unfairly() -> None:
    evidence = answered("lasso").evidence
    assert evidence is not None
    rows = page("lasso").one("details").one("tbody").all("tr")
    for row, notion in zip(
        rows, [notion for notion in Fairness if notion.value[1:] in ("wf", "sf", "gf")], strict=True
    ):
        assert notion.value in row.one("th").text
        reasons = fairness_reasons(evidence.system, evidence.run, notion)
        fair = all(reason.is_fair for reason in reasons)
        assert row.all("td")[0].text == ("✓ counts" if fair else "✗ does not count")
        if not notion.is_global:
            named = {code.text for code in row.all("code")}
            assert named == {reason.subject for reason in reasons if not reason.is_fair}


def test_assumed_conditions_and_annotations_have_their_reasons() -> None:
    formula = first_subjects("lasso by formula")
    assert formula == ["GF up", "weak(Guest)"]
    assert first_subjects("annotations") == ["wf(a)"]
    assert "taken at step" in page("annotations").all("table", "fl-reasons")[0].text


def first_subjects(kind: str) -> list[str]:
    """Who has a row in the first table of reasons."""
    rows = page(kind).all("table", "fl-reasons")[0].one("tbody").all("tr")
    return [row.one("code").text for row in rows]


SENTENCES = {
    "lasso": "the system can repeat a loop of 2 steps forever.",
    "lasso pwf": "and that is fair (process-level weak fairness).",
    "safety formula": "1 step leads to a state after which the formula is false, however the execution ",
    "reached at once": "The initial state itself is a state in which the goal is true.",
    "deadlock": "1 step leads to a deadlock",
    "deadlock formula": "After 1 step no step is possible, forever.",
    "termination": "no step is possible",
    "optimum": "max(n) has its best value, 4",
    "determinism": "one event leads to two different states",
    "refinement": "what the specification does not allow",
    "progress": "After 1 step the system is in a terminal set of states",
    "error": "1 step leads to an error in ORDER.",
    "ctl": "Shown by 2 runs",
}


@pytest.mark.parametrize("kind", SENTENCES)
def test_a_run_is_told_in_a_sentence(kind: str) -> None:
    assert SENTENCES[kind] in page(kind).all(cls="fl-lead")[0].text


@pytest.mark.parametrize(
    "kind", ["determinism", "refinement", "failures", "progress", "error", "ctl universal"]
)
def test_what_explains_the_run_is_there(kind: str) -> None:
    evidence = answered(kind).evidence
    assert evidence is not None and evidence.explanation is not None
    lines = [line.strip() for line in evidence.explanation.lines()]
    assert [item.text for item in page(kind).one(cls="fl-meaning").all("li")] == lines


def test_the_end_of_fairness_is_evidence_too() -> None:
    blocks = page("no longer fair").all(cls="fl-evidence")
    assert len(blocks) == 2
    assert "no execution is fair" in blocks[1].one(cls="fl-lead").text


ROOM = """
var places = 3;
Guest() = [places > 0] enter{places--;} -> Inside();
Inside() = [places < 3] leave{places++;} -> Guest() [] [places == 3] wrong -> Stop;
Hotel() = ||| {3} @ Guest();
"""


def test_a_run_of_counted_processes_that_nobody_has_is_shown_as_such() -> None:
    model = fairlead.loads(ROOM, processes={"Guest": "inf"})
    result = model.check(model.formula("[] !wrong", "Hotel()"), counters=True)
    assert result.counters is not None and result.counters.spurious is not None
    shown = read(result.to_html())
    block = shown.one(cls="fl-evidence")
    assert "no instance was found" in block.one(cls="fl-lead").text
    assert len(block.all("tr", "fl-step")) == 1 + len(result.counters.spurious.run.stem)
    assert "counted: 1 or more x Guest()" in shown.one("ul", "fl-remarks").text
    assert shown.one("table", "fl-verdicts").one("a").text == "run"


def test_a_cycle_in_a_terminal_set_is_not_said_to_repeat_for_ever() -> None:
    assert "forever" not in page("progress").one("table", "fl-timeline").text
    assert not page("progress").all("details")


def test_branches_stand_below_what_they_hang_from() -> None:
    depths = [section.classes[1] for section in page("ctl nested").all(cls="fl-branch")]
    assert depths == ["fl-depth0", "fl-depth1", "fl-depth2"]
    assert "after step 1" in page("ctl").all(cls="fl-branch")[1].text.lower()


@pytest.mark.parametrize("kind", WITH_EVIDENCE)
def test_the_state_graph_has_the_run_in_it(kind: str) -> None:
    evidence = answered(kind).evidence
    assert evidence is not None
    block = page(kind).all(cls="fl-evidence")[0]
    numbers = {node.attributes["data-state"] for node in block.one(cls="fl-graph").all("g", "node")}
    for shown in block.all(cls="fl-run"):
        data = shown.data
        drawn = [data["states"][row[1]]["drawn"] for row in data["rows"]]
        assert {str(number) for number in drawn} <= numbers
    if evidence.demonstration is None:
        arrows = [
            arrow
            for move in block.one(cls="fl-graph").all("g", "transition")
            for arrow in move.all("path")
            if {"stem", "loop"} & set(arrow.classes)
        ]
        moves = [step for step in (*evidence.run.stem, *evidence.run.loop) if step.event != "(idle)"]
        assert bool(arrows) == bool(moves)


def test_a_large_state_graph_is_not_drawn_and_that_is_said() -> None:
    text = "var x:{0..99} = 0; P() = up{x = (x + 1) % 100;} -> P(); #assert P() |= <>[] x == 3;"
    shown = read(fairlead.loads(text).check("P() |= <>[] x == 3").to_html())
    assert not shown.all(cls="fl-graph")
    assert "The state graph is not drawn: it has more than 60 states." in shown.text
    model = fairlead.loads(text)
    whole = model.check(model.ctl("AG x < 50"))
    assert "The state graph is not drawn: it has 100 states." in read(whole.to_html()).text


def test_a_page_has_so_many_pictures_and_no_more(tune: Tune) -> None:
    tune(most_drawn=10)
    ways = " [] ".join(f"a{number} -> P()" for number in range(8))
    model = fairlead.loads(f"P() = start -> Q();\nQ() = {ways.replace('P()', 'Q()')};")
    results = [model.check(model.formula(f"[] !a{number}", "P()")) for number in range(8)]
    shown = read(str(fairlead.html_report(results)))
    assert len(shown.all(cls="fl-evidence")) == 8
    assert len(shown.all(cls="fl-graph")) == 5
    assert "there are enough pictures on this page" in shown.text


def test_the_parts_of_a_page_are_listed() -> None:
    model = fairlead.loads("P() = a -> P() [] b -> P(); #assert P() |= []<> a; #assert P() |= []<> b;")
    results = [model.check(question) for question in model.assertions]
    both = read(str(fairlead.html_report(results)))
    links = [link.attributes["href"] for link in both.one("nav", "fl-contents").all("a")]
    assert links == ["#e-verdicts", "#e1", "#e2", "#e-text"]
    holds = model.check(model.formula("[] (a || b || true)", "P()"))
    assert not read(str(fairlead.html_report(holds))).all("nav")
