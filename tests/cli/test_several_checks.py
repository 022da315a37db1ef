"""Several checks in one command: ranges of constants, several models, standard input, pictures."""

from __future__ import annotations

import io
import itertools
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.base.forms import Form
from fairlead.cli.main import run
from fairlead.cli.sweep import sweep_of
from fairlead.present.draw.growth import GrowthChart, Point, Series, growth_svg, ticks
from tests.support.documents import require_valid

COUNT = """\
#define N 3;
#define K 1;
var x:{0..20} = 0;
P() = [x < N * K] up{x = x + 1;} -> P() [] [x == N * K] reset{x = 0;} -> P();
#assert P() deadlockfree;
#assert P() |= [] x != 4;
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("count.csp").write_text(COUNT, encoding="utf-8")
    Path("ends.lts").write_text("P = (a -> P).\n||S = P.\n", encoding="utf-8")
    Path("wrong.csp").write_text("P() = -> ;", encoding="utf-8")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["check", *arguments])
    output = capsys.readouterr()
    return status, re.sub(r" +\d+\.\d{3}  ", "  T  ", output.out), output.err


# ---------------------------------------------------------------- ranges


def test_values() -> None:
    assert sweep_of(("N=2..5", "K=1,3,1", "M=-1..1,7", "Z=9")).values == {
        "N": ["2", "3", "4", "5"],
        "K": ["1", "3"],
        "M": ["-1", "0", "1", "7"],
    }
    assert sweep_of(("Z=9",)).points == [{}] and sweep_of(("Z=9",)).fixed == {"Z": "9"}
    assert sweep_of(("N=1,2", "K=5,6")).points == [
        {"N": "1", "K": "5"},
        {"N": "1", "K": "6"},
        {"N": "2", "K": "5"},
        {"N": "2", "K": "6"},
    ]
    assert sweep_of(("N=4..4",)).points == [{"N": "4"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N=5..2", "the range 5..2 is empty"),
        ("N=1,,2", "a value is missing"),
        ("N=0..99999999", "more than 10,000 values"),
        ("N", "expected NAME=VALUE"),
    ],
)
def test_wrong_values(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        sweep_of((text,))
    with pytest.raises(InputError, match="combinations of values"):
        sweep_of(("N=1..200", "K=1..200"))


def test_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "count.csp", "2", "-D", "N=2..4", "-D", "K=1,2", "--no-trace")
    assert status == 1
    assert out == (
        "N  K  verdict   fairness        states   transitions   seconds  assertion\n"
        "2  1  holds     none                 3             3  T  P() |= [] x != 4\n"
        "2  2  violated  none                 5             4  T  P() |= [] x != 4\n"
        "3  1  holds     none                 4             4  T  P() |= [] x != 4\n"
        "3  2  violated  none                 5             4  T  P() |= [] x != 4\n"
        "4  1  violated  none                 5             4  T  P() |= [] x != 4\n"
        "4  2  violated  none                 5             4  T  P() |= [] x != 4\n"
    )


def test_each_row_is_that_of_a_single_check(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "count.csp", "-D", "N=1..6", "--json"])
    for line in capsys.readouterr().out.splitlines():
        document = json.loads(line)
        require_valid(Form.CHECK, document)
        alone = fairlead.load("count.csp", document["definitions"]).check_all()
        found = [(result["verdict"], result["states"]) for result in document["results"]]
        assert found == [(result.verdict.value, result.statistics.states) for result in alone]


def test_traces_say_which_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "count.csp", "2", "-D", "N=3,4")[1]
    assert "counterexample to P() |= [] x != 4 (N=4)" in out
    out = said(capsys, "count.csp", "2", "-D", "N=3..5")[1]
    assert "1 more result comes with a trace" in out


def test_remarks_say_which_they_are_about(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "count.csp", "1", "-D", "N=2,3", "--reduction", "por", "--no-trace")[1]
    assert re.search(r"^N=2:\n\S.*\nN=3:\n\S", out, re.MULTILINE), out


def test_a_value_that_fails_does_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = said(capsys, "count.csp", "1", "-D", "N=30,2", "--no-trace")
    assert status == 2 and "error" in out.splitlines()[1] and "holds" in out.splitlines()[2]
    assert "value-out-of-range" in error
    run(["check", "count.csp", "-D", "M=1,2", "--json"])
    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [document["definitions"] for document in documents] == [{"M": "1"}, {"M": "2"}]
    for document in documents:
        require_valid(Form.CHECK, document)
        assert document["errors"] and not document["results"]


# ---------------------------------------------------------------- pictures


def test_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "count.csp", "-D", "N=2..5", "--plot", "growth.svg", "--no-trace")[0] == 1
    root = ElementTree.parse("growth.svg").getroot()
    texts = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"count.csp", "states", "seconds", "N", "2", "3", "4", "5"} <= set(texts)
    assert "P() deadlockfree [none]" in texts and "P() |= [] x != 4 [none]" in texts
    lines = list(root.iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(lines) == 4 and all(len(line.attrib["points"].split()) == 4 for line in lines)


def test_points_of_a_picture_rise_with_what_they_show() -> None:
    points = tuple(Point(float(x), 10.0**x, x < 4) for x in range(1, 5))
    picture = growth_svg(GrowthChart("t & u", "N", ("states",), (Series("<a>", (points,)),)))
    root = ElementTree.fromstring(picture)
    track = next(root.iter("{http://www.w3.org/2000/svg}polyline")).attrib["points"]
    places = [tuple(map(float, place.split(","))) for place in track.split()]
    across = [x for x, _ in places]
    gaps = [round(after - before, 1) for (_, before), (_, after) in itertools.pairwise(places)]
    assert across == sorted(across) and all(gap < 0 for gap in gaps)
    assert max(gaps) - min(gaps) < 0.3  # powers of ten are equally far from each other
    assert picture.count('class="open') == 2 and "a limit was reached" in picture  # a point, and the legend


@pytest.mark.parametrize("count", range(1, 60))
def test_ticks(count: int) -> None:
    values = [float(value) for value in range(count)]
    assert set(ticks(values)) <= set(values) and 1 <= len(ticks(values)) <= 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["count.csp", "--plot", "x.svg"], "--plot is for one model with a range"),
        (["count.csp", "ends.lts", "-D", "N=1,2", "--plot", "x.svg"], "--plot is for one model with a range"),
        (["count.csp", "-D", "N=a,b", "--plot", "x.svg"], "not all numbers"),
        (["count.csp", "-D", "N=1,2", "--plot", "no/x.svg"], "cannot write 'no/x.svg'"),
        (["count.csp", "-D", "N=1,2", "--plot", "count.csp"], "that is the model"),
        (["count.csp", "-D", "N=1,2", "--html", "x.html"], "--html is for one model"),
        (["count.csp", "ends.lts", "--junit", "x.xml"], "--junit is for one model"),
        (["count.csp", "-D", "N=1,2", "--checkpoint", "x"], "--checkpoint is for one model"),
        (["-", "--watch"], "--watch is for files"),
    ],
)
def test_what_is_refused(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(COUNT))
    status, _, error = said(capsys, *arguments)
    assert status == 2 and message in error
    assert Path("count.csp").read_text(encoding="utf-8") == COUNT


# ---------------------------------------------------------------- several models


def test_several_models(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("P() = a -> Stop; #assert P() deadlockfree;"))
    status, out, error = said(capsys, "count.csp", "wrong.csp", "-", "none.csp", "--no-trace")
    assert status == 2
    assert out == (
        "model      verdict   fairness        states   transitions   seconds  assertion\n"
        "count.csp  holds     none                 4             4  T  P() deadlockfree\n"
        "count.csp  holds     none                 4             4  T  P() |= [] x != 4\n"
        "wrong.csp  error     -                    -             -         -  \n"
        "<stdin>    violated  none                 2             1  T  P() deadlockfree\n"
        "none.csp   error     -                    -             -         -  \n"
        "\n"
        "count.csp  2 holds\n"
        "wrong.csp  1 error\n"
        "<stdin>    1 violated\n"
        "none.csp   1 error\n"
    )
    assert "wrong.csp:1:" in error and "cannot read 'none.csp'" in error


def test_the_status_is_the_worst(capsys: pytest.CaptureFixture[str]) -> None:
    Path("stuck.csp").write_text("P() = a -> Stop; #assert P() deadlockfree;", encoding="utf-8")
    Path("big.csp").write_text(
        "var x = 0; P() = a{x = x + 1;} -> P(); #assert P() deadlockfree;", encoding="utf-8"
    )
    limit = ("--max-states", "100")
    assert run(["check", "count.csp", "count.csp"]) == 0
    assert run(["check", "big.csp", "count.csp", *limit]) == 3
    assert run(["check", "big.csp", "stuck.csp", *limit]) == 1
    assert run(["check", "stuck.csp", "wrong.csp", "big.csp", *limit]) == 2
    capsys.readouterr()


def test_assertions_are_asked_of_all_models(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "count.csp", "P() deadlockfree", "ends.lts", "--quiet")[1]
    assert [line.split()[:2] for line in out.splitlines()] == [["count.csp", "holds"], ["ends.lts", "holds"]]


def test_standard_input_alone(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("P = (a -> STOP)."))
    status, out, _ = said(capsys, "-", "--language", "lts", "P deadlock", "--json")
    document = json.loads(out)
    require_valid(Form.CHECK, document)
    assert (status, document["model"]) in ((1, "<stdin>"), (2, "<stdin>"))
    monkeypatch.setattr("sys.stdin", io.StringIO("P() = -> ;"))
    assert said(capsys, "-")[2].startswith("<stdin>:1:")


def test_an_assertion_may_end_like_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("up.aut").write_text('des (0, 1, 1)\n(0, "a", 0)\n', encoding="utf-8")
    status, out, _ = said(capsys, "up.aut", "refines up.aut")
    assert status == 0 and out.splitlines()[0].startswith("verdict")
