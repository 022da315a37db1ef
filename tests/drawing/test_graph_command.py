"""`fairlead graph` as a command: pictures with stored runs, files written whole, and mistakes."""

from __future__ import annotations

import json
import os
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from fairlead.drawing.emphasis import Mark, emphasis

EXAMPLES = Path(__file__).parents[2] / "examples"
PETERSON = str(EXAMPLES / "csp" / "peterson.csp")
SVG = "{http://www.w3.org/2000/svg}"

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
    model = fairlead.load(EXAMPLES / "csp" / f"{name}.csp")
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


def test_several_initial_states(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.csp").write_text(SEVERAL_STARTS)
    stored("m.csp", capsys=capsys)
    assert run(["graph", "m.csp", "--format", "svg", "--highlight", "r.json"]) == 0
    text = capsys.readouterr().out
    graph = fairlead.load("m.csp").graph()
    assert any(source == str(graph.initial) for source, _ in marked(text, "stem"))


def test_graph_files_can_be_highlighted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(EXAMPLES / "explicit" / "critical_regions.json")
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
        assert "(timeout reached)" in capsys.readouterr().err


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
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "drawings.md").read_text()
    Path("examples").symlink_to(EXAMPLES)
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
            assert Path(name).read_text() == (docs / "images" / name).read_text(), name
            written += 1
    assert written == page.count("](images/")
