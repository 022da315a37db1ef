"""Random CSP# models of small processes side by side, some of which have little to do with each other.

Each process has a few local states, some with a parameter. Processes share variables, an array, synchronised
events, a queue and a handshake, but each knows only some of these, so that steps are often independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

VARIABLES = ("x0", "x1", "x2", "x3")
SHARED_EVENTS = ("e", "f", "g")
ANNOTATIONS = ("wf", "sf", "f", "wl", "sl")


@dataclass(frozen=True)
class Options:
    """What a model may have."""

    synchronised: bool
    annotated: bool
    with_faults: bool
    kinds: tuple[str, ...] = ANNOTATIONS


@dataclass
class Writer:
    """Writes one process of a model."""

    random: Random
    options: Options
    number: int
    states: int = 0

    def __post_init__(self) -> None:
        self.states = self.random.randint(1, 3)
        self.variables = self.random.sample(VARIABLES, self.random.choice([0, 1, 1, 2]))
        self.events = self.random.sample(SHARED_EVENTS, self.random.choice([0, 1, 1, 2]))
        self.talks = self.random.random() < 0.3
        self.has_parameter = self.random.random() < 0.3

    def text(self) -> list[str]:
        """The definitions of its local states."""
        head = "(k)" if self.has_parameter else "()"
        return [f"P{self.number}_{state}{head} = {self.choice()};" for state in range(self.states)]

    def call(self, argument: str | None = None) -> str:
        """A local state that follows, or an end."""
        if self.random.random() < 0.07:
            return self.random.choice(["Stop", "Skip"])
        given = argument or self.random.choice(["k", "(k + 1) % 3", "0", *self.variables[:1]])
        state = self.random.randrange(self.states)
        return f"P{self.number}_{state}({given if self.has_parameter else ''})"

    def start(self) -> str:
        """The first local state."""
        return f"P{self.number}_0({self.random.randrange(3) if self.has_parameter else ''})"

    def choice(self) -> str:
        return " [] ".join(self.branch() for _ in range(self.random.choice([1, 1, 2, 3])))

    def branch(self) -> str:
        guard = f"[{self.condition()}] " if self.variables and self.random.random() < 0.4 else ""
        kind = self.random.random()
        if self.talks and kind < 0.5:
            return f"{guard}{self.message()}"
        if self.options.synchronised and self.events and kind < 0.6:
            return f"{guard}({self.named(self.random.choice(self.events))} -> {self.call()})"
        update = f"{{{self.assignment()}}}" if self.variables and kind < 0.85 else ""
        label = self.random.choice(["a", "b", f"own.{self.number}", f"own.{self.number}"])
        if update or not self.options.synchronised or label.startswith("own"):
            return f"{guard}({self.named(label)}{update} -> {self.call()})"
        return f"{guard}(own.{self.number} -> {self.call()})"

    def named(self, label: str) -> str:
        if self.options.annotated and self.random.random() < 0.15:
            return f"{self.random.choice(self.options.kinds)}({label})"
        return label

    def message(self) -> str:
        channel = self.random.choice(["c", "q", "q"])
        if self.random.random() < 0.5:
            value = self.random.choice(["1", "2", *self.variables[:1]])
            return f"({channel}!{value} -> {self.call()})"
        return f"({channel}?m -> {self.call('m')})"

    def condition(self) -> str:
        name = self.random.choice(self.variables)
        operand = self.random.choice([f"{name}", f"{name}", f"cells[{name}]"])
        return f"{operand} {self.random.choice(['==', '!=', '<', '>'])} {self.random.randrange(3)}"

    def assignment(self) -> str:
        name = self.random.choice(self.variables)
        if self.random.random() < 0.2:
            return f"cells[{name}] = {self.random.randrange(3)};"
        if self.options.with_faults and self.random.random() < 0.5:
            return f"{name} = {name} + 1;"
        value = self.random.choice(["0", "1", "2", f"({name} + 1) % 3", f"(cells[{name}] + 1) % 3"])
        return f"{name} = {value};"


def options_of(random: Random, annotated: bool | None = None) -> Options:
    """Options of a random model."""
    return Options(
        random.random() < 0.5,
        random.random() < 0.4 if annotated is None else annotated,
        random.random() < 0.1,
        random.choice([ANNOTATIONS, ("wf", "sf")]),
    )


def side_by_side(seed: int, annotated: bool | None = None) -> str:
    """A model with a process System()."""
    random = Random(seed)
    options = options_of(random, annotated)
    writers = [Writer(random, options, number) for number in range(random.choice([2, 3, 3, 4]))]
    lines = [f"var {name}:{{0..2}} = {random.randrange(2)};" for name in VARIABLES]
    lines += ["var cells[3]:{0..2};", "channel c 0;", f"channel q {random.choice([1, 2])};"]
    for writer in writers:
        lines += writer.text()
    operator = " || " if options.synchronised else " ||| "
    lines.append(f"System() = {operator.join(writer.start() for writer in writers)};")
    lines += ["#define near x0 == 1;", "#define high x1 > 0;", "#define both x0 == x2;"]
    return "\n".join(lines) + "\n"


def random_ltl(random: Random, atoms: tuple[str, ...], size: int) -> str:
    """A formula without X."""
    if size == 0:
        atom = random.choice(atoms)
        return atom if random.random() < 0.7 else f"!{atom}"
    if random.random() < 0.6:
        return f"{random.choice(['[]', '<>', '[]<>', '<>[]', '!'])} ({random_ltl(random, atoms, size - 1)})"
    left = random.randrange(size)
    operator = random.choice(["&&", "||", "->", "U", "R"])
    return f"({random_ltl(random, atoms, left)} {operator} {random_ltl(random, atoms, size - 1 - left)})"
