"""Counted processes, transition by transition: the reference semantics and the engine against the quotient."""

from __future__ import annotations

import pytest
from oracle.counters_models import MODELS
from oracle.counters import (
    Groups,
    Quotient,
    abstract_state,
    abstract_step,
    counted_graph,
    counted_images,
    quotient,
)
from oracle.counters_by_hand import counted_by_hand

import fairlead
from fairlead.check.target import Goal
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.errors import Code, InputError
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import Step

#: models in which equal processes are never in different local states
_NOTHING_TO_MERGE = ("at once at the end", "nothing to do")


def network_and_groups(name: str) -> tuple[Network, Groups]:
    text, names = MODELS[name]
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    return network, Groups(frozenset([names] if "|||" in names else names.split()))


@pytest.mark.parametrize("name", MODELS)
def test_counted_processes_do_what_the_quotient_does(name: str) -> None:
    network, groups = network_and_groups(name)
    expected = quotient(network, groups)
    found = counted_graph(counted_by_hand(network, groups), groups)
    assert found.initial == expected.initial
    assert found.known == expected.known
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
        graph.explore(int(Goal.NONE), -1, 1 << 40)
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


COMPOSITIONS = {
    "a sequel": "P() = a -> ((b -> Skip); c -> P()); System() = ||| {2} @ P();",
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
