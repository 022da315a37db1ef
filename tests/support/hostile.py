"""Commands that once overran their limits: texts that double, huge ranges, endless steps, long runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

LIMIT, INPUT, HOLDS, VIOLATED = 3, 2, 0, 1


@dataclass(frozen=True)
class Hostile:
    """A command on a text; `text` makes it, None stands for a file without end."""

    name: str
    suffix: str
    text: Callable[[], str] | None
    statuses: tuple[int, ...] = (LIMIT,)
    command: str = "check"
    options: tuple[str, ...] = ()
    #: whether it is cheap, so that it is tried in every run of the suite
    is_quick: bool = False
    #: what is run first, without limits, with its output in run.json
    before: tuple[str, ...] = ()
    #: what is expected in the output
    says: str = ""


def _doubling(levels: int, line: str, last: str) -> str:
    return "\n".join([*(line.format(i, i + 1) for i in range(levels)), last.format(levels)])


def _csp(body: str, assertion: str = "P() deadlockfree") -> str:
    return f"{body}\n#assert {assertion};\n"


def _counter(most: int, *assertions: str) -> str:
    asked = "\n".join(f"#assert P() |= {formula};" for formula in assertions)
    return (
        f"var x = 0;\nP() = [x < {most}] a{{x = x + 1}} -> P() [] [x == {most}] b{{x = 0}} -> P();\n{asked}"
    )


def _composed(levels: int, line: str) -> str:
    return "P = (a -> P).\n||S0 = P.\n" + "\n".join(line.format(i, i + 1) for i in range(levels))


def _until(levels: int) -> str:
    return " ".join(f"a.{i} U (" for i in range(levels)) + f" a.{levels}" + ")" * levels


def _ring_of_steps(states: int) -> str:
    lines = (f"({i},a,{(i * 7 + 1) % states})\n" for i in range(states))
    return f"des (0,{states},{states})\n" + "".join(lines)


_ENDS = "Skip;\n#assert P0() deadlockfree;"
_LOOPS = "P{0}() = a -> P{0}();\n#assert P0() deadlockfree;"
_SUM = "#define d{0} 1; var x = 0; P0() = a{{x = d0;}} -> P0();\n#assert P0() deadlockfree;"
_CONJUNCTION = "#define d{0} (x == 0); var x = 0; P() = a{{x = 1 - x;}} -> P();\n#assert P() |= [] d0;"
_ROUNDS = "var n = 0; var x = 0;\nP() = a{n = 0; while (n < 190000) {n = n + 1;} x = (x + 1) % 30;} -> P();"
_ENDLESS_PROGRAM = "var n = 0;\nP() = a{while (n >= 0) {n = 1 - n;}} -> P();"
_HANDSHAKES = (
    "channel c 0;\nP() = [] i:{0..999} @ (c!i -> P());\n"
    "Q() = [] j:{0..999} @ (c?x -> Q());\nS() = P() ||| Q();"
)
_SUBSETS = (
    "P = (a -> P | b -> P | a -> Q[0]),\nQ[i:0..24] = (a -> Q[i+1] | b -> Q[i+1]),\n"
    "Q[25] = (c -> P).\ndeterministic ||D = P."
)
_ANY_LETTER = "P() = ([] i:{0..20} @ a.i -> P()) [] b -> P();"
_TWO_LETTERS = "P() = a -> P() [] b -> P();"
_NONDETERMINISTIC = (
    "S() = a -> S() [] b -> S() [] a -> T(0);\n"
    "T(i) = [i < 22] (a -> T(i + 1) [] b -> T(i + 1)) [] [i == 22] c -> S();\n"
    "I() = a -> I() [] b -> I() [] a -> J(0);\n"
    "J(i) = [i < 22] (a -> J(i + 1) [] b -> J(i + 1)) [] [i == 22] (c -> I());"
)
_DINERS = (
    "const N = 12\nPHIL = (sit -> right.get -> left.get -> eat -> left.put -> right.put -> arise -> PHIL).\n"
    "FORK = (get -> put -> FORK).\n"
    "minimal ||D = forall[i:0..N-1] (phil[i]:PHIL || {phil[i].left, phil[((i-1)+N)%N].right}::FORK)"
    "\\{phil[0..N-1].{sit, arise}}."
)


def wide(most: int) -> str:
    """Two processes, each with a choice between so many events."""
    left = f"P() = [] i:{{0..{most}}} @ a.i{{x = i}} -> P();"
    right = f"Q() = [] i:{{0..{most}}} @ b.i{{y = i}} -> Q();"
    return f"var x = 0; var y = 0;\n{left}\n{right}\nS() = P() ||| Q();"


def _reading() -> list[Hostile]:
    """Texts of CSP# that are large, or stand for something large."""
    return [
        Hostile(
            "interleavings that double",
            "csp",
            partial(_doubling, 24, "P{0}() = P{1}() ||| P{1}();", _LOOPS),
            is_quick=True,
        ),
        Hostile(
            "compositions that double", "csp", partial(_doubling, 24, "P{0}() = P{1}() || P{1}();", _LOOPS)
        ),
        Hostile(
            "choices that double",
            "csp",
            partial(_doubling, 60, "P{0}() = P{1}() [] P{1}();", _LOOPS),
            (HOLDS,),
            is_quick=True,
        ),
        Hostile(
            "sequences that double",
            "csp",
            partial(_doubling, 60, "P{0}() = P{1}(); P{1}();", "P{0}() = " + _ENDS),
            is_quick=True,
            says="before its first event",
        ),
        Hostile(
            "definitions that double",
            "csp",
            partial(_doubling, 60, "#define d{0} (d{1} + d{1});", _SUM),
            is_quick=True,
        ),
        Hostile(
            "conditions that double",
            "csp",
            partial(_doubling, 60, "#define d{0} (d{1} && d{1});", _CONJUNCTION),
        ),
        Hostile("processes that multiply", "csp", partial(_csp, "P() = a -> (P() ||| P());"), is_quick=True),
        Hostile(
            "processes that multiply, LTL", "csp", partial(_csp, "P() = a -> (P() ||| P());", "P() |= []<> a")
        ),
        Hostile(
            "many arrays",
            "csp",
            lambda: _csp(
                "\n".join(f"var a{i}[1000000];" for i in range(50)) + "\nP() = a{a0[0] = 1;} -> P();"
            ),
        ),
        Hostile(
            "a choice over a large range",
            "csp",
            partial(_csp, "P() = [] i:{0..600000} @ e.i -> (z -> Skip);"),
        ),
        Hostile(
            "a composition over a large range",
            "csp",
            partial(_csp, "P() = ||| i:{0..600000} @ (e.i -> Skip);"),
        ),
        Hostile(
            "a range without end",
            "csp",
            partial(_csp, "P() = [] i:{0..2000000000} @ e.i -> Skip;"),
            is_quick=True,
            says="combinations",
        ),
        Hostile("many prefixes", "csp", lambda: _csp("P() = " + "a -> " * 250_000 + "P();")),
        Hostile(
            "a long sequence", "csp", lambda: _csp("P() = " + "; ".join(["(a -> Skip)"] * 100_000) + ";")
        ),
        Hostile(
            "deep parentheses",
            "csp",
            lambda: _csp("P() = " + "(" * 100_000 + "a -> Skip" + ")" * 100_000 + ";"),
            (HOLDS, LIMIT),
        ),
        Hostile(
            "a deep expression",
            "csp",
            lambda: _csp("var x = 0; P() = [x == " + "(" * 50_000 + "0" + ")" * 50_000 + "] a -> P();"),
            (HOLDS, LIMIT),
            is_quick=True,
        ),
        Hostile(
            "a long expression",
            "csp",
            lambda: _csp("var x = 0; P() = [x == " + "+".join(["1"] * 200_000) + "] a -> P();"),
        ),
        Hostile(
            "a comment of 100 MB",
            "csp",
            lambda: _csp("// " + "x" * 100_000_000 + "\nP() = a -> P();"),
            (HOLDS, LIMIT),
        ),
        Hostile("100 MB of definitions", "csp", lambda: _csp("P() = a -> P();\n" * 6_000_000)),
        Hostile("a file without end", "csp", None, is_quick=True),
        Hostile(
            "very many assertions",
            "csp",
            lambda: "P() = a -> P();\n" + "#assert P() deadlockfree;\n" * 20_000,
            (HOLDS, LIMIT),
        ),
    ]


def _steps_and_evidence() -> list[Hostile]:
    """Single steps, formulas and runs that are long."""
    written = ("--html", "out.html", "--junit", "out.xml", "--json")
    kept = ("check", "{model}", "--json")
    return [
        Hostile(
            "a million handshakes in a state",
            "csp",
            partial(_csp, _HANDSHAKES, "S() |= []<> c.1"),
            (VIOLATED, LIMIT),
            is_quick=True,
        ),
        Hostile(
            "a program of 190,000 rounds",
            "csp",
            partial(_csp, _ROUNDS, "P() |= <>[] x == 1"),
            (VIOLATED, LIMIT),
        ),
        Hostile(
            "a program without end",
            "csp",
            partial(_csp, _ENDLESS_PROGRAM, "P() |= <>[] n == 1"),
            is_quick=True,
        ),
        Hostile(
            "a long run",
            "csp",
            partial(_counter, 200_000, "[] x < 200000"),
            (VIOLATED, LIMIT),
            options=("--trace",),
            is_quick=True,
        ),
        Hostile(
            "a long loop",
            "csp",
            partial(_counter, 200_000, "<>[] x == 5"),
            (VIOLATED, LIMIT),
            options=("--trace",),
        ),
        Hostile(
            "a long run on pages",
            "csp",
            partial(_counter, 200_000, "[] x < 200000"),
            (VIOLATED, LIMIT),
            options=written,
        ),
        Hostile(
            "a deadlock behind many branches",
            "csp",
            partial(_csp, "var x = 0;\nP() = [x < 300] ([] i:{0..999} @ a.i{x = x + 1} -> P());"),
            (VIOLATED, LIMIT),
        ),
        Hostile(
            "a fair loop of many events",
            "csp",
            lambda: _csp(wide(99), "S() |= <>[] x == 1"),
            (VIOLATED, LIMIT),
            options=("--fairness", "esf"),
        ),
        Hostile(
            "nested until",
            "csp",
            lambda: _csp(_ANY_LETTER, f"P() |= {_until(10)}"),
            (VIOLATED, LIMIT),
            is_quick=True,
        ),
        Hostile(
            "advice on nested until",
            "csp",
            lambda: _csp(_ANY_LETTER, f"P() |= {_until(10)}"),
            (HOLDS, VIOLATED, LIMIT),
            command="advise",
        ),
        Hostile(
            "a chain of next",
            "csp",
            lambda: _csp(_TWO_LETTERS, "P() |= <> (" + "X " * 5000 + "a)"),
            (VIOLATED, LIMIT),
            is_quick=True,
        ),
        Hostile(
            "a chain of next after an event",
            "csp",
            lambda: _csp(_TWO_LETTERS, "P() |= [] (a -> " + "X " * 3000 + "b)"),
            (VIOLATED, LIMIT),
        ),
        Hostile(
            "a specification to make deterministic",
            "csp",
            partial(_csp, _NONDETERMINISTIC, "I() refines S()"),
            (HOLDS, LIMIT),
            is_quick=True,
        ),
        Hostile(
            "validating a long run",
            "csp",
            partial(_counter, 60_000, "[] x < 60000"),
            (HOLDS, LIMIT),
            command="validate",
            options=("run.json",),
            before=kept,
        ),
        Hostile(
            "replaying a long run",
            "csp",
            partial(_counter, 60_000, "[] x < 60000"),
            (HOLDS, LIMIT),
            command="simulate",
            options=("--replay", "run.json"),
            before=kept,
        ),
        Hostile(
            "drawing a long run",
            "csp",
            partial(_counter, 60_000, "[] x < 60000"),
            (LIMIT, INPUT),
            command="graph",
            options=("--highlight", "run.json", "--format", "svg", "-o", "out.svg"),
            before=kept,
        ),
        Hostile(
            "a graph of a million states",
            "csp",
            lambda: wide(999),
            command="graph",
            options=("--process", "S()", "-o", "out.json"),
            is_quick=True,
        ),
        Hostile(
            "minimising a million states",
            "csp",
            lambda: wide(999),
            command="minimise",
            options=("--process", "S()", "-o", "out.json"),
        ),
        Hostile("a walk on a file without end", "csp", None, command="simulate", options=("--random", "5")),
    ]


def _other_languages() -> list[Hostile]:
    """Texts of FSP, and graphs."""
    top = ("--process", "S24")
    return [
        Hostile("FSP prefixes", "lts", lambda: "P = (" + "a -> " * 250_000 + "STOP)."),
        Hostile(
            "FSP ranges that multiply",
            "lts",
            lambda: "P = (a[i:0..3000][j:0..3000][k:0..3000] -> P).",
            is_quick=True,
        ),
        Hostile("FSP alphabets that multiply", "lts", lambda: "P = (a -> P) + {b[0..3000][0..3000]}."),
        Hostile(
            "FSP composites that double",
            "lts",
            partial(_composed, 24, "||S{1} = (x:S{0} || y:S{0})."),
            options=top,
            is_quick=True,
        ),
        Hostile(
            "FSP labels that double", "lts", partial(_composed, 24, "||S{1} = ({{x,y}}::S{0})."), options=top
        ),
        Hostile(
            "FSP sets that double",
            "lts",
            lambda: (
                "set S0 = {a}\n"
                + "\n".join(f"set S{i + 1} = {{S{i}.{{a,b}}}}" for i in range(24))
                + "\nP = (a -> P) + S24."
            ),
        ),
        Hostile(
            "FSP sequences that double",
            "lts",
            lambda: "S0 = (a -> END).\n" + "\n".join(f"S{i + 1} = S{i};S{i};END." for i in range(24)),
            options=top,
        ),
        Hostile(
            "FSP determinising",
            "lts",
            lambda: _SUBSETS,
            (HOLDS, VIOLATED, LIMIT),
            options=("--process", "D"),
            is_quick=True,
        ),
        Hostile("FSP minimising", "lts", lambda: _DINERS, (VIOLATED, LIMIT), options=("--process", "D")),
        Hostile(
            "FSP formulas that double",
            "lts",
            partial(_doubling, 40, "assert A{0} = (A{1} && A{1})", "assert A{0} = []<>a\nP = (a -> P)."),
            (HOLDS,),
            is_quick=True,
        ),
        Hostile(
            "FSP nested forall",
            "lts",
            lambda: "P = (a[0..1000] -> P).\nassert A = forall[i:0..1000][j:0..1000] []<>a[i]",
        ),
        Hostile(
            "a large FSP range",
            "lts",
            lambda: "P = (a[i:0..10000000] -> P).",
            (INPUT,),
            is_quick=True,
            says="a range has at most",
        ),
        Hostile(
            "too many states in a header",
            "aut",
            lambda: "des (0,1,1000000000000000000000)\n(0,a,0)\n",
            (INPUT,),
            options=("--ltl", "[]<> a"),
            is_quick=True,
            says="number of states",
        ),
        Hostile(
            "a thousand million states in a header",
            "aut",
            lambda: "des (0,1,1000000000)\n(0,a,0)\n",
            (HOLDS, LIMIT, INPUT),
            options=("--ltl", "[]<> a"),
            is_quick=True,
        ),
        Hostile(
            "a label of 10 MB",
            "aut",
            lambda: 'des (0,1,1)\n(0,"' + "x" * 10_000_000 + '",0)\n',
            (HOLDS, LIMIT),
            options=("--ltl", "[]<> a"),
        ),
        Hostile(
            "a large graph",
            "aut",
            partial(_ring_of_steps, 1_500_000),
            (HOLDS, LIMIT),
            options=("--ltl", "[]<> a"),
        ),
        Hostile(
            "a thousand million states in JSON",
            "json",
            lambda: json.dumps({"states": 10**9, "initial": 0, "transitions": [[0, "a", 0]]}),
            (HOLDS, LIMIT, INPUT),
            options=("--ltl", "[]<> a"),
            is_quick=True,
        ),
    ]


CASES = {case.name: case for case in (*_reading(), *_steps_and_evidence(), *_other_languages())}
