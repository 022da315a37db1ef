"""Random models whose parameters and messages are integers here and arrays or objects there."""

from __future__ import annotations

import random

VALUES = ("0", "1", "true", "a", "b", "l", "n")
#: what may be done with a value `v`; most need a certain type
USES = (
    "e.v",
    "e.v",
    "e.(v + 1)",
    "e.(v[0])",
    "e.(v.Count())",
    "e{n = v;}",
    "e{n = v[1];}",
    "e{a = v;}",
    "e{var t = v; t[0] = n; a = t;}",
    "e{var t = v[0]; if (t) {n = 1 - n;}}",
    "e.(v == 1).(v != a)",
    "e.call(twice, v)",
    "e.v[v]",
)
CONDITIONS = ("n == 0", "n == 1", "v == 1", "v == a", "v == b", "v != true", "v", "v[0] == n", "v > n")
#: processes that make it certain that `v` and `w` have different types
OTHERS = "Others() = P(0, a) ||| P(b, true) ||| Q(l, 0) ||| Q(1, b) ||| R(true, 1) ||| R(a, l);"
INPUTS = ("c?v", "c?w", "c?1", "c?a", "c?v.w", "c?[n == 0]w", "c?[w == 1]w", "h?v", "h?w", "h?w.w", "h?true")


def random_differing_model(seed: int) -> str:
    """Two to three processes that send and receive values of all types."""
    rng = random.Random(seed)
    lines = [
        "#define twice(k) k + k;",
        f"var a = [{rng.randint(0, 1)}, 1]; var b = [true, false]; var n:{{0..1}}; var<List> l;",
        f"channel c {rng.randint(1, 2)}; channel h 0;",
    ]
    names = ["P", "Q", "R"]
    for name in names:
        branches = " [] ".join(_branch(rng, names) for _ in range(rng.randint(1, 3)))
        lines.append(f"{name}(v, w) = {branches};")
    starts = [f"{rng.choice(names)}({_value(rng)}, {_value(rng)})" for _ in range(rng.randint(2, 3))]
    lines.append(f"System() = {' ||| '.join(starts)};")
    lines += ["#assert System() deadlockfree;", OTHERS, "#assert Others() deadlockfree;"]
    return "\n".join(lines)


def _value(rng: random.Random, inside: bool = False) -> str:
    return rng.choice(("v", "v", "w")) if inside and rng.random() < 0.6 else rng.choice(VALUES)


def _branch(rng: random.Random, names: list[str]) -> str:
    guard = f"[{rng.choice(CONDITIONS)}] " if rng.random() < 0.5 else ""
    steps = " -> ".join(_step(rng) for _ in range(rng.randint(1, 2)))
    if rng.random() < 0.3:
        return f"{guard}{steps} -> Stop"
    return f"{guard}{steps} -> {rng.choice(names)}({_value(rng, True)}, {_value(rng, True)})"


def _step(rng: random.Random) -> str:
    match rng.randint(0, 3):
        case 0:
            return rng.choice(USES)
        case 1:
            more = f".{_value(rng, True)}" if rng.random() < 0.2 else ""
            return f"{rng.choice('ch')}!{_value(rng, True)}{more}"
        case 2:
            return rng.choice(INPUTS)
        case _:
            return f"f.{_value(rng, True)}"
