"""Random CSP# models of nested compositions: what the engine serves by tables for each shape of the tree.

Small sequential processes that share a few events are put together by `||`, `|||`, `;`, `interrupt`, hiding
and choice, some of them repeatedly, so that compositions begin, end, fork and are interrupted in many orders.
"""

from __future__ import annotations

import random

EVENTS = "abcd"
DECLARATIONS = "var x:{0..2} = 0; var y:{0..1} = 0; channel k 1; channel h 0;"
GUARDS = ("x < 2", "x == 0", "y == 0", "x > y")
PROGRAMS = ("x = (x + 1) % 3;", "y = 1 - y;", "x = 0;", "x = 1; y = 0;")


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = self.random.randint(2, 4)
        #: how likely steps have guards, programs and messages: many models have none
        self.busy = self.random.choice((0.0, 0.0, 0.15, 0.35))
        self.size = 0

    def model(self) -> str:
        leaves = [f"P{number}() = {self._sequential(2)};" for number in range(self.count)]
        compositions = [f"Q{number}() = {self._composed(2)};" for number in range(2)]
        return "\n".join([DECLARATIONS, *leaves, *compositions, f"System() = {self._composed(3)};"])

    # ------------------------------------------------------------ sequential processes

    def _sequential(self, depth: int) -> str:
        branches = [self._prefixed(depth) for _ in range(self.random.choice((1, 1, 2)))]
        return " [] ".join(branches)

    def _prefixed(self, depth: int) -> str:
        step, rest = self._step(), self._rest(depth)
        guard = f"[{self.random.choice(GUARDS)}] " if self._chance(self.busy / 2) else ""
        return f"{guard}{step} -> {rest}"

    def _step(self) -> str:
        event = self.random.choice(EVENTS)
        if not self._chance(self.busy):
            return event
        return self.random.choice(
            (
                f"{event}{{{self.random.choice(PROGRAMS)}}}",
                "e.x{y = 1 - y;}",
                "k!x",
                "k?m",
                "h!y",
                "h?m",
                "tau",
            )
        )

    def _rest(self, depth: int) -> str:
        if depth > 0 and self._chance(0.5):
            return f"({self._sequential(depth - 1)})"
        calls = [f"P{number}()" for number in range(self.count)]
        return self.random.choice(("Skip", "Skip", "Stop", *calls, "Q0()", "Q1()"))

    # ------------------------------------------------------------ compositions

    def _composed(self, depth: int) -> str:
        if depth == 0 or self.size > 6 or (depth < 3 and self._chance(0.15)):
            self.size += 1
            return self.random.choice((f"P{self.random.randrange(self.count)}()", f"({self._sequential(1)})"))
        first, second = self._composed(depth - 1), self._composed(depth - 1)
        hidden = ", ".join(self.random.sample(EVENTS, self.random.randint(1, 2)))
        forms = (
            *[f"({first} || {second})"] * 4,
            *[f"({first} ||| {second})"] * 3,
            *[f"({first}; {second})"] * 2,
            *[f"({first} interrupt {second})"] * 2,
            *[f"({first} \\ {{{hidden}}})"] * 2,
            f"({first} [] {second})",
            f"({first} [*] {second})",
            f"atomic{{{first}}}",
        )
        return self.random.choice(forms)

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability


def structured_model(seed: int) -> str:
    """The text of a model; its process is `System()`."""
    return _Writer(seed).model()
