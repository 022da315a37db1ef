"""Compares canonical encodings with those of another order of discovery, and with those of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from fairlead.base.diagnostics import InputError
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.canonical.encoding import NetworkEncoding
from fairlead.model.network import Network
from fairlead.model.tree import Configuration
from fairlead.search.reach import Goal
from tests.support.steps import CONTEXT_MEMORY, explore_reference


def compare_encodings(load: Callable[[], Network], seed: int, limit: int) -> int:
    """How many configurations of a system were compared; `load` gives it as if in another process."""
    network = load()
    found = list(explore_reference(network, limit).depth)[:limit]
    known = injective(NetworkEncoding(network), found)
    compare_in_another_order(NetworkEncoding(load()), list(known), Random(seed))
    for threads in (1, 3):
        compare_with_engine(load(), known, threads, limit)
    return len(known)


def injective(encoding: NetworkEncoding, configurations: Iterable[Configuration]) -> dict[bytes, int]:
    """The encodings, no two of which are equal, with their hashes; each is decoded again."""
    found: dict[bytes, int] = {}
    for configuration in configurations:
        fragments = encoding.fragments(configuration)
        assert fragments.whole not in found
        found[fragments.whole] = fragments.hash
        assert encoding.decode(fragments.whole) == configuration
    return found


def compare_in_another_order(encoding: NetworkEncoding, data: list[bytes], random: Random) -> None:
    """Who meets the encodings in another order discovers positions and values in another order."""
    random.shuffle(data)
    for known in data:
        assert encoding.encode(encoding.decode(known)) == known


def compare_with_engine(network: Network, known: dict[bytes, int], threads: int, limit: int) -> None:
    """The engine has the same encodings, and the same hashes."""
    engine = EngineNetwork(network)
    context = _native.Context(CONTEXT_MEMORY, threads, least_work=2)
    graph = engine.graph(context, False)
    try:
        graph.explore(Goal.NONE, _native.NO_CODE, limit)
        is_whole = graph.complete and graph.state_count <= limit
    except (_native.EngineFault, InputError):  # what was explored before it counts
        is_whole = False
    encoder, encoding = engine.encoder(context), NetworkEncoding(network)
    for number in range(min(graph.state_count, limit)):
        data = encoder.encode(graph, number)
        assert data == encoding.encode(engine.configuration(graph, number))
        if data in known:
            assert encoder.hash(graph, number) == known[data]
    if is_whole:
        assert {encoder.encode(graph, number) for number in range(graph.state_count)} == known.keys()
