"""Condensed graphs, compared with what their definitions say, on random graphs."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import fairlead
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.system import Step
from fairlead.service.documents import Workspace
from fairlead.service.jobs import Job, Outcome
from fairlead.service.pictures import MOST_TOLD, by_components, by_process, neighbourhood, quotient
from fairlead.service.requests import JobKind, request
from tests.support.places import ROOT

SEEDS = range(150)


def random_graph(seed: int) -> ExplicitGraph:
    generator = random.Random(seed)
    count = generator.randint(1, 9)
    transitions = {
        state: [
            Step(generator.choice("abc"), frozenset(), generator.randrange(count))
            for _ in range(generator.choice((0, 1, 1, 2, 3)))
        ]
        for state in range(count)
    }
    values = {
        state: {"processes": {"P": generator.choice(("here", "there", "away"))}} for state in range(count)
    }
    return ExplicitGraph(count, 0, transitions, values=values)


def reaches(graph: ExplicitGraph) -> list[set[int]]:
    """By the definition: which states can be reached from each, by closing the relation."""
    count = graph.state_count
    found = [{state, *(step.target for step in graph.transitions[state])} for state in range(count)]
    for middle, start in product(range(count), repeat=2):
        if middle in found[start]:
            found[start] |= found[middle]
    return found  # Warshall: the middle is the outer loop


def edges(graph: ExplicitGraph) -> set[tuple[int, str, int]]:
    return {(state, step.event, step.target) for state, steps in graph.transitions.items() for step in steps}


@pytest.mark.parametrize("seed", SEEDS)
def test_components_are_states_that_reach_each_other(seed: int) -> None:
    graph = random_graph(seed)
    found = by_components(graph)
    reach = reaches(graph)
    group = {state: number for number, members in enumerate(found.groups) for state in members}
    assert sorted(group) == list(range(graph.state_count))
    for one, other in product(range(graph.state_count), repeat=2):
        assert (group[one] == group[other]) == (other in reach[one] and one in reach[other])
    assert found.graph.initial == group[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_quotient_has_the_transitions_between_its_groups(seed: int) -> None:
    graph = random_graph(seed)
    for found in (by_components(graph), by_process(graph, "P")):
        group = {state: number for number, members in enumerate(found.groups) for state in members}
        expected = {
            (group[source], event, group[target])
            for source, event, target in edges(graph)
            if group[source] != group[target] or len(found.groups[group[source]]) == 1
        }
        assert edges(found.graph) == expected
    for number, members in enumerate(found.groups):
        assert {graph.values[state]["processes"]["P"] for state in members} == {found.names[number]}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_neighbourhood_has_the_nearest_states(seed: int) -> None:
    graph = random_graph(seed)
    centre = random.Random(-seed).randrange(graph.state_count)
    most = random.Random(seed).randint(1, 6)
    found = neighbourhood(graph, centre, most)
    both = {(one, other) for one, _, other in edges(graph)} | {(other, one) for one, _, other in edges(graph)}
    distance = {centre: 0}
    for length in range(graph.state_count):
        for one, other in both:
            if distance.get(one) == length:
                distance.setdefault(other, length + 1)
    kept = {members[0] for members in found.groups}
    assert len(kept) == min(most, len(distance)) and centre in kept
    farthest = max(distance[state] for state in kept)
    assert all(state in kept for state, length in distance.items() if length < farthest)


def drawn(path: Path, text: str | None = None, **given: Any) -> Outcome:
    workspace = Workspace()
    document = workspace.open(path, text or path.read_text())
    with Job(request(workspace, document, JobKind.GRAPH, **given)) as job:
        return job.outcome()


def test_small_graphs_are_whole_and_large_ones_condensed() -> None:
    """10, 300 and 10,000 states: a drawing, a map, and the components."""
    path = ROOT / "examples" / "philosophers" / "dining_philosophers.csp"
    sizes = {}
    for number in (2, 5, 8):
        record = drawn(path, process="College()", picture={}, definitions={"N": str(number)}).record
        assert record is not None
        sizes[number] = (record["view"], record["states"], len(record["nodes"]), record["svg"] is not None)
    assert sizes == {
        2: ("whole", 10, 10, True),
        5: ("whole", 392, 392, False),
        8: ("components", 14158, 2, False),
    }


def test_views() -> None:
    path = ROOT / "examples" / "mutual_exclusion" / "peterson.csp"
    model = fairlead.load(path)
    for view in ("strong", "weak"):
        record = drawn(path, process="System()", picture={"view": view}).record
        assert record is not None
        assert len(record["nodes"]) == model.minimise("System()", view).graph.state_count
    record = drawn(path, process="System()", picture={"view": "process", "of": "Process(0)"}).record
    assert record is not None and sum(node["size"] for node in record["nodes"]) == 34
    record = drawn(path, process="System()", picture={"view": "near", "of": 3}).record
    assert record is not None and record["nodes"][record["initial"]]["of"] == 3
    stored = model.check("System() |= []<> cs.0", "none").to_json()
    record = drawn(path, process="System()", picture={"view": "whole"}, replay=stored).record
    assert record is not None and {node.get("mark") for node in record["nodes"]} == {None, "stem", "loop"}


@pytest.mark.parametrize(
    "wrong",
    [{"view": "x"}, {"view": "near", "of": 99}, {"view": "near", "of": "1"}, {"view": "process", "of": "X"}],
)
def test_views_that_there_are_not(wrong: dict[str, Any]) -> None:
    path = ROOT / "examples" / "mutual_exclusion" / "peterson.csp"
    outcome = drawn(path, process="System()", picture=wrong)
    assert outcome.status.value == "refused" and outcome.message


def test_what_nobody_can_read_is_not_told() -> None:
    path = ROOT / "examples" / "philosophers" / "dining_philosophers.csp"
    for view in ("whole", "strong"):
        outcome = drawn(path, process="College()", picture={"view": view}, definitions={"N": "6"})
        assert outcome.status.value == "refused" and "too many to be readable" in outcome.message
    # a line of single states: there are as many components, and it is its own smallest graph
    text = "var x = 0;\nP() = [x < 900] a.x{x++;} -> P();\n#assert P() deadlockfree;\n"
    record = drawn(Path("/m/line.csp"), text, process="P()", picture={}).record
    assert record is not None and (record["view"], len(record["nodes"])) == ("near", 60) and MOST_TOLD < 900


def test_fsp_processes_have_their_alphabets() -> None:
    text = "A = (go -> stop -> A) + {never}.\n||S = A \\ {stop}.\n"
    whole = drawn(Path("/m/a.lts"), text, process="A", picture={}).record
    composite = drawn(Path("/m/a.lts"), text, process="||S", picture={}).record
    assert whole is not None and whole["alphabet"] == ["go", "never", "stop"]
    assert composite is not None and "stop" not in composite["alphabet"] and "go" in composite["alphabet"]
    assert json.dumps(whole["edges"][0]["labels"]) == '["go"]'


def test_a_quotient_of_a_part_forgets_the_rest() -> None:
    graph = ExplicitGraph(3, 0, {0: [Step("a", frozenset(), 1)], 1: [Step("b", frozenset(), 2)], 2: []})
    found = quotient(graph, [[0], [1]], {})
    assert edges(found.graph) == {(0, "a", 1)}
