"""Pages in a real browser: what a reader clicks, presses and sees."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead import Fairness, Result
from fairlead.evidence.evidence import Evidence
from fairlead.evidence.waiting import obstacle_text
from fairlead.model.waiting import waiting_in
from fairlead.simulation import random_walk
from tests.support.html.browser import Browser, browsing, missing_programs
from tests.support.html.kinds import HANDSHAKE, KINDS, LIGHT
from tests.support.html.long_runs import ring

MISSING = missing_programs()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

MUTEX = """
var lock = -1;
var level[2]:{0..1};
P(i) = ask.i{level[i] = 1;} -> [lock == -1] enter.i{lock = i;} -> leave.i{lock = -1; level[i] = 0;} -> P(i);
System() = ||| i:{0..1} @ P(i);
#assert System() |= []<> enter.0;
"""
EVIL = "<script>window.evil = 1</script>"
WORSE = "\"'><img src=x onerror='window.evil = 2'><b>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_goes_wrong(browser: Browser) -> Iterator[None]:
    """Whatever a test does, the page logs no error, and asks for nothing but its own file."""
    browser.log("browser")
    browser.log("performance")
    browser.prefer()
    browser.resize(1300, 900)
    yield
    assert [entry for entry in browser.log("browser") if entry["level"] != "INFO"] == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    asked = {
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    }
    assert all(re.fullmatch(r"file:///.*/shown\.html(#.*)?", address) for address in asked), asked


@cache
def mutex() -> Result:
    return fairlead.loads(MUTEX).check("System() |= []<> enter.0", "ewf")


def show(browser: Browser, folder: Path, text: str) -> None:
    file = folder / "shown.html"
    file.write_text(text, encoding="utf-8")
    browser.open(file)


def chosen(browser: Browser) -> list[int]:
    """The steps that are chosen, in all runs of the page."""
    script = "return [...document.querySelectorAll('.fl-chosen')].map(row => Number(row.dataset.step))"
    found: list[int] = browser.run(script)
    return found


def boxes(browser: Browser, selector: str) -> list[dict[str, float]]:
    """Where elements are: left, top, right, bottom."""
    script = (
        "return [...document.querySelectorAll(arguments[0])].map(one => {"
        "const {left, top, right, bottom} = one.getBoundingClientRect(); return {left, top, right, bottom}})"
    )
    found: list[dict[str, float]] = browser.run(script, selector)
    return found


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
    high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return wide > 1 and high > 1


# ---------------------------------------------------------------- stepping


def test_keys_move_the_cursor_and_go_round_the_loop(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    evidence = mutex().evidence
    assert evidence is not None
    stem, last = len(evidence.run.stem), len(evidence.run.stem) + len(evidence.run.loop)
    assert chosen(browser) == [0]
    browser.click("#e1-run-0")
    expected = [*range(1, last + 1), *range(stem + 1, last + 1), stem + 1]
    found = []
    for _ in expected:
        browser.press("ArrowDown")
        found += chosen(browser)
    assert found == expected
    assert "round 3" in browser.text(".fl-tools output")
    browser.press("ArrowUp")
    assert chosen(browser) == [last] and "round 2" in browser.text(".fl-tools output")
    browser.press("Home")
    assert chosen(browser) == [0]
    browser.press("End")
    assert chosen(browser) == [last]
    browser.press("ArrowLeft", "ArrowLeft", "ArrowRight")
    assert chosen(browser) == [last - 1]
    browser.press("l")
    assert chosen(browser) == [stem + 1]


def test_a_finite_run_ends(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, KINDS["deadlock"]().to_html())
    assert chosen(browser) == [1], "what a finite run shows is its last state"
    browser.click("#e1-run-0")
    browser.press("ArrowDown", "ArrowDown", "ArrowDown")
    assert chosen(browser) == [1]
    assert "deadlock: no step is possible" in browser.text(".fl-panel")


def test_clicks_and_buttons_move_the_cursor(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    browser.click("#e1-run-2 .fl-number")
    assert chosen(browser) == [2]
    browser.click(".fl-tools button:nth-child(3)")
    assert chosen(browser) == [3]
    browser.click(".fl-tools button:nth-child(2)")
    assert chosen(browser) == [2]
    browser.click(".fl-reasons tbody a")
    assert chosen(browser) == [int(browser.text(".fl-reasons tbody a"))]


def test_it_plays_and_pauses(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    # time passes at once, and the page cannot tell
    browser.run("window.setInterval = (action) => { window.tick = action; return 7; }")
    browser.click("#e1-run-0")
    browser.press("Space")
    assert "pause" in browser.text(".fl-tools")
    browser.run("tick(); tick(); tick()")
    assert chosen(browser) == [3]
    browser.press("Space")
    assert "play" in browser.text(".fl-tools")


def test_the_panel_follows_with_the_whole_state(browser: Browser, tmp_path: Path) -> None:
    result = mutex()
    show(browser, tmp_path, result.to_html())
    evidence = result.evidence
    assert evidence is not None
    run = evidence.run
    before, following = evidence.initial, [*run.stem, *run.loop, run.loop[0]]
    for number, view in enumerate([*evidence.stem, *evidence.loop], 1):
        browser.click(f"#e1-run-{number}")
        panel = browser.text(".fl-panel")
        assert f"After step {number}: {view.label}" in panel
        assert f"by {', '.join(view.processes)}" in panel
        for name, value in view.state["variables"].items():
            was, now = (str(shown).replace(" ", "") for shown in (before["variables"][name], value))
            marked = f"● {name}\t{was} → {now}" if was != now else f"\n{name}\t{now}"
            assert marked in panel
        for name, place in view.state["processes"].items():
            assert place in panel and name in panel
        enabled = evidence.system.steps(following[number - 1].target)
        assert f"Possible now ({len(enabled)})" in panel
        taken = following[number]
        assert f"→ {taken.event} by {', '.join(taken.processes)} (taken next)" in panel
        assert panel.count("(taken next)") == 1
        before = view.state


def test_the_panel_says_why_events_are_not_enabled(browser: Browser, tmp_path: Path) -> None:
    result = mutex()
    show(browser, tmp_path, result.to_html())
    evidence = result.evidence
    assert evidence is not None
    states = [evidence.run.start, *(step.target for step in [*evidence.run.stem, *evidence.run.loop])]
    opened = False
    for number, state in enumerate(states):
        browser.click(f"#e1-run-{number}")
        told = [
            (one.process, blocked) for one in waiting_in(evidence.system, state) for blocked in one.blocked
        ]
        panel = browser.text(".fl-panel")
        assert (f"Not enabled, and why ({len(told)})" in panel) == bool(told)
        if told and not opened:
            assert "is false" not in panel
            browser.click(".fl-blocked summary")
            opened, panel = True, browser.text(".fl-panel")
        for process, blocked in told:  # once it is open, it stays open from step to step
            assert f"{process}: {obstacle_text(blocked)}" in panel
    assert opened


def test_of_steps_that_look_alike_one_is_taken(browser: Browser, tmp_path: Path) -> None:
    model = fairlead.loads("P() = a -> b -> Stop [] a -> c -> Stop;")
    show(browser, tmp_path, model.check(model.formula("[] !c", "P()")).to_html())
    browser.click("#e1-run-0")
    assert browser.text(".fl-panel").count("a by P()") == 2
    assert browser.text(".fl-panel").count("(taken next)") == 1


def test_the_graph_shows_where_the_run_is(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    browser.click("#e1-run-1")
    here = browser.run("return [...document.querySelectorAll('.node.fl-here')].map(one => one.dataset.state)")
    assert len(here) == 1 and here != ["0"]
    browser.press("ArrowDown")
    moved = browser.run("return document.querySelector('.transition.fl-here').dataset.from")
    assert moved == here[0]
    browser.click('.node[data-state="0"]')
    assert chosen(browser) == [0]


def test_runs_of_one_page_are_stepped_through_one_by_one(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, KINDS["ctl nested"]().to_html())
    assert len(chosen(browser)) == 3
    starts = chosen(browser)
    browser.click(".fl-depth1 .fl-step:nth-child(2)")
    assert chosen(browser)[0] == starts[0] and chosen(browser)[1] == starts[1] + 1


# ---------------------------------------------------------------- what is seen


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_evidence_is_shown_without_a_complaint(
    browser: Browser, tmp_path: Path, kind: str
) -> None:
    show(browser, tmp_path, KINDS[kind]().to_html())
    count = browser.run("return document.querySelectorAll('.fl-run').length")
    assert browser.run("return document.querySelectorAll('.fl-run.fl-ready').length") == count
    for _ in range(min(count, 1)):
        browser.click(".fl-run .fl-start")
        browser.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp")


def test_the_loop_is_marked_by_a_bracket_and_in_words(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    assert "repeat forever" in browser.text(".fl-top")
    assert "and again from step" in browser.text(".fl-foot")
    looped = browser.run(
        "return [...document.querySelectorAll('.fl-looped .fl-bracket')].map("
        "cell => getComputedStyle(cell, '::before').borderLeftWidth)"
    )
    free = browser.run(
        "return [...document.querySelectorAll('tbody tr:not(.fl-looped) .fl-bracket')].map("
        "cell => getComputedStyle(cell, '::before').content)"
    )
    assert looped and all(float(width.removesuffix("px")) >= 2 for width in looped)
    assert free and set(free) == {"none"}


@pytest.mark.parametrize("width", [1300, 700, 380])
def test_nothing_lies_on_top_of_something_else(browser: Browser, tmp_path: Path, width: int) -> None:
    model = fairlead.loads(HANDSHAKE)
    results = [mutex(), model.check(model.formula("[]<> alone", "System()"))]
    browser.resize(width, 900)
    show(browser, tmp_path, str(fairlead.html_report(results)))
    for block in ("#e1", "#e2"):
        browser.run("document.querySelector(arguments[0]).scrollIntoView()", block)
        found = boxes(browser, f"{block} .fl-pill, {block} .fl-value span, {block} .fl-number")
        assert len(found) > 8
        for one, other in itertools.combinations(found, 2):
            # the heads of the table stay where they are while it scrolls
            assert not overlap(one, other) or width < 1300
        for one, other in itertools.combinations(boxes(browser, f"{block} tbody .fl-pill"), 2):
            assert not overlap(one, other)
        panel, table = boxes(browser, f"{block} .fl-panel")[0], boxes(browser, f"{block} .fl-scroll")[0]
        assert not overlap(panel, table)
    assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth")


def test_on_a_phone_the_state_is_in_view_while_its_run_is(browser: Browser, tmp_path: Path) -> None:
    browser.resize(390, 844)
    model = fairlead.loads("var x = 0; P() = [x < 60] a{x = x + 1;} -> P(); #assert P() deadlockfree;")
    show(browser, tmp_path, model.check("P() deadlockfree").to_html())
    browser.run("document.querySelector('.fl-run').scrollIntoView()")
    (panel,) = boxes(browser, ".fl-panel")
    assert panel["top"] >= 0 and panel["bottom"] <= browser.run("return window.innerHeight") + 1
    (row,) = boxes(browser, ".fl-chosen")
    assert not overlap(row, panel), "the chosen step can be seen above it"


def test_lanes_stand_below_their_names(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    heads = boxes(browser, "thead .fl-lane")
    evidence = mutex().evidence
    assert evidence is not None
    for number, view in enumerate([*evidence.stem, *evidence.loop], 1):
        lane = int(view.processes[0][2])
        (pill,) = boxes(browser, f"#e1-run-{number} .fl-pill")
        assert heads[lane]["left"] <= pill["left"] and pill["right"] <= heads[lane]["right"]


def test_events_of_several_processes_span_their_lanes(browser: Browser, tmp_path: Path) -> None:
    model = fairlead.loads(HANDSHAKE)
    result = model.check(model.formula("[]<> alone", "System()"))
    show(browser, tmp_path, result.to_html())
    script = (
        "return [...document.querySelectorAll('.fl-step')].map("
        "row => row.querySelectorAll('.fl-taken, .fl-passed').length)"
    )
    assert browser.run(script) == [0, 3, 1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_told_from_their_background(browser: Browser, tmp_path: Path, scheme: str) -> None:
    browser.prefer(prefers_color_scheme=scheme)
    results = [mutex(), KINDS["holds"](), KINDS["unknown"](), KINDS["ctl"]()]
    show(browser, tmp_path, str(fairlead.html_report(results)))
    browser.click("#e1-run-2")
    pairs = browser.run(_COLOURS)
    assert len(pairs) > 100
    poor = {(text, ink, paper) for text, ink, paper in pairs if contrast(rgb(ink), rgb(paper)) < 4.5}
    assert not poor
    dark = (
        sum(rgb(browser.run("return getComputedStyle(document.querySelector('main')).backgroundColor"))) < 100
    )
    assert dark == (scheme == "dark")


#: the colour of every text, and of the nearest background behind it
_COLOURS = """
const found = [];
const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.textContent.trim(), parent = walker.currentNode.parentElement;
  if (!text || parent.closest('script, style, svg, [hidden]')) continue;
  let behind = parent;
  while (getComputedStyle(behind).backgroundColor.endsWith(', 0)')) behind = behind.parentElement;
  found.push([text, getComputedStyle(parent).color, getComputedStyle(behind).backgroundColor]);
}
return found;
"""


def rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = (int(part) for part in re.findall(r"\d+", text)[:3])
    return red, green, blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """The ratio of WCAG 2."""

    def luminance(colour: tuple[int, int, int]) -> float:
        shares = [part / 255 for part in colour]
        linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_a_long_run_scrolls_in_its_table_and_keeps_the_cursor_in_sight(
    browser: Browser, tmp_path: Path
) -> None:
    graph, run = ring(3_000, 300)
    show(browser, tmp_path, Evidence(graph, run, Fairness.EVENT_WEAK)._repr_html_())
    browser.click(".fl-start")
    browser.press("End")
    table, row = boxes(browser, ".fl-scroll")[0], boxes(browser, ".fl-chosen")[0]
    assert chosen(browser) == [3_300]
    assert table["top"] <= row["top"] and row["bottom"] <= table["bottom"] + 1
    assert boxes(browser, "thead")[0]["top"] == pytest.approx(table["top"], abs=2)
    browser.press("Home")
    row, head = boxes(browser, ".fl-chosen")[0], boxes(browser, "thead")[0]
    assert row["top"] >= head["bottom"] - 1
    browser.press(*["ArrowDown"] * 121)
    # the state before is left out, so nothing is said to have changed
    assert chosen(browser) == [181]
    assert "●" not in browser.text(".fl-panel")


# ---------------------------------------------------------------- names of the model, notebooks, no script


def evil_graph() -> str:
    graph: dict[str, Any] = {
        "states": 2,
        "initial": 0,
        "transitions": [[0, EVIL, 1, [WORSE, EVIL]], [1, WORSE, 0, [EVIL]]],
        "props": {EVIL: [0], WORSE: [1]},
    }
    return json.dumps(graph)


@pytest.mark.parametrize("form", ["page", "part"])
def test_names_of_the_model_are_text_whatever_they_say(browser: Browser, tmp_path: Path, form: str) -> None:
    model = fairlead.loads(evil_graph(), "json")
    results = [model.check(model.formula(f'<>[] "{EVIL}"'), notion) for notion in ("none", "ewf", "sgf")]
    report = fairlead.html_report(results, EVIL)
    # a part has no policy that would keep scripts from running
    show(browser, tmp_path, str(report) if form == "page" else "<!DOCTYPE html>" + report._repr_html_())
    for _ in range(3):
        browser.click(".fl-start")
        browser.press("ArrowDown", "ArrowDown")
        assert EVIL in browser.text(".fl-panel") and WORSE in browser.text(".fl-panel")
    assert browser.run("return window.evil === undefined")
    assert browser.run("return document.querySelectorAll('img, main b b').length") == 0


def test_outputs_of_a_notebook_do_not_disturb_each_other(browser: Browser, tmp_path: Path) -> None:
    walked = random_walk(fairlead.simulate(fairlead.loads(LIGHT), "System()"), 4)
    values = [mutex(), mutex(), walked]
    outputs = "".join(f"<hr><p class='number'>text</p>{value._repr_html_()}" for value in values)
    show(browser, tmp_path, f"<!DOCTYPE html><body>{outputs}</body>")
    assert chosen(browser) == [0, 0, 4]
    browser.run("document.querySelectorAll('.fl-run')[1].querySelectorAll('.fl-step')[2].click()")
    assert chosen(browser) == [0, 2, 4]
    fonts = browser.run(
        "return [...document.querySelectorAll('body > p')].map(one => getComputedStyle(one).textAnchor)"
    )
    assert set(fonts) == {
        "start"
    }  # the numbers of pictures are centred, other elements of that class are not


def test_without_scripts_everything_can_be_read(browser: Browser, tmp_path: Path) -> None:
    browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
    try:
        show(browser, tmp_path, mutex().to_html())
        shown = browser.devtools("DOM.getDocument", depth=-1)
        assert "repeat forever" in json.dumps(shown, ensure_ascii=False)
    finally:
        browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.run("return document.querySelector('.fl-tools').hidden")
    evidence = mutex().evidence
    assert evidence is not None
    rows = boxes(browser, ".fl-step")
    assert len(rows) == 1 + len(evidence.stem) + len(evidence.loop)
    assert all(row["bottom"] > row["top"] for row in rows)


def test_on_paper_nothing_is_cut_off(browser: Browser, tmp_path: Path) -> None:
    graph, run = ring(100, 30)
    show(browser, tmp_path, "<!DOCTYPE html>" + Evidence(graph, run, Fairness.EVENT_WEAK)._repr_html_())
    browser.devtools("Emulation.setEmulatedMedia", media="print")
    table, scroll = boxes(browser, ".fl-timeline")[0], boxes(browser, ".fl-scroll")[0]
    assert scroll["bottom"] >= table["bottom"] - 1
    assert browser.run("return getComputedStyle(document.querySelector('.fl-tools')).display") == "none"
    browser.devtools("Emulation.setEmulatedMedia", media="")


# ---------------------------------------------------------------- the text of the model


def marked_text(browser: Browser) -> list[str]:
    found: list[str] = browser.run(
        "return [...document.querySelectorAll('.fl-listing mark')].map(mark => mark.textContent)"
    )
    return found


def test_the_text_beside_a_run_follows_the_cursor(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    shown = browser.run("return document.querySelector('.fl-listing code').textContent")
    assert shown == MUTEX.split("\n")[0] and marked_text(browser) == []
    browser.click("#e1-run-0")
    evidence = mutex().evidence
    assert evidence is not None
    before = browser.run("return document.querySelector('.fl-source').textContent")
    for step in (*evidence.run.stem, *evidence.run.loop):
        browser.press("ArrowDown")
        assert f"{step.event.partition('.')[0]}.i" in marked_text(browser)
        mark, listing = boxes(browser, ".fl-listing mark")[0], boxes(browser, ".fl-listing")[0]
        assert listing["top"] <= mark["top"] and mark["bottom"] <= listing["bottom"] + 1
    browser.press("Home")
    assert marked_text(browser) == []
    assert browser.run("return document.querySelector('.fl-source').textContent") == before
    copied = browser.run("return document.querySelector('.fl-listing table').textContent")
    assert "P(0), P(1)" in copied or "P(0)" in copied


def test_the_text_is_beside_the_run_and_on_a_phone_below_it(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, mutex().to_html())
    table, listing = boxes(browser, ".fl-side > .fl-scroll")[0], boxes(browser, ".fl-listing")[0]
    assert table["right"] <= listing["left"] and abs(table["top"] - listing["top"]) < 2
    browser.resize(390, 800)
    table, listing = boxes(browser, ".fl-side > .fl-scroll")[0], boxes(browser, ".fl-listing")[0]
    assert table["bottom"] <= listing["top"] and listing["right"] <= 390
    browser.run("document.querySelector('.fl-tools').scrollIntoView()")
    for selector in (".fl-side > .fl-scroll", ".fl-listing", ".fl-panel"):
        box = boxes(browser, selector)[0]
        assert box["top"] >= 0 and box["bottom"] <= 800, selector


def test_the_tip_of_an_arrow_touches_the_receiver(browser: Browser, tmp_path: Path) -> None:
    text = "channel c 0; A() = c!1 -> A(); B() = x -> B(); C() = c?y -> C(); S() = A() ||| B() ||| C();"
    model = fairlead.loads(text)
    show(browser, tmp_path, model.check(model.formula('[] !"c.1"', "S()")).to_html())
    sender, receiver = boxes(browser, "#e1-run-1 .fl-pill")
    tip = boxes(browser, "#e1-run-1 .fl-tip")[0]
    assert sender["right"] < tip["left"] and abs(tip["right"] - receiver["left"]) < 1.5
    assert abs((tip["top"] + tip["bottom"]) - (receiver["top"] + receiver["bottom"])) < 2
