"""Random CSP# models that mix the whole language in small systems, with questions of every kind.

What a reduction may get wrong is put side by side: scratch variables and costs, constants stored and amounts
added, elements chosen at run time, values of library types, buffers with several readers and writers, shared
events and handshakes, hiding, `atomic`, annotations, ends, forks, sequences and `interrupt`. Most processes
are short loops, so that a system has some hundred states.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.support.oracle.formulas import Formula, formula_text, random_formula

IMPORTS = "".join(f'#import "PAT.Lib.{name}";\n' for name in ("Set", "List", "Stack", "Queue", "HashTable"))
PROPOSITIONS = {
    "near": "x == 1",
    "high": "y > 0",
    "cell": "z[x] == 1",
    "some": "z[0] == 2 || z[2] > x",
    "mine": "s0 == 1",
    "kept": "bag.Contains(1)",
    "long": "row.Count() > 1",
    "sent": "call(ccount, q) > 0",
    "full": "call(cfull, k[1])",
    "flag": "on",
}
#: what `min` and `max` may ask for
QUANTITIES = ("cost", "cost", "cost", "x", "y + x", "row.Count()", "cost + x", "s0")
EVENTS = ("a", "b", "e")
#: a process has so many definitions at most
MOST_PARTS = 3


@dataclass(frozen=True)
class Style:
    """What a model is made of."""

    processes: int
    joint: bool  # events are shared
    structured: bool  # processes begin and end while the system runs
    alike: bool  # one process for each number, by an index
    counted: bool  # several processes without numbers
    hides: bool
    annotated: bool
    faulty: bool  # what can go wrong at run time may
    library: bool
    costs: tuple[int, ...]  # what steps may cost; none: there are no costs
    simple: bool  # guards and programs are such that their effects are known

    @classmethod
    def of(cls, random: Random) -> Style:
        """A random one."""
        kind = random.random()
        return cls(
            processes=random.choice([1, 2, 2, 3, 3, 3]),
            joint=random.random() < 0.4,
            structured=kind < 0.25,
            alike=0.25 <= kind < 0.4,
            counted=0.4 <= kind < 0.45,
            hides=random.random() < 0.25,
            annotated=random.random() < 0.15,
            faulty=random.random() < 0.25,
            library=random.random() < 0.4,
            costs=random.choice([(), (), (), (), (0, 1, 2), (1,), (0, -1), (-1, 0, 1), (3,)]),
            simple=random.random() < 0.4,
        )


class Writer:
    """Writes one model."""

    def __init__(self, random: Random, style: Style) -> None:
        self.random = random
        self.style = style
        self.number = 0  # of the process that is written
        self.parts = 1  # of that process
        self.forks = 0

    def model(self) -> str:
        """The text, without questions."""
        lines = [IMPORTS, *self._declarations()]
        count = 1 if self.style.alike or self.style.counted else self.style.processes
        for self.number in range(count):
            self.parts = self.random.randint(1, MOST_PARTS)
            lines += [f"P{self.number}_{part}(i, j) = {self._choice(2)};" for part in range(self.parts)]
        lines += [f"Other(i, j) = {self._choice(1)};", f"System() = {self._system()};"]
        lines += [f"#define {name} {text};" for name, text in PROPOSITIONS.items()]
        return "\n".join(lines) + "\n"

    def _declarations(self) -> list[str]:
        pick = self.random.choice
        lines = [
            f"var x:{{0..2}} = {pick(['0', '0', '1', '2', '*'])};",
            f"var y{pick([':{0..3}', ''])} = {pick(['0', '1'])};",
            f"var z[3]:{{0..2}} = {pick(['[0(3)]', '[0(3)]', '[1, 0, 2]'])};",
            f"var on = {pick(['true', 'false'])};",
            f"var cost = {pick(['0', '0', '2', '-1'])};",
            "var log = 0; var steps = 0;",
            "var<Set> bag; var<List> row; var<Stack> pile; var<Queue> line; var<HashTable> table;",
            f"channel c 0; channel d[2] 0; channel q {pick('12')}; channel k[2] 1;",
        ]
        lines += [f"var s{number}:{{0..2}}{pick(['', ' = 1'])};" for number in range(3)]
        return lines

    # ------------------------------------------------------------ compositions

    def _system(self) -> str:
        system = self._composed()
        if self.style.hides:
            hidden = self.random.sample(["a", "b", "e", "own.0", "c.1", "own.1"], self.random.randint(1, 3))
            system = f"({system}) \\ {{{', '.join(hidden)}}}"
        return system

    def _composed(self) -> str:
        operator = "||" if self.style.joint else "|||"
        if self.style.alike:
            return f"{operator} i:{{0..{self.style.processes - 1}}} @ P0_0(i, {self.random.choice('012i')})"
        if self.style.counted:
            return f"||| {{{self.style.processes}}} @ P0_0(0, {self.random.choice('01')})"
        starts = [self._start(number) for number in range(self.style.processes)]
        if not self.style.structured:
            return f" {operator} ".join(starts)
        while len(starts) > 1:
            first = starts.pop(self.random.randrange(len(starts)))
            second = starts.pop(self.random.randrange(len(starts)))
            joined = self.random.choice(
                [
                    f"({first} || {second})",
                    f"({first} ||| {second})",
                    f"({first} ||| {second})",
                    f"({first}; {second})",
                    f"({first} interrupt {second})",
                    f"({first} [] {second})",
                    f"({first} [*] {second})",
                    f"({first} <> {second})",
                    f"(({first} ||| {second}) \\ {{a}})",
                ]
            )
            starts.append(joined)
        return starts[0]

    def _start(self, number: int) -> str:
        return f"P{number}_0({number}, {self.random.randrange(3)})"

    # ------------------------------------------------------------ processes

    def _choice(self, depth: int) -> str:
        count = self.random.choice([1, 1, 2, 2, 3] if depth == 2 else [1, 1, 2])
        joint = " [] " if self._chance(0.9) else self.random.choice([" <> ", " [*] "])
        return joint.join(self._branch(depth) for _ in range(count))

    def _branch(self, depth: int) -> str:
        if depth and self._chance(0.12):
            return self._decision(depth)
        guard = f"[{self.guard()}] " if self._chance(0.3) else ""
        step, rest = self._step(), self._rest(depth)
        if self._chance(0.06):
            return f"atomic{{{guard}{step} -> {rest}}}"
        return f"({guard}{step} -> {rest})" if guard else f"{step} -> {rest}"

    def _decision(self, depth: int) -> str:
        first, second = f"{self._choice(depth - 1)}", f"{self._choice(depth - 1)}"
        return self.random.choice(
            [
                f"if ({self.guard()}) {{{first}}} else {{{second}}}",
                f"ifa ({self.guard()}) {{{first}}} else {{{second}}}",
                f"ifb ({self.guard()}) {{{first}}}",
                f"case {{ {self.guard()}: {first} default: {second} }}",
            ]
        )

    def _rest(self, depth: int) -> str:
        if depth and self._chance(0.4):
            return f"({self._choice(depth - 1)})"
        end = self.random.random()
        if end < 0.08:
            return "Skip"
        if end < 0.11:
            return "Stop"
        if self.style.structured and end < 0.25:
            return self._fork()
        return self._call()

    def _fork(self) -> str:
        self.forks += 1
        if self.forks > 3:
            return "Skip"
        later = f"b{{{self.update()}}} -> Skip"
        return self.random.choice(
            [
                f"(({later}) ||| (a -> Skip)); {self._call()}",
                f"(({later}) interrupt (e -> Skip))",
                f"((a -> Skip) || (a -> {later}))",
                f"({later}; {self._call()})",
                f"((a -> {later}) \\ {{a}}); {self._call()}",
            ]
        )

    def _call(self) -> str:
        argument = self.random.choice(["j", "j", "0", "1", "(j + 1) % 3", "x", "2 - j", "z[j]"])
        if self.style.joint and ("x" in argument or "z" in argument):
            argument = "j"
        return f"P{self.number}_{self.random.randrange(self.parts)}(i, {argument})"

    def _step(self) -> str:
        kind = self.random.random()
        if kind < 0.2:
            return self._message()
        if kind < 0.45:
            event = self.random.choice([*EVENTS, "m.j", "own.i"])
            if self.style.annotated and self._chance(0.3):
                return f"{self.random.choice(['wf', 'sf', 'wl', 'sl'])}({event})"
            return event
        label = self.random.choice(["own.i", "own.i", "a", "b", "tau", "show.x", "show.s0"])
        return f"{label}{{{self.update()}}}"

    def _message(self) -> str:
        channel = self.random.choice(
            ["c", "c", "d[1]", "d[j % 2]", "d[x % 2]", "q", "q", "k[1]", "k[j % 2]", "k[x % 2]"]
        )
        program = f"{{{self.update()}}}" if self._chance(0.2) else ""
        if self._chance(0.5):
            return f"{channel}!{self.random.choice(['0', '1', 'j', 'x', 's0'])}{program}"
        accepts = self.random.choice(["", "", "", "[v == 1]", "[v == x]", "[v < j]"])
        return f"{channel}?{accepts}{self.random.choice(['v', 'v', '1'] if not accepts else ['v'])}{program}"

    # ------------------------------------------------------------ data

    @property
    def scratch(self) -> str:
        """The variable that mostly this process uses."""
        return f"s{self.number}" if self._chance(0.9) else f"s{self.random.randrange(3)}"

    def place(self) -> str:
        """A variable or an element, with values from 0 to 2."""
        simple = ["x", "z[i]", "z[0]", "z[j]", "x"]
        return self.random.choice(simple if self.style.simple else [*simple, "z[x]", "z[(j + 1) % 3]"])

    def guard(self) -> str:
        """A condition."""
        kind = self.random.random()
        if kind < 0.15:
            return f"{self.guard()} {self.random.choice(['&&', '||'])} {self.test()}"
        if kind < 0.2:
            return f"!({self.test()})"
        return self.test()

    def test(self) -> str:
        """A comparison."""
        kind = self.random.random()
        comparison = self.random.choice(["==", "!=", "<", ">", "<=", ">="])
        if self.style.simple or kind < 0.6:
            return f"{self.place()} {comparison} {self.random.randrange(3)}"
        if kind < 0.7:
            return f"{self.scratch} {comparison} {self.random.randrange(3)}"
        if self.style.library and kind < 0.85:
            index = self.random.choice("01j")
            return self.random.choice(
                [f"bag.Contains({index})", f"row.Count() < {index}", "pile.IsEmpty()",
                 f"line.Count() {comparison} 1", f"table.ContainsKey({index})",
                 *([f"row.Get({index}) == 1", "pile.Peek() > 0"] if self.style.faulty else [])]
            )  # fmt: skip
        if self.style.faulty and kind < 0.9:
            return self.random.choice([f"z[y] {comparison} 1", f"2 / x {comparison} 1", "z[x - 1] == 0"])
        return self.random.choice(["on", "!on", "x == y", f"y {comparison} j", f"x + j {comparison} y"])

    def update(self) -> str:
        """Statements."""
        return " ".join(self.statement() for _ in range(self.random.choice([1, 1, 1, 2, 2, 3])))

    def statement(self) -> str:
        """One of the forms."""
        kind = self.random.random()
        place = self.place()
        if self.style.costs and kind < 0.2:
            return self._cost()
        if kind < 0.3:
            value = self.random.choice(["0", "1", "2", "x", "j % 3", f"(s{self.number} + 1) % 3"])
            return f"{self.scratch} = {value};"
        if kind < 0.36:
            return self.random.choice(
                [
                    "log = x;",
                    "log = 1 - log;",
                    f"log = {self.scratch};",
                    *["steps++;"] * (self.style.costs != ()),
                ]
            )
        if self.style.library and kind < 0.52:
            return self._library()
        if self.style.faulty and kind < 0.6:
            return self.random.choice(
                [f"{place} = {place} + 1;", f"{place} = {place} - 1;", "log = 2 / x;", "z[y] = 1;", "x = y;",
                 "log = z[y];", f"{self.scratch} = z[x] + 1;", "row.RemoveAt(0);", "log = pile.Peek();"]
            )  # fmt: skip
        if kind < 0.7:
            return f"{place} = {self.random.randrange(3)};"
        if kind < 0.8:
            amount = self.random.choice([1, 1, 2])
            return self.random.choice(
                [f"if ({place} < {3 - amount}) {{{place} = {place} + {amount};}}",
                 f"{place} = ({place} + {amount}) % 3;", "if (y < 3) {y++;}",
                 "if (y > 0) {y = y - 1;}", "y = 0;"]
            )  # fmt: skip
        if kind < 0.9:
            return self.random.choice(["on = !on;", "on = x > 0;", f"{place} = {self.place()};", "y = x;"])
        return self.random.choice(
            [f"var t = {place}; {place} = (t + 1) % 3;",
             f"if ({self.guard()}) {{{place} = 0;}} else {{y = 1;}}",
             f"var t = 0; while (t < 2) {{{place} = (x + t) % 3; t++;}}"]
        )  # fmt: skip

    def _cost(self) -> str:
        amount = self.random.choice(self.style.costs)
        forms = [f"cost = cost + {amount};", f"cost = {amount} + cost;", f"cost = cost + {amount} * j;"]
        if min(self.style.costs) >= 0:
            forms += ["cost = cost + x;", f"cost = cost + {amount} + x;", "cost = cost + z[j];"]
        else:
            forms += ["cost = cost - call(ccount, q);", "cost = cost - x;"]
        if amount == 1:
            forms.append("cost++;")
        if self._chance(0.03):
            forms = ["cost = 0;", "log = cost;", "if (cost < 4) {cost = cost + 1;}"]
        return self.random.choice(forms)

    def _library(self) -> str:
        value = self.random.choice(["0", "1", "j", "x"])
        safe = [
            f"bag.Add({value});", f"bag.Remove({value});", f"on = bag.Add({value});", "bag.Clear();",
            f"if (row.Count() < 2) {{row.Add({value});}}", "if (row.Count() > 0) {row.RemoveAt(0);}",
            f"if (pile.Count() < 2) {{pile.Push({value});}}", "if (!pile.IsEmpty()) {x = pile.Pop() % 3;}",
            f"if (line.Count() < 2) {{line.Enqueue({value});}}", "if (!line.IsEmpty()) {line.Dequeue();}",
            f"table.SetValue({value}, j);", f"table.Remove({value});", "log = bag.Count();",
            "log = row.Count();", f"on = row.Contains({value});", "table.Clear();",
        ]  # fmt: skip
        if self.style.faulty:
            safe += [
                "pile.Pop();",
                "x = line.Dequeue();",
                f"log = table.GetValue({value});",
                f"log = row.Get({value});",
            ]
        return self.random.choice(safe)

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability


@dataclass(frozen=True)
class Question:
    """An assertion about System(), as it is written; its formula, if it is one."""

    text: str
    formula: Formula | None = None


def questions(random: Random) -> list[Question]:
    """What is asked about a model, which need not have all the events that are named."""

    def named() -> str:
        return random.choice(list(PROPOSITIONS))

    texts = ["deadlockfree", "nonterminating", "divergencefree", "deterministic", f"reaches {named()}"]
    quantity = random.choice(QUANTITIES)
    texts += [f"reaches {named()} with {end}({quantity})" for end in ("min", "max")]
    texts += [
        f"refines{random.choice(['', '<F>', '<FD>'])} {process}" for process in ("P0_0(0, 0)", "Other(0, 1)")
    ]
    found = [Question(f"System() {text}") for text in texts]
    for _ in range(5):
        events = random.sample(["a", "b", "e", "own.0", "own.1", "c.1"], 2)
        formula = random_formula(random, [named(), named()], events, max_operators=5, max_temporal=3)
        found.append(Question(f"System() |= {formula_text(formula)}", formula))
    return found


@dataclass(frozen=True)
class Mixed:
    """A random model of the process System(), and questions about it."""

    seed: int
    text: str
    questions: list[Question]


def mixed_model(seed: int) -> Mixed:
    """The model of a seed."""
    random = Random(seed)
    return Mixed(seed, Writer(random, Style.of(random)).model(), questions(random))
