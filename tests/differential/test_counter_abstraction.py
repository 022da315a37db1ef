"""Counts beyond the cutoff: the abstract graph has all that instances do, and the engine agrees.

After definition 8 of Sun et al. (FM 2009): a count is exact up to the cutoff, and just many beyond it.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import Code, InputError
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State, Step
from fairlead.model.tree import Configuration, Counted, LocalState, Parallel
from fairlead.reduce.counters.automata import Sight
from fairlead.reduce.counters.network import counted_network
from fairlead.search.target import Goal
from tests.support.asking.models import small_case
from tests.support.generators.counters_random import SymmetricWriter
from tests.support.oracle.counters import (
    AbstractState,
    AbstractStep,
    Groups,
    Quotient,
    counted_graph,
    quotient,
)
from tests.support.sampling import is_sample, some
from tests.support.steps import CONTEXT_MEMORY, Explored, explore_reference

CHUNKS = 4
SEEDS = range(80)
LONG_SEEDS = range(300_000, 302_000)


def network_of(text: str, processes: dict[str, str]) -> Network:
    network = fairlead.loads(text, processes=processes)._loaded.system("System()")
    assert isinstance(network, Network)
    return network


def cut_shape(shape: Hashable, cutoff: int) -> Hashable:
    """The shape of a tree in which no count is larger than that which stands for many."""
    match shape:
        case ("|||", tuple(others), frozenset() as numbers):
            kept = frozenset((where, min(number, cutoff + 1)) for where, number in numbers)
            return "|||", tuple(cut_shape(part, cutoff) for part in others), kept
        case (str(kind), own, tuple(parts)) if kind != "leaf":
            return kind, own, tuple(cut_shape(part, cutoff) for part in parts)
    return shape


def cut_state(state: AbstractState, network: Network, cutoff: int) -> AbstractState:
    values = list(state[0])
    for variable in network.variables:
        if variable.is_counter:
            values[variable.slot] = min(values[variable.slot], cutoff + 1)
    return tuple(values), cut_shape(state[1], cutoff)


def check_instance(instance: Network, abstract: Quotient, groups: Groups, cutoff: int) -> None:
    """Every state and step of an instance is one of the abstract graph."""
    found = quotient(instance, groups)
    assert {cut_state(state, instance, cutoff) for state in found.initial} <= abstract.initial
    for state, (steps, *rest) in found.known.items():
        known = abstract.known[cut_state(state, instance, cutoff)]
        cut = {
            AbstractStep(step.event, step.leaves, cut_state(step.target, instance, cutoff)) for step in steps
        }
        assert cut <= known[0]
        assert list(known[1:]) == rest
        enabled = {(step.event, step.leaves) for step in steps}
        assert enabled == {(step.event, step.leaves) for step in known[0]}, "another step is enabled"


def writer_of(seed: int) -> SymmetricWriter:
    return SymmetricWriter(Random(seed), with_indices=False, with_parts=False, with_counter=seed % 2 == 0)


def compare_engine(network: Network, expected: Explored) -> None:
    """The engine's graph; it tells steps apart that differ only in the local states they lead to."""
    engine = EngineNetwork(network)
    graph = engine.graph(_native.Context(CONTEXT_MEMORY), True)
    graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
    states = [engine.configuration(graph, number) for number in range(graph.state_count)]
    assert len(set(states)) == len(states)
    assert set(states) == expected.depth.keys()
    assert [states[number] for number in graph.initial] == NetworkSystem(network).initial_states()
    for number, state in enumerate(states):
        found = set()
        for action, target in graph.edges(number):
            event, processes = graph.action(action)
            found.add(Step(event, frozenset(processes), states[target]))
        assert found == set(expected.steps[state])
        assert graph.has_terminated(number) == NetworkSystem(network).has_terminated(state)


def compare(seed: int) -> bool:
    writer = writer_of(seed)
    case = small_case(seed, writer.model(2), 250)
    if case is None:
        return False
    names = [group.name for group in writer.groups]
    cutoff = 1 + seed % 3 % 2
    try:
        counted = counted_network(
            network_of(case.text, dict.fromkeys(names, "inf")), Sight(None), cutoff=cutoff
        )
        expected = explore_reference(counted.network, 300)
    except InputError as error:
        assert error.diagnostics[0].code is Code.COUNTERS
        return False
    if not counted.is_unbounded or not expected.is_complete:
        return False
    compare_engine(counted.network, expected)
    groups = Groups(frozenset(names))
    abstract = counted_graph(counted.network, groups)
    # one process alone is no composition
    for number in (2, 3, 4) if len(names) == 1 else (1, 2):
        instance = network_of(case.text, dict.fromkeys(names, str(number)))
        check_instance(instance, abstract, groups, cutoff)
    return True


def compare_seeds(seeds: range) -> int:
    compared = 0
    for seed in seeds:
        try:
            compared += compare(seed)
        except (AssertionError, KeyError) as error:
            raise AssertionError(f"seed {seed}: {error}\n{writer_of(seed).model(2)}") from error
    return compared


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_instances_are_in_the_abstract_graph(chunk: int) -> None:
    assert compare_seeds(some(SEEDS[chunk::CHUNKS])) > 10 or is_sample()


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 5))
def test_instances_of_many_models_are_in_the_abstract_graph(chunk: int) -> None:
    assert compare_seeds(LONG_SEEDS[chunk :: CHUNKS * 5]) > 40


# ---------------------------------------------------------------- figures 2 and 5 of FM 2009

READERS_WRITERS = """
var writing = false;
counter reading = 0;
Reader() = [!writing] startread{reading++;} -> stopread{reading--;} -> Reader();
Writer() = [!writing && reading == 0] startwrite{writing = true;} -> stopwrite{writing = false;} -> Writer();
System() = (||| {2} @ Reader()) ||| (||| {2} @ Writer());
"""

#: whether someone writes, how many read, and how many are at R0, R1, W0, W1
Picture = tuple[int, int, int, int, int, int]


def pictured(state: State, starts: tuple[LocalState, ...]) -> Picture:
    assert isinstance(state, Configuration)
    assert isinstance(state.tree, Parallel)
    numbers = []
    for node, start in zip(state.tree.components, starts, strict=True):
        assert isinstance(node, Counted)
        at = dict(node.members)
        numbers += [at.pop(start, 0), sum(at.values())]
    writing, reading = state.values
    return writing, reading, numbers[0], numbers[1], numbers[2], numbers[3]


def drawn(network: Network) -> set[tuple[Picture, str, Picture]]:
    """The steps of the readers and writers as the figures draw them."""
    system = NetworkSystem(network)
    queue = list(system.initial_states())
    tree = queue[0].tree
    assert isinstance(tree, Parallel)
    starts = tuple(node.members[0][0] for node in tree.components if isinstance(node, Counted))
    found = set()
    for state in queue:
        for step in system.steps(state):
            found.add((pictured(state, starts), step.event, pictured(step.target, starts)))
            if step.target not in queue:
                assert isinstance(step.target, Configuration)
                queue.append(step.target)
    return found


def test_two_readers_and_two_writers() -> None:
    """Figure 2."""
    counted = counted_network(network_of(READERS_WRITERS, {}), Sight(None))
    a0, a1, a2, a3 = (0, 0, 2, 0, 2, 0), (0, 1, 1, 1, 2, 0), (0, 2, 0, 2, 2, 0), (1, 0, 2, 0, 1, 1)
    assert drawn(counted.network) == {
        (a0, "startread", a1),
        (a1, "startread", a2),
        (a2, "stopread", a1),
        (a1, "stopread", a0),
        (a0, "startwrite", a3),
        (a3, "stopwrite", a0),
    }


def test_any_number_of_readers_and_writers() -> None:
    """Figure 5, which leaves out that those who neither read nor write may become few."""
    network = network_of(READERS_WRITERS, {"Reader": "inf", "Writer": "inf"})
    counted = counted_network(network, Sight(None), cutoff=1)
    many = 2
    a0, a1 = (0, 0, many, 0, many, 0), (0, 1, many, 1, many, 0)
    a2, a3 = (0, many, many, many, many, 0), (1, 0, many, 0, many, 1)
    found = {
        step
        for step in drawn(counted.network)
        if all(picture[2] == picture[4] == many for picture in (step[0], step[2]))
    }
    assert found == {
        (a0, "startread", a1),
        (a1, "startread", a2),
        (a2, "startread", a2),
        (a2, "stopread", a2),
        (a2, "stopread", a1),
        (a1, "stopread", a0),
        (a0, "startwrite", a3),
        (a3, "stopwrite", a0),
    }
