"""Counted processes, transition by transition: reference semantics and engine against the quotient."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

import fairlead
from fairlead.base.diagnostics import Code, InputError
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step
from fairlead.model.tree import LocalState
from fairlead.reduce.counters.automata import Sight, SymbolicState
from fairlead.reduce.counters.network import counted_network
from fairlead.reduce.counters.symmetry import Symmetry
from fairlead.search.target import Goal
from tests.support.asking.models import small_case
from tests.support.generators.counters_models import MODELS
from tests.support.generators.counters_random import random_symmetric_model
from tests.support.oracle.counters import (
    AbstractState,
    Groups,
    Quotient,
    abstract_state,
    abstract_step,
    counted_graph,
    counted_images,
    quotient,
)
from tests.support.oracle.counters_by_hand import counted_by_hand
from tests.support.sampling import is_sample, some

#: models in which equal processes are never in different local states
_NOTHING_TO_MERGE = ("at once at the end", "nothing to do")
#: models whose equal processes are one process for the system, or do not begin alike
_NOT_FOUND = ("hidden around", "a group inside of a process")


def network_and_groups(name: str) -> tuple[Network, Groups]:
    text, names = MODELS[name]
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    return network, Groups(frozenset([names] if "|||" in names else names.split()))


def behaviour(found: Quotient) -> dict[AbstractState, tuple[object, ...]]:
    """What happens, without what is ready to happen."""
    return {state: known[:-1] for state, known in found.known.items()}


@pytest.mark.parametrize("name", ["annotations", "annotated partners"])
def test_counted_processes_are_ready_for_what_a_member_is_ready_for(name: str) -> None:
    network, groups = network_and_groups(name)
    expected = quotient(network, groups)
    found = counted_graph(counted_by_hand(network, groups), groups)
    ready = {state: known[-1] for state, known in found.known.items()}
    assert any(ready.values())
    assert ready == {state: known[-1] for state, known in expected.known.items()}


@pytest.mark.parametrize("name", MODELS)
def test_counted_processes_do_what_the_quotient_does(name: str) -> None:
    network, groups = network_and_groups(name)
    expected = quotient(network, groups)
    found = counted_graph(counted_by_hand(network, groups), groups)
    assert found.initial == expected.initial
    assert behaviour(found) == behaviour(expected)
    assert found.concrete_states == len(found.known)
    assert (expected.concrete_states > len(expected.known)) == (name not in _NOTHING_TO_MERGE)


@pytest.mark.parametrize("name", MODELS)
def test_the_engine_counts_as_the_quotient_does(name: str) -> None:
    network, groups = network_and_groups(name)
    compare_engine(counted_by_hand(network, groups), groups, quotient(network, groups))


def compare_engine(network: Network, groups: Groups, expected: Quotient) -> None:
    """The engine's graph of a network with counted processes is the quotient."""
    engine = EngineNetwork(network)
    graph = engine.graph(_native.Context(1 << 28), True)
    try:
        graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
    except _native.EngineFault as error:
        fault = engine.fault(error)
        assert isinstance(fault, InputError)
        told = f"{fault.diagnostics[0].code}: {fault.diagnostics[0].message}"
        assert told in {known[1] for known in expected.known.values()}
        return
    assert not any(known[1] for known in expected.known.values()), "the engine does not find the fault"
    system = NetworkSystem(network)
    states = [engine.configuration(graph, number) for number in range(graph.state_count)]
    assert len(set(states)) == graph.state_count == len(expected.known)
    for number, state in enumerate(states):
        images = counted_images(network, state, groups)
        steps = []
        for action, target in graph.edges(number):
            event, processes = graph.action(action)
            steps.append(abstract_step(Step(event, frozenset(processes), states[target]), images, groups))
        image = abstract_state(state, groups)
        assert frozenset(steps) == expected.known[image][0]
        assert len(set(steps)) == len(steps)
        assert graph.has_terminated(number) == expected.known[image][2] == system.has_terminated(state)


# ---------------------------------------------------------------- what is found to be alike


def found_groups(symmetry: Symmetry) -> Groups:
    """The groups that were found; states that were found to be alike are the same."""
    members = {
        member: merged.group.process for merged in symmetry.merged.values() for member in merged.group.members
    }

    def state(local: LocalState) -> Hashable:
        return symmetry.classes.get(SymbolicState.of(local), local)

    return Groups(frozenset(members.values()), state, members=members)


def compare_found(network: Network) -> Quotient | None:
    """The network as it is counted is the quotient; None if nothing is alike."""
    counted = counted_network(network, Sight(None))
    if not counted.symmetry.merged:
        return None
    groups = found_groups(counted.symmetry)
    expected = quotient(network, groups)
    found = counted_graph(counted.network, groups)
    assert (found.initial, behaviour(found)) == (expected.initial, behaviour(expected))
    compare_engine(counted.network, groups, expected)
    return expected


@pytest.mark.parametrize("name", MODELS)
def test_what_is_found_to_be_alike_makes_a_quotient(name: str) -> None:
    found = compare_found(network_and_groups(name)[0])
    assert (found is None) == (name in _NOT_FOUND)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_random_processes_found_to_be_alike_make_a_quotient(chunk: int) -> None:
    merged = 0
    for seed in some(range(chunk, 200, 4)):
        case = small_case(seed, random_symmetric_model(seed), 200)
        if case is not None:
            network = fairlead.loads(case.text)._loaded.system("System()")
            assert isinstance(network, Network)
            try:
                found = compare_found(network)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}\n{case.text}") from error
            merged += found is not None and len(found.known) < found.concrete_states
    assert merged > 10 or is_sample()


# ---------------------------------------------------------------- what is refused

COMPOSITIONS = {
    "a sequel": "P() = a -> ((b -> Skip ||| c -> Skip); d -> P()); System() = ||| {2} @ P();",
    "hiding": "P() = a -> ((b -> P()) \\ {b}); System() = ||| {2} @ P();",
    "synchronisation": "P() = a -> ((b -> Skip) || (b -> Skip)); System() = ||| {2} @ P();",
}


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_what_cannot_be_counted_is_refused(name: str) -> None:
    """A member that becomes something composed, other than processes side by side, has no local state."""
    network = fairlead.loads(COMPOSITIONS[name])._loaded.system("System()")
    assert isinstance(network, Network)
    groups = Groups(frozenset(["P"]))
    with pytest.raises(InputError) as caught:
        counted_graph(counted_by_hand(network, groups), groups)
    assert caught.value.diagnostics[0].code is Code.COUNTERS
