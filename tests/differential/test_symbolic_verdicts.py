"""Decision diagrams: verdicts and numbers of states of the explicit search, in any order of the levels.

Evidence is judged as all evidence is: a run that is none, or not fair, raises an error.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from fairlead.checker.result import Result
from tests.support.asking.models import Case, formulas, small_case
from tests.support.generators.csp_models import random_model
from tests.support.generators.entangled import entangled
from tests.support.generators.fsp_models import random_system
from tests.support.generators.side_by_side import side_by_side
from tests.support.sampling import is_sample, some
from tests.support.tuning import Tune

CHUNKS = 4
SEEDS = range(60)
LONG_SEEDS = range(300_000, 304_000)
MOST_STATES = 500
#: some systems of FSP are very large
LIMITS = fairlead.Limits(max_states=5000, threads=1)
NOTIONS = ("none", "ewf", "esf", "pwf", "psf", "sgf", "impartial")
SIMPLE = ("deadlockfree", "nonterminating", "reaches near && !high", "reaches high")
FORMULAS = (
    "GF near -> GF high",
    "(FG near || GF high) && (GF near -> GF !high)",
    "FG !near || FG !high || GF near",
    "all processes p: GF executed(p)",
    "all events e: weak(e)",
    "some processes p: strong(p)",
)
#: what small_case() defines itself
DEFINED = ("#define near ", "#define high ")
MAKERS = (side_by_side, entangled, random_model)


def symbolic(model: fairlead.Model, question: str, notion: str, **more: object) -> Result | str:
    """The result with decision diagrams, or why it is refused."""
    try:
        return model.check(question, notion, reduction="symbolic", **more)
    except fairlead.InputError as error:
        assert error.diagnostics[0].code is Code.SYMBOLIC, error
        return error.diagnostics[0].message


def compare(case: Case, question: str, notion: str, seen: Counter[str], **more: object) -> None:
    """With the explicit search; fresh models, so that neither profits from the other."""
    text = case.text
    try:
        expected = fairlead.loads(text).check(question, notion, reduction="none", shortest=True, **more)
    except fairlead.InputError:  # such as a name that the model does not have
        return
    found = symbolic(fairlead.loads(text), question, notion, **more)
    where = f"{question} {notion} {more}\n{text}"
    if isinstance(found, str):
        seen[found] += 1
        return
    assert found.verdict is expected.verdict, where
    for name in ("conditions", "is_total", "fairness"):
        assert getattr(found.shortfall, name, None) == getattr(expected.shortfall, name, None), where
    seen[found.verdict.value] += 1
    assert found.statistics.states == case.graph.state_count, where
    if found.is_shortest:
        assert found.evidence is not None and expected.evidence is not None
        assert len(found.evidence.run.stem) == len(expected.evidence.run.stem), where
        seen["shortest"] += 1


def questions(case: Case, random: Random) -> list[tuple[str, str, dict[str, object]]]:
    found: list[tuple[str, str, dict[str, object]]] = [(f"System() {random.choice(SIMPLE)}", "none", {})]
    found += [(f"System() |= {text}", random.choice(NOTIONS), {}) for text in formulas(case, random, 3)]
    formula = random.choice(FORMULAS)
    notion = random.choice(("none", "pwf", "esf"))
    found.append((f"System() |= {formulas(case, random, 1)[0]}", notion, {"fair": formula}))
    return found


def check_seed(seed: int, tune: Tune, seen: Counter[str]) -> None:
    random = Random(seed)
    make = MAKERS[seed % len(MAKERS)]
    text = "\n".join(line for line in make(seed).splitlines() if not line.startswith(DEFINED))
    case = small_case(seed, text + "\n", MOST_STATES)
    if case is None:
        return
    for question, notion, more in questions(case, random):
        tune(level_order=random.choice((0, 0, random.randrange(1, 1000))))
        compare(case, question, notion, seen, **more)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_verdicts_and_numbers_of_states_are_those_of_the_explicit_search(chunk: int, tune: Tune) -> None:
    seen: Counter[str] = Counter()
    for seed in some(SEEDS[chunk::CHUNKS], 2):
        check_seed(seed, tune, seen)
    assert is_sample() or min(seen["holds"], seen["violated"], seen["shortest"]) >= 2, seen


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(16))
def test_many_verdicts_are_those_of_the_explicit_search(chunk: int, tune: Tune) -> None:
    seen: Counter[str] = Counter()
    for seed in LONG_SEEDS[chunk::16]:
        check_seed(seed, tune, seen)
    assert min(seen["holds"], seen["violated"], seen["shortest"]) >= 40, seen


def test_systems_of_fsp(tune: Tune) -> None:
    compared = 0
    for seed in some(range(16), 4):
        tune(level_order=seed % 3)
        text = "\n".join(random_system(seed))
        model = fairlead.loads(text, "lts")
        for target in sorted({assertion.process for assertion in model.assertions})[-1:]:
            question = f"{target.removeprefix('||')} deadlockfree"
            try:
                expected = fairlead.loads(text, "lts").check(
                    question, reduction="none", shortest=True, limits=LIMITS
                )
            except fairlead.FairleadError:
                continue
            if expected.verdict is fairlead.Verdict.UNKNOWN:
                continue
            found = symbolic(fairlead.loads(text, "lts"), question, "none")
            if isinstance(found, str):
                continue
            assert found.verdict is expected.verdict, text
            compared += 1
    assert compared >= 2 or is_sample()
