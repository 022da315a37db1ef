"""Random FSP models as texts: small, finite, and made of every construct of the language.

One definition stands on one line, so that a text can be shrunk by leaving lines out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.support.generators.fsp_processes import LETTERS, ProcessWriter


class FspWriter(ProcessWriter):
    """Writes one model."""

    # ------------------------------------------------------------ the whole text

    def system(self) -> list[str]:
        """Declarations, processes and composites."""
        self.reduces = self._chance(0.15)
        top = self.random.choice([1, 2])
        self.lines += [f"const N = {top}", "const M = (N << 1) - 1", "range R = 0..N", "range B = 0..1"]
        self.lines += [f"set S = {self._set_text()}", "set K = {red, blue}", "set U = {S, K.on, e[B]}"]
        if self._chance(0.5):
            self._sequential_process()
        for _ in range(self.random.choice([1, 2, 2, 3])):
            (self._tiny_process if self._chance(0.4) else self._process)()
        if self._chance(0.35):
            self._property()
        if self._chance(0.12):
            self._constraint()
        if self._chance(0.15):
            self._layers()
        elif self._chance(0.93):
            for _ in range(self.random.choice([1, 2, 3, 4])):
                self._composite()
        return self.lines

    def _set_text(self) -> str:
        members = self.random.sample(["a", "b.x", "c[0..1]", "d", "b", "c[R].y", "{a, d}.x"], 2)
        return "{" + ", ".join(members) + "}"

    # ------------------------------------------------------------ composites

    def _composite(self) -> None:
        name = self._new("C")
        parameter = "(H=2)" if self._chance(0.15) else ""
        may_determinise = self._chance(0.15)
        if parameter and self._chance(0.4):
            part = self.random.choice(self.processes)
            body = f"if (H > 0) then (p[H]:{part} || {name}(H-1)) else {self.random.choice(self.processes)}"
        else:
            body = self._group("H" if parameter else None)
        operations = ""
        if not self.reduces and self._chance(0.25):
            operations += f" {self.random.choice(['<<', '>>'])} {self._labels()}"
        if self._chance(0.35):
            operations += f" {self.random.choice(['@', chr(92), chr(92)])} {self._labels()}"
        modifier = "compose " if self._chance(0.08) else ""
        if self.reduces and self._chance(0.4):
            modifier = "minimal "
        if may_determinise and not any("END" in line for line in self.lines):
            modifier = self.random.choice(["deterministic ", "property "])
        self.lines.append(f"{modifier}||{name}{parameter} = {body}{operations}.")
        self.composites.append(f"{name}(1)" if parameter else name)

    def _layers(self) -> None:
        """Composites of composites of two that share an action, perhaps hidden."""
        one, two, inner = self._new("P"), self._new("P"), self._new("C")
        for name, letter in ((one, "b"), (two, "c")):
            last = self.random.choice([name, name, "END"])
            self.lines.append(f"{name} = (a -> {letter} -> {last}).")
        hiding = self.random.choice([" \\ {a}", " \\ {a}", " @ {b, c}", " \\ {b}", " \\ {z}", ""])
        self.lines.append(f"||{inner} = ({one} || {two}){hiding}.")
        pairs = {inner: 1}  # how many of the two are in a composite: four make 256 states
        for _ in range(self.random.choice([2, 3])):
            name, parts, count = self._new("C"), [], 0
            for _ in range(self.random.choice([1, 2, 3])):
                part = self.random.choice(list(pairs))
                if count + pairs[part] <= 4:
                    count += pairs[part]
                    fresh = self._new("f")
                    renaming = f"/{{{fresh}.b/b, {fresh}.c/c}}"
                    merging = f"/{{{fresh}/{{b, c}}}}"
                    parts.append(
                        self.random.choice([f"{part}{renaming}", f"{part}{merging}", part, f"p:{part}"])
                    )
            if parts:
                hiding = self.random.choice(["", "", " \\ {z}", " \\ {b}"])
                self.lines.append(f"||{name} = ({' || '.join(parts)}){hiding}.")
                pairs[name] = count

    def _group(self, parameter: str | None) -> str:
        parts = [self._part(parameter) for _ in range(self.random.choice([1, 2, 2, 3]))]
        text = f"({' || '.join(parts)})"
        if self._chance(0.1):
            text = f"{self.random.choice(['p:', '{p,q}::', 'q[1]:'])}{text}"
            return text + (f"/{self._relabelling(['p.a', 'p.b', 'q.c', 'p'])}" if self._chance(0.4) else "")
        return text + (f"/{self._relabelling(LETTERS)}" if self._chance(0.25) else "")

    def _reference(self) -> str:
        if self.composites and self._chance(0.6):
            return self.random.choice(self.composites)
        return self.random.choice(self.processes)

    def _part(self, parameter: str | None) -> str:
        one = self._reference()
        top = parameter or "1"
        forms: list[Callable[[], str]] = [
            lambda: one,
            lambda: one,
            lambda: one,
            lambda: f"{one}/{self._relabelling(LETTERS)}",
            lambda: f"{one}/{self._relabelling(LETTERS)}",
            lambda: f"{one}/{{x/{{a, b, c}}}}",
            lambda: f"p:{one}",
            lambda: f"{{p, q}}:{one}",
            lambda: f"p[1..{top}]:{one}",
            lambda: f"p[j:0..{top}]:{one}",
            lambda: f"p[j:0..{top}]:({one}/{{x[j]/a}})",
            lambda: f"{{p, q}}::{one}",
            lambda: f"{{p, q}}::z:{one}",
            lambda: f"p[B]::{one}",
            lambda: f"p:{one}/{self._relabelling(['p.a', 'p.b', 'p.c', 'p'])}",
            lambda: f"{{p, q}}:{one}/{self._relabelling(['p.a', 'q.a', 'p.b', 'q'])}",
            lambda: f"forall[j:0..{top}] p[j]:{one}/{{x[j]/p[j].a, y/p[j].b}}",
            lambda: f"forall[j:B] ([j]:{one})",
            lambda: f"(forall[j:1..{top}] ({one}/{{x[j]/a}} || q[j]:{one}))",
            lambda: f"if (N > {top}) then p:{one} else {one}",
            lambda: f"({one} || {self._reference()})/{self._relabelling(LETTERS)}",
        ]
        return self.random.choice(forms)()


#: seeds of systems whose parts have millions of states
TAKE_LONG = {29, 66}


def random_system(seed: int) -> list[str]:
    """The declarations, processes and composites of a model, a line for each."""
    return FspWriter(Random(seed)).system()


def shrunk(lines: Sequence[str], fails: Callable[[Sequence[str]], bool]) -> list[str]:
    """As few of the lines as still fail."""
    kept = list(lines)
    progressed = True
    while progressed:
        progressed = False
        for index in reversed(range(len(kept))):
            fewer = kept[:index] + kept[index + 1 :]
            if fails(fewer):
                kept, progressed = fewer, True
    return kept
