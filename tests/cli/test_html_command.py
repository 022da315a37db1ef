"""`fairlead check --html`: a page beside the usual output, whole or not at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import fairlead
from fairlead.api.answering import Answering
from fairlead.cli.main import run
from tests.support.html.kinds import LIGHT
from tests.support.html.pages import Element, read

FAILS = """
var x:{0..1} = 0;
P() = a{x = x + 1;} -> P();
Q() = b -> Q();
#assert P() deadlockfree;
#assert Q() deadlockfree;
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("light.csp").write_text(LIGHT)
    return "light.csp"


def page() -> Element:
    return read(Path("report.html").read_text())


def test_the_page_comes_beside_the_usual_output(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "--no-trace"]) == 1
    alone = capsys.readouterr().out
    assert run(["check", model, "--no-trace", "--html", "report.html"]) == 1
    beside = capsys.readouterr()
    assert [line[:40] for line in beside.out.splitlines()] == [line[:40] for line in alone.splitlines()]
    assert beside.err == ""
    assert len(page().one("table", "fl-verdicts").one("tbody").all("tr")) == 2
    assert len(page().all(cls="fl-evidence")) == 2


def test_title_version_and_options_are_on_it(model: str) -> None:
    run(
        [
            "check",
            "--fairness",
            "ewf,pwf",
            model,
            "System() |= []<> read",
            "--html",
            "report.html",
            "--no-trace",
        ]
    )
    assert page().one("h1").text == "light.csp"
    head = page().one("header").text
    assert f"fairlead {fairlead.__version__}, " in head
    assert "fairlead check light.csp 'System() |= []<> read' --fairness ewf,pwf --no-trace" in head


def test_with_json_standard_output_is_json(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "--json", "--html", "report.html"]) == 1
    results = json.loads(capsys.readouterr().out)["results"]
    assert len(results) == len(page().one("table", "fl-verdicts").one("tbody").all("tr"))


def test_with_quiet_there_is_a_page_too(model: str) -> None:
    run(["check", model, "--quiet", "--html", "report.html"])
    assert page().all(cls="fl-evidence")


def test_what_is_unknown_is_on_the_page(model: str) -> None:
    assert run(["check", model, "1", "--max-states", "1", "--html", "report.html"]) == 3
    row = page().one("table", "fl-verdicts").one("tbody").text
    assert "? unknown" in row and "max-states reached" in row


def test_what_could_not_be_asked_is_on_the_page(model: str) -> None:
    assert (
        run(
            ["check", model, "1", "Nobody() deadlockfree", "System() |= [] <script>", "--html", "report.html"]
        )
        == 2
    )
    # the third does not parse at all, so nothing was asked
    assert not Path("report.html").exists()
    Path("fails.csp").write_text(FAILS)
    assert run(["check", "fails.csp", "--html", "report.html"]) == 2
    rows = page().one("table", "fl-verdicts").one("tbody").all("tr")
    assert {"✓ holds", "! error"} == {row.all("td")[0].text for row in rows}


@pytest.mark.parametrize("place", ["missing/report.html", "folder", "light.csp/report.html"])
def test_a_place_that_cannot_be_written_is_refused_at_once(
    model: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    assert run(["check", model, "--html", place]) == 2
    shown = capsys.readouterr()
    assert "cannot write" in shown.err and shown.out == ""


def test_the_model_is_not_replaced(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", model, "--html", f"./{model}"]) == 2
    assert "would replace the model" in capsys.readouterr().err
    assert Path(model).read_text() == LIGHT


def test_nothing_is_written_for_a_wrong_model(model: str) -> None:
    Path("wrong.csp").write_text("P() = ;")
    assert run(["check", "wrong.csp", "--html", "report.html"]) == 2
    assert sorted(file.name for file in Path().iterdir()) == ["light.csp", "wrong.csp"]


def test_an_interrupted_command_writes_what_it_has(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Answering.check_alike
    asked: list[object] = []

    def interrupted(self: Answering, *arguments: object, **options: object) -> object:
        asked.append(arguments)
        if len(asked) > 1:
            raise KeyboardInterrupt
        return answer(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Answering, "check_alike", interrupted)
    assert run(["check", model, "--html", "report.html"]) == 130
    assert len(page().one("table", "fl-verdicts").one("tbody").all("tr")) == 1
    assert "interrupted" in page().one(cls="fl-notice").text
    assert "interrupted" in capsys.readouterr().err


def test_a_page_replaces_an_older_one_whole(model: str) -> None:
    Path("report.html").write_text("old")
    run(["check", model, "--html", "report.html"])
    assert page().all(cls="fl-evidence")
    assert sorted(file.name for file in Path().iterdir()) == ["light.csp", "report.html"]


def test_without_the_option_nothing_of_it_is_loaded(model: str) -> None:
    code = (
        "import sys; from fairlead.cli.main import run; run(['check', 'light.csp', '--no-trace']);"
        "ours = ('fairlead.present.html', 'fairlead.present.draw', 'fairlead.cli.html');"
        "print([name for name in sys.modules if name.startswith(ours)])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"
