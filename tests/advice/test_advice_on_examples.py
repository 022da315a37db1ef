"""Advice about every formula of the examples: ordinary checks confirm that each set is enough and minimal."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.model.assertion import Progresses, Satisfies
from tests.support.places import ROOT

MODELS = sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in (".csp", ".lts"))
#: larger systems are left to other tests
LIMITS = fairlead.Limits(max_states=20_000)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_set_is_enough_and_every_part_of_it_needed(path: Path) -> None:
    library = path.with_suffix(".py")
    model = fairlead.load(path, allow_python=[library] if path.stem == "print_spooler" else [])
    for question in model.assertions:
        if not isinstance(question, Satisfies | Progresses):
            continue
        advice = model.advise(question, limits=LIMITS)
        verdicts = {one.notion: one.verdict for one in advice.notions}
        if advice.reason is None and verdicts[fairlead.Fairness.NONE] is fairlead.Verdict.VIOLATED:
            strongest = (fairlead.Fairness.EVENT_STRONG, fairlead.Fairness.PROCESS_STRONG)
            helped = any(verdicts[notion] is fairlead.Verdict.HOLDS for notion in strongest)
            assert advice.sets or not helped
        for found in advice.sets:
            assert found.formula is not None, found.text
            assert model.check(question, "none", fair=found.formula), found.text
            for assumption in found.assumptions:
                others = [one.formula() for one in found.assumptions if one != assumption]
                without = model.check(question, "none", fair=" && ".join(others) or None)
                assert without.verdict is fairlead.Verdict.VIOLATED, (found.text, str(assumption))
