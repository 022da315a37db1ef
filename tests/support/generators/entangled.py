"""Random CSP# models whose processes wait for each other in every way there is.

Guards over several variables, elements of arrays that parameters choose, constants stored and amounts added,
events of two and three partners, buffers that are full or empty, handshakes over arrays of channels, ends,
and perhaps events that are hidden. The processes are short, so that many of them wait at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

LAST = 2


@dataclass
class Writer:
    """Writes the steps of one process, which knows its number i and has a parameter k."""

    random: Random
    synchronised: bool
    with_faults: bool

    def step(self) -> str:
        """A guard, if there is one, and what is done."""
        guard = f"[{self.guard()}] " if self.random.random() < 0.55 else ""
        kind = self.random.random()
        if kind < 0.22:
            return guard + self.message()
        if self.synchronised and kind < 0.45:
            return guard + self.random.choice(["e", "f", "g", "m.k", "m.(k + 1)"])
        if kind < 0.6:
            return self.addition()
        update = f"{{{self.update()}}}" if self.random.random() < 0.75 else ""
        label = self.random.choice(["own.i", "step.i.k", "own.i"])
        return f"{guard}{label}{update}"

    def addition(self) -> str:
        """Within the range of the variable."""
        name = self.random.choice(["x", "y", "z[i]", "z[k]"])
        if self.random.random() < 0.5:
            return f"[{name} < 2] own.i{{{name} = {name} + 1;}}"
        return f"[{name} > 0] own.i{{{name} = {name} - 1;}}"

    def message(self) -> str:
        """Over a buffer that all share, or one of two channels without."""
        value = self.random.choice(["0", "1", "k % 2", "x"])
        accepted = self.random.choice(["", "", "[v == 1]", "[v == x]"])
        channel = self.random.choice(["q", "q", "c[i % 2]", "c[1]", "c[x]"])
        return f"{channel}!{value}" if self.random.random() < 0.5 else f"{channel}?{accepted}v"

    def guard(self) -> str:
        """Of one conjunct or two, perhaps with alternatives."""
        parts = [self.test() for _ in range(self.random.choice([1, 1, 2]))]
        joined = " && ".join(parts)
        if self.random.random() < 0.15:
            return f"({joined}) || {self.test()}"
        return joined if self.random.random() < 0.9 else f"!({joined})"

    def test(self) -> str:
        name = self.random.choice(["x", "y", "z[i]", f"z[(i + 1) % {LAST + 1}]", "z[k]", "x"])
        if self.random.random() < 0.1:
            return f"{name} == y"
        comparison = self.random.choice(["==", "==", "!=", "<", ">", "<=", ">="])
        return f"{name} {comparison} {self.random.randrange(3)}"

    def update(self) -> str:
        """One statement or two."""
        return " ".join(self.statement() for _ in range(self.random.choice([1, 1, 1, 2])))

    def statement(self) -> str:
        name = self.random.choice(["x", "y", "z[i]", f"z[(i + 1) % {LAST + 1}]", "z[k]", "z[i]"])
        if self.with_faults and self.random.random() < 0.4:
            return f"{name} = {name} {self.random.choice(['+', '-'])} 1;"
        if self.random.random() < 0.25:
            return f"if ({name} < 2) {{{name} = {name} + 1;}}"
        return f"{name} = {self.random.choice(['0', '1', '2', '0', '1', 'x', 'k'])};"


def entangled(seed: int, hides: bool | None = None) -> str:
    """A model with a process System()."""
    random = Random(seed)
    writer = Writer(random, random.random() < 0.5, random.random() < 0.15)
    lines = ["var x:{0..2} = 0;", "var y:{0..2} = 1;", f"var z[{LAST + 1}]:{{0..2}};"]
    lines += ["channel c[3] 0;", f"channel q {random.choice([1, 1, 2])};"]
    starts = []
    for number in range(random.choice([2, 3, 3, 4])):
        states = random.randint(1, 3)
        for state in range(states):
            branches = [
                f"{writer.step()} -> {_next(writer, number, states)}"
                for _ in range(random.choice([1, 1, 2, 2, 3]))
            ]
            lines.append(f"P{number}_{state}(i, k) = {' [] '.join(f'({branch})' for branch in branches)};")
        starts.append(f"P{number}_0({number % (LAST + 1)}, {random.randrange(2)})")
    joined = (" || " if writer.synchronised else " ||| ").join(starts)
    if hides or (hides is None and random.random() < 0.4):
        joined = f"({joined}) \\ {{e, own.0, own.1, m.1, c.1}}"
    lines.append(f"System() = {joined};")
    lines += ["#define near x == 1;", "#define high y > 1;", "#define both x == z[0];"]
    return "\n".join(lines) + "\n"


def _next(writer: Writer, number: int, states: int) -> str:
    random = writer.random
    if random.random() < 0.12:
        return random.choice(["Stop", "Skip"])
    # what a process shares must be known from its text
    argument = random.choice(["k", "1 - k % 2", "0", "0" if writer.synchronised else "x"])
    return f"P{number}_{random.randrange(states)}(i, {argument})"
