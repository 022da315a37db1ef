"""For every two notions of fairness there is a model that distinguishes them, and no smaller one does."""

from __future__ import annotations

import re

import pytest

import fairlead
from tests.support.examples.expected_notions import PAIRS, SQUARE, Pair, Square
from tests.support.examples.loading import load_example
from tests.support.examples.smallest import NOTIONS, Frame, Small, smallest, tells
from tests.support.places import ROOT

README = ROOT / "examples" / "fairness_notions" / "README.md"
#: the search through all graphs with three transitions takes a minute or two
SEARCHED_AT_ONCE = 3


def by_id(item: Pair | Square) -> str:
    return item.id if isinstance(item, Pair) else item.name


def small(model: fairlead.Model, process: str, first: str | None = None) -> Small:
    """The graph of a process, with its events numbered; one of them may have to be the first."""
    graph = model.graph(f"{process}()")
    steps = [(source, step) for source, out in graph.transitions.items() for step in out]
    events = sorted({step.event for _, step in steps}, key=lambda event: (event != first, event))
    processes = sorted({process for _, step in steps for process in step.processes})
    assert graph.initial == 0
    arcs = tuple((source, events.index(step.event), step.target) for source, step in steps)
    parts = tuple(
        frozenset(number for number, (_, step) in enumerate(steps) if process in step.processes)
        for process in processes
    )
    return Small(Frame(arcs, graph.state_count, len(events)), parts)


def verdict(model: fairlead.Model, process: str, formula: str, notion: str) -> bool:
    """The verdict under a notion, or, where that is an annotation of the process, without a notion."""
    question = model.formula(formula, f"{process}()")
    result = model.check(question, notion if notion in {n.value for n in fairlead.Fairness} else "none")
    return bool(result) and not result.is_vacuous


@pytest.mark.parametrize("pair", PAIRS, ids=by_id)
def test_pairs_are_told_apart(pair: Pair) -> None:
    model = load_example(f"{pair.name}.csp")
    assert verdict(model, pair.process, pair.formula, pair.holds)
    assert not verdict(model, pair.other_process or pair.process, pair.formula, pair.violated)


@pytest.mark.parametrize("pair", PAIRS, ids=by_id)
def test_no_smaller_graph_tells_a_pair_apart(pair: Pair) -> None:
    found = small(load_example(f"{pair.name}.csp"), pair.process, pair.event)
    assert tells(found, [pair.holds], [pair.violated])
    assert smallest([pair.holds], [pair.violated], found.size) is None


def both_kinds(square: Square) -> tuple[list[str], list[str]]:
    verdicts = square.row.by_notion
    return [n for n, holds in verdicts.items() if holds], [n for n, holds in verdicts.items() if not holds]


@pytest.mark.parametrize("square", SQUARE, ids=by_id)
def test_sizes_in_the_square(square: Square) -> None:
    found = small(load_example(f"{square.name}.csp"), square.process)
    assert found.size == square.size
    assert tells(found, *both_kinds(square))


@pytest.mark.parametrize("square", [s for s in SQUARE if s.size[0] <= SEARCHED_AT_ONCE], ids=by_id)
def test_no_smaller_graph_has_the_same_verdicts(square: Square) -> None:
    assert smallest(*both_kinds(square), square.size) is None


@pytest.mark.long
@pytest.mark.parametrize("square", [s for s in SQUARE if s.size[0] > SEARCHED_AT_ONCE], ids=by_id)
def test_no_smaller_graph_with_four_transitions_has_the_same_verdicts(square: Square) -> None:
    assert smallest(*both_kinds(square), square.size) is None


def test_the_square_is_complete() -> None:
    """Strong follows from weak, and sgf from all: three ways for events, times three for processes."""
    kinds = {tuple(square.row.by_notion[n] for n in ("ewf", "esf", "pwf", "psf")) for square in SQUARE}
    ways = ((True, True), (False, True), (False, False))
    assert kinds == {events + processes for events in ways for processes in ways}


def test_all_notions_are_told_from_all_others() -> None:
    """Unless one of two notions is known to be the stronger, some model here distinguishes them."""
    above = {
        "none": {*NOTIONS} - {"none"},
        "ewf": {"esf", "sgf"},
        "pwf": {"psf", "sgf", "impartial"},
        "esf": {"sgf"},
        "psf": {"sgf", "impartial"},
        "sgf": set(),
        "impartial": set(),
    }
    graphs = [small(load_example(f"{square.name}.csp"), square.process) for square in SQUARE]
    for one in above:
        for other in above:
            told = any(tells(graph, [one], [other]) for graph in graphs)
            assert told == (one != other and other not in above[one]), (one, other)


def test_the_readme_has_every_pair() -> None:
    rows = re.findall(
        r"^\| `(\S+)` \| `(\S+)` \| .*?`(\w+)\.csp`", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(rows) == {(pair.holds, pair.violated, pair.name) for pair in PAIRS}
