"""The text of the model beside its runs: steps name their lines, and processes stand in it."""

from __future__ import annotations

from pathlib import Path

import fairlead
from fairlead import Result
from fairlead.cli.main import run
from tests.support.examples.loading import find_example
from tests.support.html.pages import Element, read

HANDSHAKE = """channel c 0;
Sender(i) = think.i ->
  c!i ->
  Sender(i);
Receiver() = c?x -> got.x -> Receiver();
System() = Sender(0) ||| Receiver();
#assert System() |= [] !got.0;
#assert System() |= [] !think.0;
"""


def check(text: str, question: int = 0) -> Result:
    model = fairlead.loads(text)
    return model.check(model.assertions[question])


def lines_of(page: Element) -> list[list[str]]:
    """For each row of the first run, the lines that it names."""
    rows = page.all(cls="fl-run")[0].all("tr", "fl-step")
    return [[link.text for link in row.one("td", "fl-line").all("a")] for row in rows]


def executed(page: Element) -> list[list[str]]:
    """For each row of the first run, the parts of the text that its step executes."""
    shown = page.all(cls="fl-run")[0]
    texts = [
        [line.one("code").text for line in source.one("tbody").all("tr")]
        for source in page.all(cls="fl-source")
    ]
    return [
        [texts[text][line - 1][start:end] for text, line, start, end in parts]
        for parts in shown.data["places"]
    ]


def standing(page: Element, row: int) -> dict[str, int]:
    """The lines where the processes stand in a row of the first run."""
    data = page.all(cls="fl-run")[0].data
    at = data["states"][data["rows"][row][1]]["at"]
    return {data["texts"][process]: line for _, line, process in at}


def test_steps_name_the_lines_that_they_execute() -> None:
    page = read(check(HANDSHAKE).to_html())
    assert lines_of(page) == [[], ["2"], ["3", "5"], ["5"]]
    assert executed(page) == [[], ["think.i"], ["c!i", "c?x"], ["got.x"]]


def test_processes_stand_where_they_go_on() -> None:
    page = read(check(HANDSHAKE).to_html())
    assert standing(page, 1) == {"Sender(0)": 3, "Receiver()": 5}
    assert standing(page, 2)["Sender(0)"] in (2, 4)


def test_the_text_is_there_once() -> None:
    model = fairlead.loads(HANDSHAKE)
    page = read(str(fairlead.html_report(model.check_all(fairness="none,ewf"))))
    assert len(page.all(cls="fl-run")) > 1
    code = page.one(cls="fl-source").one("tbody").all("code")
    assert [line.text for line in code] == HANDSHAKE.rstrip("\n").split("\n")


def test_actions_of_fsp_are_found_in_the_text() -> None:
    text = "A = (go -> A | stop -> STOP).\nB = (stop -> END).\n||S = (A || B).\n"
    model = fairlead.loads(text, language="lts")
    page = read(model.check("S deadlockfree").to_html())
    assert lines_of(page) == [[], ["1", "2"]]
    assert executed(page)[1] == ["stop", "stop"]
    assert standing(page, 0) == {"A": 1, "B": 2}


def test_a_graph_has_no_text() -> None:
    model = fairlead.load(find_example("critical_regions.json"))
    page = read(model.check(model.formula("[](T1 -> <> C1)")).to_html())
    assert not page.all(cls="fl-source") and not page.all(cls="fl-listing") and not page.all(cls="fl-line")
    assert "places" not in page.all(cls="fl-run")[0].data


def test_statements_and_branches_are_marked_but_not_what_surrounds_them() -> None:
    text = (
        "var x = 0;\nP() = if (x == 0) {\n  a{\n    x = 1;\n  } -> P()\n} else {\n  b -> Skip\n};\n"
        "#assert P() |= [] !b;\n"
    )
    page = read(check(text).to_html())
    assert executed(page) == [[], ["a{"], ["a", "x = 1;"], ["b -> Skip"], ["b"]], "of a branch its first line"
    assert lines_of(page) == [[], ["3"], ["3", "4"], ["7"], ["7"]]


def test_included_files_have_texts_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "part.csp").write_text("Part() = a -> b -> Skip;\n")
    main = tmp_path / "main.csp"
    main.write_text('#include "part.csp";\nSystem() = c -> Part();\n#assert System() |= [] !b;\n')
    assert run(["check", str(main), "--quiet", "--html", str(tmp_path / "page.html")]) == 1
    page = read((tmp_path / "page.html").read_text())
    heads = [source.one("thead").all("th")[1].text for source in page.all(cls="fl-source")]
    assert heads == ["main.csp", "part.csp"]
    assert lines_of(page) == [[], ["2"], ["part.csp:1"], ["part.csp:1"]]
    assert executed(page) == [[], ["c"], ["a"], ["b"]]


def test_the_place_that_fails_is_told() -> None:
    declared = "var a[2];\nvar n = 0;\n"
    text = f"{declared}P() = up{{n = n + 1;}} ->\n  put{{a[n] = 1;}} -> P();\n#assert P() deadlockfree;\n"
    page = read(check(text).to_html())
    number, line, start, end = page.one(cls="fl-run").data["fails"]
    assert number == 0 and line == 4 and text.split("\n")[3][start:end].startswith("a[n]")


# ---------------------------------------------------------------- handshakes


def test_an_arrow_leads_from_the_sender_to_the_receiver() -> None:
    page = read(check(HANDSHAKE).to_html())
    row = page.all("tr", "fl-step")[2]
    sender, receiver = row.all("td", "fl-taken")
    assert not sender.all(cls="fl-tip")
    assert "fl-rightward" in receiver.one(cls="fl-received").classes
    assert receiver.one("span", "fl-pill").attributes["title"] == "c.0, Sender(0) → Receiver()"
    swapped = HANDSHAKE.replace("Sender(0) ||| Receiver()", "Receiver() ||| Sender(0)")
    turned = read(check(swapped).to_html()).all("tr", "fl-step")[2].all("td", "fl-taken")
    assert turned[0].all(cls="fl-received") and "fl-rightward" not in turned[0].one(cls="fl-received").classes
    assert not turned[1].all(cls="fl-tip")


def test_what_is_possible_shows_the_direction_too() -> None:
    data = read(check(HANDSHAKE).to_html()).all(cls="fl-run")[0].data
    before = data["states"][data["rows"][1][1]]
    told = [(data["texts"][event], data["texts"][who]) for event, who in before["enabled"]]
    assert told == [("c.0", "Sender(0) → Receiver()")]


# ---------------------------------------------------------------- each run once, and the matrix


def test_a_run_of_several_results_is_shown_once() -> None:
    model = fairlead.loads("P() = a -> P() [] b -> P(); #assert P() |= []<> a; #assert P() |= []<> b;")
    results = model.check_all(fairness="none,pwf")
    page = read(str(fairlead.html_report(results)))
    blocks = page.all("section", "fl-evidence")
    assert len(blocks) == 2, "one for each assertion: both notions have the same run"
    for block in blocks:
        assert len(block.all(cls="fl-run")) == 1 and len(block.all(cls="fl-graph")) == 1
        assert "under process-level weak fairness" in block.one(cls="fl-served").text
        assert "Why the loop is fair" in block.text
    links = [link.attributes["href"] for link in page.one("table", "fl-verdicts").all("a")]
    assert links == ["#e1", "#e1", "#e2", "#e2"]


def test_runs_of_different_processes_are_not_taken_for_the_same() -> None:
    model = fairlead.loads("P() = a -> P(); Q() = a -> Q();")
    results = [model.check(model.formula("[] !a", name)) for name in ("P()", "Q()")]
    assert len(read(str(fairlead.html_report(results))).all("section", "fl-evidence")) == 2


def test_the_matrix_has_the_verdict_of_each_assertion_under_each_notion() -> None:
    model = fairlead.load(find_example("client_server.csp"))
    results = model.check_all(fairness="all")
    page = read(str(fairlead.html_report(results)))
    table = page.one("table", "fl-matrix")
    notions = [head.text for head in table.one("thead").all("th")][:-1]
    assert notions == ["none", "ewf", "esf", "pwf", "psf", "sgf"]
    known = {(result.assertion, result.fairness.value): result for result in results}
    rows = table.one("tbody").all("tr")
    assert [row.one("code").text for row in rows] == [question.text for question in model.assertions]
    for row in rows:
        for notion, cell in zip(notions, row.all("td"), strict=True):
            result = known.get((row.one("code").text, notion)) or known[row.one("code").text, "none"]
            assert cell.all("span")[0].attributes["title"] == result.verdict.value
            assert bool(cell.all("a")) == (result.evidence is not None)


def test_without_several_notions_there_is_no_matrix() -> None:
    model = fairlead.load(find_example("client_server.csp"))
    assert not read(str(fairlead.html_report(model.check_all()))).all("table", "fl-matrix")
