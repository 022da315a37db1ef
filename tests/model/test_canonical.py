"""The canonical encoding of configurations."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import FairleadError, InputError
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.canonical.encoding import NetworkEncoding
from fairlead.model.canonical.numbers import NotCanonical, Reader, signed, text_bytes, unsigned
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.outcome.limits import Clock, Limits
from fairlead.reduce.counters.automata import Sight
from fairlead.reduce.counters.network import counted_network
from fairlead.reduce.symmetry.detection import Asked, interchange_of
from fairlead.search import reduced
from fairlead.search.reach import Goal
from fairlead.search.reduced import ReducedTarget
from tests.support.encodings import compare_encodings, compare_with_engine, injective
from tests.support.examples.loading import load_example
from tests.support.generators.csp_models import random_model
from tests.support.generators.fsp_models import random_system
from tests.support.generators.side_by_side import side_by_side
from tests.support.generators.structured import structured_model
from tests.support.places import ROOT
from tests.support.sampling import some
from tests.support.steps import CONTEXT_MEMORY, explore_reference

SEEDS = range(120)
LONG_SEEDS = range(10_000, 13_000)
LIMIT, LONG_LIMIT = 150, 1500
EXAMPLES = sorted([*ROOT.glob("examples/**/*.csp"), *ROOT.glob("examples/**/*.lts")])


def network_in(model: fairlead.Model, process: str | None = None) -> Network:
    network = model._loaded.system(process)
    assert isinstance(network, Network)
    return network


def of_text(text: str, language: str = "csp", process: str | None = None) -> Callable[[], Network]:
    return lambda: network_in(fairlead.loads(text, language), process)


def of_example(path: Path, process: str) -> Callable[[], Network]:
    return lambda: network_in(load_example(path), process)


def compare_text(text: str, seed: int, limit: int) -> None:
    try:
        compare_encodings(of_text(text, process="System()"), seed, limit)
    except InputError:
        pass  # there is an error in the text, or in the initial state
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n{text}") from error


# ---------------------------------------------------------------- numbers


def test_numbers_are_read_again() -> None:
    random = Random(1)
    numbers = [
        0,
        1,
        127,
        128,
        2**31 - 1,
        2**32,
        *(random.getrandbits(random.randrange(1, 64)) for _ in range(500)),
    ]
    for number in numbers:
        reader = Reader(unsigned(number) + signed(number) + signed(-number) + text_bytes(f"π{number}"))
        assert (reader.unsigned(), reader.signed(), reader.signed(), reader.text()) == (
            number,
            number,
            -number,
            f"π{number}",
        )
        assert reader.is_at_end


def test_small_numbers_take_a_byte() -> None:
    assert [signed(number) for number in (0, -1, 1, -64, 63)] == [b"\0", b"\1", b"\2", b"\x7f", b"\x7e"]


# ---------------------------------------------------------------- models


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_examples(path: Path) -> None:
    compared = 0
    for process in dict.fromkeys(assertion.process for assertion in load_example(path).assertions):
        compared += compare_encodings(of_example(path, process), 1, 60)
    assert compared


@pytest.mark.parametrize("chunk", range(6))
def test_random_models(chunk: int) -> None:
    for seed in some(SEEDS[chunk::6]):
        generate = (random_model, structured_model, side_by_side)[seed % 3]
        compare_text(generate(seed), seed, LIMIT)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(30))
def test_many_random_models(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk::30]:
        generate = (random_model, structured_model, side_by_side)[seed % 3]
        compare_text(generate(seed), seed, LONG_LIMIT)


def test_random_machines() -> None:
    for seed in some(range(1, 13)):
        text = "\n".join(random_system(seed))
        try:
            *_, last = fairlead.loads(text, "lts").assertions
            compare_encodings(of_text(text, "lts", last.process), seed, LIMIT)
        except FairleadError:
            continue


def test_values_of_library_types_are_encoded_by_what_they_hold() -> None:
    text = """
        #import "PAT.Lib.List"; #import "PAT.Lib.Set"; #import "PAT.Lib.HashTable";
        var<List> list; var<Set> set; var<HashTable> table; var a[2] = [1, 2];
        channel c 2; channel d 0;
        P(i) = [i < 3] add.i{list.Add(i); set.Add(3 - i); table.Add(i, i * i);} -> c!set.i -> P(i + 1);
        Q() = c?x.y -> d!x -> Q();
        R() = d?z -> keep{set = z;} -> R();
        System() = P(0) ||| Q() ||| R();
    """
    assert compare_encodings(of_text(text), 1, 300) > 30


def test_values_of_python_types_are_encoded_by_what_they_hold(tmp_path: Path) -> None:
    (tmp_path / "shelf.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from enum import Enum\n"
        "from typing import Self\n"
        "class Colour(Enum):\n    RED = 1\n    BLUE = 2\n"
        "@dataclass(frozen=True)\n"
        "class Book:\n    title: str\n    colour: Colour\n"
        "@dataclass(frozen=True)\n"
        "class Shelf:\n"
        "    books: frozenset[Book] = frozenset()\n"
        "    order: tuple[int, ...] = ()\n"
        "    last: Book | None = None\n"
        "    def Put(self, number: int) -> Self:\n"
        "        book = Book(f'book {number}', Colour.RED if number % 2 else Colour.BLUE)\n"
        "        return Shelf(self.books | {book}, (*self.order, -number * 10**12), book)\n"
        "    def Size(self) -> int:\n        return len(self.order)\n"
    )
    model = tmp_path / "shelf.csp"
    model.write_text(
        '#import "shelf.py"; var<Shelf> shelf;\n'
        "P(i) = [shelf.Size() < 3] put.i{shelf.Put(i);} -> P(i);\n"
        "System() = P(0) ||| P(1);\n#assert System() deadlockfree;\n"
    )

    def load() -> Network:
        return network_in(fairlead.load(model, allow_python=[tmp_path / "shelf.py"]))

    assert compare_encodings(load, 1, 300) > 10


def test_values_that_cannot_be_encoded_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "box.py").write_text(
        "class Box:\n"
        "    def __eq__(self, other): return isinstance(other, Box)\n"
        "    def __hash__(self): return 1\n"
        "    def __str__(self): return 'box'\n"
    )
    model = tmp_path / "box.csp"
    model.write_text('#import "box.py"; var<Box> box; P() = a -> P();\n#assert P() deadlockfree;\n')
    network = network_in(fairlead.load(model, allow_python=[tmp_path / "box.py"]))
    (initial,) = NetworkSystem(network).initial_states()
    with pytest.raises(InputError, match="'Box' in it has no canonical encoding"):
        NetworkEncoding(network).encode(initial)


# ---------------------------------------------------------------- what must not matter

ALIKE = """
    #define N 4; var busy = 0;
    P(i) = think.i -> [busy < 2] take.i{busy = busy + 1;} -> put.i{busy = busy - 1;} -> P(i);
    System() = ||| i:{0..N-1} @ P(i);
"""

PAIRS = """
    #define N 3; var done = 0; channel c 1;
    Worker(i) = start.i -> (c!i -> Worker(i) [] stop.i{done = done + 1;} -> Skip);
    Reader() = c?x -> [x < 2] read.x -> Reader();
    System() = (||| i:{0..N-1} @ Worker(i)) ||| Reader();
"""

ORDERED = """
import sys, fairlead
from fairlead.model.canonical.encoding import NetworkEncoding
from fairlead.model.semantics import NetworkSystem
network = fairlead.loads(sys.argv[1])._loaded.system(None)
system = NetworkSystem(network)
found = dict.fromkeys(system.initial_states())
for state in (queue := list(found)):
    steps = system.steps(state)
    for step in reversed(steps) if sys.argv[2] == "reversed" else steps:
        if step.target not in found:
            found[step.target] = None
            queue.append(step.target)
encoding = NetworkEncoding(network)
print(sorted((encoding.encode(state).hex(), encoding.fragments(state).hash) for state in found))
"""


def test_other_processes_have_the_same_encodings() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ORDERED, PAIRS, order],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for order, seed in (("forwards", "1"), ("reversed", "2"))
    }
    assert len(outputs) == 1
    assert len(next(iter(outputs))) > 1000


def test_symmetry_reduction_leaves_states_their_encodings() -> None:
    network = of_text(ALIKE)()
    known = injective(NetworkEncoding(network), explore_reference(network, 5000).depth)
    detected = interchange_of(network, Asked())
    assert detected.interchange is not None
    engine = EngineNetwork(replace(network, interchange=detected.interchange))
    context = _native.Context(CONTEXT_MEMORY)
    graph = engine.graph(context, True)
    graph.explore(Goal.NONE, _native.NO_CODE, 5000)
    encoder = engine.encoder(context)
    found = {encoder.encode(graph, number) for number in range(graph.state_count)}
    assert found < known.keys()
    assert len(found) < len(known) / 2


def test_partial_order_reduction_leaves_states_their_encodings() -> None:
    network = of_text(ALIKE)()
    known = injective(NetworkEncoding(network), explore_reference(network, 5000).depth)
    target = ReducedTarget(network, Limits(), reduced.Sight(reduced.Proviso.NONE))
    graph = target.explore_all(Clock(Limits()))
    assert isinstance(graph, _native.NetworkGraph)
    encoder = target.encoder()
    found = {encoder.encode(graph, number) for number in range(graph.state_count)}
    assert found < known.keys()


def test_counted_processes_are_encoded() -> None:
    text = "P() = a -> b -> P(); Q() = a -> Q(); System() = (|||{3} @ P()) || Q();"
    for cutoff in (None, 1):
        counted = counted_network(of_text(text)(), Sight(None), cutoff=cutoff)
        network = counted.network
        known = injective(NetworkEncoding(network), explore_reference(network, 500).depth)
        compare_with_engine(network, known, 1, 500)
        assert len(known) > 3


# ---------------------------------------------------------------- damaged encodings


def damaged(data: bytes, random: Random) -> bytes:
    out = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(out) + 1)
        match random.randrange(4):
            case 0 if out:
                out[at % len(out)] = random.randrange(256)
            case 1:
                out[at:at] = random.randbytes(random.randrange(1, 4))
            case 2:
                del out[at : at + random.randrange(1, 4)]
            case _:
                out = out[:at] + out[random.randrange(len(out) + 1) :]
    return bytes(out)


@pytest.mark.parametrize("chunk", range(4))
def test_damaged_encodings(chunk: int) -> None:
    """They are refused, or are those of other configurations."""
    refused = 0
    for seed in some(range(chunk, 60, 4)):
        random = Random(seed)
        try:
            network = of_text((random_model, structured_model)[seed % 2](seed), process="System()")()
            states = list(explore_reference(network, 30).depth)
        except FairleadError:
            continue
        encoding = NetworkEncoding(network)
        for _ in range(60):
            data = damaged(encoding.encode(random.choice(states)), random)
            try:
                assert encoding.encode(encoding.decode(data)) == data
            except (NotCanonical, FairleadError):
                refused += 1
    assert refused > 100 or chunk
