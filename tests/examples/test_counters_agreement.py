"""With and without counters the examples of identical processes have the same verdicts."""

from __future__ import annotations

from math import comb

import pytest

import fairlead
from tests.support.examples.expected import NOTIONS, Row
from tests.support.examples.expected_identical import ROWS
from tests.support.examples.loading import load_example

#: what is small enough to be checked many times
SMALL = [row for row in ROWS if row.n is not None and row.n <= 3]

BRANCHING = [
    ("leader_complete", "Network()", "AF AG oneLeader"),
    ("leader_complete", "Network()", "AG EF oneLeader"),
    ("leader_complete", "Network()", "AG EX true"),
    ("leader_detectors", "Network()", "AF AG oneLeader"),
    ("leader_detectors", "Network()", "AG EF oneLeader"),
    ("many_readers_writers", "Library()", "AG safe"),
    ("many_readers_writers", "Library()", "AG AF reading"),
    ("many_readers_writers", "Library()", "E (!reading U writing)"),
    ("register", "System()", "AG (read_inv -> AF read_res)"),
    ("register", "System()", "AG EF value.2"),
    ("lock_free_stack", "System()", "AG (push_inv -> AF push_res)"),
    ("lock_free_stack", "System()", "AG EF push_res"),
    ("meta_lock", "System()", "AG AF access"),
    ("meta_lock", "System()", "AG EF waiting == N - 1"),
    ("meta_lock", "System()", "AF waiting > 1"),
]
OTHERS = [
    ("leader_complete", "Network() deadlockfree"),
    ("leader_complete", "Network() reaches leaders == N"),
    ("leader_complete", "Network() reaches leaders > N"),
    ("leader_detectors", "Network() deadlockfree"),
    ("leader_detectors", "Network() reaches leaders == N && correct"),
    ("many_readers_writers", "Library() deadlockfree"),
    ("many_readers_writers", "Library() reaches readers == N"),
    ("many_readers_writers", "Library() reaches readers > 0 && writing"),
    ("register", "System() deadlockfree"),
    ("register", "System() reaches bit[2] == 1 && bit[0] == 0"),
    ("lock_free_stack", "System() deadlockfree"),
    ("lock_free_stack", "System() reaches head == S"),
    ("meta_lock", "System() deadlockfree"),
    ("meta_lock", "System() reaches waiting == N - 1"),
    ("meta_lock", "System() reaches waiting == N"),
]
#: how many configurations there are, when only the number of processes in each local state counts
COUNTED_SIZES = [
    ("leader_complete", "Network()", 10, 3 * 11),
    ("leader_detectors", "Network()", 6, 2 * comb(6 + 4, 4)),
    ("many_readers_writers", "Library()", 10, 10 + 2),
    ("meta_lock", "System()", 10, 1 + 3 * 10),
]


@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.id)
@pytest.mark.parametrize("notion", NOTIONS)
def test_formulas(row: Row, notion: str) -> None:
    model = load_example(row.file, {"N": row.n})
    question = model.formula(row.formula, f"{row.process}()")
    try:
        found = model.check(question, notion, counters=True).verdict
    except fairlead.InputError as refusal:
        # Only strong global fairness depends on the formula; no process here has internal steps.
        assert notion == "sgf"
        assert refusal.diagnostics[0].code is fairlead.Code.COUNTERS
        return
    assert found is (fairlead.Verdict.HOLDS if row.by_notion[notion] else fairlead.Verdict.VIOLATED)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize(("name", "process", "formula"), BRANCHING)
def test_branching_time(name: str, process: str, formula: str, n: int) -> None:
    model = load_example(f"{name}.csp", {"N": n})
    question = model.ctl(formula, process)
    expected = {notion: model.check(question, notion).verdict for notion in NOTIONS}
    assert {notion: model.check(question, notion, counters=True).verdict for notion in NOTIONS} == expected


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize(("name", "assertion"), OTHERS)
def test_other_questions(name: str, assertion: str, n: int) -> None:
    model = load_example(f"{name}.csp", {"N": n})
    assert model.check(assertion, counters=True).verdict is model.check(assertion).verdict


@pytest.mark.parametrize(("name", "process", "n", "states"), COUNTED_SIZES)
def test_only_numbers_count(name: str, process: str, n: int, states: int) -> None:
    model = load_example(f"{name}.csp", {"N": n})
    assert model.check(f"{process} reaches 0 == 1", counters=True).statistics.states == states
