"""Random CSP# models with variables that may not distinguish states: costs, logs and scratch values."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.support.generators.csp_models import ModelWriter, Scope, Synchronisation
from tests.support.generators.side_by_side import VARIABLES, Options, Writer, options_of


@dataclass
class CostWriter(ModelWriter):
    """The whole language, where programs add to `cost` and `steps`, and write `log`.

    `signs` are what a constant cost may be. Now and then something reads what must not be read, or sets it.
    """

    signs: tuple[int, ...] = (0, 1, 2, 5)
    careless: bool = False

    def _variables(self) -> list[str]:
        first = self.random.choice(["0", "0", "3", "-2"])
        return [*super()._variables(), f"var cost = {first};", "var steps = 0;", "var log = 0;"]

    def _assignment(self, scope: Scope) -> str:
        form = self.random.random()
        if form < 0.35:
            return self._cost(scope)
        if form < 0.45:
            return f"log = ({self.integer(scope)}) % 4;"
        if form < 0.5:
            return "steps++;"
        if self.careless and form < 0.53:
            return self.random.choice(["cost = 1;", "log = log * 2 % 5;", f"{self.integers[0]} = cost % 3;"])
        return super()._assignment(scope)

    def _cost(self, scope: Scope) -> str:
        by = str(self.random.choice(self.signs))
        if self._chance(0.3):
            by = f"({self.integer(scope, 1)}) % 3"  # never negative
            if min(self.signs) < 0:
                by = f"-({by})"
        forms = [f"cost = cost + {by};", f"cost = {by} + cost;", f"cost = cost + 1 + {by} - 1;"]
        if by == "1":
            forms += ["cost++;"] * 3
        return self.random.choice(forms)


def costly_model(seed: int) -> str:
    """A model with a goal, some of whose steps have costs; usually all of one sign."""
    chooser = random.Random(seed)
    synchronisation = chooser.choices(list(Synchronisation), [2, 1, 1])[0]
    signs = chooser.choices([(0, 1, 2, 5), (1,), (0, -1, -3), (-1, 0, 2)], [6, 3, 2, 1])[0]
    writer = CostWriter(chooser, synchronisation, signs=signs, careless=chooser.random() < 0.15)
    return writer.model()


class ScratchWriter(Writer):
    """A process with a scratch variable of its own, which it writes, and sometimes reads."""

    @property
    def scratch(self) -> str:
        return f"s{self.number}"

    def branch(self) -> str:
        form = self.random.random()
        if form < 0.25:
            value = self.random.choice(["0", "1", "2", "x0", f"({self.scratch} + 1) % 3"])
            return f"(set.{self.number}{{{self.scratch} = {value};}} -> {self.call()})"
        if form < 0.4:
            return f"[{self.scratch} == {self.random.randrange(3)}] (own.{self.number} -> {self.call()})"
        if form < 0.5:
            return f"(show.{self.scratch}{{{self.scratch} = 2; x1 = {self.scratch} % 3;}} -> {self.call()})"
        return super().branch()


def scratch_model(seed: int, annotated: bool | None = None) -> str:
    """Processes side by side with a process System(), each with a variable that is dead in places."""
    chooser = random.Random(seed)
    options: Options = options_of(chooser, annotated)
    writers = [ScratchWriter(chooser, options, number) for number in range(chooser.choice([1, 2, 3, 3]))]
    lines = [f"var {name}:{{0..2}} = {chooser.randrange(2)};" for name in VARIABLES]
    initial = [chooser.choice([" = *", " = 1", "", ""]) for _ in writers]
    lines += [f"var s{number}:{{0..2}}{value};" for number, value in enumerate(initial)]
    lines += ["var cells[3]:{0..2};", "channel c 0;", f"channel q {chooser.choice([1, 2])};"]
    for writer in writers:
        lines += writer.text()
    operator = " || " if options.synchronised else " ||| "
    lines.append(f"System() = {operator.join(writer.start() for writer in writers)};")
    lines += ["#define near x0 == 1;", "#define high x1 > 0;", "#define own s0 == 1;"]
    return "\n".join(lines) + "\n"
