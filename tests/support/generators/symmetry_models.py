"""Random models of CSP# whose processes have numbers: many are symmetric, some all but in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

#: what breaks a symmetry, or looks as if it did
ODDITIES = (
    "guard:i != 0",
    "guard:i < 1",
    "guard:turn == 0",
    "guard:a[0] == 1",
    "guard:a[i] == i",
    "guard:owner > i",
    "guard:q[0] == i",
    "guard:a[(i + 1) % N] == 0",
    "guard:lv[i % 2] == i",
    "update:a[i] = i % 3;",
    "update:turn = (turn + 1) % N;",
    "update:turn = 0;",
    "update:q[i] = 0;",
    "update:a[0] = 1;",
    "update:x0 = i % 2;",
    "update:var k = i; turn = k;",
    "update:a[i] = turn % 2;",
    "update:lv[0] = N - 1;",
    "update:b[0][i] = 1;",
)


@dataclass
class Writer:
    """Writes one model."""

    random: Random
    most: int = 4
    count: int = 0
    states: int = 0
    channels: list[str] = field(default_factory=list)
    synchronised: bool = False
    oddity: str | None = None
    second: bool = False

    def model(self) -> str:
        """A model with a process System()."""
        random = self.random
        self.count = random.randint(2, self.most)
        self.states = random.choice([1, 2, 2, 3])
        self.channels = [name for name in ("c", "d", "e") if random.random() < 0.25]
        self.synchronised = random.random() < 0.25
        self.second = random.random() < 0.2
        self.oddity = random.choice(ODDITIES) if random.random() < 0.35 else None
        lines = [
            f"#define N {self.count};",
            "var x0:{0..2};",
            "var a[N]:{0..2}" + self._initial(3) + ";",
            "var b[N][N]:{0..1};",
            "var q[N]:{0..N-1}" + self._initial(self.count) + ";",
            "var lv[2]:{0..N-1};",
            f"var turn:{{0..N-1}} = {random.randrange(self.count)};",
            "var owner:{0..N} = N;",
            "var flag = false;",
        ]
        lines += [f"channel {name}{'[N]' if name == 'e' else ''} 0;" for name in self.channels]
        lines += [self._definition("P", state) for state in range(self.states)]
        if self.second:
            lines.append(self._definition("Q", 0))
        lines.append("T() = " + self._other() + ";")
        lines.append(self._system())
        lines += [
            "#define goal (|| i:{0..N-1} @ (a[i] == 2));",
            "#define all1 (&& i:{0..N-1} @ (a[i] > 0));",
            "#define sum a[0] + a[1] > 2;",
            "#define own owner == N || flag;",
            "#define first a[0] == 1;",
            "#define mine turn == 1 && x0 == 0;",
            "#define late turn > 0;",
            "#define order q[0] <= turn;",
            "#define linked q[turn] == turn;",
        ]
        return "\n".join(lines) + "\n"

    def _initial(self, bound: int) -> str:
        if self.random.random() < 0.6:
            return ""
        values = [str(self.random.randrange(bound)) for _ in range(self.count)]
        return f" = [{', '.join(values)}]"

    def _system(self) -> str:
        random = self.random
        operator = "||" if self.synchronised else "|||"
        parts = [f"({operator} i:{{0..N-1}} @ P(i))"]
        if self.second and not self.synchronised:
            parts.append("(||| i:{0..N-1} @ Q(i))")
        if random.random() < 0.3:
            parts.append("T()")
        random.shuffle(parts)
        inside = f" {operator} ".join(parts)
        if not self.synchronised and random.random() < 0.15:
            set_up = " [] ".join(f"set.{v}{{x0 = {v}; turn = {v % self.count};}} -> Net()" for v in range(2))
            return f"Net() = {inside};\nSystem() = {set_up};"
        return f"System() = {inside};"

    def _definition(self, name: str, state: int) -> str:
        branches = [self._branch(name, number) for number in range(self.random.choice([1, 2, 2, 3]))]
        return f"{self._head(name, state)} = {' [] '.join(branches)};"

    def _head(self, name: str, state: int, index: str = "i", held: str = "j") -> str:
        """The last of several states of P knows another process."""
        if name == "Q" or state == 0:
            return f"{name}({index})"
        last = state == self.states - 1 and self.states == 3
        return f"{name}{state}({index}, {held})" if last else f"{name}{state}({index})"

    def _next(self, name: str, held: str) -> str:
        random = self.random
        if random.random() < 0.06:
            return random.choice(["Skip", "Stop"])
        state = 0 if name == "Q" else random.randrange(self.states)
        return self._head(name, state, "i", held)

    def _branch(self, name: str, number: int) -> str:
        random = self.random
        if self.channels and random.random() < 0.4:
            return self._message(name)
        if random.random() < 0.25 and not self.synchronised:
            guard = random.choice(["j != i", "j != i && a[j] == 1", "q[i] == j", "j != turn"])
            update = random.choice(["", "{a[j] = 2;}", "{turn = j;}", "{b[i][j] = 1;}", "{q[j] = i;}"])
            return f"([] j:{{0..N-1}} @ ([{guard}] meet.i.j{update} -> {self._next(name, 'j')}))"
        guards = [self._guard() for _ in range(random.choice([0, 1, 1, 2]))]
        update = "".join(self._update() for _ in range(random.choice([0, 1, 1, 2])))
        if self.oddity is not None and random.random() < 0.5:
            kind, _, text = self.oddity.partition(":")
            guards += [text] if kind == "guard" else []
            update += text if kind == "update" else ""
        event = f"{random.choice('gh')}.i"
        if self.synchronised and random.random() < 0.5:
            event = random.choice(["all", "some"])
        elif random.random() < 0.15:
            event = "tau" if update else "quiet"
        held = random.choice(["i", "turn", "q[i]", "i"])
        guard = f"[{' && '.join(guards)}] " if guards else ""
        return f"{guard}{event}{f'{{{update}}}' if update else ''} -> {self._next(name, held)}"

    def _message(self, name: str) -> str:
        random = self.random
        channel = random.choice(self.channels)
        match channel:
            case "c":
                half = random.choice(["c!i", "c?y", "c?y"])
            case "d":
                half = random.choice(["d!1", "d?y"])
            case _:
                half = random.choice(["e[i]?y", "e[turn]!i", "e[q[i]]!turn"])
        held = "y" if half.endswith("?y") and channel != "d" else random.choice(["i", "turn"])
        return f"{half} -> {self._next(name, held)}"

    def _guard(self) -> str:
        return self.random.choice(
            [
                "a[i] == 0",
                "a[i] < 2",
                "turn == i",
                "turn != i",
                "owner == N",
                "owner == i",
                "q[i] == i",
                "q[i] != turn",
                "q[q[i]] == i",
                "a[turn] > 0",
                "b[i][q[i]] == 0",
                "b[turn][i] == 1",
                "lv[0] == i",
                "x0 != 1",
                "!flag",
                "(&& k:{0..N-1} @ (k == i || a[k] < 2))",
                "(|| k:{0..N-1} @ (a[k] == 1 && k != i))",
                "(&& k:{0..N-1} @ (b[k][i] == 0))",
                "a[0] + a[1] < 3" if self.count == 2 else "x0 == 0",
            ]
        )

    def _update(self) -> str:
        return self.random.choice(
            [
                "a[i] = 1;",
                "a[i] = (a[i] + 1) % 3;",
                "a[turn] = 0;",
                "turn = i;",
                "turn = q[i];",
                "owner = i;",
                "owner = N;",
                "q[i] = turn;",
                "q[q[i]] = i;",
                "b[i][i] = 1;",
                "b[i][turn] = 1 - b[i][turn];",
                "lv[1] = i;",
                "lv[0] = turn;",
                "x0 = (x0 + 1) % 3;",
                "flag = !flag;",
                "if (turn == i) { x0 = 1; } else { a[i] = 0; }",
            ]
        )

    def _other(self) -> str:
        update = self.random.choice(
            ["x0 = 1;", "turn = q[turn];", "a[turn] = 2;", "turn = 0;", "flag = true;"]
        )
        return f"[x0 == {self.random.randrange(3)}] t{{{update}}} -> T()"


def random_numbered_model(seed: int, most: int = 4) -> str:
    """A model whose processes have numbers."""
    return Writer(Random(seed), most).model()
