"""The two step relations, transition by transition: the reference semantics against the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.network import Network
from fairlead.search.reach import Goal
from tests.support.asking.faults import without_fault
from tests.support.examples.loading import load_example
from tests.support.generators.csp_models import random_model
from tests.support.places import ROOT
from tests.support.sampling import is_sample, some
from tests.support.steps import (
    CONTEXT_MEMORY,
    compare_model,
    compare_network,
    compare_text,
    explore_reference,
)

DEFAULT_SEEDS = range(300)
LONG_SEEDS = range(10_000, 15_000)
DEFAULT_LIMIT, LONG_LIMIT = 400, 3000
CHUNKS = 10


# ---------------------------------------------------------------- models people wrote

SMALL = {
    "dp": {"N": 3},
    "lec": {"N": 2},
    "lecd": {"N": 2},
    "ms": {"N": 3},
    "pet": {"N": 2},
    "petx": {"N": 2},
    "rw": {"N": 2},
    "dining_philosophers": {"N": 3},
    "barriers": {"N": 3},
    "abp": {"N": 1},
    "abph": {"N": 1},
    "commit": {"N": 2},
    "fork": {"N": 3},
    "sort": {"N": 5},
    "phases": {"N": 3},
    "nested": {"N": 2},
    "calls": {"N": 2},
    "devices": {"N": 3},
    "chain": {"N": 4},
    "groups": {"N": 2},
    "alike": {"N": 3},
    "canteen": {"N": 3},
    "gossip": {"N": 4},
    "hanoi": {"N": 4},
    "lru": {"N": 4},
    "registry": {"N": 3},
    "queens": {"N": 5},
    "restaurant": {"T": 3, "D": 2},
    "jobs": {"N": 3},
    "leases": {"N": 3, "L": 3},
}
FILES = sorted([*ROOT.glob("examples/**/*.csp"), *ROOT.glob("bench/models/*.csp")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_model_files(path: Path) -> None:
    model = load_example(path, SMALL.get(path.stem, {}))
    for process in dict.fromkeys(assertion.process for assertion in model.assertions):
        assert compare_model(model, process, 3000), "give the model a smaller size in SMALL"


# As messages reach a slot of a buffer for the first time the layout grows, by several slots at once.
FILLING = {
    "one after the other": (
        "channel c 9; P(i) = c!i.(40 - 9 * i) -> P((i + 1) % 6); Q() = c?x.y -> Q(); System() = P(0) ||| Q();"
    ),
    "alike": "channel c 12; P() = c!7 -> P(); Q() = c?x -> a.x -> Q(); System() = P() ||| Q();",
    "an array of them": (
        "channel c[3] 4; var n:{0..3};"
        " P() = [n < 3] c[n]!(n * n - 3).n{n = n + 1;} -> P() [] [n == 3] r{n = 0;} -> P();"
        " Q(i) = c[i]?x.y -> Q(i); System() = P() ||| Q(0) ||| Q(1) ||| Q(2);"
    ),
    "beside a variable": (
        "channel c 6; var v[4]; var k:{0..3}; P() = c!k{v[k] = v[k] * 3 + 5 - k; k = (k + 1) % 4;} -> P();"
        " Q() = c?x{v[x] = 0;} -> Q(); System() = P() ||| Q();"
    ),
    "hidden": (
        "channel c 7; P(i) = c!i -> P(5 - i); Q() = c?x -> b.x -> Q();"
        " System() = (P(1) ||| Q()) \\ {b.1, b.4};"
    ),
    "followed by more": (
        "channel c 5; P(i) = [i < 9] c!(i * i) -> P(i + 1) [] [i == 9] d -> Skip;"
        " Q() = c?x -> Q() [] [call(cempty, c)] e -> Skip; System() = (P(0) ||| Q()); f -> Stop;"
    ),
}


@pytest.mark.parametrize("name", FILLING)
def test_buffers_that_fill_up(name: str) -> None:
    model = fairlead.loads(FILLING[name] + " #assert System() deadlockfree;")
    assert compare_model(model, "System()", 3000)


# ---------------------------------------------------------------- random models


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_models(chunk: int) -> None:
    seeds = some(DEFAULT_SEEDS[chunk::CHUNKS])
    compared = sum(compare_seed(seed, DEFAULT_LIMIT) for seed in seeds)
    assert compared >= len(seeds) // 2 or is_sample(), "most models are too big to be of use"


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 5))
def test_many_random_models(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk :: CHUNKS * 5]:
        compare_seed(seed, LONG_LIMIT)


def compare_seed(seed: int, limit: int) -> bool:
    return compare_text(random_model(seed), seed, limit)


# ---------------------------------------------------------------- run-time faults

FAULTS = {
    "range": ("var x:{0..2}; P() = a{x = x + 1;} -> P();", "value-out-of-range"),
    "range of an element": ("var v[2]:{0..1}; P() = a{v[1] = v[1] + 1;} -> P();", "value-out-of-range"),
    "index": ("var v[2]; var x; P() = a{v[x] = 1; x = x + 1;} -> P();", "index-out-of-bounds"),
    "index in a guard": ("var v[2]; var x; P() = [v[x] == 0] a{x = x + 1;} -> P();", "index-out-of-bounds"),
    "index below": ("var v[2]; P(i) = a.(v[i]) -> P(i - 1); Q() = P(1);", "index-out-of-bounds"),
    "two dimensions": ("var v[2][2]; var x; P() = a{v[0][x] = 1; x = x + 1;} -> P();", "index-out-of-bounds"),
    "local array": ("var x; P() = a{var v[2]; v[x] = 1; x = x + 1;} -> P();", "index-out-of-bounds"),
    "division": ("var x = 2; P() = a{x = 4 / x - 2;} -> P();", "division-by-zero"),
    "modulo": ("var x = 2; P() = a.(4 % x){x = x - 1;} -> P();", "division-by-zero"),
    "constant division": ("P() = a -> b.(1 / 0) -> P();", "division-by-zero"),
    "overflow": ("var x = 1; P() = a{x = x * 65536;} -> P();", "overflow"),
    "negation": ("var x = -2147483647 - 1; P() = a{x = -x;} -> P();", "overflow"),
    "quotient": ("var x = -2147483647 - 1; P() = a{x = x / (-1);} -> P();", "overflow"),
    "parameter": ("P(n) = a.n -> P(n + n); Q() = P(1);", "overflow"),
    "a boolean as an integer": ("var b = 0; P() = a{b = true;} -> c{b = b + 1;} -> P();", "type"),
    "an integer as a boolean": ("var b = true; P() = [b] a{b = 7;} -> P();", "type"),
    "no room for a boolean": (
        "var b = true; P() = a{b = -2147483647;} -> c{b = b - 1;} -> P();",
        "overflow",
    ),
    "nothing to look at": ("channel c 1; P() = e.call(cpeek, c) -> c!1 -> P();", "call-failed"),
    "assertion in a program": ("var x; P() = a{x++; assert(x < 2); x = x;} -> P();", "assertion"),
    "assertion": ("var x; P() = a{x++;} -> assert(x < 2); P();", "assertion"),
    "channel index": ("channel c[2] 1; var i; P() = c[i]!1{i++;} -> P();", "index-out-of-bounds"),
    "handshake index": (
        "channel c[2] 0; var i; P() = Q() ||| R(); Q() = c[i]!1{i++;} -> Q(); R() = c[i]?x -> R();",
        "index-out-of-bounds",
    ),
    "loop": ("var x; P() = a{while (x == 0) {x = 0;}} -> P();", "endless-operation"),
    "guard of a composition": ("var x; P() = [1 / x == 1] (a -> P() ||| Skip);", "division-by-zero"),
    "argument of a composition": (
        "var v[1]; var x = 1; P() = a -> Q(v[x]); Q(i) = a.i -> Skip ||| b -> Skip;",
        "index-out-of-bounds",
    ),
    "channel of a process by itself": (
        "channel c[2] 0; var x = 2; P() = c[x]!1 -> P();",
        "index-out-of-bounds",
    ),
    "message that nobody takes": (
        "channel c 0; var x; P() = c!(1 / x) -> Stop ||| a -> Stop;",
        "division-by-zero",
    ),
    "what follows a message that nobody takes": (
        "channel c 0; P() = R(0) ||| a -> Stop; R(i) = c!1 -> Q(1 / i); Q(i) = b.i -> Stop;",
        "division-by-zero",
    ),
    "what follows an event that others refuse": (
        "P() = R(0) || (b -> a -> Stop); R(i) = a -> Q(1 / i); Q(i) = d.i -> Stop; #alphabet R {a};",
        "division-by-zero",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    text, code = FAULTS[name]
    main = "Q()" if name in ("index below", "parameter") else "P()"
    model = fairlead.loads(text)
    network = model._loaded.system(main)
    assert isinstance(network, Network)
    expected = explore_reference(network, 1000)
    assert {fault.code.value for fault in expected.faults.values()} == {code}
    assert all(fault.span is not None for fault in expected.faults.values())
    compare_network(network, expected)
    with pytest.raises(InputError) as caught:
        without_fault(model.check(f"{main} deadlockfree"))
    fault = next(iter(expected.faults.values()))
    assert caught.value.diagnostics[0].message == fault.message
    assert caught.value.diagnostics[0].span == fault.span


def test_a_loop_may_run_long_in_each_of_many_steps() -> None:
    """The bound on rounds is for one data operation, not for all those of a state together."""
    work = "var k = 0; while (k < 60000) {k = k + 1;}"
    text = f"P() = [] i:{{0..19}} @ a.i{{{work}}} -> Skip;"
    network = fairlead.loads(text)._loaded.system("P()")
    assert isinstance(network, Network)
    engine = EngineNetwork(network)
    graph = engine.graph(_native.Context(CONTEXT_MEMORY), True)
    graph.explore(Goal.NONE, _native.NO_CODE, 100)
    assert graph.transition_count == 21


SEVERAL_FAULTS = {
    "label and target": "P() = R(0); R(i) = a.(1 / i) -> Q(i + 2147483647 + 1); Q(i) = b.i -> Stop;",
    "branches": "var x:{0..1} = 1; P() = a{x = 2;} -> Stop [] [1 / (x - 1) == 0] b -> Stop;",
    "steps that store": (
        "var x:{0..2}; var y = 2; var v[2]:{0..2}; channel c 3; channel f 1;"
        " Q(i) = c?[z <= x]z{v[i] = z % 3;} -> Q(i) [] [v[i] != x] f!(0){x = x + 1;} -> Q(x % 2)"
        " [] c!(1 - i){x = x + 1;} -> Q(i);"
        " S() = [y % 2 == 1] c!(v[x % 2]){v[0] = 2; x = 1;} -> Stop;"
        " P() = (Q(1) ||| S() ||| S()) \\ {a};"
    ),
    "different faults of a process": (
        "var x:{0..2}; var y = 0; var v[2]:{0..2}; channel e[2] 2; channel f 2;"
        " Q(i) = [!call(cempty, f) || x == 1] tau{v[x] = 0;} -> Q(x % 2) [] [y % 2 == i] e[1 - i]?z -> Q(i);"
        " S(i) = [!call(cempty, f) || x == 1] e[1 - i]?z{v[i] = z % 3;} -> S(1 - i)"
        " [] e[i]!(y % 3){x = x + 1;} -> S(1 - i) [] [x > 0] a.x{v[x] = 0;} -> Skip;"
        " P() = Q(0) ||| S(1) ||| S(0);"
    ),
}


@pytest.mark.parametrize("name", SEVERAL_FAULTS)
def test_of_several_faults_both_report_the_same(name: str) -> None:
    network = fairlead.loads(SEVERAL_FAULTS[name])._loaded.system("P()")
    assert isinstance(network, Network)
    expected = explore_reference(network, 2000)
    assert expected.faults
    compare_network(network, expected)


def test_a_fault_in_a_goal_is_an_error_of_the_model() -> None:
    model = fairlead.loads("var x = 2; P() = a{x = x - 1;} -> P(); #define goal 4 / x == 7;")
    with pytest.raises(InputError, match="division by zero"):
        without_fault(model.check("P() reaches goal"))
