"""Built-in library types and arrays as values: against Python's own containers, on both step relations."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

import fairlead
from fairlead.base.diagnostics import InputError
from fairlead.base.source import Source
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.declarations import collect
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator
from fairlead.lang.csp.elaborate.variables import elaborate_variables
from fairlead.lang.csp.parse import parse_specification
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.tree import Configuration
from tests.support.asking.faults import without_fault
from tests.support.steps import compare_network, explore_reference

# ---------------------------------------------------------------- random operations against an oracle


@dataclass
class Oracle:
    """The values a random program works on, as Python's own containers, and what its calls gave."""

    row: list[int] = field(default_factory=list)
    line: deque[int] = field(default_factory=deque)
    pile: list[int] = field(default_factory=list)
    members: set[int] = field(default_factory=set)
    others: set[int] = field(default_factory=set)
    pairs: dict[int, int] = field(default_factory=dict)
    out: list[int] = field(default_factory=list)

    def variables(self) -> dict[str, str]:
        return {
            "l": str(self.row),
            "q": str(list(self.line)),
            "k": str(self.pile[::-1]),
            "s": str(sorted(self.members)),
            "t": str(sorted(self.others)),
            "h": f"[{', '.join(f'{key}={value}' for key, value in sorted(self.pairs.items()))}]",
            "out": str(self.out),
        }


#: a statement, what it does to the oracle, and what it gives (None: nothing)
Operation = tuple[str, Callable[[Oracle], object]]


def operations(rng: random.Random) -> list[Operation]:
    """One call of each method, with random small arguments."""
    x, y, i = rng.randrange(5), rng.randrange(5), rng.randrange(-1, 4)
    return [
        (f"l.Add({x})", lambda o: o.row.append(x)),
        (f"l.Get({i})", lambda o: at(o.row, i)),
        (f"l.Set({i}, {x})", lambda o: replace(o.row, i, x)),
        (f"l.Insert({i}, {x})", lambda o: insert(o.row, i, x)),
        (f"l.RemoveAt({i})", lambda o: discard(at(o.row, i), o.row.pop(i))),
        (f"l.Remove({x})", lambda o: x in o.row and not o.row.remove(x)),
        (f"l.Contains({x})", lambda o: x in o.row),
        (f"l.IndexOf({x})", lambda o: o.row.index(x) if x in o.row else -1),
        ("l.Count()", lambda o: len(o.row)),
        ("l.IsEmpty()", lambda o: not o.row),
        ("l.Clear()", lambda o: o.row.clear()),
        (f"q.Enqueue({x})", lambda o: o.line.append(x)),
        ("q.Dequeue()", lambda o: o.line.popleft()),
        ("q.First()", lambda o: o.line[0]),
        ("q.Peek()", lambda o: o.line[0]),
        ("q.Last()", lambda o: o.line[-1]),
        ("q.Count()", lambda o: len(o.line)),
        (f"q.Contains({x})", lambda o: x in o.line),
        ("q.Clear()", lambda o: o.line.clear()),
        (f"k.Push({x})", lambda o: o.pile.append(x)),
        ("k.Pop()", lambda o: o.pile.pop()),
        ("k.Peek()", lambda o: o.pile[-1]),
        ("k.Top()", lambda o: o.pile[-1]),
        ("k.Count()", lambda o: len(o.pile)),
        (f"k.Contains({x})", lambda o: x in o.pile),
        ("k.Clear()", lambda o: o.pile.clear()),
        (f"s.Add({x})", lambda o: x not in o.members and not o.members.add(x)),
        (f"t.Add({x})", lambda o: x not in o.others and not o.others.add(x)),
        (f"s.Remove({x})", lambda o: x in o.members and not o.members.remove(x)),
        (f"s.Contains({x})", lambda o: x in o.members),
        (f"s.Get({i})", lambda o: at(sorted(o.members), i)),
        ("s.Count()", lambda o: len(o.members)),
        ("s.Size()", lambda o: len(o.members)),
        ("s.IsOverlapping(t)", lambda o: bool(o.members & o.others)),
        ("s.IsDisjoint(t)", lambda o: not o.members & o.others),
        ("s = s.Union(s, t)", lambda o: discard(o.members.update(o.others))),
        ("s = s.Union(t)", lambda o: discard(o.members.update(o.others))),
        ("s = t.Intersect(s, t)", lambda o: discard(o.members.intersection_update(o.others))),
        ("s = s.Substract(t)", lambda o: discard(o.members.difference_update(o.others))),
        ("t = s", lambda o: discard(o.others.clear(), o.others.update(o.members))),
        (f"h.Add({x}, {y})", lambda o: discard(o.pairs.setdefault(x, y))),
        (f"h.SetValue({x}, {y})", lambda o: discard(o.pairs.update({x: y}))),
        (f"h.ContainsKey({x})", lambda o: x in o.pairs),
        (f"h.GetValue({x})", lambda o: o.pairs[x]),
        (f"h.Remove({x})", lambda o: o.pairs.pop(x, None) is not None),
        ("h.Count()", lambda o: len(o.pairs)),
        ("h.Clear()", lambda o: o.pairs.clear()),
        ("l = l.Concat(l)", lambda o: o.row.extend(o.row)),
    ]


def discard(*_: object) -> None:
    return None


def at(items: list[int], index: int) -> int:
    if index < 0:
        raise IndexError
    return items[index]


def replace(items: list[int], index: int, value: int) -> None:
    at(items, index)
    items[index] = value


def insert(items: list[int], index: int, value: int) -> None:
    if not 0 <= index <= len(items):
        raise IndexError
    items.insert(index, value)


DECLARATIONS = """
var<List> l; var<Queue> q; var<Stack> k = new Stack(); var<Set> s = new Set(); var<Set> t;
var<HashTable> h = new HashTable(64); var<List> out;
"""


def random_program(seed: int) -> tuple[str, Oracle, list[dict[str, str]], bool]:
    """Random calls, one in each event; the variables after each, and whether the last one fails."""
    rng = random.Random(seed)
    oracle, after, steps = Oracle(), [], []
    for number in range(12):
        text, effect = rng.choice(operations(rng))
        if len(oracle.row) > 12:
            text, effect = "l.Clear()", lambda o: o.row.clear()
        try:
            result = effect(oracle)
        except (IndexError, KeyError):
            if rng.random() < 0.8:
                continue
            steps.append(f"e.{number}{{{text};}}")
            return program_text(steps), oracle, after, True
        if isinstance(result, bool):
            oracle.out.append(int(result))
            text = f"if ({text}) {{out.Add(1);}} else {{out.Add(0);}}"
        elif result is not None:
            oracle.out.append(int(result))  # type: ignore[call-overload]
            text = f"out.Add({text});"
        steps.append(f"e.{number}.l.s{{{text};}}")
        after.append(oracle.variables())
    return program_text(steps), oracle, after, False


def program_text(steps: list[str]) -> str:
    return f"{DECLARATIONS}\nP() = {' -> '.join([*steps, 'Stop'])};"


def check_seed(seed: int) -> bool:
    text, _, after, fails = random_program(seed)
    network = network_of(text)
    system, expected = NetworkSystem(network), explore_reference(network, 50)
    try:
        compare_network(network, expected)
        assert bool(expected.faults) == fails
        assert all(fault.code.value == "call-failed" for fault in expected.faults.values())
        (state,) = system.initial_states()
        for variables in after:
            (step,) = system.steps(state)
            assert isinstance(step.target, Configuration)
            state = step.target
            assert system.variables(state) == variables
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}\n{text}") from error
    return fails


def network_of(text: str, process: str = "P()") -> Network:
    network = fairlead.loads(text)._loaded.system(process)
    assert isinstance(network, Network)
    return network


@pytest.mark.parametrize("chunk", range(4))
def test_random_operations(chunk: int) -> None:
    failed = sum(check_seed(seed) for seed in range(chunk * 50, chunk * 50 + 50))
    assert 5 <= failed <= 45, "both ends should be common"


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(40))
def test_many_random_operations(chunk: int) -> None:
    for seed in range(10_000 + chunk * 250, 10_000 + (chunk + 1) * 250):
        check_seed(seed)


# ---------------------------------------------------------------- random systems, on both step relations


def random_system(seed: int) -> str:
    """Two or three processes that change shared objects and arrays, and pass them on as parameters."""
    rng = random.Random(seed)
    arguments = ["l", "q", "s", "k", "h", "a", "l.Count()", "s.IsEmpty()", "a[0]", "v"]
    changes = ["a = b", "b = v", "a[0] = 1 - a[0]", "var c = a; c[1] = q.Count(); b = c", "b[1] = b[0]"]
    guards = ["l.Count() < 2", "q.Count() < 2", "!q.IsEmpty()", "s.Count() < 2", "v == a", "v[0] == b[1]"]
    processes = []
    for number in range(rng.randint(2, 3)):
        branches = []
        for _ in range(rng.randint(1, 3)):
            guard = rng.choice(guards)
            label = f"e{number}.({rng.choice(arguments)})"
            change = rng.choice(changes) if rng.random() < 0.3 else rng.choice(operations(rng))[0]
            after = rng.choice(
                [f"P{number}(a)", f"P{number}(b)", f"P{number}(v)", "Skip", "f.(l.Count()) -> Stop"]
            )
            program = f"{{{change};}}" if rng.random() < 0.9 else ""
            bounded = "l.Count() + q.Count() + k.Count() < 5"
            branches.append(f"[{guard} && {bounded}] {label}{program} -> {after}")
        processes.append(f"P{number}(v) = {' [] '.join(branches)};")
    calls = " ||| ".join(f"P{number}({rng.choice('ab')})" for number in range(len(processes)))
    declared = f"{DECLARATIONS} var a = [0, 1]; var b[2];"
    return "\n".join([declared, *processes, f"P() = {calls};"])


def compare_random_system(seed: int, limit: int) -> bool:
    text = random_system(seed)
    try:
        network = network_of(text)
        expected = explore_reference(network, limit)
        if expected.is_complete:
            compare_network(network, expected)
    except Exception as error:
        raise AssertionError(f"seed {seed}: {error}\n{text}") from error
    return expected.is_complete and not expected.faults and len(expected.depth) > 3


def test_random_systems() -> None:
    assert sum(compare_random_system(seed, 150) for seed in range(80)) > 15


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
def test_many_random_systems(chunk: int) -> None:
    for seed in range(1000 + chunk * 100, 1000 + (chunk + 1) * 100):
        compare_random_system(seed, 2000)


# ---------------------------------------------------------------- models with values, on both step relations

MODELS = {
    "parameters and events": """
        var<List> l; var<Set> s;
        Grow(v, n) = [n < 3] grow.v.n{l.Add(n);} -> Grow(l, n + 1) [] show.v -> Skip;
        P() = Grow(l, 0) ||| (add.s{s.Add(2);} -> Skip) ||| (add.s{s.Add(1);} -> Skip);""",
    "guards": """
        var<Queue> q; var sum = 0;
        In() = [] i:{1..2} @ ([q.Count() < 2] in.i{q.Enqueue(i);} -> In());
        Out() = [!q.IsEmpty() && sum < 4] out.(q.First()){sum = sum + q.Dequeue();} -> Out();
        P() = In() ||| Out();""",
    "arrays of objects": """
        var<Stack> k[2]; var i = 0;
        P() = [k[0].Count() + k[1].Count() < 4] e.k[i]{k[i].Push(i); i = 1 - i;} -> P()
           [] [k[i].Count() > 0] f{k[i].Pop();} -> P();""",
    "whole arrays": """
        var a = [0, 5, 0]; var b[3]; var same = false;
        Q(x) = [x[1] == 5] e.x.(x[0]){b = x; a[0] = (a[0] + 1) % 3; same = (a == b);} -> Q(a)
            [] [a == b] f.a{a[1] = 4;} -> Q(b) [] [x[1] == 4] Stop;
        P() = Q(a);""",
    "arrays of booleans": """
        var a = [true, false]; var b[2] = [false, false];
        Q(x) = e.x{b = x; a[1] = !a[1];} -> (if (b[1]) { f.b -> Skip } else { g.b.(x[0]) -> Skip });
        P() = Q(a); Q(a); Q(b);""",
    "arrays and containers": """
        var a = [3, 1, 3]; var<List> l; var<Set> s; var b[2];
        P() = e{l = new List(a); s = new Set(a); b = s.ToArray();} -> f.l.s.b ->
              g{a = l.ToArray();} -> Skip;""",
    "local values": """
        var a = [1, 2]; var sum;
        P() = e{var c = a; c[0] = 7; var t = new List(); t.Add(c[0]); t.Add(a[0]); var u = t; u.Clear();
                sum = t.Get(0) + t.Get(1) + u.Count(); var d = t; a = c;} -> f.a.sum -> Skip;""",
    "fields": """
        var<Set> s; var n;
        P() = [s$Count < 3] e.(s$Count){s.Add(s$Count); n = n + s$Count;} -> P();""",
    "functions": """
        var x = 3;
        P() = [x > 0] e.(call(Max, x, 2)).(call(Pow, 2, x)).(call(Abs, x - 9)){x = call(Min, x - 1, 9);}
                -> P()
           [] [x == 0] f.(call(Sqrt, 17)) -> Skip;""",
    "macros": """
        var<Queue> q; var x;
        #define size q.Count(); #define take q.Dequeue(); #define put(v) {q.Enqueue(v); q.Enqueue(v + 1);};
        P() = [size < 2] e{call(put, 3);} -> P() [] [size > 1] f{x = take - take;} -> P();""",
    "composition over values": """
        var<Set> s;
        Q(v, n) = [n > 0] a.v -> Q(v, n - 1) ||| b.v -> Skip;
        P() = c{s.Add(1);} -> Q(s, 1);""",
    "synchronised values": """
        var<List> l = new List();
        #alphabet A {go.1}; #alphabet B {go.1};
        A() = go.(l.Count() + 1) -> A(); B() = go.1 -> B();
        P() = A() || B();""",
    "several initial values": """
        var x:{0..2} = *; var<List> l;
        P() = [l.Count() < 2] e.l{l.Add(x); x = (x + 1) % 3;} -> P();""",
    "equal objects": """
        var<Set> s; var<Set> t;
        P() = [s == t] e{s.Add(1); s.Add(2);} -> P() [] [s != t] f{t.Add(2); t.Add(1);} -> P();""",
}


@pytest.mark.parametrize("name", MODELS)
def test_both_step_relations_agree(name: str) -> None:
    network = network_of(MODELS[name])
    expected = explore_reference(network, 2000)
    assert not expected.faults
    assert len(expected.depth) > 2 or name == "synchronised values"
    compare_network(network, expected)


def events(text: str, process: str = "P()") -> list[str]:
    """The events of a process that has just one run."""
    system = NetworkSystem(network_of(text, process))
    (state,) = system.initial_states()
    found = []
    while steps := system.steps(state):
        (step,) = steps
        found.append(step.event)
        assert isinstance(step.target, Configuration)
        state = step.target
    return found


def test_values_are_shown_as_pat_shows_them() -> None:
    text = """var a = [0, 5, 0]; var<List> l; var<Set> s; var<Stack> k; var<HashTable> h;
      var b = [true, false];
      P() = e.a.b -> f{l.Add(3); l.Add(1); s.Add(3); s.Add(1); k.Push(1); k.Push(2);
                       h.Add(2, 7); h.Add(1, 8);}
         -> g.l.s.k.h -> Stop;"""
    assert events(text) == ["e.[0, 5, 0].[true, false]", "f", "g.[3, 1].[1, 3].[2, 1].[1=8, 2=7]"]


# ---------------------------------------------------------------- the order in which things are done

ORDER = {
    "count, then take": ("x = q.Count() * 100 + q.Dequeue() * 10 + q.Count();", 312),
    "take, take": ("x = q.Dequeue() * 10 - q.Dequeue();", 8),
    "argument first": ("q.Enqueue(q.Dequeue()); x = q.Last() * 10 + q.First();", 12),
    "and, reached": ("if (q.Count() == 3 && q.Dequeue() == 1) {x = q.Count();}", 2),
    "and, not reached": ("if (q.Count() == 9 && q.Dequeue() == 1) {x = 5;} else {x = q.Count();}", 3),
    "or, reached": ("if (q.Count() == 9 || q.Dequeue() == 1) {x = q.Count();}", 2),
    "or, not reached": ("if (q.Count() == 3 || q.Dequeue() == 1) {x = q.Count();}", 3),
    "nested": ("if ((q.Dequeue() == 1 && q.Dequeue() == 9) || q.Dequeue() == 3) {x = 10 + q.Count();}", 10),
    "while": ("while (q.Dequeue() != 3) {x = x + 10;} x = x + q.Count();", 20),
    "index of the target": ("a[q.Count()] = q.Dequeue(); x = a[3];", 1),
    "index of the receiver": ("k[q.Count() - 3].Push(q.Dequeue()); x = k[0].Count();", 1),
    "both": ("x = a[q.Dequeue()] + q.Dequeue();", 2),
    "chain": ("x = y = q.Dequeue(); x = x + y * 10;", 11),
    "set says whether": ("if (s.Add(1)) {x = x + 1;} if (s.Add(1)) {x = x + 10;}", 1),
    "value not needed": ("q.Dequeue(); s.Add(4); q.Count(); x = q.First() * 10 + s.Get(0);", 24),
    "negated": ("if (!s.Add(1) || !s.Add(1)) {x = s.Count() + 5;}", 6),
    "function": ("x = call(Max, q.Count(), q.Dequeue()) * 10 + q.Count();", 32),
}


@pytest.mark.parametrize("name", ORDER)
def test_order(name: str) -> None:
    program, expected = ORDER[name]
    text = f"""var x; var y; var a[5]; var<Queue> q = new Queue(); var<Stack> k[2]; var<Set> s;
      P() = fill{{q.Enqueue(1); q.Enqueue(2); q.Enqueue(3);}} -> go{{{program}}} -> show.x -> Stop;"""
    assert events(text)[-1] == f"show.{expected}"
    network = network_of(text)
    compare_network(network, explore_reference(network, 10))


# ---------------------------------------------------------------- faults

FAULTS = {
    "dequeue": ("var<Queue> q; P() = a{q.Dequeue();} -> P();", "call-failed", "the queue is empty"),
    "first in a guard": (
        "var<Queue> q; P() = [q.First() == 1] a -> P();",
        "call-failed",
        "the queue is empty",
    ),
    "pop": ("var<Stack> k; var x; P() = a{x = k.Pop();} -> P();", "call-failed", "the stack is empty"),
    "list": (
        "var<List> l; P() = a{l.Add(1); l.RemoveAt(1);} -> P();",
        "call-failed",
        "1 elements, index is 1",
    ),
    "set": ("var<Set> s; P() = a.(s.Get(0)) -> P();", "call-failed", "0 elements, index is 0"),
    "table": ("var<HashTable> h; P() = a.(h.GetValue(4)) -> P();", "call-failed", "no key 4"),
    "power": ("var x = 31; P() = a{x = call(Pow, 2, x);} -> P();", "overflow", "32 bits"),
    "square root": ("var x = -1; P() = a.(call(Sqrt, x)) -> P();", "call-failed", "negative"),
    "index of a parameter": (
        "var a[2]; P() = go -> Q(a, 2); Q(x, i) = e -> f.(x[i]) -> P();",
        "index-out-of-bounds",
        "'x' has 2 elements, index is 2",
    ),
    "index of a kept array": (
        "var a[2]; P() = go{var t = a; t[2] = 1;} -> P();",
        "index-out-of-bounds",
        "'t' has 2 elements, index is 2",
    ),
    "lengths": ("var a[2]; var b[3]; P() = a.1{b = a;} -> P();".replace("a.1", "e"), "call-failed", "has 2"),
    "range of elements": (
        "var a[2]:{0..1}; var b = [0, 2]; P() = e{a = b;} -> P();",
        "value-out-of-range",
        "2",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    text, code, words = FAULTS[name]
    model = fairlead.loads(text)
    network = model._loaded.system("P()")
    assert isinstance(network, Network)
    expected = explore_reference(network, 100)
    assert {fault.code.value for fault in expected.faults.values()} == {code}
    compare_network(network, expected)
    with pytest.raises(InputError, match="error") as caught:
        without_fault(model.check("P() deadlockfree"))
    problem = caught.value.diagnostics[0]
    assert words in problem.message
    assert problem.span is not None


# ---------------------------------------------------------------- mistakes found before the run

MISTAKES = {
    "unknown type": ("var<Lisst> l; P() = Stop;", "unknown-name", "did you mean 'List'"),
    "unknown method": ("var<List> l; P() = a{l.Ad(1);} -> P();", "unknown-name", "did you mean 'Add'"),
    "methods listed": ("var<Stack> k; P() = a{k.Zzz(1);} -> P();", "unknown-name", "Peek, Pop, Push"),
    "too few": ("var<List> l; P() = a{l.Add();} -> P();", "arity", "'Add' takes 1 argument, 0 given"),
    "too many": ("var<Set> s; P() = a{s = s.Union(s, s, s);} -> P();", "arity", "1 to 2 arguments, 3 given"),
    "wrong type": (
        "var<List> l; P() = a{l.Add(true);} -> P();",
        "type",
        "expected an integer, 'true' is a bool",
    ),
    "list for set": ("var<List> l; var<Set> s; P() = [s.IsDisjoint(l)] a -> P();", "type", "'l' is a List"),
    "no object": ("var x; P() = a{x.Add(1);} -> P();", "type", "'x' is an integer"),
    "no value": ("var<List> l; var x; P() = a{x = l.Add(1);} -> P();", "type", "gives no value"),
    "effect in a guard": (
        "var<Set> s; P() = [s.Add(1)] a -> P();",
        "type",
        "can only be called in a program",
    ),
    "effect in an event": (
        "var<Queue> q; P() = a.(q.Dequeue()) -> P();",
        "type",
        "only be called in a program",
    ),
    "parameter": ("var<List> l; P() = Q(l); Q(v) = a{v.Add(1);} -> P();", "type", "'v' is not a variable"),
    "assigned integer": (
        "var<List> l; P() = a{l = 3;} -> P();",
        "type",
        "expected a List, '3' is an integer",
    ),
    "assigned other": ("var<List> l; var<Set> s; P() = a{l = s;} -> P();", "type", "expected a List"),
    "arithmetic": ("var<List> l; P() = a.(l + 1) -> P();", "type", "expected an integer, 'l' is a List"),
    "bits": ("var<List> l; P() = a.(l & l) -> P();", "type", "expected an integer, 'l' is a List"),
    "array for integer": ("var a[2]; P() = e.(a + 1) -> P();", "type", "'a' is an array; give an index"),
    "array for boolean": ("var a[2]; P() = [a] e -> P();", "type", "expected a boolean"),
    "objects as a whole": ("var<Set> s[2]; P() = e.s -> P();", "type", "array of objects"),
    "initial type": ("var<List> l = new Set(); P() = Stop;", "type", "expected a List"),
    "initial list": ("var<List> l = [1, 2]; P() = Stop;", "type", "new List"),
    "range": ("var<List> l:{0..3}; P() = Stop;", "type", "only integers have a range"),
    "ranged parameter": ("var<List> l; P() = Q(l); Q(v:{0..3}) = a.v -> P();", "type", "'l' is a List"),
    "unknown field": ("var<List> l; P() = a.(l$Cuont) -> P();", "unknown-name", "did you mean 'Count'"),
    "field with arguments": ("var<List> l; P() = a.(l$Get) -> P();", "library", "call it"),
    "unknown function": ("P() = a.(call(Maxx, 1, 2)) -> P();", "unknown-name", "did you mean 'Max'"),
    "mixed elements": ("P() = a{var t = [1, true];} -> P();", "type", "all have one type"),
    "C#": ('#import "PAT.Lib.DBM"; var<DBM> d; P() = Stop;', "library", "--allow-python DBM.py"),
    "Python": ('#import "own.py"; P() = e.call(best, 1) -> Stop;', "library", "--allow-python own.py"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str) -> None:
    text, code, words = MISTAKES[name]
    with pytest.raises(InputError) as caught:
        without_fault(fairlead.loads(text).check("P() deadlockfree"))
    problem = caught.value.diagnostics[0]
    assert problem.code.value == code
    assert problem.span is not None
    assert words in problem.render()


def test_what_is_built_in_can_be_imported() -> None:
    imports = "".join(
        f'#import "{name}";\n'
        for name in (
            "PAT.Lib.Set",
            "PAT.Lib.List",
            "PAT.Lib.Queue",
            "PAT.Lib.Stack",
            "PAT.Lib.HashTable",
            "PAT.Math",
        )
    )
    assert events(f"{imports}var<Set> s; P() = a.s.(call(Pow, 2, 10)) -> Stop;") == ["a.[].1024"]


INITIAL = {
    "variable": ("var x = 3; var y = x * 2;", "6"),
    "array": ("var x = [1, 2]; var y = x;", "[1, 2]"),
    "element": ("var i = 1; var x = [1, 2]; var y = x[i];", "2"),
    "object": ("var a = [3, 1, 3]; var<Set> y = new Set(a);", "[1, 3]"),
    "untyped object": ("var a = [3, 1]; var y = new List(a);", "[3, 1]"),
    "method": ("var<List> l; var y = l.Count() + 4;", "4"),
    "function": ("var x = 3; var y = call(Pow, 2, x);", "8"),
    "boolean": ("var x = 3; var y = x > 2;", "true"),
    "beside a wild one": ("var w:{0..0} = *; var x = 1; var y = x;", "1"),
}


@pytest.mark.parametrize("name", INITIAL)
def test_initial_values_may_read_variables_before_them(name: str) -> None:
    declarations, expected = INITIAL[name]
    assert events(f"{declarations} P() = e.y -> Stop;") == [f"e.{expected}"]


INITIAL_MISTAKES = {
    "later": ("var y = x; var x = 3;", "unknown-name"),
    "wild": ("var x:{0..2} = *; var y = x;", "not-constant"),
    "fault": ("var x = 0; var y = 1 / x;", "division-by-zero"),
    "range": ("var x = 7; var y:{0..3} = x;", "value-out-of-range"),
    "empty queue": ("var<Queue> q; var y = q.First();", "call-failed"),
    "effect": ("var<Queue> q; var y = q.Dequeue();", "type"),
}


@pytest.mark.parametrize("name", INITIAL_MISTAKES)
def test_mistakes_in_initial_values(name: str) -> None:
    declarations, code = INITIAL_MISTAKES[name]
    with pytest.raises(InputError) as caught:
        fairlead.loads(f"{declarations} P() = Stop;")
    assert caught.value.diagnostics[0].code.value == code


def test_an_array_that_is_written_out_is_a_value() -> None:
    source = Source("m.csp", "var x = 4; var a = [1(2), x, 3..1]; P() = Stop;")
    specification = parse_specification(source)
    expressions = ExpressionElaborator(collect(specification, {}))
    elaborate_variables(expressions, specification)
    record = expressions.declarations.variables["a"].initial
    assert isinstance(record, syntax.Record)
    value = expressions.elaborate(record, GLOBAL)  # type: ignore[arg-type]
    assert value.type is expressions.library.integers
    word = evaluate(value, Scope([4, 0, 0, 0, 0, 0, 0]))
    assert value.type.text(word) == "[1, 1, 4, 3, 2, 1]"


def test_get_data() -> None:
    text = "var<Set> s; P() = a{s.Add(3); s.Add(1); s.Add(2);} -> e.(s.GetData()) -> Stop;"
    assert events(text)[-1] == "e.123"


def test_a_boolean_result_makes_a_variable_boolean() -> None:
    assert events("var b; var<Set> s; P() = a{b = s.Add(1);} -> e.b -> Stop;") == ["a", "e.true"]


def test_verdicts_and_evidence_with_values() -> None:
    model = fairlead.loads("""
      var<Queue> q; #define full q.Count() == 2; #define empty q.IsEmpty();
      P() = [q.Count() < 2] put.q{q.Enqueue(q.Count());} -> P() [] [q.Count() > 0] get.q{q.Dequeue();} -> P();
      #assert P() deadlockfree; #assert P() reaches full;
      #assert P() |= []<> empty; #assert P() |= []<> full;""")
    deadlock, reaches, empty, full = (model.check(assertion) for assertion in model.assertions)
    assert deadlock.verdict is fairlead.Verdict.HOLDS
    assert reaches.verdict is fairlead.Verdict.HOLDS
    assert reaches.evidence is not None
    assert [step.event for step in reaches.evidence.run.stem] == ["put.[]", "put.[0]"]
    for result in (empty, full):
        assert result.verdict is fairlead.Verdict.VIOLATED
        assert model.validate(result.to_json()) is None
    assert model.check("P() |= []<> empty", "sgf").verdict is fairlead.Verdict.HOLDS


def test_limits_hold_for_values_that_grow() -> None:
    model = fairlead.loads("var<List> l; P() = a{l.Add(1);} -> P(); #assert P() deadlockfree;")
    (assertion,) = model.assertions
    by_states = model.check(assertion, limits=fairlead.Limits(max_states=200))
    assert by_states.verdict is fairlead.Verdict.UNKNOWN
    by_memory = model.check(assertion, limits=fairlead.Limits(max_memory=30 << 20))
    assert (by_memory.verdict, by_memory.reason) == (fairlead.Verdict.UNKNOWN, "max-memory")
    by_time = model.check(assertion, limits=fairlead.Limits(timeout=0.2))
    assert (by_time.verdict, by_time.reason) == (fairlead.Verdict.UNKNOWN, "timeout")
