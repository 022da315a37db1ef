"""Processes side by side whose steps run code: what the engine remembers of them, transition by transition.

Their guards, updates, labels, messages and targets depend on variables, arrays and buffers; handshakes meet,
some events are hidden, and some steps fail.
"""

from __future__ import annotations

import random

import pytest

import fairlead
from tests.support.sampling import is_sample, some
from tests.support.steps import compare_model, compare_text

CHUNKS = 8
DEFAULT_SEEDS = range(400)
LONG_SEEDS = range(50_000, 60_000)
MOST_STATES, LONG_MOST_STATES = 300, 2000


class SideBySide:
    """A random system of leaves, as the text of a model."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._kinds = self._random.sample("PQRS", self._random.choice([2, 2, 3]))

    def text(self) -> str:
        buffers = " ".join(f"channel {name} {self._random.choice([0, 0, 1, 2, 3])};" for name in ("c", "d"))
        array = f"channel e[2] {self._random.choice([0, 1, 2])}; channel f {self._random.choice([1, 2])};"
        definitions = "\n".join(self._definition(kind) for kind in self._kinds)
        whole = " ||| ".join(f"{kind}({self._random.randrange(2)})" for kind in self._leaves())
        if self._random.random() < 0.4:
            hidden = self._random.sample(["a.0", "a.1", "b.0", "b.2", "c.1", "d.0.1", "terminate"], 3)
            whole = f"({whole}) \\ {{{', '.join(hidden)}}}"
        return (
            f"var x:{{0..2}}; var y = {self._random.randrange(3)}; var v[2]:{{0..2}};\n{buffers} {array}\n"
            f"{definitions}\nSystem() = {whole};\n#assert System() deadlockfree;"
        )

    def _leaves(self) -> list[str]:
        return [*self._kinds, *self._random.choices(self._kinds, k=self._random.choice([0, 1, 1]))]

    def _definition(self, kind: str) -> str:
        steps = [self._step(kind) for _ in range(self._random.choice([1, 2, 2, 3]))]
        return f"{kind}(i) = {' [] '.join(steps)};"

    def _value(self) -> str:
        return self._random.choice(
            ["0", "1", "i", "i", "x", "y % 3", "v[i]", "v[x % 2]", "1 - i", "(x + i) % 3"]
        )

    def _guard(self) -> str:
        return self._random.choice(
            [
                "",
                "",
                "",
                "[x > 0]",
                "[v[i] != x]",
                "[y % 2 == i]",
                "[x + i < 3]",
                "[!call(cempty, f) || x == 1]",
            ]
        )

    def _update(self) -> str:
        return self._random.choice(
            [
                "",
                "",
                "{x = (x + 1) % 3;}",
                "{v[i] = x;}",
                "{v[x % 2] = (v[i] + 1) % 3; y = v[0];}",
                "{y = 1 - i;}",
                "{if (x > i) {x = 0;} else {y = (y + 1) % 3;}}",
                "{v[0] = 2; x = 1;}",
                "{v[x] = 0;}",  # fails if x is 2
                "{x = x + 1;}",  # leaves its range
            ]
        )

    def _received(self) -> str:
        return self._random.choice(["{x = z % 3;}", "{v[i] = z % 3;}", "{y = z + i;}", ""])

    def _step(self, kind: str) -> str:
        target = self._random.choice(
            [f"{kind}(i)", f"{kind}(1 - i)", f"{kind}(x % 2)", f"{kind}(i)", "Skip", "Stop"]
        )
        accepts = self._random.choice(["", "", "[z == i]", "[z <= x]"])
        return self._guard() + self._random.choice(
            [
                f"a.{self._argument()}{self._update()} -> {target}",
                f"b.{self._argument()}{self._update()} -> {target}",
                f"a.i{self._update()} -> {target}",
                f"tau{self._update()} -> {target}",
                f"c!({self._value()}){self._update()} -> {target}",
                f"d!({self._value()}).({self._value()}) -> {target}",
                f"e[i]!({self._value()}){self._update()} -> {target}",
                f"e[x % 2]!({self._value()}) -> {target}",
                f"c?{accepts}z{self._received()} -> {target}",
                f"d?z.w{self._received()} -> {kind}(z % 2)",
                f"d?1.z -> {kind}(1 - i)",
                f"f!({self._value()}){self._update()} -> {target}",
                f"f?{accepts}z{self._received()} -> {target}",
                f"e[1 - i]?{accepts}z{self._received()} -> {target}",
                f"c?z -> b.z -> {target}",
            ]
        )

    def _argument(self) -> str:
        return self._random.choice(["i", "x", "(v[i])", "(x + i)"])


def compare_seed(seed: int, most_states: int) -> bool:
    return compare_text(SideBySide(seed).text(), seed, most_states)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_steps_that_run_code(chunk: int) -> None:
    seeds = some(DEFAULT_SEEDS[chunk::CHUNKS])
    assert sum(compare_seed(seed, MOST_STATES) for seed in seeds) > len(seeds) // 2 or is_sample()


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS * 5))
def test_many_steps_that_run_code(chunk: int) -> None:
    for seed in LONG_SEEDS[chunk :: CHUNKS * 5]:
        compare_seed(seed, LONG_MOST_STATES)


#: what a thread alone must not decide, and what ends the plain way in the middle
SPECIAL = {
    "very many local states meet": (
        "channel c 0; Start() = [] n:{0..1199} @ go.n -> P(n); P(n) = c!n -> P(n);"
        " Q() = c?x -> d.x -> Q(); System() = Start() ||| Q();"
    ),
    "very many local states run code": (
        "var x = 1; Start() = [] n:{0..4199} @ go.n -> P(n); P(n) = a.(n - x){x = x * x;} -> P(n);"
        " System() = Start() ||| Stop;"
    ),
    "a leaf becomes two, as a variable has it": (
        "var x:{0..3}; P() = [x < 3] a{x = x + 1;} -> P() [] [x == 3] b -> Q(x); Q(j) = R(j) ||| R(j - 1);"
        " R(k) = c.k -> R(k); System() = P() ||| R(0);"
    ),
    "who sends fails while nobody listens": (
        "channel c 0; var x:{0..3} = 3; P() = c!(6 / x) -> P(); Q() = a{x = x - 1;} -> Q() [] c?y -> Stop;"
        " System() = P() ||| Q();"
    ),
    "they say the same to each other": (
        "channel c 0; P(i) = c!1 -> P(i) [] c?x -> P(i); System() = P(0) ||| P(1) ||| P(2);"
    ),
    "two processes of one name": (
        "channel c 0; var x:{0..2}; P() = c!x -> P() [] c?y{x = (y + 1) % 3;} -> P() [] a.x -> P();"
        " System() = P() ||| P() ||| P();"
    ),
    "a whole array by an index that is not known": (
        "var v[4]:{0..1}; var x:{0..3}; P(i) = a.(v[x]){v[x] = 1 - v[x]; x = (x + i) % 4;} -> P(i);"
        " Q() = b{x = (x + 1) % 4;} -> Q(); System() = P(1) ||| P(2) ||| Q();"
    ),
    "termination is not hidden": (
        "var x:{0..1}; P() = a{x = 1 - x;} -> Skip [] b.x -> P();"
        " System() = (P() ||| P()) \\ {terminate, b.0};"
    ),
    "one process that hides": (
        "P() = a -> Skip [] b -> P(); System() = (||| i:{0..0} @ P()) \\ {terminate, b};"
    ),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_systems(name: str) -> None:
    assert compare_model(fairlead.loads(SPECIAL[name] + " #assert System() deadlockfree;"), "System()", 5000)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_remembered_takes_little_beside_the_states(threads: int) -> None:
    """33 local states, each with more combinations than come again."""
    model = fairlead.loads(
        "var x:{0..15}; var y:{0..15}; var z:{0..15};"
        " P(k) = a.((x + y + z) % 2){x = (x + 1) % 16;} -> P((k + 1) % 33);"
        " Q() = b.((x + y) % 2){y = (y + 1) % 16;} -> Q(); R() = c.((y + z) % 2){z = (z + 1) % 16;} -> R();"
        " System() = P(0) ||| Q() ||| R();"
    )
    limits = fairlead.Limits(max_memory=8 << 20, threads=threads)
    result = model.check("System() deadlockfree", limits=limits)
    assert result.verdict is fairlead.Verdict.HOLDS and result.statistics.states == 33 * 16**3
