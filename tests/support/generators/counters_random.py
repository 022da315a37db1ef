"""Random models in which some processes are alike, as texts of CSP#.

Members may carry an index, which starts at `FIRST_INDEX` so that labels show it, and which sometimes matters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

FIRST_INDEX = 5
EVENTS = "abcd"


@dataclass(frozen=True)
class Process:
    """A process to be written: its name, whether it has an index, and how many local states it has."""

    name: str
    has_index: bool
    state_count: int
    copies: int
    is_asymmetric: bool = False

    def call(self, state: int, index: str = "i") -> str:
        name = self.name if state == 0 else f"{self.name}{state}"
        return f"{name}({index if self.has_index else ''})"


@dataclass
class SymmetricWriter:
    """Writes one model."""

    random: Random
    max_copies: int = 4
    with_forks: bool = True
    with_indices: bool = True
    with_counter: bool = False
    #: whether all of the processes may be a part of one that is one for fairness
    with_parts: bool = True
    channels: list[str] = field(default_factory=list)
    has_flag: bool = False
    is_annotated: bool = False
    has_internal_steps: bool = False
    groups: list[Process] = field(default_factory=list)
    #: what a process of the first group counts in each of its states, if there is a counter
    weights: list[int] = field(default_factory=list)

    def model(self, number: int | None = None) -> str:
        """A model with a process System(); each group has `number` copies, or a random number of them."""
        self._choose()
        lines = ["var x0:{0..2};"]
        lines += ["var flag = false;"] if self.has_flag else []
        lines += ["counter n = 0;", "#define none n == 0;"] if self.with_counter else []
        lines += [f"channel {name} {0 if name == 'c' else 1};" for name in self.channels]
        singles = [
            Process(name, False, self.random.choice([1, 1, 2]), 1)
            for name in "ST"[: self.random.choices([0, 1, 2], [5, 4, 1])[0]]
        ]
        for process in (*self.groups, *singles):
            lines += [self._definition(process, state) for state in range(process.state_count)]
        parts = [self._group(group, number) for group in self.groups] + [f"{item.name}()" for item in singles]
        self.random.shuffle(parts)
        lines += self._system(parts)
        lines.append(f"#define goal {self._condition()};")
        return "\n".join(lines) + "\n"

    def _choose(self) -> None:
        self.channels = [name for name, chance in (("c", 0.55), ("d", 0.12)) if self._chance(chance)]
        self.has_flag = self._chance(0.4)
        self.has_internal_steps = self._chance(0.35)
        for name in "PQ"[: self.random.choices([1, 2], [7, 3])[0]]:
            has_index = self._chance(0.35) and self.with_indices
            limit = self.max_copies - len(self.groups)
            copies = self.random.randint(2, max(2, limit))
            states = self.random.choice([1, 2, 2, 3, 3])
            if self.with_counter and not self.groups:
                states = max(2, states)
                self.weights = [0, *self.random.choices([0, 1], [1, 3], k=states - 1)]
            self.groups.append(Process(name, has_index, states, copies, has_index and self._chance(0.25)))

    # ------------------------------------------------------------ the whole

    def _group(self, group: Process, number: int | None) -> str:
        copies = group.copies if number is None else number
        if group.has_index:
            return f"(||| i:{{{FIRST_INDEX}..{FIRST_INDEX + copies - 1}}} @ {group.name}(i))"
        forms = [f"(||| {{{copies}}} @ {group.name}())", f"(||| k:{{1..{copies}}} @ {group.name}())"]
        if number is None:
            forms.append(" ||| ".join([f"{group.name}()"] * copies))
        return self.random.choice(forms)

    def _system(self, parts: list[str]) -> list[str]:
        body = " ||| ".join(parts)
        form = self.random.random()
        if form < 0.6:
            return [f"System() = {body};"]
        if form < 0.72:
            turns = [self.random.choice(EVENTS[:2]) for _ in range(self.random.randint(1, 3))]
            control = " -> ".join(turns)
            other = f" [] {self.random.choice(EVENTS)} -> C()" if self._chance(0.5) else ""
            return [f"C() = {control} -> C(){other};", f"System() = ({body}) || C();"]
        if form < 0.82:
            hidden = self.random.sample([*EVENTS, "c.0", "c.1", f"a.{FIRST_INDEX}"], 2)
            return [f"System() = ({body}) \\ {{{', '.join(hidden)}}};"]
        if form < 0.88:
            return [f"System() = ({body}); a -> Skip;"]
        if form < 0.93:
            return [f"System() = start -> ({body});"]
        if form < 0.97 or not self.with_parts:
            return [f"System() = ({body}) interrupt (stop -> Skip);"]
        return [f"R() = ({body}) \\ {{a}};", "System() = R() ||| (a -> Skip);"]

    # ------------------------------------------------------------ processes

    def _definition(self, process: Process, state: int) -> str:
        return f"{process.call(state)} = {self._body(process, state)};"

    def _body(self, process: Process, state: int) -> str:
        branches = [self._branch(process, state) for _ in range(self.random.choices([1, 2, 3], [5, 5, 1])[0])]
        form = self.random.random()
        if form < 0.05 and self.has_internal_steps:
            return " <> ".join(f"({branch})" for branch in branches)
        if form < 0.12:
            word = self.random.choice(["if", "ifa"] if self.has_internal_steps else ["ifa"])
            return f"{word} ({self._condition()}) {{{branches[0]}}} else {{{branches[-1]}}}"
        if form < 0.15 and self.has_internal_steps:
            return f"case {{\n {self._condition()} : {branches[0]}\n default : {branches[-1]} }}"
        return " [] ".join(f"({branch})" for branch in branches)

    def _branch(self, process: Process, state: int) -> str:
        guard = f"[{self._condition()}] " if self._chance(0.35) else ""
        if process.is_asymmetric and self._chance(0.3):
            guard = f"[i == {FIRST_INDEX}] "
        target = self._target(process)
        return f"{guard}{self._action(process, self._counting(process, state, target))} -> {target}"

    def _counting(self, process: Process, state: int, target: str) -> str:
        """How the counter changes by a step, if the process is counted by it."""
        if not self.weights or process is not self.groups[0]:
            return ""
        weight = dict(
            zip((process.call(number) for number in range(process.state_count)), self.weights, strict=True)
        )
        change = weight.get(target, 0) - self.weights[state]
        return ("", "n++;", "n--;")[change]

    def _action(self, process: Process, counting: str) -> str:
        changes = (self._update(process) if self._chance(0.35) else "") + counting
        update = f"{{{changes}}}" if changes else ""
        if self.channels and self._chance(0.4):
            channel = self.random.choice(self.channels)
            return f"{channel}{self.random.choice(['!0', '!1', '!0', '?0', '?y', '?y', '?1'])}{update}"
        if self.has_internal_steps and self._chance(0.25):
            return f"tau{update or '{x0 = x0;}'}"
        name = self.random.choice(EVENTS)
        if process.has_index and self._chance(0.5):
            return f"{name}.i{update}"
        if self.is_annotated and self._chance(0.5):
            return f"{self.random.choice(['wf', 'sf', 'wl', 'sl', 'f'])}({name}){update}"
        return f"{name}{update}"

    def _target(self, process: Process) -> str:
        form = self.random.random()
        if form < 0.05:
            return "Skip"
        if form < 0.09:
            return "Stop"
        states = [process.call(state) for state in range(process.state_count)]
        if form < 0.12 and self.with_forks and not self.with_counter:
            parts = [
                "a -> Skip",
                "b{x0 = 1;} -> Skip",
                "Skip",
                *["c!0 -> Skip", "c?y -> Stop"] * ("c" in self.channels),
            ]
            return f"({self.random.choice(parts)} ||| {self.random.choice(parts)})"
        return self.random.choice(states)

    def _update(self, process: Process) -> str:
        if process.is_asymmetric and self._chance(0.3):
            return "x0 = i % 3;"
        if self.has_flag and self._chance(0.4):
            return self.random.choice(["flag = !flag;", "flag = true;", "flag = false;"])
        return self.random.choice(["x0 = (x0 + 1) % 3;", "x0 = 0;", "x0 = 1;", "x0 = (x0 * 2) % 3;"])

    def _condition(self) -> str:
        if self.with_counter and self._chance(0.5):
            return self.random.choice(["n == 0", "n > 0", "n <= 1", "n < 1", "n != 0"])
        if self.has_flag and self._chance(0.4):
            return self.random.choice(["flag", "!flag"])
        return self.random.choice(["x0 == 0", "x0 == 1", "x0 > 0", "x0 < 2", "x0 != 1"])

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability


def random_symmetric_model(seed: int, annotations: bool = False) -> str:
    """The model of a seed; with `annotations`, some of its events are annotated with fairness."""
    return SymmetricWriter(Random(seed), is_annotated=annotations).model()
