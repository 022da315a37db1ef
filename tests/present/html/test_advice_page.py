"""Advice as a page: verdicts, sets, and a run for each assumption; names of the model are text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

import fairlead
from fairlead.cli.main import run
from tests.support.examples.loading import find_example


class Texts(HTMLParser):
    """The texts of a page, and how often each element begins and ends."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: dict[str, int] = {}

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[tag] = self.open.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        self.open[tag] -= 1


def texts_of(page: str) -> str:
    parser = Texts()
    parser.feed(page)
    assert {tag for tag, count in parser.open.items() if count} <= {"meta", "br", "hr", "col"}
    return "\n".join(parser.texts)


def test_a_page_of_advice() -> None:
    model = fairlead.load(find_example("dining_philosophers.csp"))
    advice = model.advise("MixedCollege() |= []<> eat.0")
    text = texts_of(advice.to_html("philosophers"))
    assert "sf(LeftHanded(2)), sf(Philosopher(0))" in text
    assert "Counterexample with wf(LeftHanded(2)) instead of sf(LeftHanded(2))" in text
    assert text.count("repeat forever") >= len(advice.best.why)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("size", "expected"), [(4, "A violation that is strongly fair to every event and every process")]
)
def test_what_survives_is_shown(size: int, expected: str) -> None:
    model = fairlead.load(find_example("leader_election_ring.csp"), {"N": size})
    assert expected in texts_of(model.advise("LeaderElection() |= <>[] oneLeader")._repr_html_())


def test_names_are_text() -> None:
    graph = '{"states": 1, "transitions": [[0, "<script>x</script>", 0, ["<b>"]], [0, "b", 0, ["Q"]]]}'
    model = fairlead.loads(graph, "json")
    page = model.advise(model.formula('[]<> "<script>x</script>"')).to_html()
    assert "<script>x" not in page
    assert "wf(<b>)" in texts_of(page)


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    file = tmp_path / "advice.html"
    model = str(find_example("peterson.csp"))
    assert run(["advise", model, "System() |= []<> cs.0", "--no-trace", "--html", str(file)]) == 0
    assert "wf(Process(0))" in texts_of(file.read_text())
    assert run(["advise", model, "System() |= []<> cs.0", "--html", str(tmp_path / "no" / "x.html")]) == 2
