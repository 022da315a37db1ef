"""Results with every kind of evidence there is, from small models."""

from __future__ import annotations

from collections.abc import Callable

import fairlead
from fairlead import Limits, Result

LIGHT = """
var on = 0;
Switch() = [on == 0] up{on = 1;} -> Switch() [] [on == 1] down{on = 0;} -> Switch();
Guest() = [on == 1] read -> Guest();
System() = Switch() ||| Guest();
#define lit on == 1;
#assert System() |= []<> read;
#assert System() reaches lit;
"""
COUNT = """
var n:{0..5} = 0;
var deposit = [0,0,0,0,0,0,0,0,0,0];
P() = [n < 4] step.n{n = n + 1; deposit[n] = n % 3;} -> P() [] [n > 1] take{n = n - 2;} -> P();
Q() = a -> Skip;
R() = a -> b -> Skip [] a -> c -> Skip;
D() = (x -> D()) \\ {x};
Spec() = b -> Spec();
#assert P() reaches n == 4 with max(n);
"""
TRAP = """
READ = (read -> READ | stop -> IDLE), IDLE = (idle -> IDLE).
||ONE = READ.
progress READS = {read}
property ORDER = (read -> stop -> ORDER).
||TWO = (READ || ORDER).
"""
ANNOTATED = """
P() = wf(a) -> P() [] b -> P();
Q() = f(d) -> Q() [] c -> R();
R() = c -> R();
#assert P() |= []<> b;
"""
STARTS = "var x:{0..2} = *;\nP() = a{x = 0;} -> P() [] c -> P();\n#assert P() |= []<> c;\n"
HANDSHAKE = """
L() = meet -> own -> L();
M() = alone -> M();
N() = meet -> N();
System() = L() || M() || N();
"""
GRAPH = """{
  "states": 3, "initial": 0, "props": {"p": [1], "q": [2]},
  "transitions": [[0, "a", 1, ["X"]], [1, "b", 2, ["X", "Y"]], [2, "c", 1, []], [1, "tau", 1, ["Y"]]]
}"""


def _check(text: str, question: str, language: str = "csp", **options: object) -> Callable[[], Result]:
    def answer() -> Result:
        return fairlead.loads(text, language).check(question, **options)  # type: ignore[arg-type]

    return answer


def _ctl(text: str, formula: str, process: str, **options: object) -> Callable[[], Result]:
    def answer() -> Result:
        model = fairlead.loads(text)
        return model.check(model.ctl(formula, process), **options)  # type: ignore[arg-type]

    return answer


KINDS: dict[str, Callable[[], Result]] = {
    "lasso": _check(LIGHT, "System() |= []<> read"),
    "lasso ewf": _check(LIGHT, "System() |= []<> read", fairness="ewf"),
    "lasso pwf": _check(LIGHT, "System() |= []<> read", fairness="pwf"),
    "lasso psf": _check(LIGHT, "System() |= <>[] lit", fairness="psf"),
    "lasso sgf": _check(LIGHT, "System() |= <>[] lit", fairness="sgf"),
    "lasso impartial": _check(LIGHT, "System() |= <>[] lit", fairness="impartial"),
    "lasso by formula": _check(LIGHT, "System() |= []<> read", fair="GF up && weak(Guest)"),
    "safety formula": _check(LIGHT, "System() |= [] !lit"),
    "reachability": _check(LIGHT, "System() reaches lit"),
    "reached at once": _check(LIGHT, "System() reaches on == 0"),
    "optimum": _check(COUNT, "P() reaches n > 1 with max(n)"),
    "holds": _check(LIGHT, "System() |= []<> read", fairness="esf"),
    "unknown": _check(LIGHT, "System() |= []<> read", limits=Limits(max_states=1)),
    "deadlock": _check("P() = a -> Stop; #assert P() deadlockfree;", "P() deadlockfree"),
    "deadlock formula": _check("P() = a -> Stop; #assert P() |= []<> a;", "P() |= []<> a"),
    "termination": _check(COUNT, "Q() nonterminating"),
    "determinism": _check(COUNT, "R() deterministic"),
    "divergence": _check(COUNT, "D() divergencefree"),
    "refinement": _check(COUNT, "R() refines Spec()"),
    "failures": _check(COUNT, "Q() refines<F> R()"),
    "long array": _check(COUNT, "P() |= <>[] n == 5"),
    "annotations": _check(ANNOTATED, "P() |= []<> b"),
    "no longer fair": _check(ANNOTATED, "Q() |= []<> c"),
    "several starts": _check(STARTS, "P() |= []<> c"),
    "handshake": _check(HANDSHAKE, "System() |= []<> alone"),
    "progress": _check(TRAP, "ONE progress READS", "lts"),
    "error": _check(TRAP, "TWO safety", "lts"),
    "progress into an error": _check(TRAP, "TWO progress READS", "lts"),
    "graph": _check(GRAPH, "|= <>[] p", "json"),
    "ctl": _ctl(LIGHT, "EF (lit && EG lit)", "System()"),
    "ctl fair": _ctl(LIGHT, "EF lit", "System()", fair="weak(Switch)"),
    "ctl nested": _ctl(LIGHT, "EF (lit && EX (!lit && EX lit))", "System()"),
    "ctl violated": _ctl(LIGHT, "AG (lit -> AX lit)", "System()"),
    "ctl universal": _ctl(LIGHT, "EF (lit && AX (on < 2))", "System()"),
}
