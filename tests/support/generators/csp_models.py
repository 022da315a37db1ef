"""Random CSP# models as texts: small, finite, and made of every construct of the language.

What keeps a model finite: every assignment is taken modulo the size of its variable's range, so is what is
sent, a process calls only processes declared after it, and calls itself only as the last thing it does,
under an event, and not inside `[*]` or `interrupt`, which an internal step leaves around it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

MODULUS = 3


class Synchronisation(Enum):
    """How a model uses `||`; an alphabet that is not declared must be computable."""

    NONE = "no ||"
    COMPUTED = "alphabets are computed"
    DECLARED = "alphabets are declared"


class Kind(Enum):
    """What a parameter holds."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    STRUCTURAL = "bound of an index range, so a constant"


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: Kind


@dataclass(frozen=True)
class Signature:
    """A process that can be called."""

    name: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Scope:
    """What a piece of process text may use.

    `tail` is the process that may be called again here, `guarded` whether an event comes before.
    """

    integers: tuple[str, ...] = ()
    booleans: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    depth: int = 0
    tail: Signature | None = None
    guarded: bool = False

    def deeper(self, *, tail: bool = True, guarded: bool = False) -> Scope:
        return replace(
            self,
            depth=self.depth + 1,
            tail=self.tail if tail else None,
            guarded=self.guarded or guarded,
        )

    def with_index(self, name: str) -> Scope:
        return replace(self, integers=(*self.integers, name), depth=self.depth + 1)


@dataclass
class ModelWriter:
    """Writes one model."""

    random: random.Random
    synchronisation: Synchronisation = Synchronisation.NONE
    with_faults: bool = False
    integers: list[str] = field(default_factory=list)
    booleans: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    channels: list[str] = field(default_factory=list)
    later: list[Signature] = field(default_factory=list)
    fresh: int = 0
    compositions: int = 0

    # ------------------------------------------------------------ the whole text

    def model(self) -> str:
        """A model with a process System() and some assertions about it."""
        lines = ["#define LIMIT 2;", "enum {red, green};", *self._variables(), *self._channels(), ""]
        first = self.integers[0]
        lines += [
            "#define twice(v) v + v;",
            f"#define bump {{{first} = ({first} + 1) % 3;}};",
        ]
        lines.append(f"#define goal {self.condition(Scope(depth=2))};")
        definitions: list[str] = []
        for number in reversed(range(self.random.randint(1, 3))):
            signature = Signature(f"P{number}", self._parameters())
            definitions.append(self._definition(signature, 1))
            self.later.append(signature)
        definitions.append(self._definition(Signature("System", ()), 0))
        lines += reversed(definitions)
        lines += ["#assert System() deadlockfree;", "#assert System() reaches goal;"]
        return "\n".join(lines) + "\n"

    def _variables(self) -> list[str]:
        lines = []
        for number in range(self.random.randint(1, 2)):
            name = f"x{number}"
            self.integers.append(name)
            forms = [":{0..2} = *", " = 1", "", ":{0..2} = LIMIT", ":{0..2}"]
            weights = [1, 3, 3, 3, 2]
            lines.append(f"var {name}{self.random.choices(forms, weights)[0]};")
        if self._chance(0.6):
            self.booleans.append("flag")
            lines.append(f"var flag = {self.random.choice(['true', 'false'])};")
        if self._chance(0.6):
            self.arrays.append("cells")
            lines.append(
                self.random.choice(
                    ["var cells[3]:{0..2};", "var cells = [2, 0, 1];", "var cells[3] = [1(2), LIMIT];"]
                )
            )
        return lines

    def _channels(self) -> list[str]:
        if self._chance(0.5):
            return []
        lines = []
        for name in self.random.sample(["c", "d", "w[2]"], self.random.randint(1, 3)):
            self.channels.append(name)
            lines.append(f"channel {name} {self.random.choice(['0', '0', '1', '1', 'LIMIT'])};")
        return lines

    def _parameters(self) -> tuple[Parameter, ...]:
        kinds = self.random.choices([Kind.INTEGER, Kind.BOOLEAN, Kind.STRUCTURAL], [6, 2, 2], k=2)
        wanted = self.random.choices([0, 1, 2], [4, 5, 1])[0]
        return tuple(Parameter(f"p{number}", kind) for number, kind in enumerate(kinds[:wanted]))

    def _definition(self, signature: Signature, depth: int) -> str:
        def named(kind: Kind) -> tuple[str, ...]:
            return tuple(p.name for p in signature.parameters if p.kind is kind)

        scope = Scope(
            named(Kind.INTEGER) + named(Kind.STRUCTURAL),
            named(Kind.BOOLEAN),
            named(Kind.STRUCTURAL),
            depth,
            signature,
        )
        self.compositions = 0
        heading = f"{signature.name}({', '.join(p.name for p in signature.parameters)})"
        text = f"{heading} = {self.process(scope)};"
        if self.synchronisation is Synchronisation.DECLARED:
            text += f"\n#alphabet {signature.name} {{{self._event_set(scope)}}};"
        return text

    def _event_set(self, scope: Scope) -> str:
        members = [name for name in "abc" if self._chance(0.5)]
        if self._chance(0.5):
            members.append("k:{0..2}@e.k")
        if scope.integers and self._chance(0.5):
            members.append(f"e.{scope.integers[0]}")
        return ", ".join(members) or "a"

    # ------------------------------------------------------------ processes

    def process(self, scope: Scope) -> str:
        """A process of any form."""
        if scope.depth >= 5:
            return self._leaf(scope)
        forms: list[tuple[float, Callable[[Scope], str]]] = [
            (9, self._prefix),
            (2, self._leaf),
            (3, self._choice),
            (1.5, self._indexed_choice),
            (2.5, self._sequence),
            (2, self._guarded),
            (2, self._conditional),
            (1, self._case),
            (0.7, self._external_choice),
            (0.7, self._interrupt),
            (1, self._hiding),
            (0.7, self._atomic),
            (0.2, self._assertion),
        ]
        if self.channels:
            forms.append((6, self._communication))
        if self.compositions < 2:
            forms.append((6 if scope.depth <= 1 else 1.5, self._parallel))
        weights, functions = zip(*forms, strict=True)
        return self.random.choices(functions, weights)[0](scope)

    def _leaf(self, scope: Scope) -> str:
        if scope.tail is not None and scope.guarded and self._chance(0.6):
            return self._call(scope.tail, scope)
        if self.later and self._chance(0.5):
            return self._call(self.random.choice(self.later), scope)
        return self.random.choices(["Skip", "Stop", f"{self._event(scope)} -> Skip"], [4, 1, 3])[0]

    def _prefix(self, scope: Scope) -> str:
        following = self._following(scope)
        form = self.random.random()
        if form < 0.45:
            return f"{self._event(scope)} -> {following}"
        event = self._event(scope, data=True)
        if form < 0.55:
            event = "tau"
        elif form < 0.6:
            event = ""
        return f"{event}{{{self.statements(scope)}}} -> {following}"

    def _communication(self, scope: Scope) -> str:
        """`c!1.x -> …` or `c?y.1 -> …`."""
        channel = self.random.choice(self.channels)
        if channel.endswith("[2]"):
            index = self.integer(scope, 2)
            channel = f"w[{index}]" if self.with_faults else f"w[({index}) % 2]"
        fields = self.random.choices([1, 2], [5, 1])[0]
        program = f"{{{self.statements(scope)}}}" if self._chance(0.25) else ""
        if self._chance(0.5):
            message = ".".join(f"({self.integer(scope, 1)}) % {MODULUS}" for _ in range(fields))
            return f"{channel}!{message}{program} -> {self._following(scope)}"
        patterns, inner = [], scope
        for _ in range(fields):
            if self._chance(0.6):
                self.fresh += 1
                patterns.append(f"y{self.fresh}")
                if self.synchronisation is not Synchronisation.COMPUTED:
                    inner = replace(inner, integers=(*inner.integers, patterns[-1]))
            else:
                patterns.append(self.random.choice(["0", "1", "LIMIT", *self.integers, *scope.integers]))
        guard = f"[{self.condition(inner, 1)}]" if self._chance(0.3) else ""
        program = f"{{{self.statements(inner)}}}" if program else ""
        return f"{channel}?{guard}{'.'.join(patterns)}{program} -> {self._following(inner)}"

    def _following(self, scope: Scope) -> str:
        following = self.process(scope.deeper(guarded=True))
        return following if following.isalnum() else f"({following})"

    def _external_choice(self, scope: Scope) -> str:
        branches = [self._part(scope.deeper(tail=False)) for _ in range(2)]
        return "(" + " [*] ".join(branches) + ")"

    def _interrupt(self, scope: Scope) -> str:
        body, handler = (self._part(scope.deeper(tail=False)) for _ in range(2))
        return f"({body} interrupt {handler})"

    def _hiding(self, scope: Scope) -> str:
        hidden = [name for name in "abc" if self._chance(0.5)] + ["e.1", "k:{0..1}@e.k", "c.1"]
        events = ", ".join(self.random.sample(hidden, self.random.randint(1, 3)))
        return f"({self._part(scope.deeper())} \\ {{{events}}})"

    def _atomic(self, scope: Scope) -> str:
        return f"atomic{{{self.process(scope.deeper())}}}"

    def _assertion(self, scope: Scope) -> str:
        holds = self.condition(scope, 1) if self.with_faults else f"{self.integer(scope, 2)} < 100"
        return f"assert({holds})"

    def _event(self, scope: Scope, data: bool = False) -> str:
        name = self.random.choice("abc")
        if self._chance(0.5):
            return name
        reads = data or self.synchronisation is not Synchronisation.COMPUTED
        argument = self.integer(scope, 2, reads)
        if self._chance(0.1):
            return f"g.({self.condition(scope, 2, reads)})"
        return f"e.({argument}) " if not argument.isalnum() else f"e.{argument}"

    def _call(self, signature: Signature, scope: Scope, reads: bool = True) -> str:
        reads = reads and self.synchronisation is not Synchronisation.COMPUTED and self._chance(0.5)
        arguments = []
        for parameter in signature.parameters:
            if parameter.kind is Kind.STRUCTURAL:
                arguments.append(self.random.choice([*scope.bounds, "0", "1", "red"]))
            elif parameter.kind is Kind.BOOLEAN:
                arguments.append(self.condition(scope, 2, reads))
            else:
                arguments.append(f"({self.integer(scope, 2, reads)}) % {MODULUS}")
        return f"{signature.name}({', '.join(arguments)})"

    def _choice(self, scope: Scope) -> str:
        branches = [self._part(scope.deeper()) for _ in range(self.random.randint(2, 3))]
        return self.random.choice([" [] ", " [] ", " <> "]).join(branches)

    def _part(self, scope: Scope) -> str:
        text = self.process(scope)
        return f"({text})" if " " in text else text

    def _ranges(self, scope: Scope) -> tuple[str, Scope]:
        self.fresh += 1
        index = f"i{self.fresh}"
        texts = ["{0..1}", "{red..green}", "{0, 2}", "{LIMIT}"]
        texts += [f"{{0..{bound}}}" for bound in scope.bounds]
        return f"{index}:{self.random.choice(texts)}", scope.with_index(index)

    def _indexed_choice(self, scope: Scope) -> str:
        ranges, inner = self._ranges(scope)
        return f"([] {ranges} @ {self._part(inner)})"

    def _sequence(self, scope: Scope) -> str:
        first = self._part(scope.deeper(tail=False))
        last = self._part(scope.deeper())
        if self._chance(0.2):
            return f"{first}; {self._part(scope.deeper(tail=False))}; {last}"
        return f"{first}; {last}"

    def _guarded(self, scope: Scope) -> str:
        return f"[{self.condition(scope)}] {self._part(scope.deeper())}"

    def _conditional(self, scope: Scope) -> str:
        word = self.random.choice(["if", "if", "ifa", "ifb"])
        text = f"{word} ({self.condition(scope)}) {{{self.process(scope.deeper())}}}"
        other = self.random.random() if word != "ifb" else 1
        if other < 0.5:
            text += f" else {{{self.process(scope.deeper())}}}"
        elif other < 0.6:
            text += f" else {word} ({self.condition(scope)}) {{{self.process(scope.deeper())}}}"
        return text

    def _case(self, scope: Scope) -> str:
        branches = [
            f"{self.condition(scope)} : {self.process(scope.deeper())}"
            for _ in range(self.random.randint(1, 2))
        ]
        if self._chance(0.5):
            branches.append(f"default : {self.process(scope.deeper())}")
        return "case {\n  " + "\n  ".join(branches) + "\n}"

    def _parallel(self, scope: Scope) -> str:
        self.compositions += 1
        inner = scope.deeper(tail=False)
        operator = "|||"
        possible = self.synchronisation is Synchronisation.COMPUTED or (
            self.synchronisation is Synchronisation.DECLARED and self.later
        )
        if possible and self._chance(0.7):
            operator = "||"
        form = self.random.random()
        if form < 0.15:
            ranges, indexed = self._ranges(inner)
            return f"({operator} {ranges} @ {self._component(indexed, operator)})"
        if form < 0.3 and operator == "|||":
            count = self.random.choice(["2", "LIMIT", "1", *(f"1 + {bound}" for bound in scope.bounds)])
            return f"(||| {{{count}}} @ {self._component(inner, operator)})"
        parts = [self._component(inner, operator) for _ in range(self.random.choices([2, 3], [5, 1])[0])]
        return "(" + f" {operator} ".join(parts) + ")"

    def _component(self, scope: Scope, operator: str) -> str:
        declared = operator == "||" and self.synchronisation is Synchronisation.DECLARED
        if self.later and (declared or self._chance(0.4)):
            return self._call(self.random.choice(self.later), scope, reads=not declared)
        return self._part(scope)

    # ------------------------------------------------------------ data operations

    def statements(self, scope: Scope, depth: int = 0) -> str:
        """Some statements."""
        count = self.random.choices([0, 1, 2], [1, 6, 3])[0]
        return " ".join(self._statement(scope, depth) for _ in range(count))

    def _statement(self, scope: Scope, depth: int) -> str:
        form = self.random.random()
        if depth >= 2 or form < 0.5:
            return self._assignment(scope)
        if form < 0.6:
            return "bump;"
        if form < 0.75:
            other = f" else {{{self.statements(scope, depth + 1)}}}" if self._chance(0.5) else ""
            return f"if ({self.condition(scope)}) {{{self.statements(scope, depth + 1)}}}{other}"
        self.fresh += 1
        local = f"v{self.fresh}"
        inner = replace(scope, integers=(*scope.integers, local))
        if form < 0.85:
            body = f"{self.statements(inner, depth + 1)} {local} = {local} + 1;"
            return f"var {local} = 0; while ({local} < {self.random.randint(1, 3)}) {{{body}}}"
        if form < 0.9:
            target = self.random.choice(self.integers)
            return f"var {local}[2] = [1, {self.integer(scope, 2)}]; {target} = {local}[{target} % 2] % 3;"
        return f"{{var {local} = {self.integer(scope)}; {self.statements(inner, depth + 1)}}}"

    def _assignment(self, scope: Scope) -> str:
        if self.booleans and self._chance(0.25):
            return f"{self.booleans[0]} = {self.condition(scope)};"
        target = self.random.choice(self.integers)
        if self.arrays and self._chance(0.3):
            index = self.integer(scope, 2)
            target = f"cells[{index}]" if self.with_faults else f"cells[({index}) % 3]"
        if self.with_faults and self._chance(0.3):
            return self.random.choice([f"{target}++;", f"{target} = {self.integer(scope)};"])
        if self._chance(0.1):
            return f"if ({target} < 2) {target}++;"
        return f"{target} = ({self.integer(scope)}) % {MODULUS};"

    # ------------------------------------------------------------ expressions

    def integer(self, scope: Scope, depth: int = 0, reads: bool = True) -> str:
        """An integer expression; with `reads`, over shared variables too."""
        atoms = ["0", "1", "2", "LIMIT", "green", *scope.integers * 3]
        if reads:
            atoms += self.integers * 3
            if self.arrays:
                index = self.random.choice(["0", "1", "LIMIT"] + [f"{name} % 3" for name in scope.integers])
                atoms.append(f"cells[{index}]")
        if depth >= 2 or self._chance(0.3):
            return self.random.choice(atoms)
        left, right = self.integer(scope, depth + 1, reads), self.integer(scope, depth + 1, reads)
        form = self.random.random()
        if form < 0.75:
            return f"{left} {self.random.choice(['+', '-', '*'])} {right}"
        if form < 0.9:
            divisor = right if self.with_faults else str(self.random.choice([1, 2, 3]))
            return f"({left}) {self.random.choice(['/', '%'])} ({divisor})"
        return self.random.choice([f"call(twice, {left})", f"-({left})", f"(({left}) & ({right}))"])

    def condition(self, scope: Scope, depth: int = 0, reads: bool = True) -> str:
        """A boolean expression."""
        atoms = [*scope.booleans * 2]
        if reads:
            atoms += self.booleans * 2
        if atoms and self._chance(0.3):
            return self.random.choice(atoms)
        if depth < 2 and self._chance(0.3):
            left, right = self.condition(scope, depth + 1, reads), self.condition(scope, depth + 1, reads)
            return f"({left} {self.random.choice(['&&', '||', 'xor', '=='])} {right})"
        if depth < 2 and self._chance(0.15):
            return f"!({self.condition(scope, depth + 1, reads)})"
        if reads and self.arrays and self._chance(0.1):
            return f"({self.random.choice(['&&', '||'])} n:{{0..2}} @ (cells[n] != {self.integer(scope, 2)}))"
        comparison = self.random.choice(["==", "!=", "<", ">=", "<=", ">"])
        return f"({self.integer(scope, depth + 1, reads)} {comparison} {self.integer(scope, 2, reads)})"

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability


def random_model(seed: int) -> str:
    """The model of a seed."""
    chooser = random.Random(seed)
    synchronisation = chooser.choices(list(Synchronisation), [2, 1, 1])[0]
    return ModelWriter(chooser, synchronisation, with_faults=chooser.random() < 0.15).model()
