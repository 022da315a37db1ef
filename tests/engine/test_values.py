"""Containers in the engine: functions against their Python twins, systems against the reference semantics."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import fairlead
from fairlead.engine import _native
from fairlead.engine.network import EngineNetwork
from fairlead.engine.values import native_values
from fairlead.lang.csp.library.containers import CONTAINERS, FUNCTIONS
from fairlead.lang.csp.library.library import Library
from fairlead.lang.csp.library.operations import Operation
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration
from fairlead.model.types import INT_MAX, INT_MIN, CallFailed, Function, Type
from fairlead.model.values import ArrayType, ObjectType
from fairlead.search.reach import Goal
from tests.support.sampling import some
from tests.support.steps import CONTEXT_MEMORY, compare_fault, compare_steps, explore_reference

# ---------------------------------------------------------------- functions


def operations(library: Library) -> Iterator[tuple[Operation, tuple[Type, ...]]]:
    """All functions of the library, and the types of their arguments, the receiver first."""
    for python in CONTAINERS:
        kind = library.class_type(python.__name__)
        constructor = kind.constructor()
        yield constructor, constructor.parameters
        for name in kind.methods():
            method = kind.method(name)
            yield method, (kind, *method.parameters)
    for target in FUNCTIONS:
        function = library.function(target.__name__)
        yield function, function.parameters


def functions(library: Library) -> list[tuple[Function, tuple[Type, ...], int]]:
    """The same as functions on words, those of arrays too, and how many arguments they need."""
    found: list[tuple[Function, tuple[Type, ...], int]] = []
    for operation, types in operations(library):
        required = operation.required + len(types) - len(operation.parameters)
        found += [(one, types, required) for one in (operation.value, operation.effect) if one is not None]
    for array in (library.integers, library.booleans):
        found += [
            (array.gather, (array.element,) * 4, 0),
            (array.element_of("a"), (array, Type.INT), 2),
            (array.replacing("a"), (array, Type.INT, array.element), 3),
        ]
    return found


def random_integer(rng: random.Random) -> int:
    if rng.random() < 0.1:
        return rng.choice([INT_MIN, INT_MIN + 1, -1000, -65, -64, 63, 64, 8191, 46340, 46341, INT_MAX])
    return rng.randrange(-2, 6)


def random_word(kind: Type, rng: random.Random) -> int:
    """The word of a random value of a type."""
    if not isinstance(kind, ObjectType):
        return random_integer(rng) if kind is Type.INT else rng.randrange(2)
    items = [random_integer(rng) for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 4, 5, 40, 70]))]
    if isinstance(kind, ArrayType):
        return kind.word(
            tuple(kind.element.value(item if kind.element is Type.INT else item % 2) for item in items)
        )
    if kind.name != "HashTable":
        return kind.word(kind.python(tuple(items)))  # type: ignore[attr-defined]
    table = kind.python()  # type: ignore[attr-defined]
    for item in items:
        table = table.SetValue(item, random_integer(rng))
    return kind.word(table)


def outcome(function: Function, words: Sequence[int]) -> int | None:
    try:
        return function.apply(words)
    except CallFailed:
        return None


def compare_functions(seed: int) -> tuple[int, int]:
    """Calls every function some times in the engine and in Python; how many have failed, and how many not."""
    rng, library = random.Random(seed), Library()
    values = native_values(library.table)
    failed = succeeded = 0
    for function, types, required in functions(library):
        assert function.built_in is not None
        number = _native.built_in(function.built_in)
        assert number != _native.NO_BUILT_IN, function.built_in
        for _ in range(4):
            count = rng.randint(required, len(types))
            words = [random_word(kind, rng) for kind in types[:count]]
            if rng.random() < 0.5:  # whoever is first makes the value
                expected, found = outcome(function, words), values.apply(number, words)
            else:
                found, expected = values.apply(number, words), outcome(function, words)
            shown = [kind.text(word) for kind, word in zip(types, words, strict=False)]
            assert found == expected, (seed, function.built_in, shown)
            failed += expected is None
            succeeded += expected is not None
    return failed, succeeded


@pytest.mark.sampled
def test_functions_give_what_python_gives() -> None:
    counts = [compare_functions(seed) for seed in some(range(150))]
    assert all(failed > 5 and succeeded > 100 for failed, succeeded in counts)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(4))
def test_functions_give_what_python_gives_often(chunk: int) -> None:
    for seed in range(1000 + 1000 * chunk, 2000 + 1000 * chunk):
        compare_functions(seed)


def test_values_are_read_back() -> None:
    rng, library = random.Random(1), Library()
    kinds: list[ObjectType] = [library.class_type(python.__name__) for python in CONTAINERS]
    kinds += [library.integers, library.booleans]
    before = {random_word(kind, rng): kind for kind in kinds for _ in range(20)}
    texts = {number: library.table.text(number) for number in before}
    read = {number: library.table.value(number) for number in before}
    values = native_values(library.table)  # they move, and keep their numbers
    for number, kind in before.items():
        assert library.table.text(number) == values.text(number) == texts[number]
        assert library.table.value(number) == read[number]
        assert type(library.table.value(number)) is type(read[number])
        assert kind.word(read[number]) == number
        assert values.restore(values.encoded(number)) == number
    assert values.count == len(before)


@pytest.mark.parametrize("run", [b"", b"\x08", b"\x80", b"\x0b\x81", b"\x03\x01", b"\x13\x01"])
def test_damaged_values_are_refused(run: bytes) -> None:
    with pytest.raises(ValueError, match="no value"):
        _native.Values().restore(run)


# ---------------------------------------------------------------- systems

DECLARATIONS = (
    "var<List> l; var<List> m; var<Queue> q; var<Set> s; var<Set> t; var<Stack> k; var<HashTable> h;"
)
GUARDS = [
    "l.Count() < 3", "q.IsEmpty()", "q.Count() > 0", "!s.Contains(1)", "s.Union(t) == t", "l == m", "l != m",
    "l.Concat(m) == m.Concat(l)", "s.IsDisjoint(t)", "h.ContainsKey(1)", "!k.IsEmpty()", "k.Count() < 2",
    "new Set([2, 1, 2]) == s", "q.Concat(q, q) != q", "x == call(Max, x, 1)",
]  # fmt: skip
CHANGES = [
    "l.Add(x)", "l = l.Concat(l)", "l = m", "m = l; m.Add(2)", "l.RemoveAt(0)", "l.Remove(x)", "l.Clear()",
    "q.Enqueue(x)", "x = q.Dequeue()", "q = q.Concat(q)", "s.Add(x)", "t = s.Union(t)", "s.Remove(x)",
    "t = t.Substract(s)", "k.Push(x)", "x = k.Pop()", "h.Add(x, l.Count())", "h.SetValue(1, x)",
    "h.Remove(x)",
    "x = h.GetValue(1)", "x = 1 - x", "x = q.First() + q.Last()", "a[x % 2] = l", "l = a[x % 2]",
    "a[0] = a[1]",
    "var i = 0; while (i < 3) { l.Add(i); i++; } l.RemoveAt(1); l.RemoveAt(0)",
    "var c = q; while (!c.IsEmpty()) { k.Push(c.Dequeue()); }", "var c = l; c.Add(1); if (c == m) { x = 1; }",
    "var c = s.ToArray(); m = new List(c)", "s = new Set(l.ToArray())",
    "var c = l; var d = c; c.Clear(); m = d",
]  # fmt: skip
#: without them a change fails
NEEDED = {
    "l.RemoveAt(0)": "!l.IsEmpty()",
    "q.Dequeue()": "!q.IsEmpty()",
    "q.First()": "!q.IsEmpty()",
    "k.Pop()": "!k.IsEmpty()",
    "h.GetValue(1)": "h.ContainsKey(1)",
}
BOUND = "l.Count() + m.Count() + q.Count() + k.Count() + a[0].Count() + a[1].Count() < 8"


def random_system(seed: int) -> str:
    """Processes that change containers, send them and pass them on as parameters."""
    rng = random.Random(seed)
    processes = []
    for number in range(rng.randint(1, 3)):
        branches = []
        for _ in range(rng.randint(1, 3)):
            program = "; ".join(rng.choice(CHANGES) for _ in range(rng.randint(1, 2)))
            event = rng.choice([f"e{number}", f"e{number}.l", "e.(s.Union(t))", f"f{number}.v"])
            after = rng.choice(["l", "v", "l.Concat(v)", "m"])
            needed = {guard for call, guard in NEEDED.items() if call in program and rng.random() < 0.7}
            guard = " && ".join([rng.choice(GUARDS), BOUND, "v.Count() < 5", *sorted(needed)])
            branches.append(f"[{guard}] {event}{{{program};}} -> P{number}({after})")
        if rng.random() < 0.3:
            branches.append(f"c!m.Concat(v) -> P{number}(v)" if number else "c?w -> P0(w)")
        processes.append(f"P{number}(v) = {' [] '.join(branches)};")
    calls = " ||| ".join(f"P{number}({rng.choice('lm')})" for number in range(len(processes)))
    declared = f"channel c {rng.randint(0, 1)}; {DECLARATIONS} var<List> a[2]; var x = 1;"
    return "\n".join([declared, *processes, f"System() = {calls};"])


def network_of(text: str) -> Network:
    network = fairlead.loads(text)._loaded.system("System()")
    assert isinstance(network, Network)
    return network


def compare_before_reference(text: str, limit: int) -> bool:
    """The engine on a model of which nobody has seen a value; whether the system was small enough."""
    if not explore_reference(network_of(text), limit).is_complete:
        return False
    counts = set()
    for threads in (1, 3):
        network = network_of(text)
        engine = EngineNetwork(network)
        graph = engine.graph(_native.Context(CONTEXT_MEMORY, threads, least_work=2), True)
        try:
            graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
        except _native.EngineFault as error:
            fault, state = engine.fault(error), engine.configuration(graph, graph.current)
            compare_fault(fault, state, explore_reference(network, limit))
            continue
        expected = explore_reference(network, limit)
        assert not expected.faults
        states = [engine.configuration(graph, number) for number in range(graph.state_count)]
        assert len(set(states)) == len(states)
        assert set(states) == expected.depth.keys()
        for number, state in enumerate(states):
            compare_steps(engine, graph, number, expected.steps[state])
        counts.add(tuple(texts(network, states)))
    assert len(counts) <= 1, "threads change the numbers of states"
    return True


def texts(network: Network, states: Sequence[Configuration]) -> list[str]:
    """Configurations without the numbers of values, which depend on the threads."""
    system = NetworkSystem(network)
    return [str(system.describe(state)) for state in states]


def compare_random(seed: int, limit: int) -> bool:
    text = random_system(seed)
    try:
        return compare_before_reference(text, limit)
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n{text}") from error


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
def test_random_systems(chunk: int) -> None:
    assert sum(compare_random(seed, 200) for seed in some(range(chunk, 100, 4))) > 0


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_random_systems(chunk: int) -> None:
    assert sum(compare_random(seed, 1500) for seed in range(1000 + chunk, 5000, 10)) > 40


def test_a_function_of_the_user_may_give_an_equal_container(tmp_path: Path) -> None:
    """It gets a number for what has none yet, and the two are still equal."""
    library = tmp_path / "lib.py"
    library.write_text(
        "from fairlead.lang.csp.library.containers import List\n"
        "def same(l: List) -> List:\n    return List(tuple(l))\n"
        "def length(l: List) -> int:\n    return len(l)\n"
    )
    model = fairlead.loads(
        "var<List> l; var e = false; var f = true; var n = 0;"
        "P() = a{l.Add(7); var c = call(same, l); e = c == l; c.Add(8); f = c == l; n = call(length, c);}"
        "  -> Stop;"
        "#define right e && !f && n == 2 && l.Count() == 1; #assert P() reaches right;",
        allow_python=[library],
    )
    assert model.check(model.assertions[0]).verdict is fairlead.Verdict.HOLDS


# ---------------------------------------------------------------- what is dead


def explored(text: str) -> tuple[EngineNetwork, _native.NetworkGraph]:
    engine = EngineNetwork(network_of(text))
    graph = engine.graph(_native.Context(CONTEXT_MEMORY), False)
    graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
    return engine, graph


def test_values_that_are_dead_are_not_kept() -> None:
    """Each of 50 steps makes hundreds of containers that no other step makes, and keeps one of two."""
    engine, graph = explored(
        "var<List> l; var<Set> s; var n = 0;"
        "System() = [n < 50 && l.Concat(l, l) != new List([5, n])] a{"
        "  l.Clear(); var i = 0; while (i < 200) { l.Add(n * 1000 + i); i++; s.Add(n * i); }"
        "  l = new List([n % 2]); s.Clear(); n++;} -> System();"
    )
    assert graph.state_count == 51
    assert engine.network.values.count <= 5


def test_a_long_loop_keeps_only_what_it_needs() -> None:
    """The containers of the loop are forgotten on the way several times; those still in use are not."""
    engine, graph = explored(
        "var<List> l; var<Queue> q; var<List> a[2]; var x = -1;"
        "System() = b{q.Enqueue(5); var old = l; old.Add(9); a[1] = old; var i = 0;"
        "  while (i < 3000) { l.Add(i); i++; if (i == 2000) { a[0] = l; } }"
        "  x = old.Get(0) + a[1].Count() + q.First();} -> Stop;"
    )
    assert graph.state_count == 2
    values, engine_values = engine.network.values, engine.configuration(graph, 1).values
    row, queue, long, short, x = engine_values
    assert values.value(row) == tuple(range(3000))
    assert values.value(queue) == (5,)
    assert (values.value(long), values.value(short)) == (tuple(range(2000)), (9,))
    assert x == 15
    assert values.count <= 6


@pytest.mark.parametrize("threads", [1, 3])
def test_containers_without_end_are_stopped(threads: int) -> None:
    change = "l.Add(1); var i = 0; while (i < 60) { l = l.Concat(l); i++; }"
    model = fairlead.loads(f"var<List> l; P() = a{{{change}}} -> P(); #assert P() deadlockfree;")
    result = model.check(model.assertions[0], limits=fairlead.Limits(max_memory=80 << 20, threads=threads))
    assert (result.verdict, result.reason) == (fairlead.Verdict.UNKNOWN, "max-memory")


@pytest.mark.parametrize("threads", [1, 3])
def test_a_loop_that_is_long_is_stopped(threads: int) -> None:
    text = "var<List> l; System() = a{var i = 0; while (i < 900000) { l.Add(i); i++; }} -> System();"
    model = fairlead.loads(f"{text} #assert System() deadlockfree;")
    result = model.check(model.assertions[0], limits=fairlead.Limits(timeout=0.3, threads=threads))
    assert (result.verdict, result.reason) == (fairlead.Verdict.UNKNOWN, "timeout")


def test_states_have_the_same_numbers_for_all_threads() -> None:
    text = (
        "var<List> l; P(i) = [l.Count() < 6] add.i{l.Add(i);} -> P(i)"
        "  [] [l.Contains(i)] out.i{l.Remove(i);} -> P(i);"
        "System() = ||| i:{0..3} @ P(i);"
    )
    orders = set()
    for threads in (1, 2, 3):
        network = network_of(text)
        engine = EngineNetwork(network)
        graph = engine.graph(_native.Context(CONTEXT_MEMORY, threads, least_work=2), False)
        graph.explore(Goal.NONE, _native.NO_CODE, 1 << 40)
        states = [engine.configuration(graph, number) for number in range(graph.state_count)]
        orders.add(tuple(texts(network, states)))
    assert len(orders) == 1
    assert len(next(iter(orders))) == sum(4**length for length in range(7))
