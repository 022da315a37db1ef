"""The printer for syntax trees: what it writes is read as the same tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.base.source import Source
from fairlead.lang.csp import syntax
from fairlead.lang.csp.parse import parse_specification
from tests.support.generators.csp_models import random_model
from tests.support.generators.csp_printing import specification_text
from tests.support.places import ROOT

FILES = sorted([*ROOT.glob("examples/**/*.csp"), *ROOT.glob("bench/models/*.csp")])

#: what the random models and the files do not use
THE_REST = """
#import "PAT.Lib.Set"; #include "other.csp";
#define none() 1; #define far(i) -i; #define near if (x > 1) {x} else {if (x < 0) {-x} else {1}};
#define many #P(1) > 2; #define p (x) + 1; #define every && i:{0..1}; j:{0, 2} @ (m[i][j] == i);
hvar h; counter k:{0..3} = 1; var<Set> s = new Set(1, 2);
var m[2][3]:{..5} = [1(2), 3..4, x]; var w:{-1..} = *;
channel big[N * 2] N + 1;
P(i:{0..N - 1}, j) = (a, b.i) -> c[i + 1]?[x > y]x.(i + 1) {x = y = 1; ;} -> P(i, [1, 2]);
Q = wf(a.1) -> sl(b){var t[2] = [1..2]; var u; if (u > 0) if (u > 1) u--; else ; while (t[0] < 1) t[0]++} -> Q
    <> ({x = s.Size(1) + s$Count;} -> Q [*] tau -> Stop());
R() = ||| {..} @ (P(1, 2) \\ {a, i:{0..2}; j:{1} @ b.i.j} \\ {}) interrupt Q interrupt (Q; Q);
S() = case {x == 1: a -> Q -x > 0 : {x = 1} -> Q x > y && call(f): Q default: []i:{0..1}@a.i -> Skip; };
#alphabet P {}; #assert P(1, N - 1) reaches x - 1 > 0 with max(x + y); #assert Q refines<FD> R;
#assert Q |= [](a -> X <> "c!1"); #assert Q refines R; #assert Q nonterminating; #assert Q divergencefree;
#assert Q deterministic; #assert Q refines <F> P(1, true);
"""


def tree(text: str) -> list[object]:
    """The declarations; a formula is kept in the tree as a place, and compared by its text."""
    declarations = parse_specification(Source("text", text)).declarations
    return [
        (node.property.process, node.property.formula.text.strip())
        if isinstance(node, syntax.AssertDeclaration) and isinstance(node.property, syntax.Satisfies)
        else node
        for node in declarations
    ]


def check_round_trip(text: str) -> None:
    read = parse_specification(Source("text", text))
    printed = specification_text(read.declarations)
    assert tree(printed) == tree(text), printed


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_files(path: Path) -> None:
    check_round_trip(path.read_text(encoding="utf-8"))


def test_the_whole_language() -> None:
    check_round_trip(THE_REST)


def test_random_models() -> None:
    for seed in range(300):
        check_round_trip(random_model(seed))
