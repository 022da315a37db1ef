"""Compositions of machines: the engine, the reference semantics, and a naive composition.

Priorities, ERROR, END and the search for what is unsafe.
"""

from __future__ import annotations

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.base.source import Source
from fairlead.engine.network import EngineNetwork
from fairlead.evidence.validate import ReachesDeadlock, ReachesUnsafe, problem_with
from fairlead.lang.explicit.read import read_json
from fairlead.lang.explicit.write import to_json
from fairlead.model.assertion import Safe
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from fairlead.model.tree import FIRST_POSITION, Configuration, leaves
from fairlead.outcome.finding import Finding, Verdict
from fairlead.outcome.limits import Limits
from fairlead.search.explicit_target import ExplicitTarget
from fairlead.search.reach import check_deadlock, check_nonterminating, check_safety
from fairlead.search.space import explicit_graph
from fairlead.search.target import NetworkTarget, Target, target_of
from fairlead.simulation.text import state_text
from fairlead.simulation.value import Status, take
from tests.support.oracle.machine_networks import (
    Composite,
    NaiveGraph,
    NaiveState,
    naive_graph,
    network_of,
    random_composite,
)
from tests.support.sampling import some
from tests.support.steps import compare_network, explore_reference

DEFAULT_SEEDS = range(400)
LONG_SEEDS = range(1000, 11_000)
CHUNKS = 5


def compare(composite: Composite) -> None:
    """All three agree on every state and transition, and on what is stuck, has ended or gone wrong."""
    network, expected = network_of(composite), naive_graph(composite)
    assert expected is not None
    system = NetworkSystem(network)
    explored = explore_reference(network, 1 << 20)
    names = {state: naive(composite, system, state) for state in explored.depth}
    assert {names[state]: depth for state, depth in explored.depth.items()} == expected.depth
    assert len(set(names.values())) == len(names)
    for state, steps in explored.steps.items():
        found = [(step.event, step.processes, names[step.target]) for step in steps]
        assert len(found) == len(set(found))
        assert set(found) == set(expected.steps[names[state]])
        assert system.has_terminated(state) == expected.is_end(names[state])
        failed = names[state][0] if expected.is_error(names[state]) else None
        assert system.failed_process(state) == failed
    compare_network(network, explored)
    target = NetworkTarget(network, Limits())
    compare_verdicts(target, expected)
    graph = explicit_graph(NetworkTarget(network, Limits()), {})
    compare_verdicts(ExplicitTarget(graph, Limits()), expected)
    compare_verdicts(target_of(read_json(Source("graph", to_json(graph))), Limits()), expected)


def naive(composite: Composite, system: NetworkSystem, state: State) -> NaiveState:
    """A configuration as the naive composition has it."""
    assert isinstance(state, Configuration)
    behaviour = system.network.behaviour
    flag = state.values[0] if state.values else 0
    failed = system.failed_process(state)
    if failed is not None:
        return failed, flag
    places = []
    for number, leaf in enumerate(leaves(state.tree)):
        states = range(composite.machines[number].state_count)
        (place,) = (place for place in states if behaviour.position(number, place) == leaf.state.position)
        places.append(place)
    return tuple(places), flag


def compare_verdicts(target: Target, expected: NaiveGraph) -> None:
    """The nearest goals, their distances, and how much there is in all."""
    stuck = [depth for state, depth in expected.depth.items() if expected.is_deadlock(state)]
    wrong = [depth for state, depth in expected.depth.items() if expected.is_error(state)]
    still = [depth for state, depth in expected.depth.items() if not expected.steps[state]]
    # whatever was explored for an earlier question
    for _ in range(2):
        finding = check_safety(target)
        compare_finding(target, finding, [*stuck, *wrong], expected)
        if finding.run is not None:
            assert problem_with(target.system, finding.run, ReachesUnsafe()) is None
            failed = target.system.failed_process(finding.run.loop_start) is not None
            nearest = min([*stuck, *wrong])
            assert failed == (nearest in wrong), "of equally near ones the error is to be shown"
            assert (problem_with(target.system, finding.run, ReachesDeadlock()) is None) != failed
        compare_finding(target, check_deadlock(target), stuck, expected)
        compare_finding(target, check_nonterminating(target), still, expected)


def compare_finding(target: Target, finding: Finding, depths: list[int], expected: NaiveGraph) -> None:
    if depths:
        assert finding.verdict is Verdict.VIOLATED
        assert finding.run is not None
        assert len(finding.run.stem) == min(depths)
        return
    assert finding.verdict is Verdict.HOLDS
    # an ERROR is no state, but what leads to it is a transition
    assert finding.statistics.states == sum(not expected.is_error(state) for state in expected.depth)
    assert finding.statistics.transitions == sum(map(len, expected.steps.values()))


def compare_seed(seed: int) -> None:
    composite = random_composite(seed)
    try:
        compare(composite)
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n{composite}") from error


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_compositions(chunk: int) -> None:
    for seed in some(DEFAULT_SEEDS[chunk::CHUNKS]):
        compare_seed(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 10))
def test_many_random_compositions(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk :: CHUNKS * 10]:
        compare_seed(seed)


def test_the_random_compositions_have_everything() -> None:
    """Priorities that forbid something, errors, ends, deadlocks, and both at one distance."""
    seen: dict[str, int] = {}
    for seed in DEFAULT_SEEDS:
        composite = random_composite(seed)
        graph = naive_graph(composite)
        assert graph is not None
        free = naive_graph(Composite(composite.machines, None, composite.ends, composite.stores))
        stuck = {depth for state, depth in graph.depth.items() if graph.is_deadlock(state)}
        wrong = {depth for state, depth in graph.depth.items() if graph.is_error(state)}
        kind = composite.priority is not None and ("high" if composite.priority.is_high else "low")
        facts = {
            f"{kind} priority matters": free is not None and free.steps != graph.steps,
            "end": any(map(graph.is_end, graph.depth)),
            "deadlock first": bool(stuck and wrong) and min(stuck) < min(wrong),
            "error first": bool(stuck and wrong) and min(wrong) < min(stuck),
            "at one distance": bool(stuck and wrong) and min(wrong) == min(stuck),
            "errors of several": sum(map(graph.is_error, graph.depth)) > 1,
            "a flag": bool(composite.stores) and any(flag for _, flag in graph.depth),
        }
        for fact, holds in facts.items():
            seen[fact] = seen.get(fact, 0) + holds
    del seen["False priority matters"]
    assert min(seen.values()) >= 3, seen


# ---------------------------------------------------------------- small ones, by hand

TICKING = Machine("P", ("a", "tick"), ((("a", 1), ("tick", 0)), (("tick", 0), (TAU, 0))))


@pytest.mark.parametrize(
    ("priority", "expected"),
    [
        (None, [{"a", "tick"}, {"tick", "τ[tau]@P"}]),
        (ActionPriority(frozenset({"tick"}), False), [{"a"}, {"τ[tau]@P"}]),
        (ActionPriority(frozenset({"tick"}), True), [{"tick"}]),
        (ActionPriority(frozenset({"a"}), True), [{"a"}, {"tick", "τ[tau]@P"}]),
    ],
)
def test_priority_by_hand(priority: ActionPriority | None, expected: list[set[str]]) -> None:
    """Internal steps count as others, in both directions."""
    composite = Composite((TICKING,), priority)
    compare(composite)
    graph = explicit_graph(NetworkTarget(network_of(composite), Limits()), {})
    assert [
        {step.event for step in graph.transitions[state]} for state in range(graph.state_count)
    ] == expected


def test_priority_is_decided_after_synchronisation() -> None:
    """P could do `a`, which goes first, but Q refuses it."""
    one = Machine("P", ("a", "b"), ((("a", 0), ("b", 0)),))
    other = Machine("Q", ("a",), ((),))
    composite = Composite((one, other), ActionPriority(frozenset({"a"}), True))
    compare(composite)
    system = NetworkSystem(network_of(composite))
    assert [step.event for step in system.steps(system.initial_states()[0])] == ["b"]


def test_error_belongs_to_the_first_component() -> None:
    """Both go wrong in one step; the left one is named."""
    machines = tuple(Machine(name, ("a",), ((("a", ERROR_STATE),),)) for name in ("P", "Q"))
    for pair, name in ((machines, "P"), (machines[::-1], "Q")):
        composite = Composite(pair)
        compare(composite)
        finding = check_safety(NetworkTarget(network_of(composite), Limits()))
        assert finding.run is not None
        assert NetworkSystem(network_of(composite)).failed_process(finding.run.loop_start) == name
        assert (finding.statistics.states, finding.statistics.transitions) == (1, 1)


def test_an_error_at_the_same_distance_goes_before_a_deadlock() -> None:
    stuck = Machine("P", ("a", "b"), ((("a", 1), ("b", ERROR_STATE)), ()))
    composite = Composite((stuck,))
    compare(composite)
    target = NetworkTarget(network_of(composite), Limits())
    finding = check_safety(target)
    assert finding.run is not None
    assert target.system.failed_process(finding.run.loop_start) == "P"


def test_a_deadlock_goes_before_an_error_that_is_farther() -> None:
    """The error is seen first, from the first of two states at the distance of the deadlock."""
    machine = Machine("P", ("a", "b"), ((("a", 1), ("b", 2)), (("a", ERROR_STATE),), ()))
    composite = Composite((machine,))
    compare(composite)
    finding = check_safety(NetworkTarget(network_of(composite), Limits()))
    assert finding.run is not None
    assert [step.event for step in finding.run.stem] == ["b"]


def test_known_error_counts_when_states_run_out() -> None:
    machine = Machine("P", ("a", "b"), ((("a", ERROR_STATE), ("b", 1)), (("b", 2),), (("b", 0),)))
    target = NetworkTarget(network_of(Composite((machine,))), Limits(max_states=2))
    finding = check_safety(target)
    assert finding.verdict is Verdict.VIOLATED
    assert finding.run is not None
    assert problem_with(target.system, finding.run, ReachesUnsafe()) is None


def test_end_needs_those_that_are_listed() -> None:
    ending = Machine("P", ("a",), ((("a", 1),), ()), end=1)
    waiting = Machine("Q", ("a", "b"), ((("a", 1),), ()))
    for ends, is_end in ((frozenset({0}), True), (frozenset(), False)):
        composite = Composite((ending, waiting), None, ends)
        compare(composite)
        finding = check_deadlock(NetworkTarget(network_of(composite), Limits()))
        assert finding.verdict is (Verdict.HOLDS if is_end else Verdict.VIOLATED)


def test_runs_that_are_not_unsafe_are_refused() -> None:
    machine = Machine("P", ("a",), ((("a", 1),), ()), end=1)
    target = NetworkTarget(network_of(Composite((machine,), None, frozenset({0}))), Limits())
    finding = check_nonterminating(target)
    assert finding.run is not None
    assert problem_with(target.system, finding.run, ReachesUnsafe()) == "the last state has terminated"
    going = Machine("P", ("a",), ((("a", 0),),))
    system = NetworkSystem(network_of(Composite((going,))))
    assert problem_with(system, finding.run, ReachesUnsafe()) is not None


@pytest.mark.parametrize("size", [3, 6])
def test_questions_to_python_do_not_grow_with_the_states(size: int) -> None:
    """Python is not asked what is left after an ERROR, however many states lead there."""
    counter = tuple(
        (("up", place + 1 if place < 4 else ERROR_STATE), *([("down", place - 1)] if place else []))
        for place in range(5)
    )
    machines = tuple(
        Machine(
            f"C{number}",
            (f"up{number}", f"down{number}"),
            tuple(tuple((f"{label}{number}", place) for label, place in steps) for steps in counter),
        )
        for number in range(size)
    )
    asked: list[int] = []

    class Counting(EngineNetwork):
        def define_position(self, number: int) -> None:
            asked.append(number)
            super().define_position(number)

        def compose(self, *arguments: object) -> tuple[int, list[int]] | None:  # type: ignore[override]
            raise AssertionError(arguments)

    target = NetworkTarget(network_of(Composite(machines)), Limits())
    target._engine = Counting(target._engine.network)
    graph = explicit_graph(target, {}) if size == 3 else None
    if graph is not None:
        assert graph.state_count == 5**size + size
        assert sorted(graph.errors.values()) == [f"C{number}" for number in range(size)]
    else:
        assert target.explore(1 << 30)
        assert target.counts(target.graph()) == (5**size, size * 5 ** (size - 1) * 9)
    assert len(set(asked)) == len(asked) <= 5 * size + FIRST_POSITION


# ---------------------------------------------------------------- errors in graphs as files


@pytest.mark.parametrize(
    ("errors", "complaint"),
    [
        ("[1]", "'errors' must be an object of lists of states"),
        ('{"P": 1}', "'errors' of 'P' must be a list of states"),
        ('{"P": [7]}', "states are numbered below 3"),
        ('{"P": [0]}', "state 0 is an error and has transitions"),
        ('{"P": [1], "Q": [1]}', "state 1 is an error of two processes"),
    ],
)
def test_errors_of_a_graph_are_checked(errors: str, complaint: str) -> None:
    text = f'{{"states": 3, "transitions": [[0, "a", 1], [0, "b", 2]], "errors": {errors}}}'
    with pytest.raises(InputError) as caught:
        read_json(Source("graph.json", text))
    assert complaint in caught.value.diagnostics[0].message


def test_errors_of_a_graph_in_questions_and_in_a_simulation() -> None:
    text = '{"states": 3, "transitions": [[0, "a", 1], [0, "b", 2]], "terminated": [2], "errors": {"P": [1]}}'
    model = fairlead.loads(text, "json")
    holds = model.check("deadlockfree")
    assert holds.verdict is Verdict.HOLDS
    assert (holds.statistics.states, holds.statistics.transitions) == (2, 2)
    result = model.check(Safe("graph", "graph safe"))
    assert result.verdict is Verdict.VIOLATED
    assert result.evidence is not None
    assert [step.event for step in result.evidence.run.stem] == ["a"]
    # idling in an error is an execution like any other
    assert model.check("|= <> b").verdict is Verdict.VIOLATED
    assert model.check("|= [] (b -> [] !a)").verdict is Verdict.HOLDS
    simulation = take(fairlead.simulate(model), "a")
    assert simulation.status is Status.ERROR
    assert "error: P has gone wrong" in state_text(simulation)
