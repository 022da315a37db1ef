"""Certificates of random systems: accepted where the oracle says that the formula holds, and nowhere else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import InternalError
from tests.support.forging.certificates import (
    Parts,
    altered,
    check_parts,
    parts_of,
    reckless,
    refused,
    written,
)
from tests.support.oracle.fairness import NOTIONS
from tests.support.oracle.formulas import formula_text
from tests.support.oracle.refinement import KINDS, random_pair, shortest_violation
from tests.support.oracle.verdict import random_case, verdict, verdicts
from tests.support.sampling import some

DEFAULT_SEEDS = range(120)
LONG_SEEDS = range(1000, 7000)
CHUNKS = 8
#: how often a certificate of what does not hold is altered
TRIES = 12


def check_one(seed: int, folder: Path) -> None:
    """What holds is certified under each notion; what is written of the rest is refused, altered or not."""
    graph, formula, _ = random_case(seed)
    path, chance = folder / "model.json", random.Random(seed)
    path.write_text(graph.to_json())
    model = fairlead.load(path)
    question = model.formula(formula_text(formula))
    expected = verdicts(graph, formula)
    accepted = []
    for notion in NOTIONS:
        if expected[notion]:
            accepted.append(written(model, question, notion))
            continue
        with pytest.raises(InternalError, match="no certificate"):
            written(model, question, notion)
        with reckless(chance):
            forged = parts_of(path, [written(model, question, notion)])
        assert refused(path, forged, folder / "forged"), (seed, notion)
        for number in range(TRIES):
            assert refused(path, altered(forged, chance), folder / "forged"), (seed, notion, number)
    for found in check_parts(path, parts_of(path, accepted), folder / "certificate"):
        assert found.problem is None, (seed, found)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_graphs(chunk: int, tmp_path: Path) -> None:
    for seed in some(DEFAULT_SEEDS[chunk::CHUNKS]):
        check_one(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_graphs(chunk: int, tmp_path: Path) -> None:
    for seed in LONG_SEEDS[chunk::CHUNKS]:
        check_one(seed, tmp_path)


def test_a_certificate_is_for_its_own_notion_alone(tmp_path: Path) -> None:
    """What is accepted under one notion is refused under those under which the formula is violated."""
    path = tmp_path / "model.json"
    count = 0
    for seed in range(200):
        graph, formula, _ = random_case(seed)
        expected = verdicts(graph, formula)
        if len(set(expected.values())) == 1:
            continue
        path.write_text(graph.to_json())
        model = fairlead.load(path)
        question = model.formula(formula_text(formula))
        for holds in NOTIONS:
            if not expected[holds]:
                continue
            entry = written(model, question, holds)
            for violated in NOTIONS:
                if not expected[violated]:
                    entry.claim["fairness"] = violated
                    assert refused(path, parts_of(path, [entry]), tmp_path / "forged"), (seed, violated)
                    count += 1
    assert count > 100


def test_a_certificate_is_for_its_own_formula_alone(tmp_path: Path) -> None:
    """The same for another formula that is violated."""
    path = tmp_path / "model.json"
    count = 0
    for seed in range(300):
        graph, formula, notion = random_case(seed)
        _, other, _ = random_case(seed + 1)
        names = {*graph.props, *graph.events()}
        if not verdict(graph, formula, notion) or not _names(other) <= names or verdict(graph, other, notion):
            continue
        path.write_text(graph.to_json())
        model = fairlead.load(path)
        entry = written(model, model.formula(formula_text(formula)), notion)
        entry.claim["assertion"] = model.formula(formula_text(other)).text
        assert refused(path, parts_of(path, [entry]), tmp_path / "forged"), seed
        count += 1
    assert count > 20


def _names(formula: tuple[object, ...]) -> set[str]:
    operator, *operands = formula
    if operator in ("prop", "event"):
        return {str(operands[0])}
    return {name for one in operands if isinstance(one, tuple) for name in _names(one)}


def check_refinement(seed: int, folder: Path) -> int:
    """What refines is accepted; what is written of one kind of refinement is refused for those that fail."""
    left, right = random_pair(seed)
    path, other = folder / "left.json", folder / "right.json"
    path.write_text(left.to_json())
    other.write_text(right.to_json())
    model = fairlead.load(path)
    questions = {kind: model.assertion(f"refines<{kind}> {other}".replace("<T>", "")) for kind in KINDS}
    holds = {kind: shortest_violation(left, right, kind) is None for kind in KINDS}
    count = 0
    for kind, question in questions.items():
        if not holds[kind]:
            continue
        entry = written(model, question, "none")
        (found,) = check_parts(path, parts_of(path, [entry]), folder / "certificate")
        assert found.problem is None, (seed, kind, found.problem)
        for failing, claimed in questions.items():
            if not holds[failing]:
                entry.claim["assertion"] = claimed.text
                forged, chance = parts_of(path, [entry]), random.Random(seed)
                assert refused(path, forged, folder / "forged"), (seed, kind, failing)
                for _ in range(TRIES):
                    assert refused(path, altered(forged, chance), folder / "forged"), (seed, failing)
                count += 1
    return count


@pytest.mark.sampled
def test_random_refinements(tmp_path: Path) -> None:
    assert sum(check_refinement(seed, tmp_path) for seed in some(range(200), 30)) > 0


@pytest.mark.long
def test_many_random_refinements(tmp_path: Path) -> None:
    for seed in range(1000, 6000):
        check_refinement(seed, tmp_path)


def test_parts_are_what_was_written(tmp_path: Path) -> None:
    graph, _, _ = random_case(1)
    path = tmp_path / "model.json"
    path.write_text(graph.to_json())
    model = fairlead.load(path)
    model.check(model.formula("true"), certificate=tmp_path / "certificate")
    parts = Parts.read(tmp_path / "certificate")
    parts.write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "certificate").read_bytes()
