"""FSP against a slow interpreter of the language, which shares only the parser with the product."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest

import fairlead
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import is_internal
from tests.support.generators.fsp_models import random_system, shrunk
from tests.support.generators.fsp_questions import questions
from tests.support.oracle.fsp import Interpreter, Target
from tests.support.oracle.fsp_checks import bad_terminal_sets, progress_tests, safety, satisfied
from tests.support.oracle.fsp_machines import ERROR, TAU, Lts, TooLarge, deterministic, refined, strong_moves
from tests.support.oracle.fsp_values import Rejected
from tests.support.sampling import some

DEFAULT_SEEDS = range(60)
LONG_SEEDS = range(1000, 4200)
CHUNKS = 20
#: formulas are judged on systems with no more states
JUDGED = 25


class Case:
    """A random text with what the oracle says about its targets; those that are too large are left out."""

    def __init__(self, lines: Sequence[str], seed: int) -> None:
        self.checked: dict[str, tuple[Target, Lts]] = {}
        self.rejected: list[str] = []
        self._sort_targets(Interpreter("\n".join(lines)))
        alphabet = sorted({label for _, machine in self.checked.values() for label in machine.alphabet})
        self.text = "\n".join([*lines, *questions(Random(seed), alphabet)]) + "\n"
        self.interpreter = Interpreter(self.text)
        self.has_minimal = any(line.startswith("minimal") for line in lines)

    def _sort_targets(self, interpreter: Interpreter) -> None:
        for name in interpreter.targets:
            try:
                target = interpreter.target(name)
                target.presented()
                self.checked[name] = (target, target.checked())
            except Rejected:
                self.rejected.append(name)
            except TooLarge:
                continue


# ---------------------------------------------------------------- graphs


def machine_of(graph: ExplicitGraph) -> Lts:
    """A graph of the product with one ERROR, the initial state first."""
    states = [graph.initial, *(s for s in range(graph.state_count) if s != graph.initial)]
    number = {state: i for i, state in enumerate(s for s in states if s not in graph.errors)}
    number |= dict.fromkeys(graph.errors, ERROR)
    rows = []
    for state in states:
        if state not in graph.errors:
            steps = [(TAU if is_internal(s.event) else s.event, s.target) for s in graph.steps(state)]
            rows.append(tuple(dict.fromkeys((event, number[target]) for event, target in steps)))
    alphabet = {event for row in rows for event, _ in row} - {TAU}
    return Lts(frozenset(alphabet), tuple(rows), frozenset(number[s] for s in graph.terminated))


def are_bisimilar(one: Lts, other: Lts) -> bool:
    """Strongly, END and ERROR being distinguished."""
    shift = len(one.steps)
    moved = tuple(tuple((a, t if t == ERROR else t + shift) for a, t in row) for row in other.steps)
    both = Lts(one.alphabet, one.steps + moved, one.ends | {s + shift for s in other.ends})
    classes = refined(both, strong_moves(both))
    return classes[0] == classes[shift]


def compare_graphs(case: Case, model: fairlead.Model, name: str, target: Target) -> None:
    found, expected = machine_of(model.graph(name)), target.presented()
    if case.has_minimal:
        with suppress(TooLarge):
            assert are_bisimilar(deterministic(found), deterministic(expected)), f"traces of {name}"
        return
    assert are_bisimilar(found, expected), f"graph of {name}"
    sizes = [(len(m.steps), m.transitions) for m in (found, expected)]
    assert sizes[0] == sizes[1], f"size of {name}: {sizes}"


# ---------------------------------------------------------------- questions


def compare_safety(case: Case, model: fairlead.Model, name: str, machine: Lts) -> None:
    kind, length = safety(machine)
    result = model.check(f"{name} safety")
    assert (result.verdict is fairlead.Verdict.HOLDS) == (kind == "ok"), f"{name} safety: {kind} {length}"
    if kind != "ok" and not case.has_minimal:
        assert result.evidence is not None
        assert len(result.evidence.run.stem) == length, f"{name} safety: {kind} after {length}"


def compare_progress(case: Case, model: fairlead.Model, name: str, machine: Lts) -> None:
    tests = progress_tests(case.interpreter, machine.alphabet)
    bad = bad_terminal_sets(machine, tests)
    for test in tests:
        result = model.check(f"{name} progress {test}")
        expected = bad.get(test, [])
        assert (result.verdict is fairlead.Verdict.HOLDS) == (not expected), f"{name} progress {test}"
        if expected:
            assert result.evidence is not None
            explanation = result.evidence.explanation
            assert isinstance(explanation, TerminalSetReached)
            sets = [e.actions for e in expected]
            assert frozenset(explanation.actions) in sets, f"{name} progress {test}: {explanation.actions}"


def compare_formulas(case: Case, model: fairlead.Model, name: str, target: Target, machine: Lts) -> int:
    compared = 0
    for formula in case.interpreter.asserts:
        if len(machine.steps) > JUDGED or case.has_minimal:
            break
        expected = satisfied(case.interpreter, target, formula, "sgf", "none", machine=machine)
        for notion, verdict in expected.items():
            result = model.check(f"{name} |= {formula}", notion)
            wanted = fairlead.Verdict.HOLDS if verdict else fairlead.Verdict.VIOLATED
            assert result.verdict is wanted, f"{name} |= {formula} under {notion}: {wanted}"
        compared += 1
    return compared


def check_one(seed: int) -> dict[str, int]:
    return check_model(random_system(seed), seed)


def check_model(lines: Sequence[str], seed: int) -> dict[str, int]:
    """Compares all answers about a text; tells how many there were."""
    case = Case(lines, seed)
    count = {"targets": len(case.checked), "formulas": 0, "rejected": len(case.rejected)}
    try:
        model = fairlead.loads(case.text, "lts")
        for name, (target, machine) in case.checked.items():
            compare_graphs(case, model, name, target)
            compare_safety(case, model, name, machine)
            compare_progress(case, model, name, machine)
            count["formulas"] += compare_formulas(case, model, name, target, machine)
        for name in case.rejected:
            assert is_rejected(model, name), f"{name} should be rejected"
    except (AssertionError, fairlead.FairleadError) as error:
        raise AssertionError(f"seed {seed}: {error}\n{case.text}") from error
    return count


def is_rejected(model: fairlead.Model, name: str) -> bool:
    try:
        model.graph(name)
    except fairlead.InputError:
        return True
    return False


def check_all(seeds: Sequence[int]) -> None:
    counts = [check_one(seed) for seed in seeds]
    assert sum(count["targets"] for count in counts) > len(seeds)
    assert sum(count["formulas"] for count in counts) > len(seeds)


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_models(chunk: int) -> None:
    for seed in some(DEFAULT_SEEDS[chunk::CHUNKS], 1):
        check_one(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_models(chunk: int) -> None:
    check_all(LONG_SEEDS[chunk::CHUNKS])


def still_fails(lines: Sequence[str], seed: int) -> bool:
    try:
        check_model(lines, seed)
    except AssertionError:
        return True
    except (KeyError, fairlead.FairleadError):  # what the rest needs was left out
        pass
    return False


if __name__ == "__main__":  # python -m tests.differential.test_fsp SEED
    number = int(sys.argv[1])
    print("\n".join(shrunk(random_system(number), lambda lines: still_fails(lines, number))))
