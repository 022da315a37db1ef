"""Counterexamples that differ in substance, against all that there are (tests/support/oracle)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import fairlead
from fairlead.model.run import Run
from fairlead.model.system import idle_step
from fairlead.search import further
from tests.support.asking.runs import judge_evidence
from tests.support.oracle.formulas import Formula, formula_text
from tests.support.oracle.graphs import Graph, random_graph
from tests.support.oracle.verdict import Product, all_components, random_case
from tests.support.sampling import some

MANY = 50
#: more edges in a component would be too many sets of them
MOST_EDGES = 11


def ends(result: fairlead.Result) -> list[object]:
    return [evidence.run.loop_start for evidence in result.counterexamples]


def reached(graph: Graph, goes_on: Callable[[int], bool]) -> set[int]:
    """The states that are reached through states where it continues."""
    found, pending = {graph.initial}, [graph.initial]
    while pending:
        state = pending.pop()
        if goes_on(state):
            more = {step.target for step in graph.outgoing(state)} - found
            found |= more
            pending += more
    return found


def differ(one: set[str], other: set[str]) -> bool:
    """A run that stops differs from all others, a loop from those that execute all of its events."""
    if not one or not other:
        return one != other
    return not one <= other and not other <= one


def events_of(run: Run) -> set[str]:
    return {step.event for step in run.loop if step != idle_step(step.target)}


def smallest_loops(graph: Graph, formula: Formula, notion: str) -> set[frozenset[str]] | None:
    """The smallest sets of events of fair loops that violate the formula; an empty one for idling."""
    product = Product(graph, formula)
    components = all_components(product, MOST_EDGES)
    if components is None:
        return None
    found = {
        frozenset(edge.step.event for edge in component if edge.step.event is not None)
        for component in components
        if product.meets_eventualities(component) and product.is_fair(component, notion)
    }
    return {one for one in found if not any(other < one for other in found if other)}


@pytest.mark.parametrize("seed", some(range(60)))
def test_every_deadlock_is_found(seed: int) -> None:
    graph = random_graph(Random(seed), max_states=9, max_transitions=12)
    expected = {state for state in reached(graph, lambda _: True) if not graph.outgoing(state)}
    model = fairlead.loads(graph.to_json(), "json")
    result = model.check("graph deadlockfree", counterexamples=MANY)
    assert set(ends(result)) == expected and len(ends(result)) == len(expected)
    assert result.further is None or result.further.is_all


@pytest.mark.parametrize("seed", some(range(60)))
def test_every_state_is_found_in_which_an_invariant_is_first_violated(seed: int) -> None:
    graph = random_graph(Random(seed), max_states=9, max_transitions=14)
    bad = set(Random(seed).sample(range(graph.states), k=min(3, graph.states)))
    graph = Graph(graph.states, graph.initial, graph.transitions, {**graph.props, "bad": frozenset(bad)})
    model = fairlead.loads(graph.to_json(), "json")
    result = model.check(ltl="[] !bad", fairness="psf", counterexamples=MANY)
    expected = reached(graph, lambda state: state not in bad) & bad
    assert set(ends(result)) == expected and len(ends(result)) == len(expected)
    for evidence in result.counterexamples:
        judge_evidence(graph, evidence.run, ("G", ("not", ("prop", "bad"))), "psf")


@pytest.mark.parametrize("seed", some(range(60)))
def test_every_end_of_a_forbidden_event_is_found(seed: int) -> None:
    graph = random_graph(Random(seed), max_states=9, max_transitions=14)
    if not graph.events():
        return
    event = graph.events()[0]
    others = tuple(step for step in graph.transitions if step.event != event)
    before = reached(Graph(graph.states, graph.initial, others, {}), lambda _: True)
    expected = {step.target for step in graph.transitions if step.event == event and step.source in before}
    model = fairlead.loads(graph.to_json(), "json")
    result = model.check(ltl=f"[] !{event}", counterexamples=MANY)
    assert set(ends(result)) == expected and len(ends(result)) == len(expected)


def compare_loops(graph: Graph, formula: Formula, notion: str) -> int:
    """How many there are, by brute force; 0 if that would be too much, or if finite runs decide."""
    model = fairlead.loads(graph.to_json(), "json")
    result = model.check(ltl=formula_text(formula), fairness=notion, counterexamples=MANY)
    if not result.counterexamples or not result.counterexamples[0].run.loop:
        return 0
    loops = [events_of(evidence.run) for evidence in result.counterexamples]
    for number, loop in enumerate(loops):
        assert all(differ(loop, other) for other in loops[:number]), loops
    for evidence in result.counterexamples:
        judge_evidence(graph, evidence.run, formula, notion)
    expected = smallest_loops(graph, formula, notion)
    if expected is None:
        return 0
    assert set(map(frozenset, loops)) == expected, (graph, formula_text(formula), notion)
    return len(expected)


@pytest.mark.parametrize("chunk", range(10))
def test_every_smallest_loop_is_found(chunk: int) -> None:
    for seed in some(range(chunk, 300, 10)):
        compare_loops(*random_case(seed))


def test_there_are_often_several() -> None:
    """Loops without an event, under a notion that leaves many of them."""
    counts = []
    for seed in range(60):
        graph = random_graph(Random(seed), max_states=6, max_transitions=12)
        for event in graph.events()[:1]:
            counts += [
                compare_loops(graph, ("G", ("F", ("event", event))), notion) for notion in ("none", "pwf")
            ]
    assert sum(count > 1 for count in counts) > 5


@pytest.mark.parametrize("seed", some(range(20)))
def test_no_more_than_asked_for(seed: int) -> None:
    graph = random_graph(Random(seed), max_states=9, max_transitions=9)
    model = fairlead.loads(graph.to_json(), "json")
    every = model.check("graph deadlockfree", counterexamples=MANY)
    two = model.check("graph deadlockfree", counterexamples=2)
    assert len(two.counterexamples) == min(2, len(every.counterexamples))
    if two.further is not None:
        assert two.further.is_all == (len(every.counterexamples) <= 2)


def test_searches_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "P(i) = a.i -> P(i); Q() = b -> Q(); S() = (||| i:{0..5} @ P(i)) ||| Q();\n#assert S() |= []<> b;"
    monkeypatch.setattr(further, "MOST_SEARCHES", 4)
    result = fairlead.loads(text, "csp").check("1", counterexamples=MANY)
    assert result.further is not None and not result.further.is_all
    assert result.further.problem == "limit of searches"
    assert "whether there are others is unknown" in str(result)
