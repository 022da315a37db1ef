"""Random primitive processes of FSP, with their expressions and labels, properties and constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

LETTERS = ("a", "b", "c", "d")


@dataclass(frozen=True)
class Scope:
    """What a piece of process text may use: variables, and the local processes it may continue as.

    A local process is a name and the number of values each of its indices has.
    """

    numbers: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    locals: tuple[tuple[str, tuple[int, ...]], ...] = ()
    may_end: bool = False
    may_fail: bool = True
    depth: int = 0

    def with_number(self, name: str) -> Scope:
        return replace(self, numbers=(*self.numbers, name))

    def with_label(self, name: str) -> Scope:
        return replace(self, labels=(*self.labels, name))

    def deeper(self) -> Scope:
        return replace(self, depth=self.depth + 1)


@dataclass
class ProcessWriter:
    """Writes processes, a line for each."""

    random: Random
    lines: list[str] = field(default_factory=list)
    processes: list[str] = field(default_factory=list)
    composites: list[str] = field(default_factory=list)
    sequential: list[str] = field(default_factory=list)
    fresh: int = 0
    #: a text has either `minimal` or priorities: those see internal steps that minimal machines lack
    reduces: bool = False

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _new(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    # ------------------------------------------------------------ expressions

    def number(self, scope: Scope) -> str:
        v = self.random.choice(scope.numbers) if scope.numbers and self._chance(0.7) else None
        if v is None:
            constants = "0 1 2 N #S M-1 -1+N 7/2 (0-7)%3 010>>2 0x2 !(0-1) N*2-1 (3^2)"
            return self.random.choice(constants.split())
        forms = [v, v, f"{v}+1", f"({v}+1)%2", f"N-{v}", f"{v}*{v}", f"({v}&1)", f"!{v}", f"!({v}-1)"]
        return self.random.choice(forms)

    def condition(self, scope: Scope) -> str:
        if scope.labels and self._chance(0.4):
            v = self.random.choice(scope.labels)
            return f"{v} {self.random.choice(['==', '!='])} 'red"
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        basic = f"{self.number(scope)} {operator} {self.number(scope)}"
        if self._chance(0.2):
            other = f"{self.number(scope)} {self.random.choice(['<', '>='])} {self.number(scope)}"
            basic = f"{basic} {self.random.choice(['&&', '||'])} {other}"
        return f"!({basic})" if self._chance(0.1) else basic

    # ------------------------------------------------------------ labels

    def label(self, scope: Scope) -> tuple[str, Scope]:
        """A label and the scope behind it."""
        letter = self.random.choice(LETTERS)
        if self._chance(0.5):
            return letter, scope
        variable = self._new("v")
        index = self.number(scope)
        plain = ["{a,b}", "{b,c}.x", f"{letter}.x", f"{letter}[B]", f"{letter}[0..1]", "S", "{S}.y"]
        plain += [
            f"{letter}[{index}]",
            f"{letter}[{index}].y",
            f"[{index}]",
            f"{letter}[K]",
            "{a,d[B]}",
            "{a,c}\\{c}",
        ]
        if scope.labels:
            v = self.random.choice(scope.labels)
            plain += [f"{letter}[{v}]", f"{letter}[{v}].x"]
        form = self.random.choice([*plain, "number", "number", "number", "label", "both"])
        match form:
            case "number":
                domain = self.random.choice(["R", "B", "0..1", "1..N", "N..N+1"])
                return f"{letter}[{variable}:{domain}]", scope.with_number(variable)
            case "label":
                domain = self.random.choice(["K", "{red,blue}", "{red, x.y}"])
                return f"{letter}[{variable}:{domain}]", scope.with_label(variable)
            case "both":
                text = f"{letter}[{variable}:K][{variable}n:B]"
                return text, scope.with_label(variable).with_number(f"{variable}n")
        return form, scope

    # ------------------------------------------------------------ processes

    def choice(self, scope: Scope) -> str:
        count = self.random.choices([1, 2, 3], [5, 5, 2])[0]
        return "(" + " | ".join(self._branch(scope) for _ in range(count)) + ")"

    def _branch(self, scope: Scope) -> str:
        guard = f"when ({self.condition(scope)}) " if self._chance(0.25) else ""
        texts = []
        for _ in range(self.random.choice([1, 1, 1, 2])):
            text, scope = self.label(scope)
            texts.append(text)
        return f"{guard}{' -> '.join(texts)} -> {self.continuation(scope)}"

    def continuation(self, scope: Scope) -> str:
        if scope.depth < 2 and self._chance(0.25):
            return self.choice(scope.deeper())
        if scope.depth < 2 and self._chance(0.1):
            then = self.continuation(scope.deeper())
            rest = f" else {self.continuation(scope.deeper())}" if self._chance(0.7) else ""
            return f"if ({self.condition(scope)}) then {then}{rest}"
        if self.sequential and self._chance(0.15):
            before = ";".join(self._sequential_reference(scope) for _ in range(self.random.choice([1, 1, 2])))
            return f"{before};{self._last(scope)}"
        return self._last(scope)

    def _sequential_reference(self, scope: Scope) -> str:
        name = self.random.choice(self.sequential)
        return f"{name}({self.number(scope)})" if self._chance(0.6) else name

    def _last(self, scope: Scope) -> str:
        if self._chance(0.1):
            return "END" if scope.may_end else "STOP"
        if scope.may_end and self._chance(0.2):
            return "END"
        if scope.may_fail and self._chance(0.04):
            return "ERROR"
        return self._local(scope, self.random.choice(scope.locals))

    def _local(self, scope: Scope, local: tuple[str, tuple[int, ...]]) -> str:
        name, sizes = local
        return name + "".join(f"[{self._index(scope, size)}]" for size in sizes)

    def _index(self, scope: Scope, size: int) -> str:
        """Mostly a value of the index; outside of it there is ERROR."""
        if scope.numbers and self._chance(0.6):
            v = self.random.choice(scope.numbers)
            if scope.may_fail and self._chance(0.15):
                return f"{v}+1"
            return f"({v}+1)%{size}" if self._chance(0.6) else f"({v}*{v})%{size}"
        return str(self.random.randrange(size))

    def _process(self) -> None:
        name = self._new("P")
        parameter = self.random.choice(["Z", "N"]) if self._chance(0.3) else None
        header = f"{name}({parameter}={self.random.choice(['1', 'N', '2'])})" if parameter else name
        may_end = self._chance(0.25)
        found: list[tuple[str, tuple[int, ...]]] = [(name, ())]
        found += [
            (self._new("Q"), self.random.choice([(), (2,), (2,), (3,), (2, 2)]))
            for _ in range(self.random.choice([0, 1, 1, 2]))
        ]
        scope = Scope(locals=tuple(found), may_end=may_end)
        if parameter == "Z":
            scope = scope.with_number("Z")
        text = f"{header} = {self._body(scope, found[1:], [])}"
        for number, (local, sizes) in enumerate(found[1:], 2):
            text += f", {self._local_definition(scope, local, sizes, found[number:])}"
        self.lines.append(f"{self._modifier(may_end)}{text}{self._operations()}.")
        self.processes.append(f"{name}({self.random.choice(['0', '1', 'N'])})" if parameter else name)

    def _tiny_process(self) -> None:
        """So that many of them still make a small system."""
        name = self._new("P")
        labels = self.random.sample(LETTERS, self.random.choice([1, 2, 2, 3]))
        last = self.random.choice([name, name, name, "END", "STOP"])
        hiding = f" \\ {{{labels[0]}}}" if self._chance(0.15) else ""
        body = f"({' -> '.join(labels)} -> {last})"
        if self._chance(0.12):
            body = self.random.choice(["END", f"END + {{{labels[0]}}}", f"STOP + {{{labels[0]}}}"])
        self.lines.append(f"{name} = {body}{hiding}.")
        self.processes.append(name)

    def _modifier(self, may_end: bool) -> str:
        if self.reduces and self._chance(0.4):
            return "minimal "
        return "deterministic " if not may_end and self._chance(0.06) else ""

    def _local_definition(
        self, scope: Scope, name: str, sizes: Sequence[int], later: Sequence[tuple[str, tuple[int, ...]]]
    ) -> str:
        variables = []
        indices = ""
        for size in sizes:
            variable = self._new("i")
            variables.append(variable)
            domain = self.random.choice([f"0..{size - 1}", *(["B"] if size == 2 else ["0..1+1"])])
            indices += f"[{variable}:{domain}]"
            scope = scope.with_number(variable)
        if sizes == (2,) and self._chance(0.2):
            without = replace(scope, numbers=scope.numbers[:-1])
            return f"{name}[0] = {self.choice(without)}, {name}[1] = {self._body(without, later, [])}"
        return f"{name}{indices} = {self._body(scope, later, variables)}"

    def _body(
        self, scope: Scope, later: Sequence[tuple[str, tuple[int, ...]]], variables: Sequence[str]
    ) -> str:
        """Another name only for what is defined later: so names do not go round in circles."""
        onward = replace(scope, locals=tuple(later))
        if later and self._chance(0.25 if variables else 0.5):
            return self._local(onward, self.random.choice(later))
        if self._chance(0.12):
            other = self._local(onward, self.random.choice(later)) if later else "STOP"
            then = self.choice(scope.deeper())
            return f"if ({self.condition(scope)}) then {then}" + (
                f" else {other}" if self._chance(0.7) else ""
            )
        return self.choice(scope)

    def _operations(self) -> str:
        text = ""
        if self._chance(0.25):
            text += " + " + self.random.choice(["{a}", "{b[0..1]}", "S", "{d, c.x}", "U", "{e}"])
        if self._chance(0.25):
            text += f" / {self._relabelling(LETTERS)}"
        if self._chance(0.25):
            text += f" {self.random.choice(['@', chr(92), chr(92)])} {self._labels()}"
        return text

    def _labels(self) -> str:
        """A set for hiding and priority."""
        return self.random.choice(
            ["{a}", "{b}", "{a, c}", "{b.x, d}", "{c[1]}", "{a, b, c}", "S", "{p.a}", "{p[1], q}", "{x, y}"]
        )

    def _relabelling(self, olds: Sequence[str]) -> str:
        def one() -> str:
            first, second = self.random.sample(olds, 2)
            forms = [
                f"x/{first}",
                f"{second}/{first}",
                f"{first}/{second}, {second}/{first}",
                f"x/{{{first}, {second}}}",
                f"{{x, y}}/{first}",
                f"{first}.x/{first}",
                f"x/{first}.x",
                f"x/{first}, y/{first}[1]",
                f"forall[k:B] {{x[k]/{first}[k]}}",
                f"forall[k:B][l:K] {{x[l][k]/{first}[l][k], y[k]/{second}[k]}}",
                f"x[0..1]/{first}",
                f"x/{first}[B]",
                f"x[k:B]/{first}[k]",
                f"x[k:1..2].y/{first}[k-1]",
                f"{second}.{{x, y}}/{first}",
            ]
            return self.random.choice(forms)

        return "{" + ", ".join(one() for _ in range(self.random.choice([1, 1, 2]))) + "}"

    def _sequential_process(self) -> None:
        name = self._new("A")
        letter, other = self.random.sample(LETTERS, 2)
        bodies = [
            f"({letter}[Y] -> END)",
            f"({letter} -> END | {other}[Y] -> {letter} -> END)",
            f"({letter}[v:B] -> if (v == Y) then END else ({other} -> {name}))",
            f"if (Y > 0) then ({letter} -> {name}(Y-1);END) else END",
            f"({letter} -> L1), L1 = ({other} -> L1 | {letter}[Y] -> END)",
        ]
        chosen = self.random.choice(bodies)
        self.lines.append(f"{name}(Y=1) = {chosen}{self.random.choice(['', '', ' + {e}'])}.")
        if not chosen.startswith("if"):  # that one may end at once, and going on then goes round in circles
            self.sequential.append(name)
        self.processes.append(name)

    def _property(self) -> None:
        """Deterministic, as a property must be: branches with different letters."""
        name = self._new("SAFE")
        count = self.random.choice([1, 2, 3])
        locals_ = [name, *(self._new("T") for _ in range(count - 1))]
        texts = []
        for local in locals_:
            letters = self.random.sample(LETTERS, self.random.choice([1, 1, 2]))
            branches = []
            for letter in letters:
                label = self.random.choice([letter, letter, f"{letter}[B]", f"{letter}[v:B]", f"{letter}.x"])
                target = self.random.choice([*locals_, *locals_, "STOP", "END", "ERROR"])
                branches.append(f"{label} -> {target}")
            texts.append(f"{local} = ({' | '.join(branches)})")
        extension = " + {a, b}" if self._chance(0.3) else ""
        self.lines.append(f"property {', '.join(texts)}{extension}.")
        self.processes.append(name)

    def _constraint(self) -> None:
        name = self._new("ONLY")
        p, q = self.random.sample(LETTERS, 2)
        bodies = [f"[]!{p}", f"[]({p} -> X {q})", f"(!{p} W {q})", f"[]({p} -> X(!{p} W {q}))"]
        bodies += [f"(!{p} || X {q})", f"[]({p} -> X []!{p})", f"[]({p} -> X !{q})"]
        extension = " + {c}" if self._chance(0.4) else ""
        self.lines.append(f"constraint {name} = {self.random.choice(bodies)}{extension}")
        self.processes.append(name)
