"""The labs of the course: the models to complete fail, the solutions pass, and tricks fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.cli.main import run
from tests.support.docs.pages import blocks
from tests.support.places import DOCS

COURSE = DOCS / "course"
LABS = COURSE / "labs"
MODELS = sorted(path for path in LABS.iterdir() if path.suffix != ".expect")
PAGES = sorted(path for path in COURSE.glob("*.md") if path.name != "index.md")
_GRADED = re.compile(r"^\$ fairlead grade (\S+) (\S+)(.*)$", re.MULTILINE)


def page_of(model: Path) -> str:
    (found,) = (text for text in map(read, PAGES) if f"<!-- file: {model.name} -->" in text)
    return found


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def graded(model: Path) -> dict[str, list[str]]:
    """The models that the page of a lab grades, with the options it grades them with."""
    expected = model.with_suffix(".expect").name
    return {
        name: options.split()
        for name, against, options in _GRADED.findall(page_of(model))
        if against == expected
    }


def options_of(model: Path) -> list[str]:
    return graded(model)[model.name]


def grade(folder: Path, text: str, model: Path) -> int:
    path = folder / model.name
    path.write_text(text, encoding="utf-8")
    return run(["grade", str(path), str(model.with_suffix(".expect")), *options_of(model)])


def solution_of(model: Path) -> str:
    (name,) = graded(model).keys() - {model.name}
    (text,) = (block.body for block in blocks(page_of(model)) if block.name == name)
    return text


def test_there_are_five_labs() -> None:
    assert len(MODELS) == len(PAGES) == len(list(LABS.glob("*.expect"))) == 5


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_the_page_shows_the_files_that_are_handed_out(model: Path) -> None:
    shown = {block.name: block.body for block in blocks(page_of(model))}
    for path in (model, model.with_suffix(".expect")):
        assert shown[path.name] == read(path)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_the_solution_is_folded(model: Path) -> None:
    page = page_of(model)
    folded = page.partition("<details>")[2].partition("</details>")[0]
    assert page.count("<details>") == page.count("</details>") == 1
    assert solution_of(model) in folded
    questions = page.partition("## Questions")[2].partition("<details>")[0]
    asked, answered = (re.findall(r"^\d+\.", text, re.MULTILINE) for text in (questions, folded))
    assert asked == answered != []


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_the_model_to_complete_fails(model: Path, tmp_path: Path) -> None:
    assert grade(tmp_path, read(model), model) == 1


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_the_solution_passes(model: Path, tmp_path: Path) -> None:
    assert grade(tmp_path, solution_of(model), model) == 0


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_deleting_the_assertions_does_not_help(model: Path, tmp_path: Path) -> None:
    without = re.sub(r"^(?:#assert|progress) .*\n", "", read(model), flags=re.MULTILINE)
    assert without != read(model)
    assert grade(tmp_path, without, model) == 1


MUTEX, STARVATION, ELECTION, STRESS, MUSEUM = (
    LABS / name for name in ("mutex.csp", "starvation.csp", "election.csp", "stress.lts", "museum.csp")
)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        pytest.param(MUTEX, "System() = rest.0 -> System();", id="a system that does nothing"),
        pytest.param(
            MUTEX,
            """
            var turn = 0;
            Process(i) = rest.i -> Process(i) [] request.i -> Waiting(i);
            Waiting(i) = [turn == i] enter.i -> leave.i{turn = 1 - i;} -> Process(i);
            System() = Process(0) ||| Process(1);
            """,
            id="processes that take turns",
        ),
        pytest.param(
            MUTEX,
            """
            var turn = 0;
            Process(i) = [turn == i] request.i -> enter.i -> leave.i{turn = 1 - i;} -> Process(i);
            System() = Process(0) ||| Process(1);
            """,
            id="processes that must request",
        ),
        pytest.param(
            MUTEX,
            """
            Process(i) = rest.i -> Process(i) [] request.i -> enter.i -> leave.i -> Process(i);
            System() = Process(0) ||| Process(1);
            """,
            id="no protocol at all",
        ),
        pytest.param(
            STARVATION,
            """
            #define N 3;
            var free = true;
            Worker(i) = [free] take.i{free = false;} -> put.i{free = true;} -> Worker(i);
            Lock() = ||| i:{0..N-1} @ Worker(i);
            var turn = 0;
            Customer(i) = [turn == i] ask.i -> enter.i -> leave.i{turn = (turn + 1) % N;} -> Customer(i);
            Queue() = ||| i:{0..N-1} @ Customer(i);
            """,
            id="customers who must ask in turn",
        ),
        pytest.param(
            ELECTION,
            """
            #define N 5;
            var token[N] = [1, 0, 0, 0, 0];
            Node(i) = [token[i] == 1] move.i{token[i] = 0; token[(i + 1) % N] = 1;} -> Node(i);
            Ring() = ||| i:{0..N-1} @ Node(i);
            """,
            id="one leader from the start",
        ),
        pytest.param(
            ELECTION,
            read(ELECTION).replace("meet.i ", "meet.i{token[i] = 0; token[(i + 1) % N] = 0;} "),
            id="both tokens disappear",
        ),
        pytest.param(
            STRESS,
            solution_of(STRESS).replace("SYSTEM >> {reader[1..N].release, writer.release}", "SYSTEM"),
            id="no stress",
        ),
        pytest.param(
            STRESS,
            solution_of(STRESS).replace("r < N &&", "r < 1 &&"),
            id="one reader at a time",
        ),
        pytest.param(
            MUSEUM,
            "Museum() = enter -> leave -> clean -> done -> Museum();\nvar inside = 0;",
            id="a single process",
        ),
        pytest.param(
            MUSEUM,
            read(MUSEUM).replace("[inside == 0] clean", "clean"),
            id="a cleaner who does not wait",
        ),
    ],
)
def test_tricks_do_not_pass(model: Path, text: str, tmp_path: Path) -> None:
    assert text not in (read(model), solution_of(model))
    assert grade(tmp_path, text, model) in (1, 2)
