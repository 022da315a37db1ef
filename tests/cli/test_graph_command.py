"""`fairlead graph` as a command: pictures with stored runs, files written whole, and mistakes."""

from __future__ import annotations

import json
import os
import re
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.present.draw.emphasis import Mark, emphasis
from fairlead.present.draw.style import LIGHT
from tests.support.examples.loading import find_example
from tests.support.places import DOCS, ROOT

PETERSON = str(find_example("peterson.csp"))
SVG = "{http://www.w3.org/2000/svg}"

REGIONS = str(find_example("critical_regions.json"))
HIDING = """
A = (start -> work -> done -> A).
B = (done -> rest -> B).
||S = (A || B) \\ {work}.
minimal ||M = (A || B) \\ {work}.
fluent BUSY = <start, done>
"""
SEVERAL_STARTS = "var x:{0..2} = *;\nP() = a{x = 0;} -> P() [] c -> P();\n#assert P() |= []<> c;\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stored(model: str, *questions: str, capsys: pytest.CaptureFixture[str], name: str = "r.json") -> None:
    run(["check", model, *questions, "--json"])
    Path(name).write_text(capsys.readouterr().out)


def marked(text: str, mark: str) -> set[tuple[str | None, str | None]]:
    """The arrows that have a mark."""
    root = ElementTree.fromstring(text.encode())
    return {
        (group.get("data-from"), group.get("data-to"))
        for group in root.iter(f"{SVG}g")
        for path in group.findall(f"{SVG}path")
        if group.get("class") == "transition" and mark in (path.get("class") or "").split()
    }


def test_a_stored_lasso_is_found_in_the_graph(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(PETERSON, "--ltl", "[]<> cs.0", capsys=capsys)
    assert run(["graph", PETERSON, "--format", "svg", "--highlight", "r.json", "-o", "out.svg"]) == 0
    text = Path("out.svg").read_text()
    evidence = json.loads(Path("r.json").read_text())["results"][0]["evidence"]
    assert len(marked(text, "stem")) == len(evidence["stem"])
    assert len(marked(text, "loop")) == len(evidence["loop"])
    assert [path.name for path in here.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "name", ["peterson", "dining_philosophers", "test_and_set", "watchdog", "alternating_bit"]
)
def test_runs_are_runs_of_the_graph(name: str) -> None:
    """Every step of the run has its transition in the graph, with the same event and processes."""
    model = fairlead.load(find_example(f"{name}.csp"))
    found = 0
    for result in model.check_all():
        if result.evidence is None:
            continue
        found += 1
        process = model.assertion(result.assertion).process
        graph, path = model.graph(process), model.run_of(result)
        assert path.start == graph.initial
        state = path.start
        for step in (*path.stem, *path.loop):
            assert step in graph.steps(state) or (step.event == "(idle)" and not graph.steps(state))
            state = step.target
        assert not path.loop or state == path.loop_start
        assert [step.event for step in path.stem] == [view.event for view in result.evidence.stem]
        shown = emphasis(graph, path)
        assert shown.of_state(graph.initial) is not Mark.NONE
        assert shown == emphasis(graph, model.run_of(result.to_json()))
    assert found


def filled(text: str, tint: str) -> set[int]:
    """The states that have a tint in a Graphviz file."""
    return {int(state) for state in re.findall(rf'^  (\d+) \[.*fillcolor="{tint}"', text, re.MULTILINE)}


# ---------------------------------------------------------------- where a formula holds


@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ([], {3, 6}),
        (["--fairness", "psf"], {1, 3, 4, 6, 7}),
        (["--fair", "strong(P1)"], {1, 3, 4, 6, 7}),
        (["--fairness", "pwf", "--fair", "FG !enter2"], {1, 3, 4, 6, 7}),
    ],
)
def test_where_a_formula_holds(
    options: list[str], holds: set[int], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["graph", REGIONS, "--ctl", "A[T1 U C1]", *options]
    texts = {}
    for form in ("svg", "dot", "json"):
        assert run([*command, "--format", form]) == 0
        texts[form] = capsys.readouterr().out
        assert run([*command, "--format", form]) == 0
        assert capsys.readouterr().out == texts[form]
    green = {
        int(group.get("data-state", ""))
        for group in ElementTree.fromstring(texts["svg"].encode()).iter(f"{SVG}g")
        for circle in group.findall(f"{SVG}circle")
        if group.get("class") == "node" and "tint1" in circle.get("class", "").split()
    }
    assert green == holds
    assert f">holds in {len(holds)} states<" in texts["svg"]
    assert filled(texts["dot"], LIGHT.tints[1]) == holds
    assert json.loads(texts["json"])["props"]["A[T1 U C1]"] == sorted(holds)


@pytest.mark.parametrize(
    ("options", "assumed"),
    [
        ([], None),
        (["--fairness", "none"], None),
        (["--finite-paths"], "on infinite paths only"),
        (["--fairness", "esf"], "under event-level strong fairness"),
        (["--fair", "GF  enter1"], "under GF enter1"),
        (
            ["--fairness", "pwf", "--fair", "GF enter1", "--finite-paths"],
            "under process-level weak fairness and GF enter1, on infinite paths only",
        ),
    ],
)
def test_the_legend_says_which_paths_count(
    options: list[str], assumed: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["graph", REGIONS, "--ctl", "EF\n C1", *options, "--format", "dot"]) == 0
    heading = "EF C1\\l" if assumed is None else f"EF C1\\l{assumed}\\l"
    assert f'label="{heading}";' in capsys.readouterr().out


def test_finite_paths(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text("P() = a -> P() [] b -> Stop;\n")
    found = []
    for options in ([], ["--finite-paths"]):
        assert (
            run(["graph", "m.csp", "--process", "P()", "--ctl", "EX true", "--format", "dot", *options]) == 0
        )
        found.append(filled(capsys.readouterr().out, LIGHT.tints[1]))
    assert found == [{0, 1}, {0}]


def test_formulas_that_read_the_step_before(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After `a` and after `c` the state is the same: the formula holds after one of them."""
    Path("m.csp").write_text("P() = a -> Q() [] c -> Q();\nQ() = d -> P();\n")
    command = ["graph", "m.csp", "--process", "P()", "--ctl"]
    assert run([*command, "a && EX d", "--format", "svg"]) == 0
    text = capsys.readouterr().out
    assert ">holds in no state<" in text
    assert ">holds in 1 state after some of the steps into it only<" in text
    assert '<circle class="state tint2"' in text
    assert run([*command, "a && EX d", "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["props"] == {"a && EX d": [], "a && EX d after some steps": [1]}
    # the event keeps its name
    assert run([*command, "a", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["props"] == {"(a)": [], "(a) after some steps": [1]}


def test_written_formulas_can_be_asked_about(here: Path) -> None:
    assert run(["graph", REGIONS, "--ctl", "AF C1", "-o", "answered.json"]) == 0
    model = fairlead.load("answered.json")
    assert model.check(model.formula('[]("AF C1" <-> C1)'))
    assert model.check(model.ctl('AG ("AF C1" <-> AF C1)'))
    assert not model.check(model.formula('[] "AF C1"'))


@pytest.mark.parametrize("process", ["S", "M"])
def test_processes_that_hide_are_drawn_as_they_are_checked(
    here: Path, capsys: pytest.CaptureFixture[str], process: str
) -> None:
    Path("m.lts").write_text(HIDING)
    assert run(["graph", "m.lts", "--process", process, "--ctl", "EX work", "--format", "dot"]) == 0
    text = capsys.readouterr().out
    before_work = {int(state) for state in re.findall(r'^  (\d+) -> \d+ \[label="work"', text, re.MULTILINE)}
    assert len(before_work) == 2
    assert filled(text, LIGHT.tints[1]) == before_work
    assert "under strong global fairness" in text  # as it is meant in FSP
    assert run(["graph", "m.lts", "--process", process, "--format", "dot"]) == 0
    assert "work" not in capsys.readouterr().out


def test_fluents_of_the_fairness_formula(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.lts").write_text(HIDING)
    model = fairlead.load("m.lts")
    question = model.ctl("AF done", "S")
    found = model.states(question, fair="GF BUSY")
    graph = model.graph(question=question, fair="GF BUSY")
    assert found.total == graph.state_count == model.size(question=question, fair="GF BUSY")[0]
    assert found.holds == set(range(graph.state_count))
    assert (
        run(["graph", "m.lts", "--process", "S", "--ctl", "AF done", "--fair", "GF BUSY", "--format", "svg"])
        == 0
    )
    assert ">under GF BUSY<" in capsys.readouterr().out


def test_a_stored_answer_is_shown_with_its_formula(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(REGIONS, "--ctl", "AG (T1 -> AF C1)", capsys=capsys)
    for options in ([], ["--ctl", "T1 -> AF C1"], ["--terminal"]):
        assert run(["graph", REGIONS, "--format", "svg", "--highlight", "r.json", *options]) == 0
        text = capsys.readouterr().out
        assert marked(text, "stem")
        assert marked(text, "loop")
        assert (">holds in 5 states<" in text) == ("--ctl" in options)


def test_a_stored_answer_must_be_about_the_same_fluents(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("m.lts").write_text(HIDING)
    stored("m.lts", "--process", "S", "--ctl", "EF BUSY", capsys=capsys)
    command = ["graph", "m.lts", "--highlight", "r.json", "--format", "dot"]
    assert run([*command, "--ctl", "AG EF BUSY"]) == 0
    assert "penwidth=2" in capsys.readouterr().out
    assert run([*command, "--ctl", "AG EF start"]) == 2
    assert "the result belongs to another system than the formula" in capsys.readouterr().err


def test_the_state_before_several_initial_ones_has_no_tint(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("m.csp").write_text(SEVERAL_STARTS)
    assert run(["graph", "m.csp", "--ctl", "EX a", "--format", "dot"]) == 0
    text = capsys.readouterr().out
    graph = fairlead.load("m.csp").graph()
    assert filled(text, LIGHT.tints[1]) == set(range(graph.state_count)) - {graph.initial}
    assert 'label="holds in 3 states"' in text


def test_warnings_about_the_formula_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", REGIONS, "--ctl", "T1 || C1 && AF C1"]) == 0
    shown = capsys.readouterr()
    assert "warning[precedence]" in shown.err
    json.loads(shown.out)


def test_limits_while_a_formula_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("json", "dot", "svg"):
        assert run(["graph", PETERSON, "--ctl", "AF cs.0", "--max-states", "5", "--format", form]) == 3
        assert "error[limit]" in capsys.readouterr().err
    model = fairlead.load(PETERSON)
    with pytest.raises(fairlead.LimitReached, match="max-states reached while exploring"):
        model.states(model.ctl("AF cs.0"), limits=fairlead.Limits(max_states=5))


# ---------------------------------------------------------------- systems and files


def test_several_initial_states(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text(SEVERAL_STARTS)
    stored("m.csp", capsys=capsys)
    assert run(["graph", "m.csp", "--format", "svg", "--highlight", "r.json"]) == 0
    text = capsys.readouterr().out
    graph = fairlead.load("m.csp").graph()
    assert any(source == str(graph.initial) for source, _ in marked(text, "stem"))


def test_graph_files_can_be_highlighted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(find_example("critical_regions.json"))
    stored(model, "--ltl", "[](T1 -> <> C1)", capsys=capsys)
    assert run(["graph", model, "--format", "dot", "--highlight", "r.json", "--terminal"]) == 0
    text = capsys.readouterr().out
    assert "penwidth=2" in text
    assert "fillcolor" in text


def test_large_systems_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", PETERSON, "--format", "svg", "--max-drawn", "20"]) == 2
    message = capsys.readouterr().err
    assert "error[limit]: the graph has 34 states; a picture of more than 20 is hard to read" in message
    assert "--max-drawn" in message
    assert run(["graph", PETERSON, "--format", "dot", "--max-drawn", "20"]) == 0


def test_the_time_limit_holds_while_states_are_listed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("json", "svg"):
        assert run(["graph", PETERSON, "--format", form, "--timeout", "1e-9"]) == 3
        assert "timeout reached while" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "png"], "'png'"),
        (["--format", "aut", "--terminal"], "not for aut"),
        (["--highlight", "r.json"], "not for json"),
        (["--format", "svg", "--result", "1"], "--result chooses"),
        (["--format", "svg", "--highlight", "none.json"], "cannot read"),
        (["--format", "svg", "--highlight", "bad.json"], "is not JSON"),
        (["--format", "svg", "--highlight", "r.json"], "2 results of"),
        (["--format", "svg", "--highlight", "r.json", "--result", "9"], "there is no result 9"),
        (["--format", "svg", "--highlight", "r.json", "--result", "1", "--process", "Q()"], "is about P()"),
        (["--format", "svg", "--highlight", "other.json"], "does not fit the model"),
        (["--format", "svg", "--highlight", "shape.json"], "a result has an 'assertion'"),
        (["--format", "svg", "-o", "missing/out.svg"], "cannot write 'missing/out.svg'"),
        (["--format", "svg", "-o", "."], "is a directory"),
        (["--format", "svg", "--max-drawn", "0"], "0 is not in the range"),
        (["--format", "aut", "--ctl", "AF a"], "--ctl is for svg, dot and json, not for aut"),
        (["--format", "svg", "--ctl", "AF a", "--terminal"], "both colour states"),
        (["--format", "svg", "--fair", "GF a"], "--fair is for a formula given with --ctl"),
        (["--format", "svg", "--fairness", "esf"], "--fairness is for a formula given with --ctl"),
        (["--finite-paths"], "--finite-paths is for a formula given with --ctl"),
        (["--format", "dot", "--ctl", "AF a", "--fairness", "esf,psf"], "one notion at a time"),
        (["--format", "dot", "--ctl", "AF a", "--fairness", "strong"], "unknown fairness 'strong'"),
        (["--format", "dot", "--ctl", "AF nothing"], "'nothing' is neither"),
        (["--format", "svg", "--ctl", "AF (a"], "error[formula]"),
        (["--format", "svg", "--ctl", "AF a", "--fair", "F a"], "fairness:1:"),
    ],
)
def test_mistakes(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    two = "P() = a -> P() [] b -> P();\nQ() = b -> Q();\n#assert P() |= []<> a;\n#assert P() |= []<> b;\n"
    Path("m.csp").write_text(two)
    Path("n.csp").write_text("P() = a -> P() [] c -> P();\n#assert P() |= []<> a;\n")
    Path("bad.json").write_text("{")
    Path("shape.json").write_text(json.dumps({"results": [{"evidence": {}}]}))
    stored("m.csp", capsys=capsys)
    stored("n.csp", capsys=capsys, name="other.json")
    own = [] if "--process" in arguments else ["--process", "P()"]
    assert run(["graph", "m.csp", *own, *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not [path for path in here.iterdir() if path.name.startswith(".") or path.suffix == ".svg"]


def test_files_without_permission_are_kept(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("out.svg").write_text("mine")
    Path("out.svg").chmod(0o444)
    if os.access(
        "out.svg", os.W_OK
    ):  # root may write everywhere: then the system is made to say what others hear
        monkeypatch.setattr(os, "access", lambda path, mode, **_: mode != os.W_OK)
    assert run(["graph", PETERSON, "--format", "svg", "-o", "out.svg"]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert Path("out.svg").read_text() == "mine"


def test_files_are_replaced_with_their_mode(here: Path) -> None:
    Path("out.json").write_text("old")
    Path("out.json").chmod(0o640)
    Path("link.json").symlink_to("out.json")
    assert run(["graph", PETERSON, "-o", "link.json"]) == 0
    assert Path("link.json").is_symlink()
    assert Path("out.json").stat().st_mode & 0o777 == 0o640
    assert fairlead.load("out.json").size() == (34, 62)
    assert run(["graph", PETERSON, "-o", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()


def test_the_pictures_of_the_docs_are_up_to_date(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are what the commands beside them write."""
    page = (DOCS / "how-to" / "drawings.md").read_text()
    Path("examples").symlink_to(ROOT / "examples")
    Path("trap.csp").write_text(page.partition("```csp\n")[2].partition("```")[0])
    written = 0
    for line in page.splitlines():
        if not line.startswith("$ fairlead ") or (" -o " not in line and " > " not in line):
            continue
        *arguments, sign, name = shlex.split(line.removeprefix("$ fairlead "))
        if sign == ">":
            run(arguments)
            Path(name).write_text(capsys.readouterr().out)
        else:
            assert run([*arguments, sign, name]) == 0
            assert Path(name).read_text() == (DOCS / "images" / name).read_text(), name
            written += 1
    assert written == page.count("](../images/")
