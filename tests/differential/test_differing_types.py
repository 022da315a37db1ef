"""Parameters and messages of different types: the reference semantics against the engine."""

from __future__ import annotations

from contextlib import suppress

import pytest

import fairlead
from fairlead.base.diagnostics import Code, FairleadError, InputError
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.model.evaluation import Fault
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from fairlead.search.reach import Goal
from tests.support.generators.differing_types import random_differing_model
from tests.support.sampling import is_sample, some
from tests.support.steps import CONTEXT_MEMORY, Explored, compare_network, explore_reference

SEEDS = range(400)
CHUNKS = 8
LIMIT = 250


class AllFaults(NetworkSystem):
    """Continues after a fault, so that all faults of a state are known."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.found: list[FairleadError] = []

    def _failed(self, problem: FairleadError, event: str | None, processes: frozenset[str]) -> None:
        self.found.append(problem)


def faults_of(network: Network, state: State) -> set[tuple[Code, str, str]]:
    system = AllFaults(network)
    with suppress(InputError):  # in what comes after a fault
        system.steps(state)
    return {shown(fault) for fault in system.found if isinstance(fault, Fault)}


def shown(fault: Fault) -> tuple[Code, str, str]:
    return fault.code, fault.message, str(fault.span)


def compare_first_fault(network: Network, expected: Explored) -> None:
    """The engine stops at a nearest state with a fault, with one of those that the state has."""
    engine = EngineNetwork(network)
    graph = engine.graph(_native.Context(CONTEXT_MEMORY), True)
    with pytest.raises((_native.EngineFault, Fault)) as caught:
        graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
    error = caught.value
    fault = error if isinstance(error, Fault) else engine.fault(error)
    state = engine.configuration(graph, graph.current)
    assert isinstance(fault, Fault)
    assert shown(fault) in faults_of(network, state)
    assert expected.depth[state] == min(expected.depth[other] for other in expected.faults)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_models(chunk: int) -> None:
    seen: set[str] = set()
    for seed in some(SEEDS[chunk::CHUNKS]):
        text = random_differing_model(seed)
        try:
            network = fairlead.loads(text)._loaded.system("System()")
            assert isinstance(network, Network)
            expected = explore_reference(network, LIMIT)
        except InputError as error:  # what is certain
            assert not isinstance(error, Fault)
            seen.add(f"before the run: {error.diagnostics[0].code.value}")
            continue
        if not expected.is_complete:
            continue
        try:
            if expected.faults:
                compare_first_fault(network, expected)
                seen |= {fault.code.value for fault in expected.faults.values()}
            else:
                compare_network(network, expected)
                seen.add("no fault" if expected.transition_count > 3 else "little to see")
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error}\n{text}") from error
    assert is_sample() or {"type", "no fault"} <= seen
    assert {name for name in seen if name.startswith("before")} <= {"before the run: type"}


# ---------------------------------------------------------------- by hand

#: with the place of the fault; every use fails only when it is reached with a value of the wrong type
FAULTS = {
    "arithmetic on what is received": (
        "channel c 1; var a[2]; P() = c!1 -> c!a -> Stop ||| Q(); Q() = c?x -> e.(x + 1) -> Q();",
        "1:74",
    ),
    "the same by a handshake": (
        "channel c 0; var a[2]; P() = c!1 -> c!a -> Stop ||| Q(); Q() = c?x -> e.(x + 1) -> Q();",
        "1:74",
    ),
    "an index of an integer": (
        "var a[2]; P() = Q(a) ||| d -> d -> Q(1); Q(x) = e.x[0] -> Stop;",
        "1:51",
    ),
    "a method of an integer": (
        "var<List> l; P() = Q(l) ||| d -> d -> Q(1); Q(x) = e.(x.Count()) -> Stop;",
        "1:55",
    ),
    "a method of another type": (
        "var<List> l; var<Stack> s; P() = Q(s) ||| d -> d -> Q(l); Q(x) = e.(x.Top()) -> Stop;",
        None,
    ),
    "assigned to a variable": (
        "channel c 1; var n; var a[2]; P() = c!a -> c!2 -> Stop ||| Q(); Q() = c?x{n = x;} -> Q();",
        "1:79",
    ),
    "a guard": (
        "channel c 1; var a[2]; P() = c!1 -> c!a -> Stop ||| Q(); Q() = c?[x > 0]x -> Q();",
        "1:67",
    ),
    "an element of a copy": (
        "var n; var a[2]; P() = Q(a) ||| d -> Q(1); Q(x) = e{var t = x; t[0] = 3; n = t[0];} -> Stop;",
        "1:64",
    ),
    "the argument of a macro": (
        "#define twice(k) k + k; var a[2]; P() = Q(1) ||| d -> Q(a); Q(x) = e.call(twice, x) -> Stop;",
        "1:18",
    ),
    "an integer as a condition": ("P() = Q(true) ||| d -> Q(1); Q(x) = [x] e -> Stop;", "1:38"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_use_is_a_fault_where_it_happens(name: str) -> None:
    text, place = FAULTS[name]
    model = fairlead.loads(text)
    network = model._loaded.system("P()")
    assert isinstance(network, Network)
    expected = explore_reference(network, 100)
    codes = {fault.code for fault in expected.faults.values()}
    assert codes <= {Code.TYPE, Code.CALL_FAILED}
    assert Code.TYPE in codes or place is None
    compare_first_fault(network, expected)
    if place is not None:
        spans = {str(fault.span) for fault in expected.faults.values() if fault.code is Code.TYPE}
        assert spans == {f"<csp>:{place}"}
        result = model.check("P() deadlockfree")
        assert result.fault is not None and str(result.fault.span) == f"<csp>:{place}"
        assert result.evidence is not None


UNREACHED = {
    "distinguished by another field": (
        "channel c 1; var a = [7, 8]; P() = c!0.5 -> c!1.a -> Stop ||| Q();"
        " Q() = c?k.x -> ifa (k == 0) {num.(x + 1) -> Q()} else {arr.x[1] -> Q()};",
        {"num.6", "arr.8"},
    ),
    "distinguished by its value": (
        "channel c 0; var a = [7, 8]; P() = c!5 -> c!a -> Stop ||| Q();"
        " Q() = c?x -> ([x == 5] five -> Q() [] [x == a] all -> Q() [] [x != 5 && x != a] none -> Stop);",
        {"five", "all"},
    ),
    "a guard on something else": (
        "var n; var a = [7, 8]; P() = Q(1) ||| Q(a); Q(x) = [n == 9] e.(x + 1) -> Stop [] f.x -> Stop;",
        {"f.1", "f.[7, 8]"},
    ),
    "only what can be equal is taken": (
        "channel c 2; var a = [7, 8]; P() = c!a -> c!true -> c!1 -> Stop"
        " ||| (c?1 -> one -> Stop [] c?a -> arr -> c?true -> yes -> Stop);",
        {"arr", "yes"},
    ),
    "arrays of integers and of booleans": (
        "channel c 0; var a = [1, 0]; var b = [true, false];"
        " P() = c!a -> c!b -> Stop ||| c?x -> c?y -> e.x.y.(x == y) -> Stop;",
        {"e.[1, 0].[true, false].false"},
    ),
}


@pytest.mark.parametrize("name", UNREACHED)
def test_what_is_not_reached_does_not_fail(name: str) -> None:
    text, events = UNREACHED[name]
    model = fairlead.loads(text)
    network = model._loaded.system("P()")
    assert isinstance(network, Network)
    expected = explore_reference(network, 200)
    assert not expected.faults
    compare_network(network, expected)
    found = {step.event for steps in expected.steps.values() for step in steps}
    assert events <= found
    assert found - events <= {event for event in found if event[:2] in ("c!", "c?", "c.")}


#: what is certain is found before the run
SURE = {
    "every call gives an array": (
        "var n; var a[2]; P() = Q(a); Q(x) = [n == 2] e.(x + 1) -> Stop [] f -> Stop;",
        "give an index",
    ),
    "every message is an array": (
        "channel c 1; var n; var a[2]; P() = c!a -> c?x -> ([n == 3] e.(x + 1) -> Stop [] f -> Stop);",
        "'x' is an array",
    ),
    "a variable is an array": (
        "var a[2]; P() = Q(a) ||| Q(1); Q(x) = e.x.(a + 1) -> Stop;",
        "'a' is an array; give an index",
    ),
    "an array compared with a number": ("var a[2]; P() = [a == 1] e -> Stop;", "'a' is an array"),
    "no message can be equal": ("channel c 1; var a[2]; P() = c!a -> c?1 -> Stop;", "expected an array"),
}


@pytest.mark.parametrize("name", SURE)
def test_a_wrong_use_that_is_certain_is_an_error_before_the_run(name: str) -> None:
    text, message = SURE[name]
    with pytest.raises(InputError, match=message) as caught:
        fairlead.loads(text).check("P() deadlockfree")
    assert not isinstance(caught.value, Fault)
    assert caught.value.diagnostics[0].code is Code.TYPE


def test_too_many_combinations_of_types_are_a_limit() -> None:
    names = [f"x{number}" for number in range(12)]
    swapped = "".join(
        f" [] e.{number} -> Q({', '.join([*names[:number], 'a', *names[number + 1 :]])})"
        for number in range(12)
    )
    ones = ", ".join("1" * 12)
    text = (
        f"channel c 1; var a[2]; P() = Q({ones}); Q({', '.join(names)}) = c!x0 -> Stop{swapped};"
        "#assert P() deadlockfree;"
    )
    with pytest.raises(FairleadError, match="combinations of types") as caught:
        fairlead.loads(text)
    assert caught.value.diagnostics[0].code is Code.LIMIT
