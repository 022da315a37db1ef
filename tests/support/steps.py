"""Compares the two step relations: the reference semantics and the engine, transition by transition."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import fairlead
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.assertion import DeadlockFree, Reaches
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import Configuration
from fairlead.search.reach import Goal

#: bytes that an engine context may use
CONTEXT_MEMORY = 1 << 30


@dataclass
class Explored:
    """A system explored breadth first: the depth, the steps or the fault of each configuration."""

    depth: dict[Configuration, int] = field(default_factory=dict)
    steps: dict[Configuration, list[Step]] = field(default_factory=dict)
    faults: dict[Configuration, Fault] = field(default_factory=dict)
    is_complete: bool = True

    @property
    def transition_count(self) -> int:
        return sum(len(steps) for steps in self.steps.values())


def explore_reference(network: Network, limit: int) -> Explored:
    """Everything reachable by the reference semantics; what follows a fault is not reached."""
    system, found = NetworkSystem(network), Explored()
    queue: list[Configuration] = []
    for state in system.initial_states():
        if state not in found.depth:
            found.depth[state] = 0
            queue.append(state)
    for state in queue:
        if len(queue) > limit:
            found.is_complete = False
            break
        try:
            found.steps[state] = system.steps(state)
        except Fault as fault:
            found.faults[state] = fault
            continue
        for step in found.steps[state]:
            assert isinstance(step.target, Configuration)
            if step.target not in found.depth:
                found.depth[step.target] = found.depth[state] + 1
                queue.append(step.target)
    return found


def step_set(steps: list[Step]) -> set[tuple[str, frozenset[str], Configuration]]:
    return {(step.event, step.processes, step.target) for step in steps}


def compare_network(network: Network, expected: Explored) -> None:
    """The engine's graphs, with and without transitions, against what the reference semantics gives."""
    assert expected.is_complete
    in_order: set[tuple[Configuration, ...]] = set()  # however many threads, states get the same numbers
    for keep_edges, threads in itertools.product((True, False), (1, 3)):
        engine = EngineNetwork(network)
        graph = engine.graph(_native.Context(CONTEXT_MEMORY, threads, least_work=2), keep_edges)
        started = [engine.configuration(graph, number) for number in graph.initial]
        assert started == list(dict.fromkeys(NetworkSystem(network).initial_states()))
        try:
            graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
        except _native.EngineFault as error:
            compare_fault(engine.fault(error), engine.configuration(graph, graph.current), expected)
            continue
        except Fault as fault:  # while composing, which the engine leaves to Python
            compare_fault(fault, engine.configuration(graph, graph.current), expected)
            continue
        assert not expected.faults, "only the reference semantics faults"
        assert graph.complete
        numbers = {engine.configuration(graph, number): number for number in range(graph.state_count)}
        assert len(numbers) == graph.state_count, "one configuration has two numbers"
        assert numbers.keys() == expected.depth.keys()
        in_order.add(tuple(numbers))
        assert len(in_order) == 1
        assert graph.transition_count == expected.transition_count
        assert graph.expanded_count == len(expected.depth)
        for state, number in numbers.items():
            assert graph.has_terminated(number) == NetworkSystem(network).has_terminated(state)
            if keep_edges:
                compare_steps(engine, graph, number, expected.steps[state])
            else:
                compare_path(engine, graph, number, expected)


def compare_steps(
    engine: EngineNetwork, graph: _native.NetworkGraph, number: int, expected: list[Step]
) -> None:
    edges = graph.edges(number)
    found = []
    for action, target in edges:
        event, processes = graph.action(action)
        found.append(Step(event, frozenset(processes), engine.configuration(graph, target)))
    assert len(set(found)) == len(found) == len(expected)
    assert step_set(found) == step_set(expected)


def compare_path(engine: EngineNetwork, graph: _native.NetworkGraph, number: int, expected: Explored) -> None:
    """The engine's way to a state is a shortest path of the system."""
    (_, start), *rest = graph.path_to(number)
    state = engine.configuration(graph, start)
    assert expected.depth[state] == 0
    for action, target in rest:
        event, processes = graph.action(action)
        after = engine.configuration(graph, target)
        assert Step(event, frozenset(processes), after) in expected.steps[state]
        state = after
    assert state == engine.configuration(graph, number)
    assert len(rest) == expected.depth[state]


def compare_fault(found: Fault, state: Configuration, expected: Explored) -> None:
    """The engine stops at a nearest state where the reference semantics faults, and says the same."""
    assert state in expected.faults, "only the engine faults"
    fault = expected.faults[state]
    assert (found.code, found.message, found.span) == (fault.code, fault.message, fault.span)
    assert expected.depth[state] == min(expected.depth[other] for other in expected.faults)


def compare_verdicts(model: fairlead.Model, network: Network, expected: Explored) -> None:
    """`deadlockfree` and `reaches` against plain breadth-first search, lengths of evidence included."""
    system = NetworkSystem(network)
    for assertion in model.assertions:
        if assertion.process != network.name:
            continue
        if isinstance(assertion, Reaches):
            compare_reaches(model, assertion, system, expected)
        elif isinstance(assertion, DeadlockFree):
            stuck = [state for state, steps in expected.steps.items() if not steps]
            depths = [expected.depth[state] for state in stuck if not system.has_terminated(state)]
            compare_verdict(model.check(assertion), depths, fairlead.Verdict.VIOLATED, expected)


def compare_reaches(
    model: fairlead.Model, assertion: Reaches, system: NetworkSystem, expected: Explored
) -> None:
    depths, faults = [], []
    for state, depth in expected.depth.items():
        try:
            if system.holds(assertion.goal, state):
                depths.append(depth)
        except Fault:
            faults.append(depth)
    if not faults or (depths and min(depths) < min(faults)):
        compare_verdict(model.check(assertion), depths, fairlead.Verdict.HOLDS, expected)
    elif not depths or min(faults) < min(depths):
        assert model.check(assertion).verdict is fairlead.Verdict.ERROR


def compare_verdict(
    result: fairlead.Result, depths: list[int], positive: fairlead.Verdict, expected: Explored
) -> None:
    """The goal is reached at these depths; `positive` is the verdict if there are any."""
    if depths:
        assert result.verdict is positive
        assert result.evidence is not None
        assert len(result.evidence.run.stem) == min(depths)
        return
    assert result.verdict not in (positive, fairlead.Verdict.UNKNOWN)
    assert result.statistics.states == len(expected.depth)
    assert result.statistics.transitions == expected.transition_count


def compare_model(model: fairlead.Model, process: str | None, limit: int) -> bool:
    """Whether the system was small enough to be compared."""
    network = model._loaded.system(process)
    assert isinstance(network, Network)
    expected = explore_reference(network, limit)
    if not expected.is_complete:
        return False
    compare_network(network, expected)
    if not expected.faults:
        compare_verdicts(model, network, expected)
    return True


def compare_text(text: str, seed: int, limit: int) -> bool:
    """Compares the system of a random model; whether it was small enough."""
    try:
        return compare_model(fairlead.loads(text), "System()", limit)
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n{text}") from error
