"""A bad prefix is judged also where the system after it has no end, or fails."""

from __future__ import annotations

import pytest

import fairlead

MODELS = {
    "without end": "var x; P() = a{x = x + 1;} -> P();",
    "without end in a parameter": "var x; P() = Q(0); Q(n) = a{x = n + 1;} -> Q(n + 1);",
    "fails later": "var x; P() = a{x = x + 1;} -> ifa (x == 5) {b.(1 / (x - 5)) -> Stop} else {P()};",
    "ends": "var x; P() = a{x = x + 1;} -> [x < 4] P();",
    "comes back": "var x; P() = a{x = (x + 1) % 4;} -> P();",
}


@pytest.mark.parametrize("formula", ["[] x < 3", "X X X !a", "[] (x == 2 -> X x == 2)", "!a W x == 4"])
@pytest.mark.parametrize("name", MODELS)
def test_a_bad_prefix_is_found_and_judged(name: str, formula: str) -> None:
    model = fairlead.loads(MODELS[name])
    result = model.check(model.formula(formula, "P()"), "psf")
    assert result.verdict is fairlead.Verdict.VIOLATED
    assert result.evidence is not None
    assert not result.evidence.run.loop
    assert len(result.evidence.run.stem) <= 3
