"""Random CSP# models in two texts: as they are, and with variables that tell which places are executed.

In the second text every event has a program that sets the variables of its place and of the branches before
it, every statement sets its own, and internal choices are steps with such programs. The two have the same
states, but for these variables. So how often a place is executed can be counted on the second text from its
steps alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

#: in the first text, before a place: its number
_MARK = re.compile("\x01(\\d+)\x02")


@dataclass(frozen=True)
class Texts:
    """Both texts; `places` has the kind and the offset in the first text of each numbered place."""

    plain: str
    watched: str
    places: list[tuple[str, int]]


@dataclass(frozen=True)
class _Pair:
    plain: str
    watched: str


class _Writer:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._kinds: list[str] = []
        self._names = 0

    def model(self) -> Texts:
        fragment = self._block(1)
        bodies = [self._process(2) for _ in range(3)]
        plain = ["var x = 0;", "var y = 0;", "channel c 1;", "channel d 0;", f"#define act {fragment.plain};"]
        watched = [*plain[:4], f"#define act {fragment.watched};"]
        for number, body in enumerate(bodies):
            plain.append(f"P{number}() = {body.plain};")
            watched.append(f"P{number}() = {body.watched};")
        system = "System() = P0() ||| P1();"
        marked = "\n".join([*plain, system]) + "\n"
        offsets: dict[int, int] = {}
        removed = 0
        for mark in _MARK.finditer(marked):
            offsets[int(mark[1])] = mark.start() - removed
            removed += len(mark[0])
        variables = f"var hit[{len(self._kinds)}];"
        places = [(kind, offsets[number]) for number, kind in enumerate(self._kinds)]
        return Texts(_MARK.sub("", marked), "\n".join([variables, *watched, system]) + "\n", places)

    # ------------------------------------------------------------ places

    def _place(self, kind: str) -> tuple[str, str]:
        """The mark of a new place, and the statement that tells that it is executed."""
        number = len(self._kinds)
        self._kinds.append(kind)
        return f"\x01{number}\x02", f"hit[{number}] = 1; "

    # ------------------------------------------------------------ processes

    def _process(self, depth: int, before: str = "") -> _Pair:
        """A process whose first step also executes the places `before` it."""
        if depth == 0:
            return self._prefix(0, before)
        match self._random.randrange(7):
            case 0 | 1:
                return self._choice(depth, before)
            case 2 if not before:
                return self._internal(depth)
            case 3 if not before:
                return self._conditional(depth)
            case _:
                return self._prefix(depth, before)

    def _prefix(self, depth: int, before: str) -> _Pair:
        mark, hit = self._place("event")
        program = self._block(2) if self._random.random() < 0.6 else None
        name = self._random.choice(["a", "b", "e.x", "c!x", "c!1", "c?v", "d!y", "d?0", "d?v"])
        if name.endswith("?v"):
            self._names += 1
            name = f"{name}{self._names}"
        following = self._next(depth)
        plain = f"{mark}{name}{'' if program is None else program.plain} -> {following.plain}"
        inner = "" if program is None else program.watched
        return _Pair(plain, f"{name}{{{before}{hit}{inner}}} -> {following.watched}")

    def _next(self, depth: int) -> _Pair:
        if depth > 0 and self._random.random() < 0.6:
            inner = self._process(depth - 1)
            return _Pair(f"({inner.plain})", f"({inner.watched})")
        call = self._random.choice(["P0()", "P1()", "P2()", "P0()", "Stop", "Skip"])
        return _Pair(call, call)

    def _choice(self, depth: int, before: str) -> _Pair:
        branches = [self._branch(depth - 1, before) for _ in range(self._random.choice([2, 3]))]
        return _Pair(
            " [] ".join(branch.plain for branch in branches), " [] ".join(one.watched for one in branches)
        )

    def _branch(self, depth: int, before: str) -> _Pair:
        if self._random.random() < 0.5:
            return self._prefix(depth, before)
        mark, hit = self._place("branch")
        test = self._test()
        inner = self._prefix(depth, before + hit)
        return _Pair(f"[{mark}{test}] {inner.plain}", f"[{test}] {inner.watched}")

    def _internal(self, depth: int) -> _Pair:
        parts = []
        for _ in range(2):
            mark, hit = self._place("branch")
            inner = self._prefix(depth - 1, "")
            parts.append(_Pair(f"{mark}{inner.plain}", f"tau{{{hit}}} -> ({inner.watched})"))
        return _Pair(" <> ".join(part.plain for part in parts), " [] ".join(one.watched for one in parts))

    def _conditional(self, depth: int) -> _Pair:
        test = self._test()
        mark, hit = self._place("branch")
        then = self._prefix(depth - 1, "")
        plain, watched = f"if ({test}) {{ {mark}{then.plain} }}", f"[{test}] tau{{{hit}}} -> ({then.watched})"
        if self._random.random() < 0.5:
            mark, hit = self._place("branch")
            other = self._prefix(depth - 1, "")
            return _Pair(
                f"{plain} else {{ {mark}{other.plain} }}",
                f"{watched} [] [!({test})] tau{{{hit}}} -> ({other.watched})",
            )
        mark, hit = self._place("missing branch")
        return _Pair(f"{mark}{plain}", f"{watched} [] [!({test})] tau{{{hit}}} -> Skip")

    def _test(self) -> str:
        return self._random.choice(["x < 2", "x == y", "y > 0", "x > 5", "x + y != 1", "true"])

    # ------------------------------------------------------------ programs

    def _block(self, depth: int) -> _Pair:
        parts = [self._statement(depth) for _ in range(self._random.choice([1, 1, 2, 3]))]
        plain, watched = "".join(part.plain for part in parts), "".join(part.watched for part in parts)
        return _Pair(f"{{{plain}}}", f"{{{watched}}}")

    def _statement(self, depth: int) -> _Pair:
        mark, hit = self._place("statement")
        kind = self._random.randrange(8) if depth > 0 else self._random.randrange(3)
        match kind:
            case 5:
                inner_mark, inner_hit = self._place("statement")
                body = "y = y - 1;"
                return _Pair(
                    f"{mark}while (y > 0) {{{inner_mark}{body}}}",
                    f"{hit}while (y > 0) {{{inner_hit}{body}}}",
                )
            case 3:
                self._names += 1
                text = f"var t{self._names} = x;"
                return _Pair(f"{mark}{text}", f"{hit}{text}")
            case 6 | 7:
                return self._if_statement(depth, mark, hit)
            case 4 if depth > 1:
                return _Pair(f"{mark}act;", f"{hit}act;")
        text = self._random.choice(["x = (x + 1) % 3;", "y = (y + x) % 2;", "x = 0;", "y = 1;"])
        return _Pair(f"{mark}{text}", f"{hit}{text}")

    def _if_statement(self, depth: int, mark: str, hit: str) -> _Pair:
        test = self._test()
        then = self._block(depth - 1)
        if self._random.random() < 0.5:
            other = self._block(depth - 1)
            return _Pair(
                f"{mark}if ({test}) {then.plain} else {other.plain}",
                f"{hit}if ({test}) {then.watched} else {other.watched}",
            )
        missing, missing_hit = self._place("missing branch")
        return _Pair(
            f"{mark}{missing}if ({test}) {then.plain}",
            f"{hit}if ({test}) {then.watched} else {{{missing_hit}}}",
        )


def random_covered_model(seed: int) -> Texts:
    """A model from a seed."""
    return _Writer(Random(seed)).model()
